// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTable: what a chart shows, as rows and columns of text that are ready to be read aloud.
 *
 * The first column holds the names of the rows. Every row has as many cells as there are columns;
 * a cell is never NULL: one that was not set is "", and a chart writes a dash for a missing value.
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct _OvTable OvTable;

#define OV_TYPE_TABLE (ov_table_get_type ())
GType ov_table_get_type (void) G_GNUC_CONST;

/** A table without rows. `title` may be NULL. The caller owns the reference. */
OvTable *ov_table_new (const char *title);
OvTable *ov_table_ref (OvTable *table);
void ov_table_unref (OvTable *table);

/** Adds a column; only before the first row. Takes `header`. */
void ov_table_take_column (OvTable *table, char *header);
/** Adds a row of empty cells and returns its number. */
guint ov_table_add_row (OvTable *table);
/** Sets a cell. Takes `text`. */
void ov_table_take_cell (OvTable *table, guint row, guint column, char *text);

const char *ov_table_get_title (const OvTable *table);
guint ov_table_get_n_columns (const OvTable *table);
guint ov_table_get_n_rows (const OvTable *table);
const char *ov_table_get_header (const OvTable *table, guint column);
const char *ov_table_get_cell (const OvTable *table, guint row, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvTable, ov_table_unref)

G_END_DECLS
