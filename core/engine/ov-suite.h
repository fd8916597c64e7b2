/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a plan: one session for each target, layout, then run after run, and collects the result.
 * A state machine on the GLib main context that made it; nothing in it blocks.  A worker that
 * breaks fails the run that was going on; a new session (which lays out again) goes on with the
 * rest, at most three times.
 *
 * Stop: the first call asks (stop submitting, cancel, drain), the second forces (SIGKILL to the
 * child); a session that is silent for 4 s after that is itself killed or left behind.  "finished"
 * comes exactly once, whatever happens.
 */
#pragma once

#include "engine/ov-launcher.h"
#include "metrics/ov-heat.h"
#include "model/ov-message.h"
#include "model/ov-plan.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef enum
{
  OV_SUITE_IDLE,
  OV_SUITE_RUNNING,
  OV_SUITE_STOPPING, /**< asked to stop */
  OV_SUITE_FORCING,  /**< asked again */
  OV_SUITE_ENDED,
} OvSuiteState;

/** Rates of the moment, made from two snapshots. */
typedef struct
{
  const OvRun *run; /**< that is going on, or NULL (layout) */
  OvPhase phase;
  gint64 t_ns;       /**< since the suite's start */
  double throughput; /**< bytes a second in the run phase, else NaN */
  double requests;   /**< completed a second, or NaN */
  double in_flight;  /**< requests submitted and not completed */
  double user;       /**< cores used by the run's child: 1 = one core */
  double system;
  double rest; /**< cores used by the rest of the machine, over at least 250 ms; or NaN */
} OvSample;

/** What is told of a run's requests while it goes on. */
typedef struct
{
  gint64 run_ns;          /**< since the run phase began */
  guint64 first;          /**< number of the first request in `requests`, from 0 */
  const GArray *requests; /**< of OvRequest: the newest; what is under way comes again.  Or NULL */
  const guint64 *latency; /**< OV_HEAT_N_ROWS totals since the run's start; or NULL */
} OvLiveRequests;

#define OV_TYPE_SUITE (ov_suite_get_type ())
/** Signals:
 *   "state-changed" ()
 *   "phase" (OvRun *run or NULL, guint phase, double fraction)   fraction NaN when unknown
 *   "sample" (const OvSample *sample)
 *   "live" (OvRun *run, const OvLiveRequests *live)
 *   "run-started" (OvRun *run)     the run phase of it began; run->started_ns is set
 *   "run-ended" (OvRun *run)       done, stopped, failed, skipped or abandoned
 *   "finished" (const GError *error)  error: why the suite could not go on, or NULL */
G_DECLARE_FINAL_TYPE (OvSuite, ov_suite, OV, SUITE, GObject)

/** Takes `plan`. */
OvSuite *ov_suite_new (OvExperiment *experiment, OvPlan *plan, const OvLauncher *launcher);
/** Whether somebody looks, which is so at first.  If not, samples come together, once a second and
 * with each phase, and newest requests do not come at all ("live" has latencies alone): what is
 * recorded is the same, at a fraction of the cost. */
void ov_suite_set_watched (OvSuite *self, gboolean watched);
/** Before the start: repeats no more than is wanted.  For each target and value of x, after the
 *  repetition (the sixth at the earliest) with which the 95 % interval of every line's median is at
 *  most `width` times the median wide (0: whatever it is), or with which `seconds` are over (0: no
 *  limit), shared equally among targets and values of x.  At most what the plan holds. */
void ov_suite_set_until (OvSuite *self, double width, double seconds);
/** How wide the widest 95 % interval of a line's median is among those that are being repeated, by
 * the median, where ov_suite_set_until() gave a width; NaN before there are intervals. */
double ov_suite_get_widest (OvSuite *self);
void ov_suite_start (OvSuite *self);
/** First call: stop; second: force.  At any time, in any state. */
void ov_suite_stop (OvSuite *self);
OvSuiteState ov_suite_get_state (OvSuite *self);
/** What is there so far; grows while running.  Borrowed. */
OvResult *ov_suite_get_result (OvSuite *self);
guint ov_suite_get_n_runs (OvSuite *self);
guint ov_suite_get_n_ended (OvSuite *self);
/** Runs that wait, in order (borrowed OvRun); for tables. */
GPtrArray *ov_suite_get_runs (OvSuite *self);
/** Estimate from the runs so far; -1 while unknown. */
gint64 ov_suite_get_seconds_left (OvSuite *self);
/** Seconds since the start on the monotonic clock. */
double ov_suite_get_seconds (OvSuite *self);
/** From the press of Stop to the end of what was going on: a run, laying out, looking at a target;
 * to the end of all sessions where it was none of them.  -1: it was not stopped. */
gint64 ov_suite_get_stop_latency_ns (OvSuite *self);

G_END_DECLS
