// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChartView: shows an OvTimeChart, live while it is told to. It ticks 20 times a second
 * while live and mapped, and never otherwise.
 */
#pragma once

#include "chart/ov-time-chart.h"

#include "gui/ov-drawable-view.h"

G_BEGIN_DECLS

#define OV_TYPE_TIME_CHART_VIEW (ov_time_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (OvTimeChartView, ov_time_chart_view, OV, TIME_CHART_VIEW, OvDrawableView)

/** Nanoseconds since the start of the recording. */
typedef gint64 (*OvTimeChartClock) (gpointer data);

GtkWidget *ov_time_chart_view_new (void);
/** NULL for none. */
void ov_time_chart_view_set_chart (OvTimeChartView *self, OvTimeChart *chart);
/** With a clock the view is live; NULL ends that and shows what came last. */
void ov_time_chart_view_set_clock (OvTimeChartView *self, OvTimeChartClock clock, gpointer data);
/** Whether the timer runs now; for tests. */
gboolean ov_time_chart_view_is_ticking (OvTimeChartView *self);

G_END_DECLS
