// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The store of samples and the raster: no peak lost, memory bounded, pixels where cairo puts them.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-paint.h"
#include "chart/ov-raster.h"
#include "chart/ov-samples.h"

#define MS G_GINT64_CONSTANT (1000000)

static GArray *
query (const OvSamples *samples, gint64 t0, gint64 t1, gint64 resolution)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (OvBucket));

  ov_samples_query (samples, t0, t1, resolution, out);
  return out;
}

static void
test_few (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  g_autoptr (GArray) none = query (s, 0, 100, 0);
  g_autoptr (GArray) some = NULL;
  const OvBucket *b;

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (ov_samples_get_total (s)->n, ==, 0);
  g_assert_true (isnan (ov_samples_value_at (s, 0)));
  for (guint i = 0; i < 10; i++)
    ov_samples_append (s, i * 50 * MS, i);
  /* Those within, and one on either side. */
  some = query (s, 200 * MS, 300 * MS, 0);
  g_assert_cmpuint (some->len, ==, 5);
  b = &g_array_index (some, OvBucket, 0);
  g_assert_cmpint (b->t0, ==, 150 * MS);
  g_assert_cmpfloat (b->first, ==, 3);
  g_assert_cmpint (g_array_index (some, OvBucket, 4).t0, ==, 350 * MS);
  g_assert_cmpfloat (ov_samples_get_total (s)->max, ==, 9);
  g_assert_cmpfloat (ov_samples_get_total (s)->sum, ==, 45);
  /* A sample stands for the time since the one before. */
  g_assert_cmpfloat (ov_samples_value_at (s, 200 * MS), ==, 4);
  g_assert_cmpfloat (ov_samples_value_at (s, 201 * MS), ==, 5);
  g_assert_true (isnan (ov_samples_value_at (s, 451 * MS)));
  g_assert_true (isnan (ov_samples_value_at (s, -1)));
}

/* Half a million samples, a peak in each hundredth: every peak is in every view that covers it, and
 * the memory stays. */
static void
test_peaks_and_memory (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  const guint n = 500000;
  gsize half_way = 0;

  for (guint i = 0; i < n; i++)
    {
      double value = 100 + i % 7;

      if (i % 5000 == 1234)
        value = 1000 + i / 5000;
      if (i % 5000 == 1235)
        value = -1000 - (double)(i / 5000);
      ov_samples_append (s, i * MS, value);
      if (i == n / 2)
        half_way = ov_samples_get_memory (s);
    }
  g_assert_cmpuint (ov_samples_get_memory (s), <, 2 * 1024 * 1024);
  g_assert_cmpuint (ov_samples_get_memory (s), <, half_way * 3 / 2);
  for (gint64 resolution = 0; resolution < 20000 * MS; resolution = resolution * 3 + MS)
    {
      g_autoptr (GArray) all = query (s, 0, n * MS, resolution);

      for (guint p = 0; p < n / 5000; p++)
        {
          gint64 t = (p * 5000 + 1234) * MS;
          gboolean high = FALSE;
          gboolean low = FALSE;

          for (guint i = 0; i < all->len; i++)
            {
              const OvBucket *b = &g_array_index (all, OvBucket, i);

              high = high || (b->t0 <= t && b->t1 >= t && b->max >= 1000 + p);
              low = low || (b->t0 <= t + MS && b->t1 >= t + MS && b->min <= -1000 - (double)p);
            }
          g_assert_true (high);
          g_assert_true (low);
        }
    }
}

/* Whatever the level: all samples, in order, none twice. */
static void
test_levels_agree (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  guint64 n = 0;
  double sum = 0;
  gint64 t = -5000 * MS;

  for (guint i = 0; i < 60000; i++)
    {
      t += g_test_rand_int_range (0, 3) * MS * 7;
      ov_samples_append (s, t, i);
      n++;
      sum += i;
    }
  for (gint64 resolution = 4 * MS; resolution < 100000 * MS; resolution *= 4)
    {
      g_autoptr (GArray) all = query (s, G_MININT64 / 4, t, resolution);
      guint64 seen = 0;
      double total = 0;

      for (guint i = 0; i < all->len; i++)
        {
          const OvBucket *b = &g_array_index (all, OvBucket, i);

          seen += b->n;
          total += b->sum;
          g_assert_cmpint (b->t0, <=, b->t1);
          g_assert_cmpfloat (b->min, <=, b->first);
          g_assert_cmpfloat (b->max, >=, b->last);
          if (i > 0)
            g_assert_cmpint (g_array_index (all, OvBucket, i - 1).t1, <=, b->t0);
        }
      g_assert_cmpuint (seen, ==, n);
      g_assert_cmpfloat_with_epsilon (total, sum, 1);
      g_assert_cmpuint (all->len, <=, OV_SAMPLES_PER_LEVEL);
    }
}

