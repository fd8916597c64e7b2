// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChart: data, signals, words, layout and picking.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-chart-private.h"

#define MS 1e6
#define K  1024.0

static void
count (OvDrawable *drawable, gpointer data)
{
  (*(guint *)data)++;
}

static OvChart *
make_chart (void)
{
  OvChart *chart = ov_chart_new ();
  g_autoptr (OvAxis) x = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_BYTES);
  g_autoptr (OvAxis) y = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  ov_axis_set_title (x, "file size");
  ov_chart_set_x_axis (chart, x);
  ov_chart_set_y_axis (chart, y);
  ov_chart_set_title (chart, "Time to count");
  return chart;
}

static void
add_line (OvChart *chart, OvChartSeriesKind kind, const char *label, const double *ms, guint n)
{
  guint s = ov_chart_add_series (chart, kind, label, -1);

  for (guint i = 0; i < n; i++)
    ov_chart_set_value (chart, s, (i + 1) * 1000 * K, ms[i] * MS);
}

static const double slow[] = { 3.48, 6.73, 9.58 };
static const double fast[] = { 1.44, 2.08, 2.82 };

static void
test_changed_only_on_change (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  g_autoptr (OvAxis) axis = ov_axis_copy (ov_chart_get_y_axis (chart));
  OvChartPoint p = { 1, 2, NAN, NAN, OV_CHART_POINT_DONE };
  OvChartPoint two[2] = { { 3, 4, 3, 5, OV_CHART_POINT_DONE }, p };
  guint n = 0;

  g_signal_connect (chart, "changed", G_CALLBACK (count), &n);
  ov_chart_set_title (chart, "Time to count");
  ov_chart_set_subtitle (chart, NULL);
  ov_chart_set_note (chart, "");
  ov_chart_set_y_axis (chart, axis);
  ov_chart_clear (chart);
  ov_chart_set_highlight (chart, -1);
  ov_chart_set_highlight (chart, 7);
  ov_chart_set_cursor (chart, NULL);
  g_assert_cmpuint (n, ==, 0);
  ov_chart_set_title (chart, "Other");
  g_assert_cmpuint (n, ==, 1);
  ov_axis_set_range (axis, 0, 5);
  ov_chart_set_y_axis (chart, axis);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (ov_chart_add_series (chart, OV_CHART_LINE, "a", -1), ==, 0);
  g_assert_cmpuint (n, ==, 3);
  ov_chart_set_point (chart, 0, &p);
  g_assert_cmpuint (n, ==, 4);
  ov_chart_set_point (chart, 0, &p);
  ov_chart_set_value (chart, 0, 1, 2);
  ov_chart_set_points (chart, 0, &p, 1);
  ov_chart_set_series_visible (chart, 0, TRUE);
  ov_chart_set_series_label (chart, 0, "a");
  g_assert_cmpuint (n, ==, 4);
  ov_chart_set_points (chart, 0, two, 2);
  g_assert_cmpuint (n, ==, 5);
  p.state = OV_CHART_POINT_PARTIAL;
  ov_chart_set_point (chart, 0, &p);
  ov_chart_set_series_visible (chart, 0, FALSE);
  ov_chart_set_highlight (chart, 0);
  ov_chart_clear (chart);
  g_assert_cmpuint (n, ==, 9);
}

static void
test_points (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  OvChartPoint p;

  ov_chart_add_series (chart, OV_CHART_LINE, "a", -1);
  ov_chart_set_value (chart, 0, 5, 50);
  ov_chart_set_value (chart, 0, 1, 10);
  ov_chart_set_value (chart, 0, 3, 30);
  ov_chart_set_value (chart, 0, 3, 31);
  ov_chart_set_value (chart, 0, 4, INFINITY);
  ov_chart_set_value (chart, 0, NAN, 1);
  g_assert_cmpuint (ov_chart_get_n_points (chart, 0), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      static const double xs[] = { 1, 3, 4, 5 };

      g_assert_true (ov_chart_get_point (chart, 0, i, &p));
      g_assert_cmpfloat (p.x, ==, xs[i]);
    }
  g_assert_true (ov_chart_get_point (chart, 0, 1, &p));
  g_assert_cmpfloat (p.y, ==, 31);
  /* What is not finite is missing. */
  g_assert_true (ov_chart_get_point (chart, 0, 2, &p));
  g_assert_true (isnan (p.y));
  g_assert_false (ov_chart_get_point (chart, 0, 4, &p));
}

