// SPDX-License-Identifier: GPL-3.0-or-later
/* The bounded series against all its values: nothing that stuck out is ever lost. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/ov-random.h"
#include "metrics/ov-series.h"

typedef struct
{
  gint64 t;
  double value;
} Sample;

static void
test_empty (void)
{
  g_autoptr (OvSeries) series = ov_series_new (100);
  OvSeriesColumn columns[3];
  gint64 first = 7, last = 8;
  double value = 9;

  g_assert_cmpuint (ov_series_get_n_points (series), ==, 0);
  g_assert_cmpuint (ov_series_get_n_values (series), ==, 0);
  g_assert_false (ov_series_get_span (series, &first, &last));
  g_assert_false (ov_series_get_last (series, &value));
  g_assert_cmpint (first, ==, 7);
  g_assert_cmpfloat (value, ==, 9);
  memset (columns, 0xff, sizeof columns);
  g_assert_cmpuint (ov_series_range (series, 0, 10, 3, columns), ==, 0);
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint (columns[i].count, ==, 0);
}

static void
test_refused (void)
{
  g_autoptr (OvSeries) series = ov_series_new (100);
  double value;

  g_assert_false (ov_series_append (series, 0, NAN));
  g_assert_false (ov_series_append (series, 0, INFINITY));
  g_assert_false (ov_series_append (series, 0, -INFINITY));
  g_assert_true (ov_series_append (series, 10, 1));
  g_assert_true (ov_series_append (series, 10, 2));
  g_assert_false (ov_series_append (series, 9, 3));
  g_assert_false (ov_series_append (series, 11, NAN));
  g_assert_cmpuint (ov_series_get_n_values (series), ==, 2);
  g_assert_true (ov_series_get_last (series, &value));
  g_assert_cmpfloat (value, ==, 2);
  ov_series_clear (series);
  g_assert_cmpuint (ov_series_get_n_values (series), ==, 0);
  g_assert_true (ov_series_append (series, -5, 4));
}

/* While each value has a cell of its own, columns are exact. */
static void
test_exact_columns (void)
{
  g_autoptr (OvSeries) series = ov_series_new (64);
  OvSeriesColumn columns[4];

  /* t = 0 … 39, values 100 … 139, cut into 4 columns of 10. */
  for (int t = 0; t < 40; t++)
    g_assert_true (ov_series_append (series, t, 100 + t));
  g_assert_cmpuint (ov_series_get_values_per_point (series), ==, 1);
  g_assert_cmpuint (ov_series_range (series, 0, 40, 4, columns), ==, 4);
  for (int i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (columns[i].min, ==, 100 + 10 * i);
      g_assert_cmpfloat (columns[i].max, ==, 109 + 10 * i);
      g_assert_cmpfloat_with_epsilon (columns[i].mean, 104.5 + 10 * i, 1e-9);
      g_assert_cmpuint (columns[i].count, ==, 10);
      g_assert_cmpint (columns[i].t_first, ==, 10 * i);
      g_assert_cmpint (columns[i].t_last, ==, 10 * i + 9);
    }
  /* The end belongs to the last column. */
  g_assert_cmpuint (ov_series_range (series, 0, 39, 1, columns), ==, 1);
  g_assert_cmpfloat (columns[0].max, ==, 139);
  /* Outside and between there is nothing. */
  g_assert_cmpuint (ov_series_range (series, 100, 200, 4, columns), ==, 0);
  g_assert_cmpuint (ov_series_range (series, -100, -1, 4, columns), ==, 0);
  g_assert_cmpuint (ov_series_range (series, 30, 70, 4, columns), ==, 1);
  g_assert_cmpuint (columns[0].count, ==, 10);
  /* More columns than nanoseconds. */
  {
    OvSeriesColumn many[100];

    ov_series_range (series, 5, 10, 100, many);
    for (int value = 105; value <= 110; value++)
      {
        gboolean found = FALSE;

        for (int i = 0; i < 100; i++)
          found = found || (many[i].count > 0 && many[i].max >= value && many[i].min <= value);
        g_assert_true (found);
      }
  }
}

