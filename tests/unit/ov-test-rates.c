/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rates from snapshots, and the estimate of the time that is left: by figures that can be counted
 * in the head.
 */
#include "config.h"

#include <math.h>

#include "engine/ov-estimate-private.h"
#include "engine/ov-rates-private.h"

#define MS G_GINT64_CONSTANT (1000000)

static OvSnapshot
snapshot_at (gint64 ms, OvPhase phase)
{
  return (OvSnapshot){ .phase = (int)phase,
                       .t_ns = ms * MS,
                       .run_ns = -1,
                       .fraction = NAN,
                       .bytes = -1,
                       .submitted = -1,
                       .completed = -1,
                       .cpu_ns = -1,
                       .user_ns = -1,
                       .system_ns = -1,
                       .machine_busy_ns = -1,
                       .machine_total_ns = -1,
                       .resident = -1 };
}

/* 100 MB/s, 2000 requests a second, three quarters of a core (two thirds of it user), half a core
 * used by others. */
static OvSnapshot
steady (gint64 ms, gint64 run_ms)
{
  OvSnapshot s = snapshot_at (ms, OV_PHASE_RUN);

  s.run_ns = run_ms * MS;
  s.bytes = run_ms * 100000;
  s.completed = run_ms * 2;
  s.submitted = s.completed + 8;
  s.cpu_ns = ms * MS * 3 / 4;
  s.user_ns = ms * MS / 2 / (10 * MS) * (10 * MS);
  s.system_ns = ms * MS / 4 / (10 * MS) * (10 * MS);
  s.machine_busy_ns = 1000000 * MS + ms * MS * 5 / 4;
  return s;
}

static void
test_steady (void)
{
  OvRates rates;
  OvSample sample;

  ov_rates_reset (&rates);
  for (int i = 1; i <= 40; i++)
    {
      OvSnapshot s = steady (100 + i * 50, i * 50);

      g_assert_true (ov_rates_push (&rates, &s, &sample));
      g_assert_cmpint (sample.phase, ==, OV_PHASE_RUN);
      g_assert_cmpfloat_with_epsilon (sample.throughput, 100e6, 1);
      g_assert_cmpfloat_with_epsilon (sample.requests, 2000, 0.01);
      g_assert_cmpfloat (sample.in_flight, ==, 8);
      g_assert_cmpfloat_with_epsilon (sample.user + sample.system, 0.75, 1e-9);
      if (i < 6) /* 250 ms are not over since the first snapshot */
        g_assert_true (isnan (sample.rest));
      else
        {
          g_assert_cmpfloat_with_epsilon (sample.rest, 0.5, 1e-9);
          g_assert_cmpfloat_with_epsilon (sample.user, 0.5, 0.04);
        }
    }
}

/* Throughput is bytes by time whatever the intervals, and their sum is the run's. */
static void
test_uneven (void)
{
  static const int at[] = { 3, 7, 55, 56, 57, 58, 300, 301, 420 };
  g_autoptr (OvRun) run = ov_run_new (ov_run_spec_new ());
  gint64 last_ms = 0;
  double sum = 0;
  OvRates rates;
  OvSample sample;
  double last = NAN;

  ov_rates_reset (&rates);
  for (gsize i = 0; i < G_N_ELEMENTS (at); i++)
    {
      OvSnapshot s = steady (at[i], at[i]);

      s.bytes = at[i] * at[i] * 1000;
      g_assert_true (ov_rates_push (&rates, &s, &sample));
      if (at[i] - last_ms < 10) /* too short a time to divide by: as before */
        {
          g_assert_true (sample.throughput == last || (isnan (last) && isnan (sample.throughput)));
          continue;
        }
      sum += sample.throughput * (double)(at[i] - last_ms) / 1000;
      last_ms = at[i];
      last = sample.throughput;
    }
  run->elapsed_ns = 500 * MS;
  run->bytes = 500 * 500 * 1000;
  run->completed = 1000;
  g_assert_true (ov_rates_finish (&rates, run, &sample));
  sum += sample.throughput * (double)(500 - last_ms) / 1000;
  g_assert_cmpfloat_with_epsilon (sum, 250e6, 1);
  g_assert_cmpfloat (sample.in_flight, ==, 0);
}

static void
test_phases (void)
{
  g_autoptr (OvRun) run = ov_run_new (ov_run_spec_new ());
  OvSnapshot s = snapshot_at (50, OV_PHASE_DISCARD);
  OvRates rates;
  OvSample sample;

  ov_rates_reset (&rates);
  s.cpu_ns = 0;
  s.bytes = 77; /* not in the run phase: not its throughput */
  g_assert_true (ov_rates_push (&rates, &s, &sample));
  g_assert_true (isnan (sample.throughput) && isnan (sample.requests) && isnan (sample.in_flight));
  g_assert_cmpfloat (sample.user, ==, 0);
  g_assert_cmpfloat (sample.system, ==, 0);
  g_assert_true (isnan (sample.rest));
  g_assert_false (ov_rates_push (&rates, &s, &sample)); /* not later */

  s = steady (100, 40);
  g_assert_true (ov_rates_push (&rates, &s, &sample));
  g_assert_cmpfloat_with_epsilon (sample.throughput, 100e6, 1);
  s = snapshot_at (150, OV_PHASE_VERIFY);
  g_assert_true (ov_rates_push (&rates, &s, &sample));
  g_assert_true (isnan (sample.throughput) && isnan (sample.user));
  run->elapsed_ns = 90 * MS;
  run->bytes = 9000000;
  g_assert_false (ov_rates_finish (&rates, run, &sample));
}

