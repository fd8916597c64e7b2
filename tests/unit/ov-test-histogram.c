// SPDX-License-Identifier: GPL-3.0-or-later
/* The latency histogram against sorted values. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ov-random.h"
#include "metrics/ov-histogram.h"

#define LIMIT OV_HISTOGRAM_LIMIT_NS

static OvHistogram *
new_histogram (void)
{
  OvHistogram *histogram = g_new (OvHistogram, 1);

  /* Whatever was in the memory must not matter. */
  memset (histogram, 0xa5, sizeof *histogram);
  ov_histogram_init (histogram);
  return histogram;
}

static void
test_empty (void)
{
  g_autofree OvHistogram *h = new_histogram ();
  guint position = 0, index;
  guint64 count;

  g_assert_cmpuint (ov_histogram_count (h), ==, 0);
  g_assert_cmpuint (ov_histogram_min (h), ==, 0);
  g_assert_cmpuint (ov_histogram_max (h), ==, 0);
  g_assert_cmpuint (ov_histogram_quantile (h, 0.5), ==, 0);
  g_assert_true (isnan (ov_histogram_mean (h)));
  g_assert_false (ov_histogram_quantile_is_bound (h, 0.99));
  g_assert_false (ov_histogram_next (h, &position, &index, &count));
}

/* Buckets follow each other without gap or overlap from 0 to the limit. */
static void
test_bounds (void)
{
  guint64 expected = 0;

  for (guint i = 0; i < OV_HISTOGRAM_N_BUCKETS; i++)
    {
      guint64 lower, upper;

      ov_histogram_bucket_bounds (i, &lower, &upper);
      g_assert_cmpuint (lower, ==, expected);
      g_assert_cmpuint (upper, >, lower);
      g_assert_cmpuint (ov_histogram_index (lower), ==, i);
      g_assert_cmpuint (ov_histogram_index (upper - 1), ==, i);
      /* Exact below 128, and never wider than a 64th from there on. */
      if (lower < 128)
        g_assert_cmpuint (upper - lower, ==, 1);
      else
        g_assert_cmpuint ((upper - lower) * 64, <=, lower);
      expected = upper;
    }
  g_assert_cmpuint (expected, ==, LIMIT);
}

/* The median of one value between two extremes is that value's bucket. */
static void
check_error (guint64 value)
{
  g_autofree OvHistogram *h = new_histogram ();
  guint64 got;

  ov_histogram_add (h, 0);
  ov_histogram_add (h, value);
  ov_histogram_add (h, LIMIT);
  got = ov_histogram_quantile (h, 0.5);
  if (value < 128)
    g_assert_cmpuint (got, ==, value);
  else
    g_assert_cmpfloat (fabs ((double)got - (double)value), <, (double)value / 128);
}

static void
test_error_bound (void)
{
  OvRandom random;

  ov_random_init (&random, 1);
  for (guint64 value = 1; value < 5000; value++)
    check_error (value);
  for (int bit = 7; bit < OV_HISTOGRAM_TOP_BITS; bit++)
    for (int offset = -2; offset <= 2; offset++)
      check_error ((G_GUINT64_CONSTANT (1) << bit) + (guint64)(gint64)offset);
  check_error (LIMIT - 1);
  for (int i = 0; i < 3000; i++)
    check_error (1
                 + ov_random_below (&random, LIMIT >> ov_random_below (&random, 40)) % (LIMIT - 1));
}

static int
compare_u64 (const void *a, const void *b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return x < y ? -1 : x > y;
}

/* Latencies as they are: some hundred microseconds, and a few that are far out. */
static guint64 *
make_values (gsize n, guint64 seed)
{
  guint64 *values = g_new (guint64, n);
  OvRandom random;

  ov_random_init (&random, seed);
  for (gsize i = 0; i < n; i++)
    {
      double u = ov_random_unit (&random) + ov_random_unit (&random) + ov_random_unit (&random);

      values[i] = (guint64)exp (8 + 3 * u);
      if (ov_random_below (&random, 500) == 0)
        values[i] *= 1000;
    }
  return values;
}

