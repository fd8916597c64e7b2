// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel's own: what ov-run-model.c (charts and what is shown), ov-run-model-plan.c (target and
 * plan) and ov-run-model-run.c (the run that goes on) share.
 */
#pragma once

#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

struct _OvRunModel
{
  GObject parent_instance;

  OvExperiment *experiment;
  OvRunSettings *settings;
  OvLauncher *launcher;
  GPtrArray *strategies;

  GCancellable *looking;
  OvTargetInfo *target;
  GError *target_error;
  GHashTable *more; /* char* path -> OvTargetInfo, of further folders */
  OvPlan *plan;
  GError *plan_error;
  guint replan_id;

  OvSuite *suite;
  OvResult *result;
  char *result_path;
  OvResultTexts *texts; /* of a complete result, or NULL: not made yet */
  OvForecast *forecast; /* from the last result, or NULL */
  OvResultsModel *results;
  OvResultChart *chart;
  OvTimeline *timeline;
  OvRunDetail *detail;
  gboolean chosen; /* the detail is a run of a row that the user chose */
  OvFigure figure;
  gboolean article_lines;
  gboolean article_bars;
  gboolean unwatched;
  gint64 window_ns; /* what the recording shows while it grows */
  guint update_id;
  gint64 update_took_us;

  OvPhase phase;
  double fraction;
  char *outcome; /* how the last run ended */
};

enum
{
  OV_RUN_MODEL_PLAN_CHANGED,
  OV_RUN_MODEL_STATE_CHANGED,
  OV_RUN_MODEL_RESULT_CHANGED,
  OV_RUN_MODEL_FIGURES_CHANGED,
  OV_RUN_MODEL_FINISHED,
  OV_RUN_MODEL_N_SIGNALS,
};

extern guint ov_run_model_signals[OV_RUN_MODEL_N_SIGNALS];

/** Emits a signal without arguments. */
void ov_run_model_emit (OvRunModel *self, guint signal);
/** Empty charts over the values of x that the results model has. */
void ov_run_model_make_charts (OvRunModel *self);
/** Figures and charts follow the runs that have ended, soon after `ms`. */
void ov_run_model_queue_update (OvRunModel *self, guint ms);
/** How long after a run its figures are computed: many times as long as that took, so that
 * watching costs little. */
guint ov_run_model_get_update_ms (OvRunModel *self);
/** The plan is made anew, once, after whatever changed. */
void ov_run_model_queue_replan (OvRunModel *self);
/** Forgets the suite; it is deaf from now on. */
void ov_run_model_drop_suite (OvRunModel *self);

G_END_DECLS
