// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Request logs as lanes: one for each buffer (or what else a slot stands for) and one for whoever
 * uses the bytes. The same for the window, for exports and for logs that come from elsewhere, such
 * as a simulated disk's.
 */
#pragma once

#include "chart/ov-lane-chart.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** How a log's lanes are named and coloured. */
typedef struct
{
  const char *slot;     /**< a slot's lane, with one %u for its number from 1: "buffer %u" */
  const char *consumer; /**< the lane of work, or NULL for none */
  int style;            /**< ov_theme_get_style() of the requests */
  int work_style;       /**< of the consumer's lane */
} OvLanesLook;

/** The look of a run's own log. Borrowed texts. */
void ov_lanes_look_for_run (OvLanesLook *look, const OvExperiment *experiment, const OvRun *run);

/** Adds the lanes of a log (of OvRequest, in the order of submission) below those that are there.
 * Times are shifted by `shift_ns`; what has not come back is drawn until `end_ns` (before the
 * shift). Requests are numbered from `first` + 1. Returns the number of lanes added. */
guint ov_lanes_add_log (OvLaneChart *chart, const OvLanesLook *look, const OvRequest *requests,
                        gsize n, guint64 first, gint64 shift_ns, gint64 end_ns);

/** A chart of the run's log with its title, names of kinds and counts; without lanes if it has no
 * log. The caller owns it. */
OvLaneChart *ov_lanes_new (void);
void ov_lanes_show_run (OvLaneChart *chart, const OvExperiment *experiment, const OvRun *run);

/** Shows the newest requests of a run that goes on, of which `first` came before: the axis counts
 * back from the newest, and is as long as they ask for, in steps of 1, 2 and 5. */
void ov_lanes_show_live (OvLaneChart *chart, const OvExperiment *experiment, const OvRun *run,
                         const OvRequest *requests, gsize n, guint64 first);

/** Whether there is something to draw. */
gboolean ov_lanes_has_log (const OvRun *run);
/** Why there is not, and how to get a log, in a sentence or two; NULL where there is one. The
 * caller owns the text. */
char *ov_lanes_why_not (const OvRun *run);
/** "posix.read, 1000K, repetition 3": which run it is among those of its result. The caller owns
 * the text. */
char *ov_lanes_run_name (const OvResult *result, const OvRun *run);
/** The run of a result that is best looked at: the last one with a log, else the last one that ran.
 * Borrowed; NULL where nothing ran. */
OvRun *ov_lanes_find_run (const OvResult *result);

G_END_DECLS
