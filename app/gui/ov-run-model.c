// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel: the plan is made anew, once, after whatever changed; charts and table are updated
 * from a timer that runs once after runs have ended.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "engine/ov-elevation.h"
#include "report/ov-lanes.h"
#include "model/ov-cell-figure.h"
#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"
#include "report/ov-verdict.h"

#include "gui/ov-forecast.h"
#include "gui/ov-run-model.h"

/* Figures are computed at most that often, and at most that long at a time; and while a run goes
 * on they wait many times as long as they took, so that watching costs little. */
#define UPDATE_MS        250
#define UPDATE_BUDGET_US 15000
#define UPDATE_REST      60

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
  OvResult *last_result; /* to estimate from */
  OvResultsModel *results;
  OvResultChart *chart;
  OvTimeline *timeline;
  OvRunDetail *detail;
  gboolean chosen; /* the detail is a run of a row that the user chose */
  OvFigure figure;
  gboolean article_lines;
  gboolean article_bars;
  gint64 window_ns; /* what the recording shows while it grows */
  guint update_id;
  gint64 update_took_us;

  OvPhase phase;
  double fraction;
  char *outcome; /* how the last run ended */
};

G_DEFINE_FINAL_TYPE (OvRunModel, ov_run_model, G_TYPE_OBJECT)

