/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session: commands out, answers in, and the figures of a run put together from its pieces.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-clock.h"
#include "base/ov-error.h"
#include "engine/ov-connection.h"
#include "engine/ov-fields-private.h"
#include "engine/ov-target-session-private.h"

/* Requests that a run's log may hold where its spec does not say (56 bytes each). */
#define LOG_MOST 1000000
#define REPORT_NS                                                                                  \
  4000000000 /* of a session that nobody watches; less than what it is asked after for */

struct _OvTargetSession
{
  OvConnection *connection;
  char *target;
  const OvTargetSessionEvents *events;
  gpointer data;

  OvTargetSessionState state;
  gboolean greeted;
  gboolean unwatched; /* as the worker was told */
  OvTargetInfo *info;
  GPtrArray *files; /* names of laid out files */

  guint id;        /* of the command that is going on */
  char *file;      /* that is being laid out */
  OvRun *run;      /* that is going on */
  GArray *log;     /* of OvRequest: its pieces so far, or NULL */
  GArray *device;  /* the same of a simulated disk */
  gint64 sent_ns;  /* CLOCK_MONOTONIC of the command */
  gint64 zero_ns;  /* estimate of when the worker got it */
  gint64 abort_ns; /* when the first abort was sent, or -1 */
  GError *cause;   /* why it was broken off, or NULL */
};

/* A freed session is deaf: whoever is still in one of its functions reaches nobody. */
static void
deaf_greeted (OvTargetSession *session, OvMachine *machine, gpointer data)
{
  ov_machine_free (machine);
}

static void
deaf_phase (OvTargetSession *session, OvPhase phase, gint64 t_ns, double fraction, gpointer data)
{
}

static void
deaf_snapshot (OvTargetSession *session, const OvSnapshot *snapshot, gpointer data)
{
}

static void
deaf_live (OvTargetSession *session, const OvLiveRequests *live, gpointer data)
{
}

static void
deaf_answered (OvTargetSession *session, OvTargetSessionState was, const GError *error,
               gpointer data)
{
}

static void
deaf_closed (OvTargetSession *session, const GError *error, gpointer data)
{
}

static const OvTargetSessionEvents deaf_events = {
  .greeted = deaf_greeted,
  .phase = deaf_phase,
  .snapshot = deaf_snapshot,
  .live = deaf_live,
  .answered = deaf_answered,
  .closed = deaf_closed,
};

static void
session_clear (gpointer data)
{
  OvTargetSession *session = data;

  g_object_unref (session->connection);
  g_clear_pointer (&session->run, ov_run_unref);
  g_clear_pointer (&session->log, g_array_unref);
  g_clear_pointer (&session->device, g_array_unref);
  ov_target_info_free (session->info);
  g_ptr_array_unref (session->files);
  g_free (session->file);
  g_free (session->target);
  g_clear_error (&session->cause);
}

static void
session_unref (OvTargetSession *session)
{
  g_rc_box_release_full (session, session_clear);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvTargetSession, session_unref)

/* ---- The current command -------------------------------------------------------------------- */

static void
begin_command (OvTargetSession *session, OvTargetSessionState state, const char *command,
               JsonObject *object)
{
  g_assert (session->state == OV_TARGET_SESSION_READY);

  session->state = state;
  session->sent_ns = ov_clock_now_ns ();
  session->zero_ns = -1;
  session->abort_ns = -1;
  session->id = ov_connection_send (session->connection, command, object);
}

static void
end_command (OvTargetSession *session, const GError *error)
{
  OvTargetSessionState was = session->state;

  if (was != OV_TARGET_SESSION_PREFLIGHT && was != OV_TARGET_SESSION_LAYOUT
      && was != OV_TARGET_SESSION_RUN)
    return;
  session->state = OV_TARGET_SESSION_READY;
  session->id = 0;
  g_clear_pointer (&session->file, g_free);
  g_clear_pointer (&session->run, ov_run_unref);
  g_clear_pointer (&session->log, g_array_unref);
  g_clear_pointer (&session->device, g_array_unref);
  session->events->answered (session, was, error, session->data);
}

