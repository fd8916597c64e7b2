// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunDetail: one run of a result, looked at closely, in one of three ways: its requests as lanes,
 * the distribution of their times beside that of the other variants, and their times over time. The
 * charts are made when somebody asks for them, not for each of a thousand runs that end; the lanes
 * of a large log in a thread, since a million requests take a second.
 *
 * While a run goes on it can be told what comes of it; then it is that run that is shown.
 */
#pragma once

#include "chart/ov-lane-chart.h"
#include "report/ov-latency.h"
#include "engine/ov-suite.h"

G_BEGIN_DECLS

#define OV_TYPE_RUN_DETAIL (ov_run_detail_get_type ())
/** Signals:
 *   "changed" ()   it is another run, or another state of it
 *   "live" ()      the run goes on, and there is more of it: see ov_run_detail_show_live() */
G_DECLARE_FINAL_TYPE (OvRunDetail, ov_run_detail, OV, RUN_DETAIL, GObject)

OvRunDetail *ov_run_detail_new (void);

/** The run to look at, of `result`; both are referenced, and may be NULL. */
void ov_run_detail_set_run (OvRunDetail *self, OvResult *result, OvRun *run);
/** The run goes on, and these are its newest requests; it is looked at from now on. */
void ov_run_detail_take_live (OvRunDetail *self, OvResult *result, OvRun *run,
                              const OvLiveRequests *live);
/** Brings the chart of the present way up to date with what was taken. */
void ov_run_detail_show_live (OvRunDetail *self);
/** Borrowed, or NULL. */
OvRun *ov_run_detail_get_run (OvRunDetail *self);
/** Which run it is, in words; NULL where there is none. The caller owns it. */
char *ov_run_detail_dup_name (OvRunDetail *self);

/** The ways to look. */
typedef enum
{
  OV_RUN_DETAIL_LANES,
  OV_RUN_DETAIL_LATENCY,
  OV_RUN_DETAIL_HEAT,
} OvRunDetailWay;

#define OV_RUN_DETAIL_N_WAYS 3

void ov_run_detail_set_way (OvRunDetail *self, OvRunDetailWay way);
OvRunDetailWay ov_run_detail_get_way (OvRunDetail *self);
/** The chart of that way as it is now, perhaps of an earlier run. Always the same one; borrowed. */
OvDrawable *ov_run_detail_peek_chart (OvRunDetail *self, OvRunDetailWay way);
/** The same chart, up to date, for tables and exports; without anything while it is being made. */
OvDrawable *ov_run_detail_get_chart (OvRunDetail *self, OvRunDetailWay way);
/** Whether it is being made in a thread; "changed" tells when it is there. */
gboolean ov_run_detail_is_making (OvRunDetail *self, OvRunDetailWay way);
/** The same as ov_run_detail_get_chart() by their own types. */
OvLaneChart *ov_run_detail_get_lanes (OvRunDetail *self);
OvLatency *ov_run_detail_get_latency (OvRunDetail *self);
OvHeatChart *ov_run_detail_get_heat (OvRunDetail *self);
/** Whether that chart has something to show. */
gboolean ov_run_detail_has (OvRunDetail *self, OvRunDetailWay way);
/** Why it has not, and how to get it. The caller owns the text. */
char *ov_run_detail_dup_why_not (OvRunDetail *self, OvRunDetailWay way);

G_END_DECLS
