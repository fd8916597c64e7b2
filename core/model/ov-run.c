/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run gave, and the reading of its JSON.  Readers (here and in ov-run-scan.c) and the writer
 * (ov-run-write.c) walk through the same tables, so that they cannot differ.
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

#define F(field) G_STRUCT_OFFSET (OvRun, field)

const OvRunMember ov_run_members[] = {
  { "spec", OV_RUN_SPEC, 0, 0 },
  { "state", OV_RUN_STATE, 0, 0 },
  { "cause", OV_RUN_TEXT, F (cause), 0 },
  { "error-offset", OV_RUN_FIGURE, F (error_offset), 0 },
  { "started", OV_RUN_FIGURE, F (started_ns), 0 },
  { "elapsed", OV_RUN_FIGURE, F (elapsed_ns), 0 },
  { "stable", OV_RUN_FIGURE, F (stable_ns), 0 },
  { "cpu", OV_RUN_FIGURE, F (cpu_ns), 0 },
  { "write-elapsed", OV_RUN_FIGURE, F (write_ns), 0 },
  { "read-elapsed", OV_RUN_FIGURE, F (read_ns), 0 },
  { "write-cpu", OV_RUN_FIGURE, F (write_cpu_ns), 0 },
  { "read-cpu", OV_RUN_FIGURE, F (read_cpu_ns), 0 },
  { "user", OV_RUN_FIGURE, F (user_ns), 0 },
  { "system", OV_RUN_FIGURE, F (system_ns), 0 },
  { "bytes", OV_RUN_FIGURE, F (bytes), 0 },
  { "submitted", OV_RUN_FIGURE, F (submitted), 0 },
  { "completed", OV_RUN_FIGURE, F (completed), 0 },
  { "cancelled", OV_RUN_FIGURE, F (cancelled), 0 },
  { "short-io", OV_RUN_FIGURE, F (short_io), 0 },
  { "missed", OV_RUN_FIGURE, F (missed), 0 },
  { "late", OV_RUN_FIGURE, F (late), 0 },
  { "gaps", OV_RUN_FIGURE, F (gaps), 0 },
  { "longest-gap", OV_RUN_FIGURE, F (longest_gap_ns), 0 },
  { "system-reads", OV_RUN_FIGURE, F (system_reads), 0 },
  { "system-writes", OV_RUN_FIGURE, F (system_writes), 0 },
  { "device-bytes", OV_RUN_FIGURE, F (device_bytes), 0 },
  { "written-bytes", OV_RUN_FIGURE, F (written_bytes), 0 },
  { "minor-faults", OV_RUN_FIGURE, F (minor_faults), 0 },
  { "major-faults", OV_RUN_FIGURE, F (major_faults), 0 },
  { "voluntary-switches", OV_RUN_FIGURE, F (voluntary_switches), 0 },
  { "involuntary-switches", OV_RUN_FIGURE, F (involuntary_switches), 0 },
  { "peak-memory", OV_RUN_FIGURE, F (peak_memory), 0 },
  { "prepare", OV_RUN_FIGURE, F (prepare_ns), 0 },
  { "conditioning", OV_RUN_FIGURE, F (condition_ns), 0 },
  { "discard", OV_RUN_FIGURE, F (discard_ns), 0 },
  { "restore", OV_RUN_FIGURE, F (restore_ns), 0 },
  { "stop-latency", OV_RUN_FIGURE, F (stop_latency_ns), 0 },
  { "teardown", OV_RUN_FIGURE, F (teardown_ns), 0 },
  { "split-uncertain", OV_RUN_BOOL, F (split_uncertain), 0 },
  { "machine-busy", OV_RUN_DOUBLE, F (machine_busy), 0 },
  { "resident-before", OV_RUN_DOUBLE, F (resident_before), 0 },
  { "resident-after", OV_RUN_DOUBLE, F (resident_after), 0 },
  { "check", OV_RUN_TEXT, F (check), 0 },
  { "effective", OV_RUN_TEXT, F (effective), 0 },
  { "latency", OV_RUN_HISTOGRAM, F (latency_packed), F (latency) },
  { "submit-latency", OV_RUN_HISTOGRAM, F (submit_latency_packed), F (submit_latency) },
  { "profile", OV_RUN_PROFILE, F (profile), 0 },
  { "neighbour", OV_RUN_NEIGHBOUR, F (neighbour), 0 },
  { "log-dropped", OV_RUN_COUNT, F (log_dropped), 0 },
  { "log", OV_RUN_LOG, F (log), 0 },
  { "device-dropped", OV_RUN_COUNT, F (device_dropped), 0 },
  { "device", OV_RUN_LOG, F (device), 0 },
  { NULL, OV_RUN_SPEC, 0, 0 },
};

#undef F

#define REQUEST(field) G_STRUCT_OFFSET (OvRequest, field)

const OvLogColumn ov_log_columns[OV_LOG_N_COLUMNS] = {
  { "submit", REQUEST (submit_ns), 0, G_MAXINT64, TRUE, FALSE },
  { "handed", REQUEST (handed_ns), 0, G_MAXINT64, TRUE, FALSE }, /* OV_LOG_HANDED */
  { "complete", REQUEST (complete_ns), 0, G_MAXINT64, TRUE, FALSE },
  { "consume-start", REQUEST (consume_start_ns), 0, G_MAXINT64, TRUE, FALSE },
  { "consume-end", REQUEST (consume_end_ns), 0, G_MAXINT64, TRUE, FALSE },
  { "offset", REQUEST (offset), 0, G_MAXINT64, FALSE, FALSE },
  { "result", REQUEST (result), G_MININT64, G_MAXINT64, FALSE, FALSE },
  { "slot", REQUEST (slot), 0, G_MAXUINT32, FALSE, TRUE },
};

