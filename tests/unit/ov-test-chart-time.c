// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChart and OvLiveCanvas: time axis, spans, words, and what is painted when.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-live-canvas.h"
#include "chart/ov-time-chart-private.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S  G_GINT64_CONSTANT (1000000000)

static void
count (OvDrawable *drawable, gpointer data)
{
  (*(guint *)data)++;
}

static OvTimeChart *
make_chart (void)
{
  OvTimeChart *chart = ov_time_chart_new ();
  g_autoptr (OvAxis) rate = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);
  g_autoptr (OvAxis) cpu = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_PERCENT);

  g_assert_cmpuint (ov_time_chart_add_panel (chart, "Throughput", NULL, rate, 1), ==, 0);
  g_assert_cmpuint (ov_time_chart_add_trace (chart, 0, OV_TRACE_BY_SPAN, "", -1), ==, 0);
  g_assert_cmpuint (ov_time_chart_add_panel (chart, "CPU", "of one core", cpu, 1), ==, 1);
  g_assert_cmpuint (ov_time_chart_add_trace (chart, 1, OV_TRACE_STACKED, "user", 0), ==, 0);
  g_assert_cmpuint (ov_time_chart_add_trace (chart, 1, OV_TRACE_STACKED, "system", 6), ==, 1);
  return chart;
}

static void
append (OvTimeChart *chart, gint64 t, double rate, double user, double system)
{
  ov_time_chart_append (chart, 0, 0, t, rate);
  ov_time_chart_append (chart, 1, 0, t, user);
  ov_time_chart_append (chart, 1, 1, t, system);
}

static void
test_changed (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();
  guint n = 0;

  g_signal_connect (chart, "changed", G_CALLBACK (count), &n);
  append (chart, 50 * MS, 1e9, 60, 30);
  g_assert_cmpuint (n, ==, 0);
  ov_time_chart_flush (chart);
  ov_time_chart_flush (chart);
  g_assert_cmpuint (n, ==, 1);
  ov_time_chart_set_window (chart, 0);
  ov_time_chart_set_cursor (chart, -5);
  ov_time_chart_set_bracket (chart, 5, 5);
  ov_time_chart_set_title (chart, "");
  ov_time_chart_set_panel_visible (chart, 0, TRUE);
  ov_time_chart_set_now (chart, 10 * MS);
  ov_time_chart_flush (chart);
  g_assert_cmpuint (n, ==, 1);
  ov_time_chart_add_span (chart, 0, -1, "a", 0);
  ov_time_chart_set_span_end (chart, 0, 40 * MS);
  ov_time_chart_set_span_end (chart, 0, 40 * MS);
  ov_time_chart_set_span_mean (chart, 0, 0, NAN);
  ov_time_chart_set_span_mean (chart, 0, 0, 5e8);
  ov_time_chart_set_span_mean (chart, 0, 0, 5e8);
  ov_time_chart_set_span_partial (chart, 0, FALSE);
  g_assert_cmpuint (n, ==, 4);
}

static void
test_visible (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();
  gint64 t0, t1;

  ov_time_chart_set_now (chart, 16 * S);
  ov_time_chart_get_visible (chart, &t0, &t1);
  g_assert_cmpint (t0, ==, 0);
  g_assert_cmpint (t1, ==, 20 * S);
  ov_time_chart_set_window (chart, 8 * S);
  ov_time_chart_set_now (chart, 16 * S + 300 * MS);
  ov_time_chart_get_visible (chart, &t0, &t1);
  g_assert_cmpint (t1, ==, 17 * S);
  g_assert_cmpint (t0, ==, 9 * S);
  ov_time_chart_set_now (chart, 16 * S + 900 * MS);
  ov_time_chart_get_visible (chart, &t0, &t1);
  g_assert_cmpint (t1, ==, 17 * S);
  /* Always the whole recording, never much more. */
  ov_time_chart_set_window (chart, 0);
  for (gint64 now = 17 * S; now < 200000 * S; now = now * 11 / 10)
    {
      ov_time_chart_set_now (chart, now);
      ov_time_chart_get_visible (chart, &t0, &t1);
      g_assert_cmpint (t1, >=, now);
      g_assert_cmpint (t1, <=, now * 2);
    }
  g_assert_cmpint (ov_time_chart_get_now (chart), >, 100000 * S);
}

