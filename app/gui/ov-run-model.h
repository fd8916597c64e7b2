// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel: all that the Run view shows of one experiment, or of one stored result: settings,
 * what stands in the way, the run that is going on, charts and table. It lives on while another
 * experiment is looked at. Nothing in it blocks.
 */
#pragma once

#include "chart/ov-chart.h"
#include "chart/ov-time-chart.h"
#include "engine/ov-suite.h"

#include "gui/ov-opened-result.h"
#include "gui/ov-results-model.h"
#include "gui/ov-run-detail.h"
#include "gui/ov-run-settings.h"

G_BEGIN_DECLS

#define OV_TYPE_RUN_MODEL (ov_run_model_get_type ())
/** Signals:
 *   "plan-changed" ()     plan, target or what is known of it
 *   "state-changed" ()    ov_run_model_get_state(), or the phase
 *   "result-changed" ()   ov_run_model_get_result() or the charts are others now
 *   "figures-changed" ()  all figures of a result are there, or others are shown
 *   "finished" (const GError *error)   a run has ended; error: why it could not go on, or NULL */
G_DECLARE_FINAL_TYPE (OvRunModel, ov_run_model, OV, RUN_MODEL, GObject)

OvRunModel *ov_run_model_new (OvExperiment *experiment);
/** Shows a stored result; `path` is where it lies. Its experiment can be run again. */
OvRunModel *ov_run_model_new_for_result (OvResult *result, const char *path);
/** The same for one that was opened, whose parts are taken. */
OvRunModel *ov_run_model_new_for_opened (OvOpenedResult *opened, const char *path);

/** Borrowed, all of them. */
OvExperiment *ov_run_model_get_experiment (OvRunModel *self);
OvRunSettings *ov_run_model_get_settings (OvRunModel *self);
OvResultsModel *ov_run_model_get_results (OvRunModel *self);
OvChart *ov_run_model_get_chart (OvRunModel *self);
OvTimeChart *ov_run_model_get_time_chart (OvRunModel *self);
/** The run that is looked at closely: the one that was chosen, else the last one that ended. */
OvRunDetail *ov_run_model_get_detail (OvRunModel *self);
/** Looks at the last run of a row that has a log, else at its last one; NULL: at the last run of
 * all. */
void ov_run_model_look_at_row (OvRunModel *self, OvResultsRow *row);
/** The result so far, or NULL. Borrowed. */
OvResult *ov_run_model_get_result (OvRunModel *self);
/** What is said of the result beside charts and figures; NULL without one, and while a run goes on.
 * Borrowed. */
const OvResultTexts *ov_run_model_get_texts (OvRunModel *self);
/** Path of the stored result that is shown, or NULL. */
const char *ov_run_model_get_result_path (OvRunModel *self);
void ov_run_model_set_result_path (OvRunModel *self, const char *path);
/** The series of a row in the chart, or -1. */
int ov_run_model_find_series (OvRunModel *self, OvResultsRow *row);
/** What the chart shows; at first what the experiment says. */
OvFigure ov_run_model_get_figure (OvRunModel *self);
void ov_run_model_set_figure (OvRunModel *self, OvFigure figure);
/** The figures that can be shown now: 1 << OvFigure for each. */
guint ov_run_model_list_figures (OvRunModel *self);
/** Whether the chart has lines of an article, and whether they are shown. */
gboolean ov_run_model_has_overlay (OvRunModel *self);
/** Whether the article's figures are shown where they are lines, and where they are bars. */
void ov_run_model_set_overlay_visible (OvRunModel *self, gboolean lines, gboolean bars);
/** The setting, and action of the window, that says whether they are shown: "article-lines" or
 * "article-bars". Not to be freed. */
const char *ov_run_model_get_overlay_key (OvRunModel *self);

/** How much of the recording is shown while it grows; 30 at first. */
void ov_run_model_set_live_seconds (OvRunModel *self, guint seconds);

/** Whether somebody sees the run that goes on; so it is at first. */
void ov_run_model_set_watched (OvRunModel *self, gboolean watched);
gboolean ov_run_model_is_watched (OvRunModel *self);

/** How workers are started, and what is known of strategies (of OvStrategyInfo, or NULL while
 * nothing is). Both are copied or referenced. */
void ov_run_model_set_worker (OvRunModel *self, const OvLauncher *launcher, GPtrArray *strategies);
/** Looks at the target again. */
void ov_run_model_look (OvRunModel *self);

/** The verdict on the lines at the x that is shown, or "" while a run goes on or figures are still
 * to be computed, or where there is nothing to be said.  The caller owns it. */
char *ov_run_model_describe_verdict (OvRunModel *self);

/** Where the figures are from and the verdict at the largest x that has any, as for paper; NULL
 * without a result.  The caller owns it. */
char *ov_run_model_describe_caption (OvRunModel *self);

/** What would be run now, or NULL. Borrowed. */
const OvPlan *ov_run_model_get_plan (OvRunModel *self);
/** Why there is no plan, or NULL. Borrowed. */
const GError *ov_run_model_get_plan_error (OvRunModel *self);
/** What is known of the target, NULL while it is being looked at or if that failed. Borrowed. */
const OvTargetInfo *ov_run_model_get_target (OvRunModel *self);
const GError *ov_run_model_get_target_error (OvRunModel *self);
/** What is known of one of the further folders, or NULL. Borrowed. */
const OvTargetInfo *ov_run_model_find_target (OvRunModel *self, const char *path);
/** Seconds that the plan will take, from the last result of the same strategies; -1 unknown. */
gint64 ov_run_model_estimate (OvRunModel *self);
/** An estimate in words, as exact as it is: "40 s", "4 min", "3 h". The caller owns it. */
char *ov_run_model_format_about (gint64 seconds);
/** What to estimate from, unless a run has ended here; it is taken. */
void ov_run_model_take_forecast (OvRunModel *self, OvForecast *forecast);

/** Why it cannot be run now, or NULL when it can. The caller owns the text. */
char *ov_run_model_why_not (OvRunModel *self);
/** Do strategies that are chosen need privilege, which is to be asked for before the start?  It can
 *  be run without: they are left out then. */
gboolean ov_run_model_needs_privilege (OvRunModel *self);
/** `launcher` and `strategies` (of OvStrategyInfo): for this run alone, of the worker that has the
 *  privilege; or NULL. */
gboolean ov_run_model_start (OvRunModel *self, const OvLauncher *launcher, GPtrArray *strategies,
                             GError **error);
/** First call: stop; second: force. */
void ov_run_model_stop (OvRunModel *self);

OvSuiteState ov_run_model_get_state (OvRunModel *self);
gboolean ov_run_model_is_running (OvRunModel *self);
/** Nanoseconds since the start of the run that is going on. */
gint64 ov_run_model_get_now (OvRunModel *self);
/** One line about the run that is going on, or the last one; "" where there is none. The caller
 * owns it. */
char *ov_run_model_describe_progress (OvRunModel *self);

G_END_DECLS
