// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A column view that shows an OvTable: its rows and columns of text, ready to be read aloud.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/ov-table.h"

G_BEGIN_DECLS

/** Fills `view`, which has no columns yet, with the rows and columns of `table`, which is kept. */
void ov_table_view_fill (GtkColumnView *view, OvTable *table);
/** A card with the table's title as a heading above it; where it has many rows they scroll in it.
 * Floating. */
GtkWidget *ov_table_view_new_card (OvTable *table);

G_END_DECLS
