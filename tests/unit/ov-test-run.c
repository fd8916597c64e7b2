/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Specifications and runs: nothing is lost between memory and text, what was not measured stays
 * so, and wrong types are refused with their place.
 */
#include "config.h"

#include <math.h>

#include "model/ov-run-private.h"
#include "ov-test-model.h"

static char *
run_text (const OvRun *run)
{
  return test_text (ov_run_to_json (run, TRUE));
}

static void
test_round_trip (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autofree char *text = run_text (run);
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvRun) again = ov_run_from_json (node, &error);
  g_autofree char *text_again = NULL;
  const OvRequest *request;

  g_assert_no_error (error);
  text_again = run_text (again);
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpint (again->elapsed_ns, ==, G_GINT64_CONSTANT (9007199254740993));
  g_assert_cmpint (again->cpu_ns, ==, G_MAXINT64);
  g_assert_cmpint (again->error_offset, ==, 0);
  g_assert_cmpuint (again->spec->seed, ==, G_MAXUINT64 - 1);
  g_assert_cmpstr (again->spec->target, ==, "/tmp/a \xff b");
  g_assert_cmpint (again->spec->letter, ==, '"');
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (again->spec->options, "hint"), ==, -3);
  g_assert_cmpuint (again->log->len, ==, 2);
  request = &g_array_index (again->log, OvRequest, 1);
  g_assert_cmpint (request->complete_ns, ==, -1);
  g_assert_cmpint (request->result, ==, -5);
  g_assert_cmpuint (request->slot, ==, G_MAXUINT32);
  g_assert_cmpuint (ov_histogram_count (again->latency), ==, 5);
  g_assert_cmpuint (ov_histogram_max (again->latency), ==, 2 * OV_HISTOGRAM_LIMIT_NS);
}

/* What a neighbour saw: kept exactly, in little memory, and summed up over runs. */
static void
test_neighbour (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autoptr (OvRun) again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree OvHistogram *seen = g_new (OvHistogram, 1);
  g_autofree OvHistogram *alone = g_new (OvHistogram, 1);
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;

  ov_histogram_init (seen);
  ov_histogram_init (alone);
  for (guint i = 1; i <= 100; i++)
    ov_histogram_add (seen, i * 1000000);
  run->neighbour = ov_neighbour_new ();
  g_assert_true (isnan (ov_neighbour_lost (run->neighbour)));
  run->neighbour->mode = OV_NEIGHBOUR_SHARED;
  run->neighbour->processor = 3;
  run->neighbour->base_rate = 1000;
  run->neighbour->rate = 250;
  ov_neighbour_set_histograms (run->neighbour, seen, alone);
  text = run_text (run);
  node = test_node (text);
  again = ov_run_from_json (node, NULL);
  text_again = run_text (again);
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpfloat (ov_neighbour_lost (again->neighbour), ==, 0.75);
  g_assert_cmpint (again->neighbour->processor, ==, 3);
  ov_neighbour_merge (again->neighbour->lateness, seen);
  g_assert_cmpuint (ov_histogram_count (seen), ==, 200);
  ov_neighbour_merge (again->neighbour->base, alone);
  g_assert_cmpuint (ov_histogram_count (alone), ==, 0);
}

