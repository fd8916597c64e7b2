// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What became of events, and up to which rate they are held: from runs whose figures are known.
 */
#include "config.h"

#include <math.h>

#include "model/ov-cell-figure.h"
#include "model/ov-events.h"
#include "model/ov-experiment-private.h"
#include "ov-test-model.h"

static OvResult *
new_result (const char *job)
{
  g_autofree char *text = g_strdup_printf (
      "{\"overlap-experiment\":1,\"id\":\"t\",\"title\":\"T\",\"job\":\"%s\",\"strategies\":["
      "\"a.first\",\"b.second\"],\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"%s\","
      "\"values\":[64,1024,8192]}]}]}",
      job, g_str_equal (job, "port") ? "requests" : "rate");
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, NULL, &error);

  g_assert_no_error (error);
  return ov_result_new (experiment);
}

static OvRun *
add_run (OvResult *result, const char *variant, double rate, gint64 delivered, gint64 missed)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  spec->index = result->runs->len;
  spec->job = result->experiment->job;
  spec->strategy = g_strdup (variant);
  g_free (spec->variant);
  spec->variant = g_strdup (variant);
  spec->target = g_strdup (OV_MACHINE_TARGET);
  spec->x = spec->rate = rate;
  spec->requests = (guint64)(delivered + missed);
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->elapsed_ns = 1000000000;
  run->cpu_ns = 20000000;
  run->completed = delivered;
  run->missed = missed;
  run->late = delivered / 10;
  run->gaps = missed > 0 ? 2 : 0;
  run->longest_gap_ns = missed * 1000;
  g_ptr_array_add (result->runs, run);
  return run;
}

static const OvCell *
find_cell (const GPtrArray *cells, const char *variant, double x)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      if (g_str_equal (cell->variant, variant) && cell->x == x)
        return cell;
    }
  g_assert_not_reached ();
}

static void
test_sums (void)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  g_autoptr (GPtrArray) cells = NULL;
  OvEvents sum;

  add_run (result, "a.first", 64, 90, 10);
  add_run (result, "a.first", 64, 100, 0);
  add_run (result, "a.first", 64, 70, 30);
  /* None of these counts: it did not end as it should, or nobody knows what it missed. */
  add_run (result, "a.first", 64, 1000, 1000)->state = OV_STATE_STOPPED;
  add_run (result, "a.first", 64, 1000, 1000)->state = OV_STATE_FAILED;
  add_run (result, "a.first", 64, 1000, 1000)->missed = -1;
  add_run (result, "a.first", 64, 1000, 1000)->completed = -1;
  cells = ov_result_cells (result);
  g_assert_true (ov_events_make (find_cell (cells, "a.first", 64), &sum, NULL));
  g_assert_cmpuint (sum.delivered, ==, 260);
  g_assert_cmpuint (sum.missed, ==, 40);
  g_assert_cmpuint (sum.asked, ==, 300);
  g_assert_cmpuint (sum.late, ==, 26);
  g_assert_cmpuint (sum.gaps, ==, 4);
  g_assert_cmpint (sum.longest_gap_ns, ==, 30000);
  g_assert_cmpint (sum.cpu_ns, ==, 60000000);
  g_assert_cmpint (sum.elapsed_ns, ==, 3000000000);
}

/* A figure that was not measured adds nothing, and takes nothing away. */
static void
test_unknown (void)
{
  g_autoptr (OvResult) result = new_result ("samples");
  g_autoptr (GPtrArray) cells = NULL;
  OvEvents sum;
  OvRun *run = add_run (result, "a.first", 64, 10, 0);

  run->late = run->gaps = run->cpu_ns = run->elapsed_ns = run->longest_gap_ns = -1;
  cells = ov_result_cells (result);
  g_assert_true (ov_events_make (find_cell (cells, "a.first", 64), &sum, NULL));
  g_assert_cmpuint (sum.asked, ==, 10);
  g_assert_cmpuint (sum.late, ==, 0);
  g_assert_cmpuint (sum.gaps, ==, 0);
  g_assert_cmpint (sum.longest_gap_ns, ==, 0);
  g_assert_cmpint (sum.cpu_ns, ==, 0);
  g_assert_cmpint (sum.elapsed_ns, ==, 0);
}

static void
test_lateness (void)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  g_autoptr (GPtrArray) cells = NULL;
  g_autofree OvHistogram *lateness = g_new (OvHistogram, 1);
  OvEvents sum;

  for (guint i = 0; i < 2; i++)
    {
      OvRun *run = add_run (result, "a.first", 64, 3, 0);
      OvHistogram *own = g_new (OvHistogram, 1);

      ov_histogram_init (own);
      for (guint64 ns = 1; ns <= 3; ns++)
        ov_histogram_add (own, ns + 10 * i);
      run->latency = own;
    }
  add_run (result, "a.first", 64, 3, 0); /* has none */
  cells = ov_result_cells (result);
  ov_histogram_init (lateness);
  g_assert_true (ov_events_make (find_cell (cells, "a.first", 64), &sum, lateness));
  g_assert_cmpuint (sum.delivered, ==, 9);
  g_assert_cmpuint (ov_histogram_count (lateness), ==, 6);
  g_assert_cmpuint (ov_histogram_quantile (lateness, 0), ==, 1);
  g_assert_cmpuint (ov_histogram_quantile (lateness, 1), ==, 13);
}