/* A run without a snapshot, one whose CPU is not split yet, one whose figures go back. */
static void
test_odd (void)
{
  g_autoptr (OvRun) run = ov_run_new (ov_run_spec_new ());
  OvSnapshot s;
  OvRates rates;
  OvSample sample;

  run->elapsed_ns = 20 * MS;
  run->bytes = 1000;
  ov_rates_reset (&rates);
  g_assert_false (ov_rates_finish (&rates, run, &sample));

  s = steady (50, 50);
  s.user_ns = s.system_ns = 0;
  g_assert_true (ov_rates_push (&rates, &s, &sample));
  g_assert_true (isnan (sample.user) && isnan (sample.system));
  s = steady (100, 100);
  s.bytes = 1;
  s.cpu_ns = 1;
  s.completed = 1000000;
  g_assert_true (ov_rates_push (&rates, &s, &sample));
  g_assert_cmpfloat (sample.throughput, ==, 0);
  g_assert_cmpfloat (sample.in_flight, ==, 0);
  g_assert_true (sample.user >= 0 && sample.system >= 0);
}

static OvRunSpec *
make_spec (const char *variant, guint64 size)
{
  OvRunSpec *spec = ov_run_spec_new ();

  g_free (spec->variant);
  spec->variant = g_strdup (variant);
  g_free (spec->target);
  spec->target = g_strdup ("/t");
  spec->size = size;
  return spec;
}

static void
test_estimate (void)
{
  g_autoptr (OvEstimate) estimate = ov_estimate_new ();
  g_autoptr (OvRunSpec) a1 = make_spec ("a", 1000);
  g_autoptr (OvRunSpec) a4 = make_spec ("a", 4000);
  g_autoptr (OvRunSpec) b2 = make_spec ("b", 2000);

  g_assert_cmpint (ov_estimate_get (estimate, a1), ==, -1);
  ov_estimate_add (estimate, a1, 10 * MS);
  ov_estimate_add (estimate, a1, 500 * MS); /* an outlier does not move a median */
  ov_estimate_add (estimate, a1, 12 * MS);
  g_assert_cmpint (ov_estimate_get (estimate, a1), ==, 12 * MS);
  /* What the shortest run took does not grow with the size. */
  g_assert_cmpint (ov_estimate_get (estimate, a4), ==, (10 + 4 * 2) * MS);
  g_assert_cmpint (ov_estimate_get (estimate, b2), ==, (10 + 2 * 2) * MS);
  ov_estimate_add (estimate, b2, 7 * MS);
  g_assert_cmpint (ov_estimate_get (estimate, b2), ==, 7 * MS);
  a4->size = 1; /* never below the shortest run */
  g_assert_cmpint (ov_estimate_get (estimate, a4), >=, 7 * MS);
  g_assert_cmpint (ov_estimate_get (estimate, a4), <, 8 * MS);
  a4->size = G_MAXUINT64; /* nor without end */
  g_assert_cmpint (ov_estimate_get (estimate, a4), <=, G_GINT64_CONSTANT (3200000000) * 1000000000);
  a4->size = 0;
  g_assert_cmpint (ov_estimate_get (estimate, a4), ==, 12 * MS);
}

/* A run ends at its time limit, whatever its size would take. */
static void
test_estimate_limit (void)
{
  g_autoptr (OvEstimate) estimate = ov_estimate_new ();
  g_autoptr (OvRunSpec) small = make_spec ("a", 1000);
  g_autoptr (OvRunSpec) large = make_spec ("a", 100000000);

  ov_estimate_add (estimate, small, 1000 * MS);
  g_assert_cmpint (ov_estimate_get (estimate, large), >, 1000 * 1000 * MS);
  ov_estimate_add (estimate, small, 1000 * MS);
  large->time_limit_ns = 500 * MS;
  g_assert_cmpint (ov_estimate_get (estimate, large), ==, 2000 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/estimate/limit", test_estimate_limit);
  g_test_add_func ("/rates/steady", test_steady);
  g_test_add_func ("/rates/uneven", test_uneven);
  g_test_add_func ("/rates/phases", test_phases);
  g_test_add_func ("/rates/odd", test_odd);
  g_test_add_func ("/estimate/median", test_estimate);
  return g_test_run ();
}