void
ov_target_session_break (OvTargetSession *session, GError *error)
{
  OvTargetSessionState was = session->state;
  G_GNUC_UNUSED g_autoptr (OvTargetSession) hold = g_rc_box_acquire (session);

  if (was >= OV_TARGET_SESSION_ENDING)
    {
      g_error_free (error);
      return;
    }
  session->cause = error;
  session->state = OV_TARGET_SESSION_ENDING;
  ov_connection_kill (session->connection);
  if (was == OV_TARGET_SESSION_PREFLIGHT || was == OV_TARGET_SESSION_LAYOUT
      || was == OV_TARGET_SESSION_RUN)
    session->events->answered (session, was, error, session->data);
}

/* The worker's clock against ours.  A line's arrival minus its `t` is the moment at which the
 * worker got the command plus the way back; the smallest is the best estimate.  It is not before
 * we sent it. */
static void
learn_time (OvTargetSession *session, gint64 t_ns)
{
  gint64 zero = ov_clock_now_ns () - t_ns;

  if (t_ns < 0)
    return;
  zero = MAX (zero, session->sent_ns);
  if (session->zero_ns < 0 || zero < session->zero_ns)
    session->zero_ns = zero;
}

gint64
ov_target_session_get_command_ns (const OvTargetSession *session)
{
  return session->zero_ns >= 0 ? session->zero_ns : session->sent_ns;
}

/* ---- Events --------------------------------------------------------------------------------- */

static void
take_hello (OvTargetSession *session, JsonObject *message)
{
  g_autoptr (GError) error = NULL;
  OvMachine *machine = ov_machine_from_json (json_object_get_member (message, "machine"), &error);

  if (machine == NULL)
    g_debug ("hello without a machine: %s", error->message);
  session->greeted = TRUE;
  session->state = OV_TARGET_SESSION_READY;
  session->events->greeted (session, machine, session->data);
}

static void
take_phase (OvTargetSession *session, JsonObject *message)
{
  const char *nick = ov_field_text (message, "phase");
  gint64 t = ov_field_int (message, "t", -1);
  OvPhase phase;

  if (nick == NULL || !ov_phase_from_nick (nick, &phase)
      || ov_field_int (message, "id", session->id) != session->id)
    return;
  learn_time (session, t);
  session->events->phase (session, phase, t, ov_field_double (message, "fraction"), session->data);
}

/* Pairs of row and count.  FALSE if they are none. */
static gboolean
read_rows (JsonObject *message, guint64 *rows)
{
  JsonNode *node = json_object_get_member (message, "latency");
  JsonArray *pairs
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = pairs != NULL ? json_array_get_length (pairs) : 0;

  memset (rows, 0, OV_HEAT_N_ROWS * sizeof *rows);
  for (guint i = 0; i + 1 < n; i += 2)
    {
      JsonNode *row = json_array_get_element (pairs, i);
      JsonNode *count = json_array_get_element (pairs, i + 1);

      if (json_node_get_value_type (row) != G_TYPE_INT64
          || json_node_get_value_type (count) != G_TYPE_INT64 || json_node_get_int (row) < 0
          || json_node_get_int (row) >= OV_HEAT_N_ROWS || json_node_get_int (count) < 0)
        return FALSE;
      rows[json_node_get_int (row)] = (guint64)json_node_get_int (count);
    }
  return n > 0;
}

/* What a snapshot tells of requests: only for looking at, so that what cannot be read is left out.
 */
static void
take_live (OvTargetSession *session, JsonObject *message, gint64 run_ns)
{
  JsonNode *node = json_object_get_member (message, "log");
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (OvRequest));
  guint64 rows[OV_HEAT_N_ROWS];
  OvLiveRequests live = { .run_ns = run_ns };
  gint64 first;

  if (run_ns < 0)
    return;
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    {
      first = ov_field_int (json_node_get_object (node), "first", -1);
      if (first >= 0 && ov_requests_from_json (json_node_get_object (node), requests, NULL))
        {
          live.first = (guint64)first;
          live.requests = requests;
        }
    }
  if (read_rows (message, rows))
    live.latency = rows;
  if (live.requests != NULL || live.latency != NULL)
    session->events->live (session, &live, session->data);
}

static void
take_snapshot (OvTargetSession *session, JsonObject *message)
{
  OvSnapshot snapshot;

  if (session->state != OV_TARGET_SESSION_RUN || !ov_snapshot_from_json (message, &snapshot)
      || snapshot.run != session->run->spec->index)
    return;
  learn_time (session, snapshot.t_ns);
  session->events->snapshot (session, &snapshot, session->data);
  if (session->state == OV_TARGET_SESSION_RUN)
    take_live (session, message, snapshot.run_ns);
}