enum
{
  SIGNAL_PLAN_CHANGED,
  SIGNAL_STATE_CHANGED,
  SIGNAL_RESULT_CHANGED,
  SIGNAL_FIGURES_CHANGED,
  SIGNAL_FINISHED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void queue_replan (OvRunModel *self);

static void
emit (OvRunModel *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

static void
drop_suite (OvRunModel *self)
{
  if (self->suite != NULL)
    g_signal_handlers_disconnect_by_data (self->suite, self);
  g_clear_object (&self->suite);
}

static void
ov_run_model_dispose (GObject *object)
{
  OvRunModel *self = OV_RUN_MODEL (object);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_handle_id (&self->replan_id, g_source_remove);
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  drop_suite (self);
  g_clear_object (&self->settings);
  g_clear_object (&self->results);
  g_clear_object (&self->detail);
  G_OBJECT_CLASS (ov_run_model_parent_class)->dispose (object);
}

static void
ov_run_model_finalize (GObject *object)
{
  OvRunModel *self = OV_RUN_MODEL (object);

  g_clear_pointer (&self->experiment, ov_experiment_unref);
  g_clear_pointer (&self->launcher, ov_launcher_free);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  g_clear_pointer (&self->target, ov_target_info_free);
  g_clear_error (&self->target_error);
  g_clear_pointer (&self->more, g_hash_table_unref);
  g_clear_pointer (&self->plan, ov_plan_free);
  g_clear_error (&self->plan_error);
  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->last_result, ov_result_unref);
  g_free (self->result_path);
  g_clear_pointer (&self->chart, ov_result_chart_free);
  g_clear_pointer (&self->timeline, ov_timeline_free);
  g_free (self->outcome);
  G_OBJECT_CLASS (ov_run_model_parent_class)->finalize (object);
}

static void
ov_run_model_class_init (OvRunModelClass *klass)
{
  GType type = OV_TYPE_RUN_MODEL;

  G_OBJECT_CLASS (klass)->dispose = ov_run_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = ov_run_model_finalize;
  signals[SIGNAL_PLAN_CHANGED]
      = g_signal_new ("plan-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STATE_CHANGED] = g_signal_new ("state-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_RESULT_CHANGED] = g_signal_new ("result-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FIGURES_CHANGED] = g_signal_new ("figures-changed", type, G_SIGNAL_RUN_LAST, 0,
                                                  NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED] = g_signal_new ("finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_run_model_init (OvRunModel *self)
{
  self->article_lines = TRUE;
  self->detail = ov_run_detail_new ();
  self->window_ns = 30 * G_GINT64_CONSTANT (1000000000);
  self->fraction = NAN;
}

static void
on_target_changed (OvRunModel *self)
{
  ov_run_model_look (self);
}

static void
on_x_changed (OvRunModel *self)
{
  if (self->suite == NULL)
    emit (self, SIGNAL_FIGURES_CHANGED);
}

static void
setup (OvRunModel *self, OvExperiment *experiment)
{
  self->experiment = ov_experiment_ref (experiment);
  self->figure = experiment->figure;
  self->settings = ov_run_settings_new (experiment);
  self->results = ov_results_model_new (experiment);
  g_signal_connect_object (self->results, "x-changed", G_CALLBACK (on_x_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->settings, "changed", G_CALLBACK (queue_replan), self);
  g_signal_connect_swapped (self->settings, "target-changed", G_CALLBACK (on_target_changed), self);
}

/* ---- Charts --------------------------------------------------------------------------------- */

static void
show_overlay (OvRunModel *self)
{
  ov_result_chart_set_overlay_visible (self->chart, ov_result_chart_has_overlay_bars (self->chart)
                                                        ? self->article_bars
                                                        : self->article_lines);
}

/* An empty chart over the values of x that the results model has. */
static void
make_chart (OvRunModel *self)
{
  const GArray *xs = ov_results_model_get_xs (self->results);

  g_clear_pointer (&self->chart, ov_result_chart_free);
  self->chart = ov_result_chart_new (self->experiment, self->figure,
                                     ov_results_model_get_parameter (self->results),
                                     (const double *)(gconstpointer)xs->data, xs->len, NULL);
  ov_result_chart_set_repetitions (self->chart, ov_results_model_get_repetitions (self->results));
  show_overlay (self);
}

static void
make_charts (OvRunModel *self)
{
  make_chart (self);
  g_clear_pointer (&self->timeline, ov_timeline_free);
  self->timeline = ov_timeline_new (self->experiment);
  emit (self, SIGNAL_RESULT_CHANGED);
}

static void
add_cell (const OvCell *cell, gboolean partial, gpointer data)
{
  OvRunModel *self = data;

  ov_result_chart_set_cell (self->chart, cell, partial);
}

/* Whether runs are there for the overlap of others: among the first, if at all. */
static gboolean
has_parts (const OvResult *result)
{
  for (guint i = 0; i < MIN (result->runs->len, 1000); i++)
    if (((const OvRun *)result->runs->pdata[i])->spec->part != OV_PART_WHOLE)
      return TRUE;
  return FALSE;
}

static gboolean on_update (gpointer data);

static void
queue_update (OvRunModel *self, guint ms)
{
  if (self->update_id == 0)
    self->update_id = g_timeout_add (ms, on_update, self);
}

static gboolean
on_update (gpointer data)
{
  OvRunModel *self = data;
  gint64 begin = g_get_monotonic_time ();
  gboolean more;

  self->update_id = 0;
  if (self->result != NULL)
    ov_result_chart_name_targets (self->chart, self->result);
  more = ov_results_model_update (self->results, UPDATE_BUDGET_US, add_cell, self);
  if (!more && self->result != NULL && self->figure == OV_FIGURE_ELAPSED
      && has_parts (self->result))
    {
      g_autoptr (GPtrArray) cells = ov_result_cells (self->result);

      ov_result_chart_set_bound (self->chart, cells);
    }
  self->update_took_us = g_get_monotonic_time () - begin;
  if (!more && self->suite == NULL)
    emit (self, SIGNAL_FIGURES_CHANGED);
  if (more)
    queue_update (self, self->suite != NULL ? (guint)(UPDATE_REST * self->update_took_us / 1000)
                                            : UPDATE_BUDGET_US / 1000);
  return G_SOURCE_REMOVE;
}

OvRunModel *
ov_run_model_new (OvExperiment *experiment)
{
  OvRunModel *self = g_object_new (OV_TYPE_RUN_MODEL, NULL);

  setup (self, experiment);
  make_charts (self);
  return self;
}

OvRunModel *
ov_run_model_new_for_result (OvResult *result, const char *path)
{
  OvRunModel *self = g_object_new (OV_TYPE_RUN_MODEL, NULL);

  setup (self, result->experiment);
  self->result = ov_result_ref (result);
  self->result_path = g_strdup (path);
  self->last_result = ov_result_ref (result);
  if (result->targets->len > 0)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, 0);

      if (target->path != NULL)
        ov_run_settings_set_target (self->settings, target->path);
    }
  ov_run_settings_set_preset (self->settings, result->preset);
  ov_results_model_set_result (self->results, result);
  make_charts (self);
  g_clear_pointer (&self->timeline, ov_timeline_free);
  self->timeline = ov_timeline_new_for_result (result);
  ov_time_chart_set_title (ov_timeline_get_chart (self->timeline), NULL);
  ov_time_chart_set_note (ov_timeline_get_chart (self->timeline), NULL);
  ov_run_detail_set_run (self->detail, result, ov_lanes_find_run (result));
  queue_update (self, 0);
  return self;
}

/* ---- Target and plan ------------------------------------------------------------------------ */

static void
replan (OvRunModel *self)
{
  g_clear_pointer (&self->plan, ov_plan_free);
  g_clear_error (&self->plan_error);
  if (self->strategies != NULL && self->target != NULL && self->target->kind != OV_TARGET_REFUSED)
    self->plan = ov_run_settings_make_plan (self->settings, self->strategies, self->target,
                                            &self->plan_error);
  /* What was measured stays on view until the next run begins. */
  if (self->plan != NULL && self->result == NULL)
    {
      ov_results_model_set_plan (self->results, self->plan);
      make_charts (self);
    }
  emit (self, SIGNAL_PLAN_CHANGED);
}

static gboolean
on_replan (gpointer data)
{
  OvRunModel *self = data;

  self->replan_id = 0;
  replan (self);
  return G_SOURCE_REMOVE;
}

static void
queue_replan (OvRunModel *self)
{
  if (self->replan_id == 0)
    self->replan_id = g_idle_add (on_replan, self);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  OvTargetInfo *target = ov_preflight_finish (result, &error);
  OvRunModel *self = data;

  if (target == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_object_unref (self);
      return;
    }
  g_clear_object (&self->looking);
  self->target = target;
  self->target_error = g_steal_pointer (&error);
  queue_replan (self);
  g_object_unref (self);
}

static void
on_looked_at_more (GObject *source, GAsyncResult *result, gpointer data)
{
  OvTargetInfo *info = ov_preflight_finish (result, NULL);
  g_autoptr (OvRunModel) self = data;

  if (info == NULL || self->more == NULL)
    {
      ov_target_info_free (info);
      return;
    }
  g_hash_table_replace (self->more, g_strdup (info->path), info);
  emit (self, SIGNAL_PLAN_CHANGED);
}

/* Further folders: what there is to show of them. Whether they can be used is the suite's to say.
 */
static void
look_at_more (OvRunModel *self)
{
  const GPtrArray *more = ov_run_settings_get_more_targets (self->settings);

  if (self->more == NULL)
    self->more = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify)ov_target_info_free);
  for (guint i = 0; i < more->len; i++)
    if (!g_hash_table_contains (self->more, g_ptr_array_index (more, i)))
      ov_preflight_async (self->launcher, g_ptr_array_index (more, i), NULL, on_looked_at_more,
                          g_object_ref (self));
}

