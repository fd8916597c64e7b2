// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A histogram of latencies in nanoseconds, in buckets that grow with the value.
 *
 * Values below 128 have a bucket each. From there on each doubling is cut into 64 buckets of equal
 * width: for 2^k <= v < 2^(k+1) and k >= 7 the width is w = 2^(k-6).
 *
 * Error: a bucket holds the whole numbers L … L + w - 1 and is represented by its middle
 * L + (w - 1) / 2, so no value in it is farther away than (w - 1) / 2. As v >= L >= 64 w, the
 * relative error is at most (w - 1) / (128 w) < 1/128.
 *
 * Values of 2^40 ns (18 minutes) and more go into one flagged bucket, the overflow; minimum,
 * maximum, sum and count are exact for them too.
 *
 * A plain struct of fixed size without pointers: it can live in shared memory and outlive the
 * process that filled it. One writer; another thread or process reads through
 * ov_histogram_snapshot() while the writer works.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OV_HISTOGRAM_SUB_BITS 6
#define OV_HISTOGRAM_SUB      (1u << OV_HISTOGRAM_SUB_BITS)
#define OV_HISTOGRAM_TOP_BITS 40
#define OV_HISTOGRAM_LIMIT_NS (G_GUINT64_CONSTANT (1) << OV_HISTOGRAM_TOP_BITS)
#define OV_HISTOGRAM_N_BUCKETS                                                                     \
  ((OV_HISTOGRAM_TOP_BITS - OV_HISTOGRAM_SUB_BITS + 1) * OV_HISTOGRAM_SUB)

typedef struct
{
  guint64 count;   /* of all values, those in the overflow included */
  guint64 sum_low; /* sum of all values, 128 bits */
  guint64 sum_high;
  guint64 min; /* G_MAXUINT64 while count is 0 */
  guint64 max;
  guint64 overflow; /* values of OV_HISTOGRAM_LIMIT_NS and more */
  guint64 buckets[OV_HISTOGRAM_N_BUCKETS];
} OvHistogram;

G_STATIC_ASSERT (OV_HISTOGRAM_N_BUCKETS == 2240);
G_STATIC_ASSERT (sizeof (OvHistogram) == (6 + 2240) * 8);

void ov_histogram_init (OvHistogram *histogram);

/* The bucket of a value below OV_HISTOGRAM_LIMIT_NS. */
static inline guint
ov_histogram_index (guint64 ns)
{
  /* Setting the bit makes the first two groups (width 1) fall out of the same formula. */
  guint shift = 63 - OV_HISTOGRAM_SUB_BITS - (guint)__builtin_clzll (ns | OV_HISTOGRAM_SUB);

  return shift * OV_HISTOGRAM_SUB + (guint)(ns >> shift);
}

/* Adds one value: constant time, no allocation, no lock. */
static inline void
ov_histogram_add (OvHistogram *histogram, guint64 ns)
{
  guint64 sum = histogram->sum_low + ns;

  histogram->sum_high += sum < ns;
  histogram->sum_low = sum;
  if (ns < histogram->min)
    histogram->min = ns;
  if (ns > histogram->max)
    histogram->max = ns;
  if (G_LIKELY (ns < OV_HISTOGRAM_LIMIT_NS))
    histogram->buckets[ov_histogram_index (ns)]++;
  else
    histogram->overflow++;
  histogram->count++;
}

/* Adds all values of `src`. Quantiles of several runs come from a merged histogram, never from the
 * mean of their quantiles. */
void ov_histogram_merge (OvHistogram *dst, const OvHistogram *src);

/*
 * Adds to `dst` what values of `src` hide where each stands for a moment that was due, moments are
 * `period` ns apart, and whoever answers one misses those that pass meanwhile: for a value v of a
 * period or more also v - period, v - 2 period, … as long as that is not negative. That is how long
 * after each missed moment the next answer came. The values of `src` are not added themselves, nor
 * is anything for its overflow.
 *
 * This is the correction for coordinated omission of Gil Tene's HdrHistogram ("expected interval"),
 * which ends at values below one interval, since there the next request is still made on time; here
 * that moment is missed as well.
 *
 * No more than `most` values are added, those hidden by the longest first: it is known how many
 * were missed, and somebody who is always late by more than a period, but comes each time, misses
 * none.
 *
 * A bucket's values are taken to be in its middle, so that each value added is off by at most 1/128
 * of the value that hid it.
 */
