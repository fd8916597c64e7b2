/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suite as its callers see it: start, stop, what is there so far, and the clock that watches
 * for a worker that says nothing.  What happens when stands in ov-suite-steps.c.
 *
 * What always holds: start and the first two stops emit nothing but "state-changed".
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/ov-clock.h"
#include "base/ov-error.h"
#include "engine/ov-patience-private.h"
#include "engine/ov-source-private.h"
#include "engine/ov-suite-private.h"

#define TICK_MS           100
#define TICK_UNWATCHED_MS 4000

guint ov_suite_signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OvSuite, ov_suite, G_TYPE_OBJECT)

/* ---- The clock ------------------------------------------------------------------------------ */

static void
force (OvSuite *self)
{
  OvTargetSession *working = ov_suite_find_working (self);

  self->force_ns = ov_clock_now_ns ();
  ov_suite_set_state (self, OV_SUITE_FORCING);
  if (working != NULL)
    ov_target_session_abort (working, TRUE);
}

/* A session that works and was asked to stop. */
static void
watch_stopping (OvSuite *self, OvTargetSession *session)
{
  gint64 now = ov_clock_now_ns ();
  gint64 since = (now - self->press_ns) / 1000000;

  if (MIN (ov_target_session_get_silent_ms (session), since) > ov_patience.abort)
    ov_target_session_break (session,
                             g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                          _ ("The worker said nothing for %g s after Stop and "
                                             "was ended."),
                                          ov_patience.abort / 1000.0));
  else if (self->force_ns >= 0 && (now - self->force_ns) / 1000000 > ov_patience.force)
    ov_target_session_break (session,
                             g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                          _ ("The worker did not end the run within %g s and "
                                             "was ended itself."),
                                          ov_patience.force / 1000.0));
  else if (self->force_ns < 0 && since > ov_patience.abort_total)
    force (self);
}

/* A session that works.  What it has to tell may be nothing for a long time (an fsync): it is asked
 * whether it lives before it is given up. */
static void
watch_working (OvSuite *self, OvTargetSession *session)
{
  gint64 silent = ov_target_session_get_silent_ms (session);
  gint64 now = ov_clock_now_ns ();

  if (silent > ov_patience.silence)
    ov_target_session_break (session,
                             g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                          _ ("The worker said nothing for %g s and was ended."),
                                          ov_patience.silence / 1000.0));
  else if (silent > ov_patience.silence / 3
           && (now - self->poke_ns) / 1000000 > ov_patience.silence / 3)
    {
      self->poke_ns = now;
      ov_target_session_poke (session);
    }
}

static void
watch_place (OvSuite *self, OvPlace *place)
{
  OvTargetSessionState state = ov_place_get_state (place);
  guint greet = self->launcher->prefix[0] != NULL ? ov_patience.greet_remote : ov_patience.greet;

  if (state == OV_TARGET_SESSION_GREETING
      && ov_target_session_get_waited_ms (place->session) > greet)
    ov_target_session_break (
        place->session, g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                     _ ("The worker was not ready after %g s."), greet / 1000.0));
  else if (state == OV_TARGET_SESSION_PREFLIGHT
           && ov_target_session_get_waited_ms (place->session) > ov_patience.preflight)
    {
      place->looked = TRUE;
      place->refused = g_strdup_printf (_ ("“%s” does not answer."), place->target);
      ov_target_session_break (place->session,
                               g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                            _ ("The worker did not answer within %g s."),
                                            ov_patience.preflight / 1000.0));
    }
  else if (state == OV_TARGET_SESSION_LAYOUT || state == OV_TARGET_SESSION_RUN)
    {
      if (ov_suite_is_stopping (self))
        watch_stopping (self, place->session);
      else
        watch_working (self, place->session);
    }
}

static gboolean
on_tick (gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);

  for (guint i = 0; i < self->places->len; i++)
    watch_place (self, self->places->pdata[i]);
  return G_SOURCE_CONTINUE;
}

/* ---- The object ----------------------------------------------------------------------------- */