const OvTargetInfo *
ov_run_model_find_target (OvRunModel *self, const char *path)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self) && path != NULL, NULL);
  return self->more != NULL ? g_hash_table_lookup (self->more, path) : NULL;
}

void
ov_run_model_look (OvRunModel *self)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->target, ov_target_info_free);
  g_clear_error (&self->target_error);
  if (self->launcher != NULL)
    {
      look_at_more (self);
      self->looking = g_cancellable_new ();
      ov_preflight_async (self->launcher, ov_run_settings_get_target (self->settings),
                          self->looking, on_looked, g_object_ref (self));
    }
  queue_replan (self);
}

void
ov_run_model_set_worker (OvRunModel *self, const OvLauncher *launcher, GPtrArray *strategies)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  g_clear_pointer (&self->launcher, ov_launcher_free);
  if (launcher != NULL)
    self->launcher = ov_launcher_copy (launcher);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  if (strategies != NULL)
    self->strategies = g_ptr_array_ref (strategies);
  if (self->target == NULL && self->looking == NULL)
    ov_run_model_look (self);
  else
    queue_replan (self);
}

gint64
ov_run_model_estimate (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), -1);

  if (self->plan == NULL)
    return -1;
  return ov_forecast_seconds (self->plan, self->last_result);
}

void
ov_run_model_set_last_result (OvRunModel *self, OvResult *result)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  if (self->last_result != NULL)
    return;
  self->last_result = ov_result_ref (result);
  emit (self, SIGNAL_PLAN_CHANGED);
}

gboolean
ov_run_model_needs_privilege (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);

  if (self->launcher == NULL || self->strategies == NULL)
    return FALSE;
  /* Where nothing can run, the plan is an error. */
  return (self->plan != NULL || g_error_matches (self->plan_error, OV_ERROR, OV_ERROR_UNSUPPORTED))
         && ov_elevation_helps (self->experiment, self->plan, self->strategies, self->launcher);
}

