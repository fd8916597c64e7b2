/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run gave, and its JSON.  The figures are walked through by tables, so that reader and
 * writer cannot differ.
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "model/ov-histogram-private.h"
#include "model/ov-json-private.h"
#include "model/ov-neighbour-private.h"
#include "model/ov-profile-private.h"
#include "model/ov-run-private.h"
#include "model/ov-types-private.h"

typedef struct
{
  const char *key;
  gsize field; /* offset in OvRun */
} Figure;

/* Whole numbers, null where not measured. */
static const Figure figures[] = {
  { "error-offset", G_STRUCT_OFFSET (OvRun, error_offset) },
  { "started", G_STRUCT_OFFSET (OvRun, started_ns) },
  { "elapsed", G_STRUCT_OFFSET (OvRun, elapsed_ns) },
  { "stable", G_STRUCT_OFFSET (OvRun, stable_ns) },
  { "cpu", G_STRUCT_OFFSET (OvRun, cpu_ns) },
  { "write-elapsed", G_STRUCT_OFFSET (OvRun, write_ns) },
  { "read-elapsed", G_STRUCT_OFFSET (OvRun, read_ns) },
  { "write-cpu", G_STRUCT_OFFSET (OvRun, write_cpu_ns) },
  { "read-cpu", G_STRUCT_OFFSET (OvRun, read_cpu_ns) },
  { "user", G_STRUCT_OFFSET (OvRun, user_ns) },
  { "system", G_STRUCT_OFFSET (OvRun, system_ns) },
  { "bytes", G_STRUCT_OFFSET (OvRun, bytes) },
  { "submitted", G_STRUCT_OFFSET (OvRun, submitted) },
  { "completed", G_STRUCT_OFFSET (OvRun, completed) },
  { "cancelled", G_STRUCT_OFFSET (OvRun, cancelled) },
  { "short-io", G_STRUCT_OFFSET (OvRun, short_io) },
  { "system-reads", G_STRUCT_OFFSET (OvRun, system_reads) },
  { "system-writes", G_STRUCT_OFFSET (OvRun, system_writes) },
  { "device-bytes", G_STRUCT_OFFSET (OvRun, device_bytes) },
  { "written-bytes", G_STRUCT_OFFSET (OvRun, written_bytes) },
  { "minor-faults", G_STRUCT_OFFSET (OvRun, minor_faults) },
  { "major-faults", G_STRUCT_OFFSET (OvRun, major_faults) },
  { "voluntary-switches", G_STRUCT_OFFSET (OvRun, voluntary_switches) },
  { "involuntary-switches", G_STRUCT_OFFSET (OvRun, involuntary_switches) },
  { "peak-memory", G_STRUCT_OFFSET (OvRun, peak_memory) },
  { "prepare", G_STRUCT_OFFSET (OvRun, prepare_ns) },
  { "conditioning", G_STRUCT_OFFSET (OvRun, condition_ns) },
  { "discard", G_STRUCT_OFFSET (OvRun, discard_ns) },
  { "restore", G_STRUCT_OFFSET (OvRun, restore_ns) },
  { "stop-latency", G_STRUCT_OFFSET (OvRun, stop_latency_ns) },
  { "teardown", G_STRUCT_OFFSET (OvRun, teardown_ns) },
};

/* Parts and cores, null where not measured. */
static const Figure parts[] = {
  { "machine-busy", G_STRUCT_OFFSET (OvRun, machine_busy) },
  { "resident-before", G_STRUCT_OFFSET (OvRun, resident_before) },
  { "resident-after", G_STRUCT_OFFSET (OvRun, resident_after) },
};

/* The times of the log's columns, null where there is none. */
static const Figure log_times[] = {
  { "submit", G_STRUCT_OFFSET (OvRequest, submit_ns) },
  { "handed", G_STRUCT_OFFSET (OvRequest, handed_ns) }, /* may be missing */
  { "complete", G_STRUCT_OFFSET (OvRequest, complete_ns) },
  { "consume-start", G_STRUCT_OFFSET (OvRequest, consume_start_ns) },
  { "consume-end", G_STRUCT_OFFSET (OvRequest, consume_end_ns) },
};