static void
test_describe (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();
  g_autofree char *text = NULL;
  g_autofree char *at = NULL;
  g_autofree char *gap = NULL;

  ov_time_chart_set_title (chart, "Count a letter");
  ov_time_chart_set_note (chart, "simulated disk");
  ov_time_chart_add_span (chart, 0, 400 * MS, "posix.read", 0);
  ov_time_chart_add_span (chart, 500 * MS, -1, "uring.wait", 1);
  for (guint i = 1; i <= 8; i++)
    append (chart, i * 50 * MS, 1e9, 60, 30);
  append (chart, 450 * MS, NAN, 1, 1);
  append (chart, 600 * MS, 1.6e9, 70, 20);
  append (chart, 650 * MS, 1.7e9, 70, 20);
  text = ov_time_chart_describe (chart);
  g_assert_cmpstr (
      text, ==,
      "Count a letter.\n"
      "Recording of 650 ms.\n"
      "Throughput.\n"
      "Throughput: last 1700 MB/s, smallest 1000 MB/s, largest 1700 MB/s, mean of the samples "
      "1130 MB/s.\n"
      "CPU.\n"
      "of one core.\n"
      "user: last 70 %, smallest 1 %, largest 70 %, mean of the samples 56.5 %.\n"
      "system: last 20 %, smallest 1 %, largest 30 %, mean of the samples 25.5 %.\n"
      "2 runs.\n"
      "posix.read, 0 ns to 400 ms: mean 1000 MB/s.\n"
      "uring.wait, 500 ms to 650 ms: mean 1650 MB/s, still running.\n"
      "simulated disk.");
  at = ov_time_chart_describe_time (chart, 600 * MS);
  g_assert_cmpstr (at, ==,
                   "600 ms, uring.wait: Throughput 1600 MB/s; CPU, user 70 %; CPU, system 20 %");
  gap = ov_time_chart_describe_time (chart, 450 * MS);
  g_assert_cmpstr (gap, ==, "450 ms: Throughput –; CPU, user 1 %; CPU, system 1 %");
}

static void
test_table (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();
  OvTable *table;

  append (chart, 50 * MS, 1e9, 60, 30);
  table = ov_time_chart_get_table (chart);
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 3);
  g_assert_cmpstr (ov_table_get_cell (table, 1, 0), ==, "CPU, user");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 1), ==, "1000 MB/s");
  ov_time_chart_add_span (chart, 0, 60 * MS, "posix.read", 0);
  ov_time_chart_add_span (chart, 60 * MS, 61 * MS, "uring.wait", 0);
  ov_time_chart_set_span_mean (chart, 1, 0, 1.5e9);
  ov_time_chart_set_span_partial (chart, 1, TRUE);
  table = ov_time_chart_get_table (chart);
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 2);
  g_assert_cmpstr (ov_table_get_header (table, 3), ==, "Throughput");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 3), ==, "1000 MB/s");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 5), ==, "30 %");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 0), ==, "uring.wait, incomplete");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 3), ==, "1500 MB/s");
  /* Too short for a sample: not known, not zero. */
  g_assert_cmpstr (ov_table_get_cell (table, 1, 4), ==, "–");
}

typedef struct
{
  cairo_surface_t *surface;
  cairo_t *cr;
  int width;
  int height;
} Canvas;

static Canvas
canvas_new (int width, int height)
{
  Canvas c = { NULL, NULL, width, height };

  c.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  c.cr = cairo_create (c.surface);
  return c;
}

