// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Paints the samples of an OvTimeChart. They go through an OvInk, which is either cairo (for files)
 * or a raster (for the screen): the same points for both. What stays below them and what lies over
 * them stands in ov-time-chart-frame.c.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-paint.h"
#include "chart/ov-time-chart-private.h"

/* Where samples are painted: with cairo if there is no raster. */
typedef struct
{
  OvTimeChart *chart;
  const OvTimeLayout *l;
  const OvTheme *theme;
  cairo_t *cr;
  OvRaster *raster;
  double scale;    /* pixels of the raster for each of the layout */
  GArray *buckets; /* OvBucket, scratch */
  GArray *points;  /* OvXY, scratch: pixels of the raster, or of the layout */
} OvInk;

/* The pieces of the line that a dash leaves, one by one into the raster. */
static void
raster_dashes (OvInk *ink, const OvXY *points, guint n, const OvSeriesStyle *style, double width)
{
  guint part = 0;
  double left = style->dashes[0] * ink->scale;
  g_autoptr (GArray) piece = g_array_new (FALSE, FALSE, sizeof (OvXY));

  g_array_append_val (piece, points[0]);
  for (guint i = 1; i < n; i++)
    {
      double length = hypot (points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
      double done = 0;

      while (length - done > left)
        {
          double t = (done += left) / length;
          OvXY cut = { points[i - 1].x + (points[i].x - points[i - 1].x) * t,
                       points[i - 1].y + (points[i].y - points[i - 1].y) * t };

          g_array_append_val (piece, cut);
          if (part % 2 == 0)
            ov_raster_line (ink->raster, (OvXY *)piece->data, piece->len, width * ink->scale,
                            &style->line);
          g_array_set_size (piece, 0);
          g_array_append_val (piece, cut);
          part = (part + 1) % style->n_dashes;
          left = MAX (0.5, style->dashes[part] * ink->scale);
        }
      left -= length - done;
      g_array_append_val (piece, points[i]);
    }
  if (part % 2 == 0)
    ov_raster_line (ink->raster, (OvXY *)piece->data, piece->len, width * ink->scale, &style->line);
}

/* Whether a dash would be seen as one: on a line that goes up and down all the time it is only more
 * noise, and costs thousands of pieces. */
static gboolean
can_be_dashed (const OvXY *points, guint n)
{
  double length = 0;

  for (guint i = 1; i < n; i++)
    length += fabs (points[i].x - points[i - 1].x) + fabs (points[i].y - points[i - 1].y);
  return n > 1 && length < 4 * (points[n - 1].x - points[0].x);
}

static void
ink_line (OvInk *ink, const OvXY *points, guint n, const OvSeriesStyle *style, gboolean dashed)
{
  double width = ink->theme->line_width;

  dashed = dashed && style->n_dashes > 0 && can_be_dashed (points, n);
  if (ink->raster != NULL)
    {
      if (dashed)
        raster_dashes (ink, points, n, style, width);
      else
        ov_raster_line (ink->raster, points, n, width * ink->scale, &style->line);
      return;
    }
  ov_paint_set_dash (ink->cr, dashed ? style : NULL);
  ov_paint_set_color (ink->cr, &style->line);
  cairo_set_line_width (ink->cr, width);
  cairo_set_line_join (ink->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (ink->cr, n == 1 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
  cairo_move_to (ink->cr, points[0].x, points[0].y);
  for (guint i = n > 1 ? 1 : 0; i < n; i++)
    cairo_line_to (ink->cr, points[i].x, points[i].y);
  cairo_stroke (ink->cr);
}

static void
ink_area (OvInk *ink, const OvXY *points, guint n, double base, gboolean peaks,
          const OvColor *color)
{
  if (n == 0)
    return;
  if (ink->raster != NULL)
    {
      ov_raster_area (ink->raster, points, n, base, peaks, color);
      return;
    }
  ov_paint_set_color (ink->cr, color);
  cairo_move_to (ink->cr, points[0].x, base);
  for (guint i = 0; i < n; i++)
    cairo_line_to (ink->cr, points[i].x, points[i].y);
  cairo_line_to (ink->cr, points[n - 1].x, base);
  cairo_close_path (ink->cr);
  cairo_fill (ink->cr);
}

static void
ink_box (OvInk *ink, double x0, double y0, double x1, double y1, const OvColor *color)
{
  if (ink->raster != NULL)
    {
      ov_raster_box (ink->raster, x0, y0, x1, y1, color);
      return;
    }
  ov_paint_set_color (ink->cr, color);
  cairo_rectangle (ink->cr, x0, y0, x1 - x0, y1 - y0);
  cairo_fill (ink->cr);
}

static double
ink_x (const OvInk *ink, gint64 t)
{
  return ov_time_layout_map_x (ink->l, t) * ink->scale;
}

static double
ink_y (const OvInk *ink, const OvPanelLayout *pl, double value)
{
  double y = ov_time_layout_map_y (pl, value);

  /* A logarithmic axis has no place for zero: the lower edge. */
  if (isnan (y))
    y = pl->plot.y + pl->plot.h;
  return CLAMP (y, pl->plot.y - 4, pl->plot.y + pl->plot.h + 4) * ink->scale;
}

/* The line through a bucket: first, both extremes in their order, last. */
static void
add_bucket (OvInk *ink, const OvPanelLayout *pl, const OvBucket *b)
{
  double x0 = ink_x (ink, b->t0);
  double x1 = ink_x (ink, b->t1);
  OvXY p[4] = { { x0, ink_y (ink, pl, b->first) },
                { x0 + (x1 - x0) / 3, ink_y (ink, pl, b->min_first ? b->min : b->max) },
                { x0 + (x1 - x0) * 2 / 3, ink_y (ink, pl, b->min_first ? b->max : b->min) },
                { x1, ink_y (ink, pl, b->last) } };

  g_array_append_vals (ink->points, p, b->n > 1 ? 4 : 1);
}

typedef void (*RunFunc) (OvInk *ink, const OvPanelLayout *pl, const OvXY *points, guint n,
                         gpointer data);

/* Calls `func` for each unbroken run of the trace between t0 and t1. */
static void
each_run (OvInk *ink, const OvPanelLayout *pl, const OvSamples *samples, gint64 t0, gint64 t1,
          RunFunc func, gpointer data)
{
  gint64 pixel = (gint64)((double)(ink->l->t1 - ink->l->t0) / (ink->l->plots.w * ink->scale));

  ov_samples_query (samples, t0, t1, pixel, ink->buckets);
  g_array_set_size (ink->points, 0);
  for (guint i = 0; i < ink->buckets->len; i++)
    {
      const OvBucket *b = &g_array_index (ink->buckets, OvBucket, i);

      if (b->gap_before && ink->points->len > 0)
        {
          func (ink, pl, (OvXY *)ink->points->data, ink->points->len, data);
          g_array_set_size (ink->points, 0);
        }
      add_bucket (ink, pl, b);
    }
  if (ink->points->len > 0)
    func (ink, pl, (OvXY *)ink->points->data, ink->points->len, data);
}

typedef struct
{
  OvTraceKind kind;
  OvSeriesStyle style;
  OvColor fill;
  gboolean dashed; /* there are other lines in the panel */
} TracePaint;

static double
base_y (const OvInk *ink, const OvPanelLayout *pl)
{
  return ink_y (ink, pl,
                pl->y->kind == OV_AXIS_LINEAR ? CLAMP (0, pl->y->lo, pl->y->hi) : pl->y->lo);
}

static void
paint_run (OvInk *ink, const OvPanelLayout *pl, const OvXY *points, guint n, gpointer data)
{
  const TracePaint *paint = data;
  double base = base_y (ink, pl);

  if (paint->kind == OV_TRACE_STACKED || paint->kind == OV_TRACE_AREA)
    ink_area (ink, points, n, base, paint->kind == OV_TRACE_STACKED, &paint->fill);
  if (paint->kind != OV_TRACE_STACKED)
    ink_line (ink, points, n, &paint->style, paint->dashed);
}

OvColor
ov_time_chart_stack_color (const OvTheme *theme, const OvSeriesStyle *style)
{
  return ov_color_mix (&theme->background, &style->line, 0.8);
}

static void
draw_trace (OvInk *ink, guint panel, guint index)
{
  const OvPanelLayout *pl = &g_array_index (ink->l->panels, OvPanelLayout, panel);
  const OvTrace *trace = ov_time_chart_trace (ink->chart, panel, index);
  TracePaint paint = { trace->kind };

  ov_theme_get_style (ink->theme, ov_time_chart_trace_style (ink->chart, panel, index),
                      &paint.style);
  paint.fill = trace->kind == OV_TRACE_STACKED
                   ? ov_time_chart_stack_color (ink->theme, &paint.style)
                   : paint.style.fill;
  paint.dashed = ov_time_chart_panel (ink->chart, panel)->traces->len > 1;
  each_run (ink, pl, trace->samples, ink->l->t0, ink->l->t1, paint_run, &paint);
}

static guint64
count_inside (const GArray *buckets, gint64 t0, gint64 t1)
{
  guint64 n = 0;

  for (guint i = 0; i < buckets->len; i++)
    {
      const OvBucket *b = &g_array_index (buckets, OvBucket, i);

      if (b->t0 >= t0 && b->t1 <= t1)
        n += b->n;
    }
  return n;
}

/* Hatches a box of the layout with the colour of the background. */
static void
hatch (OvInk *ink, double x0, double y0, double x1, double y1)
{
  double step = 5 * ink->scale;

  if (ink->raster == NULL)
    {
      cairo_rectangle (ink->cr, x0, y0, x1 - x0, y1 - y0);
      ov_paint_hatch_preserve (ink->cr, &ink->theme->background, 5);
      cairo_new_path (ink->cr);
      return;
    }
  for (double x = ceil ((x0 - (y1 - y0)) / step) * step; x < x1; x += step)
    {
      OvXY line[2] = { { x, y1 }, { x + (y1 - y0), y0 } };

      if (line[0].x < x0)
        line[0] = (OvXY){ x0, y1 - (x0 - x) };
      if (line[1].x > x1)
        line[1] = (OvXY){ x1, y0 + (x + (y1 - y0) - x1) };
      ov_raster_line (ink->raster, line, 2, ink->scale, &ink->theme->background);
    }
}

/* A run without samples of its own: a block of its mean height, at least one pixel wide. */
static void
draw_block (OvInk *ink, const OvPanelLayout *pl, const OvSpan *span, double mean,
            const OvSeriesStyle *style)
{
  double x0 = ink_x (ink, span->t0);
  double x1 = ink_x (ink, ov_time_chart_span_end (ink->chart, span));
  double y = ink_y (ink, pl, mean);
  double base = base_y (ink, pl);
  double width = ink->theme->line_width * ink->scale;
  OvXY top[2];

  if (x1 - x0 < ink->scale)
    x1 = x0 + ink->scale;
  if (x1 - x0 > 4 * width)
    ink_box (ink, x0, y, x1, base, &style->fill);
  else
    ink_box (ink, x0, y, x1, base, &style->line);
  top[0] = (OvXY){ x0, y };
  top[1] = (OvXY){ x1, y };
  ink_line (ink, top, 2, style, FALSE);
}

/* One unbroken piece of a run. `first` and `last` are the edges that the area is drawn to. */
static void
draw_piece (OvInk *ink, const OvPanelLayout *pl, const OvSpan *span, const OvSeriesStyle *style,
            double first, double last, gboolean closed)
{
  double base = base_y (ink, pl);
  double least_y = base;
  guint n = ink->points->len;
  OvXY edge;

  if (n == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      OvXY *p = &g_array_index (ink->points, OvXY, i);

      p->x = CLAMP (p->x, first, last);
      least_y = MIN (least_y, p->y);
    }
  edge = (OvXY){ first, g_array_index (ink->points, OvXY, 0).y };
  g_array_insert_val (ink->points, 0, edge);
  edge = (OvXY){ last, g_array_index (ink->points, OvXY, n).y };
  g_array_append_val (ink->points, edge);
  ink_area (ink, (OvXY *)ink->points->data, ink->points->len, base, FALSE, &style->fill);
  if (span->partial)
    hatch (ink, first, least_y, last, base);
  edge = (OvXY){ first, base };
  g_array_insert_val (ink->points, 0, edge);
  edge = (OvXY){ last, base };
  if (closed)
    g_array_append_val (ink->points, edge);
  ink_line (ink, (OvXY *)ink->points->data, ink->points->len, style, FALSE);
  g_array_set_size (ink->points, 0);
}

/* The samples of a run, from its first moment to its last: the first sample stands for the time
 * before it, the last one for the time after it. */
static void
draw_span (OvInk *ink, guint panel, const OvSamples *samples, const OvSpan *span)
{
  const OvPanelLayout *pl = &g_array_index (ink->l->panels, OvPanelLayout, panel);
  gint64 end = ov_time_chart_span_end (ink->chart, span);
  gint64 pixel = (gint64)((double)(ink->l->t1 - ink->l->t0) / (ink->l->plots.w * ink->scale));
  double mean = ov_time_chart_span_mean (span, panel);
  double first = ink_x (ink, span->t0);
  double last = first;
  OvSeriesStyle style;

  ov_theme_get_style (ink->theme, (guint)span->style, &style);
  ov_samples_query (samples, span->t0, end, pixel, ink->buckets);
  if (!isnan (mean) && count_inside (ink->buckets, span->t0, end) < 2)
    {
      draw_block (ink, pl, span, mean, &style);
      return;
    }
  g_array_set_size (ink->points, 0);
  for (guint i = 0; i < ink->buckets->len; i++)
    {
      const OvBucket *b = &g_array_index (ink->buckets, OvBucket, i);

      if (b->t1 < span->t0 || b->t0 > end)
        continue;
      if (b->gap_before && ink->points->len > 0)
        {
          draw_piece (ink, pl, span, &style, first, last, TRUE);
          first = ink_x (ink, b->t0);
        }
      add_bucket (ink, pl, b);
      last = ink_x (ink, MIN (b->t1, end));
    }
  draw_piece (ink, pl, span, &style, first, span->t1 >= 0 ? ink_x (ink, end) : last, span->t1 >= 0);
}

static void
draw_by_span (OvInk *ink, guint panel, guint index)
{
  const OvPanelLayout *pl = &g_array_index (ink->l->panels, OvPanelLayout, panel);
  const OvTrace *trace = ov_time_chart_trace (ink->chart, panel, index);
  OvTimeChart *self = ink->chart;

  if (self->spans->len == 0)
    {
      TracePaint paint = { OV_TRACE_AREA };

      ov_theme_get_style (ink->theme, ov_time_chart_trace_style (self, panel, index), &paint.style);
      paint.fill = paint.style.fill;
      each_run (ink, pl, trace->samples, ink->l->t0, ink->l->t1, paint_run, &paint);
      return;
    }
  for (guint i = ov_time_chart_find_span (self, ink->l->t0); i < self->spans->len; i++)
    {
      const OvSpan *span = ov_time_chart_span (self, i);

      if (span->t0 > ink->l->t1)
        break;
      draw_span (ink, panel, trace->samples, span);
    }
}

static void
draw_panel_data (OvInk *ink, guint panel)
{
  const OvPanelLayout *pl = &g_array_index (ink->l->panels, OvPanelLayout, panel);
  GPtrArray *traces = ov_time_chart_panel (ink->chart, panel)->traces;
  double s = ink->scale;

  if (ink->raster != NULL)
    ov_raster_set_clip (ink->raster, pl->plot.x * s, (pl->plot.y - 2) * s,
                        (pl->plot.x + pl->plot.w + 1) * s, (pl->plot.y + pl->plot.h + 1) * s);
  else
    {
      cairo_save (ink->cr);
      cairo_rectangle (ink->cr, pl->plot.x, pl->plot.y - 2, pl->plot.w + 1, pl->plot.h + 3);
      cairo_clip (ink->cr);
    }
  /* The upper areas of a stack first: the lower ones are painted over them. */
  for (guint i = traces->len; i-- > 0;)
    if (((OvTrace *)g_ptr_array_index (traces, i))->kind == OV_TRACE_STACKED)
      draw_trace (ink, panel, i);
  for (guint i = 0; i < traces->len; i++)
    {
      OvTraceKind kind = ((OvTrace *)g_ptr_array_index (traces, i))->kind;

      if (kind == OV_TRACE_BY_SPAN)
        draw_by_span (ink, panel, i);
      else if (kind != OV_TRACE_STACKED)
        draw_trace (ink, panel, i);
    }
  if (ink->raster == NULL)
    cairo_restore (ink->cr);
}

void
ov_time_chart_draw_data (OvTimeChart *self, cairo_t *cr, OvRaster *raster, double scale,
                         const OvTimeLayout *l)
{
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (OvBucket));
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OvXY));
  OvInk ink = { self, l, l->theme, cr, raster, raster != NULL ? scale : 1, buckets, points };

  for (guint i = 0; i < l->panels->len; i++)
    if (g_array_index (l->panels, OvPanelLayout, i).y != NULL)
      draw_panel_data (&ink, i);
}

void
ov_time_chart_draw (OvTimeChart *self, cairo_t *cr, double width, double height,
                    const OvTheme *theme)
{
  g_return_if_fail (OV_IS_TIME_CHART (self) && cr != NULL && theme != NULL);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, MAX (0, width), MAX (0, height));
  cairo_clip (cr);
  if (width >= 24 && height >= 24)
    {
      const OvTimeLayout *l = ov_time_chart_get_layout (self, width, height, theme);

      ov_time_chart_draw_background (self, cr, l);
      ov_time_chart_draw_data (self, cr, NULL, 1, l);
      ov_time_chart_draw_overlay (self, cr, l);
    }
  else
    {
      ov_paint_set_color (cr, &theme->background);
      cairo_paint (cr);
    }
  cairo_restore (cr);
}
