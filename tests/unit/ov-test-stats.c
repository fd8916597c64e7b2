// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Statistics against known figures, and bootstrap intervals against what can be computed exactly.
 *
 * For an odd n of different values the bootstrap distribution of the median is known: the median of
 * a resample is at most the k-th smallest value with probability P(Bin(n, k/n) >= (n + 1) / 2). The
 * intervals expected below follow from it.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "metrics/ov-stats.h"

/* Miles per gallon of 32 cars (Motor Trend, 1974), the data set "mtcars" of R. The figures for it
 * below are what R's quantile(), mean(), sd() and mad(constant = 1) give. */
static const double mpg[] = { 21.0, 21.0, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8,
                              16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5,
                              15.2, 13.3, 19.2, 27.3, 26.0, 30.4, 15.8, 19.7, 15.0, 21.4 };

static void
test_known (void)
{
  const gsize n = G_N_ELEMENTS (mpg);

  g_assert_cmpfloat_with_epsilon (ov_stats_median (mpg, n), 19.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (mpg, n, 0), 10.4, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (mpg, n, 0.25), 15.425, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (mpg, n, 0.5), 19.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (mpg, n, 0.75), 22.8, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (mpg, n, 1), 33.9, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_mean (mpg, n), 20.090625, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_sd (mpg, n), 6.0269480520891, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_mad (mpg, n), 3.65, 1e-12);
}

/* Type 7 tells itself from the other definitions by these: 1 + (n - 1) q. */
static void
test_quantile_type (void)
{
  static const double four[] = { 40, 10, 30, 20 };

  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (four, 4, 0.25), 17.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (four, 4, 0.1), 13, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_quantile (four, 4, 0.9), 37, 1e-12);
  g_assert_cmpfloat_with_epsilon (ov_stats_median (four, 4), 25, 1e-12);
  /* The input is as it was. */
  g_assert_cmpfloat (four[0], ==, 40);
  g_assert_true (isnan (ov_stats_quantile (four, 4, -0.1)));
  g_assert_true (isnan (ov_stats_quantile (four, 4, 1.1)));
  g_assert_true (isnan (ov_stats_quantile (four, 4, NAN)));
}

/* The certified data sets NumAcc3 and NumAcc4 of NIST: a large mean with a small deviation, where
 * the sum of squares loses everything. Their standard deviation is 0.1 exactly. */
static void
test_stable_sd (void)
{
  static const double centres[] = { 1000000.2, 10000000.2 };

  for (gsize c = 0; c < G_N_ELEMENTS (centres); c++)
    {
      double x[1001];

      x[0] = centres[c];
      for (int i = 1; i < 1001; i++)
        x[i] = centres[c] + (i % 2 ? -0.1 : 0.1);
      g_assert_cmpfloat_with_epsilon (ov_stats_mean (x, 1001), centres[c], 1e-8);
      g_assert_cmpfloat_with_epsilon (ov_stats_sd (x, 1001), 0.1, 1e-8);
    }
}

