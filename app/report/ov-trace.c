// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Events are printed one by one, metadata first; nothing in them is translated, for programs read
 * them. The format is that of "Trace Event Format" (Google), as Perfetto's documentation of
 * external formats restates it: X events must nest.
 */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "base/ov-error.h"
#include "model/ov-message.h"
#include "report/ov-lanes.h"
#include "report/ov-trace.h"

/* The thread of whoever uses the bytes: behind all buffers, of which there are at most 256. */
#define CONSUMER_TID 1000
#define DEVICE_TID   1001

typedef struct
{
  GString *out;
  guint pid;
  gint64 shift; /* of the run's own times */
} Writer;

/* Microseconds with all their nanoseconds. */
static void
append_us (GString *out, const char *key, gint64 ns)
{
  g_string_append_printf (out, ",\"%s\":%" G_GINT64_FORMAT ".%03d", key, ns / 1000,
                          (int)(ns % 1000));
}

static void
begin_event (Writer *w, const char *name, guint tid, gint64 t0, gint64 t1)
{
  if (w->out->str[w->out->len - 1] != '[')
    g_string_append_c (w->out, ',');
  g_string_append_printf (w->out,
                          "\n{\"name\":\"%s\",\"cat\":\"io\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u",
                          name, w->pid, tid);
  append_us (w->out, "ts", w->shift + t0);
  append_us (w->out, "dur", MAX (t1 - t0, 0));
}

/* A name of the process (tid < 0) or of one of its threads. */
static void
add_name (Writer *w, int tid, const char *name)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *event = json_object_new ();
  JsonObject *args = json_object_new ();
  g_autofree char *line = NULL;

  json_object_set_string_member (event, "name", tid < 0 ? "process_name" : "thread_name");
  json_object_set_string_member (event, "ph", "M");
  json_object_set_int_member (event, "pid", w->pid);
  json_object_set_int_member (event, "tid", MAX (tid, 0));
  json_object_set_string_member (args, "name", name);
  json_object_set_object_member (event, "args", args);
  json_node_take_object (node, event);
  line = ov_message_line (node);
  g_strchomp (line);
  if (w->out->str[w->out->len - 1] != '[')
    g_string_append_c (w->out, ',');
  g_string_append_printf (w->out, "\n%s", line);
  if (tid >= 0)
    g_string_append_printf (w->out,
                            ",\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%u,\"tid\":%d,"
                            "\"args\":{\"sort_index\":%d}}",
                            w->pid, tid, tid);
}

static const char *
request_name (const OvRequest *r)
{
  if (r->complete_ns < 0)
    return "request (not completed)";
  if (r->result == -ECANCELED)
    return "request (cancelled)";
  return r->result < 0 ? "request (failed)" : "request";
}

static void
add_request (Writer *w, const OvRequest *r, gsize number, gint64 end)
{
  gint64 done = MAX (r->complete_ns >= 0 ? r->complete_ns : end, r->submit_ns);

  if (r->submit_ns < 0)
    return;
  begin_event (w, request_name (r), r->slot + 1, r->submit_ns, done);
  g_string_append_printf (w->out,
                          ",\"args\":{\"number\":%" G_GSIZE_FORMAT ",\"offset\":%" G_GUINT64_FORMAT
                          ",\"result\":%" G_GINT64_FORMAT "}}",
                          number, r->offset, r->result);
  if (r->handed_ns >= r->submit_ns)
    {
      begin_event (w, "submit", r->slot + 1, r->submit_ns, MIN (r->handed_ns, done));
      g_string_append_c (w->out, '}');
    }
  if (r->consume_start_ns >= 0 && r->consume_end_ns >= r->consume_start_ns)
    {
      begin_event (w, "work", CONSUMER_TID, r->consume_start_ns, r->consume_end_ns);
      g_string_append_printf (w->out, ",\"args\":{\"number\":%" G_GSIZE_FORMAT ",\"buffer\":%u}}",
                              number, r->slot + 1);
    }
}