/* A simulated disk's log goes and comes as the run's own. */
static void
test_device (void)
{
  g_autoptr (OvRun) run = test_run ();
  const OvRequest request = { 10, -1, 30, 15, 30, 4096, 512, 1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (OvRun) again = NULL;

  run->device = g_array_new (FALSE, FALSE, sizeof (OvRequest));
  g_array_append_val (run->device, request);
  run->device_dropped = 7;
  text = run_text (run);
  node = test_node (text);
  again = ov_run_from_json (node, &error);
  g_assert_no_error (error);
  text_again = run_text (again);
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpuint (again->device->len, ==, 1);
  g_assert_cmpint (g_array_index (again->device, OvRequest, 0).consume_start_ns, ==, 15);
  g_assert_cmpuint (again->device_dropped, ==, 7);
}

/* A profile is kept as it is, and several become one. */
static void
test_profile (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autoptr (OvRun) again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;
  const OvProfileEntry *first;

  run->profile = ov_profile_new ();
  run->profile->event = g_strdup ("cycles");
  run->profile->samples = 10;
  run->profile->kernel = TRUE;
  ov_profile_add (run->profile, "a", "x.so", 1);
  ov_profile_add (run->profile, "b", "x.so", 4);
  ov_profile_add (run->profile, "a", "kernel", 3);
  ov_profile_add (run->profile, "a", "x.so", 2);
  text = run_text (run);
  node = test_node (text);
  again = ov_run_from_json (node, NULL);
  text_again = run_text (again);
  g_assert_cmpstr (text_again, ==, text);
  ov_profile_merge (again->profile, run->profile);
  g_assert_cmpint (again->profile->samples, ==, 20);
  ov_profile_sort (again->profile, 1);
  g_assert_cmpuint (again->profile->entries->len, ==, 2);
  first = g_ptr_array_index (again->profile->entries, 0);
  g_assert_cmpstr (first->symbol, ==, "b");
  g_assert_cmpuint (first->samples, ==, 8);
  /* All others: 3 and 3, twice. */
  g_assert_cmpuint (((OvProfileEntry *)again->profile->entries->pdata[1])->samples, ==, 12);
}

/* Without being asked for, the log stays here. */
static void
test_without_log (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autofree char *text = test_text (ov_run_to_json (run, FALSE));

  g_assert_null (strstr (text, "\"log\""));
}

static void
test_unmeasured (void)
{
  OvRunSpec *spec = ov_run_spec_new ();
  g_autoptr (OvRun) run = NULL;
  g_autoptr (OvRun) again = NULL;
  g_autoptr (JsonNode) node = NULL;

  spec->strategy = g_strdup ("a.b");
  spec->target = g_strdup ("/tmp");
  run = ov_run_new (spec);
  node = ov_run_to_json (run, TRUE);
  g_assert_true (json_object_get_null_member (json_node_get_object (node), "elapsed"));
  g_assert_true (json_object_get_null_member (json_node_get_object (node), "machine-busy"));
  again = ov_run_from_json (node, NULL);
  g_assert_nonnull (again);
  g_assert_cmpint (again->state, ==, OV_STATE_WAITING);
  g_assert_cmpint (again->elapsed_ns, ==, -1);
  g_assert_cmpint (again->stop_latency_ns, ==, -1);
  g_assert_true (isnan (again->machine_busy) && isnan (again->resident_before));
  g_assert_null (again->latency);
  g_assert_null (ov_run_get_latency (again));
  g_assert_null (again->log);
  g_assert_null (again->spec->file);
  g_assert_true (isnan (ov_run_rate (again)));
  g_assert_true (isnan (ov_run_cpu_per_gb (again)));
}

static void
test_rates (void)
{
  g_autoptr (OvRun) run = ov_run_new (NULL);

  run->bytes = 0;
  run->elapsed_ns = 0;
  run->cpu_ns = 0;
  g_assert_true (isnan (ov_run_rate (run)));
  g_assert_true (isnan (ov_run_cpu_per_gb (run)));
  run->bytes = 2000000000;
  run->elapsed_ns = 500000000;
  run->cpu_ns = 300000000;
  g_assert_cmpfloat (ov_run_rate (run), ==, 4e9);
  g_assert_cmpfloat (ov_run_cpu_per_gb (run), ==, 0.15);
}

/* Newer writers may add keys; a type or a range that cannot be is a fault with its place. */
static void
test_strictness (void)
{
  static const struct
  {
    const char *text;
    const char *fault;
  } texts[] = {
#define SPEC "{\"strategy\":\"a\",\"job\":\"count\",\"target\":\"/\"}"
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"new\":[1]}", NULL },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"elapsed\":9223372036854775807}", NULL },
    { "{\"state\":\"done\"}", "the key “spec” is missing" },
    { "{\"spec\":" SPEC "}", "the key “state” is missing" },
    { "{\"spec\":" SPEC ",\"state\":\"dead\"}", "state: “dead” is unknown" },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"elapsed\":-2}", "elapsed: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"elapsed\":1.5}", "elapsed: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"elapsed\":\"1\"}", "elapsed: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"bytes\":9223372036854775808}", "bytes: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"resident-before\":-0.1}", "resident-before: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"latency\":[]}", "latency: must be an object" },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"latency\":{\"buckets\":[1]}}", "latency.buckets: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"latency\":{\"buckets\":[2240,1]}}",
      "latency.buckets[0]: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"latency\":{\"buckets\":[1,1,1,1]}}",
      "latency.buckets[2]: " },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"latency\":{\"buckets\":[5,1],\"min\":9,\"max\":3,"
      "\"mean\":5}}",
      "latency: the totals contradict" },
    { "{\"spec\":" SPEC ",\"state\":\"done\",\"log\":{}}", "log: the key “offset” is missing" },
    { "{\"spec\":{\"strategy\":\"a\",\"job\":\"count\"},\"state\":\"done\"}",
      "spec: the key “target”" },
    { "{\"spec\":{\"strategy\":\"a\",\"job\":\"dance\",\"target\":\"/\"},\"state\":\"done\"}",
      "spec: job: “dance” is unknown" },
    { "{\"spec\":{\"strategy\":\"a\",\"job\":\"count\",\"target\":\"/\",\"options\":{\"o\":\"x\"}},"
      "\"state\":\"done\"}",
      "spec: options: the value of “o”" },
    { "{\"spec\":{\"strategy\":\"a\",\"job\":\"count\",\"target\":\"/\",\"depth\":-1},"
      "\"state\":\"done\"}",
      "spec: depth: " },
    { "7", "must be an object" },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) node = test_node (texts[i].text);
      g_autoptr (GError) error = NULL;
      g_autoptr (OvRun) run = ov_run_from_json (node, &error);

      if (texts[i].fault == NULL)
        g_assert_no_error (error);
      else
        test_error (error, OV_ERROR_INVALID, texts[i].fault);
      g_assert_true ((run == NULL) == (error != NULL));
    }
}

