/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a suite.  Events only note what happened and ask for advance(), which runs from the
 * main loop, looks at the whole state and takes the next step; so a caller may do anything in a
 * signal, and no event depends on the one before.
 *
 * Order: open every target's session, look at every target, lay out every file, run after run in
 * the plan's order, end the sessions, "finished".  At most one session lays out or runs at a time.
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/ov-clock.h"
#include "base/ov-error.h"
#include "engine/ov-patience-private.h"
#include "engine/ov-source-private.h"
#include "engine/ov-suite-private.h"

/* Sessions that are opened anew after one broke, and scratch files that are laid out anew. */
#define MOST_RESTARTS 3

static gboolean on_advance (gpointer data);

void
ov_suite_queue_advance (OvSuite *self)
{
  if (self->advance != NULL || self->state == OV_SUITE_ENDED)
    return;
  self->advance = g_idle_source_new ();
  g_source_set_priority (self->advance, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->advance, on_advance, self, NULL);
  g_source_attach (self->advance, self->context);
}

void
ov_suite_set_state (OvSuite *self, OvSuiteState state)
{
  if (self->state == state)
    return;
  self->state = state;
  g_signal_emit (self, ov_suite_signals[SIGNAL_STATE_CHANGED], 0);
}

static gint64
suite_ns (OvSuite *self)
{
  return ov_clock_now_ns () - self->start_ns;
}

gboolean
ov_suite_is_stopping (OvSuite *self)
{
  return self->press_ns >= 0;
}

/* ---- Places --------------------------------------------------------------------------------- */

void
ov_place_free (OvPlace *place)
{
  ov_target_session_free (place->session);
  g_ptr_array_unref (place->files);
  g_hash_table_unref (place->spoilt);
  g_free (place->refused);
  g_free (place->target);
  g_free (place);
}

static OvPlace *
find_place (OvSuite *self, const char *target)
{
  OvPlace *place;

  for (guint i = 0; i < self->places->len; i++)
    {
      place = self->places->pdata[i];
      if (g_strcmp0 (place->target, target) == 0)
        return place;
    }
  place = g_new0 (OvPlace, 1);
  place->target = g_strdup (target);
  place->files = g_ptr_array_new ();
  place->spoilt = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  place->last_run = -1;
  g_ptr_array_add (self->places, place);
  return place;
}

void
ov_suite_make_places (OvSuite *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      const OvRun *run = self->runs->pdata[i];

      find_place (self, run->spec->target)->last_run = (gint)i;
    }
  for (guint i = 0; i < self->plan->files->len; i++)
    {
      OvPlanFile *file = self->plan->files->pdata[i];

      g_ptr_array_add (find_place (self, file->target)->files, file);
    }
}

static OvPlace *
place_of_session (OvSuite *self, OvTargetSession *session)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      if (place->session == session)
        return place;
    }
  return NULL;
}

OvTargetSessionState
ov_place_get_state (const OvPlace *place)
{
  return place->session != NULL ? ov_target_session_get_state (place->session)
                                : OV_TARGET_SESSION_CLOSED;
}

/* The session that lays out or runs, or NULL. */
OvTargetSession *
ov_suite_find_working (OvSuite *self)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];
      OvTargetSessionState state = ov_place_get_state (place);

      if (state == OV_TARGET_SESSION_LAYOUT || state == OV_TARGET_SESSION_RUN)
        return place->session;
    }
  return NULL;
}

static gboolean
place_is_needed (OvSuite *self, const OvPlace *place)
{
  return place->refused == NULL && place->last_run >= (gint)self->next;
}

/* ---- Runs ----------------------------------------------------------------------------------- */

OvRun *
ov_suite_current_run (OvSuite *self)
{
  return self->next < self->runs->len ? self->runs->pdata[self->next] : NULL;
}

/* The run phase began `at_ns` after the suite. */
static void
note_start (OvSuite *self, OvRun *run, gint64 at_ns)
{
  if (self->begin_ns >= 0)
    return;
  self->begin_ns = MAX (at_ns, 0);
  run->started_ns = self->begin_ns;
  g_signal_emit (self, ov_suite_signals[SIGNAL_RUN_STARTED], 0, run);
}

static void
add_to_result (OvSuite *self, OvRun *run)
{
  g_ptr_array_add (self->result->runs, ov_run_ref (run));
  g_signal_emit (self, ov_suite_signals[SIGNAL_RUN_ENDED], 0, run);
  ov_run_pack_latency (run); /* of thousands of runs hardly any is looked at again */
}

