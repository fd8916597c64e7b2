// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Axes: figures as text, ticks, ranges; and the spreading of labels.
 */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "chart/ov-axis.h"
#include "chart/ov-number.h"
#include "chart/ov-scale.h"
#include "chart/ov-spread.h"

static void
assert_format (OvAxisUnit unit, double value, const char *expected)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, unit);
  g_autofree char *text = ov_axis_format (axis, value);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_format (void)
{
  assert_format (OV_UNIT_DURATION, 4.02e6, "4.02 ms");
  assert_format (OV_UNIT_DURATION, 15.98e6, "16.0 ms");
  assert_format (OV_UNIT_DURATION, 999, "999 ns");
  assert_format (OV_UNIT_DURATION, 1000, "1 µs");
  assert_format (OV_UNIT_DURATION, 1.5e9, "1.50 s");
  assert_format (OV_UNIT_DURATION, 7200e9, "7200 s");
  assert_format (OV_UNIT_DURATION, 0, "0 ns");
  assert_format (OV_UNIT_RATE, 1712.4e6, "1712 MB/s");
  assert_format (OV_UNIT_RATE, 18.2e9, "18.2 GB/s");
  assert_format (OV_UNIT_RATE, 312, "312 B/s");
  /* A system monitor's scale wrapped at 2^32. */
  assert_format (OV_UNIT_RATE, 4294967296.0 * 4, "17.2 GB/s");
  assert_format (OV_UNIT_PERCENT, 99.96, "100 %");
  assert_format (OV_UNIT_HERTZ, 8192, "8192 Hz");
  assert_format (OV_UNIT_HERTZ, 500, "500 Hz");
  assert_format (OV_UNIT_HERTZ, 1000, "1 kHz");
  assert_format (OV_UNIT_HERTZ, 1001, "1001 Hz");
  assert_format (OV_UNIT_HERTZ, 16384, "16.4 kHz");
  assert_format (OV_UNIT_HERTZ, 1e7, "10 MHz");
  assert_format (OV_UNIT_NONE, 3.14159, "3.14");
  assert_format (OV_UNIT_NONE, -0.5, "-0.500");
  assert_format (OV_UNIT_NONE, NAN, "–");
  assert_format (OV_UNIT_DURATION, NAN, "–");
  assert_format (OV_UNIT_BYTES, 512, "512");
  assert_format (OV_UNIT_BYTES, 1024, "1K");
  assert_format (OV_UNIT_BYTES, 5000 * 1024.0, "5000K");
  assert_format (OV_UNIT_BYTES, 1.5 * 1048576, "1.5M");
  assert_format (OV_UNIT_BYTES, 8.0 * 1073741824, "8G");
  assert_format (OV_UNIT_BYTES, 4294967296.0 * 1024, "4T");
  assert_format (OV_UNIT_BYTES, 1e6, "977K");
  assert_format (OV_UNIT_BYTES, 0, "0");
}

