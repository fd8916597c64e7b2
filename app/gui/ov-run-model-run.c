// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel, the run that goes on: what the suite tells becomes the recording, the rows of the
 * table and the lanes.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"

#include "gui/ov-run-model-private.h"

/* ---- Running -------------------------------------------------------------------------------- */

static void
on_suite_state (OvRunModel *self)
{
  ov_run_model_emit (self, OV_RUN_MODEL_STATE_CHANGED);
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
  ov_run_model_queue_update (self, ov_run_model_get_update_ms (self));
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
  ov_forecast_free (self->forecast);
  self->forecast = ov_forecast_new (self->result);
  ov_run_model_drop_suite (self);
  ov_run_model_queue_update (self, 0);
  ov_run_model_emit (self, OV_RUN_MODEL_STATE_CHANGED);
  ov_run_model_emit (self, OV_RUN_MODEL_PLAN_CHANGED);
  g_signal_emit (self, ov_run_model_signals[OV_RUN_MODEL_FINISHED], 0, error);
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
  ov_run_detail_set_run (self->detail, NULL, NULL);
  g_clear_pointer (&self->result, ov_opened_result_drop);
  g_clear_pointer (&self->texts, ov_result_texts_free);
  self->result = ov_result_ref (ov_suite_get_result (self->suite));
  g_clear_pointer (&self->result_path, g_free);
  g_clear_pointer (&self->outcome, g_free);
  self->update_took_us = 0;
  self->chosen = FALSE;
  self->phase = OV_PHASE_PROBE;
  self->fraction = NAN;
  ov_run_model_make_charts (self);
  ov_time_chart_set_window (ov_timeline_get_chart (self->timeline), self->window_ns);
  g_signal_connect_swapped (self->suite, "state-changed", G_CALLBACK (on_suite_state), self);
  g_signal_connect_swapped (self->suite, "phase", G_CALLBACK (on_suite_phase), self);
  g_signal_connect_swapped (self->suite, "sample", G_CALLBACK (on_suite_sample), self);
  g_signal_connect_swapped (self->suite, "live", G_CALLBACK (on_live), self);
  g_signal_connect_swapped (self->suite, "run-started", G_CALLBACK (on_run_started), self);
  g_signal_connect_swapped (self->suite, "run-ended", G_CALLBACK (on_run_ended), self);
  g_signal_connect_swapped (self->suite, "finished", G_CALLBACK (on_suite_finished), self);
  ov_suite_set_watched (self->suite, !self->unwatched);
  ov_suite_start (self->suite);
  ov_run_model_emit (self, OV_RUN_MODEL_STATE_CHANGED);
  return TRUE;
}

void
ov_run_model_set_watched (OvRunModel *self, gboolean watched)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  self->unwatched = !watched;
  if (self->suite != NULL)
    ov_suite_set_watched (self->suite, watched);
}

gboolean
ov_run_model_is_watched (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);
  return !self->unwatched;
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
  if (seconds < 0 && self->phase < OV_PHASE_RUN && ov_suite_get_n_ended (self->suite) == 0)
    /* Translators: time gone; what is needed for the first run is being made. */
    return g_strdup_printf (_ ("%s, preparing"), gone);
  if (seconds < 0)
    return g_steal_pointer (&gone);
  left = ov_run_model_format_about (seconds);
  /* Translators: time gone, then time left: "14 s, about 26 s left". */
  return g_strdup_printf (_ ("%s, about %s left"), gone, left);
}