static void
canvas_clear (Canvas *c)
{
  g_assert_cmpint (cairo_status (c->cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (c->cr);
  cairo_surface_destroy (c->surface);
}

static guint32
pixel (const Canvas *c, int x, int y)
{
  const guint32 *pixels;

  cairo_surface_flush (c->surface);
  pixels = (const guint32 *)(gpointer)cairo_image_surface_get_data (c->surface);
  return pixels[y * cairo_image_surface_get_stride (c->surface) / 4 + x] & 0xffffff;
}

static void
assert_color (guint32 found, const OvColor *color)
{
  guint32 wanted = ov_color_to_rgb (color);

  /* Rounding may differ by one. */
  for (guint shift = 0; shift <= 16; shift += 8)
    g_assert_cmpint (ABS ((int)(found >> shift & 255) - (int)(wanted >> shift & 255)), <=, 1);
}

static void
test_stack (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  Canvas c = canvas_new (600, 400);
  const OvTimeLayout *l;
  const OvPanelLayout *panel;
  OvColor user, system;
  int x;

  for (guint i = 0; i <= 100; i++)
    append (chart, i * 100 * MS, 1e9, 60, 30);
  ov_time_chart_draw (chart, c.cr, 600, 400, theme);
  l = ov_time_chart_get_layout (chart, 600, 400, theme);
  panel = &g_array_index (l->panels, OvPanelLayout, 1);
  g_assert_cmpfloat (panel->y->hi, >=, 90);
  user = ov_time_chart_stack_color (theme, &theme->styles[0]);
  system = ov_time_chart_stack_color (theme, &theme->styles[6]);
  x = (int)ov_time_layout_map_x (l, 5 * S);
  assert_color (pixel (&c, x, (int)ov_time_layout_map_y (panel, 30)), &user);
  assert_color (pixel (&c, x, (int)ov_time_layout_map_y (panel, 75)), &system);
  assert_color (pixel (&c, x, (int)ov_time_layout_map_y (panel, 95)), &theme->background);
  canvas_clear (&c);
}

/* A run that no sample fell into stands as a block of its mean, at least one pixel wide. */
static void
test_short_spans (void)
{
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);

  for (int live = 0; live < 2; live++)
    {
      g_autoptr (OvTimeChart) chart = make_chart ();
      g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();
      Canvas c = canvas_new (600, 400);
      const OvTimeLayout *l;
      const OvPanelLayout *panel;
      guint32 beside;
      guint inked = 0;
      int x, y;

      ov_time_chart_add_span (chart, 5 * S, 5 * S + 1000, "tiny", 0);
      ov_time_chart_set_span_mean (chart, 0, 0, 1e9);
      ov_time_chart_set_now (chart, 10 * S);
      if (live)
        ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 400, 1, theme);
      else
        ov_time_chart_draw (chart, c.cr, 600, 400, theme);
      l = ov_time_chart_get_layout (chart, 600, 400, theme);
      panel = &g_array_index (l->panels, OvPanelLayout, 0);
      x = (int)ov_time_layout_map_x (l, 5 * S);
      y = (int)ov_time_layout_map_y (panel, 0.4e9);
      beside = pixel (&c, x + 30, y); /* a line of the grid, with some fonts */
      for (int dx = -2; dx <= 3; dx++)
        inked += pixel (&c, x + dx, y) != beside;
      g_assert_cmpuint (inked, >=, 1);
      g_assert_cmpuint (inked, <=, 3);
      y = (int)ov_time_layout_map_y (panel, 1.3e9);
      g_assert_cmphex (pixel (&c, x, y), ==, pixel (&c, x + 30, y));
      canvas_clear (&c);
    }
}

/* Raster and cairo give nearly the same picture. */
static void
test_live_like_vector (void)
{
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  g_autoptr (OvTimeChart) chart = make_chart ();
  g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();

  ov_time_chart_add_span (chart, 0, 4 * S, "a", 0);
  ov_time_chart_add_span (chart, 5 * S, -1, "b", 1);
  for (guint i = 1; i <= 180; i++)
    append (chart, i * 50 * MS, (1 + 0.3 * sin (i / 9.0)) * 1e9, 60 + 10 * sin (i / 4.0), 25);
  for (int scale = 1; scale <= 2; scale++)
    {
      Canvas live = canvas_new (600 * scale, 400 * scale);
      Canvas vector = canvas_new (600 * scale, 400 * scale);
      guint differ = 0;

      cairo_scale (live.cr, scale, scale);
      cairo_scale (vector.cr, scale, scale);
      ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), live.cr, 600, 400, scale, theme);
      ov_time_chart_draw (chart, vector.cr, 600, 400, theme);
      for (int y = 0; y < 400 * scale; y++)
        for (int x = 0; x < 600 * scale; x++)
          {
            guint32 a = pixel (&live, x, y);
            guint32 b = pixel (&vector, x, y);
            int d = ABS ((int)(a & 255) - (int)(b & 255))
                    + ABS ((int)(a >> 8 & 255) - (int)(b >> 8 & 255))
                    + ABS ((int)(a >> 16) - (int)(b >> 16));

            differ += d > 150;
          }
      g_test_message ("scale %d: %u pixels differ much", scale, differ);
      g_assert_cmpuint (differ, <, 600 * 400 * scale / 200);
      canvas_clear (&live);
      canvas_clear (&vector);
    }
}