static void
end_current_run (OvSuite *self, OvRun *run)
{
  g_autoptr (OvRun) hold = ov_run_ref (run);

  self->next++;
  self->later_ns = -2;
  add_to_result (self, hold);
  ov_suite_drop_decided (self, hold);
  ov_suite_queue_advance (self);
}

/* A run that does not come to be, or whose worker broke. */
static void
fail_run (OvSuite *self, OvRun *run, OvState state, const char *cause)
{
  run->state = state;
  g_free (run->cause);
  run->cause = g_strdup (cause);
  end_current_run (self, run);
}

static void
emit_sample (OvSuite *self, OvSample *sample, OvRun *run, gint64 t_ns)
{
  sample->run = run;
  sample->t_ns = MAX (t_ns, self->last_t_ns);
  self->last_t_ns = sample->t_ns;
  g_signal_emit (self, ov_suite_signals[SIGNAL_SAMPLE], 0, sample);
}

/* When the run phase of a run that ended began.  What its result says replaces what an event said
 * before: with it runs never overlap. */
static void
note_start_of_ended (OvSuite *self, OvTargetSession *session, OvRun *run)
{
  const gint64 told = run->started_ns;
  const gint64 at_ns = told >= 0
                           ? ov_target_session_get_command_ns (session) + told - self->start_ns
                           : suite_ns (self) - run->elapsed_ns;

  note_start (self, run, at_ns);
  if (told >= 0)
    self->begin_ns = MAX (at_ns, 0);
}

/* The process that held the run's scratch file has ended, and the file with it: the run is made
 * after the file was laid out once more.  FALSE: it is not that, or happens too often. */
static gboolean
lay_out_again (OvSuite *self, OvPlace *place, OvRun *run, const GError *error)
{
  if (!g_error_matches (error, OV_ERROR, OV_ERROR_NOT_FOUND) || run->spec->file == NULL
      || ov_suite_is_stopping (self) || self->n_lost >= MOST_RESTARTS)
    return FALSE;
  for (guint i = 0; i < place->n_laid; i++)
    if (g_str_equal (((OvPlanFile *)place->files->pdata[i])->name, run->spec->file))
      place->lost = place->files->pdata[i];
  if (place->lost == NULL)
    return FALSE;
  self->n_lost++;
  run->state = OV_STATE_WAITING;
  return TRUE;
}

static void
take_answer_of_run (OvSuite *self, OvTargetSession *session, const GError *error)
{
  OvRun *run = ov_suite_current_run (self);
  OvSample sample;

  if (error != NULL && lay_out_again (self, place_of_session (self, session), run, error))
    return;
  if (error != NULL)
    {
      fail_run (self, run, ov_suite_is_stopping (self) ? OV_STATE_STOPPED : OV_STATE_FAILED,
                error->message);
      return;
    }
  if (run->elapsed_ns >= 0)
    note_start_of_ended (self, session, run);
  run->started_ns = self->begin_ns;
  if (run->elapsed_ns >= 0 && ov_rates_finish (&self->rates, run, &sample))
    emit_sample (self, &sample, run, run->started_ns + run->elapsed_ns);
  if (run->state == OV_STATE_DONE)
    ov_estimate_add (self->estimate, run->spec, ov_clock_now_ns () - self->run_sent_ns);
  end_current_run (self, run);
}

static void
tell_skips (OvSuite *self)
{
  self->skipped = TRUE;
  for (guint i = 0; i < self->plan->skips->len; i++)
    add_to_result (self, self->plan->skips->pdata[i]);
}

/* ---- What sessions tell --------------------------------------------------------------------- */

static void
on_greeted (OvTargetSession *session, OvMachine *machine, gpointer data)
{
  OvSuite *self = data;

  if (self->result->machine == NULL)
    {
      self->result->machine = machine;
      self->result->self_cost = ov_self_cost_load (machine->host);
    }
  else
    ov_machine_free (machine);
  ov_target_session_set_watched (session, !self->unwatched);
  ov_suite_queue_advance (self);
}

static void
emit_phase (OvSuite *self, OvRun *run, OvPhase phase, double fraction)
{
  self->phase = phase;
  self->last_fraction = fraction;
  g_signal_emit (self, ov_suite_signals[SIGNAL_PHASE], 0, run, (guint)phase, fraction);
}