char *
ov_run_model_why_not (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  if (self->target_error != NULL)
    return g_strdup (self->target_error->message);
  if (self->target != NULL && self->target->kind == OV_TARGET_REFUSED)
    return g_strdup (self->target->cause);
  if (ov_run_model_needs_privilege (self))
    return NULL;
  if (self->plan_error != NULL)
    return g_strdup (self->plan_error->message);
  if (self->strategies == NULL)
    return g_strdup (_ ("The strategies are not known yet."));
  if (self->target == NULL || self->plan == NULL)
    return g_strdup (_ ("The target is still being looked at."));
  if (self->plan->specs->len == 0)
    return g_strdup (_ ("None of the chosen strategies can run here."));
  return NULL;
}

/* ---- Running -------------------------------------------------------------------------------- */

static void
on_suite_state (OvRunModel *self)
{
  emit (self, SIGNAL_STATE_CHANGED);
}

static void
on_suite_phase (OvRunModel *self, const OvRun *run, guint phase, double fraction)
{
  self->phase = phase;
  self->fraction = fraction;
  ov_results_model_set_current (self->results, run);
}

static void
on_suite_sample (OvRunModel *self, const OvSample *sample)
{
  ov_timeline_sample (self->timeline, sample->t_ns,
                      self->experiment->job & OV_HARDWARE_JOBS ? sample->requests
                                                               : sample->throughput,
                      sample->user, sample->system, sample->rest);
}

static void
on_live (OvRunModel *self, OvRun *run, const OvLiveRequests *live)
{
  if (!self->chosen)
    ov_run_detail_take_live (self->detail, self->result, run, live);
}

static void
on_run_started (OvRunModel *self, const OvRun *run)
{
  ov_timeline_begin_run (self->timeline, run);
  ov_results_model_set_current (self->results, run);
}

static void
on_run_ended (OvRunModel *self, const OvRun *run)
{
  ov_timeline_end_run (self->timeline, run);
  ov_results_model_add (self->results, run);
  if (!self->chosen && run->elapsed_ns >= 0)
    ov_run_detail_set_run (self->detail, self->result, (OvRun *)run);
  queue_update (self, MAX (UPDATE_MS, (guint)(UPDATE_REST * self->update_took_us / 1000)));
}

static char *
describe_outcome (OvRunModel *self)
{
  gint64 latency = ov_suite_get_stop_latency_ns (self->suite);
  g_autofree char *took = ov_duration_format (ov_suite_get_seconds (self->suite));
  guint n = ov_suite_get_n_ended (self->suite);

  if (latency >= 0)
    {
      g_autofree char *stop = ov_duration_format ((double)latency / 1e9);

      return g_strdup_printf (_ ("Stopped in %s"), stop);
    }
  if (n < ov_suite_get_n_runs (self->suite))
    return g_strdup_printf (_ ("Stopped after %s"), took);
  return g_strdup_printf (_ ("Done in %s"), took);
}

static void
on_suite_finished (OvRunModel *self, const GError *error)
{
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (!self->result->partial)
    ov_results_model_drop_missing (self->results);
  ov_results_model_end (self->results);
  ov_time_chart_flush (ov_timeline_get_chart (self->timeline));
  ov_time_chart_set_window (ov_timeline_get_chart (self->timeline), 0);
  g_free (self->outcome);
  self->outcome = error == NULL ? describe_outcome (self) : g_strdup (_ ("Failed"));
  g_clear_pointer (&self->last_result, ov_result_unref);
  self->last_result = ov_result_ref (self->result);
  drop_suite (self);
  queue_update (self, 0);
  emit (self, SIGNAL_STATE_CHANGED);
  emit (self, SIGNAL_PLAN_CHANGED);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, error);
}

