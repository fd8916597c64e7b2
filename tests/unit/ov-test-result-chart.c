// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The bars of a result: places and groups, both figures of jobs that write, parts of a transfer,
 * and the article's figures as groups.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-chart-private.h"
#include "report/ov-report.h"
#include "report/ov-result-chart.h"
#include "ov-test-model.h"

#define MS 1000000

static const char grouped[]
    = "{\"overlap-experiment\":1,\"id\":\"t\",\"title\":\"T\",\"job\":\"write\",\"shape\":\"bars\","
      "\"strategies\":[\"a.one\",\"a.two\"],\"presets\":[{\"id\":\"p\",\"repetitions\":1,\"axes\":["
      "{\"parameter\":\"block\",\"values\":[\"5K\",\"8M\"]}]}],\"overlay\":{\"file\":\"fwrite-"
      "riscpc-strongarm.csv\",\"title\":\"RiscPC\",\"x-column\":\"block_size\",\"columns\":["
      "\"nfs_s\",\"nfs_s\"],\"labels\":[\"one\",\"other\"],\"filter-column\":\"strategy\","
      "\"filters\":[\"1\",\"2\"],\"groups\":[\"NFS\",\"NFS\"],\"lines\":[\"a.one\",\"a.no\"]}}";

static const char parts[]
    = "{\"overlap-experiment\":1,\"id\":\"t\",\"title\":\"T\",\"job\":\"transfer\",\"chart\":"
      "\"parts\",\"strategies\":[\"a.one\",\"a.two\"],\"presets\":[{\"id\":\"p\",\"repetitions\":1,"
      "\"axes\":[{\"parameter\":\"size\",\"values\":[\"1M\"]}]}],\"overlay\":{\"file\":\"binary-io-"
      "ccl.csv\",\"title\":\"2009\",\"x-column\":\"run\",\"columns\":[\"elapsed_s\"],\"labels\":["
      "\"Lisp\"],\"user-columns\":[\"user_s\"],\"system-columns\":[\"system_s\"],"
      "\"filter-column\":\"program\",\"filters\":[\"copying\"]}}";

static OvResult *
make_result (const char *text)
{
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (OvExperiment) experiment = NULL;
  g_autoptr (GError) error = NULL;
  OvResult *result;

  experiment = ov_experiment_from_json (node, NULL, &error);
  g_assert_no_error (error);
  result = ov_result_new (experiment);
  result->x = experiment->figure == OV_FIGURE_PARTS ? OV_AXIS_SIZE : OV_AXIS_BLOCK;
  return result;
}

static OvRun *
add_run (OvResult *result, const char *variant, const char *target, double x, int ms)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  g_free (spec->variant); /* a new one has "" */
  spec->variant = g_strdup (variant);
  spec->strategy = g_strdup (variant);
  spec->target = g_strdup (target);
  spec->job = result->experiment->job;
  spec->x = x;
  spec->index = result->runs->len;
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->elapsed_ns = ms * (gint64)MS;
  g_ptr_array_add (result->runs, run);
  return run;
}

/* Figure of the series called `label` at `x`, in milliseconds; NaN where there is none. */
static double
figure_at (OvChart *chart, const char *label, double x)
{
  for (guint i = 0; i < ov_chart_get_n_series (chart); i++)
    for (guint k = 0; k < ov_chart_get_n_points (chart, i); k++)
      {
        OvChartPoint point;

        ov_chart_get_point (chart, i, k, &point);
        if (g_str_equal (ov_chart_get_series_label (chart, i), label) && point.x == x)
          return point.y / MS;
      }
  return NAN;
}

static char *
all_places (OvChart *chart)
{
  const OvAxis *axis = ov_chart_get_x_axis (chart);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ov_axis_get_n_categories (axis); i++)
    {
      g_autofree char *name = ov_axis_format (axis, i);

      g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", name);
    }
  return g_string_free (text, FALSE);
}

