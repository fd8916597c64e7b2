// SPDX-License-Identifier: GPL-3.0-or-later
/* Order statistics, bootstrap intervals and outliers, over GSL. */
#include "config.h"

#include "metrics/ov-stats.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* Tukey's factor for the fences. */
#define FENCE 1.5

gboolean
ov_stats_all_finite (const double *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (x[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_usable (const double *x, gsize n)
{
  return n > 0 && ov_stats_all_finite (x, n);
}

static double *
dup_sorted (const double *x, gsize n)
{
  double *sorted = g_memdup2 (x, n * sizeof *x);

  gsl_sort (sorted, 1, n);
  return sorted;
}

double
ov_stats_quantile (const double *x, gsize n, double q)
{
  g_autofree double *sorted = NULL;

  if (!is_usable (x, n) || !(q >= 0 && q <= 1))
    return NAN;
  sorted = dup_sorted (x, n);
  return gsl_stats_quantile_from_sorted_data (sorted, 1, n, q);
}

double
ov_stats_median (const double *x, gsize n)
{
  g_autofree double *sorted = NULL;

  if (!is_usable (x, n))
    return NAN;
  sorted = dup_sorted (x, n);
  return gsl_stats_median_from_sorted_data (sorted, 1, n);
}

double
ov_stats_mean (const double *x, gsize n)
{
  return is_usable (x, n) ? gsl_stats_mean (x, 1, n) : NAN;
}

double
ov_stats_sd (const double *x, gsize n)
{
  return n >= 2 && is_usable (x, n) ? gsl_stats_sd (x, 1, n) : NAN;
}

double
ov_stats_mad (const double *x, gsize n)
{
  g_autofree double *work = NULL;

  if (!is_usable (x, n))
    return NAN;
  work = g_new (double, n);
  return gsl_stats_mad0 (x, 1, n, work);
}

/* The percentile interval; x is usable and n large enough. */
static void
bootstrap_interval (const double *x, gsize n, guint resamples, guint64 seed, double level,
                    double *lo, double *hi)
{
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_mt19937);
  g_autofree double *sample = g_new (double, n);
  g_autofree double *medians = g_new (double, resamples);

  gsl_rng_set (rng, (unsigned long)(seed ^ (seed >> 32)));
  for (guint i = 0; i < resamples; i++)
    {
      /* gsl_ran_sample() takes its source as void * but does not write to it. */
      gsl_ran_sample (rng, sample, n, (void *)x, n, sizeof *x);
      gsl_sort (sample, 1, n);
      medians[i] = gsl_stats_median_from_sorted_data (sample, 1, n);
    }
  gsl_sort (medians, 1, resamples);
  *lo = gsl_stats_quantile_from_sorted_data (medians, 1, resamples, (1 - level) / 2);
  *hi = gsl_stats_quantile_from_sorted_data (medians, 1, resamples, (1 + level) / 2);
  gsl_rng_free (rng);
}

gboolean
ov_stats_bootstrap_median (const double *x, gsize n, guint resamples, guint64 seed, double level,
                           double *lo, double *hi)
{
  *lo = *hi = NAN;
  if (!is_usable (x, n) || resamples == 0 || !(level > 0 && level < 1))
    return FALSE;
  if (n < OV_STATS_MIN_FOR_INTERVAL)
    {
      gsl_stats_minmax (lo, hi, x, 1, n);
      return FALSE;
    }
  bootstrap_interval (x, n, resamples, seed, level, lo, hi);
  return TRUE;
}

gboolean
ov_stats_paired_ratio (const double *a, const double *b, gsize n, guint resamples, guint64 seed,
                       double level, double *ratio, double *lo, double *hi)
{
  g_autofree double *ratios = g_new (double, n);

  *ratio = *lo = *hi = NAN;
  for (gsize i = 0; i < n; i++)
    {
      if (!(isfinite (a[i]) && isfinite (b[i]) && a[i] > 0 && b[i] > 0))
        return FALSE;
      ratios[i] = a[i] / b[i];
    }
  /* The median of no or of overflowed ratios is NaN, like the interval. */
  *ratio = ov_stats_median (ratios, n);
  return ov_stats_bootstrap_median (ratios, n, resamples, seed, level, lo, hi);
}

gsize
ov_stats_mark_outliers (const double *x, gsize n, gboolean *marks)
{
  g_autofree double *scale = NULL, *sorted = NULL;
  gboolean positive = TRUE;
  double q1, q3, reach;
  gsize n_marked = 0;

  if (marks != NULL)
    memset (marks, 0, n * sizeof *marks);
  if (n < OV_STATS_MIN_FOR_INTERVAL || !is_usable (x, n))
    return 0;
  for (gsize i = 0; i < n; i++)
    positive = positive && x[i] > 0;
  scale = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    scale[i] = positive ? log (x[i]) : x[i];
  sorted = dup_sorted (scale, n);
  q1 = gsl_stats_quantile_from_sorted_data (sorted, 1, n, 0.25);
  q3 = gsl_stats_quantile_from_sorted_data (sorted, 1, n, 0.75);
  reach = FENCE * (q3 - q1);
  for (gsize i = 0; i < n; i++)
    {
      gboolean outside = scale[i] < q1 - reach || scale[i] > q3 + reach;

      n_marked += outside;
      if (marks != NULL)
        marks[i] = outside;
    }
  return n_marked;
}

gboolean
ov_stats_summary (const double *x, gsize n, OvStatsSummary *out)
{
  *out = (OvStatsSummary){
    .median = NAN, .lo = NAN, .hi = NAN, .min = NAN, .max = NAN, .mean = NAN, .sd = NAN
  };
  if (!is_usable (x, n))
    return FALSE;
  out->n = n;
  out->median = ov_stats_median (x, n);
  out->is_interval = ov_stats_bootstrap_median (x, n, OV_STATS_RESAMPLES, OV_STATS_SEED,
                                                OV_STATS_LEVEL, &out->lo, &out->hi);
  gsl_stats_minmax (&out->min, &out->max, x, 1, n);
  out->mean = ov_stats_mean (x, n);
  out->sd = ov_stats_sd (x, n);
  out->n_outliers = ov_stats_mark_outliers (x, n, NULL);
  return TRUE;
}
