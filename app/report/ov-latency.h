// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How long requests took: distributions, percentiles, and their change over time.
 *
 * OvLatency is a picture of cumulative distributions on a logarithmic axis, one line for each
 * variant; its table has the percentiles. Several runs of a variant are one line, of the sum of
 * their histograms. The time within the call that submits has a line of its own where it is told.
 */
#pragma once

#include "chart/ov-chart.h"
#include "chart/ov-heat-chart.h"
#include "metrics/ov-heat.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

#define OV_TYPE_LATENCY (ov_latency_get_type ())
G_DECLARE_FINAL_TYPE (OvLatency, ov_latency, OV, LATENCY, GObject)

OvLatency *ov_latency_new (void);
/** Shows all variants at the x and on the target of `run`, whose own variant is drawn strongly;
 * NULL for nothing. */
void ov_latency_show (OvLatency *self, const OvResult *result, const OvRun *run);
/** Whether there is any histogram. */
gboolean ov_latency_has_data (OvLatency *self);
/** The lines alone; borrowed. */
OvChart *ov_latency_get_chart (OvLatency *self);

/** An empty heat map of latencies. The caller owns it. */
OvHeatChart *ov_latency_new_heat (void);
/** Shows latencies over time; NULL for none. */
void ov_latency_show_heat (OvHeatChart *chart, const OvHeat *heat, int style);
/** Fills `heat` from the log of a run, in columns of about its 200th part. FALSE if there is none.
 */
gboolean ov_latency_heat_of_log (OvHeat *heat, const OvRun *run);

G_END_DECLS