static void
test_numbers (void)
{
  static const struct
  {
    double value;
    const char *text;
  } cases[] = { { 9.996, "10.0" }, { 99.95, "100" },   { 999.5, "1000" }, { 0.05, "0.0500" },
                { 1e-9, "1e-09" }, { 12345, "12345" }, { -0.0, "0" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ov_number_format (cases[i].value, 3);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
  g_assert_cmpint (ov_number_decimals_for_step (0.25), ==, 2);
  g_assert_cmpint (ov_number_decimals_for_step (0.1), ==, 1);
  g_assert_cmpint (ov_number_decimals_for_step (5), ==, 0);
  g_assert_cmpint (ov_number_decimals_for_step (2e-7), ==, 7);
}

/* Every tick within the range and the picture, rising, with labels that all differ. */
static void
assert_ticks_sane (const OvScale *scale, guint at_most)
{
  g_assert_cmpfloat (scale->hi, >, scale->lo);
  g_assert_cmpuint (scale->n_ticks, >=, 1);
  g_assert_cmpuint (scale->n_ticks, <=, at_most);
  for (guint i = 0; i < scale->n_ticks; i++)
    {
      const OvTick *tick = &scale->ticks[i];

      g_assert_cmpfloat (tick->pos, >=, -1e-9);
      g_assert_cmpfloat (tick->pos, <=, 1 + 1e-9);
      g_assert_cmpfloat_with_epsilon (ov_scale_map (scale, tick->value), tick->pos, 1e-9);
      g_assert_cmpfloat_with_epsilon (ov_scale_unmap (scale, tick->pos), tick->value,
                                      1e-6 * MAX (1e-3, fabs (scale->hi)));
      g_assert_true (g_utf8_validate (tick->label, -1, NULL));
      g_assert_cmpstr (tick->label, !=, "");
      if (i == 0)
        continue;
      g_assert_cmpfloat (tick->value, >, scale->ticks[i - 1].value);
      g_assert_cmpstr (tick->label, !=, scale->ticks[i - 1].label);
    }
}

/* Over twenty powers of ten, for every unit and number of ticks. */
static void
test_ticks_everywhere (void)
{
  for (int unit = OV_UNIT_NONE; unit <= OV_UNIT_HERTZ; unit++)
    for (guint max = 2; max <= 10; max++)
      for (double hi = 1.3; hi < 1e20; hi *= 7.3)
        {
          g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, (OvAxisUnit)unit);
          g_autoptr (OvScale) scale = ov_scale_new (axis, hi / 5, hi, max, OV_SCALE_ROUND, NULL, 0);

          assert_ticks_sane (scale, max + 2);
          g_assert_cmpfloat (scale->lo, ==, 0);
          g_assert_cmpfloat (scale->hi, >=, hi * (1 - 1e-9));
          /* Rounding wastes at most one step. */
          g_assert_cmpfloat (scale->hi, <, hi * 2.6);
        }
}

static void
assert_labels (const OvScale *scale, const char *expected)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < scale->n_ticks; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? " | " : "", scale->ticks[i].label);
  g_assert_cmpstr (all->str, ==, expected);
}

static void
test_tick_labels (void)
{
  g_autoptr (OvAxis) time = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  g_autoptr (OvAxis) rate = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);
  g_autoptr (OvAxis) bytes = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_BYTES);
  g_autoptr (OvScale) a = ov_scale_new (time, 1.4e6, 16e6, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) b = ov_scale_new (time, 0, 20e9, 10, OV_SCALE_UNIT_LABELS, NULL, 0);
  g_autoptr (OvScale) c = ov_scale_new (rate, 0, 1.72e9, 4, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) d = ov_scale_new (rate, 0, 17.2e9, 4, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) e = ov_scale_new (bytes, 0, 5 * 1048576.0, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) f = ov_scale_new (time, 0, 1.5e5, 4, OV_SCALE_ROUND, NULL, 0);

  assert_labels (a, "0 | 5 | 10 | 15 | 20");
  g_assert_cmpstr (a->unit, ==, "ms");
  assert_labels (b, "0 s | 2 s | 4 s | 6 s | 8 s | 10 s | 12 s | 14 s | 16 s | 18 s | 20 s");
  assert_labels (c, "0 | 500 | 1000 | 1500 | 2000");
  g_assert_cmpstr (c->unit, ==, "MB/s");
  assert_labels (d, "0 | 5 | 10 | 15 | 20");
  g_assert_cmpstr (d->unit, ==, "GB/s");
  assert_labels (e, "0 | 1M | 2M | 3M | 4M | 5M");
  assert_labels (f, "0 | 50 | 100 | 150");
  g_assert_cmpstr (f->unit, ==, "µs");
}

