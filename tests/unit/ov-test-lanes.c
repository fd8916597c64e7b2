// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A request log as lanes, and as Trace Event JSON: both against the log itself.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <json-glib/json-glib.h>

#include "report/ov-lanes.h"
#include "report/ov-latency.h"
#include "report/ov-trace.h"

#include "ov-test-model.h"

#define US G_GINT64_CONSTANT (1000)

/* Two buffers in turn, and at the end one request that is cancelled and one that never came back.
 */
static const OvRequest requests[] = {
  { 10 * US, 12 * US, 110 * US, 115 * US, 150 * US, 0, 4096, 0 },
  { 13 * US, 14 * US, 160 * US, 160 * US, 200 * US, 4096, 4096, 1 },
  { 151 * US, -1, 260 * US, 261 * US, 300 * US, 8192, 100, 0 },
  { 201 * US, 210 * US, 290 * US, -1, -1, 12288, -ECANCELED, 1 },
  { 301 * US, 302 * US, -1, -1, -1, 16384, 0, 0 },
};

#define N_REQUESTS G_N_ELEMENTS (requests)

/* A result with one run that has that log, and one that has none. */
static OvResult *
make_result (void)
{
  g_autoptr (JsonNode) node = test_node (
      "{\"overlap-experiment\":1,\"id\":\"lanes\",\"title\":\"Lanes\",\"summary\":\"S\",\"job\":"
      "\"count\",\"strategies\":[{"
      "\"strategy\":\"a.b\"}],\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\","
      "\"values\":[4096]}]}]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, "lanes", &error);
  OvResult *result;

  g_assert_no_error (error);
  result = ov_result_new (experiment);

  for (guint i = 0; i < 2; i++)
    {
      OvRunSpec *spec = ov_run_spec_new ();
      OvRun *run;

      spec->strategy = g_strdup ("a.b");
      g_free (spec->variant);
      spec->variant = g_strdup ("a.b \"quoted\" \xc3\xa9");
      spec->target = g_strdup ("/tmp");
      spec->work = OV_WORK_PLAIN;
      spec->timing = i == 0 ? OV_TIMING_TIMELINE : OV_TIMING_LATENCY;
      spec->repetition = i;
      run = ov_run_new (spec);
      run->state = OV_STATE_DONE;
      run->started_ns = 1000000000 + i;
      run->elapsed_ns = 400 * US;
      run->submitted = N_REQUESTS;
      if (i == 0)
        {
          run->log = g_array_new (FALSE, FALSE, sizeof (OvRequest));
          g_array_append_vals (run->log, requests, N_REQUESTS);
          run->log_dropped = 3;
        }
      g_ptr_array_add (result->runs, run);
    }
  return result;
}

static void
assert_row (OvTable *table, const char *lane, const char *number, const char *what,
            const char *from, const char *length)
{
  for (guint row = 0; row < ov_table_get_n_rows (table); row++)
    if (strcmp (ov_table_get_cell (table, row, 0), lane) == 0
        && strcmp (ov_table_get_cell (table, row, 1), number) == 0
        && strcmp (ov_table_get_cell (table, row, 2), what) == 0)
      {
        g_assert_cmpstr (ov_table_get_cell (table, row, 3), ==, from);
        g_assert_cmpstr (ov_table_get_cell (table, row, 4), ==, length);
        return;
      }
  g_test_message ("no %s of request %s in %s", what, number, lane);
  g_assert_not_reached ();
}

static void
test_blocks (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (OvLaneChart) chart = ov_lanes_new ();
  g_autofree char *text = NULL;
  OvTable *table;

  ov_lanes_show_run (chart, result->experiment, result->runs->pdata[0]);
  g_assert_cmpuint (ov_lane_chart_get_n_lanes (chart), ==, 3);
  g_assert_cmpuint (ov_lane_chart_count (chart, 1000, NULL), ==, N_REQUESTS);
  table = ov_lane_chart_get_table (chart);
  assert_row (table, "buffer 1", "1", "being submitted", "10 µs", "2 µs");
  assert_row (table, "buffer 1", "1", "in flight", "12 µs", "98 µs");
  assert_row (table, "buffer 1", "1", "waiting", "110 µs", "5 µs");
  assert_row (table, "buffer 1", "1", "worked on", "115 µs", "35 µs");
  assert_row (table, "buffer 2", "2", "worked on", "160 µs", "40 µs");
  /* Submitted and in flight are not told apart: one block. */
  assert_row (table, "buffer 1", "3", "in flight", "151 µs", "109 µs");
  assert_row (table, "buffer 2", "4", "cancelled or failed", "210 µs", "80 µs");
  /* Until the run's end. */
  assert_row (table, "buffer 1", "5", "in flight", "302 µs", "98 µs");
  assert_row (table, "counting", "2", "worked on", "160 µs", "40 µs");
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 4 + 3 + 2 + 2 + 2 + 3);
  text = ov_lane_chart_describe (chart);
  g_assert_nonnull (strstr (text, "5 of 8 requests")); /* three had no room in the log */
  g_assert_nonnull (strstr (text, "idle"));
}

