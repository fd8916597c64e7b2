// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvCompareView: the lines of a result against the best of those that did the same work, or against
 * one that the user chooses: verdict, chart of the ratios with their intervals, table. Computed
 * only while it is seen, at one value of x.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_COMPARE_VIEW (ov_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (OvCompareView, ov_compare_view, OV, COMPARE_VIEW, GtkWidget)

/** NULL for none. */
void ov_compare_view_set_model (OvCompareView *self, OvRunModel *model);

G_END_DECLS