/* A line that misses more at a higher rate does not look better for it: the same stall of 10 ms in
 * a second, once at each rate. */
static void
test_lateness_of_missed (void)
{
  g_autoptr (OvResult) result = new_result ("samples");
  static const gint64 rates[] = { 1000, 100000, 1000000 };
  const gint64 stall = 10000000;
  double least = INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      const gint64 missed = stall * rates[i] / 1000000000;
      OvRun *run = add_run (result, "a.first", (double)rates[i], rates[i] - missed, missed);
      OvHistogram *own = g_new (OvHistogram, 1);
      g_autofree OvHistogram *lateness = NULL;
      double seconds;

      ov_histogram_init (own);
      for (gint64 k = 0; k < run->completed; k++)
        ov_histogram_add (own, k == 0 ? (guint64)stall : 20);
      run->latency = own;
      lateness = ov_run_lateness (run);
      g_assert_cmpuint (ov_histogram_count (lateness), ==, (guint64)rates[i]);
      g_assert_cmpuint (ov_histogram_quantile (own, 0.995), ==, 20);
      /* A hundredth of the time is a hundredth of the moments: half of them by more than 5 ms. */
      seconds = (double)ov_histogram_quantile (lateness, 0.995) / 1e9;
      g_assert_cmpfloat_with_epsilon (seconds, 0.005, 0.0012);
      least = MIN (least, seconds);
      g_assert_cmpfloat_with_epsilon (ov_run_figure (run, OV_FIGURE_JITTER),
                                      (double)ov_histogram_quantile (lateness, 0.99) / 1e9, 1e-12);
    }
  g_assert_cmpfloat (least, >, 0.003);
}

/* Always late by more than a period, but none missed: nothing is added. */
static void
test_lateness_without_missed (void)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  OvRun *run = add_run (result, "a.first", 10000, 5, 0);
  g_autofree OvHistogram *lateness = NULL;

  run->latency = g_new (OvHistogram, 1);
  ov_histogram_init (run->latency);
  for (guint i = 0; i < 5; i++)
    ov_histogram_add (run->latency, 350000);
  lateness = ov_run_lateness (run);
  g_assert_cmpmem (lateness, sizeof *lateness, run->latency, sizeof *run->latency);
}

static void
test_nothing (void)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  g_autoptr (OvResult) other = new_result ("port");
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GPtrArray) port = NULL;
  OvEvents sum = { .asked = 7 };

  add_run (result, "a.first", 64, 5, 5)->state = OV_STATE_FAILED;
  add_run (other, "a.first", 64, 5, 0);
  cells = ov_result_cells (result);
  port = ov_result_cells (other);
  g_assert_false (ov_events_make (find_cell (cells, "a.first", 64), &sum, NULL));
  g_assert_cmpuint (sum.asked, ==, 0);
  /* Accesses are no events. */
  g_assert_false (ov_events_make (find_cell (port, "a.first", 64), &sum, NULL));
  g_assert_true (isnan (ov_events_sustained (cells, "a.first")));
  g_assert_true (isnan (ov_events_sustained (port, "a.first")));
  g_assert_true (isnan (ov_events_sustained (cells, "no.such")));
}

/* `missed` of 10,000 at three rates, one line; the highest rate that is held. */
static double
sustained (gint64 low, gint64 middle, gint64 high)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  g_autoptr (GPtrArray) cells = NULL;

  add_run (result, "a.first", 64, 10000 - low, low);
  add_run (result, "a.first", 1024, 10000 - middle, middle);
  add_run (result, "a.first", 8192, 10000 - high, high);
  /* Another line's figures are its own. */
  add_run (result, "b.second", 64, 0, 10000);
  cells = ov_result_cells (result);
  g_assert_true (isnan (ov_events_sustained (cells, "b.second")));
  return ov_events_sustained (cells, "a.first");
}

static void
test_sustained (void)
{
  g_assert_cmpfloat (sustained (0, 0, 0), ==, 8192);
  /* Fewer than one in a thousand: ten of 10,000 are too many. */
  g_assert_cmpfloat (sustained (0, 9, 10), ==, 1024);
  g_assert_cmpfloat (sustained (9, 9, 9), ==, 8192);
  g_assert_true (isnan (sustained (10, 0, 0)));
  /* A rate above one that was not held is not believed. */
  g_assert_cmpfloat (sustained (0, 10, 0), ==, 64);
}

/* It is what all repetitions missed together that counts. */
static void
test_together (void)
{
  g_autoptr (OvResult) result = new_result ("ticks");
  g_autoptr (GPtrArray) cells = NULL;

  add_run (result, "a.first", 64, 9980, 20);
  add_run (result, "a.first", 64, 10000, 0);
  add_run (result, "a.first", 64, 10000, 0);
  cells = ov_result_cells (result);
  g_assert_cmpfloat (ov_events_sustained (cells, "a.first"), ==, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/events/sums", test_sums);
  g_test_add_func ("/events/unknown", test_unknown);
  g_test_add_func ("/events/lateness", test_lateness);
  g_test_add_func ("/events/lateness-of-missed", test_lateness_of_missed);
  g_test_add_func ("/events/lateness-without-missed", test_lateness_without_missed);
  g_test_add_func ("/events/nothing", test_nothing);
  g_test_add_func ("/events/sustained", test_sustained);
  g_test_add_func ("/events/together", test_together);
  return g_test_run ();
}