static void
test_describe (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  g_autofree char *empty = ov_chart_describe (chart);
  g_autofree char *text = NULL;
  OvChartPoint p = { 3000 * K, 2.82 * MS, 2.7 * MS, 2.9 * MS, OV_CHART_POINT_PARTIAL };

  g_assert_cmpstr (empty, ==, "Time to count.\nNo figures yet.");
  ov_chart_set_subtitle (chart, "median of 7");
  ov_chart_set_note (chart, "simulated disk");
  add_line (chart, OV_CHART_LINE, "stdio.getc", slow, 3);
  add_line (chart, OV_CHART_LINE, "uring.wait", fast, 3);
  add_line (chart, OV_CHART_REFERENCE, "PowerMac", slow, 1);
  ov_chart_set_series_own_scale (chart, 2, 1);
  ov_chart_set_point (chart, 1, &p);
  text = ov_chart_describe (chart);
  g_assert_cmpstr (
      text, ==,
      "Time to count.\n"
      "median of 7.\n"
      "file size: 1000K to 3000K.\n"
      "Vertical axis: 1.44 ms to 9.58 ms.\n"
      "stdio.getc: first 3.48 ms at 1000K, last 9.58 ms at 3000K; smallest 3.48 ms at 1000K, "
      "largest 9.58 ms at 3000K.\n"
      "uring.wait: first 1.44 ms at 1000K, last 2.82 ms at 3000K; smallest 1.44 ms at 1000K, "
      "largest 2.82 ms at 3000K. 1 point is incomplete.\n"
      "PowerMac, own scale: 3.48 ms at 1000K.\n"
      "Lowest at 3000K: uring.wait with 2.82 ms.\n"
      "simulated disk.");
}

/* The lowest is told for the last x that all have. */
static void
test_describe_lowest_of_all (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  g_autofree char *text = NULL;
  const double most[] = { 1, 9 };

  add_line (chart, OV_CHART_LINE, "a", slow, 3);
  add_line (chart, OV_CHART_LINE, "b", most, 2);
  ov_chart_set_value (chart, 1, 3000 * K, NAN);
  text = ov_chart_describe (chart);
  g_assert_nonnull (strstr (text, "Lowest at 2000K: a with 6.73 ms."));
}

static void
test_table (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  OvChartPoint p = { 1000 * K, 1.44 * MS, 1.4 * MS, 1.5 * MS, OV_CHART_POINT_PARTIAL };
  OvTable *table;

  add_line (chart, OV_CHART_LINE, "a", slow, 3);
  add_line (chart, OV_CHART_LINE, "b", fast, 2);
  add_line (chart, OV_CHART_LINE, "hidden", fast, 2);
  ov_chart_set_series_visible (chart, 2, FALSE);
  ov_chart_set_point (chart, 1, &p);
  table = ov_chart_get_table (chart);
  g_assert_true (table == ov_chart_get_table (chart));
  g_assert_cmpstr (ov_table_get_title (table), ==, "Time to count");
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 3);
  g_assert_cmpuint (ov_table_get_n_columns (table), ==, 3);
  g_assert_cmpstr (ov_table_get_header (table, 0), ==, "file size");
  g_assert_cmpstr (ov_table_get_header (table, 2), ==, "b");
  g_assert_cmpstr (ov_table_get_cell (table, 2, 0), ==, "3000K");
  g_assert_cmpstr (ov_table_get_cell (table, 2, 1), ==, "9.58 ms");
  g_assert_cmpstr (ov_table_get_cell (table, 2, 2), ==, "–");
  g_assert_cmpstr (ov_table_get_cell (table, 0, 2), ==, "1.44 ms (1.40 ms to 1.50 ms), incomplete");
  ov_chart_set_value (chart, 1, 3000 * K, 3 * MS);
  g_assert_cmpstr (ov_table_get_cell (ov_chart_get_table (chart), 2, 2), ==, "3 ms");
}