static void
test_refused (void)
{
  const double bad[][7] = { { 1, 2, 3, NAN, 5, 6, 7 },
                            { INFINITY, 2, 3, 4, 5, 6, 7 },
                            { 1, 2, 3, 4, 5, 6, -INFINITY } };
  const double good[] = { 1, 2, 3, 4, 5, 6, 7 };
  double lo, hi, ratio;
  OvStatsSummary summary;
  gboolean marks[7];

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (ov_stats_all_finite (bad[i], 7));
      g_assert_true (isnan (ov_stats_median (bad[i], 7)));
      g_assert_true (isnan (ov_stats_quantile (bad[i], 7, 0.5)));
      g_assert_true (isnan (ov_stats_mean (bad[i], 7)));
      g_assert_true (isnan (ov_stats_sd (bad[i], 7)));
      g_assert_true (isnan (ov_stats_mad (bad[i], 7)));
      g_assert_false (ov_stats_bootstrap_median (bad[i], 7, 100, 1, 0.95, &lo, &hi));
      g_assert_true (isnan (lo) && isnan (hi));
      g_assert_false (ov_stats_paired_ratio (bad[i], good, 7, 100, 1, 0.95, &ratio, &lo, &hi));
      g_assert_true (isnan (ratio) && isnan (lo) && isnan (hi));
      g_assert_false (ov_stats_paired_ratio (good, bad[i], 7, 100, 1, 0.95, &ratio, &lo, &hi));
      g_assert_true (isnan (ratio) && isnan (lo) && isnan (hi));
      memset (marks, 0xff, sizeof marks);
      g_assert_cmpuint (ov_stats_mark_outliers (bad[i], 7, marks), ==, 0);
      g_assert_false (marks[0] || marks[6]);
      g_assert_false (ov_stats_summary (bad[i], 7, &summary));
      g_assert_cmpuint (summary.n, ==, 0);
      g_assert_false (summary.is_interval);
      g_assert_true (isnan (summary.median) && isnan (summary.lo) && isnan (summary.sd));
    }
  g_assert_true (isnan (ov_stats_median (NULL, 0)));
  g_assert_true (isnan (ov_stats_mean (NULL, 0)));
  g_assert_true (isnan (ov_stats_sd (good, 1)));
  g_assert_false (ov_stats_summary (NULL, 0, &summary));
  g_assert_false (ov_stats_bootstrap_median (NULL, 0, 100, 1, 0.95, &lo, &hi));
  g_assert_false (ov_stats_bootstrap_median (good, 7, 0, 1, 0.95, &lo, &hi));
  g_assert_false (ov_stats_bootstrap_median (good, 7, 100, 1, 1, &lo, &hi));
  g_assert_false (ov_stats_bootstrap_median (good, 7, 100, 1, 0, &lo, &hi));
  g_assert_false (ov_stats_bootstrap_median (good, 7, 100, 1, NAN, &lo, &hi));
  g_assert_true (isnan (lo) && isnan (hi));
  /* Neither is a time of 0 the base of a ratio. */
  {
    const double zero[] = { 1, 2, 3, 4, 5, 6, 0 };

    g_assert_false (ov_stats_paired_ratio (good, zero, 7, 100, 1, 0.95, &ratio, &lo, &hi));
    g_assert_true (isnan (ratio));
    g_assert_false (ov_stats_paired_ratio (NULL, NULL, 0, 100, 1, 0.95, &ratio, &lo, &hi));
    g_assert_true (isnan (ratio));
  }
}

static void
test_bootstrap_exact (void)
{
  const double seven[] = { 12, 10, 16, 11, 15, 13, 14 };
  const double eleven[] = { 20, 15, 25, 16, 24, 17, 23, 18, 22, 19, 21 };
  double lo, hi;

  /* n = 7: P(median <= x2) = 0.108 is the first above 0.025, P(<= x6) = 0.990 above 0.975. */
  g_assert_true (ov_stats_bootstrap_median (seven, 7, 4000, 1, 0.95, &lo, &hi));
  g_assert_cmpfloat (lo, ==, 11);
  g_assert_cmpfloat (hi, ==, 15);
  /* n = 11: x3 (0.051) and x9 (0.993). */
  g_assert_true (ov_stats_bootstrap_median (eleven, 11, 4000, 1, 0.95, &lo, &hi));
  g_assert_cmpfloat (lo, ==, 17);
  g_assert_cmpfloat (hi, ==, 23);
  /* At a level of 0.5: x5 (0.379) and x7 (0.827). */
  g_assert_true (ov_stats_bootstrap_median (eleven, 11, 4000, 1, 0.5, &lo, &hi));
  g_assert_cmpfloat (lo, ==, 19);
  g_assert_cmpfloat (hi, ==, 21);
}

/* The part of all experiments whose interval holds the true median, here of a lognormal
 * distribution, whose median is 1. */
static double
simulate_coverage (gsize n, int experiments)
{
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_taus2);
  double x[32];
  int hits = 0;

  gsl_rng_set (rng, 1234);
  for (int e = 0; e < experiments; e++)
    {
      double lo, hi;

      for (gsize i = 0; i < n; i++)
        x[i] = gsl_ran_lognormal (rng, 0, 0.4);
      g_assert_true (ov_stats_bootstrap_median (x, n, 400, (guint64)e, 0.95, &lo, &hi));
      hits += lo <= 1 && 1 <= hi;
    }
  gsl_rng_free (rng);
  return (double)hits / experiments;
}

