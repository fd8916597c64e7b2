// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeline: the recording of an experiment: throughput and CPU on one time axis, a span for
 * each run. Fed live, or made from a stored result, whose runs are blocks of their mean.
 *
 * Times are nanoseconds since the start of the experiment.
 */
#pragma once

#include "chart/ov-time-chart.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef struct _OvTimeline OvTimeline;

/** An empty recording. The caller owns it. */
OvTimeline *ov_timeline_new (OvExperiment *experiment);
/** The recording of a stored result, with a title and a note as for paper. The caller owns it. */
OvTimeline *ov_timeline_new_for_result (const OvResult *result);
void ov_timeline_free (OvTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvTimeline, ov_timeline_free)

/** Borrowed. */
OvTimeChart *ov_timeline_get_chart (OvTimeline *self);

/** A run's own phase begins; `run->started_ns` is set. */
void ov_timeline_begin_run (OvTimeline *self, const OvRun *run);
/** A run has ended; one that never began leaves no trace. */
void ov_timeline_end_run (OvTimeline *self, const OvRun *run);
/** A sample: bytes a second (NaN: none), and cores used by the run (user, system) and by the rest
 * of the machine (NaN: not known yet). Does not redraw. */
void ov_timeline_sample (OvTimeline *self, gint64 t_ns, double throughput, double user,
                         double system, double rest);

G_END_DECLS
