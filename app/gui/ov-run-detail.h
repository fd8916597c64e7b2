// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunDetail: one run of a result, looked at closely: its requests as lanes. The charts are made
 * when somebody asks for them, not for each of a thousand runs that end.
 */
#pragma once

#include "chart/ov-lane-chart.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

#define OV_TYPE_RUN_DETAIL (ov_run_detail_get_type ())
/** Signal "changed" (): it is another run, or another state of it. */
G_DECLARE_FINAL_TYPE (OvRunDetail, ov_run_detail, OV, RUN_DETAIL, GObject)

OvRunDetail *ov_run_detail_new (void);

/** The run to look at, of `result`; both are referenced, and may be NULL. */
void ov_run_detail_set_run (OvRunDetail *self, OvResult *result, OvRun *run);
/** Borrowed, or NULL. */
OvRun *ov_run_detail_get_run (OvRunDetail *self);
/** Which run it is, in words; NULL where there is none. The caller owns it. */
char *ov_run_detail_dup_name (OvRunDetail *self);

/** The lanes of the run, up to date. Always the same chart; borrowed. */
OvLaneChart *ov_run_detail_get_lanes (OvRunDetail *self);
gboolean ov_run_detail_has_lanes (OvRunDetail *self);
/** Why there are no lanes and how to get some. The caller owns the text. */
char *ov_run_detail_dup_why_not (OvRunDetail *self);

G_END_DECLS