static void
draw (OvChart *chart, double width, double height, const OvTheme *theme)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, MAX (1, (int)width), MAX (1, (int)height));
  cairo_t *cr = cairo_create (surface);

  ov_chart_draw (chart, cr, width, height, theme);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_pick (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  const OvChartLayout *l;
  OvChartHit hit;
  OvChartPoint p;
  g_autofree char *text = NULL;
  double x, y;

  add_line (chart, OV_CHART_LINE, "a", slow, 3);
  add_line (chart, OV_CHART_LINE, "b", fast, 3);
  draw (chart, 640, 400, theme);
  l = ov_chart_get_layout (chart, 640, 400, theme);
  g_assert_true (ov_chart_get_point (chart, 1, 2, &p));
  ov_chart_layout_map (chart, l, 1, &p, &x, &y);
  g_assert_true (ov_chart_pick (chart, 640, 400, x + 5, y - 6, &hit));
  g_assert_cmpuint (hit.series, ==, 1);
  g_assert_cmpuint (hit.point, ==, 2);
  g_assert_cmpfloat (hit.y, ==, 2.82 * MS);
  g_assert_cmpfloat_with_epsilon (hit.px, x, 1e-9);
  text = ov_chart_describe_hit (chart, &hit);
  g_assert_cmpstr (text, ==, "b, 3000K: 2.82 ms");
  g_assert_false (ov_chart_pick (chart, 640, 400, 1, 1, &hit));
  ov_chart_set_cursor (chart, &hit);
  draw (chart, 640, 400, theme);
  /* Hidden series cannot be hit. */
  ov_chart_set_series_visible (chart, 1, FALSE);
  if (ov_chart_pick (chart, 640, 400, x, y, &hit))
    g_assert_cmpuint (hit.series, ==, 0);
}

static void
test_pick_bars (void)
{
  const char *const names[] = { "one", "two", NULL };
  g_autoptr (OvChart) chart = ov_chart_new ();
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  const OvChartLayout *l;
  OvChartHit hit;
  double left;

  ov_axis_set_categories (axis, names);
  ov_chart_set_x_axis (chart, axis);
  ov_chart_add_series (chart, OV_CHART_STACKED, "user", -1);
  ov_chart_add_series (chart, OV_CHART_BARS, "elapsed", -1);
  ov_chart_add_series (chart, OV_CHART_STACKED, "system", -1);
  for (guint s = 0; s < 3; s++)
    for (guint i = 0; i < 2; i++)
      ov_chart_set_value (chart, s, i, 10 + s);
  draw (chart, 640, 400, theme);
  l = ov_chart_get_layout (chart, 640, 400, theme);
  g_assert_cmpuint (l->n_columns, ==, 2);
  /* Both stacked series stand in one column, the bar beside them. */
  left = ov_chart_layout_bar_left (chart, l, 0, 1);
  g_assert_cmpfloat_with_epsilon (ov_chart_layout_bar_left (chart, l, 2, 1), left, 1e-9);
  g_assert_cmpfloat_with_epsilon (ov_chart_layout_bar_left (chart, l, 1, 1), left + l->bar_width,
                                  1e-9);
  g_assert_cmpfloat (ov_chart_stack_below (chart, 2, 1), ==, 10);
  /* Low in the column is the first one, high the second. */
  g_assert_true (ov_chart_pick (chart, 640, 400, left + 3, l->plot.y + l->plot.h - 4, &hit));
  g_assert_cmpuint (hit.series, ==, 0);
  g_assert_true (ov_chart_pick (chart, 640, 400, left + 3,
                                l->plot.y + l->plot.h * (1 - ov_scale_map (l->y, 20)), &hit));
  g_assert_cmpuint (hit.series, ==, 2);
}

static void
assert_inside (const OvChartLayout *l, double x, double y, double w, double h)
{
  g_assert_cmpfloat (x, >=, -0.5);
  g_assert_cmpfloat (y, >=, -0.5);
  g_assert_cmpfloat (x + w, <=, l->width + 0.5);
  g_assert_cmpfloat (y + h, <=, l->height + 0.5);
}

