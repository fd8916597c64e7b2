// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTable: the cells stand in one array, row after row; every cell that was not set is "".
 */
#include "config.h"

#include "chart/ov-table.h"

struct _OvTable
{
  gatomicrefcount refs;
  char *title;
  GPtrArray *headers; /* char * */
  GPtrArray *cells;   /* char *, NULL: empty */
  guint n_rows;
};

G_DEFINE_BOXED_TYPE (OvTable, ov_table, ov_table_ref, ov_table_unref)

OvTable *
ov_table_new (const char *title)
{
  OvTable *table = g_new0 (OvTable, 1);

  g_atomic_ref_count_init (&table->refs);
  table->title = g_strdup (title != NULL ? title : "");
  table->headers = g_ptr_array_new_with_free_func (g_free);
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

OvTable *
ov_table_ref (OvTable *table)
{
  g_return_val_if_fail (table != NULL, NULL);

  g_atomic_ref_count_inc (&table->refs);
  return table;
}

void
ov_table_unref (OvTable *table)
{
  g_return_if_fail (table != NULL);

  if (!g_atomic_ref_count_dec (&table->refs))
    return;
  g_free (table->title);
  g_ptr_array_unref (table->headers);
  g_ptr_array_unref (table->cells);
  g_free (table);
}

void
ov_table_take_column (OvTable *table, char *header)
{
  g_return_if_fail (table != NULL && table->n_rows == 0);

  g_ptr_array_add (table->headers, header != NULL ? header : g_strdup (""));
}

guint
ov_table_add_row (OvTable *table)
{
  g_return_val_if_fail (table != NULL, 0);

  for (guint i = 0; i < table->headers->len; i++)
    g_ptr_array_add (table->cells, NULL);
  return table->n_rows++;
}

void
ov_table_take_cell (OvTable *table, guint row, guint column, char *text)
{
  gpointer *cell;

  g_return_if_fail (table != NULL && row < table->n_rows && column < table->headers->len);

  cell = &g_ptr_array_index (table->cells, row * table->headers->len + column);
  g_free (*cell);
  *cell = text;
}

const char *
ov_table_get_title (const OvTable *table)
{
  g_return_val_if_fail (table != NULL, NULL);

  return table->title;
}

guint
ov_table_get_n_columns (const OvTable *table)
{
  g_return_val_if_fail (table != NULL, 0);

  return table->headers->len;
}

guint
ov_table_get_n_rows (const OvTable *table)
{
  g_return_val_if_fail (table != NULL, 0);

  return table->n_rows;
}

const char *
ov_table_get_header (const OvTable *table, guint column)
{
  g_return_val_if_fail (table != NULL && column < table->headers->len, NULL);

  return g_ptr_array_index (table->headers, column);
}

const char *
ov_table_get_cell (const OvTable *table, guint row, guint column)
{
  const char *text;

  g_return_val_if_fail (table != NULL, NULL);
  g_return_val_if_fail (row < table->n_rows && column < table->headers->len, NULL);

  text = g_ptr_array_index (table->cells, row * table->headers->len + column);
  return text != NULL ? text : "";
}