static void
test_bounded (void)
{
  g_autoptr (OvSeries) series = ov_series_new (100);
  guint64 total = 0;
  double sum = 0, mean = 0;
  gint64 t_last = -1;

  for (int i = 0; i < 100000; i++)
    {
      g_assert_true (ov_series_append (series, i, i % 1000));
      sum += i % 1000;
      g_assert_cmpuint (ov_series_get_n_points (series), <=, 128);
    }
  g_assert_cmpuint (ov_series_get_n_values (series), ==, 100000);
  /* At least half of the room is in use, and cells cover all values once. */
  g_assert_cmpuint (ov_series_get_n_points (series), >=, 64);
  for (guint i = 0; i < ov_series_get_n_points (series); i++)
    {
      OvSeriesColumn cell;

      ov_series_get_point (series, i, &cell);
      g_assert_cmpint (cell.t_first, ==, t_last + 1);
      t_last = cell.t_last;
      if (i + 1 < ov_series_get_n_points (series))
        g_assert_cmpuint (cell.count, ==, ov_series_get_values_per_point (series));
      total += cell.count;
      mean += cell.mean * (double)cell.count;
    }
  g_assert_cmpint (t_last, ==, 99999);
  g_assert_cmpuint (total, ==, 100000);
  g_assert_cmpfloat_with_epsilon (mean, sum, 1e-6 * sum);
}

/* Every column shows at least what lies in its time, and nothing that lies farther away than the
 * cells that reach into it. */
static void
check_range (const OvSeries *series, const Sample *samples, gsize n, gint64 t0, gint64 t1,
             guint n_columns)
{
  g_autofree OvSeriesColumn *columns = g_new (OvSeriesColumn, n_columns);
  g_autofree OvSeriesColumn *truth = g_new0 (OvSeriesColumn, n_columns);

  ov_series_range (series, t0, t1, n_columns, columns);
  for (gsize i = 0; i < n; i++)
    {
      /* With spans that are a multiple of the number of columns the edges are whole. */
      gint64 width = (t1 - t0) / n_columns;
      OvSeriesColumn *c;

      if (samples[i].t < t0 || samples[i].t > t1)
        continue;
      c = &truth[MIN ((samples[i].t - t0) / width, (gint64)n_columns - 1)];
      c->min = c->count == 0 ? samples[i].value : MIN (c->min, samples[i].value);
      c->max = c->count == 0 ? samples[i].value : MAX (c->max, samples[i].value);
      c->count++;
    }
  for (guint i = 0; i < n_columns; i++)
    {
      if (truth[i].count == 0)
        continue;
      g_assert_cmpuint (columns[i].count, >=, truth[i].count);
      g_assert_cmpfloat (columns[i].min, <=, truth[i].min);
      g_assert_cmpfloat (columns[i].max, >=, truth[i].max);
      g_assert_cmpfloat (columns[i].mean, >=, columns[i].min);
      g_assert_cmpfloat (columns[i].mean, <=, columns[i].max);
      if (ov_series_get_values_per_point (series) == 1)
        {
          g_assert_cmpuint (columns[i].count, ==, truth[i].count);
          g_assert_cmpfloat (columns[i].min, ==, truth[i].min);
          g_assert_cmpfloat (columns[i].max, ==, truth[i].max);
        }
    }
}

static void
check_extremes (const OvSeries *series, const Sample *samples, gsize n)
{
  /* The brute force of what may be seen: extremes over the cells that touch a column. */
  OvSeriesColumn columns[37];
  gint64 t0, t1;

  g_assert_true (ov_series_get_span (series, &t0, &t1));
  t1 = t0 + ((t1 - t0) / 37 + 1) * 37;
  ov_series_range (series, t0, t1, 37, columns);
  for (int i = 0; i < 37; i++)
    {
      double min = INFINITY, max = -INFINITY;

      if (columns[i].count == 0)
        continue;
      for (gsize k = 0; k < n; k++)
        if (samples[k].t >= columns[i].t_first && samples[k].t <= columns[i].t_last)
          {
            min = MIN (min, samples[k].value);
            max = MAX (max, samples[k].value);
          }
      g_assert_cmpfloat (columns[i].min, ==, min);
      g_assert_cmpfloat (columns[i].max, ==, max);
    }
}

