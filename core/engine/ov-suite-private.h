/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suite's inside, shared by its object (ov-suite.c) and its steps (ov-suite-steps.c).
 */
#pragma once

#include "engine/ov-estimate-private.h"
#include "engine/ov-rates-private.h"
#include "engine/ov-target-session-private.h"
#include "engine/ov-suite.h"

G_BEGIN_DECLS

/** A target of the plan. */
typedef struct
{
  char *target;
  GPtrArray *files;         /* of OvPlanFile, borrowed from the plan */
  GHashTable *spoilt;       /* char* file -> char*: why it could not be laid out */
  gint last_run;            /* index of the last run on it, -1: none */
  OvTargetSession *session; /* or NULL */
  guint n_laid;             /* files of this session that are through */
  const OvPlanFile *laying; /* that is being laid out, or NULL */
  const OvPlanFile *lost;   /* that is to be laid out once more, or NULL */
  gboolean looked;          /* the preflight was answered */
  char *refused;            /* why nothing runs here, or NULL */
} OvPlace;

struct _OvSuite
{
  GObject parent_instance;

  GMainContext *context;
  OvExperiment *experiment;
  OvPlan *plan;
  OvLauncher *launcher;
  OvResult *result;
  GPtrArray *runs;   /* of OvRun, one for each spec */
  GPtrArray *places; /* of OvPlace */
  guint next;        /* the run that is going on, or comes next */
  OvSuiteState state;
  gboolean ending; /* sessions were asked to end */
  gboolean unwatched;
  gboolean skipped; /* the plan's skips were told */
  guint n_restarts;
  guint n_lost; /* scratch files whose holder ended */
  GError *fatal; /* why the suite cannot go on, or NULL */
  GSource *advance;
  GSource *tick;

  gint64 start_ns; /* CLOCK_MONOTONIC, -1 before */
  gint64 end_ns;   /* -1 before */
  gint64 press_ns; /* of the first stop, -1 before */
  gint64 force_ns; /* of the second */
  gint64 stop_latency_ns;
  gboolean was_cut; /* stop was pressed while something was left to do */

  double until_width; /* relative width of intervals that is enough; 0: none */
  double widest;      /* widest interval of the group when it was last looked at, relative; NaN */
  gint64 until_ns;    /* for all repetitions; 0: no limit */
  guint n_groups;     /* that share it; 0: not counted yet */
  gint64 group_ns;    /* when the first run of the group was sent; -1 before */

  gint64 run_sent_ns; /* of the current run */
  gint64 begin_ns;    /* when its run phase began, since the suite's start; -1 before */
  gint64 poke_ns;     /* when the session was last asked whether it lives */
  gint64 last_t_ns;   /* of the last sample */
  double last_fraction;
  OvPhase phase; /* of the current run or layout */
  OvRates rates;
  OvEstimate *estimate;
  gint64 later_ns; /* estimate for the runs after the current one; -1 unknown, -2 to be made */
};

enum
{
  SIGNAL_STATE_CHANGED,
  SIGNAL_PHASE,
  SIGNAL_SAMPLE,
  SIGNAL_LIVE,
  SIGNAL_RUN_STARTED,
  SIGNAL_RUN_ENDED,
  SIGNAL_FINISHED,
  N_SIGNALS
};
extern guint ov_suite_signals[N_SIGNALS];

/** Makes the places from the runs and the plan's files. */
void ov_suite_make_places (OvSuite *self);
void ov_place_free (OvPlace *place);
/** CLOSED where there is no session. */
OvTargetSessionState ov_place_get_state (const OvPlace *place);

/** The session that lays out or runs, or NULL. */
OvTargetSession *ov_suite_find_working (OvSuite *self);
/** The run that is going on or comes next, or NULL behind the last one. */
OvRun *ov_suite_current_run (OvSuite *self);
/** Stop was pressed. */
gboolean ov_suite_is_stopping (OvSuite *self);
/** Emits "state-changed" if it did. */
void ov_suite_set_state (OvSuite *self, OvSuiteState state);
/** Takes what need not be repeated any more out of the list; `ended`: the run that has just ended
 *  and is in the result. */
void ov_suite_drop_decided (OvSuite *self, const OvRun *ended);
/** The next step will be taken from the main loop. */
void ov_suite_queue_advance (OvSuite *self);

G_END_DECLS