/* The consumer's lane is in the order of the work, not of the log. */
static void
test_out_of_order (void)
{
  const OvRequest mixed[] = { { 0, -1, 50 * US, 60 * US, 70 * US, 0, 1, 7 },
                              { 1, -1, 20 * US, 20 * US, 30 * US, 1, 1, 200 } };
  OvLanesLook look = { .slot = "disk %u", .consumer = "reader", .style = 1, .work_style = 2 };
  g_autoptr (OvLaneChart) chart = ov_lanes_new ();
  OvLaneHit hit = { .lane = G_MAXUINT };
  gint64 t0, t1;

  g_assert_cmpuint (ov_lanes_add_log (chart, &look, mixed, 2, 100, 1000, 80 * US), ==, 3);
  g_assert_cmpuint (ov_lanes_add_log (chart, &look, mixed, 2, 0, 0, 80 * US), ==, 3);
  g_assert_cmpuint (ov_lane_chart_get_n_lanes (chart), ==, 6);
  g_assert_true (ov_lane_chart_get_extent (chart, &t0, &t1));
  g_assert_cmpint (t0, ==, 0);
  g_assert_cmpint (t1, ==, 70 * US + 1000);
  /* Down to the consumer, then along it. */
  g_assert_true (ov_lane_chart_step (chart, &hit, 1, 0));
  g_assert_cmpuint (hit.lane, ==, 0);
  g_assert_cmpuint (hit.number, ==, 101);
  g_assert_true (ov_lane_chart_step (chart, &hit, 0, 1));
  g_assert_true (ov_lane_chart_step (chart, &hit, 0, 1));
  g_assert_cmpuint (hit.lane, ==, 2);
  g_assert_cmpuint (hit.number, ==, 102);
  g_assert_true (ov_lane_chart_step (chart, &hit, 1, 0));
  g_assert_cmpuint (hit.number, ==, 101);
  g_assert_false (ov_lane_chart_step (chart, &hit, 1, 0));
}

static void
test_why_not (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autofree char *none = ov_lanes_why_not (result->runs->pdata[0]);
  g_autofree char *why = ov_lanes_why_not (result->runs->pdata[1]);
  g_autoptr (OvLaneChart) chart = ov_lanes_new ();

  g_assert_null (none);
  g_assert_nonnull (strstr (why, "--timing timeline"));
  g_assert_true (ov_lanes_find_run (result) == result->runs->pdata[0]);
  ov_lanes_show_run (chart, result->experiment, result->runs->pdata[1]);
  g_assert_cmpuint (ov_lane_chart_get_n_lanes (chart), ==, 0);
}

/* ---- The trace ------------------------------------------------------------------------------ */

static gint64
us_member (JsonObject *event, const char *key)
{
  g_assert_true (json_object_has_member (event, key));
  return (gint64)llround (json_object_get_double_member (event, key) * 1000);
}

/* The event of that name and request number; fails if there is not exactly one. */
static JsonObject *
find_event (JsonArray *events, const char *name, gint64 number)
{
  JsonObject *found = NULL;

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      JsonObject *args = json_object_has_member (event, "args")
                             ? json_object_get_object_member (event, "args")
                             : NULL;

      if (!g_str_has_prefix (json_object_get_string_member (event, "name"), name) || args == NULL
          || !json_object_has_member (args, "number")
          || json_object_get_int_member (args, "number") != number)
        continue;
      g_assert_null (found);
      found = event;
    }
  g_assert_nonnull (found);
  return found;
}

static void
check_request (JsonArray *events, gsize i, gint64 start)
{
  const OvRequest *r = &requests[i];
  JsonObject *event = find_event (events, "request", (gint64)i + 1);
  JsonObject *args = json_object_get_object_member (event, "args");
  gint64 end = r->complete_ns >= 0 ? r->complete_ns : 400 * US;

  g_assert_cmpstr (json_object_get_string_member (event, "ph"), ==, "X");
  g_assert_cmpint (json_object_get_int_member (event, "pid"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (event, "tid"), ==, (gint64)r->slot + 1);
  g_assert_cmpint (us_member (event, "ts"), ==, start + r->submit_ns);
  g_assert_cmpint (us_member (event, "dur"), ==, end - r->submit_ns);
  g_assert_cmpint (json_object_get_int_member (args, "offset"), ==, (gint64)r->offset);
  g_assert_cmpint (json_object_get_int_member (args, "result"), ==, r->result);
  if (r->consume_start_ns < 0)
    return;
  event = find_event (events, "work", (gint64)i + 1);
  g_assert_cmpint (us_member (event, "ts"), ==, start + r->consume_start_ns);
  g_assert_cmpint (us_member (event, "dur"), ==, r->consume_end_ns - r->consume_start_ns);
}

/* Events of one thread nest or follow each other. */
static void
check_nesting (JsonArray *events)
{
  g_autoptr (GHashTable) open = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      gpointer tid = GUINT_TO_POINTER ((guint)json_object_get_int_member (event, "tid"));
      gint64 *last = g_hash_table_lookup (open, tid);
      gint64 t0, t1;

      if (strcmp (json_object_get_string_member (event, "ph"), "M") == 0)
        continue;
      t0 = us_member (event, "ts");
      t1 = t0 + us_member (event, "dur");
      if (last != NULL)
        g_assert_true (t0 >= last[1] || (t0 >= last[0] && t1 <= last[1]));
      if (last == NULL || t0 >= last[1])
        {
          last = g_new (gint64, 2);
          last[0] = t0;
          last[1] = t1;
          g_hash_table_replace (open, tid, last);
        }
    }
}

