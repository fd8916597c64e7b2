/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question to a worker.  The query belongs to its connection's "closed", which always comes:
 * there it returns the task and frees itself; or where the answer is complete and the connection
 * was parked, and nowhere else.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "engine/ov-connection.h"
#include "engine/ov-fields-private.h"
#include "engine/ov-patience-private.h"
#include "engine/ov-query-private.h"
#include "engine/ov-source-private.h"

#define TICK_MS 100

typedef struct
{
  const OvQueryKind *kind;
  GTask *task;
  OvConnection *connection;
  GSource *tick;
  GSource *cancel;
  JsonObject *object; /* until it was sent */
  gpointer answer;
  char *subject;
  gint64 started_us;
  guint greet_ms;
  guint id; /* of the command, 0 before the hello */
  gboolean complete;
  GError *error;
} Query;

static void
query_return (Query *query)
{
  ov_clear_source (&query->tick);
  ov_clear_source (&query->cancel);
  if (query->error != NULL)
    g_task_return_error (query->task, g_steal_pointer (&query->error));
  else
    g_task_return_pointer (query->task, g_steal_pointer (&query->answer), query->kind->free_answer);

  g_clear_pointer (&query->object, json_object_unref);
  g_clear_pointer (&query->answer, query->kind->free_answer);
  g_clear_object (&query->connection);
  g_object_unref (query->task);
  g_free (query->subject);
  g_free (query);
}

/* Gives up: ends the worker at once, "closed" follows. */
static void
query_fail (Query *query, GError *error)
{
  if (query->error == NULL && !query->complete)
    query->error = error;
  else
    g_error_free (error);
  ov_clear_source (&query->cancel);
  ov_connection_kill (query->connection);
}

static void
on_closed (OvConnection *connection, const GError *error, Query *query)
{
  if (!query->complete && query->error == NULL)
    query->error = error != NULL ? g_error_copy (error)
                                 : g_error_new_literal (OV_ERROR, OV_ERROR_WORKER,
                                                        _ ("The worker ended without an answer."));
  query_return (query);
}

static void
on_message (OvConnection *connection, JsonObject *message, Query *query)
{
  GError *error = NULL;

  if (query->complete || query->error != NULL)
    return;
  if (query->id == 0)
    query->id
        = ov_connection_send (connection, query->kind->command, g_steal_pointer (&query->object));
  else if (g_strcmp0 (ov_field_text (message, "event"), "error") == 0)
    {
      if (ov_field_int (message, "id", -1) == query->id)
        query_fail (query, ov_error_from_event (message));
      return;
    }
  switch (query->kind->take (query->answer, message, &error))
    {
    case OV_QUERY_MORE:
      break;
    case OV_QUERY_DONE:
      query->complete = TRUE;
      ov_clear_source (&query->tick);
      g_signal_handlers_disconnect_by_data (connection, query);
      if (ov_connection_park (connection))
        {
          query_return (query);
          break;
        }
      g_signal_connect (connection, "closed", G_CALLBACK (on_closed), query);
      ov_connection_close (connection, ov_patience.term);
      break;
    case OV_QUERY_FAILED:
      query_fail (query, error);
      break;
    }
}

static gboolean
on_tick (gpointer data)
{
  Query *query = data;
  gint64 waited = (g_get_monotonic_time () - query->started_us) / 1000;
  gint64 silent = ov_connection_silent_ms (query->connection);

  if (query->error != NULL)
    return G_SOURCE_CONTINUE;
  if (query->id == 0 && waited > query->greet_ms)
    query_fail (query,
                g_error_new (OV_ERROR, OV_ERROR_WORKER, _ ("The worker was not ready after %g s."),
                             query->greet_ms / 1000.0));
  else if (query->id != 0 && silent > query->kind->silence_ms)
    query_fail (query,
                g_error_new (OV_ERROR, OV_ERROR_WORKER, _ ("%s does not answer."), query->subject));
  return G_SOURCE_CONTINUE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Query *query = data;
  GError *error = NULL;

  ov_clear_source (&query->cancel);
  g_cancellable_set_error_if_cancelled (cancellable, &error);
  if (error != NULL)
    query_fail (query, error);
  return G_SOURCE_REMOVE;
}

void
ov_query_run (GTask *task, const OvLauncher *launcher, const OvQueryKind *kind, JsonObject *object,
              gpointer answer, const char *subject)
{
  Query *query = g_new0 (Query, 1);
  GCancellable *cancellable = g_task_get_cancellable (task);

  query->kind = kind;
  query->task = task;
  query->object = object;
  query->answer = answer;
  query->subject = g_strdup (subject);
  query->started_us = g_get_monotonic_time ();
  query->greet_ms = launcher->prefix[0] != NULL ? ov_patience.greet_remote : ov_patience.greet;
  query->connection = ov_connection_obtain (launcher, "overlap " OV_VERSION, &query->error);
  if (query->connection == NULL)
    {
      query_return (query);
      return;
    }
  g_signal_connect (query->connection, "message", G_CALLBACK (on_message), query);
  g_signal_connect (query->connection, "closed", G_CALLBACK (on_closed), query);

  query->tick = g_timeout_source_new (TICK_MS);
  g_source_set_callback (query->tick, on_tick, query, NULL);
  g_source_attach (query->tick, g_task_get_context (task));
  if (cancellable != NULL)
    {
      query->cancel = g_cancellable_source_new (cancellable);
      g_source_set_callback (query->cancel, G_SOURCE_FUNC (on_cancelled), query, NULL);
      g_source_attach (query->cancel, g_task_get_context (task));
    }
}