static void
test_quantiles (void)
{
  static const double quantiles[]
      = { 0, 0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.99999, 1 };
  static const gsize sizes[] = { 1, 2, 3, 10, 100, 1000, 54321 };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      gsize n = sizes[s];
      g_autofree OvHistogram *h = new_histogram ();
      g_autofree guint64 *values = make_values (n, n);
      double sum = 0;
      guint64 last = 0;

      for (gsize i = 0; i < n; i++)
        {
          ov_histogram_add (h, values[i]);
          sum += (double)values[i];
        }
      qsort (values, n, sizeof *values, compare_u64);
      g_assert_cmpuint (ov_histogram_count (h), ==, n);
      g_assert_cmpuint (ov_histogram_min (h), ==, values[0]);
      g_assert_cmpuint (ov_histogram_max (h), ==, values[n - 1]);
      g_assert_cmpfloat_with_epsilon (ov_histogram_mean (h), sum / (double)n, 1e-9 * sum);
      for (gsize q = 0; q < G_N_ELEMENTS (quantiles); q++)
        {
          gsize rank = (gsize)ceil (quantiles[q] * (double)n);
          guint64 truth = values[rank > 0 ? rank - 1 : 0];
          guint64 got = ov_histogram_quantile (h, quantiles[q]);

          g_assert_cmpfloat (fabs ((double)got - (double)truth), <=, (double)truth / 128);
          g_assert_cmpuint (got, >=, last);
          g_assert_cmpuint (got, <=, values[n - 1]);
          last = got;
        }
      g_assert_cmpuint (ov_histogram_quantile (h, 0), ==, values[0]);
      g_assert_cmpuint (ov_histogram_quantile (h, 1), ==, values[n - 1]);
    }
}

/* 0.1 × 30 is a little more than 3 in a double: the rank must be 3 all the same. */
static void
test_rank_rounding (void)
{
  g_autofree OvHistogram *h = new_histogram ();

  for (guint64 v = 1; v <= 100; v++)
    ov_histogram_add (h, v);
  for (int percent = 1; percent <= 100; percent++)
    g_assert_cmpuint (ov_histogram_quantile (h, percent / 100.0), ==, percent);
  ov_histogram_init (h);
  for (guint64 v = 1; v <= 30; v++)
    ov_histogram_add (h, v);
  g_assert_cmpuint (ov_histogram_quantile (h, 0.1), ==, 3);
}

static void
test_overflow (void)
{
  g_autofree OvHistogram *h = new_histogram ();

  for (int i = 0; i < 97; i++)
    ov_histogram_add (h, 100);
  ov_histogram_add (h, LIMIT - 1);
  ov_histogram_add (h, LIMIT);
  ov_histogram_add (h, 5 * LIMIT);
  g_assert_cmpuint (ov_histogram_count (h), ==, 100);
  g_assert_cmpuint (ov_histogram_overflow (h), ==, 2);
  g_assert_cmpuint (ov_histogram_max (h), ==, 5 * LIMIT);
  g_assert_cmpuint (ov_histogram_quantile (h, 0.97), ==, 100);
  g_assert_false (ov_histogram_quantile_is_bound (h, 0.98));
  g_assert_cmpuint (ov_histogram_quantile (h, 0.98), <, LIMIT);
  g_assert_true (ov_histogram_quantile_is_bound (h, 0.99));
  g_assert_cmpuint (ov_histogram_quantile (h, 0.99), ==, 5 * LIMIT);
  /* The largest is known exactly. */
  g_assert_false (ov_histogram_quantile_is_bound (h, 1));
}

/* The sum does not wrap where 64 bits would. */
static void
test_huge_sum (void)
{
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *sum = new_histogram ();

  for (int i = 0; i < 5; i++)
    ov_histogram_add (h, G_MAXUINT64);
  g_assert_cmpfloat (ov_histogram_mean (h), ==, (double)G_MAXUINT64);
  for (int i = 0; i < 3; i++)
    ov_histogram_merge (sum, h);
  ov_histogram_add (sum, 0);
  g_assert_cmpfloat_with_epsilon (ov_histogram_mean (sum), (double)G_MAXUINT64 * 15 / 16, 1e6);
}

