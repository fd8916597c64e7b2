// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvHeatChartView: shows an OvHeatChart; pointer and arrow keys read out its columns.
 */
#pragma once

#include "chart/ov-heat-chart.h"

#include "gui/ov-drawable-view.h"

G_BEGIN_DECLS

#define OV_TYPE_HEAT_CHART_VIEW (ov_heat_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (OvHeatChartView, ov_heat_chart_view, OV, HEAT_CHART_VIEW, OvDrawableView)

GtkWidget *ov_heat_chart_view_new (void);
/** NULL for none. */
void ov_heat_chart_view_set_chart (OvHeatChartView *self, OvHeatChart *chart);

G_END_DECLS