static void
test_background_kept (void)
{
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  g_autoptr (OvTimeChart) chart = make_chart ();
  g_autoptr (OvTimeChart) other = make_chart ();
  g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();
  Canvas c = canvas_new (600, 400);
  guint n;

  append (chart, 11 * S, 1e9, 60, 30);
  ov_time_chart_flush (chart);
  for (guint i = 0; i < 50; i++)
    {
      append (chart, 11 * S + i * 50 * MS, 1.1e9, 60, 30);
      ov_time_chart_flush (chart);
      ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 400, 1, theme);
    }
  g_assert_cmpuint (ov_live_canvas_get_n_backgrounds (canvas), ==, 1);
  /* Out of the scale: a new background. */
  append (chart, 14 * S, 5e9, 60, 30);
  ov_time_chart_flush (chart);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 400, 1, theme);
  g_assert_cmpuint (ov_live_canvas_get_n_backgrounds (canvas), ==, 2);
  ov_time_chart_set_cursor (chart, 12 * S);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 400, 1, theme);
  g_assert_cmpuint (ov_live_canvas_get_n_backgrounds (canvas), ==, 2);
  ov_time_chart_set_title (chart, "Title");
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 400, 1, theme);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 399, 1, theme);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 399, 1,
                       ov_theme_get (OV_THEME_DARK, 1));
  n = ov_live_canvas_get_n_backgrounds (canvas);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmphex (pixel (&c, 598, 3), ==,
                   ov_color_to_rgb (&ov_theme_get (OV_THEME_DARK, 1)->background));
  ov_live_canvas_draw (canvas, OV_DRAWABLE (other), c.cr, 600, 399, 1,
                       ov_theme_get (OV_THEME_DARK, 1));
  g_assert_cmpuint (ov_live_canvas_get_n_backgrounds (canvas), ==, n + 1);
  /* The chart may go before the canvas. */
  g_clear_object (&other);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 399, 1, theme);
  ov_live_canvas_release (canvas);
  ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, 600, 399, 1, theme);
  canvas_clear (&c);
}

static void
test_pick (void)
{
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  g_autoptr (OvTimeChart) chart = make_chart ();
  const OvTimeLayout *l;
  gint64 t;

  append (chart, 16 * S, 1e9, 60, 30);
  l = ov_time_chart_get_layout (chart, 600, 400, theme);
  g_assert_true (ov_time_chart_pick (chart, 600, 400, ov_time_layout_map_x (l, 8 * S), 200, &t));
  g_assert_cmpint (ABS (t - 8 * S), <, MS);
  g_assert_false (ov_time_chart_pick (chart, 600, 400, 2, 200, &t));
}

/* All sizes, every state, both ways of drawing. */
static void
test_sizes (void)
{
  g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();

  for (guint round = 0; round < 120; round++)
    {
      g_autoptr (OvTimeChart) chart = make_chart ();
      const OvTheme *theme = ov_theme_get ((OvThemeKind)(round % OV_THEME_N_KINDS), 1);
      int w = g_test_rand_int_range (1, 700);
      int h = g_test_rand_int_range (1, 500);
      Canvas c = canvas_new (w, h);

      for (int s = 0; s < g_test_rand_int_range (0, 40); s++)
        {
          gint64 t0 = s * 250 * MS;
          guint span = ov_time_chart_add_span (chart, t0, s % 5 == 4 ? -1 : t0 + 200 * MS,
                                               s % 2 == 0 ? "uring.wait" : "قراءة", s);

          ov_time_chart_set_span_partial (chart, span, s % 3 == 0);
          ov_time_chart_set_span_mean (chart, span, 0, s % 4 == 0 ? NAN : s * 1e8);
        }
      for (int i = 0; i < g_test_rand_int_range (0, 3000); i++)
        append (chart, i * 7 * MS, g_test_rand_int_range (0, 9) == 0 ? NAN : i * 1e6, i % 100,
                i % 50);
      ov_time_chart_set_window (chart, round % 3 == 0 ? 3 * S : 0);
      ov_time_chart_set_cursor (chart, round % 2 == 0 ? 2 * S : -1);
      ov_time_chart_set_bracket (chart, S, S + 1);
      ov_time_chart_set_panel_visible (chart, 1, round % 7 != 0);
      ov_time_chart_set_title (chart, round % 2 == 0 ? "Title" : "");
      ov_time_chart_draw (chart, c.cr, w, h, theme);
      ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), c.cr, w, h, 1, theme);
      g_assert_cmphex (pixel (&c, w - 1, 0), ==, ov_color_to_rgb (&theme->background));
      canvas_clear (&c);
    }
}

