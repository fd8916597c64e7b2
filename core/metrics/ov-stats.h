// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Statistics over repetitions.
 *
 * Values are never removed. Nothing here computes with NaN or an infinity: functions that return a
 * number return NaN for such input (and for no input at all), the others FALSE. The same seed gives
 * the same interval. `x` is never changed and need not be sorted.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Below so many values no interval is given: resampling so few says too little (an interval of
 * nominally 95 % from three values covers 73 %). */
#define OV_STATS_MIN_FOR_INTERVAL 6

#define OV_STATS_RESAMPLES 4000
#define OV_STATS_LEVEL     0.95
#define OV_STATS_SEED      G_GUINT64_CONSTANT (20260)

/* Whether all values are finite. TRUE for none. */
gboolean ov_stats_all_finite (const double *x, gsize n);

double ov_stats_median (const double *x, gsize n);

/* Type 7 of Hyndman and Fan 1996, R's default: linear between order statistics, position
 * 1 + (n - 1) q. q in [0, 1]. */
double ov_stats_quantile (const double *x, gsize n, double q);

double ov_stats_mean (const double *x, gsize n);

/* With n - 1 in the denominator, computed stably from deviations. NaN for n < 2. */
double ov_stats_sd (const double *x, gsize n);

/* Median of the absolute deviations from the median, not scaled (times 1.4826 it estimates the
 * standard deviation of a normal distribution). */
double ov_stats_mad (const double *x, gsize n);

/*
 * A percentile bootstrap interval of the median: `resamples` samples of n values drawn with
 * replacement, and the (1 - level) / 2 and (1 + level) / 2 quantiles of their medians.
 *
 * TRUE: lo and hi are the interval. FALSE: they are the range (minimum and maximum) because n is
 * below OV_STATS_MIN_FOR_INTERVAL, or NaN because a value is not finite, n is 0, resamples is 0 or
 * level is not inside (0, 1).
 *
 * An interval of nominally 95 % from few values covers less. As it ends on order statistics its
 * coverage can be counted out for an odd n: 87.5 % for 7, 93.5 % for 11 (of any continuous
 * distribution); simulated: 93 % for 6 and 10, 95 % for 30. The order of the values does not
 * matter. Cost: sorting them, and at most `resamples` medians, whose ranks are drawn once for each
 * n and kept (10 values: 5 µs). May be called in any thread.
 */
gboolean ov_stats_bootstrap_median (const double *x, gsize n, guint resamples, guint64 seed,
                                    double level, double *lo, double *hi);

/*
 * How many times larger a is than b, from pairs that were measured next to each other: the median
 * of the n ratios a[i] / b[i] with a bootstrap interval as above (pairs are drawn whole).
 *
 * TRUE: an interval. FALSE: the range of the ratios, for fewer than OV_STATS_MIN_FOR_INTERVAL
 * pairs; ratio, lo and hi all NaN if n is 0 or a value is not finite or not above 0.
 */
gboolean ov_stats_paired_ratio (const double *a, const double *b, gsize n, guint resamples,
                                guint64 seed, double level, double *ratio, double *lo, double *hi);

/*
 * How many times larger the median of a is than that of b, where nothing pairs their values (runs
 * of two machines): both are resampled on their own.
 *
 * TRUE: an interval. FALSE: from the smallest of a by the largest of b to the largest by the
 * smallest, where either has fewer than OV_STATS_MIN_FOR_INTERVAL values; all NaN if either has
 * none or one that is not finite or not above 0.
 */
gboolean ov_stats_ratio (const double *a, gsize n_a, const double *b, gsize n_b, guint resamples,
                         guint64 seed, double level, double *ratio, double *lo, double *hi);

/*
 * How many more pairs would probably move the interval [lo, hi] of a ratio, got from n pairs, off
 * 1: the interval shrinks with the square root of their number, about a ratio that stays. 0: it
 * does not hold 1 now. G_MAXUINT64: no number below 10^9 would, as where the ratio is 1.
 */
guint64 ov_stats_more_to_decide (gsize n, double ratio, double lo, double hi);

/* Fewer values are not looked at for a warm-up. */
#define OV_STATS_MIN_FOR_WARM_UP 9

/*
 * How many of the first values are warm-up, of n in the order in which they were measured: those
 * from the first on that lie more than 3 interquartile ranges (of the logarithms) outside the
 * quartiles of the last two thirds, all on the same side. At most a third. 0 for fewer than
 * OV_STATS_MIN_FOR_WARM_UP values or one that is not finite or not above 0. Among lognormal
 * values that do not warm up it finds some in 4 % of series of 9, 2.4 % of 10, 0.6 % of 20.
 */
gsize ov_stats_warm_up (const double *x, gsize n);

/*
 * Marks outliers; returns how many there are. `marks` (n elements) may be NULL.
 *
 * A value is marked if it lies more than 1.5 interquartile ranges outside the quartiles (Tukey's
 * fences) of the logarithms, as times and rates scatter by factors; of the values themselves if one
 * of them is not above 0. Nothing is marked among fewer than OV_STATS_MIN_FOR_INTERVAL values, nor
 * if a value is not finite.
 */
gsize ov_stats_mark_outliers (const double *x, gsize n, gboolean *marks);

typedef struct
{
  gsize n;
  double median;
  double lo; /* the interval if is_interval, else the range */
  double hi;
  gboolean is_interval;
  double min;
  double max;
  double mean;
  double sd; /* NaN for n = 1: show nothing */
  gsize n_outliers;
} OvStatsSummary;

/* All of the above for one set of values, with OV_STATS_RESAMPLES, OV_STATS_LEVEL and
 * OV_STATS_SEED. FALSE if n is 0 or a value is not finite; then n is 0, is_interval FALSE and every
 * figure NaN. */
gboolean ov_stats_summary (const double *x, gsize n, OvStatsSummary *out);

G_END_DECLS
