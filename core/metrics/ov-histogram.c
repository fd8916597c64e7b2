// SPDX-License-Identifier: GPL-3.0-or-later
/* Merging, reading and restoring latency histograms; adding is inline in the header. */
#include "config.h"

#include "metrics/ov-histogram.h"

#include <math.h>
#include <string.h>

#define TWO_TO_64 0x1p64

void
ov_histogram_init (OvHistogram *histogram)
{
  memset (histogram, 0, sizeof *histogram);
  histogram->min = G_MAXUINT64;
}

static void
add_to_sum (OvHistogram *histogram, guint64 low, guint64 high)
{
  histogram->sum_low += low;
  histogram->sum_high += high + (histogram->sum_low < low);
}

void
ov_histogram_merge (OvHistogram *dst, const OvHistogram *src)
{
  for (guint i = 0; i < OV_HISTOGRAM_N_BUCKETS; i++)
    dst->buckets[i] += src->buckets[i];
  dst->overflow += src->overflow;
  dst->count += src->count;
  add_to_sum (dst, src->sum_low, src->sum_high);
  dst->min = MIN (dst->min, src->min);
  dst->max = MAX (dst->max, src->max);
}

/* The value that stands for a bucket: its middle, rounded down. */
static guint64
bucket_middle (guint index)
{
  guint64 lower, upper;

  ov_histogram_bucket_bounds (index, &lower, &upper);
  return lower + (upper - lower - 1) / 2;
}

/* `count` times the values v - period, v - 2 period, … v - n period, bucket by bucket. */
static void
add_missed_of (OvHistogram *dst, guint64 v, guint64 count, double n, double period)
{
  double k = 1;

  if (n < 1 || count == 0)
    return;
  while (k <= n)
    {
      const double value = MAX (0, (double)v - k * period);
      const guint index = ov_histogram_index ((guint64)value);
      guint64 lower, upper;
      double last;

      ov_histogram_bucket_bounds (index, &lower, &upper);
      last = CLAMP (floor (((double)v - (double)lower) / period), k, n);
      dst->buckets[index] += count * (guint64)(last - k + 1);
      k = last + 1;
    }
  dst->count += count * (guint64)n;
  dst->min = MIN (dst->min, (guint64)MAX (0, (double)v - n * period));
  dst->max = MAX (dst->max, (guint64)((double)v - period));
  {
    const unsigned __int128 sum
        = (unsigned __int128)((n * (double)v - period * n * (n + 1) / 2) * (double)count);

    add_to_sum (dst, (guint64)sum, (guint64)(sum >> 64));
  }
}

void
ov_histogram_add_missed (OvHistogram *dst, const OvHistogram *src, double period, guint64 most)
{
  g_return_if_fail (dst != src && period >= 1);

  for (guint i = OV_HISTOGRAM_N_BUCKETS; i-- > 0 && most > 0;)
    {
      const guint64 v = src->buckets[i] > 0 ? CLAMP (bucket_middle (i), src->min, src->max) : 0;
      const guint64 n = (guint64)((double)v / period);
      const guint64 whole = n > 0 ? MIN (src->buckets[i], most / n) : 0;
      const guint64 rest = n > 0 && whole < src->buckets[i] ? most % n : 0;

      add_missed_of (dst, v, whole, (double)n, period);
      add_missed_of (dst, v, rest > 0, (double)rest, period);
      most -= whole * n + rest;
    }
}

/* Minimum and maximum may be older or newer than the buckets: brings them into the first and the
 * last bucket that are filled (OV_HISTOGRAM_N_BUCKETS and 0 if none is). There is at least one
 * value. */
static void
fit_extremes (OvHistogram *histogram, guint first, guint last)
{
  guint64 lower, upper;

  if (first < OV_HISTOGRAM_N_BUCKETS)
    {
      ov_histogram_bucket_bounds (first, &lower, &upper);
      histogram->min = CLAMP (histogram->min, lower, upper - 1);
    }
  else
    histogram->min = MAX (histogram->min, OV_HISTOGRAM_LIMIT_NS);
  if (histogram->overflow > 0)
    histogram->max = MAX (histogram->max, OV_HISTOGRAM_LIMIT_NS);
  else
    {
      ov_histogram_bucket_bounds (last, &lower, &upper);
      histogram->max = CLAMP (histogram->max, lower, upper - 1);
    }
  histogram->max = MAX (histogram->max, histogram->min);
}

