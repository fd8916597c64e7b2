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
/* The same for warm-up, which takes values out of a comparison: his "far out". */
#define WARM_FENCE 3.0

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

/* ---- Resampled medians ----------------------------------------------------------------------
 *
 * The median of a sample drawn with replacement from n sorted values is the mean of those of two
 * ranks (of one rank for an odd n). Which ranks does not depend on the values, so they are drawn
 * once for each n and kept. Drawing n indices floor (n U) and sorting them is drawing the order
 * statistics of n uniform numbers: the k-th is Beta (k, n + 1 - k); the next one is the least of
 * n - k numbers that are uniform above it. So a resample costs the same whatever n is, and the
 * distribution is that of resampling itself, no approximation. */

/* Two ranks, and how many resamples have them for their middle. */
typedef struct
{
  guint32 below;
  guint32 above;
  guint32 count;
} Middle;

/* What was drawn for one n. */
typedef struct
{
  gsize n;
  guint resamples;
  guint64 seed;
  GArray *middles; /* of Middle, each pair of ranks once */
} Draw;

/* A median and how many resamples have it. */
typedef struct
{
  double value;
  guint32 count;
} Weighted;

#define DRAWS_KEPT 64

G_LOCK_DEFINE_STATIC (draws);
static GHashTable *draws; /* of Draw, as key and value */

static guint
hash_draw (gconstpointer data)
{
  const Draw *draw = data;

  return (guint)(draw->n * 2654435761u) ^ draw->resamples ^ (guint)draw->seed;
}

static gboolean
equal_draws (gconstpointer a, gconstpointer b)
{
  const Draw *one = a;
  const Draw *other = b;

  return one->n == other->n && one->resamples == other->resamples && one->seed == other->seed;
}

static void
free_draw (gpointer data)
{
  Draw *draw = data;

  g_array_unref (draw->middles);
  g_free (draw);
}

static int
compare_middles (gconstpointer a, gconstpointer b)
{
  const Middle *one = a;
  const Middle *other = b;

  if (one->below != other->below)
    return one->below < other->below ? -1 : 1;
  return one->above < other->above ? -1 : one->above > other->above;
}

static guint32
rank_of (double uniform, gsize n)
{
  return (guint32)MIN ((gsize)(uniform * (double)n), n - 1);
}

static Middle
draw_middle (gsl_rng *rng, gsize n)
{
  gsize k = (n + 1) / 2;
  double first = gsl_ran_beta (rng, (double)k, (double)(n + 1 - k));
  double second = first;

  if (n % 2 == 0)
    second = first + (1 - first) * (1 - pow (gsl_rng_uniform_pos (rng), 1 / (double)(n - k)));
  return (Middle){ rank_of (first, n), rank_of (second, n), 1 };
}

static Draw *
new_draw (gsize n, guint resamples, guint64 seed)
{
  Draw *draw = g_new0 (Draw, 1);
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_mt19937);
  g_autoptr (GArray) all = g_array_sized_new (FALSE, FALSE, sizeof (Middle), resamples);

  gsl_rng_set (rng, (unsigned long)(seed ^ (seed >> 32)));
  for (guint i = 0; i < resamples; i++)
    {
      Middle middle = draw_middle (rng, n);

      g_array_append_val (all, middle);
    }
  gsl_rng_free (rng);
  g_array_sort (all, compare_middles);
  *draw = (Draw){ n, resamples, seed, g_array_new (FALSE, FALSE, sizeof (Middle)) };
  for (guint i = 0; i < all->len; i++)
    {
      Middle *middle = &g_array_index (all, Middle, i);
      Middle *last = draw->middles->len > 0
                         ? &g_array_index (draw->middles, Middle, draw->middles->len - 1)
                         : NULL;

      if (last != NULL && compare_middles (last, middle) == 0)
        last->count++;
      else
        g_array_append_val (draw->middles, *middle);
    }
  return draw;
}

/* The ranks for n values. The caller owns a reference. */
static GArray *
need_middles (gsize n, guint resamples, guint64 seed)
{
  Draw key = { n, resamples, seed, NULL };
  Draw *draw;
  GArray *middles;

  G_LOCK (draws);
  if (draws == NULL)
    draws = g_hash_table_new_full (hash_draw, equal_draws, free_draw, NULL);
  draw = g_hash_table_lookup (draws, &key);
  if (draw == NULL)
    {
      if (g_hash_table_size (draws) >= DRAWS_KEPT)
        g_hash_table_remove_all (draws);
      draw = new_draw (n, resamples, seed);
      g_hash_table_add (draws, draw);
    }
  middles = g_array_ref (draw->middles);
  G_UNLOCK (draws);
  return middles;
}

static int
compare_weighted (gconstpointer a, gconstpointer b)
{
  double x = ((const Weighted *)a)->value;
  double y = ((const Weighted *)b)->value;

  return (x > y) - (x < y);
}

/* The value at `place` (from 0) of what a sorted array with counts stands for. */
static double
value_at (const GArray *sorted, gsize place)
{
  gsize seen = 0;

  for (guint i = 0; i < sorted->len; i++)
    {
      seen += g_array_index (sorted, Weighted, i).count;
      if (place < seen)
        return g_array_index (sorted, Weighted, i).value;
    }
  g_return_val_if_reached (NAN);
}