static void
test_log (void)
{
  g_autoptr (OvAxis) two = ov_axis_new (OV_AXIS_LOG2, OV_UNIT_BYTES);
  g_autoptr (OvAxis) ten = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_DURATION);
  g_autoptr (OvScale) a = ov_scale_new (two, 512, 8 * 1048576.0, 16, 0, NULL, 0);
  g_autoptr (OvScale) b = ov_scale_new (two, 512, 8 * 1048576.0, 5, 0, NULL, 0);
  g_autoptr (OvScale) c = ov_scale_new (ten, 1.4e6, 6.6e9, 6, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) d = ov_scale_new (ten, 2e6, 8e6, 12, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) e = ov_scale_new (ten, 5e6, 5e6, 12, 0, NULL, 0);

  assert_labels (a, "512 | 1K | 2K | 4K | 8K | 16K | 32K | 64K | 128K | 256K | 512K | 1M | 2M | "
                    "4M | 8M");
  assert_labels (b, "512 | 4K | 32K | 256K | 2M");
  /* Four tens apart: each label in a unit of its own. */
  assert_labels (c, "1 ms | 10 ms | 100 ms | 1 s | 10 s");
  g_assert_cmpstr (c->unit, ==, "");
  assert_labels (d, "1 | 2 | 5 | 10");
  g_assert_cmpstr (d->unit, ==, "ms");
  g_assert_cmpfloat_with_epsilon (ov_scale_map (e, 5e6), 0.5, 1e-9);
  g_assert_true (isnan (ov_scale_map (a, 0)));
  g_assert_true (isnan (ov_scale_map (a, -1)));
  /* Ticks of a logarithm are evenly spaced. */
  for (guint i = 2; i < a->n_ticks; i++)
    g_assert_cmpfloat_with_epsilon (a->ticks[i].pos - a->ticks[i - 1].pos,
                                    a->ticks[1].pos - a->ticks[0].pos, 1e-9);
}

/* Rates as one would write them: never 0.064 kHz. */
static void
test_log_hertz (void)
{
  const double at[] = { 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 100000 };
  const double few[] = { 500, 1000, 3000 };
  const double many[] = { 2e4, 1e5, 5e5 };
  const double short_times[] = { 2e3, 5e4, 1e6 };
  g_autoptr (OvAxis) hertz = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_HERTZ);
  g_autoptr (OvAxis) time = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_DURATION);
  g_autoptr (OvScale) a = ov_scale_new (hertz, 64, 1e5, 14, 0, at, G_N_ELEMENTS (at));
  g_autoptr (OvScale) b = ov_scale_new (hertz, 64, 1e5, 6, 0, NULL, 0);
  g_autoptr (OvScale) c = ov_scale_new (hertz, 500, 3000, 14, 0, few, G_N_ELEMENTS (few));
  g_autoptr (OvScale) d = ov_scale_new (hertz, 2e4, 5e5, 14, 0, many, G_N_ELEMENTS (many));
  g_autoptr (OvScale) e = ov_scale_new (hertz, 500, 2e4, 6, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) f
      = ov_scale_new (time, 2e3, 1e6, 6, 0, short_times, G_N_ELEMENTS (short_times));

  assert_labels (a,
                 "64 Hz | 256 Hz | 1024 Hz | 2048 Hz | 4096 Hz | 8192 Hz | 16.4 kHz | 32.8 kHz | "
                 "65.5 kHz | 100 kHz");
  g_assert_cmpstr (a->unit, ==, "");
  assert_labels (b, "100 Hz | 1 kHz | 10 kHz | 100 kHz");
  /* One unit for all of them where it suits all of them. */
  assert_labels (c, "500 | 1000 | 3000");
  g_assert_cmpstr (c->unit, ==, "Hz");
  assert_labels (d, "20 | 100 | 500");
  g_assert_cmpstr (d->unit, ==, "kHz");
  assert_labels (e, "100 Hz | 1 kHz | 10 kHz | 100 kHz");
  assert_labels (f, "2 µs | 50 µs | 1 ms");
}