void
ov_histogram_snapshot (OvHistogram *dst, const OvHistogram *src)
{
  guint first = OV_HISTOGRAM_N_BUCKETS, last = 0;

  /* The sum before the buckets: what is added meanwhile is missing from it rather than too much. */
  dst->sum_low = __atomic_load_n (&src->sum_low, __ATOMIC_ACQUIRE);
  dst->sum_high = __atomic_load_n (&src->sum_high, __ATOMIC_ACQUIRE);
  dst->count = 0;
  for (guint i = 0; i < OV_HISTOGRAM_N_BUCKETS; i++)
    {
      dst->buckets[i] = __atomic_load_n (&src->buckets[i], __ATOMIC_RELAXED);
      dst->count += dst->buckets[i];
      if (dst->buckets[i] > 0)
        {
          first = MIN (first, i);
          last = i;
        }
    }
  dst->overflow = __atomic_load_n (&src->overflow, __ATOMIC_RELAXED);
  dst->count += dst->overflow;
  dst->min = __atomic_load_n (&src->min, __ATOMIC_RELAXED);
  dst->max = __atomic_load_n (&src->max, __ATOMIC_RELAXED);
  if (dst->count == 0)
    {
      ov_histogram_init (dst);
      return;
    }

  fit_extremes (dst, first, last);
}

guint64
ov_histogram_count (const OvHistogram *histogram)
{
  return histogram->count;
}

guint64
ov_histogram_overflow (const OvHistogram *histogram)
{
  return histogram->overflow;
}

guint64
ov_histogram_min (const OvHistogram *histogram)
{
  return histogram->count > 0 ? histogram->min : 0;
}

guint64
ov_histogram_max (const OvHistogram *histogram)
{
  return histogram->max;
}

double
ov_histogram_mean (const OvHistogram *histogram)
{
  double mean;

  if (histogram->count == 0)
    return NAN;
  mean = ((double)histogram->sum_high * TWO_TO_64 + (double)histogram->sum_low)
         / (double)histogram->count;
  return CLAMP (mean, (double)histogram->min, (double)histogram->max);
}

/* The 1-based rank of a quantile: ceil (q × count), at least 1. The product is rounded, so for a
 * whole q × count the ceiling could be one too far: a relative 2^-52 is taken off before. */
static guint64
quantile_rank (const OvHistogram *histogram, double q)
{
  double exact = q * (double)histogram->count;
  double rank = ceil (exact - exact * 0x1p-52);

  if (rank < 1)
    return 1;
  return rank >= (double)histogram->count ? histogram->count : (guint64)rank;
}

guint64
ov_histogram_quantile (const OvHistogram *histogram, double q)
{
  guint64 rank, seen = 0;

  g_return_val_if_fail (q >= 0 && q <= 1, 0);
  if (histogram->count == 0)
    return 0;
  if (q <= 0)
    return histogram->min;
  rank = quantile_rank (histogram, q);
  if (rank == histogram->count)
    return histogram->max;
  for (guint i = 0; i < OV_HISTOGRAM_N_BUCKETS; i++)
    {
      seen += histogram->buckets[i];
      if (seen >= rank)
        return CLAMP (bucket_middle (i), histogram->min, histogram->max);
    }
  return histogram->max;
}

gboolean
ov_histogram_quantile_is_bound (const OvHistogram *histogram, double q)
{
  guint64 rank;

  g_return_val_if_fail (q >= 0 && q <= 1, FALSE);
  if (histogram->count == 0 || q <= 0)
    return FALSE;
  rank = quantile_rank (histogram, q);
  /* The maximum itself is exact. */
  return rank < histogram->count && rank > histogram->count - histogram->overflow;
}