/* No name over another one or over the plot's ticks, none cut off by the edge. */
static void
assert_layout_sane (const OvChartLayout *l)
{
  double free_from = -1e9;

  for (guint i = 0; i < l->names->len; i++)
    {
      const OvChartName *a = &g_array_index (l->names, OvChartName, i);

      assert_inside (l, a->x, a->y, a->w, a->h);
      for (guint k = 0; k < i; k++)
        {
          const OvChartName *b = &g_array_index (l->names, OvChartName, k);

          g_assert_true (a->x >= b->x + b->w - 0.1 || b->x >= a->x + a->w - 0.1
                         || a->y >= b->y + b->h - 0.1 || b->y >= a->y + a->h - 0.1);
        }
    }
  for (guint i = 0; i < l->legend->len; i++)
    {
      const OvChartName *a = &g_array_index (l->legend, OvChartName, i);

      g_assert_cmpfloat (a->x + a->w, <=, l->width);
      for (guint k = 0; k < i; k++)
        {
          const OvChartName *b = &g_array_index (l->legend, OvChartName, k);

          g_assert_true (a->y != b->y || a->x >= b->x + b->w);
        }
    }
  for (guint i = 0; i < l->x_texts->len && l->x_labels == OV_X_LABELS_FLAT; i++)
    {
      double w;
      double left;

      if (g_ptr_array_index (l->x_texts, i) == NULL)
        continue;
      ov_text_get_size (g_ptr_array_index (l->x_texts, i), &w, NULL);
      left = l->plot.x + l->inset + l->x->ticks[i].pos * (l->plot.w - 2 * l->inset) - w / 2;
      left = MAX (2, MIN (left, l->width - 2 - w));
      g_assert_cmpfloat (left, >=, free_from);
      free_from = left + w;
    }
}

static const char *const label_pool[] = {
  "uring.wait",
  "posix.read",
  "a",
  "標準入出力",
  "قراءة غير متزامنة",
  "Asynchrones Lesen mit zwei Puffern und einem sehr langen Namen",
  "stdio.getc",
  "\xff\xfe kaputt",
};

static void
test_layout_random (void)
{
  for (guint round = 0; round < 150; round++)
    {
      g_autoptr (OvChart) chart = make_chart ();
      guint n = (guint)g_test_rand_int_range (1, 26);
      double w = g_test_rand_int_range (24, 1200);
      double h = g_test_rand_int_range (24, 800);
      const OvTheme *theme
          = ov_theme_get ((OvThemeKind)(round % OV_THEME_N_KINDS), 0.8 + (round % 4) * 0.4);

      ov_chart_set_subtitle (chart, label_pool[round % 8]);
      ov_chart_set_note (chart, round % 3 == 0 ? label_pool[5] : NULL);
      for (guint s = 0; s < n; s++)
        {
          OvChartSeriesKind kind = round % 4 == 3 ? (OvChartSeriesKind)(s % 4)
                                   : s % 5 == 4   ? OV_CHART_REFERENCE
                                                  : OV_CHART_LINE;

          ov_chart_add_series (chart, kind, label_pool[(s + round) % 8], -1);
          if (kind == OV_CHART_REFERENCE)
            ov_chart_set_series_own_scale (chart, s, s % 3);
          for (guint k = 0; k < 1 + round % 20; k++)
            ov_chart_set_value (
                chart, s, (1 + k) * 1000 * K,
                g_test_rand_int_range (0, 9) == 0 ? NAN : g_test_rand_double_range (0, 1e9));
        }
      draw (chart, w, h, theme);
      assert_layout_sane (ov_chart_get_layout (chart, w, h, theme));
    }
}

/* Lines of one family differ at the end of their names: where there is no room for all of a name,
 * its beginning and its end are there. */