static void
test_bootstrap_coverage (void)
{
  double coverage;

  /* [x2, x6] of 7 holds the median of any continuous distribution with 1 - 2 (1 + 7) / 2^7; [x3,
   * x9] of 11 with 1 - 2 (1 + 11 + 55) / 2^11. The standard error of the simulation is below 0.011.
   */
  coverage = simulate_coverage (7, 1000);
  g_test_message ("n = 7: %.3f", coverage);
  g_assert_cmpfloat_with_epsilon (coverage, 0.875, 0.035);
  coverage = simulate_coverage (11, 1000);
  g_test_message ("n = 11: %.3f", coverage);
  g_assert_cmpfloat_with_epsilon (coverage, 0.9346, 0.035);
  coverage = simulate_coverage (6, 1000);
  g_test_message ("n = 6: %.3f", coverage);
  g_assert_cmpfloat (coverage, >, 0.85);
  coverage = simulate_coverage (10, 1000);
  g_test_message ("n = 10: %.3f", coverage);
  g_assert_cmpfloat_with_epsilon (coverage, 0.945, 0.035);
  coverage = simulate_coverage (30, 500);
  g_test_message ("n = 30: %.3f", coverage);
  g_assert_cmpfloat_with_epsilon (coverage, 0.945, 0.035);
}

static void
test_bootstrap_few (void)
{
  const double x[] = { 5, 3, 4, 9, 1, 2 };
  double lo, hi;

  g_assert_false (ov_stats_bootstrap_median (x, 5, 1000, 1, 0.95, &lo, &hi));
  g_assert_cmpfloat (lo, ==, 1);
  g_assert_cmpfloat (hi, ==, 9);
  g_assert_false (ov_stats_bootstrap_median (x, 1, 1000, 1, 0.95, &lo, &hi));
  g_assert_cmpfloat (lo, ==, 5);
  g_assert_cmpfloat (hi, ==, 5);
  g_assert_true (ov_stats_bootstrap_median (x, 6, 1000, 1, 0.95, &lo, &hi));
}

static void
test_bootstrap_seed (void)
{
  double lo1, hi1, lo2, hi2;
  gboolean differs = FALSE;

  for (guint64 seed = 0; seed < 20; seed++)
    {
      g_assert_true (ov_stats_bootstrap_median (mpg, 32, 50, seed, 0.95, &lo1, &hi1));
      g_assert_true (ov_stats_bootstrap_median (mpg, 32, 50, seed, 0.95, &lo2, &hi2));
      g_assert_cmpfloat (lo1, ==, lo2);
      g_assert_cmpfloat (hi1, ==, hi2);
      g_assert_true (ov_stats_bootstrap_median (mpg, 32, 50, seed + 1, 0.95, &lo2, &hi2));
      differs = differs || lo1 != lo2 || hi1 != hi2;
    }
  /* The seed is used. */
  g_assert_true (differs);
}

static void
test_paired_ratio (void)
{
  /* Pairs drift together by a factor of ten, their ratio does not: 2 but for a few percent. */
  const double b[] = { 1, 2, 4, 8, 9, 10, 7, 3, 2, 1 };
  const double factor[] = { 2.00, 1.96, 2.04, 1.98, 2.02, 1.99, 2.01, 1.97, 2.03, 2.00 };
  const double three[] = { 4, 9, 16 }, two[] = { 2, 3, 4 };
  double a[10], ratio, lo, hi;

  for (int i = 0; i < 10; i++)
    a[i] = b[i] * factor[i];
  g_assert_true (ov_stats_paired_ratio (a, b, 10, 2000, 1, 0.95, &ratio, &lo, &hi));
  g_assert_cmpfloat_with_epsilon (ratio, 2.0, 1e-12);
  g_assert_cmpfloat (lo, >=, 1.96);
  g_assert_cmpfloat (lo, <, 2.0);
  g_assert_cmpfloat (hi, >, 2.0);
  g_assert_cmpfloat (hi, <=, 2.04);
  /* The other way round it is the inverse. */
  g_assert_true (ov_stats_paired_ratio (b, a, 10, 2000, 1, 0.95, &ratio, &lo, &hi));
  g_assert_cmpfloat_with_epsilon (ratio, 0.5, 1e-3);
  /* Ratios 2, 3, 4: too few for an interval. */
  g_assert_false (ov_stats_paired_ratio (three, two, 3, 2000, 1, 0.95, &ratio, &lo, &hi));
  g_assert_cmpfloat (ratio, ==, 3);
  g_assert_cmpfloat (lo, ==, 2);
  g_assert_cmpfloat (hi, ==, 4);
}