/* As gsl_stats_quantile_from_sorted_data(), type 7. */
static double
weighted_quantile (const GArray *sorted, gsize total, double q)
{
  double place = (double)(total - 1) * q;
  gsize below = (gsize)place;
  double part = place - (double)below;
  double value = value_at (sorted, below);

  if (part > 0 && below + 1 < total)
    value = (1 - part) * value + part * value_at (sorted, below + 1);
  return value;
}

/* The percentile interval; x is usable and n large enough. */
static void
bootstrap_interval (const double *x, gsize n, guint resamples, guint64 seed, double level,
                    double *lo, double *hi)
{
  g_autofree double *sorted = dup_sorted (x, n);
  g_autoptr (GArray) middles = need_middles (n, resamples, seed);
  g_autoptr (GArray) medians = g_array_sized_new (FALSE, FALSE, sizeof (Weighted), middles->len);

  for (guint i = 0; i < middles->len; i++)
    {
      const Middle *middle = &g_array_index (middles, Middle, i);
      Weighted median = { .count = middle->count };

      /* Halves first: the sum of two might overflow. */
      median.value = middle->below == middle->above
                         ? sorted[middle->below]
                         : sorted[middle->below] / 2 + sorted[middle->above] / 2;
      g_array_append_val (medians, median);
    }
  g_array_sort (medians, compare_weighted);
  *lo = weighted_quantile (medians, resamples, (1 - level) / 2);
  *hi = weighted_quantile (medians, resamples, (1 + level) / 2);
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

/* `resamples` medians of samples from x, in the order in which they were drawn. */
static double *
resampled_medians (const double *x, gsize n, guint resamples, guint64 seed)
{
  g_autofree double *sorted = dup_sorted (x, n);
  double *medians = g_new (double, resamples);
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_mt19937);

  gsl_rng_set (rng, (unsigned long)(seed ^ (seed >> 32)));
  for (guint i = 0; i < resamples; i++)
    {
      Middle middle = draw_middle (rng, n);

      medians[i] = sorted[middle.below] / 2 + sorted[middle.above] / 2;
    }
  gsl_rng_free (rng);
  return medians;
}

static gboolean
all_positive (const double *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!(x[i] > 0))
      return FALSE;
  return TRUE;
}

gboolean
ov_stats_ratio (const double *a, gsize n_a, const double *b, gsize n_b, guint resamples,
                guint64 seed, double level, double *ratio, double *lo, double *hi)
{
  g_autofree double *above = NULL, *below = NULL;

  *ratio = *lo = *hi = NAN;
  if (!is_usable (a, n_a) || !is_usable (b, n_b) || resamples == 0 || !(level > 0 && level < 1)
      || !all_positive (a, n_a) || !all_positive (b, n_b))
    return FALSE;
  *ratio = ov_stats_median (a, n_a) / ov_stats_median (b, n_b);
  if (MIN (n_a, n_b) < OV_STATS_MIN_FOR_INTERVAL)
    {
      double least_a, most_a, least_b, most_b;

      gsl_stats_minmax (&least_a, &most_a, a, 1, n_a);
      gsl_stats_minmax (&least_b, &most_b, b, 1, n_b);
      *lo = least_a / most_b;
      *hi = most_a / least_b;
      return FALSE;
    }
  above = resampled_medians (a, n_a, resamples, seed);
  below = resampled_medians (b, n_b, resamples, seed + 1);
  for (guint i = 0; i < resamples; i++)
    above[i] /= below[i];
  gsl_sort (above, 1, resamples);
  *lo = gsl_stats_quantile_from_sorted_data (above, 1, resamples, (1 - level) / 2);
  *hi = gsl_stats_quantile_from_sorted_data (above, 1, resamples, (1 + level) / 2);
  return TRUE;
}

guint64
ov_stats_more_to_decide (gsize n, double ratio, double lo, double hi)
{
  double distance, reach, wanted;

  if (n == 0 || !(isfinite (ratio) && lo > 0 && isfinite (hi) && ratio > 0 && lo <= hi))
    return G_MAXUINT64;
  if (lo > 1 || hi < 1)
    return 0;
  distance = fabs (log (ratio));
  reach = ratio >= 1 ? log (ratio) - log (lo) : log (hi) - log (ratio);
  wanted = ceil ((double)n * (reach / distance) * (reach / distance));
  if (!(wanted < 1e9)) /* a distance of 0 too */
    return G_MAXUINT64;
  return MAX ((guint64)wanted, (guint64)n + 1) - n;
}

gsize
ov_stats_warm_up (const double *x, gsize n)
{
  gsize most = n / 3, length = 0;
  g_autofree double *logs = NULL;
  double q1, q3, reach;
  gboolean above;

  if (n < OV_STATS_MIN_FOR_WARM_UP || !is_usable (x, n) || !all_positive (x, n))
    return 0;
  logs = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    logs[i] = log (x[i]);
  q1 = ov_stats_quantile (logs + most, n - most, 0.25);
  q3 = ov_stats_quantile (logs + most, n - most, 0.75);
  reach = WARM_FENCE * (q3 - q1);
  above = logs[0] > q3;
  while (length < most && (above ? logs[length] > q3 + reach : logs[length] < q1 - reach))
    length++;
  return length;
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