static void
test_trace (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ov_trace_to_text (result, NULL, &error);
  g_autoptr (JsonNode) node = NULL;
  JsonArray *events;
  guint n_submit = 0, n_names = 0;

  g_assert_no_error (error);
  node = test_node (text);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (node), "displayTimeUnit"),
                   ==, "ns");
  events = json_object_get_array_member (json_node_get_object (node), "traceEvents");
  for (gsize i = 0; i < N_REQUESTS; i++)
    check_request (events, i, 1000000000);
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);

      n_submit += strcmp (json_object_get_string_member (event, "name"), "submit") == 0;
      n_names += strcmp (json_object_get_string_member (event, "name"), "thread_name") == 0;
    }
  g_assert_cmpuint (n_submit, ==, 4);
  g_assert_cmpuint (n_names, ==, 3);
  g_assert_nonnull (strstr (text, "request (cancelled)"));
  g_assert_nonnull (strstr (text, "request (not completed)"));
  check_nesting (events);
}

static void
test_no_trace (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (GError) error = NULL;

  g_assert_null (ov_trace_to_text (result, result->runs->pdata[1], &error));
  g_assert_nonnull (strstr (error->message, "--timing timeline"));
  g_clear_error (&error);
  g_ptr_array_remove_index (result->runs, 0);
  g_assert_null (ov_trace_to_text (result, NULL, &error));
  g_assert_nonnull (strstr (error->message, "--timing timeline"));
}

/* ---- Latency -------------------------------------------------------------------------------- */

/* Every request that came back well is in one cell, and in no other. */
static void
test_heat (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autofree OvHeat *heat = g_new (OvHeat, 1);
  g_autoptr (OvHeatChart) chart = ov_latency_new_heat ();
  guint64 sum = 0;

  g_assert_false (ov_latency_heat_of_log (heat, result->runs->pdata[1]));
  g_assert_true (ov_latency_heat_of_log (heat, result->runs->pdata[0]));
  for (guint c = 0; c < heat->n_columns; c++)
    for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
      sum += heat->cells[c][row];
  g_assert_cmpuint (sum, ==, 3);
  g_assert_cmpuint (heat->count, ==, 3);
  ov_latency_show_heat (chart, heat, 1);
  g_assert_cmpuint (ov_heat_chart_get_count (chart), ==, 3);
}

/* Runs of one variant are one line; percentiles only where there are requests enough. */
static void
test_latency (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (OvLatency) latency = ov_latency_new ();
  OvTable *table;

  g_assert_false (ov_latency_has_data (latency));
  for (guint i = 0; i < 2; i++)
    {
      OvRun *run = result->runs->pdata[i];

      run->latency = g_new (OvHistogram, 1);
      ov_histogram_init (run->latency);
      for (guint k = 0; k < 500; k++)
        ov_histogram_add (run->latency, 1000 * (i + 1) + k);
    }
  ov_latency_show (latency, result, result->runs->pdata[0]);
  g_assert_true (ov_latency_has_data (latency));
  g_assert_cmpuint (ov_chart_get_n_series (ov_latency_get_chart (latency)), ==, 1);
  table = ov_drawable_get_table (OV_DRAWABLE (latency));
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 1);
  g_assert_cmpstr (ov_table_get_cell (table, 0, 1), ==, "1\342\200\211000");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 2), ==, "1.00 µs");
  g_assert_null (strstr (ov_table_get_cell (table, 0, 6), "needs"));
  g_assert_nonnull (strstr (ov_table_get_cell (table, 0, 7), "needs"));
  g_assert_cmpstr (ov_table_get_cell (table, 0, 8), ==, "2.50 µs");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lanes/blocks", test_blocks);
  g_test_add_func ("/lanes/out-of-order", test_out_of_order);
  g_test_add_func ("/lanes/why-not", test_why_not);
  g_test_add_func ("/lanes/trace", test_trace);
  g_test_add_func ("/lanes/no-trace", test_no_trace);
  g_test_add_func ("/lanes/heat", test_heat);
  g_test_add_func ("/lanes/latency", test_latency);
  return g_test_run ();
}