/* ---- Against SciPy -------------------------------------------------------------------------- */

typedef struct
{
  gboolean paired;
  double ratio;
  double lo[2]; /* the least and the most that SciPy's bootstraps gave */
  double hi[2];
  GArray *a;
  GArray *b;
} Reference;

static GArray *
read_numbers (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      {
        double value = g_ascii_strtod (words[i], NULL);

        g_array_append_val (numbers, value);
      }
  return numbers;
}

static void
read_reference (const char *line, Reference *out)
{
  g_auto (GStrv) parts = g_strsplit (line, ":", 3);
  g_auto (GStrv) kind = g_strsplit (parts[0], " ", 2);
  g_autoptr (GArray) figures = read_numbers (kind[1]);
  const double *f = (const double *)(gpointer)figures->data;

  g_assert_cmpuint (figures->len, ==, 5);
  *out = (Reference){
    g_str_equal (kind[0], "paired"), f[0], { f[1], f[2] }, { f[3], f[4] }, read_numbers (parts[1]),
    read_numbers (parts[2])
  };
}

/* Ours is one more bootstrap: inside of what forty of SciPy's gave, or less than a tenth of
 * the interval's width beside it. */
static void
check_reference (const Reference *r)
{
  const double *a = (const double *)(gpointer)r->a->data;
  const double *b = (const double *)(gpointer)r->b->data;
  double ratio, lo, hi, slack = (r->hi[0] - r->lo[1]) / 10 + 1e-9;

  if (r->paired)
    g_assert_true (ov_stats_paired_ratio (a, b, r->a->len, OV_STATS_RESAMPLES, OV_STATS_SEED, 0.95,
                                          &ratio, &lo, &hi));
  else
    g_assert_true (ov_stats_ratio (a, r->a->len, b, r->b->len, OV_STATS_RESAMPLES, OV_STATS_SEED,
                                   0.95, &ratio, &lo, &hi));
  g_test_message ("%.4f (%.4f to %.4f)", ratio, lo, hi);
  g_assert_cmpfloat_with_epsilon (ratio, r->ratio, 1e-9);
  g_assert_cmpfloat (lo, >=, r->lo[0] - slack);
  g_assert_cmpfloat (lo, <=, r->lo[1] + slack);
  g_assert_cmpfloat (hi, >=, r->hi[0] - slack);
  g_assert_cmpfloat (hi, <=, r->hi[1] + slack);
}

static void
test_scipy (void)
{
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "tests", "data", "stats", "ratios.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++, n++)
    {
      Reference reference;

      read_reference (lines[i], &reference);
      check_reference (&reference);
      g_array_unref (reference.a);
      g_array_unref (reference.b);
    }
  g_assert_cmpuint (n, ==, 26);
}

/* Neither the order of the values nor what was asked before changes an interval, in any thread. */
static gpointer
ask_in_thread (gpointer data)
{
  double lo, hi;

  for (gsize n = 6; n <= 32; n++)
    g_assert_true (ov_stats_bootstrap_median (mpg, n, 500, 3, 0.95, &lo, &hi));
  return NULL;
}

static void
test_bootstrap_order (void)
{
  double backwards[32], lo, hi, lo2, hi2;
  GThread *threads[3];

  for (int i = 0; i < 32; i++)
    backwards[i] = mpg[31 - i];
  g_assert_true (ov_stats_bootstrap_median (mpg, 32, 500, 3, 0.95, &lo, &hi));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("asks", ask_in_thread, NULL);
  for (gsize n = 6; n <= 32; n++) /* more than are kept, with the seeds */
    for (guint64 seed = 0; seed < 3; seed++)
      ov_stats_bootstrap_median (mpg, n, 500, seed, 0.95, &lo2, &hi2);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (ov_stats_bootstrap_median (backwards, 32, 500, 3, 0.95, &lo2, &hi2));
  g_assert_cmpfloat (lo, ==, lo2);
  g_assert_cmpfloat (hi, ==, hi2);
}