static void
ov_suite_dispose (GObject *object)
{
  OvSuite *self = OV_SUITE (object);

  self->state = OV_SUITE_ENDED;
  ov_clear_source (&self->advance);
  ov_clear_source (&self->tick);
  g_clear_pointer (&self->places, g_ptr_array_unref);
  G_OBJECT_CLASS (ov_suite_parent_class)->dispose (object);
}

static void
ov_suite_finalize (GObject *object)
{
  OvSuite *self = OV_SUITE (object);

  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->plan, ov_plan_free);
  g_clear_pointer (&self->experiment, ov_experiment_unref);
  ov_launcher_free (self->launcher);
  ov_estimate_free (self->estimate);
  g_clear_error (&self->fatal);
  g_main_context_unref (self->context);
  G_OBJECT_CLASS (ov_suite_parent_class)->finalize (object);
}

static void
ov_suite_class_init (OvSuiteClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ov_suite_dispose;
  object_class->finalize = ov_suite_finalize;
  ov_suite_signals[SIGNAL_STATE_CHANGED] = g_signal_new (
      "state-changed", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ov_suite_signals[SIGNAL_PHASE]
      = g_signal_new ("phase", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                      3, G_TYPE_POINTER, G_TYPE_UINT, G_TYPE_DOUBLE);
  ov_suite_signals[SIGNAL_SAMPLE] = g_signal_new ("sample", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0,
                                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  ov_suite_signals[SIGNAL_LIVE]
      = g_signal_new ("live", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                      G_TYPE_POINTER, G_TYPE_POINTER);
  ov_suite_signals[SIGNAL_RUN_STARTED]
      = g_signal_new ("run-started", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_POINTER);
  ov_suite_signals[SIGNAL_RUN_ENDED]
      = g_signal_new ("run-ended", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_POINTER);
  ov_suite_signals[SIGNAL_FINISHED]
      = g_signal_new ("finished", OV_TYPE_SUITE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_suite_init (OvSuite *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
  self->places = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_place_free);
  self->estimate = ov_estimate_new ();
  self->start_ns = self->end_ns = self->press_ns = self->force_ns = -1;
  self->stop_latency_ns = -1;
  self->later_ns = -2;
  self->group_ns = -1;
  ov_rates_reset (&self->rates);
}

OvSuite *
ov_suite_new (OvExperiment *experiment, OvPlan *plan, const OvLauncher *launcher)
{
  OvSuite *self;

  g_return_val_if_fail (experiment != NULL && plan != NULL && launcher != NULL, NULL);

  self = g_object_new (OV_TYPE_SUITE, NULL);
  self->experiment = ov_experiment_ref (experiment);
  self->widest = NAN;
  self->plan = plan;
  self->launcher = ov_launcher_copy (launcher);
  self->result = ov_result_new (experiment);
  self->result->x = plan->x;
  self->result->partial = TRUE;
  for (guint i = 0; i < plan->specs->len; i++)
    g_ptr_array_add (self->runs, ov_run_new (ov_run_spec_copy (plan->specs->pdata[i])));
  ov_suite_make_places (self);
  return self;
}

/* Nothing that it watches for needs more exactness but a stop. */
static void
start_tick (OvSuite *self)
{
  ov_clear_source (&self->tick);
  self->tick = g_timeout_source_new (
      self->unwatched && !ov_suite_is_stopping (self) ? TICK_UNWATCHED_MS : TICK_MS);
  g_source_set_callback (self->tick, on_tick, self, NULL);
  g_source_attach (self->tick, self->context);
}

void
ov_suite_start (OvSuite *self)
{
  g_return_if_fail (OV_IS_SUITE (self));

  if (self->state != OV_SUITE_IDLE)
    return;
  self->start_ns = ov_clock_now_ns ();
  self->result->date = g_get_real_time () / G_USEC_PER_SEC;
  start_tick (self);
  ov_suite_queue_advance (self);
  ov_suite_set_state (self, OV_SUITE_RUNNING);
}

void
ov_suite_set_watched (OvSuite *self, gboolean watched)
{
  g_return_if_fail (OV_IS_SUITE (self));

  if (self->unwatched == !watched)
    return;
  self->unwatched = !watched;
  for (guint i = 0; i < self->places->len; i++)
    if (((OvPlace *)self->places->pdata[i])->session != NULL)
      ov_target_session_set_watched (((OvPlace *)self->places->pdata[i])->session, watched);
  if (self->tick != NULL)
    start_tick (self);
}

static void
first_stop (OvSuite *self)
{
  OvTargetSession *working = ov_suite_find_working (self);

  self->press_ns = ov_clock_now_ns ();
  self->was_cut = !self->ending;
  if (self->start_ns < 0)
    self->start_ns = self->press_ns;
  if (working != NULL)
    ov_target_session_abort (working, FALSE);
  ov_suite_queue_advance (self);
  ov_suite_set_state (self, OV_SUITE_STOPPING);
  if (self->tick != NULL)
    start_tick (self);
}

void
ov_suite_stop (OvSuite *self)
{
  OvTargetSession *working;

  g_return_if_fail (OV_IS_SUITE (self));

  switch (self->state)
    {
    case OV_SUITE_IDLE:
    case OV_SUITE_RUNNING:
      first_stop (self);
      return;
    case OV_SUITE_STOPPING:
      force (self);
      break;
    case OV_SUITE_FORCING:
      working = ov_suite_find_working (self);
      if (working != NULL)
        ov_target_session_break (working, g_error_new_literal (OV_ERROR, OV_ERROR_CANCELLED,
                                                               _ ("The worker was ended.")));
      break;
    case OV_SUITE_ENDED:
      return;
    }
  if (ov_suite_find_working (self) == NULL) /* it is only the way out that lasts */
    for (guint i = 0; i < self->places->len; i++)
      if (((OvPlace *)self->places->pdata[i])->session != NULL)
        ov_target_session_kill (((OvPlace *)self->places->pdata[i])->session);
}

OvSuiteState
ov_suite_get_state (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), OV_SUITE_ENDED);

  return self->state;
}

OvResult *
ov_suite_get_result (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), NULL);

  return self->result;
}