gboolean
ov_run_model_start (OvRunModel *self, const OvLauncher *launcher, GPtrArray *strategies,
                    GError **error)
{
  OvPlan *plan;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self) && self->suite == NULL, FALSE);
  g_return_val_if_fail (self->launcher != NULL && self->strategies != NULL, FALSE);

  if (launcher == NULL)
    launcher = self->launcher;
  plan = ov_run_settings_make_plan (
      self->settings, strategies != NULL ? strategies : self->strategies, self->target, error);
  if (plan == NULL)
    return FALSE;
  ov_results_model_set_plan (self->results, plan);
  ov_results_model_begin (self->results);
  self->suite = ov_suite_new (self->experiment, plan, launcher);
  ov_suite_set_until (self->suite, 2 * ov_run_settings_get_until_percent (self->settings) / 100,
                      60 * ov_run_settings_get_until_minutes (self->settings));
  g_clear_pointer (&self->result, ov_result_unref);
  self->result = ov_result_ref (ov_suite_get_result (self->suite));
  g_clear_pointer (&self->result_path, g_free);
  g_clear_pointer (&self->outcome, g_free);
  self->update_took_us = 0;
  self->chosen = FALSE;
  ov_run_detail_set_run (self->detail, NULL, NULL);
  self->phase = OV_PHASE_PROBE;
  self->fraction = NAN;
  make_charts (self);
  ov_time_chart_set_window (ov_timeline_get_chart (self->timeline), self->window_ns);
  g_signal_connect_swapped (self->suite, "state-changed", G_CALLBACK (on_suite_state), self);
  g_signal_connect_swapped (self->suite, "phase", G_CALLBACK (on_suite_phase), self);
  g_signal_connect_swapped (self->suite, "sample", G_CALLBACK (on_suite_sample), self);
  g_signal_connect_swapped (self->suite, "live", G_CALLBACK (on_live), self);
  g_signal_connect_swapped (self->suite, "run-started", G_CALLBACK (on_run_started), self);
  g_signal_connect_swapped (self->suite, "run-ended", G_CALLBACK (on_run_ended), self);
  g_signal_connect_swapped (self->suite, "finished", G_CALLBACK (on_suite_finished), self);
  ov_suite_start (self->suite);
  emit (self, SIGNAL_STATE_CHANGED);
  return TRUE;
}

void
ov_run_model_stop (OvRunModel *self)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  if (self->suite != NULL)
    ov_suite_stop (self->suite);
}

OvSuiteState
ov_run_model_get_state (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), OV_SUITE_IDLE);
  return self->suite != NULL ? ov_suite_get_state (self->suite) : OV_SUITE_IDLE;
}

gboolean
ov_run_model_is_running (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);
  return self->suite != NULL;
}

gint64
ov_run_model_get_now (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), 0);
  return self->suite != NULL ? (gint64)(ov_suite_get_seconds (self->suite) * 1e9) : 0;
}

/* Whole seconds: "14 s", "2 min 05 s". */
static char *
format_gone (gint64 seconds)
{
  if (seconds < 60)
    return g_strdup_printf (_ ("%d s"), (int)seconds);
  return ov_duration_format ((double)seconds);
}

char *
ov_run_model_format_about (gint64 seconds)
{
  if (seconds < 100)
    return g_strdup_printf (_ ("%d s"), (int)seconds);
  if (seconds < 100 * 60)
    return g_strdup_printf (_ ("%d min"), (int)((seconds + 30) / 60));
  return g_strdup_printf (_ ("%d h"), (int)((seconds + 1800) / 3600));
}

char *
ov_run_model_describe_progress (OvRunModel *self)
{
  g_autofree char *gone = NULL;
  g_autofree char *left = NULL;
  gint64 seconds;
  double widest;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  if (self->suite == NULL)
    return g_strdup (self->outcome != NULL ? self->outcome : "");
  if (ov_suite_get_state (self->suite) == OV_SUITE_STOPPING)
    return g_strdup (_ ("stopping…"));
  if (ov_suite_get_state (self->suite) == OV_SUITE_FORCING)
    return g_strdup (_ ("ending by force…"));
  gone = format_gone ((gint64)ov_suite_get_seconds (self->suite));
  if (self->phase == OV_PHASE_LAYOUT)
    return isfinite (self->fraction)
               ? g_strdup_printf (_ ("%s, laying out %.0f %%"), gone, self->fraction * 100)
               : g_strdup_printf (_ ("%s, laying out"), gone);
  widest = ov_suite_get_widest (self->suite);
  if (isfinite (widest))
    /* Translators: time gone, then how far the widest interval reaches up and down, and how far it
     * may at the end: "14 s, intervals within ±3.1 %, aim ±1.0 %". */
    return g_strdup_printf (_ ("%s, intervals within ±%.1f %%, aim ±%.1f %%"), gone, 50 * widest,
                            ov_run_settings_get_until_percent (self->settings));
  seconds = ov_suite_get_seconds_left (self->suite);
  if (seconds < 0)
    return g_steal_pointer (&gone);
  left = ov_run_model_format_about (seconds);
  /* Translators: time gone, then time left: "14 s, about 26 s left". */
  return g_strdup_printf (_ ("%s, about %s left"), gone, left);
}

/* ---- What is shown -------------------------------------------------------------------------- */

OvExperiment *
ov_run_model_get_experiment (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->experiment;
}