static void
test_fine_for_the_last_seconds (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  g_autoptr (GArray) last = NULL;

  for (guint i = 0; i < 200000; i++)
    ov_samples_append (s, i * 50 * MS, i);
  /* The last 30 seconds, one by one, after nearly three hours. */
  last = query (s, (200000 - 600) * 50 * MS, 200000 * 50 * MS, 50 * MS);
  g_assert_cmpuint (last->len, ==, 601);
  for (guint i = 0; i < last->len; i++)
    g_assert_cmpuint (g_array_index (last, OvBucket, i).n, ==, 1);
}

static void
test_gaps (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  g_autoptr (GArray) all = NULL;
  guint gaps = 0;

  ov_samples_append (s, 0, 1);
  ov_samples_append (s, 50 * MS, NAN);
  ov_samples_append (s, 100 * MS, 2);
  ov_samples_append (s, 150 * MS, INFINITY);
  ov_samples_append (s, 200 * MS, 3);
  ov_samples_append (s, 250 * MS, 4);
  all = query (s, 0, 300 * MS, 0);
  g_assert_cmpuint (all->len, ==, 4);
  for (guint i = 0; i < all->len; i++)
    gaps += g_array_index (all, OvBucket, i).gap_before;
  g_assert_cmpuint (gaps, ==, 2);
  g_assert_true (isnan (ov_samples_value_at (s, 60 * MS)));
  g_assert_cmpfloat (ov_samples_value_at (s, 100 * MS), ==, 2);
  g_assert_cmpfloat (ov_samples_value_at (s, 240 * MS), ==, 4);
  ov_samples_clear (s);
  g_assert_cmpuint (ov_samples_get_total (s)->n, ==, 0);
}

static void
test_time_goes_back (void)
{
  g_autoptr (OvSamples) s = ov_samples_new ();
  g_autoptr (GArray) all = NULL;

  ov_samples_append (s, 100, 1);
  ov_samples_append (s, 50, 99);
  ov_samples_append (s, 200, 2);
  all = query (s, 0, 1000, 0);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpfloat (g_array_index (all, OvBucket, 0).max, ==, 99);
  g_assert_cmpint (g_array_index (all, OvBucket, 0).t0, ==, 100);
}

/* 80 × 60 white pixels, with what is painted on them. */
static cairo_surface_t *
white_surface (void)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 80, 60);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* How much of the pixel is painted in black: 0 to 1. */
static double
ink_at (cairo_surface_t *surface, int x, int y)
{
  const guint32 *p = (const guint32 *)(gpointer)cairo_image_surface_get_data (surface);

  return 1 - (p[y * cairo_image_surface_get_stride (surface) / 4 + x] & 0xff) / 255.0;
}

static double
total_ink (cairo_surface_t *surface)
{
  double sum = 0;

  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 80; x++)
      sum += ink_at (surface, x, y);
  return sum;
}

static const OvColor black = { 0, 0, 0 };

/* Against cairo: nearly the same amount of ink, and nowhere much of a difference. */
static void
assert_like_cairo (const OvXY *points, guint n, double width)
{
  cairo_surface_t *ours = white_surface ();
  cairo_surface_t *theirs = white_surface ();
  cairo_t *cr = cairo_create (theirs);
  OvRaster raster;
  double worst = 0;
  double sum = 0;

  ov_raster_init (&raster, ours);
  ov_raster_line (&raster, points, n, width, &black);
  ov_raster_clear (&raster);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  cairo_stroke (cr);
  cairo_destroy (cr);
  cairo_surface_flush (theirs);
  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 80; x++)
      {
        double d = fabs (ink_at (ours, x, y) - ink_at (theirs, x, y));

        worst = MAX (worst, d);
        sum += d;
      }
  g_test_message ("ink %.1f against %.1f, differing %.1f, worst %.2f", total_ink (ours),
                  total_ink (theirs), sum, worst);
  g_assert_cmpfloat (fabs (total_ink (ours) - total_ink (theirs)), <,
                     0.12 * total_ink (theirs) + 3);
  g_assert_cmpfloat (sum, <, 0.3 * total_ink (theirs) + 4);
  g_assert_cmpfloat (worst, <, 0.8);
  cairo_surface_destroy (ours);
  cairo_surface_destroy (theirs);
}