/* Coloured pixels (not grey) among the first rows, where the keys are. */
static guint
count_colored (OvTimeChart *chart, int width, guint *dim)
{
  Canvas c = canvas_new (width, 300);
  guint colored = 0;

  *dim = 0;
  ov_time_chart_draw (chart, c.cr, width, 300, ov_theme_get (OV_THEME_PRINT, 1));
  for (int y = 0; y < 24; y++)
    for (int x = 140; x < width; x++)
      {
        guint32 p = pixel (&c, x, y);
        int r = (int)(p >> 16 & 255);
        int b = (int)(p & 255);

        colored += ABS (r - b) > 60;
        *dim += p != 0xffffff && ABS (r - b) <= 60;
      }
  canvas_clear (&c);
  return colored;
}

/* Of names that have no room, it is said how many they are; the natural size has room for all. */
static void
test_keys (void)
{
  g_autoptr (OvTimeChart) few = make_chart ();
  g_autoptr (OvTimeChart) many = make_chart ();
  double few_width, many_width, height;
  guint few_dim, many_dim, narrow;

  for (guint i = 0; i < 10; i++)
    {
      gint64 t0 = (gint64)i * 10 * S;
      g_autofree char *label = g_strdup_printf ("thread.double-buffer %u", i);

      ov_time_chart_add_span (many, t0, t0 + 10 * MS, label, 0);
      if (i == 9)
        ov_time_chart_add_span (few, t0, t0 + 10 * MS, label, 0);
    }
  ov_drawable_get_natural_size (OV_DRAWABLE (few), &few_width, &height);
  ov_drawable_get_natural_size (OV_DRAWABLE (many), &many_width, &height);
  g_assert_cmpfloat (few_width, ==, 880);
  g_assert_cmpfloat (many_width, >, 1200);
  g_assert_cmpuint (count_colored (many, (int)many_width, &many_dim), >,
                    6 * count_colored (few, (int)many_width, &few_dim));
  /* One key has room, and beside it the words. */
  narrow = count_colored (few, 400, &few_dim);
  g_assert_cmpuint (narrow, >, 0);
  g_assert_cmpfloat_with_epsilon (count_colored (many, 400, &many_dim), narrow, narrow / 4.0);
  g_assert_cmpuint (many_dim, >, few_dim);
}

static void
test_clear (void)
{
  g_autoptr (OvTimeChart) chart = make_chart ();

  ov_time_chart_add_span (chart, 0, S, "a", 0);
  append (chart, S, 1e9, 60, 30);
  ov_time_chart_clear (chart);
  g_assert_cmpuint (ov_time_chart_get_n_spans (chart), ==, 0);
  g_assert_cmpint (ov_time_chart_get_now (chart), ==, 0);
  g_assert_cmpuint (ov_time_chart_get_n_panels (chart), ==, 2);
  append (chart, 5 * MS, 2e9, 1, 1);
  g_assert_cmpint (ov_time_chart_get_now (chart), ==, 5 * MS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/time/changed", test_changed);
  g_test_add_func ("/chart/time/visible", test_visible);
  g_test_add_func ("/chart/time/describe", test_describe);
  g_test_add_func ("/chart/time/table", test_table);
  g_test_add_func ("/chart/time/stack", test_stack);
  g_test_add_func ("/chart/time/short-spans", test_short_spans);
  g_test_add_func ("/chart/time/live-like-vector", test_live_like_vector);
  g_test_add_func ("/chart/time/background-kept", test_background_kept);
  g_test_add_func ("/chart/time/pick", test_pick);
  g_test_add_func ("/chart/time/sizes", test_sizes);
  g_test_add_func ("/chart/time/keys", test_keys);
  g_test_add_func ("/chart/time/clear", test_clear);
  return g_test_run ();
}