static void
on_phase (OvTargetSession *session, OvPhase phase, gint64 t_ns, double fraction, gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);
  OvRun *run = ov_target_session_get_state (session) == OV_TARGET_SESSION_RUN
                   ? ov_suite_current_run (self)
                   : NULL;

  if (run == NULL && ov_target_session_get_state (session) != OV_TARGET_SESSION_LAYOUT)
    return;
  emit_phase (self, run, run != NULL ? phase : OV_PHASE_LAYOUT, fraction);
  if (run != NULL && run == ov_suite_current_run (self) && phase == OV_PHASE_RUN)
    note_start (self, run,
                t_ns >= 0 ? ov_target_session_get_command_ns (session) + t_ns - self->start_ns
                          : suite_ns (self));
}

static void
on_snapshot (OvTargetSession *session, const OvSnapshot *snapshot, gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);
  OvRun *run = ov_suite_current_run (self);
  gint64 t_ns = ov_target_session_get_command_ns (session) + snapshot->t_ns - self->start_ns;
  OvSample sample;

  if (!ov_rates_push (&self->rates, snapshot, &sample))
    return;
  if (snapshot->phase >= 0 && !isnan (snapshot->fraction)
      && ((OvPhase)snapshot->phase != self->phase || snapshot->fraction != self->last_fraction))
    emit_phase (self, run, (OvPhase)snapshot->phase, snapshot->fraction);
  emit_sample (self, &sample, run, t_ns);
}

static void
on_live (OvTargetSession *session, const OvLiveRequests *live, gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);
  OvRun *run = ov_suite_current_run (self);

  if (run != NULL && run->state == OV_STATE_RUNNING)
    g_signal_emit (self, ov_suite_signals[SIGNAL_LIVE], 0, run, live);
}

static void
take_answer_of_preflight (OvSuite *self, OvPlace *place, const GError *error)
{
  OvTargetInfo *info = ov_target_session_get_info (place->session);

  if (ov_place_get_state (place) >= OV_TARGET_SESSION_ENDING)
    return; /* it broke: another session will ask again */
  place->looked = TRUE;
  if (info != NULL)
    g_ptr_array_add (self->result->targets, ov_target_info_copy (info));
  if (error != NULL)
    place->refused = g_strdup (error->message);
  else if (info->kind == OV_TARGET_REFUSED)
    place->refused = g_strdup (info->cause != NULL ? info->cause : _ ("It cannot be used."));
  if (place->refused != NULL)
    ov_target_session_end (place->session, ov_patience.close);
}

static void
take_answer_of_layout (OvSuite *self, OvPlace *place, const GError *error)
{
  const OvPlanFile *file = place->laying;

  if (ov_place_get_state (place) >= OV_TARGET_SESSION_ENDING)
    return;
  if (error != NULL && !ov_suite_is_stopping (self))
    g_hash_table_insert (place->spoilt, g_strdup (file->name), g_strdup (error->message));
  if (file == place->lost)
    place->lost = NULL;
  else
    place->n_laid++;
  place->laying = NULL;
}

static void
on_answered (OvTargetSession *session, OvTargetSessionState was, const GError *error, gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);
  OvPlace *place = place_of_session (self, session);

  g_assert (place != NULL);
  if (ov_suite_is_stopping (self) && self->stop_latency_ns < 0)
    self->stop_latency_ns = ov_clock_now_ns () - self->press_ns;
  if (was == OV_TARGET_SESSION_PREFLIGHT)
    take_answer_of_preflight (self, place, error);
  else if (was == OV_TARGET_SESSION_LAYOUT)
    take_answer_of_layout (self, place, error);
  else
    take_answer_of_run (self, session, error);
  ov_suite_queue_advance (self);
}

static void
on_closed (OvTargetSession *session, const GError *error, gpointer data)
{
  OvSuite *self = data;
  OvPlace *place = place_of_session (self, session);

  g_assert (place != NULL);
  if (error != NULL && !self->ending && self->fatal == NULL && place_is_needed (self, place))
    {
      if (!ov_target_session_has_greeted (session) && !ov_suite_is_stopping (self))
        self->fatal = g_error_copy (error);
      else if (++self->n_restarts > MOST_RESTARTS && !ov_suite_is_stopping (self))
        self->fatal = g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                   _ ("The worker broke %u times, the last time: %s"),
                                   self->n_restarts, error->message);
    }
  g_clear_pointer (&place->session, ov_target_session_free);
  place->n_laid = 0;
  place->laying = place->lost = NULL;
  ov_suite_queue_advance (self);
}

static const OvTargetSessionEvents session_events = {
  .greeted = on_greeted,
  .phase = on_phase,
  .snapshot = on_snapshot,
  .live = on_live,
  .answered = on_answered,
  .closed = on_closed,
};

/* ---- The next step -------------------------------------------------------------------------- */