OvRunSettings *
ov_run_model_get_settings (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->settings;
}

OvResultsModel *
ov_run_model_get_results (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->results;
}

OvChart *
ov_run_model_get_chart (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_result_chart_get_chart (self->chart);
}

OvTimeChart *
ov_run_model_get_time_chart (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_timeline_get_chart (self->timeline);
}

OvRunDetail *
ov_run_model_get_detail (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->detail;
}

void
ov_run_model_look_at_row (OvRunModel *self, OvResultsRow *row)
{
  OvRun *found = NULL;

  g_return_if_fail (OV_IS_RUN_MODEL (self));

  self->chosen = row != NULL;
  if (self->result == NULL)
    return;
  for (guint i = self->result->runs->len; row != NULL && i-- > 0;)
    {
      OvRun *run = g_ptr_array_index (self->result->runs, i);

      if (g_strcmp0 (run->spec->variant, ov_results_row_get_variant (row)) != 0
          || g_strcmp0 (run->spec->target, ov_results_row_get_target (row)) != 0)
        continue;
      if (found == NULL || ov_lanes_has_log (run))
        found = run;
      if (ov_lanes_has_log (run))
        break;
    }
  if (row == NULL)
    found = ov_lanes_find_run (self->result);
  if (found != NULL)
    ov_run_detail_set_run (self->detail, self->result, found);
}

OvResult *
ov_run_model_get_result (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->result;
}

const char *
ov_run_model_get_result_path (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->result_path;
}

void
ov_run_model_set_result_path (OvRunModel *self, const char *path)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  g_free (self->result_path);
  self->result_path = g_strdup (path);
}

char *
ov_run_model_describe_verdict (OvRunModel *self)
{
  g_autoptr (GPtrArray) cells = NULL;
  const GArray *xs;
  guint x;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  xs = ov_results_model_get_xs (self->results);
  x = ov_results_model_get_x (self->results);
  if (self->result == NULL || self->suite != NULL || x >= xs->len)
    return g_strdup ("");
  cells = ov_results_model_get_cells (self->results);
  if (cells == NULL)
    return g_strdup ("");
  return g_strchomp (ov_report_verdict (self->result, cells, g_array_index (xs, double, x)));
}

int
ov_run_model_find_series (OvRunModel *self, OvResultsRow *row)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), -1);

  if (row == NULL)
    return -1;
  return ov_result_chart_find (self->chart, ov_results_row_get_variant (row),
                               ov_results_row_get_target (row));
}

OvFigure
ov_run_model_get_figure (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), OV_FIGURE_ELAPSED);
  return self->figure;
}

void
ov_run_model_set_figure (OvRunModel *self, OvFigure figure)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self) && figure < OV_N_FIGURES);

  if (figure == self->figure)
    return;
  self->figure = figure;
  make_chart (self);
  ov_results_model_touch (self->results);
  emit (self, SIGNAL_RESULT_CHANGED);
  queue_update (self, 0);
}

guint
ov_run_model_list_figures (OvRunModel *self)
{
  guint figures;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self), 0);
  figures = 1u << self->figure | (self->result != NULL ? ov_result_figures (self->result) : 0);
  /* Parts are places beside each other; with several values of x there is no room for them. */
  if (ov_results_model_get_xs (self->results)->len != 1 && self->figure != OV_FIGURE_PARTS)
    figures &= ~(1u << OV_FIGURE_PARTS);
  return figures;
}

gboolean
ov_run_model_has_overlay (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);
  return ov_result_chart_has_overlay (self->chart);
}

const char *
ov_run_model_get_overlay_key (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_result_chart_has_overlay_bars (self->chart) ? "article-bars" : "article-lines";
}

void
ov_run_model_set_overlay_visible (OvRunModel *self, gboolean lines, gboolean bars)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  self->article_lines = lines;
  self->article_bars = bars;
  show_overlay (self);
}

void
ov_run_model_set_live_seconds (OvRunModel *self, guint seconds)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  self->window_ns = seconds * G_GINT64_CONSTANT (1000000000);
  if (self->suite != NULL)
    ov_time_chart_set_window (ov_timeline_get_chart (self->timeline), self->window_ns);
}

const OvPlan *
ov_run_model_get_plan (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->plan;
}

const GError *
ov_run_model_get_plan_error (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->plan_error;
}

const OvTargetInfo *
ov_run_model_get_target (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->target;
}

const GError *
ov_run_model_get_target_error (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->target_error;
}
