// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvHeat: rows are groups of a histogram's buckets, and no value is lost, however long it goes on.
 */
#include "config.h"

#include "metrics/ov-heat.h"

static guint64
sum (const OvHeat *heat)
{
  guint64 n = 0;

  for (guint c = 0; c < OV_HEAT_MAX_COLUMNS; c++)
    for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
      {
        g_assert_true (c < heat->n_columns || heat->cells[c][row] == 0);
        n += heat->cells[c][row];
      }
  return n;
}

static void
test_rows (void)
{
  guint64 end = 0;

  for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
    {
      guint64 lower, upper;

      ov_heat_row_bounds (row, &lower, &upper);
      g_assert_cmpuint (lower, ==, end);
      g_assert_cmpuint (ov_heat_row (lower), ==, row);
      g_assert_cmpuint (ov_heat_row (upper - 1), ==, row);
      end = upper;
    }
  g_assert_cmpuint (end, ==, G_MAXUINT64);
}

static void
test_sums (void)
{
  g_autofree OvHeat *heat = g_new (OvHeat, 1);
  guint64 n = 0;

  ov_heat_init (heat, 1000);
  for (guint i = 0; i < 20000; i++)
    {
      guint64 count = (guint64)g_test_rand_int_range (0, 5);

      /* Time goes on ever faster, so that columns are joined many times. */
      ov_heat_add (heat, (gint64)i * i, ov_heat_row ((guint64)g_test_rand_int ()), count);
      n += count;
    }
  g_assert_cmpuint (sum (heat), ==, n);
  g_assert_cmpuint (heat->count, ==, n);
  g_assert_cmpuint (heat->n_columns, >, OV_HEAT_MAX_COLUMNS / 2 - 1);
  g_assert_cmpint (heat->step_ns * heat->n_columns, >=, (gint64)19999 * 19999);
}

/* Differences of a histogram that grows add up to the histogram. */
static void
test_differences (void)
{
  g_autofree OvHeat *heat = g_new (OvHeat, 1);
  g_autofree OvHistogram *h = g_new (OvHistogram, 1);
  guint64 before[OV_HEAT_N_ROWS] = { 0 };
  guint64 now[OV_HEAT_N_ROWS];
  guint64 rows[OV_HEAT_N_ROWS] = { 0 };

  ov_heat_init (heat, 50);
  ov_histogram_init (h);
  for (guint i = 0; i < 40; i++)
    {
      for (guint k = 0; k < 100; k++)
        ov_histogram_add (h, (guint64)g_test_rand_int () << (k % 12));
      ov_heat_rows_of (h, now);
      ov_heat_add_difference (heat, i * 50, before, now);
      ov_heat_add_difference (heat, i * 50, before, now); /* told again: nothing new */
    }
  g_assert_cmpuint (heat->count, ==, ov_histogram_count (h));
  for (guint c = 0; c < heat->n_columns; c++)
    for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
      rows[row] += heat->cells[c][row];
  g_assert_cmpmem (rows, sizeof rows, now, sizeof now);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heat/rows", test_rows);
  g_test_add_func ("/heat/sums", test_sums);
  g_test_add_func ("/heat/differences", test_differences);
  return g_test_run ();
}