static void
test_layout_family (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  const OvChartLayout *l;

  add_line (chart, OV_CHART_LINE, "posix.read, readahead 128K", slow, 3);
  add_line (chart, OV_CHART_LINE, "posix.read, readahead 1024K", fast, 3);
  l = ov_chart_get_layout (chart, 360, 240, theme);
  g_assert_cmpuint (l->names->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const OvChartName *name = &g_array_index (l->names, OvChartName, i);

      g_assert_true (pango_layout_is_ellipsized (name->text));
      g_assert_cmpint (pango_layout_get_ellipsize (name->text), ==, PANGO_ELLIPSIZE_MIDDLE);
      g_assert_cmpfloat (name->x + name->w, <=, 360 + 1);
    }
  l = ov_chart_get_layout (chart, 900, 400, theme);
  for (guint i = 0; i < 2; i++)
    g_assert_false (pango_layout_is_ellipsized (g_array_index (l->names, OvChartName, i).text));
}

/* The plot never loses more than its due, and a name at the end of each line is there where there
 * is room. */
static void
test_layout_names (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  const OvChartLayout *l;

  add_line (chart, OV_CHART_LINE, "stdio.getc", slow, 3);
  add_line (chart, OV_CHART_LINE, "uring.wait", fast, 3);
  l = ov_chart_get_layout (chart, 640, 400, theme);
  g_assert_cmpuint (l->names->len, ==, 2);
  g_assert_cmpuint (l->legend->len, ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      const OvChartName *name = &g_array_index (l->names, OvChartName, i);

      g_assert_cmpfloat_with_epsilon (name->y + name->h / 2, name->end_y, 1);
      g_assert_cmpfloat (name->x, >, name->end_x);
    }
  for (double h = 60; h < 500; h += 40)
    g_assert_cmpfloat (ov_chart_get_layout (chart, 300, h, theme)->plot.h, >=,
                       MIN (90, h * 0.36) - 1);
  /* Bars are named in the legend. */
  add_line (chart, OV_CHART_BARS, "bars", fast, 3);
  l = ov_chart_get_layout (chart, 640, 400, theme);
  g_assert_cmpuint (l->legend->len, ==, 1);
}

static void
test_own_scale (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  const OvChartLayout *l;
  const double then[] = { 1003, 2754, 6608 };
  const double then_fast[] = { 167, 454, 1183 };
  double lo, hi, x, y_slow, y_fast;
  OvChartPoint p;
  g_autofree char *label = NULL;

  add_line (chart, OV_CHART_LINE, "now", fast, 3);
  add_line (chart, OV_CHART_REFERENCE, "then", then, 3);
  add_line (chart, OV_CHART_REFERENCE, "then, fast", then_fast, 3);
  ov_chart_set_series_own_scale (chart, 1, 1);
  ov_chart_set_series_own_scale (chart, 2, 1);
  l = ov_chart_get_layout (chart, 800, 500, theme);
  /* The chart's own axis does not know them. */
  ov_chart_get_y_range (chart, 0, &lo, &hi);
  g_assert_cmpfloat (hi, ==, 2.82 * MS);
  g_assert_cmpfloat (l->y->hi, <=, 4 * MS);
  label = ov_chart_series_full_label (chart, 1, l, FALSE);
  g_assert_cmpstr (label, ==, "then, own scale to 8 s");
  /* Both on the same scale: their heights are as their figures. */
  ov_chart_get_point (chart, 1, 2, &p);
  ov_chart_layout_map (chart, l, 1, &p, &x, &y_slow);
  ov_chart_get_point (chart, 2, 2, &p);
  ov_chart_layout_map (chart, l, 2, &p, &x, &y_fast);
  g_assert_cmpfloat_with_epsilon (
      (l->plot.y + l->plot.h - y_slow) / (l->plot.y + l->plot.h - y_fast), 6608.0 / 1183, 1e-6);
}

/* Pixels of the colour or near to it: edges are mixed with what is below. */
static guint
count_colored (cairo_surface_t *surface, const OvColor *color, int x0, int y0, int x1, int y1)
{
  const guint32 *pixels = (const guint32 *)(gpointer)cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface) / 4;
  int rgb = (int)ov_color_to_rgb (color);
  guint n = 0;

  for (int y = MAX (0, y0); y < MIN (y1, cairo_image_surface_get_height (surface)); y++)
    for (int x = MAX (0, x0); x < MIN (x1, stride); x++)
      {
        int p = (int)(pixels[y * stride + x] & 0xffffff);

        n += ABS ((p & 255) - (rgb & 255)) < 70 && ABS ((p >> 8 & 255) - (rgb >> 8 & 255)) < 70
             && ABS ((p >> 16) - (rgb >> 16)) < 70;
      }
  return n;
}