static void
test_spikes (void)
{
  enum
  {
    N = 30000
  };
  g_autoptr (OvSeries) series = ov_series_new (200);
  g_autofree Sample *samples = g_new (Sample, N);
  OvRandom random;
  gint64 t = -1000000;

  ov_random_init (&random, 1);
  for (gsize n = 0; n < N; n++)
    {
      /* Uneven times, some the same, some far apart. */
      t += (gint64)ov_random_below (&random, 1 + ov_random_below (&random, 3000)) + (n % 5 != 0);
      if (n == 7777)
        t += 5000000;
      samples[n].t = t;
      samples[n].value = ov_random_unit (&random);
      if (ov_random_below (&random, 3000) == 0)
        samples[n].value += ov_random_below (&random, 2) ? 1000 : -1000;
      g_assert_true (ov_series_append (series, t, samples[n].value));
      if (n % 1013 == 0 || n == 150)
        for (guint columns = 1; columns < 700; columns = columns * 3 + 1)
          {
            gint64 from = samples[n / 3].t;
            gint64 span = ((t - from) / columns + 1) * columns;

            check_range (series, samples, n + 1, from, from + span, columns);
            check_range (series, samples, n + 1, samples[0].t - 10,
                         samples[0].t - 10 + ((t - samples[0].t + 10) / columns + 1) * columns,
                         columns);
          }
      if (n % 3001 == 3000)
        check_extremes (series, samples, n + 1);
    }
  g_assert_cmpuint (ov_series_get_values_per_point (series), ==, 128);
}

/* A million values at rest, one spike up and one down: both are in every view of everything. */
static void
test_one_in_a_million (void)
{
  g_autoptr (OvSeries) series = ov_series_new (1024);

  for (gint64 i = 0; i < 1000000; i++)
    g_assert_true (ov_series_append (series, i * 1000, i == 333333 ? 50 : i == 777777 ? -50 : 1));
  for (guint n = 1; n <= 2000; n += 333)
    {
      g_autofree OvSeriesColumn *columns = g_new (OvSeriesColumn, n);
      double min = 1, max = 1;
      guint high = 0;

      g_assert_cmpuint (ov_series_range (series, 0, 1000000000, n, columns), ==, n);
      for (guint i = 0; i < n; i++)
        {
          min = MIN (min, columns[i].min);
          max = MAX (max, columns[i].max);
          high += columns[i].max == 50;
        }
      g_assert_cmpfloat (min, ==, -50);
      g_assert_cmpfloat (max, ==, 50);
      /* And it stays narrow: one cell covers at most a 512th of the time. */
      g_assert_cmpuint (high, <=, 2 + n / 512);
    }
}

static void
test_extreme_values (void)
{
  g_autoptr (OvSeries) series = ov_series_new (16);
  OvSeriesColumn columns[2];

  for (int i = 0; i < 1000; i++)
    g_assert_true (ov_series_append (series, G_MININT64 + i, i % 2 ? 1.7e308 : -1.7e308));
  g_assert_true (ov_series_append (series, G_MAXINT64, 0));
  g_assert_cmpuint (ov_series_range (series, G_MININT64, G_MAXINT64, 2, columns), ==, 2);
  for (int i = 0; i < 2; i++)
    g_assert_true (isfinite (columns[i].mean));
  g_assert_cmpfloat (columns[0].min, ==, -1.7e308);
  g_assert_cmpfloat (columns[0].max, ==, 1.7e308);
}

/* A value that never changes has itself as its mean, however often cells are merged. */
static void
test_constant (void)
{
  g_autoptr (OvSeries) series = ov_series_new (16);
  OvSeriesColumn column;

  for (int i = 0; i < 100000; i++)
    g_assert_true (ov_series_append (series, i, 0.1));
  g_assert_cmpuint (ov_series_range (series, 0, 100000, 1, &column), ==, 1);
  g_assert_cmpfloat (column.mean, ==, 0.1);
  g_assert_cmpuint (column.count, ==, 100000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/series/empty", test_empty);
  g_test_add_func ("/series/refused", test_refused);
  g_test_add_func ("/series/exact-columns", test_exact_columns);
  g_test_add_func ("/series/bounded", test_bounded);
  g_test_add_func ("/series/spikes", test_spikes);
  g_test_add_func ("/series/one-in-a-million", test_one_in_a_million);
  g_test_add_func ("/series/extreme-values", test_extreme_values);
  g_test_add_func ("/series/constant", test_constant);
  return g_test_run ();
}