static void
test_log_columns (void)
{
  static const struct
  {
    const char *text;
    const char *fault;
  } texts[] = {
#define TIMES "\"submit\":[1],\"complete\":[null],\"consume-start\":[3],\"consume-end\":[4]"
    { "{" TIMES ",\"offset\":[0],\"result\":[-5],\"slot\":[0],\"run\":1}", NULL },
    { "{" TIMES ",\"offset\":[0],\"result\":[],\"slot\":[0]}", "result: is not as long" },
    { "{" TIMES ",\"offset\":[0,1],\"result\":[1,2],\"slot\":[0,0]}", "submit: is not as long" },
    { "{" TIMES ",\"offset\":[0],\"result\":[1]}", "the key “slot” is missing" },
    { "{" TIMES ",\"offset\":[null],\"result\":[1],\"slot\":[0]}", "offset[0]: " },
    { "{" TIMES ",\"offset\":[-1],\"result\":[1],\"slot\":[0]}", "offset[0]: " },
    { "{" TIMES ",\"offset\":[0],\"result\":[1.5],\"slot\":[0]}", "result[0]: " },
    { "{" TIMES ",\"offset\":[0],\"result\":[1],\"slot\":[4294967296]}", "slot[0]: " },
    { "{" TIMES ",\"offset\":5,\"result\":[1],\"slot\":[0]}", "offset: must be an array" },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) node = test_node (texts[i].text);
      g_autoptr (GArray) log = g_array_new (FALSE, FALSE, sizeof (OvRequest));
      g_autoptr (GError) error = NULL;
      gboolean ok = ov_requests_from_json (json_node_get_object (node), log, &error);

      g_assert_true (ok == (texts[i].fault == NULL));
      g_assert_cmpuint (log->len, ==, ok ? 1 : 0);
      if (!ok)
        test_error (error, OV_ERROR_INVALID, texts[i].fault);
    }
}

static void
test_packing (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autofree char *before = run_text (run);
  g_autofree OvHistogram *copy = g_memdup2 (run->latency, sizeof *run->latency);
  g_autofree char *packed = NULL;
  const OvHistogram *histogram;

  ov_run_pack_latency (run);
  g_assert_null (run->latency);
  packed = run_text (run);
  g_assert_cmpstr (packed, ==, before);
  histogram = ov_run_get_latency (run);
  g_assert_nonnull (histogram);
  g_assert_cmpuint (ov_histogram_quantile (histogram, 0.5), ==, ov_histogram_quantile (copy, 0.5));
  g_assert_cmpuint (ov_histogram_overflow (histogram), ==, 1);
  ov_run_pack_latency (run); /* again, from what was unpacked */
  g_assert_cmpuint (ov_histogram_count (ov_run_get_latency (run)), ==, 5);
}

static void
test_empty_histogram (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autoptr (OvRun) again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;

  ov_histogram_init (run->latency);
  node = ov_run_to_json (run, FALSE);
  again = ov_run_from_json (node, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ov_histogram_count (ov_run_get_latency (again)), ==, 0);
  ov_run_pack_latency (again);
  g_assert_cmpuint (ov_histogram_count (ov_run_get_latency (again)), ==, 0);
}

static void
test_copy (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autoptr (OvRunSpec) copy = ov_run_spec_copy (run->spec);
  g_autofree char *one = test_text (ov_run_spec_to_json (run->spec));
  g_autofree char *other = test_text (ov_run_spec_to_json (copy));

  g_assert_cmpstr (one, ==, other);
  ov_run_spec_set_option (copy, "hint", 8);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (run->spec->options, "hint"), ==, -3);
}

/* What a run reads back is the same run, whatever stands in the text. */
static gboolean
read_run (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, NULL);
  g_autoptr (OvRun) run = node != NULL ? ov_run_from_json (node, NULL) : NULL;

  if (run != NULL)
    {
      g_autofree char *written = run_text (run);

      g_assert_nonnull (written);
    }
  return run != NULL;
}