/* A gap breaks the line, a partial point is hollow. */
static void
test_pixels (void)
{
  g_autoptr (OvChart) chart = make_chart ();
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 600, 400);
  cairo_t *cr = cairo_create (surface);
  const OvChartLayout *l;
  OvChartPoint p;
  double x[4], y[4];
  OvChartPoint points[] = { { 1000 * K, 5 * MS, NAN, NAN, OV_CHART_POINT_DONE },
                            { 2000 * K, 5 * MS, NAN, NAN, OV_CHART_POINT_DONE },
                            { 3000 * K, NAN, NAN, NAN, OV_CHART_POINT_DONE },
                            { 4000 * K, 5 * MS, NAN, NAN, OV_CHART_POINT_PARTIAL } };

  ov_chart_add_series (chart, OV_CHART_LINE, "", 0);
  ov_chart_set_points (chart, 0, points, 4);
  ov_chart_draw (chart, cr, 600, 400, theme);
  cairo_surface_flush (surface);
  l = ov_chart_get_layout (chart, 600, 400, theme);
  for (guint i = 0; i < 4; i++)
    {
      ov_chart_get_point (chart, 0, i, &p);
      ov_chart_layout_map (chart, l, 0, &p, &x[i], &y[i]);
    }
  g_assert_true (isnan (y[2]));
  /* Line between the first two, nothing in the gap. */
  g_assert_cmpuint (count_colored (surface, &theme->styles[0].line, (int)(x[0] + x[1]) / 2,
                                   (int)y[0] - 3, (int)(x[0] + x[1]) / 2 + 10, (int)y[0] + 3),
                    >=, 10);
  g_assert_cmpuint (count_colored (surface, &theme->styles[0].line, (int)x[1] + 10, (int)y[0] - 4,
                                   (int)x[3] - 10, (int)y[0] + 4),
                    ==, 0);
  /* Full and hollow markers. */
  g_assert_cmpuint (count_colored (surface, &theme->styles[0].line, (int)x[0] - 2, (int)y[0] - 2,
                                   (int)x[0] + 2, (int)y[0] + 2),
                    ==, 16);
  g_assert_cmpuint (count_colored (surface, &theme->background, (int)x[3] - 1, (int)y[0] - 1,
                                   (int)x[3] + 2, (int)y[0] + 1),
                    >=, 4);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Among bars, a reference is a level that crosses all of them. */
static void
test_level_crosses_bars (void)
{
  const char *const names[] = { "one", NULL };
  g_autoptr (OvChart) chart = ov_chart_new ();
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 600, 400);
  cairo_t *cr = cairo_create (surface);
  OvChartPoint level = { 0, 6, NAN, NAN, OV_CHART_POINT_DONE };
  g_autofree char *description = NULL;
  const OvChartLayout *l;
  double x;
  double y;

  ov_axis_set_categories (axis, names);
  ov_chart_set_x_axis (chart, axis);
  for (guint i = 0; i < 3; i++)
    {
      ov_chart_add_series (chart, OV_CHART_BARS, "bars", -1);
      ov_chart_set_value (chart, i, 0, 10);
    }
  ov_chart_add_series (chart, OV_CHART_REFERENCE, "bound", -1);
  ov_chart_set_point (chart, 3, &level);
  ov_chart_draw (chart, cr, 600, 400, theme);
  cairo_surface_flush (surface);
  l = ov_chart_get_layout (chart, 600, 400, theme);
  ov_chart_layout_map (chart, l, 3, &level, &x, &y);
  for (guint i = 0; i < 3; i++)
    {
      const int left = (int)ov_chart_layout_bar_left (chart, l, i, 0) + 2;

      g_assert_cmpuint (count_colored (surface, &theme->background, left, (int)y - 3,
                                       left + (int)l->bar_width - 4, (int)y + 3),
                        >, 0);
    }
  description = ov_chart_describe (chart);
  g_assert_nonnull (strstr (description, "bound"));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_zero_bar_is_seen (void)
{
  const char *const names[] = { "one", "two", NULL };
  g_autoptr (OvChart) chart = ov_chart_new ();
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 600, 400);
  cairo_t *cr = cairo_create (surface);
  const OvChartLayout *l;
  int left;

  ov_axis_set_categories (axis, names);
  ov_chart_set_x_axis (chart, axis);
  ov_chart_add_series (chart, OV_CHART_BARS, "bars", 1);
  ov_chart_set_value (chart, 0, 0, 0);
  ov_chart_set_value (chart, 0, 1, 10);
  ov_chart_draw (chart, cr, 600, 400, theme);
  cairo_surface_flush (surface);
  l = ov_chart_get_layout (chart, 600, 400, theme);
  left = (int)ov_chart_layout_bar_left (chart, l, 0, 0);
  g_assert_cmpuint (count_colored (surface, &theme->styles[1].line, left,
                                   (int)(l->plot.y + l->plot.h) - 4, left + (int)l->bar_width,
                                   (int)(l->plot.y + l->plot.h) + 2),
                    >=, (guint)l->bar_width / 2);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* How dark the dash pattern is at a point of its length, in pixels. */