#define LOG_HANDED 1 /* place of "handed" in log_times */

#define INT_AT(base, figure)    G_STRUCT_MEMBER (gint64, base, (figure).field)
#define DOUBLE_AT(base, figure) G_STRUCT_MEMBER (double, base, (figure).field)

OvRun *
ov_run_new (OvRunSpec *spec)
{
  OvRun *run = g_atomic_rc_box_new0 (OvRun);
  gsize i;

  run->spec = spec != NULL ? spec : ov_run_spec_new ();
  run->state = OV_STATE_WAITING;
  for (i = 0; i < G_N_ELEMENTS (figures); i++)
    INT_AT (run, figures[i]) = -1;
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    DOUBLE_AT (run, parts[i]) = NAN;
  return run;
}

OvRun *
ov_run_ref (OvRun *run)
{
  return g_atomic_rc_box_acquire (run);
}

static void
clear_run (gpointer data)
{
  OvRun *run = data;

  ov_run_spec_free (run->spec);
  g_free (run->cause);
  g_free (run->check);
  g_free (run->effective);
  g_free (run->latency);
  g_clear_pointer (&run->latency_packed, g_bytes_unref);
  g_free (run->submit_latency);
  g_clear_pointer (&run->submit_latency_packed, g_bytes_unref);
  g_clear_pointer (&run->profile, ov_profile_free);
  g_clear_pointer (&run->neighbour, ov_neighbour_free);
  g_clear_pointer (&run->log, g_array_unref);
  g_clear_pointer (&run->device, g_array_unref);
}

void
ov_run_unref (OvRun *run)
{
  if (run != NULL)
    g_atomic_rc_box_release_full (run, clear_run);
}

double
ov_run_rate (const OvRun *run)
{
  g_return_val_if_fail (run != NULL, NAN);
  if (run->bytes <= 0 || run->elapsed_ns <= 0)
    return NAN;
  return (double)run->bytes * 1e9 / (double)run->elapsed_ns;
}

double
ov_run_cpu_per_gb (const OvRun *run)
{
  g_return_val_if_fail (run != NULL, NAN);
  if (run->bytes <= 0 || run->cpu_ns < 0)
    return NAN;
  return (double)run->cpu_ns / (double)run->bytes; /* ns a byte = s for each 10^9 bytes */
}

/* ---- The histogram ------------------------------------------------------------------------ */

const OvHistogram *
ov_run_get_latency (OvRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  if (run->latency == NULL && run->latency_packed != NULL)
    run->latency = ov_histogram_unpack (run->latency_packed);
  return run->latency;
}

const OvHistogram *
ov_run_get_submit_latency (OvRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  if (run->submit_latency == NULL && run->submit_latency_packed != NULL)
    run->submit_latency = ov_histogram_unpack (run->submit_latency_packed);
  return run->submit_latency;
}

static void
pack_one (OvHistogram **histogram, GBytes **packed)
{
  if (*histogram == NULL)
    return;
  g_clear_pointer (packed, g_bytes_unref);
  *packed = ov_histogram_pack (*histogram);
  g_clear_pointer (histogram, g_free);
}

void
ov_run_pack_latency (OvRun *run)
{
  g_return_if_fail (run != NULL);
  pack_one (&run->latency, &run->latency_packed);
  pack_one (&run->submit_latency, &run->submit_latency_packed);
}

static void
set_histogram (JsonObject *object, const char *key, const OvHistogram *histogram, GBytes *packed)
{
  g_autofree OvHistogram *unpacked = NULL;

  if (histogram == NULL && packed != NULL)
    histogram = unpacked = ov_histogram_unpack (packed);
  if (histogram != NULL)
    json_object_set_member (object, key, ov_histogram_to_json (histogram));
  else
    json_object_set_null_member (object, key);
}

/* ---- The log ------------------------------------------------------------------------------ */