static void
test_wanted_places (void)
{
  const double at[] = { 1024000, 2048000, 3072000, 4096000, 5120000 };
  g_autoptr (OvAxis) bytes = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_BYTES);
  g_autoptr (OvScale) a = ov_scale_new (bytes, at[0], at[4], 16, 0, at, 5);
  g_autoptr (OvScale) b = ov_scale_new (bytes, at[0], at[4], 4, 0, at, 5);

  assert_labels (a, "1000K | 2000K | 3000K | 4000K | 5000K");
  g_assert_cmpfloat (a->ticks[0].pos, ==, 0);
  g_assert_cmpfloat (a->ticks[4].pos, ==, 1);
  /* More than there may be: round numbers. */
  assert_labels (b, "1M | 2M | 3M | 4M");
}

static void
test_categories (void)
{
  const char *const names[] = { "ext4", "tmpfs", "NFS", NULL };
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  g_autoptr (OvScale) all = NULL;
  g_autoptr (OvScale) some = NULL;
  g_autoptr (OvScale) none = NULL;
  g_autoptr (OvAxis) copy = NULL;
  g_autofree char *text = NULL;

  none = ov_scale_new (axis, NAN, NAN, 5, 0, NULL, 0);
  g_assert_true (none->empty);
  ov_axis_set_categories (axis, names);
  all = ov_scale_new (axis, NAN, NAN, 5, 0, NULL, 0);
  some = ov_scale_new (axis, NAN, NAN, 2, 0, NULL, 0);
  assert_labels (all, "ext4 | tmpfs | NFS");
  assert_labels (some, "ext4 | NFS");
  g_assert_cmpfloat_with_epsilon (all->ticks[1].pos, 0.5, 1e-9);
  text = ov_axis_format (axis, 1);
  g_assert_cmpstr (text, ==, "tmpfs");
  g_assert_null (ov_axis_get_category (axis, 3));
  copy = ov_axis_copy (axis);
  g_assert_true (ov_axis_equal (axis, copy));
  ov_axis_set_title (copy, "target");
  g_assert_false (ov_axis_equal (axis, copy));
}

static void
test_ranges (void)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_NONE);
  g_autoptr (OvScale) nothing = ov_scale_new (axis, NAN, NAN, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) zeros = ov_scale_new (axis, 0, 0, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) one = ov_scale_new (axis, 7, 7, 5, 0, NULL, 0);
  g_autoptr (OvScale) below = ov_scale_new (axis, -3, 4, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) infinite = ov_scale_new (axis, 0, INFINITY, 5, OV_SCALE_ROUND, NULL, 0);
  g_autoptr (OvScale) fixed = NULL;
  g_autoptr (OvScale) free_low = NULL;

  g_assert_true (nothing->empty);
  g_assert_cmpuint (nothing->n_ticks, ==, 0);
  g_assert_cmpfloat (zeros->lo, ==, 0);
  g_assert_cmpfloat (zeros->hi, ==, 1);
  g_assert_cmpfloat (ov_scale_map (one, 7), ==, 0.5);
  g_assert_cmpfloat (below->lo, <=, -3);
  assert_ticks_sane (below, 7);
  g_assert_true (infinite->empty);
  ov_axis_set_range (axis, 10, 20);
  fixed = ov_scale_new (axis, 0, 3, 5, OV_SCALE_ROUND, NULL, 0);
  g_assert_cmpfloat (fixed->lo, ==, 10);
  g_assert_cmpfloat (fixed->hi, ==, 20);
  ov_axis_set_range (axis, NAN, NAN);
  ov_axis_set_from_zero (axis, FALSE);
  free_low = ov_scale_new (axis, 1003, 1009, 5, OV_SCALE_ROUND, NULL, 0);
  g_assert_cmpfloat (free_low->lo, >, 990);
}