static gboolean
is_ink (const OvSeriesStyle *style, double at)
{
  double length = 0;
  guint part = 0;

  for (guint i = 0; i < style->n_dashes; i++)
    length += style->dashes[i];
  at = fmod (at, length);
  while (at >= style->dashes[part])
    at -= style->dashes[part++];
  return part % 2 == 0;
}

/* The share of a legend's key in which two patterns differ where they are laid over each other as
 * well as they can be. */
static double
pattern_distance (const OvSeriesStyle *a, const OvSeriesStyle *b)
{
  double least = 1;

  for (double shift = 0; shift < 26; shift += 0.2)
    {
      guint differ = 0;

      for (guint i = 0; i < 260; i++)
        differ += is_ink (a, i * 0.1) != is_ink (b, i * 0.1 + shift);
      least = MIN (least, differ / 260.0);
    }
  return least;
}

/* As many as the chart of interrupt rates has, and two more: nothing but the pattern tells. */
static void
test_reference_patterns (void)
{
  g_autoptr (OvChart) chart = ov_chart_new ();
  double least = 1;

  ov_chart_add_series (chart, OV_CHART_LINE, "a line", -1);
  for (guint i = 0; i < 6; i++)
    ov_chart_add_series (chart, OV_CHART_REFERENCE, "a reference", -1);
  for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
    for (guint i = 1; i <= 6; i++)
      for (guint k = 1; k < i; k++)
        {
          const OvTheme *theme = ov_theme_get ((OvThemeKind)kind, 1);
          OvSeriesStyle a, b;

          ov_chart_series_style (chart, i, theme, &a);
          ov_chart_series_style (chart, k, theme, &b);
          g_assert_cmpuint (a.n_dashes, >, 0);
          g_assert_cmpuint (a.n_dashes % 2, ==, 0);
          least = MIN (least, pattern_distance (&a, &b));
        }
  g_test_message ("least distance %.3f", least);
  g_assert_cmpfloat (least, >=, 0.12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/changed", test_changed_only_on_change);
  g_test_add_func ("/chart/points", test_points);
  g_test_add_func ("/chart/describe", test_describe);
  g_test_add_func ("/chart/describe-lowest", test_describe_lowest_of_all);
  g_test_add_func ("/chart/table", test_table);
  g_test_add_func ("/chart/pick", test_pick);
  g_test_add_func ("/chart/pick-bars", test_pick_bars);
  g_test_add_func ("/chart/layout/random", test_layout_random);
  g_test_add_func ("/chart/layout/names", test_layout_names);
  g_test_add_func ("/chart/layout/family", test_layout_family);
  g_test_add_func ("/chart/own-scale", test_own_scale);
  g_test_add_func ("/chart/pixels", test_pixels);
  g_test_add_func ("/chart/zero-bar", test_zero_bar_is_seen);
  g_test_add_func ("/chart/level-crosses-bars", test_level_crosses_bars);
  g_test_add_func ("/chart/reference-patterns", test_reference_patterns);
  return g_test_run ();
}