static void
test_merge (void)
{
  const gsize n = 20000;
  g_autofree guint64 *values = make_values (n, 77);
  g_autofree OvHistogram *all = new_histogram ();
  g_autofree OvHistogram *merged = new_histogram ();
  g_autofree OvHistogram *empty = new_histogram ();

  values[5] = 3 * LIMIT;
  for (gsize part = 0; part < 4; part++)
    {
      g_autofree OvHistogram *h = new_histogram ();

      for (gsize i = part; i < n; i += 4)
        {
          ov_histogram_add (h, values[i]);
          ov_histogram_add (all, values[i]);
        }
      ov_histogram_merge (merged, h);
    }
  ov_histogram_merge (merged, empty);
  g_assert_cmpmem (merged, sizeof *merged, all, sizeof *all);
}

static void
add_to_array (guint64 lower, guint64 upper, guint64 count, gpointer user_data)
{
  guint64 row[3] = { lower, upper, count };

  g_array_append_vals (user_data, row, 3);
}

static void
test_foreach (void)
{
  static const guint64 expected[] = { 5, 6, 2, 256, 260, 1, 300, 304, 3, LIMIT, G_MAXUINT64, 1 };
  g_autofree OvHistogram *h = new_histogram ();
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint64));

  ov_histogram_add (h, 301);
  ov_histogram_add (h, 5);
  ov_histogram_add (h, 2 * LIMIT);
  ov_histogram_add (h, 257);
  ov_histogram_add (h, 300);
  ov_histogram_add (h, 5);
  ov_histogram_add (h, 303);
  ov_histogram_foreach (h, add_to_array, rows);
  g_assert_cmpmem (rows->data, rows->len * sizeof (guint64), expected, sizeof expected);
}

static void
copy_sparse (OvHistogram *to, const OvHistogram *from)
{
  guint position = 0, index;
  guint64 count;

  while (ov_histogram_next (from, &position, &index, &count))
    g_assert_true (ov_histogram_restore_bucket (to, index, count));
}

static void
test_export (void)
{
  const gsize n = 5000;
  g_autofree guint64 *values = make_values (n, 12);
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *back = new_histogram ();

  for (gsize i = 0; i < n; i++)
    ov_histogram_add (h, values[i]);
  ov_histogram_add (h, LIMIT + 3);
  copy_sparse (back, h);
  g_assert_true (
      ov_histogram_restore_totals (back, h->overflow, h->min, h->max, ov_histogram_mean (h)));
  g_assert_cmpmem (back->buckets, sizeof back->buckets, h->buckets, sizeof h->buckets);
  g_assert_cmpuint (back->count, ==, h->count);
  g_assert_cmpuint (back->overflow, ==, 1);
  g_assert_cmpuint (ov_histogram_min (back), ==, h->min);
  g_assert_cmpuint (ov_histogram_max (back), ==, LIMIT + 3);
  g_assert_cmpfloat_with_epsilon (ov_histogram_mean (back), ov_histogram_mean (h), 1);
  g_assert_cmpuint (ov_histogram_quantile (back, 0.9), ==, ov_histogram_quantile (h, 0.9));
}

/* What a damaged file may hold. */
static void
test_import_refuses (void)
{
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *before = new_histogram ();

  g_assert_true (ov_histogram_restore_bucket (h, ov_histogram_index (100), 3));
  g_assert_true (ov_histogram_restore_bucket (h, ov_histogram_index (1000), 4));
  *before = *h;
  g_assert_false (ov_histogram_restore_bucket (h, ov_histogram_index (100), 1));
  g_assert_false (ov_histogram_restore_bucket (h, OV_HISTOGRAM_N_BUCKETS, 1));
  g_assert_false (ov_histogram_restore_bucket (h, 1, G_MAXUINT64));
  g_assert_false (ov_histogram_restore_totals (h, 0, 99, 1000, 500));
  g_assert_false (ov_histogram_restore_totals (h, 0, 100, 2000, 500));
  g_assert_false (ov_histogram_restore_totals (h, 0, 100, 1000, 99));
  g_assert_false (ov_histogram_restore_totals (h, 0, 100, 1000, 1001));
  g_assert_false (ov_histogram_restore_totals (h, 0, 100, 1000, NAN));
  g_assert_false (ov_histogram_restore_totals (h, 1, 100, 1000, 500));
  g_assert_false (ov_histogram_restore_totals (h, G_MAXUINT64, 100, 2 * LIMIT, 500));
  g_assert_cmpmem (h, sizeof *h, before, sizeof *before);
  g_assert_true (ov_histogram_restore_totals (h, 0, 100, 1000, 500));
  g_assert_cmpuint (ov_histogram_count (h), ==, 7);
}

