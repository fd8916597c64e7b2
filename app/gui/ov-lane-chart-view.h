// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChartView: shows an OvLaneChart; comes closer and moves along by wheel, drag and keys.
 *
 * Keys: arrows go from block to block and from lane to lane, + and - zoom at the cursor, 0 shows
 * all, Page Up and Page Down move by most of what is shown, Home and End to both ends.
 */
#pragma once

#include "chart/ov-lane-chart.h"

#include "gui/ov-drawable-view.h"

G_BEGIN_DECLS

#define OV_TYPE_LANE_CHART_VIEW (ov_lane_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (OvLaneChartView, ov_lane_chart_view, OV, LANE_CHART_VIEW, OvDrawableView)

GtkWidget *ov_lane_chart_view_new (void);
/** NULL for none. */
void ov_lane_chart_view_set_chart (OvLaneChartView *self, OvLaneChart *chart);
/** Comes closer (factor > 1) or goes back, at the cursor or in the middle. */
void ov_lane_chart_view_zoom (OvLaneChartView *self, double factor);
/** Shows all. */
void ov_lane_chart_view_show_all (OvLaneChartView *self);

G_END_DECLS
