// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsTable: the results of an experiment as a table that can be sorted, with a choice of the
 * value of x whose figures are shown.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/ov-results-model.h"

G_BEGIN_DECLS

#define OV_TYPE_RESULTS_TABLE (ov_results_table_get_type ())
/** Signal "row-selected" (OvResultsRow *row or NULL): the row that the user is on.
 *  Signal "row-activated" (OvResultsRow *row): the user pressed it. */
G_DECLARE_FINAL_TYPE (OvResultsTable, ov_results_table, OV, RESULTS_TABLE, GtkWidget)

/** NULL for none. */
void ov_results_table_set_model (OvResultsTable *self, OvResultsModel *model);

G_END_DECLS