static void
test_nice_step (void)
{
  for (double range = 1e-12; range < 1e15; range *= 1.7)
    for (guint max = 1; max < 20; max++)
      {
        double step = ov_scale_nice_step (range, max);
        double power = pow (10, floor (log10 (step) + 1e-9));
        double factor = step / power;

        g_assert_true (fabs (factor - 1) < 1e-6 || fabs (factor - 2) < 1e-6
                       || fabs (factor - 5) < 1e-6);
        g_assert_cmpfloat (range / step, <=, max * (1 + 1e-6));
        g_assert_cmpfloat (range / step, >, max / 2.6);
      }
}

static void
test_locale (void)
{
  const char *old = setlocale (LC_NUMERIC, NULL);
  g_autofree char *saved = g_strdup (old);
  g_autofree char *text = NULL;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed");
      return;
    }
  text = ov_number_format (4.02, 3);
  setlocale (LC_NUMERIC, saved);
  g_assert_cmpstr (text, ==, "4,02");
}

static void
test_spread (void)
{
  OvSpreadItem items[]
      = { { 50, 10, 0 }, { 52, 10, 0 }, { 10, 10, 0 }, { 51, 10, 0 }, { 95, 10, 0 } };
  OvSpreadItem edge[] = { { -40, 10, 0 }, { 500, 10, 0 } };

  g_assert_true (ov_spread (items, 5, 0, 100));
  /* Three wishes at 50, 51 and 52 share the place around 51, in their order. */
  g_assert_cmpfloat_with_epsilon (items[0].place, 41, 1e-9);
  g_assert_cmpfloat_with_epsilon (items[3].place, 51, 1e-9);
  g_assert_cmpfloat_with_epsilon (items[1].place, 61, 1e-9);
  g_assert_cmpfloat_with_epsilon (items[2].place, 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (items[4].place, 95, 1e-9);
  g_assert_false (ov_spread (items, 5, 0, 49));
  g_assert_true (ov_spread (edge, 2, 0, 100));
  g_assert_cmpfloat_with_epsilon (edge[0].place, 5, 1e-9);
  g_assert_cmpfloat_with_epsilon (edge[1].place, 95, 1e-9);
  g_assert_true (ov_spread (NULL, 0, 0, 0));
}

/* Whatever is wished: inside, without overlap, in the order of the wishes. */
static void
test_spread_random (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      guint n = (guint)g_test_rand_int_range (1, 30);
      g_autofree OvSpreadItem *items = g_new0 (OvSpreadItem, n);
      double total = 0;

      for (guint i = 0; i < n; i++)
        {
          items[i].wanted = g_test_rand_double_range (-50, 550);
          items[i].size = g_test_rand_double_range (1, 20);
          total += items[i].size;
        }
      g_assert_true (ov_spread (items, n, 0, total + 100));
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpfloat (items[i].place - items[i].size / 2, >=, -1e-6);
          g_assert_cmpfloat (items[i].place + items[i].size / 2, <=, total + 100 + 1e-6);
          for (guint k = 0; k < n; k++)
            if (items[k].wanted > items[i].wanted)
              g_assert_cmpfloat (items[k].place - items[i].place, >=,
                                 (items[k].size + items[i].size) / 2 - 1e-6);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/axis/format", test_format);
  g_test_add_func ("/chart/axis/numbers", test_numbers);
  g_test_add_func ("/chart/axis/ticks-everywhere", test_ticks_everywhere);
  g_test_add_func ("/chart/axis/tick-labels", test_tick_labels);
  g_test_add_func ("/chart/axis/log", test_log);
  g_test_add_func ("/chart/axis/log-hertz", test_log_hertz);
  g_test_add_func ("/chart/axis/wanted-places", test_wanted_places);
  g_test_add_func ("/chart/axis/categories", test_categories);
  g_test_add_func ("/chart/axis/ranges", test_ranges);
  g_test_add_func ("/chart/axis/nice-step", test_nice_step);
  g_test_add_func ("/chart/axis/locale", test_locale);
  g_test_add_func ("/chart/spread/places", test_spread);
  g_test_add_func ("/chart/spread/random", test_spread_random);
  return g_test_run ();
}