/* Whether an event is about the run that is going on. */
static gboolean
is_current (OvTargetSession *session, JsonObject *message)
{
  return session->state == OV_TARGET_SESSION_RUN
         && ov_field_int (message, "id", session->id) == session->id;
}

/* Appends a piece of the log of the run that is going on. */
static void
take_piece (OvTargetSession *session, JsonObject *message, GArray **log, guint64 most)
{
  g_autoptr (GError) error = NULL;
  gint64 first = ov_field_int (message, "first", -1);

  if (!is_current (session, message)
      || ov_field_int (message, "run", -1) != session->run->spec->index)
    return;
  if (*log == NULL)
    *log = g_array_new (FALSE, FALSE, sizeof (OvRequest));
  if (first != (*log)->len || (guint64)first > most)
    ov_target_session_break (session,
                             g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                                          _ ("The worker's request log has a gap or is too long, "
                                             "at request %d."),
                                          (int)CLAMP (first, -1, G_MAXINT)));
  else if (!ov_requests_from_json (message, *log, &error))
    ov_target_session_break (
        session, g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                              _ ("The worker's request log cannot be read: %s"), error->message));
}

static void
take_log (OvTargetSession *session, JsonObject *message)
{
  guint64 most = session->run != NULL ? session->run->spec->log_capacity : 0;

  take_piece (session, message, &session->log, most > 0 ? most : LOG_MOST);
}

static void
take_device_log (OvTargetSession *session, JsonObject *message)
{
  take_piece (session, message, &session->device, LOG_MOST);
}

/* Half of the way of a command and its answer: what the worker's own stop latency does not hold. */
static gint64
one_way_ns (OvTargetSession *session)
{
  return session->zero_ns >= 0 ? (session->zero_ns - session->sent_ns) / 2 : 0;
}

/* Moves the figures of `got` into `run`, which keeps its place and its spec. */
static void
take_figures (OvTargetSession *session, OvRun *run, OvRun *got)
{
  OvRun old = *run;

  *run = *got;
  *got = old;
  got->spec = run->spec;
  run->spec = old.spec;
  if (session->log != NULL && run->log == NULL)
    run->log = g_steal_pointer (&session->log);
  if (session->device != NULL && run->device == NULL)
    run->device = g_steal_pointer (&session->device);
  /* The way was measured when the session began; it cannot have taken longer than until now. */
  if (run->stop_latency_ns >= 0 && session->abort_ns >= 0)
    run->stop_latency_ns
        = MIN (run->stop_latency_ns + one_way_ns (session), ov_clock_now_ns () - session->abort_ns);
}

static void
take_result (OvTargetSession *session, JsonObject *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvRun) got = NULL;

  if (!is_current (session, message))
    return;
  got = ov_run_from_json (json_object_get_member (message, "run"), &error);
  if (got == NULL)
    ov_target_session_break (session, g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                                                   _ ("The worker's result cannot be read: %s"),
                                                   error->message));
  else if (got->spec->index != session->run->spec->index || got->state < OV_STATE_DONE)
    ov_target_session_break (
        session, g_error_new_literal (OV_ERROR, OV_ERROR_PROTOCOL,
                                      _ ("The worker's result is that of another run.")));
  else
    {
      take_figures (session, session->run, got);
      end_command (session, NULL);
    }
}

static void
take_laid_out (OvTargetSession *session, JsonObject *message)
{
  if (session->state != OV_TARGET_SESSION_LAYOUT
      || g_strcmp0 (ov_field_text (message, "file"), session->file) != 0)
    return;
  if (!g_ptr_array_find_with_equal_func (session->files, session->file, g_str_equal, NULL))
    g_ptr_array_add (session->files, g_steal_pointer (&session->file));
  end_command (session, NULL);
}

static void
take_preflight (OvTargetSession *session, JsonObject *message)
{
  g_autoptr (GError) error = NULL;

  if (session->state != OV_TARGET_SESSION_PREFLIGHT)
    return;
  g_clear_pointer (&session->info, ov_target_info_free);
  session->info = ov_target_info_from_json (json_object_get_member (message, "target"), &error);
  if (session->info == NULL)
    g_prefix_error (&error, "%s", _ ("The worker's answer about the target cannot be read: "));
  end_command (session, error);
}

