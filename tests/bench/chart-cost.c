// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a frame of a live chart costs: 880 × 400 pixels, four noisy series of 600 points, each frame
 * with new samples. Prints CPU microseconds for each frame; nothing is judged, so that a busy
 * machine fails no build. `chart-cost [FRAMES]`.
 */
#include "config.h"

#include <stdlib.h>
#include <time.h>

#include "chart/ov-live-canvas.h"
#include "chart/ov-time-chart.h"

#define WIDTH  880
#define HEIGHT 400
#define POINTS 600
#define SERIES 4

static double
cpu_us (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The same noise on every run. */
static double
noise (void)
{
  static guint32 state = 1;

  state = state * 1664525u + 1013904223u;
  return state / (double)G_MAXUINT32 - 0.5;
}

static void
append (OvTimeChart *chart, guint i)
{
  for (guint k = 0; k < SERIES; k++)
    ov_time_chart_append (chart, 0, k, (gint64)i * 50000000,
                          (400 + 300 * k + 180 * noise ()) * 1e6);
  ov_time_chart_flush (chart);
}

static OvTimeChart *
make_chart (OvTraceKind kind)
{
  OvTimeChart *chart = ov_time_chart_new ();
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);

  ov_axis_set_range (axis, 0, kind == OV_TRACE_STACKED ? 5e9 : 2e9);
  ov_time_chart_add_panel (chart, "Throughput", "four series", axis, 1);
  for (guint k = 0; k < SERIES; k++)
    {
      g_autofree char *name = g_strdup_printf ("series %u", k + 1);

      ov_time_chart_add_trace (chart, 0, kind, name, -1);
    }
  ov_time_chart_set_window (chart, (gint64)POINTS * 50000000);
  for (guint i = 0; i < 4 * POINTS; i++)
    append (chart, i);
  return chart;
}

static void
measure (const char *what, OvTraceKind kind, gboolean live, guint frames)
{
  g_autoptr (GObject) chart = G_OBJECT (make_chart (kind));
  g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  const OvTheme *theme = ov_theme_get (OV_THEME_LIGHT, 1);
  g_autofree double *us = g_new (double, frames);
  double sum = 0;

  for (guint i = 0; i < frames; i++)
    {
      cairo_t *cr = cairo_create (surface);
      double begin;

      append (OV_TIME_CHART (chart), 4 * POINTS + i);
      begin = cpu_us ();
      if (live)
        ov_live_canvas_draw (canvas, OV_DRAWABLE (chart), cr, WIDTH, HEIGHT, 1, theme);
      else
        ov_time_chart_draw (OV_TIME_CHART (chart), cr, WIDTH, HEIGHT, theme);
      cairo_surface_flush (surface);
      us[i] = cpu_us () - begin;
      sum += us[i];
      cairo_destroy (cr);
    }
  for (guint i = 1; i < frames; i++)
    for (guint k = i; k > 0 && us[k] < us[k - 1]; k--)
      {
        double t = us[k];

        us[k] = us[k - 1];
        us[k - 1] = t;
      }
  g_print ("%-28s median %6.0f us, mean %6.0f us, largest %6.0f us, %u backgrounds in %u frames\n",
           what, us[frames / 2], sum / frames, us[frames - 1],
           ov_live_canvas_get_n_backgrounds (canvas), frames);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  guint frames = argc > 1 ? (guint)MAX (1, atoi (argv[1])) : 400;

  measure ("canvas, lines", OV_TRACE_LINE, TRUE, frames);
  measure ("canvas, lines with areas", OV_TRACE_AREA, TRUE, frames);
  measure ("canvas, stacked areas", OV_TRACE_STACKED, TRUE, frames);
  measure ("plain cairo, lines", OV_TRACE_LINE, FALSE, MAX (1, frames / 10));
  return 0;
}