void
ov_histogram_bucket_bounds (guint index, guint64 *lower, guint64 *upper)
{
  guint group = index / OV_HISTOGRAM_SUB;
  guint shift = group > 0 ? group - 1 : 0;

  *lower = *upper = 0;
  g_return_if_fail (index < OV_HISTOGRAM_N_BUCKETS);
  /* The index of v is shift × 64 + (v >> shift). */
  *lower = (guint64)(index - shift * OV_HISTOGRAM_SUB) << shift;
  *upper = *lower + (G_GUINT64_CONSTANT (1) << shift);
}

gboolean
ov_histogram_next (const OvHistogram *histogram, guint *position, guint *index, guint64 *count)
{
  while (*position < OV_HISTOGRAM_N_BUCKETS)
    {
      guint i = (*position)++;

      if (histogram->buckets[i] > 0)
        {
          *index = i;
          *count = histogram->buckets[i];
          return TRUE;
        }
    }
  return FALSE;
}

void
ov_histogram_foreach (const OvHistogram *histogram, OvHistogramFunc func, gpointer user_data)
{
  guint position = 0, index;
  guint64 count, lower, upper;

  while (ov_histogram_next (histogram, &position, &index, &count))
    {
      ov_histogram_bucket_bounds (index, &lower, &upper);
      func (lower, upper, count, user_data);
    }
  if (histogram->overflow > 0)
    func (OV_HISTOGRAM_LIMIT_NS, G_MAXUINT64, histogram->overflow, user_data);
}

gboolean
ov_histogram_restore_bucket (OvHistogram *histogram, guint index, guint64 count)
{
  if (index >= OV_HISTOGRAM_N_BUCKETS || histogram->buckets[index] != 0
      || count > G_MAXUINT64 - histogram->count)
    return FALSE;
  histogram->buckets[index] = count;
  histogram->count += count;
  return TRUE;
}

/* Whether a value belongs to the given bucket, or to the overflow for OV_HISTOGRAM_N_BUCKETS. */
static gboolean
is_in_bucket (guint64 value, guint bucket)
{
  guint actual
      = value < OV_HISTOGRAM_LIMIT_NS ? ov_histogram_index (value) : OV_HISTOGRAM_N_BUCKETS;

  return actual == bucket;
}

gboolean
ov_histogram_totals_fit (guint first, guint last, guint64 overflow, guint64 min, guint64 max,
                         double mean)
{
  if (overflow > 0)
    last = OV_HISTOGRAM_N_BUCKETS;
  /* The mean went through a text and a double: a relative 2^-50 is allowed. */
  return is_in_bucket (min, first) && is_in_bucket (max, last) && min <= max && isfinite (mean)
         && mean >= (double)min * (1 - 0x1p-50) && mean <= (double)max * (1 + 0x1p-50);
}

gboolean
ov_histogram_restore_totals (OvHistogram *histogram, guint64 overflow, guint64 min, guint64 max,
                             double mean)
{
  guint first = OV_HISTOGRAM_N_BUCKETS, last = OV_HISTOGRAM_N_BUCKETS;
  double sum, high;

  if (overflow > G_MAXUINT64 - histogram->count)
    return FALSE;
  if (histogram->count + overflow == 0)
    return TRUE;
  for (guint i = 0; i < OV_HISTOGRAM_N_BUCKETS; i++)
    if (histogram->buckets[i] > 0)
      {
        first = MIN (first, i);
        last = i;
      }
  if (!ov_histogram_totals_fit (first, last, overflow, min, max, mean))
    return FALSE;
  histogram->overflow = overflow;
  histogram->count += overflow;
  histogram->min = min;
  histogram->max = max;
  sum = rint (mean * (double)histogram->count); /* values are whole */
  high = floor (sum / TWO_TO_64);
  histogram->sum_high = (guint64)high;
  histogram->sum_low = (guint64)(sum - high * TWO_TO_64);
  return TRUE;
}

gboolean
ov_histogram_has_quantile (const OvHistogram *histogram, double q)
{
  g_return_val_if_fail (q >= 0 && q <= 1, FALSE);
  if (histogram->count == 0)
    return FALSE;
  /* 1 - 0.9999 is a hair more than 0.0001: 10,000 values are enough. */
  return q == 1 || (double)histogram->count * (1 - q) >= 1 - 1e-9;
}