static void
take_error (OvTargetSession *session, JsonObject *message)
{
  g_autoptr (GError) error = NULL;

  /* Without an id it is the session's: the connection keeps it and is about to close. */
  if (session->id == 0 || ov_field_int (message, "id", 0) != session->id)
    return;
  error = ov_error_from_event (message);
  end_command (session, error);
}

static void
on_message (OvConnection *connection, JsonObject *message, OvTargetSession *session)
{
  G_GNUC_UNUSED g_autoptr (OvTargetSession) hold = g_rc_box_acquire (session);
  static const struct
  {
    const char *event;
    void (*take) (OvTargetSession *session, JsonObject *message);
  } table[] = {
    { "snapshot", take_snapshot },
    { "phase", take_phase },
    { "log", take_log },
    { "result", take_result },
    { "laid-out", take_laid_out },
    { "preflight", take_preflight },
    { "device-log", take_device_log },
    { "error", take_error },
  };
  const char *event = ov_field_text (message, "event");

  if (session->state == OV_TARGET_SESSION_GREETING)
    take_hello (session, message); /* the connection lets nothing else through */
  else if (session->state < OV_TARGET_SESSION_ENDING)
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
      if (g_strcmp0 (event, table[i].event) == 0)
        {
          table[i].take (session, message);
          return;
        }
}

static void
on_closed (OvConnection *connection, const GError *error, OvTargetSession *session)
{
  G_GNUC_UNUSED g_autoptr (OvTargetSession) hold = g_rc_box_acquire (session);
  OvTargetSessionState was = session->state;
  gboolean asked = was == OV_TARGET_SESSION_ENDING && error == NULL && session->cause == NULL;
  g_autoptr (GError) cause = NULL;

  if (session->cause != NULL)
    cause = g_error_copy (session->cause);
  else if (error != NULL)
    cause = g_error_copy (error);
  else
    cause = g_error_new_literal (OV_ERROR, OV_ERROR_WORKER,
                                 _ ("The worker ended before its work was done."));
  session->state = OV_TARGET_SESSION_CLOSED;
  if (was == OV_TARGET_SESSION_PREFLIGHT || was == OV_TARGET_SESSION_LAYOUT
      || was == OV_TARGET_SESSION_RUN)
    session->events->answered (session, was, cause, session->data);
  session->events->closed (session, asked ? NULL : cause, session->data);
}

static void
connect_signals (OvTargetSession *session)
{
  g_signal_connect (session->connection, "message", G_CALLBACK (on_message), session);
  g_signal_connect (session->connection, "closed", G_CALLBACK (on_closed), session);
}

/* ---- Commands ------------------------------------------------------------------------------- */

void
ov_target_session_preflight (OvTargetSession *session)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "target", session->target);
  begin_command (session, OV_TARGET_SESSION_PREFLIGHT, "preflight", object);
}

void
ov_target_session_layout (OvTargetSession *session, const OvPlanFile *file,
                          const OvExperiment *experiment)
{
  JsonObject *object = json_object_new ();
  const char letter[] = { experiment->letter, '\0' };

  json_object_set_string_member (object, "target", session->target);
  json_object_set_string_member (object, "file", file->name);
  json_object_set_int_member (object, "size", (gint64)file->size);
  if (file->empty)
    json_object_set_boolean_member (object, "empty", TRUE);
  json_object_set_int_member (object, "seed", (gint64)experiment->seed);
  json_object_set_string_member (object, "letter", letter);
  json_object_set_double_member (object, "density", experiment->density);
  session->file = g_strdup (file->name);
  begin_command (session, OV_TARGET_SESSION_LAYOUT, "layout", object);
}

void
ov_target_session_run (OvTargetSession *session, OvRun *run)
{
  JsonObject *object = json_object_new ();

  json_object_set_member (object, "spec", ov_run_spec_to_json (run->spec));
  session->run = ov_run_ref (run);
  begin_command (session, OV_TARGET_SESSION_RUN, "run", object);
}

void
ov_target_session_abort (OvTargetSession *session, gboolean force)
{
  JsonObject *object;

  if (session->state != OV_TARGET_SESSION_LAYOUT && session->state != OV_TARGET_SESSION_RUN)
    return;
  object = json_object_new ();
  if (force)
    json_object_set_boolean_member (object, "force", TRUE);
  if (session->abort_ns < 0)
    session->abort_ns = ov_clock_now_ns ();
  ov_connection_send (session->connection, "abort", object);
}

