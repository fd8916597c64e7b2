// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart: blocks, words, picking.
 */
#include "config.h"

#include <string.h>

#include "chart/ov-lane-chart.h"

#define MS G_GINT64_CONSTANT (1000000)

static void
count (OvDrawable *drawable, gpointer data)
{
  (*(guint *)data)++;
}

static OvLaneChart *
make_chart (void)
{
  OvLaneChart *chart = ov_lane_chart_new ();

  ov_lane_chart_set_title (chart, "Requests");
  ov_lane_chart_set_kind_label (chart, OV_LANE_REQUEST, "on the disk");
  ov_lane_chart_add_lane (chart, "buffer 1");
  ov_lane_chart_add_lane (chart, "counting");
  return chart;
}

static void
test_changed (void)
{
  g_autoptr (OvLaneChart) chart = make_chart ();
  guint n = 0;

  g_signal_connect (chart, "changed", G_CALLBACK (count), &n);
  ov_lane_chart_add_block (chart, 0, OV_LANE_REQUEST, 0, MS, 1, 1);
  g_assert_cmpuint (n, ==, 0);
  ov_lane_chart_flush (chart);
  ov_lane_chart_flush (chart);
  ov_lane_chart_set_title (chart, "Requests");
  ov_lane_chart_set_range (chart, 7, 7);
  ov_lane_chart_set_cursor (chart, -3, NULL);
  g_assert_cmpuint (n, ==, 1);
  ov_lane_chart_set_range (chart, 0, MS);
  ov_lane_chart_set_cursor (chart, 5, "here");
  ov_lane_chart_set_cursor (chart, 5, "here");
  g_assert_cmpuint (n, ==, 3);
}

static void
test_describe (void)
{
  g_autoptr (OvLaneChart) chart = make_chart ();
  g_autofree char *text = NULL;
  OvTable *table;

  ov_lane_chart_add_block (chart, 0, OV_LANE_REQUEST, 0, 6 * MS, 1, 417);
  ov_lane_chart_add_block (chart, 0, OV_LANE_REQUEST, 8 * MS, 12 * MS, 1, 418);
  ov_lane_chart_add_block (chart, 0, OV_LANE_WORK, 12 * MS, 30 * MS, 1, 418);
  ov_lane_chart_set_range (chart, 2 * MS, 12 * MS);
  text = ov_lane_chart_describe (chart);
  g_assert_cmpstr (text, ==,
                   "Requests.\n"
                   "From 2 ms to 12 ms.\n"
                   "buffer 1: on the disk 2 times, 80 % of the time; work 1 time, 0 % of the "
                   "time.\n"
                   "counting: nothing.");
  table = ov_lane_chart_get_table (chart);
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 3);
  g_assert_cmpstr (ov_table_get_cell (table, 1, 0), ==, "buffer 1");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 1), ==, "418");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 2), ==, "on the disk");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 3), ==, "8 ms");
  g_assert_cmpstr (ov_table_get_cell (table, 1, 4), ==, "4 ms");
}

static void
test_pick (void)
{
  g_autoptr (OvLaneChart) chart = make_chart ();
  OvLaneHit hit;
  guint found = 0;
  gint64 last = -1;

  for (guint i = 0; i < 50; i++)
    ov_lane_chart_add_block (chart, i % 2, OV_LANE_REQUEST, i * MS, (i + 1) * MS, 1, i);
  ov_lane_chart_set_range (chart, 10 * MS, 20 * MS);
  /* Along the first lane: its blocks in their order, and none out of the range. */
  for (double x = 0; x < 600; x++)
    if (ov_lane_chart_pick (chart, 600, 140, x, 50, &hit))
      {
        g_assert_cmpuint (hit.lane, ==, 0);
        g_assert_cmpint (hit.t0_ns, >=, last);
        g_assert_cmpint (hit.t0_ns, >=, 9 * MS);
        g_assert_cmpint (hit.t0_ns, <=, 20 * MS);
        found += hit.t0_ns != last;
        last = hit.t0_ns;
      }
  g_assert_cmpuint (found, >=, 5);
  {
    g_autofree char *text = NULL;

    hit = (OvLaneHit){ 0, OV_LANE_REQUEST, 418, 3100 * MS, 3111 * MS };
    text = ov_lane_chart_describe_hit (chart, &hit);
    g_assert_cmpstr (text, ==, "buffer 1, request 418: on the disk, 11 ms from 3.10 s");
  }
  g_assert_false (ov_lane_chart_pick (chart, 600, 140, 300, 2, &hit));
}