/* What a simulated disk did, in a row of its own. */
static void
add_device (Writer *w, const OvRun *run)
{
  const OvRequest *requests = (const OvRequest *)(gpointer)run->device->data;

  add_name (w, DEVICE_TID, "simulated disk");
  for (guint i = 0; i < run->device->len; i++)
    {
      begin_event (w, "service", DEVICE_TID, requests[i].consume_start_ns,
                   requests[i].consume_end_ns);
      g_string_append_printf (w->out,
                              ",\"args\":{\"number\":%u,\"offset\":%" G_GUINT64_FORMAT
                              ",\"waited-ns\":%" G_GINT64_FORMAT "}}",
                              i + 1, requests[i].offset,
                              requests[i].consume_start_ns - requests[i].submit_ns);
    }
}

static void
add_run (Writer *w, const OvResult *result, const OvRun *run)
{
  const guint n = run->log != NULL ? run->log->len : 0;
  const OvRequest *requests = n > 0 ? (const OvRequest *)(gpointer)run->log->data : NULL;
  g_autofree char *name = g_strdup_printf (
      "%s %s x=%.0f repetition %u", run->spec->variant, ov_condition_nick (run->spec->condition),
      run->spec->x > 0 ? run->spec->x : 0, run->spec->repetition + 1);
  gboolean named[256] = { FALSE };
  gboolean any_work = FALSE;

  w->shift = MAX (run->started_ns, 0);
  add_name (w, -1, name);
  for (guint i = 0; i < n; i++)
    {
      any_work = any_work || requests[i].consume_end_ns >= 0;
      if (requests[i].slot < G_N_ELEMENTS (named) && !named[requests[i].slot])
        {
          g_autofree char *buffer = g_strdup_printf ("buffer %u", requests[i].slot + 1);

          named[requests[i].slot] = TRUE;
          add_name (w, (int)requests[i].slot + 1, buffer);
        }
    }
  if (any_work)
    add_name (w, CONSUMER_TID, ov_work_nick (run->spec->work));
  for (guint i = 0; i < n; i++)
    add_request (w, &requests[i], i + 1, run->elapsed_ns);
  if (run->device != NULL)
    add_device (w, run);
}

/* What else a reader may want to know, where the format lets one say it. */
static void
append_other_data (GString *out, const OvResult *result)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *other = json_object_new ();
  g_autofree char *line = NULL;

  json_object_set_string_member (other, "program", "overlap " OV_VERSION);
  json_object_set_string_member (other, "experiment", result->experiment->id);
  json_object_set_int_member (other, "date", result->date);
  if (result->machine != NULL && result->machine->host != NULL)
    json_object_set_string_member (other, "host", result->machine->host);
  if (result->machine != NULL && result->machine->kernel != NULL)
    json_object_set_string_member (other, "kernel", result->machine->kernel);
  json_node_take_object (node, other);
  line = ov_message_line (node);
  g_strchomp (line);
  g_string_append_printf (out, "\"otherData\":%s,\n", line);
}

char *
ov_trace_to_text (const OvResult *result, const OvRun *run, GError **error)
{
  Writer w = { NULL, 0, 0 };
  guint n = 0;

  g_return_val_if_fail (result != NULL, NULL);

  if (run != NULL && !ov_lanes_has_log (run))
    {
      g_autofree char *why = ov_lanes_why_not (run);

      g_set_error_literal (error, OV_ERROR, OV_ERROR_INVALID, why);
      return NULL;
    }
  w.out = g_string_new ("{\"displayTimeUnit\":\"ns\",\n");
  append_other_data (w.out, result);
  g_string_append (w.out, "\"traceEvents\":[");
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *other = g_ptr_array_index (result->runs, i);

      if ((run != NULL && other != run) || !ov_lanes_has_log (other))
        continue;
      w.pid = i + 1;
      add_run (&w, result, other);
      n++;
    }
  g_string_append (w.out, "\n]}\n");
  if (n > 0)
    return g_string_free (w.out, FALSE);
  g_string_free (w.out, TRUE);
  g_set_error (error, OV_ERROR, OV_ERROR_INVALID, "%s",
               _ ("No run of this result has a request log: run it with --timing timeline, or with "
                  "“every request” under “Recorded of requests” in the run settings."));
  return NULL;
}