guint
ov_suite_get_n_runs (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), 0);

  return self->runs->len;
}

guint
ov_suite_get_n_ended (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), 0);

  return self->next;
}

GPtrArray *
ov_suite_get_runs (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), NULL);

  return self->runs;
}

/* Estimate for the runs behind the current one, made anew after each run. */
static gint64
later_ns (OvSuite *self)
{
  gint64 sum = 0;

  if (self->later_ns != -2)
    return self->later_ns;
  for (guint i = self->next + 1; i < self->runs->len && sum >= 0; i++)
    {
      const OvRun *run = self->runs->pdata[i];
      gint64 one = ov_estimate_get (self->estimate, run->spec);

      sum = one >= 0 && sum <= G_MAXINT64 - one ? sum + one : -1;
    }
  self->later_ns = sum;
  return sum;
}

gint64
ov_suite_get_seconds_left (OvSuite *self)
{
  const gint64 most = G_GINT64_CONSTANT (10) * 365 * 86400; /* more is no estimate */
  const OvRun *run;
  gint64 later;
  gint64 own;
  gint64 seconds;

  g_return_val_if_fail (OV_IS_SUITE (self), -1);

  if (self->state == OV_SUITE_ENDED)
    return 0;
  if (self->until_ns > 0 && self->start_ns >= 0)
    return MAX (self->until_ns - (ov_clock_now_ns () - self->start_ns), 0) / 1000000000;
  if (self->until_width > 0)
    return -1; /* nobody knows how often */
  run = ov_suite_current_run (self);
  if (self->state != OV_SUITE_RUNNING || run == NULL)
    return -1;
  own = ov_estimate_get (self->estimate, run->spec);
  later = later_ns (self);
  if (own < 0 || later < 0)
    return -1;
  if (run->state == OV_STATE_RUNNING)
    own = MAX (own - (ov_clock_now_ns () - self->run_sent_ns), 0);
  seconds = (own / 1000000 + later / 1000000 + 999) / 1000;
  return seconds <= most ? seconds : -1;
}

double
ov_suite_get_seconds (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), 0);

  if (self->start_ns < 0)
    return 0;
  return (double)((self->end_ns >= 0 ? self->end_ns : ov_clock_now_ns ()) - self->start_ns) / 1e9;
}

gint64
ov_suite_get_stop_latency_ns (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), -1);

  return self->stop_latency_ns;
}
