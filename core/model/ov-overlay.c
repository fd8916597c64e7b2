/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The articles' figures: CSV with one heading line, '#' before remarks, '.' as the decimal sign.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-experiment-private.h"
#include "model/ov-file.h"
#include "model/ov-strategy-info.h"
#include "model/ov-types-private.h"

#define FILE_LIMIT (16 * 1024 * 1024)

/* The cells of a line (RFC 4180, but no newline within quotes).  Free with g_strfreev(). */
static char **
split_line (const char *line)
{
  GPtrArray *cells = g_ptr_array_new ();
  GString *cell = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (; *line != '\0'; line++)
    if (quoted && line[0] == '"' && line[1] == '"')
      g_string_append_c (cell, *line++);
    else if (*line == '"')
      quoted = !quoted;
    else if (*line == ',' && !quoted)
      {
        g_ptr_array_add (cells, g_string_free (cell, FALSE));
        cell = g_string_new (NULL);
      }
    else
      g_string_append_c (cell, *line);
  g_ptr_array_add (cells, g_string_free (cell, FALSE));
  g_ptr_array_add (cells, NULL);
  return (char **)g_ptr_array_free (cells, FALSE);
}

/* A number, or a size such as 32K; NaN for an empty cell. */
static gboolean
parse_cell (const char *text, double *value)
{
  guint64 size;
  char *end;

  *value = NAN;
  if (*text == '\0')
    return TRUE;
  if (g_ascii_isdigit (*text) || *text == '-' || *text == '.')
    {
      *value = g_ascii_strtod (text, &end);
      if (*end == '\0' && isfinite (*value))
        return TRUE;
    }
  if (!ov_size_parse (text, &size, NULL))
    return FALSE;
  *value = (double)size;
  return TRUE;
}

/* The places of the overlay's columns in the heading, x first, the filter's last. */
static gboolean
find_columns (const OvOverlay *overlay, char **heading, int *places, GError **error)
{
  guint i;

  const guint n = overlay->columns->len + (overlay->filter_column != NULL ? 2 : 1);

  for (i = 0; i < n; i++)
    {
      const char *name = i == 0                       ? overlay->x_column
                         : i <= overlay->columns->len ? g_ptr_array_index (overlay->columns, i - 1)
                                                      : overlay->filter_column;
      g_autofree char *near = NULL;

      places[i] = ov_nick_index ((const char *const *)heading, name);
      if (places[i] >= 0)
        continue;
      near = ov_nearest_names (name, (const char *const *)heading);
      if (near != NULL)
        g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("no column “%s”; perhaps %s?"), name,
                     near);
      else
        g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("no column “%s”"), name);
      return FALSE;
    }
  return TRUE;
}

/* Does the row count for that column? */
static gboolean
passes (const OvOverlay *overlay, char **cells, int n, const int *places, guint column)
{
  const int place = overlay->filter_column != NULL ? places[overlay->columns->len + 1] : 0;

  return overlay->filter_column == NULL
         || g_strcmp0 (place < n ? cells[place] : "", g_ptr_array_index (overlay->filters, column))
                == 0;
}

static gboolean
read_row (const OvOverlay *overlay, char **cells, const int *places, OvOverlayRow *row,
          GError **error)
{
  int n = (int)g_strv_length (cells);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (row->y); i++)
    row->y[i] = NAN;
  for (i = 0; i <= overlay->columns->len; i++)
    {
      const char *text = places[i] < n ? cells[places[i]] : "";
      double value;

      if (!parse_cell (text, &value))
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("“%s” is not a number"), text);
          return FALSE;
        }
      if (i == 0)
        row->x = value * overlay->x_scale;
      else if (passes (overlay, cells, n, places, i - 1))
        row->y[i - 1] = value * overlay->y_scale;
    }
  return TRUE;
}

static gboolean
read_rows (const OvOverlay *overlay, const char *data, GArray *rows, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (data, "\n", -1);
  int places[OV_OVERLAY_COLUMNS + 2];
  gboolean heading = TRUE;
  guint i;

  for (i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = NULL;
      OvOverlayRow row;

      g_strchomp (lines[i]);
      if (lines[i][0] == '#' || lines[i][0] == '\0')
        continue;
      cells = split_line (lines[i]);
      if (heading ? !find_columns (overlay, cells, places, error)
                  : !read_row (overlay, cells, places, &row, error))
        {
          g_prefix_error (error, _ ("line %u: "), i + 1);
          return FALSE;
        }
      if (!heading && isfinite (row.x))
        g_array_append_val (rows, row);
      heading = FALSE;
    }
  if (!heading)
    return TRUE;
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("there is no heading line"));
  return FALSE;
}

GArray *
ov_overlay_load (const OvOverlay *overlay, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (OvOverlayRow));
  g_autofree char *folder = ov_articles_folder ();
  g_autofree char *path = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *data = NULL;
  gsize length;

  g_return_val_if_fail (overlay != NULL, NULL);
  path = g_path_is_absolute (overlay->file) ? g_strdup (overlay->file)
                                            : g_build_filename (folder, overlay->file, NULL);
  shown = g_filename_display_name (path);
  data = ov_file_read (path, FILE_LIMIT, &length, error);
  if (data == NULL)
    return NULL;
  if (!g_utf8_validate_len (data, length, NULL))
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("%s: the text is not UTF-8"), shown);
      return NULL;
    }
  if (!read_rows (overlay, data, rows, error))
    {
      g_prefix_error (error, "%s: ", shown);
      return NULL;
    }
  return g_steal_pointer (&rows);
}