static void
assert_places (OvChart *chart, const char *expected)
{
  g_autofree char *text = all_places (chart);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_groups (void)
{
  g_autoptr (OvResult) result = make_result (grouped);
  g_autoptr (OvResultChart) bars = NULL;
  OvChart *chart;

  add_run (result, "a.one", "/disk", 5 << 10, 50)->stable_ns = 70 * (gint64)MS;
  add_run (result, "a.two", "/disk", 5 << 10, 40);
  add_run (result, "a.one", "/disk", 8 << 20, 10)->stable_ns = 30 * (gint64)MS;
  add_run (result, "a.one", "/memory", 5 << 10, 5);
  add_run (result, "a.two", "/memory", 8 << 20, 1);
  bars = ov_result_chart_new_for_result (result);
  chart = ov_result_chart_get_chart (bars);
  assert_places (chart, "5K, /disk | 8M, /disk | 5K, /memory | 8M, /memory");
  g_assert_cmpfloat (figure_at (chart, "a.one", 0), ==, 50);
  g_assert_cmpfloat (figure_at (chart, "a.one, until on stable storage", 0), ==, 70);
  g_assert_cmpfloat (figure_at (chart, "a.one, until on stable storage", 1), ==, 30);
  g_assert_cmpfloat (figure_at (chart, "a.one", 2), ==, 5);
  g_assert_cmpfloat (figure_at (chart, "a.two", 3), ==, 1);
  g_assert_true (isnan (figure_at (chart, "a.two, until on stable storage", 0)));
  g_assert_nonnull (strstr (ov_chart_get_subtitle (chart), "stable storage"));
  /* One column for each variant, with both of its bars. */
  g_assert_cmpuint (ov_chart_layout_find_column (chart, G_MAXUINT), ==, 2);
  g_assert_cmpint (ov_result_chart_find (bars, "a.two", "/memory"), >=, 0);

  /* The article's bars on demand, those of a line that is not there left out. */
  g_assert_true (ov_result_chart_has_overlay (bars));
  g_assert_true (ov_result_chart_has_overlay_bars (bars));
  ov_result_chart_set_overlay_visible (bars, TRUE);
  assert_places (chart, "5K, /disk | 8M, /disk | 5K, /memory | 8M, /memory"
                        " | 5K, NFS: up to 20.9 s"
                        " | 8M, NFS: up to 20.9 s");
  g_assert_nonnull (
      strstr (ov_chart_get_subtitle (chart), "hatched: RiscPC, on a scale of its own"));
  g_assert_cmpfloat (figure_at (chart, "RiscPC, one", 4), ==, 20680);
  g_assert_cmpfloat (figure_at (chart, "RiscPC, one", 5), ==, 20850);
  g_assert_cmpuint (ov_chart_layout_find_column (chart, G_MAXUINT), ==, 2);
  ov_result_chart_set_overlay_visible (bars, FALSE);
  assert_places (chart, "5K, /disk | 8M, /disk | 5K, /memory | 8M, /memory");
}

/* A line that comes late, as the window has it, takes its place in the experiment's order. */
static void
test_late (void)
{
  g_autoptr (OvResult) result = make_result (grouped);
  const double xs[] = { 5 << 10, 8 << 20 };
  g_autoptr (OvResultChart) bars
      = ov_result_chart_new (result->experiment, OV_FIGURE_ELAPSED, OV_AXIS_BLOCK, xs, 2, NULL);
  OvChart *chart = ov_result_chart_get_chart (bars);
  g_autoptr (GPtrArray) cells = NULL;

  ov_result_chart_set_overlay_visible (bars, FALSE);
  assert_places (chart, "5K | 8M");
  add_run (result, "a.two", "/disk", 8 << 20, 4);
  add_run (result, "a.one", "/disk", 8 << 20, 6);
  cells = ov_result_cells (result);
  for (guint i = cells->len; i-- > 0;)
    ov_result_chart_set_cell (bars, g_ptr_array_index (cells, i), FALSE);
  assert_places (chart, "5K | 8M");
  g_assert_cmpfloat (figure_at (chart, "a.two", 1), ==, 4);
  g_assert_cmpuint (
      ov_chart_layout_find_column (chart, (guint)ov_result_chart_find (bars, "a.one", NULL)), !=,
      ov_chart_layout_find_column (chart, (guint)ov_result_chart_find (bars, "a.two", NULL)));
}

static void
test_parts (void)
{
  g_autoptr (OvResult) result = make_result (parts);
  g_autoptr (OvResultChart) bars = NULL;
  OvChart *chart;

  for (guint i = 0; i < 2; i++)
    {
      OvRun *run = add_run (result, i == 0 ? "a.one" : "a.two", "/disk", 1 << 20, 100);

      run->write_ns = 70 * (gint64)MS;
      run->read_ns = 30 * (gint64)MS;
      run->cpu_ns = 50 * (gint64)MS;
      run->user_ns = 12 * (gint64)MS;
      run->system_ns = 36 * (gint64)MS;
    }
  bars = ov_result_chart_new_for_result (result);
  chart = ov_result_chart_get_chart (bars);
  assert_places (chart, "a.one | a.two");
  g_assert_cmpfloat (figure_at (chart, "elapsed", 1), ==, 100);
  g_assert_cmpfloat (figure_at (chart, "elapsed: writing", 1), ==, 70);
  g_assert_cmpfloat (figure_at (chart, "elapsed: reading", 1), ==, 30);
  g_assert_cmpfloat (figure_at (chart, "CPU time", 0), ==, 50);
  /* The exact sum, divided as the ticks say. */
  g_assert_cmpfloat_with_epsilon (figure_at (chart, "CPU time: user", 0), 12.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (figure_at (chart, "CPU time: system", 0), 37.5, 1e-6);
  /* Elapsed time in one column, CPU time in the other. */
  g_assert_cmpuint (ov_chart_layout_find_column (chart, G_MAXUINT), ==, 2);
  g_assert_cmpint (ov_result_chart_find (bars, "a.one", "/disk"), ==, -1);
  ov_result_chart_set_overlay_visible (bars, TRUE);
  assert_places (chart, "a.one, /disk | a.two, /disk | Lisp, run 1, 2009: up to 7.59 s"
                        " | Lisp, run 2, 2009: up to 7.59 s");
  g_assert_cmpfloat (figure_at (chart, "2009, CPU time: user", 2), ==, 1680);
  g_assert_cmpfloat (figure_at (chart, "2009, elapsed", 3), ==, 7590);
}

/* What an overlay for bars must hold. */
static void
test_overlay_errors (void)
{
  static const char *const bad[][2] = {
    { "\"user-columns\":[\"user_s\"]", "\"user-columns\":[\"user_s\",\"user_s\"]" },
    { "\"system-columns\":[\"system_s\"],", "" },
    { "\"user-columns\":[\"user_s\"],", "\"user-columns\":[\"user_s\"],\"groups\":[\"a\"]," },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto (GStrv) pieces = g_strsplit (parts, bad[i][0], 2);
      g_autofree char *text = g_strjoinv (bad[i][1], pieces);
      g_autoptr (JsonNode) node = test_node (text);
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (g_strv_length (pieces), ==, 2);
      g_assert_null (ov_experiment_from_json (node, NULL, &error));
      test_error (error, OV_ERROR_INVALID, "overlay");
    }
}

/* Every picture of bars draws, in every theme and size, and says what it shows. */
static void
test_drawn (void)
{
  g_autoptr (OvResult) result = make_result (grouped);
  g_autoptr (OvResultChart) bars = NULL;
  OvChart *chart;
  OvChartHit hit;
  guint found = 0;
  const OvChartLayout *l;

  for (guint i = 0; i < 2; i++)
    add_run (result, "a.one", i == 0 ? "/disk" : "/memory", 5 << 10, 50)->stable_ns
        = 70 * (gint64)MS;
  bars = ov_result_chart_new_for_result (result);
  chart = ov_result_chart_get_chart (bars);
  for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
    for (double width = 60; width < 1200; width *= 2)
      {
        cairo_surface_t *surface
            = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)(width * 0.6));
        cairo_t *cr = cairo_create (surface);

        ov_chart_draw (chart, cr, width, width * 0.6, ov_theme_get ((OvThemeKind)kind, 1));
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
  l = ov_chart_get_layout (chart, 960, 576, ov_theme_get (OV_THEME_LIGHT, 1));
  g_assert_cmpuint (l->groups->len, ==, 2);
  /* The strong bar in front, the pale one above it. */
  for (double y = l->plot.y; y < l->plot.y + l->plot.h; y++)
    if (ov_chart_pick (chart, 960, 576,
                       ov_chart_layout_bar_left (chart, l, 0, 0) + l->bar_width / 2, y, &hit)
        && hit.x == 0 && y > l->plot.y + l->plot.h * (1 - ov_scale_map (l->y, hit.y)))
      {
        g_autofree char *text = ov_chart_describe_hit (chart, &hit);
        const gboolean above = y < l->plot.y + l->plot.h * (1 - ov_scale_map (l->y, 50.0 * MS)) - 1;
        const gboolean below = y > l->plot.y + l->plot.h * (1 - ov_scale_map (l->y, 50.0 * MS)) + 1;

        if (above || below)
          {
            g_assert_cmpint (strstr (text, "stable") != NULL, ==, above);
            found |= above ? 1 : 2;
          }
      }
  g_assert_cmpuint (found, ==, 3);
}

/* What was really used is told once, and what differs as a range where it is a number. */
static void
test_effective (void)
{
  static const char *const texts[][4] = {
    { "ring=polled; busy=95%", "ring=polled; busy=9.5%", NULL, "ring=polled; busy=9.5–95%" },
    { "pages=2M", "pages=4K", NULL, "pages=2M | 4K" },
    { "disk=rate=1MB,latency=1us; n=3", "disk=rate=1MB,latency=1us", "n=10",
      "disk=rate=1MB,latency=1us; n=3–10" },
    { "fell back", NULL, NULL, "fell back" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
      g_autofree char *told = NULL;

      for (guint j = 0; j < 3; j++)
        {
          OvRun *run = ov_run_new (ov_run_spec_new ());

          run->state = OV_STATE_DONE;
          run->effective = g_strdup (texts[i][j]);
          g_ptr_array_add (runs, run);
        }
      told = ov_report_effective (runs);
      g_assert_cmpstr (told, ==, texts[i][3]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-chart/groups", test_groups);
  g_test_add_func ("/result-chart/late", test_late);
  g_test_add_func ("/result-chart/parts", test_parts);
  g_test_add_func ("/result-chart/overlay-errors", test_overlay_errors);
  g_test_add_func ("/result-chart/drawn", test_drawn);
  g_test_add_func ("/result-chart/effective", test_effective);
  return g_test_run ();
}