static void
test_ratio_refused (void)
{
  const double few[] = { 2, 4, 8 }, more[] = { 1, 2, 4, 1, 2, 4 }, zero[] = { 1, 2, 3, 4, 5, 0 };
  double ratio, lo, hi;

  g_assert_false (ov_stats_ratio (few, 3, more, 6, 100, 1, 0.95, &ratio, &lo, &hi));
  g_assert_cmpfloat (ratio, ==, 2);
  g_assert_cmpfloat (lo, ==, 0.5);
  g_assert_cmpfloat (hi, ==, 8);
  g_assert_false (ov_stats_ratio (zero, 6, more, 6, 100, 1, 0.95, &ratio, &lo, &hi));
  g_assert_true (isnan (ratio) && isnan (lo) && isnan (hi));
  g_assert_false (ov_stats_ratio (more, 6, NULL, 0, 100, 1, 0.95, &ratio, &lo, &hi));
  g_assert_true (isnan (ratio));
}

static void
test_more_to_decide (void)
{
  /* Twice as far out as the ratio is from 1, in logarithms: four times the pairs. */
  g_assert_cmpuint (ov_stats_more_to_decide (10, 2, 0.5, 8), ==, 30);
  g_assert_cmpuint (ov_stats_more_to_decide (10, 0.5, 0.125, 2), ==, 30);
  g_assert_cmpuint (ov_stats_more_to_decide (10, 2, 1.01, 3), ==, 0);
  g_assert_cmpuint (ov_stats_more_to_decide (10, 0.5, 0.3, 0.99), ==, 0);
  /* On the edge one more may do. */
  g_assert_cmpuint (ov_stats_more_to_decide (10, 2, 1, 3), ==, 1);
  g_assert_cmpuint (ov_stats_more_to_decide (10, 1, 0.9, 1.1), ==, G_MAXUINT64);
  g_assert_cmpuint (ov_stats_more_to_decide (10, 1 + 1e-9, 0.5, 2), ==, G_MAXUINT64);
  g_assert_cmpuint (ov_stats_more_to_decide (0, 2, 0.5, 3), ==, G_MAXUINT64);
  g_assert_cmpuint (ov_stats_more_to_decide (10, NAN, NAN, NAN), ==, G_MAXUINT64);
}

static void
test_warm_up (void)
{
  double x[12] = { 30, 20, 10.1, 10.2, 9.9, 10.0, 10.3, 9.8, 10.1, 10.0, 9.9, 10.2 };

  g_assert_cmpuint (ov_stats_warm_up (x, 12), ==, 2);
  x[0] = 5; /* not on the same side as the second */
  g_assert_cmpuint (ov_stats_warm_up (x, 12), ==, 1);
  x[0] = 10.1; /* what comes later is an outlier, no warm-up */
  g_assert_cmpuint (ov_stats_warm_up (x, 12), ==, 0);
  g_assert_cmpuint (ov_stats_warm_up (x + 1, 8), ==, 0); /* too few */
  for (int i = 0; i < 6; i++)
    x[i] = 50 - i;
  g_assert_cmpuint (ov_stats_warm_up (x, 12), <=, 4); /* never more than a third */
  x[3] = 0;
  g_assert_cmpuint (ov_stats_warm_up (x, 12), ==, 0);
}

