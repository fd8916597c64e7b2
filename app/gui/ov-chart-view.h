// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChartView: shows an OvChart. The point under the pointer is marked with its figures; with the
 * keyboard, left and right walk along a line, up and down from line to line.
 */
#pragma once

#include "chart/ov-chart.h"

#include "gui/ov-drawable-view.h"

G_BEGIN_DECLS

#define OV_TYPE_CHART_VIEW (ov_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (OvChartView, ov_chart_view, OV, CHART_VIEW, OvDrawableView)

GtkWidget *ov_chart_view_new (void);
/** NULL for none. */
void ov_chart_view_set_chart (OvChartView *self, OvChart *chart);

G_END_DECLS