/* Leaves the worker to the next user, behind a prefix.  TRUE: `closed` was told. */
static gboolean
park (OvTargetSession *session)
{
  G_GNUC_UNUSED g_autoptr (OvTargetSession) hold = g_rc_box_acquire (session);

  g_signal_handlers_disconnect_by_data (session->connection, session);
  if (!ov_connection_park (session->connection))
    {
      connect_signals (session);
      return FALSE;
    }
  session->state = OV_TARGET_SESSION_CLOSED;
  session->events->closed (session, NULL, session->data);
  return TRUE;
}

void
ov_target_session_end (OvTargetSession *session, guint grace_ms)
{
  if (session->state == OV_TARGET_SESSION_CLOSED)
    return;
  if (session->state == OV_TARGET_SESSION_READY)
    for (guint i = 0; i < session->files->len; i++)
      {
        JsonObject *object = json_object_new ();

        json_object_set_string_member (object, "file", session->files->pdata[i]);
        ov_connection_send (session->connection, "forget", object);
      }
  ov_target_session_set_watched (session, TRUE); /* for its next user */
  if (session->state == OV_TARGET_SESSION_READY && park (session))
    return;
  session->state = OV_TARGET_SESSION_ENDING;
  ov_connection_close (session->connection, grace_ms);
}

void
ov_target_session_poke (OvTargetSession *session)
{
  JsonObject *object;

  if (session->state == OV_TARGET_SESSION_CLOSED || session->state == OV_TARGET_SESSION_GREETING)
    return;
  object = json_object_new ();
  json_object_set_string_member (object, "file", "");
  ov_connection_send (session->connection, "forget", object);
}

/* A worker that does not know the command answers with an error that belongs to no command of
 * ours. */
void
ov_target_session_set_watched (OvTargetSession *session, gboolean watched)
{
  JsonObject *object;

  if (session->unwatched == !watched || !session->greeted
      || session->state >= OV_TARGET_SESSION_ENDING)
    return;
  session->unwatched = !watched;
  object = json_object_new ();
  json_object_set_int_member (object, "every", watched ? 0 : REPORT_NS);
  ov_connection_send (session->connection, "report", object);
}

void
ov_target_session_kill (OvTargetSession *session)
{
  if (session->state != OV_TARGET_SESSION_CLOSED)
    ov_connection_kill (session->connection);
}

/* ---- The session ---------------------------------------------------------------------------- */

OvTargetSession *
ov_target_session_open (const OvLauncher *launcher, const char *target,
                        const OvTargetSessionEvents *events, gpointer data, GError **error)
{
  OvConnection *connection = ov_connection_obtain (launcher, "overlap " OV_VERSION, error);
  OvTargetSession *session;

  if (connection == NULL)
    return NULL;
  session = g_rc_box_new0 (OvTargetSession);
  session->connection = connection;
  session->target = g_strdup (target);
  session->events = events;
  session->data = data;
  session->state = OV_TARGET_SESSION_GREETING;
  session->files = g_ptr_array_new_with_free_func (g_free);
  session->sent_ns = ov_clock_now_ns ();
  session->zero_ns = -1;
  session->abort_ns = -1;
  connect_signals (session);
  return session;
}

void
ov_target_session_free (OvTargetSession *session)
{
  if (session == NULL)
    return;
  session->events = &deaf_events;
  g_signal_handlers_disconnect_by_data (session->connection, session);
  if (session->state != OV_TARGET_SESSION_CLOSED)
    ov_connection_kill (session->connection);
  session->state = OV_TARGET_SESSION_CLOSED;
  session_unref (session);
}

OvTargetSessionState
ov_target_session_get_state (const OvTargetSession *session)
{
  return session->state;
}

const char *
ov_target_session_get_target (const OvTargetSession *session)
{
  return session->target;
}

gboolean
ov_target_session_has_greeted (const OvTargetSession *session)
{
  return session->greeted;
}

gint64
ov_target_session_get_silent_ms (const OvTargetSession *session)
{
  return ov_connection_silent_ms (session->connection);
}

gint64
ov_target_session_get_waited_ms (const OvTargetSession *session)
{
  return (ov_clock_now_ns () - session->sent_ns) / 1000000;
}

OvTargetInfo *
ov_target_session_get_info (const OvTargetSession *session)
{
  return session->info;
}

GPid
ov_target_session_get_pid (const OvTargetSession *session)
{
  return ov_connection_get_pid (session->connection);
}