static void
test_raster_lines (void)
{
  const OvXY flat[] = { { 5, 20.3 }, { 40, 20.3 }, { 75, 20.3 } };
  const OvXY slant[] = { { 5, 10 }, { 70, 45.5 } };
  const OvXY steep[] = { { 30, 5 }, { 36, 55 } };
  const OvXY upright[] = { { 30.4, 5 }, { 30.4, 55 } };
  const OvXY peak[] = { { 5, 50 }, { 38, 50 }, { 40, 5 }, { 42, 50 }, { 75, 50 } };
  OvXY wave[60];

  assert_like_cairo (flat, 3, 1.9);
  assert_like_cairo (flat, 3, 1);
  assert_like_cairo (slant, 2, 1.9);
  assert_like_cairo (steep, 2, 1.9);
  assert_like_cairo (upright, 2, 1.9);
  assert_like_cairo (peak, 5, 1.9);
  for (guint i = 0; i < 60; i++)
    wave[i] = (OvXY){ 5 + i * 70 / 59.0, 30 + 20 * sin (i / 6.0) };
  assert_like_cairo (wave, 60, 1.9);
}

/* Ten thousand points in eighty columns: the one peak among them reaches its height. */
static void
test_raster_dense_peak (void)
{
  cairo_surface_t *surface = white_surface ();
  g_autofree OvXY *points = g_new (OvXY, 10000);
  OvRaster raster;

  for (guint i = 0; i < 10000; i++)
    points[i] = (OvXY){ i * 80.0 / 10000, i == 4321 ? 6 : 50 + (i % 3) };
  ov_raster_init (&raster, surface);
  ov_raster_line (&raster, points, 10000, 1.9, &black);
  ov_raster_clear (&raster);
  for (int y = 6; y < 50; y++)
    g_assert_cmpfloat (ink_at (surface, 34, y), >, 0.99);
  g_assert_cmpfloat (ink_at (surface, 30, 30), ==, 0);
  cairo_surface_destroy (surface);
}

static void
test_raster_area (void)
{
  cairo_surface_t *surface = white_surface ();
  const OvXY ramp[] = { { 10.5, 40 }, { 50.5, 20 } };
  OvRaster raster;

  ov_raster_init (&raster, surface);
  ov_raster_area (&raster, ramp, 2, 50, FALSE, &black);
  ov_raster_clear (&raster);
  /* A trapeze of 40 pixels: 10 high at the left, 30 at the right. */
  g_assert_cmpfloat_with_epsilon (total_ink (surface), 40 * 20, 4);
  g_assert_cmpfloat_with_epsilon (ink_at (surface, 10, 45), 0.5, 0.02);
  g_assert_cmpfloat (ink_at (surface, 30, 49), >, 0.99);
  g_assert_cmpfloat (ink_at (surface, 30, 50), ==, 0);
  cairo_surface_destroy (surface);
}

/* Points far outside leave the pixels outside of the clip as they are. */
static void
test_raster_clip (void)
{
  const OvXY wild[]
      = { { -1e6, -1e6 }, { 10, 1e6 }, { 20, -1e6 }, { 30, 30 }, { 40, 1e5 }, { 1e6, -30 } };

  for (guint n = 1; n <= G_N_ELEMENTS (wild); n++)
    {
      cairo_surface_t *surface = white_surface ();
      OvRaster raster;
      double outside = 0;

      ov_raster_init (&raster, surface);
      ov_raster_set_clip (&raster, 20, 10, 60, 50);
      ov_raster_line (&raster, wild, n, 3, &black);
      ov_raster_area (&raster, wild, n, 30, TRUE, &black);
      ov_raster_area (&raster, wild, n, 1e7, FALSE, &black);
      ov_raster_box (&raster, -5, -5, 500, 500, &black);
      ov_raster_clear (&raster);
      for (int y = 0; y < 60; y++)
        for (int x = 0; x < 80; x++)
          if (x < 20 || x >= 60 || y < 10 || y >= 50)
            outside += ink_at (surface, x, y);
      g_assert_cmpfloat (outside, ==, 0);
      g_assert_cmpfloat_with_epsilon (total_ink (surface), 40 * 40, 8);
      cairo_surface_destroy (surface);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/samples/few", test_few);
  g_test_add_func ("/chart/samples/peaks-and-memory", test_peaks_and_memory);
  g_test_add_func ("/chart/samples/levels-agree", test_levels_agree);
  g_test_add_func ("/chart/samples/last-seconds", test_fine_for_the_last_seconds);
  g_test_add_func ("/chart/samples/gaps", test_gaps);
  g_test_add_func ("/chart/samples/time-goes-back", test_time_goes_back);
  g_test_add_func ("/chart/raster/lines", test_raster_lines);
  g_test_add_func ("/chart/raster/dense-peak", test_raster_dense_peak);
  g_test_add_func ("/chart/raster/area", test_raster_area);
  g_test_add_func ("/chart/raster/clip", test_raster_clip);
  return g_test_run ();
}