static void
test_outliers (void)
{
  /* Logarithms to base 2: 0 1 2 3 4 5 6 7 with quartiles 1.75 and 5.25, fences -3.5 and 10.5. */
  double x[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
  gboolean marks[10];

  g_assert_cmpuint (ov_stats_mark_outliers (x, 8, marks), ==, 0);
  {
    /* Values 10 … 17, then one far above and one far below. */
    double y[] = { 10, 11, 12, 13, 14, 15, 16, 17, 60, 2 };

    g_assert_cmpuint (ov_stats_mark_outliers (y, 10, marks), ==, 2);
    for (int i = 0; i < 10; i++)
      g_assert_cmpint (marks[i], ==, i >= 8);
    /* 0 has no logarithm: quartiles 11.25 and 15.75 of the values, fences 4.5 and 22.5. */
    y[0] = 0;
    g_assert_cmpuint (ov_stats_mark_outliers (y, 10, marks), ==, 3);
    for (int i = 0; i < 10; i++)
      g_assert_cmpint (marks[i], ==, i == 0 || i >= 8);
    g_assert_cmpuint (ov_stats_mark_outliers (y, 10, NULL), ==, 3);
  }
  {
    /* The fences themselves, linear because of the 0: quartiles 2 and 6, reach 6, so 12 is inside.
     */
    double y[] = { 0, 1, 2, 3, 4, 5, 6, 7, 12 }, z[] = { 0, 1, 2, 3, 4, 5, 6, 7, 12.001 };

    g_assert_cmpuint (ov_stats_mark_outliers (y, 9, NULL), ==, 0);
    g_assert_cmpuint (ov_stats_mark_outliers (z, 9, marks), ==, 1);
    g_assert_true (marks[8]);
  }
  /* Five values are too few to call one of them odd. */
  x[4] = 1e9;
  g_assert_cmpuint (ov_stats_mark_outliers (x, 5, marks), ==, 0);
}

static void
test_summary (void)
{
  OvStatsSummary summary;
  const double few[] = { 3, 1, 2 }, one[] = { 7 };
  double lo, hi;

  g_assert_true (ov_stats_summary (mpg, 32, &summary));
  g_assert_cmpuint (summary.n, ==, 32);
  g_assert_true (summary.is_interval);
  g_assert_cmpfloat_with_epsilon (summary.median, 19.2, 1e-12);
  g_assert_cmpfloat (summary.min, ==, 10.4);
  g_assert_cmpfloat (summary.max, ==, 33.9);
  g_assert_cmpfloat_with_epsilon (summary.mean, 20.090625, 1e-12);
  g_assert_cmpfloat_with_epsilon (summary.sd, 6.0269480520891, 1e-12);
  ov_stats_bootstrap_median (mpg, 32, OV_STATS_RESAMPLES, OV_STATS_SEED, OV_STATS_LEVEL, &lo, &hi);
  g_assert_cmpfloat (summary.lo, ==, lo);
  g_assert_cmpfloat (summary.hi, ==, hi);
  g_assert_cmpfloat (lo, <, 19.2);
  g_assert_cmpfloat (hi, >, 19.2);

  g_assert_true (ov_stats_summary (few, 3, &summary));
  g_assert_false (summary.is_interval);
  g_assert_cmpfloat (summary.lo, ==, 1);
  g_assert_cmpfloat (summary.hi, ==, 3);
  g_assert_cmpfloat (summary.sd, ==, 1);

  g_assert_true (ov_stats_summary (one, 1, &summary));
  g_assert_cmpfloat (summary.median, ==, 7);
  g_assert_true (isnan (summary.sd));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stats/known", test_known);
  g_test_add_func ("/stats/quantile-type", test_quantile_type);
  g_test_add_func ("/stats/stable-sd", test_stable_sd);
  g_test_add_func ("/stats/refused", test_refused);
  g_test_add_func ("/stats/bootstrap/exact", test_bootstrap_exact);
  g_test_add_func ("/stats/bootstrap/coverage", test_bootstrap_coverage);
  g_test_add_func ("/stats/bootstrap/few", test_bootstrap_few);
  g_test_add_func ("/stats/bootstrap/seed", test_bootstrap_seed);
  g_test_add_func ("/stats/bootstrap/order", test_bootstrap_order);
  g_test_add_func ("/stats/paired-ratio", test_paired_ratio);
  g_test_add_func ("/stats/scipy", test_scipy);
  g_test_add_func ("/stats/ratio-refused", test_ratio_refused);
  g_test_add_func ("/stats/more-to-decide", test_more_to_decide);
  g_test_add_func ("/stats/warm-up", test_warm_up);
  g_test_add_func ("/stats/outliers", test_outliers);
  g_test_add_func ("/stats/summary", test_summary);
  return g_test_run ();
}
