/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ov-cli-grid.h"

#include "cli/ov-cli.h"

struct _OvCliGrid
{
  guint n_columns;
  gboolean *right;
  GPtrArray *rows; /**< of char**, the titles first */
};

static void
free_row (gpointer row)
{
  g_strfreev (row);
}

OvCliGrid *
ov_cli_grid_new (const char *const *titles)
{
  OvCliGrid *self = g_new0 (OvCliGrid, 1);
  char **row;

  self->n_columns = g_strv_length ((char **)titles);
  self->right = g_new0 (gboolean, self->n_columns);
  self->rows = g_ptr_array_new_with_free_func (free_row);
  row = g_new0 (char *, self->n_columns + 1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      self->right[i] = titles[i][0] == '>';
      row[i] = g_strdup (titles[i] + (self->right[i] ? 1 : 0));
    }
  g_ptr_array_add (self->rows, row);
  return self;
}

void
ov_cli_grid_free (OvCliGrid *self)
{
  g_ptr_array_unref (self->rows);
  g_free (self->right);
  g_free (self);
}

void
ov_cli_grid_add (OvCliGrid *self, char **cells)
{
  char **row = g_new0 (char *, self->n_columns + 1);

  for (guint i = 0; i < self->n_columns; i++)
    row[i] = cells[i] != NULL ? cells[i] : g_strdup ("");
  g_ptr_array_add (self->rows, row);
}

void
ov_cli_grid_print (const OvCliGrid *self, FILE *to)
{
  g_autofree guint *widths = g_new0 (guint, self->n_columns);

  for (guint r = 0; r < self->rows->len; r++)
    for (guint i = 0; i < self->n_columns; i++)
      widths[i] = MAX (widths[i], ov_cli_width (((char **)self->rows->pdata[r])[i]));
  for (guint r = 0; r < self->rows->len; r++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint i = 0; i < self->n_columns; i++)
        {
          const char *text = ((char **)self->rows->pdata[r])[i];
          const int gap = (int)(widths[i] - ov_cli_width (text));

          g_string_append_printf (line, "%s%*s%s%*s", i > 0 ? "  " : "", self->right[i] ? gap : 0,
                                  "", text, self->right[i] ? 0 : gap, "");
        }
      fprintf (to, "%s\n", g_strchomp (line->str));
    }
}