#undef REQUEST

OvRun *
ov_run_new (OvRunSpec *spec)
{
  OvRun *run = g_atomic_rc_box_new0 (OvRun);

  run->spec = spec != NULL ? spec : ov_run_spec_new ();
  run->state = OV_STATE_WAITING;
  for (const OvRunMember *m = ov_run_members; m->key != NULL; m++)
    if (m->kind == OV_RUN_FIGURE)
      G_STRUCT_MEMBER (gint64, run, m->field) = -1;
    else if (m->kind == OV_RUN_DOUBLE)
      G_STRUCT_MEMBER (double, run, m->field) = NAN;
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
ov_run_per_second (const OvRun *run)
{
  g_return_val_if_fail (run != NULL, NAN);
  if (!(run->spec->job & OV_HARDWARE_JOBS) || run->completed < 0 || run->elapsed_ns <= 0)
    return NAN;
  return (double)run->completed * 1e9 / (double)run->elapsed_ns;
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

static OvHistogram *
dup_one (const OvHistogram *histogram, GBytes *packed)
{
  if (packed != NULL)
    return ov_histogram_unpack (packed);
  return histogram != NULL ? g_memdup2 (histogram, sizeof *histogram) : NULL;
}

OvHistogram *
ov_run_dup_latency (const OvRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  return dup_one (run->latency, run->latency_packed);
}

OvHistogram *
ov_run_dup_submit_latency (const OvRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  return dup_one (run->submit_latency, run->submit_latency_packed);
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

/* ---- The log ------------------------------------------------------------------------------ */

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
  JsonArray *columns[OV_LOG_N_COLUMNS] = { NULL };
  guint n = G_MAXUINT;

  /* Those that must have figures come first: they tell how many rows there are. */
  for (guint i = 0; i < OV_LOG_N_COLUMNS; i++)
    {
      guint c = (i + OV_LOG_OFFSET) % OV_LOG_N_COLUMNS;

      if (c == OV_LOG_HANDED && ov_json_member (r, "handed") == NULL)
        continue; /* older files lack it */
      columns[c] = log_column (r, ov_log_columns[c].key, n);
      if (n == G_MAXUINT && columns[c] != NULL)
        n = json_array_get_length (columns[c]);
    }
  for (guint i = 0; r->error == NULL && i < n; i++)
    {
      OvRequest request = { .handed_ns = -1 };

      for (guint c = 0; c < OV_LOG_N_COLUMNS; c++)
        {
          const OvLogColumn *column = &ov_log_columns[c];
          gint64 value;

          if (columns[c] == NULL)
            continue;
          value = log_cell (r, columns[c], column->key, i, column->min, column->max,
                            column->nullable);
          if (column->is_32)
            G_STRUCT_MEMBER (guint32, &request, column->field) = (guint32)value;
          else
            G_STRUCT_MEMBER (gint64, &request, column->field) = value;
        }
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

static void
read_member (OvJsonReader *r, OvRun *run, const OvRunMember *m)
{
  switch (m->kind)
    {
    case OV_RUN_SPEC:
      read_spec (r, run);
      break;
    case OV_RUN_STATE:
      ov_json_require (r, "state");
      run->state = (OvState)ov_json_nick (r, "state", ov_state_nicks, OV_STATE_WAITING);
      break;
    case OV_RUN_TEXT:
      G_STRUCT_MEMBER (char *, run, m->field) = ov_json_string (r, m->key);
      break;
    case OV_RUN_FIGURE:
      G_STRUCT_MEMBER (gint64, run, m->field) = ov_json_figure (r, m->key);
      break;
    case OV_RUN_BOOL:
      G_STRUCT_MEMBER (gboolean, run, m->field) = ov_json_bool (r, m->key, FALSE);
      break;
    case OV_RUN_DOUBLE:
      G_STRUCT_MEMBER (double, run, m->field) = ov_json_double (r, m->key, 0, INFINITY, NAN);
      break;
    case OV_RUN_HISTOGRAM:
      G_STRUCT_MEMBER (OvHistogram *, run, m->unpacked) = ov_histogram_read (r, m->key);
      break;
    case OV_RUN_PROFILE:
      run->profile = ov_profile_read (r, m->key);
      break;
    case OV_RUN_NEIGHBOUR:
      run->neighbour = ov_neighbour_read (r, m->key);
      break;
    case OV_RUN_COUNT:
      G_STRUCT_MEMBER (guint64, run, m->field) = (guint64)ov_json_int (r, m->key, 0, G_MAXINT64, 0);
      break;
    case OV_RUN_LOG:
      G_STRUCT_MEMBER (GArray *, run, m->field) = read_log_of (r, m->key);
      break;
    default:
      g_assert_not_reached ();
    }
}

void
ov_run_read (OvJsonReader *r, OvRun *run)
{
  for (const OvRunMember *m = ov_run_members; m->key != NULL; m++)
    read_member (r, run, m);
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