void
ov_requests_to_json (JsonObject *object, const OvRequest *requests, gsize n)
{
  JsonArray *offsets = json_array_sized_new ((guint)n);
  JsonArray *results = json_array_sized_new ((guint)n);
  JsonArray *slots = json_array_sized_new ((guint)n);
  gsize column;
  gsize i;

  for (column = 0; column < G_N_ELEMENTS (log_times); column++)
    {
      JsonArray *times = json_array_sized_new ((guint)n);

      for (i = 0; i < n; i++)
        if (INT_AT (&requests[i], log_times[column]) < 0)
          json_array_add_null_element (times);
        else
          json_array_add_int_element (times, INT_AT (&requests[i], log_times[column]));
      json_object_set_array_member (object, log_times[column].key, times);
    }
  for (i = 0; i < n; i++)
    {
      json_array_add_int_element (offsets, (gint64)MIN (requests[i].offset, G_MAXINT64));
      json_array_add_int_element (results, requests[i].result);
      json_array_add_int_element (slots, requests[i].slot);
    }
  json_object_set_array_member (object, "offset", offsets);
  json_object_set_array_member (object, "result", results);
  json_object_set_array_member (object, "slot", slots);
}

/* The column `key`, which must hold `n` elements (G_MAXUINT: any number), or NULL and a fault. */
static JsonArray *
log_column (OvJsonReader *r, const char *key, guint n)
{
  JsonArray *column = ov_json_array (r, key);

  if (column == NULL)
    ov_json_require (r, key);
  else if (n != G_MAXUINT && json_array_get_length (column) != n)
    {
      ov_json_fail (r, key, _ ("is not as long as the other columns"));
      return NULL;
    }
  return column;
}

static gint64
log_cell (OvJsonReader *r, JsonArray *column, const char *key, guint row, gint64 min, gint64 max,
          gboolean nullable)
{
  JsonNode *node = json_array_get_element (column, row);

  if (nullable && JSON_NODE_HOLDS_NULL (node))
    return -1;
  if (json_node_get_value_type (node) == G_TYPE_INT64 && json_node_get_int (node) >= min
      && json_node_get_int (node) <= max)
    return json_node_get_int (node);
  ov_json_fail_at (r, key, row, _ ("no such number is possible here"));
  return 0;
}

/* Appends the rows of the reader's object to `log`. */
static void
read_log (OvJsonReader *r, GArray *log)
{
  JsonArray *times[G_N_ELEMENTS (log_times)];
  JsonArray *offsets = log_column (r, "offset", G_MAXUINT);
  guint n = offsets != NULL ? json_array_get_length (offsets) : 0;
  JsonArray *results = log_column (r, "result", n);
  JsonArray *slots = log_column (r, "slot", n);
  guint column;
  guint i;

  for (column = 0; column < G_N_ELEMENTS (log_times); column++)
    times[column] = column == LOG_HANDED && ov_json_member (r, "handed") == NULL
                        ? NULL
                        : log_column (r, log_times[column].key, n);
  for (i = 0; i < n && r->error == NULL; i++)
    {
      OvRequest request;

      for (column = 0; column < G_N_ELEMENTS (log_times); column++)
        INT_AT (&request, log_times[column])
            = times[column] != NULL
                  ? log_cell (r, times[column], log_times[column].key, i, 0, G_MAXINT64, TRUE)
                  : -1;
      request.offset = (guint64)log_cell (r, offsets, "offset", i, 0, G_MAXINT64, FALSE);
      request.result = log_cell (r, results, "result", i, G_MININT64, G_MAXINT64, FALSE);
      request.slot = (guint32)log_cell (r, slots, "slot", i, 0, G_MAXUINT32, FALSE);
      g_array_append_val (log, request);
    }
}

gboolean
ov_requests_from_json (JsonObject *object, GArray *log, GError **error)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  guint before = log->len;
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  read_log (&r, log);
  if (ov_json_end (&r, error))
    return TRUE;
  g_array_set_size (log, before);
  return FALSE;
}

/* ---- The run ------------------------------------------------------------------------------ */

/** The requests' columns under `key`, where there is a log. */
static void
set_log (JsonObject *object, const char *key, const GArray *log)
{
  JsonObject *columns;

  if (log == NULL)
    return;
  columns = json_object_new ();
  ov_requests_to_json (columns, (const OvRequest *)(gpointer)log->data, log->len);
  json_object_set_object_member (object, key, columns);
}