/* Caught in the middle of an addition: minimum and maximum are ahead of the buckets, or behind. */
static void
test_snapshot_between (void)
{
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *copy = new_histogram ();

  ov_histogram_add (h, 1000);
  h->min = 3;
  h->max = 2 * LIMIT;
  ov_histogram_snapshot (copy, h);
  g_assert_cmpuint (ov_histogram_min (copy), >, 900);
  g_assert_cmpuint (ov_histogram_max (copy), <, 1100);
  g_assert_cmpuint (ov_histogram_min (copy), <=, ov_histogram_max (copy));
  h->min = G_MAXUINT64;
  h->max = 0;
  ov_histogram_snapshot (copy, h);
  g_assert_cmpuint (ov_histogram_min (copy), >, 900);
  g_assert_cmpuint (ov_histogram_min (copy), <, 1100);
  g_assert_cmpuint (ov_histogram_max (copy), >, 900);
  g_assert_cmpuint (ov_histogram_max (copy), <, 1100);
  /* Only the overflow is filled. */
  ov_histogram_init (h);
  h->overflow = 1;
  ov_histogram_snapshot (copy, h);
  g_assert_cmpuint (ov_histogram_count (copy), ==, 1);
  g_assert_cmpuint (ov_histogram_min (copy), >=, LIMIT);
  g_assert_cmpuint (ov_histogram_max (copy), >=, ov_histogram_min (copy));
}

typedef struct
{
  OvHistogram histogram;
  gint stop; /* atomic */
} Shared;

static gpointer
fill_until_stopped (gpointer data)
{
  Shared *shared = data;
  OvRandom random;

  ov_random_init (&random, 1);
  /* The range grows, so that minimum and maximum move while others look. */
  for (guint64 i = 1; !g_atomic_int_get (&shared->stop); i++)
    ov_histogram_add (&shared->histogram,
                      (LIMIT >> 1) / (1 + i % 4096) + ov_random_below (&random, 1 + i * i % LIMIT));
  return NULL;
}

static void
test_snapshot (void)
{
  Shared *shared = g_new0 (Shared, 1);
  g_autofree OvHistogram *copy = new_histogram ();
  GThread *thread;
  guint64 last = 0;

  ov_histogram_init (&shared->histogram);
  ov_histogram_snapshot (copy, &shared->histogram);
  g_assert_cmpuint (ov_histogram_count (copy), ==, 0);
  thread = g_thread_new ("writer", fill_until_stopped, shared);
  for (int i = 0; i < 500 || last == 0; i++)
    {
      guint64 sum = 0, median;

      ov_histogram_snapshot (copy, &shared->histogram);
      for (guint b = 0; b < OV_HISTOGRAM_N_BUCKETS; b++)
        sum += copy->buckets[b];
      g_assert_cmpuint (ov_histogram_count (copy), ==, sum + ov_histogram_overflow (copy));
      g_assert_cmpuint (ov_histogram_count (copy), >=, last);
      last = ov_histogram_count (copy);
      if (last == 0)
        continue;
      median = ov_histogram_quantile (copy, 0.5);
      g_assert_cmpuint (ov_histogram_min (copy), <=, median);
      g_assert_cmpuint (median, <=, ov_histogram_max (copy));
      g_assert_cmpfloat (ov_histogram_mean (copy), >=, (double)ov_histogram_min (copy));
      g_assert_cmpfloat (ov_histogram_mean (copy), <=, (double)ov_histogram_max (copy));
    }
  g_atomic_int_set (&shared->stop, 1);
  g_thread_join (thread);
  /* At rest it is a copy. */
  ov_histogram_snapshot (copy, &shared->histogram);
  g_assert_cmpmem (copy, sizeof *copy, &shared->histogram, sizeof *copy);
  g_free (shared);
}