/* The scanner takes nothing that the reader refuses, and reads the same from what it takes. */
static gboolean
scan_run (const char *text, gsize length)
{
  g_autoptr (OvRun) scanned = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (OvRun) run = NULL;

  if (!g_utf8_validate_len (text, length, NULL))
    return FALSE; /* whoever asks it has looked */
  scanned = ov_run_scan (text, length);
  if (scanned != NULL)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *one = run_text (scanned);
      g_autofree char *other = NULL;

      node = ov_json_parse (text, (gssize)length, &error);
      g_assert_no_error (error);
      run = ov_run_from_json (node, &error);
      g_assert_no_error (error);
      other = run_text (run);
      g_assert_cmpstr (one, ==, other);
    }
  return scanned != NULL;
}

/* Each key of the run and of its specification with other values than its own. */
static void
test_scan_values (void)
{
  static const char *const values[] = { "null",
                                        "true",
                                        "false",
                                        "0",
                                        "-0",
                                        "00",
                                        "-1",
                                        "1.5",
                                        "1e3",
                                        "1e999",
                                        "{}",
                                        "[]",
                                        "\"\"",
                                        "\"x\"",
                                        "\"warm\"",
                                        "\"\\n\"",
                                        "\"\\u0041\"",
                                        "\"\\udcff\"",
                                        "[1,2]",
                                        "{\"a\":1}",
                                        "{\"buckets\":[1,2],\"min\":1,\"max\":1,\"mean\":1}",
                                        "{\"buckets\":[2,1,1,2],\"min\":1,\"max\":2,\"mean\":1.5}",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775808",
                                        "18446744073709551615",
                                        "4294967296",
                                        "1.",
                                        ".5",
                                        "+1",
                                        "1e",
                                        "nul",
                                        "nullx",
                                        "1x" };
  g_autoptr (OvRun) full = test_run ();
  g_autofree char *text = run_text (full);
  guint taken = 0;

  for (const char *at = text; (at = strstr (at, "\":")) != NULL; at++)
    for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
      {
        /* Up to the comma or bracket that ends the value: of nested ones something is left. */
        gsize n = strcspn (at + 2, ",}]");
        g_autofree char *other
            = g_strdup_printf ("%.*s%s%s", (int)(at + 2 - text), text, values[i], at + 2 + n);
        gsize length = strlen (other);
        g_autofree char *exact = g_memdup2 (other, length);

        taken += scan_run (exact, length) ? 1 : 0;
      }
  g_assert_cmpuint (taken, >, 100);
}

static void
test_scan (void)
{
  g_autoptr (OvRun) full = test_run ();
  g_autofree char *text = run_text (full);
  g_autofree char *spaced = NULL;
  g_auto (GStrv) parts = NULL;

  test_damage (text, scan_run);
  /* White space where it may be, and an old file's log. */
  parts = g_strsplit (text, "\":", -1);
  spaced = g_strjoinv ("\" :\n ", parts);
  g_assert_true (scan_run (spaced, strlen (spaced)));
  g_free (spaced);
  g_strfreev (parts);
  parts = g_strsplit (text, "\"handed\":[900,null],", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  spaced = g_strjoinv ("", parts);
  g_assert_true (scan_run (spaced, strlen (spaced)));
  /* What is not known is left to the reader. */
  g_assert_null (ov_run_scan ("{}", 2));
  g_assert_null (ov_run_scan ("{\"new\":1}", 9));
}

static void
test_damaged (void)
{
  g_autoptr (OvRun) run = test_run ();
  g_autofree char *text = run_text (run);

  test_damage (text, read_run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/profile", test_profile);
  g_test_add_func ("/run/neighbour", test_neighbour);
  g_test_add_func ("/run/round-trip", test_round_trip);
  g_test_add_func ("/run/device", test_device);
  g_test_add_func ("/run/without-log", test_without_log);
  g_test_add_func ("/run/unmeasured", test_unmeasured);
  g_test_add_func ("/run/rates", test_rates);
  g_test_add_func ("/run/strictness", test_strictness);
  g_test_add_func ("/run/log-columns", test_log_columns);
  g_test_add_func ("/run/packing", test_packing);
  g_test_add_func ("/run/empty-histogram", test_empty_histogram);
  g_test_add_func ("/run/copy", test_copy);
  g_test_add_func ("/run/damaged", test_damaged);
  g_test_add_func ("/run/scan", test_scan);
  g_test_add_func ("/run/scan-values", test_scan_values);
  return g_test_run ();
}