void ov_histogram_add_missed (OvHistogram *dst, const OvHistogram *src, double period,
                              guint64 most);

/* Copies a histogram that another thread or process is filling. The copy is consistent in itself
 * (its count is the sum of its buckets, min <= max); a value being added at that moment may be
 * missing from it, or from its sum. */
void ov_histogram_snapshot (OvHistogram *dst, const OvHistogram *src);

guint64 ov_histogram_count (const OvHistogram *histogram);
guint64 ov_histogram_overflow (const OvHistogram *histogram);

/* Exact, in nanoseconds; 0 while there is no value. */
guint64 ov_histogram_min (const OvHistogram *histogram);
guint64 ov_histogram_max (const OvHistogram *histogram);

/* Exact but for the rounding of a double, in nanoseconds, and never outside minimum and maximum;
 * NaN while there is no value. */
double ov_histogram_mean (const OvHistogram *histogram);

/*
 * The value of rank ceil (q × count), at least the first, in nanoseconds: the smallest value that
 * at least the part q of all values do not exceed, within the error above. Never below the minimum
 * nor above the maximum; q = 0 and q = 1 give these exactly. A rank in the overflow gives the
 * maximum. 0 while there is no value. q must lie in [0, 1].
 */
guint64 ov_histogram_quantile (const OvHistogram *histogram, double q);

/* Whether the quantile's rank falls into the overflow, so that the figure is only an upper bound.
 */
gboolean ov_histogram_quantile_is_bound (const OvHistogram *histogram, double q);

/* Whether there are values enough for the quantile to say something: one at least is expected
 * beyond it, so 1 / (1 - q) of them. q = 1 is the maximum, which one value has. */
gboolean ov_histogram_has_quantile (const OvHistogram *histogram, double q);

/* A bucket holds the values lower <= v < upper, in nanoseconds. */
void ov_histogram_bucket_bounds (guint index, guint64 *lower, guint64 *upper);

/* Calls `func` for each bucket that is not empty, in rising order; the overflow comes last, as
 * OV_HISTOGRAM_LIMIT_NS to G_MAXUINT64. */
typedef void (*OvHistogramFunc) (guint64 lower, guint64 upper, guint64 count, gpointer user_data);
void ov_histogram_foreach (const OvHistogram *histogram, OvHistogramFunc func, gpointer user_data);

/* For sparse export: sets the next non-empty bucket's index and count and moves `*position` (0 to
 * begin with) behind it. FALSE at the end. The overflow is not among them. */
gboolean ov_histogram_next (const OvHistogram *histogram, guint *position, guint *index,
                            guint64 *count);

/* For sparse import into a histogram that was just initialised: puts `count` values into a bucket.
 * FALSE, and nothing changed, for an index that does not exist or a bucket that is filled.
 * ov_histogram_restore_totals() completes the import. */
gboolean ov_histogram_restore_bucket (OvHistogram *histogram, guint index, guint64 count);

/* Whether totals are possible with these first and last buckets that are not empty
 * (OV_HISTOGRAM_N_BUCKETS: there is none). There is at least one value. */
gboolean ov_histogram_totals_fit (guint first, guint last, guint64 overflow, guint64 min,
                                  guint64 max, double mean);

/* Sets what buckets do not tell. FALSE, and nothing changed, if the totals contradict the buckets:
 * `count` must be the sum of all buckets and `overflow`, `min` and `max` must lie in the first and
 * last bucket that are not empty, the mean between them. */
gboolean ov_histogram_restore_totals (OvHistogram *histogram, guint64 overflow, guint64 min,
                                      guint64 max, double mean);

G_END_DECLS