/* The loop of which the library's is a faster form, on values that have a bucket of their own. */
static void
test_missed (void)
{
  static const guint64 values[] = { 3, 9, 10, 25, 100, 100, 127, 7 };
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *found = new_histogram ();
  g_autofree OvHistogram *wanted = new_histogram ();
  g_autofree OvHistogram *few = new_histogram ();

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      ov_histogram_add (h, values[i]);
      for (gint64 v = (gint64)values[i] - 10; v >= 0; v -= 10)
        ov_histogram_add (wanted, (guint64)v);
    }
  ov_histogram_add_missed (found, h, 10, G_MAXUINT64);
  g_assert_cmpmem (found, sizeof *found, wanted, sizeof *wanted);
  /* 1 of 10, 2 of 25, 10 of each 100 and 12 of 127. */
  g_assert_cmpuint (ov_histogram_count (found), ==, 35);
  /* Those of the longest wait first, and of those the latest. */
  ov_histogram_add_missed (few, h, 10, 14);
  g_assert_cmpuint (ov_histogram_count (few), ==, 14);
  g_assert_cmpuint (few->buckets[117], ==, 1);
  g_assert_cmpuint (few->buckets[7], ==, 1);
  g_assert_cmpuint (few->buckets[90], ==, 1);
  g_assert_cmpuint (few->buckets[80], ==, 1);
  g_assert_cmpuint (few->buckets[70], ==, 0);
}

/* In wide buckets, and with a period that is no whole number: within the error that is promised. */
static void
test_missed_long (void)
{
  const guint64 stall = 12345678;
  const double period = 1e9 / 65536;
  const guint64 n = (guint64)((double)stall / period);
  g_autofree OvHistogram *h = new_histogram ();
  g_autofree OvHistogram *sum = new_histogram ();

  for (guint i = 0; i < 200; i++)
    ov_histogram_add (h, 50);
  ov_histogram_add (h, stall);
  g_assert_cmpuint (ov_histogram_quantile (h, 0.99), ==, 50);
  ov_histogram_merge (sum, h);
  ov_histogram_add_missed (sum, h, period, n);
  g_assert_cmpuint (ov_histogram_count (sum), ==, 201 + n);
  g_assert_cmpuint (ov_histogram_max (sum), ==, stall);
  /* Of the 809 + 201, ten are above the quantile: the eleventh longest is ten periods shorter. */
  g_assert_cmpfloat_with_epsilon ((double)ov_histogram_quantile (sum, 0.99),
                                  (double)stall - 10 * period, (double)stall / 64);
  g_assert_cmpfloat_with_epsilon (
      ov_histogram_mean (sum),
      (200 * 50 + (double)(n + 1) * (double)stall - period * (double)(n * (n + 1)) / 2)
          / (double)(201 + n),
      (double)stall / 64);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/empty", test_empty);
  g_test_add_func ("/histogram/bounds", test_bounds);
  g_test_add_func ("/histogram/error-bound", test_error_bound);
  g_test_add_func ("/histogram/quantiles", test_quantiles);
  g_test_add_func ("/histogram/rank-rounding", test_rank_rounding);
  g_test_add_func ("/histogram/overflow", test_overflow);
  g_test_add_func ("/histogram/huge-sum", test_huge_sum);
  g_test_add_func ("/histogram/merge", test_merge);
  g_test_add_func ("/histogram/foreach", test_foreach);
  g_test_add_func ("/histogram/export", test_export);
  g_test_add_func ("/histogram/import-refuses", test_import_refuses);
  g_test_add_func ("/histogram/snapshot-between", test_snapshot_between);
  g_test_add_func ("/histogram/snapshot", test_snapshot);
  g_test_add_func ("/histogram/missed", test_missed);
  g_test_add_func ("/histogram/missed-long", test_missed_long);
  return g_test_run ();
}