/* A block that began long before the range is still there; memory is bounded. */
static void
test_bounds (void)
{
  g_autoptr (OvLaneChart) chart = make_chart ();
  OvLaneHit hit;
  gint64 t0, t1;

  g_assert_false (ov_lane_chart_get_extent (chart, &t0, &t1));
  ov_lane_chart_add_block (chart, 0, OV_LANE_WORK, 0, 1000 * MS, 1, 7);
  for (guint i = 0; i < 100; i++)
    ov_lane_chart_add_block (chart, 0, OV_LANE_WORK, i * MS, i * MS + 10, 1, 8);
  ov_lane_chart_set_range (chart, 900 * MS, 910 * MS);
  g_assert_true (ov_lane_chart_pick (chart, 600, 140, 300, 50, &hit));
  g_assert_cmpuint (hit.number, ==, 7);
  for (guint i = 0; i < 3 * OV_LANE_MAX_BLOCKS; i++)
    ov_lane_chart_add_block (chart, 1, OV_LANE_WORK, i * MS, i * MS + 10, 1, i);
  g_assert_cmpuint (ov_lane_chart_get_n_blocks (chart, 1), <=, OV_LANE_MAX_BLOCKS);
  g_assert_cmpuint (ov_lane_chart_get_n_blocks (chart, 1), >=, OV_LANE_MAX_BLOCKS / 2);
  g_assert_true (ov_lane_chart_get_extent (chart, &t0, &t1));
  g_assert_cmpint (t1, ==, (3 * OV_LANE_MAX_BLOCKS - 1) * MS + 10);
  /* Backwards in time and of no length. */
  ov_lane_chart_add_block (chart, 0, OV_LANE_WAIT, -5, -9, 1, 0);
  ov_lane_chart_clear (chart);
  g_assert_cmpuint (ov_lane_chart_get_n_blocks (chart, 0), ==, 0);
  ov_lane_chart_remove_lanes (chart);
  g_assert_cmpuint (ov_lane_chart_get_n_lanes (chart), ==, 0);
}

static void
test_sizes (void)
{
  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (OvLaneChart) chart = ov_lane_chart_new ();
      int w = g_test_rand_int_range (1, 700);
      int h = g_test_rand_int_range (1, 400);
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
      cairo_t *cr = cairo_create (surface);

      ov_lane_chart_set_note (chart, "note");
      ov_lane_chart_set_kind_label (chart, OV_LANE_WORK, "counted");
      for (guint i = 0; i < round % 20; i++)
        ov_lane_chart_add_lane (chart, i % 2 == 0 ? "a lane with a very long name" : "قراءة");
      for (guint i = 0; i < 2000 && round % 20 > 0; i++)
        ov_lane_chart_add_block (chart, i % (round % 20), (OvLaneKind)(i % 3), i * MS,
                                 (i + i % 9) * MS, (int)i, i);
      ov_lane_chart_set_cursor (chart, 40 * MS, "text");
      ov_lane_chart_draw (chart, cr, w, h,
                          ov_theme_get ((OvThemeKind)(round % OV_THEME_N_KINDS), 1));
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/lane/changed", test_changed);
  g_test_add_func ("/chart/lane/describe", test_describe);
  g_test_add_func ("/chart/lane/pick", test_pick);
  g_test_add_func ("/chart/lane/bounds", test_bounds);
  g_test_add_func ("/chart/lane/sizes", test_sizes);
  return g_test_run ();
}