JsonNode *
ov_run_to_json (const OvRun *run, gboolean with_log)
{
  JsonObject *object = json_object_new ();
  gsize i;

  g_return_val_if_fail (run != NULL, NULL);
  json_object_set_member (object, "spec", ov_run_spec_to_json (run->spec));
  json_object_set_string_member (object, "state", ov_state_nick (run->state));
  ov_json_set_string (object, "cause", run->cause);
  for (i = 0; i < G_N_ELEMENTS (figures); i++)
    ov_json_set_figure (object, figures[i].key, INT_AT (run, figures[i]));
  json_object_set_boolean_member (object, "split-uncertain", run->split_uncertain);
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    ov_json_set_double (object, parts[i].key, DOUBLE_AT (run, parts[i]));
  ov_json_set_string (object, "check", run->check);
  ov_json_set_string (object, "effective", run->effective);
  set_histogram (object, "latency", run->latency, run->latency_packed);
  set_histogram (object, "submit-latency", run->submit_latency, run->submit_latency_packed);
  if (run->profile != NULL)
    json_object_set_member (object, "profile", ov_profile_to_json (run->profile));
  if (run->neighbour != NULL)
    json_object_set_member (object, "neighbour", ov_neighbour_to_json (run->neighbour));
  json_object_set_int_member (object, "log-dropped", (gint64)MIN (run->log_dropped, G_MAXINT64));
  if (run->device_dropped > 0)
    json_object_set_int_member (object, "device-dropped",
                                (gint64)MIN (run->device_dropped, G_MAXINT64));
  if (with_log)
    {
      set_log (object, "log", run->log);
      set_log (object, "device", run->device);
    }
  return ov_json_take_object (object);
}

static void
read_spec (OvJsonReader *r, OvRun *run)
{
  JsonNode *node = ov_json_member (r, "spec");
  g_autoptr (GError) error = NULL;
  OvRunSpec *spec;

  ov_json_require (r, "spec");
  if (node == NULL)
    return;
  spec = ov_run_spec_from_json (node, &error);
  if (spec == NULL)
    {
      ov_json_fail (r, "spec", "%s", error->message);
      return;
    }
  ov_run_spec_free (run->spec);
  run->spec = spec;
}

static GArray *
read_log_of (OvJsonReader *r, const char *key)
{
  JsonNode *node = ov_json_member (r, key);
  OvJsonReader child;
  GArray *log;

  if (node == NULL)
    return NULL;
  log = g_array_new (FALSE, FALSE, sizeof (OvRequest));
  ov_json_begin_child (&child, r, node, key, -1);
  read_log (&child, log);
  ov_json_end_child (&child, r);
  return log;
}

void
ov_run_read (OvJsonReader *r, OvRun *run)
{
  gsize i;

  read_spec (r, run);
  ov_json_require (r, "state");
  run->state = (OvState)ov_json_nick (r, "state", ov_state_nicks, OV_STATE_WAITING);
  run->cause = ov_json_string (r, "cause");
  for (i = 0; i < G_N_ELEMENTS (figures); i++)
    INT_AT (run, figures[i]) = ov_json_figure (r, figures[i].key);
  run->split_uncertain = ov_json_bool (r, "split-uncertain", FALSE);
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    DOUBLE_AT (run, parts[i]) = ov_json_double (r, parts[i].key, 0, INFINITY, NAN);
  run->check = ov_json_string (r, "check");
  run->effective = ov_json_string (r, "effective");
  run->latency = ov_histogram_read (r, "latency");
  run->submit_latency = ov_histogram_read (r, "submit-latency");
  run->profile = ov_profile_read (r, "profile");
  run->neighbour = ov_neighbour_read (r, "neighbour");
  run->log_dropped = (guint64)ov_json_int (r, "log-dropped", 0, G_MAXINT64, 0);
  run->log = read_log_of (r, "log");
  run->device_dropped = (guint64)ov_json_int (r, "device-dropped", 0, G_MAXINT64, 0);
  run->device = read_log_of (r, "device");
}

OvRun *
ov_run_from_json (JsonNode *node, GError **error)
{
  OvRun *run = ov_run_new (NULL);
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  ov_run_read (&r, run);
  if (ov_json_end (&r, error))
    return run;
  ov_run_unref (run);
  return NULL;
}