static void
finish (OvSuite *self)
{
  g_autoptr (GError) error = g_steal_pointer (&self->fatal);

  ov_clear_source (&self->advance);
  ov_clear_source (&self->tick);
  self->end_ns = ov_clock_now_ns ();
  if (self->was_cut && self->stop_latency_ns < 0)
    self->stop_latency_ns = self->end_ns - self->press_ns;
  self->result->partial = self->was_cut || self->next < self->runs->len;
  ov_suite_set_state (self, OV_SUITE_ENDED);
  g_signal_emit (self, ov_suite_signals[SIGNAL_FINISHED], 0, error);
}

static void
begin_ending (OvSuite *self)
{
  guint grace = self->state == OV_SUITE_FORCING ? ov_patience.term : ov_patience.close;

  self->ending = TRUE;
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      if (place->session != NULL)
        ov_target_session_end (place->session, ov_target_session_has_greeted (place->session)
                                                   ? grace
                                                   : ov_patience.term);
    }
}

/* Opens what is not open.  TRUE: something is on its way, or it cannot be. */
static gboolean
step_open (OvSuite *self)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      if (!place_is_needed (self, place))
        continue;
      if (place->session == NULL)
        {
          g_main_context_push_thread_default (self->context);
          place->session = ov_target_session_open (self->launcher, place->target, &session_events,
                                                   self, &self->fatal);
          g_main_context_pop_thread_default (self->context);
          if (place->session == NULL)
            ov_suite_queue_advance (self);
          return TRUE;
        }
      if (ov_place_get_state (place) == OV_TARGET_SESSION_GREETING
          || ov_place_get_state (place) == OV_TARGET_SESSION_ENDING)
        return TRUE;
    }
  return FALSE;
}

static gboolean
step_look (OvSuite *self)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      if (place->looked || !place_is_needed (self, place))
        continue;
      if (ov_place_get_state (place) == OV_TARGET_SESSION_READY)
        ov_target_session_preflight (place->session);
      return TRUE;
    }
  return FALSE;
}

static void
lay_out (OvSuite *self, OvPlace *place, const OvPlanFile *file)
{
  self->later_ns = -2;
  place->laying = file;
  ov_target_session_layout (place->session, file, self->experiment);
  emit_phase (self, NULL, OV_PHASE_LAYOUT, NAN);
}

static gboolean
step_lay_out (OvSuite *self)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      if (!place_is_needed (self, place))
        continue;
      while (place->n_laid < place->files->len)
        {
          OvPlanFile *file = place->files->pdata[place->n_laid];

          if (g_hash_table_contains (place->spoilt, file->name))
            {
              place->n_laid++; /* failed in an earlier session */
              continue;
            }
          lay_out (self, place, file);
          return TRUE;
        }
      if (place->lost != NULL)
        {
          lay_out (self, place, place->lost);
          return TRUE;
        }
    }
  return FALSE;
}

/* Starts the next run, or passes by one that cannot be. */
static void
step_run (OvSuite *self)
{
  OvRun *run = ov_suite_current_run (self);
  OvPlace *place = find_place (self, run->spec->target);
  const char *spoilt
      = run->spec->file != NULL ? g_hash_table_lookup (place->spoilt, run->spec->file) : NULL;

  if (place->refused != NULL)
    fail_run (self, run, OV_STATE_SKIPPED, place->refused);
  else if (spoilt != NULL)
    fail_run (self, run, OV_STATE_FAILED, spoilt);
  else
    {
      run->state = OV_STATE_RUNNING;
      ov_rates_reset (&self->rates);
      self->begin_ns = -1;
      self->run_sent_ns = ov_clock_now_ns ();
      ov_target_session_run (place->session, run);
      emit_phase (self, run, OV_PHASE_PROBE, NAN);
    }
}

static void
advance (OvSuite *self)
{
  gboolean all_closed = TRUE;

  if (!self->skipped)
    tell_skips (self);
  if (ov_suite_find_working (self) != NULL)
    return;
  if (!self->ending
      && (ov_suite_is_stopping (self) || self->fatal != NULL || self->next >= self->runs->len))
    begin_ending (self);
  if (self->ending)
    {
      for (guint i = 0; i < self->places->len; i++)
        all_closed &= ((OvPlace *)self->places->pdata[i])->session == NULL;
      if (all_closed)
        finish (self);
      return;
    }
  if (!step_open (self) && !step_look (self) && !step_lay_out (self))
    step_run (self);
}

static gboolean
on_advance (gpointer data)
{
  g_autoptr (OvSuite) self = g_object_ref (data);

  ov_clear_source (&self->advance);
  advance (self);
  return G_SOURCE_REMOVE;
}
