// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Paints an OvChart: grid, bars, references, lines, names, cursor, in this order. Reads the data
 * and the layout, changes neither. Plain strokes and fills, so that the vector formats get them as
 * such.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-chart-private.h"
#include "chart/ov-number.h"
#include "chart/ov-paint.h"

typedef struct
{
  OvChart *chart;
  const OvChartLayout *l;
  const OvTheme *theme;
  cairo_t *cr;
} Pen;

/* The style of a series; faint where another one is highlighted. */
static void
pen_style (const Pen *pen, guint series, OvSeriesStyle *style)
{
  const OvColor *back = &pen->theme->background;

  ov_chart_series_style (pen->chart, series, pen->theme, style);
  if (pen->chart->highlight < 0 || (guint)pen->chart->highlight == series)
    return;
  style->line = ov_color_mix (back, &style->line, 0.25);
  style->text = ov_color_mix (back, &style->text, 0.55);
  style->fill = ov_color_mix (back, &style->fill, 0.25);
}

static double
pen_line_width (const Pen *pen, guint series)
{
  double w = pen->theme->line_width;

  if (ov_chart_series (pen->chart, series)->kind == OV_CHART_REFERENCE)
    w *= 0.75;
  return (guint)pen->chart->highlight == series && pen->chart->highlight >= 0 ? w * 1.6 : w;
}

static void
draw_header (const Pen *pen)
{
  const OvChartLayout *l = pen->l;

  if (l->title != NULL)
    ov_text_show (pen->cr, l->title, &pen->theme->text, l->pad, l->pad * 0.75, 0, 0);
  if (l->subtitle != NULL)
    ov_text_show (pen->cr, l->subtitle, &pen->theme->dim_text, l->subtitle_x, l->subtitle_y, 0, 0);
  if (l->note != NULL)
    ov_text_show (pen->cr, l->note, &pen->theme->dim_text, l->pad, l->height - l->pad * 0.75, 0, 1);
}

static void
draw_grid (const Pen *pen)
{
  const OvChartLayout *l = pen->l;
  cairo_t *cr = pen->cr;

  cairo_set_line_width (cr, 1);
  ov_paint_set_dash (cr, NULL);
  if (l->y->n_ticks == 0)
    {
      ov_paint_hline (cr, l->plot.x, l->plot.x + l->plot.w, l->plot.y + l->plot.h);
      ov_paint_set_color (cr, &pen->theme->axis);
      cairo_stroke (cr);
    }
  for (guint i = 0; i < l->y->n_ticks; i++)
    {
      const OvTick *tick = &l->y->ticks[i];
      double y = l->plot.y + l->plot.h * (1 - tick->pos);
      gboolean base = tick->value == 0 || (tick->pos < 1e-6 && l->y->kind != OV_AXIS_LINEAR);
      g_autoptr (PangoLayout) text = ov_text_line (pen->theme, OV_TEXT_LABEL, tick->label, 0);

      ov_paint_hline (cr, l->plot.x, l->plot.x + l->plot.w, y);
      ov_paint_set_color (cr, base ? &pen->theme->axis : &pen->theme->grid);
      cairo_stroke (cr);
      ov_text_show (cr, text, &pen->theme->dim_text, l->plot.x - 7, floor (y) + 0.5, 1, 0.5);
    }
}

/* Names of groups below their bars, and lines between the groups. */
static void
draw_groups (const Pen *pen)
{
  const OvChartLayout *l = pen->l;
  const double slot = l->plot.w / (l->x->hi - l->x->lo);
  const double base = l->plot.y + l->plot.h;
  const double top = base + l->x_label_h - l->group_h + 3;

  cairo_set_line_width (pen->cr, 1);
  ov_paint_set_dash (pen->cr, NULL);
  for (guint i = 0; i < l->groups->len; i++)
    {
      const OvChartGroup *group = &g_array_index (l->groups, OvChartGroup, i);
      const double left = l->plot.x + group->first * slot;
      const double right = left + group->n * slot;

      ov_paint_set_color (pen->cr, &pen->theme->axis);
      ov_paint_hline (pen->cr, left + 4, right - 4, top);
      cairo_stroke (pen->cr);
      if (group->first > 0)
        {
          ov_paint_set_color (pen->cr, &pen->theme->grid);
          ov_paint_vline (pen->cr, left, l->plot.y, top);
          cairo_stroke (pen->cr);
        }
      ov_text_show (pen->cr, group->text, &pen->theme->text, (left + right) / 2, top + 3, 0.5, 0);
    }
}

static void
draw_turned (const Pen *pen, PangoLayout *text, double x, double y)
{
  cairo_save (pen->cr);
  cairo_translate (pen->cr, x, y);
  cairo_rotate (pen->cr, -35 * G_PI / 180);
  ov_text_show (pen->cr, text, &pen->theme->dim_text, 0, 0, 1, 0.4);
  cairo_restore (pen->cr);
}

static void
draw_x_axis (const Pen *pen)
{
  const OvChartLayout *l = pen->l;
  double base = l->plot.y + l->plot.h;
  double h;

  for (guint i = 0; i < l->x_texts->len; i++)
    {
      PangoLayout *text = g_ptr_array_index (l->x_texts, i);
      double centre = l->plot.x + l->inset + l->x->ticks[i].pos * (l->plot.w - 2 * l->inset);
      double w;
      double left;

      if (l->x->kind != OV_AXIS_CATEGORY)
        {
          ov_paint_set_dash (pen->cr, NULL);
          cairo_set_line_width (pen->cr, 1);
          ov_paint_set_color (pen->cr, &pen->theme->axis);
          ov_paint_vline (pen->cr, centre, base, base + 4);
          cairo_stroke (pen->cr);
        }
      if (text == NULL)
        continue;
      if (l->x_labels == OV_X_LABELS_TURNED)
        {
          draw_turned (pen, text, centre + 3, base + 8);
          continue;
        }
      ov_text_get_size (text, &w, NULL);
      left = MAX (2, MIN (centre - w / 2, l->width - 2 - w));
      ov_text_show (pen->cr, text, &pen->theme->dim_text, left, base + 5, 0, 0);
    }
  if (l->x_title == NULL)
    return;
  ov_text_get_size (l->x_title, NULL, &h);
  {
    double w;
    double left;

    ov_text_get_size (l->x_title, &w, NULL);
    left = CLAMP (l->plot.x + l->plot.w / 2 - w / 2, l->pad, MAX (l->pad, l->width - l->pad - w));
    ov_text_show (pen->cr, l->x_title, &pen->theme->dim_text, left, base + l->x_label_h + 1, 0, 0);
  }
}

static void
draw_interval (const Pen *pen, const OvColor *color, double x, double y_lo, double y_hi,
               double half)
{
  cairo_t *cr = pen->cr;

  ov_paint_set_dash (cr, NULL);
  ov_paint_set_color (cr, color);
  cairo_set_line_width (cr, MAX (1, pen->theme->line_width * 0.7));
  cairo_move_to (cr, x, y_lo);
  cairo_line_to (cr, x, y_hi);
  cairo_move_to (cr, x - half, y_lo);
  cairo_line_to (cr, x + half, y_lo);
  cairo_move_to (cr, x - half, y_hi);
  cairo_line_to (cr, x + half, y_hi);
  cairo_stroke (cr);
}

static double
map_value (const Pen *pen, guint series, double x, double y)
{
  OvChartPoint p = { x, y, NAN, NAN, OV_CHART_POINT_DONE };
  double px;
  double py;

  ov_chart_layout_map (pen->chart, pen->l, series, &p, &px, &py);
  return py;
}

/* In the unit of the axis, which is written above already; on a scale of its own with its unit. */
static char *
format_bar_value (const Pen *pen, const OvScale *scale, double value)
{
  if (scale != pen->l->y || ov_axis_get_unit (pen->chart->y_axis) == OV_UNIT_BYTES)
    return ov_axis_format (pen->chart->y_axis, value);
  return ov_number_format (value / scale->divisor, 3);
}

/* The figure above a bar, where it fits between the neighbours and below the frame. */
static void
draw_bar_value (const Pen *pen, const OvScale *scale, double value, double x, double top)
{
  g_autofree char *label = NULL;
  g_autoptr (PangoLayout) text = NULL;
  double w;
  double h;
  double room = pen->l->bar_width;

  if (scale->divisor <= 0)
    return;
  label = format_bar_value (pen, scale, value);
  text = ov_text_line (pen->theme, OV_TEXT_SMALL, label, 0);
  ov_text_get_size (text, &w, &h);
  if (pen->l->n_columns == 1)
    room /= 0.8;
  if (w > room || top - h < pen->l->plot.y - h)
    return;
  ov_text_show (pen->cr, text, &pen->theme->text, x, top - 1, 0.5, 1);
}

/* How a series is filled. */
static void
draw_bar_body (const Pen *pen, const OvChartSeries *s, const OvSeriesStyle *style, gboolean partial,
               double height)
{
  cairo_t *cr = pen->cr;

  if (partial || s->pale)
    {
      ov_paint_set_color (cr, &style->fill);
      cairo_fill_preserve (cr);
      if (partial || s->own_scale > 0)
        ov_paint_hatch_preserve (cr, &style->line, 6);
      ov_paint_set_color (cr, &style->line);
      cairo_set_line_width (cr, partial ? 1.2 : 0.8);
      cairo_stroke (cr);
      return;
    }
  ov_paint_set_color (cr, &style->line);
  cairo_fill_preserve (cr);
  /* Neighbours of like lightness stay apart, on paper too. */
  ov_paint_set_color (cr, &pen->theme->background);
  cairo_set_line_width (cr, pen->l->bar_width > 8 ? 1 : 0.3);
  if (height > 4)
    cairo_stroke (cr);
  cairo_new_path (cr);
}

static gboolean
is_last_of_stack (OvChart *self, guint series, double x)
{
  const guint column = ov_chart_series (self, series)->column;

  for (guint i = series + 1; i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);

      if (s->visible && s->kind == OV_CHART_STACKED && s->column == column
          && ov_chart_find_point (s, x) >= 0)
        return FALSE;
    }
  return TRUE;
}

/* The other bar of a column at x: what lies before or behind this one, or the whole that stacked
 * ones are parts of; NULL where it stands alone. */
static const OvChartPoint *
find_partner (OvChart *self, guint series, double x)
{
  const OvChartSeries *own = ov_chart_series (self, series);

  for (guint i = 0; own->column > 0 && i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);
      int at;

      if (i == series || !s->visible || s->kind != OV_CHART_BARS || s->column != own->column
          || s->own_scale != own->own_scale)
        continue;
      at = ov_chart_find_point (s, x);
      if (at >= 0 && !isnan (g_array_index (s->points, OvChartPoint, at).y))
        return &g_array_index (s->points, OvChartPoint, at);
    }
  return NULL;
}

static void
draw_bar (const Pen *pen, guint series, const OvSeriesStyle *style, const OvChartPoint *p)
{
  const OvChartLayout *l = pen->l;
  const OvChartSeries *s = ov_chart_series (pen->chart, series);
  const OvScale *scale = ov_chart_layout_scale (l, s);
  gboolean stacked = s->kind == OV_CHART_STACKED;
  double below = stacked ? ov_chart_stack_below (pen->chart, series, p->x) : 0;
  double base = scale->kind == OV_AXIS_LINEAR
                    ? l->plot.y + l->plot.h * (1 - ov_scale_map (scale, below))
                    : l->plot.y + l->plot.h;
  double left = ov_chart_layout_bar_left (pen->chart, l, series, p->x);
  double gap = l->bar_width > 8 ? 1 : 0;
  double px;
  double py;

  ov_chart_layout_map (pen->chart, l, series, p, &px, &py);
  if (isnan (py))
    return;
  /* A zero is a figure too: it shows as a thin line. */
  if (fabs (base - py) < 2 && !stacked)
    py = base - 2;
  ov_paint_set_dash (pen->cr, NULL);
  cairo_rectangle (pen->cr, left + gap, MIN (py, base), l->bar_width - 2 * gap, fabs (base - py));
  draw_bar_body (pen, s, style, p->state == OV_CHART_POINT_PARTIAL, fabs (base - py));
}

/* Interval and figure of a bar, on top of all bars. Two intervals in one column stand side by side;
 * a stack bears the figure of its whole where there is one. */
static void
draw_bar_figures (const Pen *pen, guint series, const OvChartPoint *p)
{
  const OvChartLayout *l = pen->l;
  const OvChartSeries *s = ov_chart_series (pen->chart, series);
  const gboolean stacked = s->kind == OV_CHART_STACKED;
  const OvChartPoint *partner = find_partner (pen->chart, series, p->x);
  double value = p->y + (stacked ? ov_chart_stack_below (pen->chart, series, p->x) : 0);
  double top;
  double px;

  ov_chart_layout_map (pen->chart, l, series, p, &px, &top);
  if (isnan (top))
    return;
  if (!isnan (p->lo))
    {
      const double aside = partner != NULL ? l->bar_width * (s->pale ? 0.2 : -0.2) : 0;

      draw_interval (pen, &pen->theme->text, px + aside, map_value (pen, series, p->x, p->lo),
                     map_value (pen, series, p->x, p->hi), MIN (4, l->bar_width / 5));
      top = map_value (pen, series, p->x, p->hi);
    }
  if (stacked ? !is_last_of_stack (pen->chart, series, p->x) : s->pale && s->own_scale == 0)
    return;
  if (partner != NULL)
    {
      /* The figure of what reaches higher, above it. */
      const double hi = isnan (partner->hi) ? partner->y : partner->hi;
      const OvScale *scale = ov_chart_layout_scale (l, s);

      top = MIN (top, l->plot.y + l->plot.h * (1 - ov_scale_map (scale, hi)));
      value = stacked ? partner->y : MAX (value, partner->y);
    }
  draw_bar_value (pen, ov_chart_layout_scale (l, s), value, px, top);
}

/* Rounds: what contains another figure lies behind it, and figures lie on top of all. */
static void
draw_bars (const Pen *pen, guint series, int round)
{
  OvChartSeries *s = ov_chart_series (pen->chart, series);
  OvSeriesStyle style;

  pen_style (pen, series, &style);
  for (guint k = 0; k < s->points->len; k++)
    if (round == 2)
      draw_bar_figures (pen, series, &g_array_index (s->points, OvChartPoint, k));
    else if (s->pale == (round == 0))
      draw_bar (pen, series, &style, &g_array_index (s->points, OvChartPoint, k));
}

/* A reference among bars is a level that they are measured by: across all bars of its place, with
 * its figure at the end. */
static void
draw_levels (const Pen *pen, guint series, const OvSeriesStyle *style)
{
  OvChartSeries *s = ov_chart_series (pen->chart, series);
  const double half = pen->l->bar_width * pen->l->n_columns / 2 + pen->theme->marker_size;

  for (guint k = 0; k < s->points->len; k++)
    {
      const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
      g_autofree char *label = NULL;
      g_autoptr (PangoLayout) text = NULL;
      double x;
      double y;

      ov_chart_layout_map (pen->chart, pen->l, series, p, &x, &y);
      if (isnan (x) || isnan (y))
        continue;
      cairo_move_to (pen->cr, x - half, y);
      cairo_line_to (pen->cr, x + half, y);
      /* On a ground of its own, to be seen on dark bars as well. */
      cairo_set_dash (pen->cr, NULL, 0, 0);
      ov_paint_set_color (pen->cr, &pen->theme->background);
      cairo_set_line_width (pen->cr, pen_line_width (pen, series) + 2);
      cairo_stroke_preserve (pen->cr);
      ov_paint_set_dash (pen->cr, style);
      ov_paint_set_color (pen->cr, &pen->theme->text);
      cairo_set_line_width (pen->cr, pen_line_width (pen, series));
      cairo_stroke (pen->cr);
      label = format_bar_value (pen, ov_chart_layout_scale (pen->l, s), p->y);
      text = ov_text_line (pen->theme, OV_TEXT_SMALL, label, 0);
      if (s->points->len == 1)
        ov_text_show (pen->cr, text, &pen->theme->text, x + half, y - 2, 0, 1);
    }
}

static void
draw_line (const Pen *pen, guint series, const OvSeriesStyle *style)
{
  OvChartSeries *s = ov_chart_series (pen->chart, series);
  gboolean begun = FALSE;

  for (guint k = 0; k < s->points->len; k++)
    {
      double x;
      double y;

      ov_chart_layout_map (pen->chart, pen->l, series, &g_array_index (s->points, OvChartPoint, k),
                           &x, &y);
      if (isnan (x) || isnan (y))
        begun = FALSE;
      else if (begun)
        cairo_line_to (pen->cr, x, y);
      else
        {
          cairo_move_to (pen->cr, x, y);
          begun = TRUE;
        }
    }
  ov_paint_set_dash (pen->cr, style);
  ov_paint_set_color (pen->cr, &style->line);
  cairo_set_line_join (pen->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (pen->cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_width (pen->cr, pen_line_width (pen, series));
  cairo_stroke (pen->cr);
}

/* Every n-th point gets a marker, so that markers do not run into each other. */
static guint
marker_stride (const Pen *pen, const OvChartSeries *s)
{
  double room = pen->l->plot.w - 2 * pen->l->inset;
  double wanted = s->points->len * pen->theme->marker_size * 1.4;

  return (guint)MAX (1, ceil (wanted / MAX (1, room)));
}

static void
draw_markers (const Pen *pen, guint series, const OvSeriesStyle *style)
{
  OvChartSeries *s = ov_chart_series (pen->chart, series);
  guint stride = marker_stride (pen, s);
  gboolean reference = s->kind == OV_CHART_REFERENCE;

  for (guint k = 0; k < s->points->len; k++)
    {
      const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
      double x;
      double y;

      ov_chart_layout_map (pen->chart, pen->l, series, p, &x, &y);
      if (isnan (x) || isnan (y))
        continue;
      if (!isnan (p->lo) && stride < 4)
        draw_interval (pen, &style->line, x, map_value (pen, series, p->x, p->lo),
                       map_value (pen, series, p->x, p->hi), pen->theme->marker_size * 0.45);
      if (reference && s->points->len > 1)
        continue;
      if (k % stride != 0 && k + 1 != s->points->len && p->state == OV_CHART_POINT_DONE)
        continue;
      ov_paint_marker (pen->cr, pen->theme, style, x, y,
                       pen->theme->marker_size * (reference ? 0.7 : 1),
                       p->state == OV_CHART_POINT_PARTIAL);
    }
}

static void
draw_series (const Pen *pen)
{
  OvChart *self = pen->chart;
  const OvRect *plot = &pen->l->plot;
  double slack = pen->theme->marker_size;

  cairo_save (pen->cr);
  cairo_rectangle (pen->cr, plot->x - 1, plot->y - slack - 12, plot->w + 2,
                   plot->h + slack * 1.7 + 12);
  cairo_clip (pen->cr);
  for (int round = 0; round < 3; round++)
    for (guint i = 0; i < self->series->len; i++)
      if (ov_chart_series (self, i)->visible
          && !ov_chart_series_is_line (ov_chart_series (self, i)))
        draw_bars (pen, i, round);
  /* References lie under the figures of this machine; the highlighted one lies on top. */
  for (int round = 0; round < 3; round++)
    for (guint i = 0; i < self->series->len; i++)
      {
        OvChartSeries *s = ov_chart_series (self, i);
        int turn = (int)i == self->highlight ? 2 : s->kind == OV_CHART_REFERENCE ? 0 : 1;
        OvSeriesStyle style;

        if (!s->visible || !ov_chart_series_is_line (s) || turn != round)
          continue;
        pen_style (pen, i, &style);
        if (s->kind == OV_CHART_REFERENCE && pen->l->n_columns > 0)
          {
            draw_levels (pen, i, &style);
            continue;
          }
        draw_line (pen, i, &style);
        draw_markers (pen, i, &style);
      }
  cairo_restore (pen->cr);
}

/* A thin line leads to a name that does not stand beside its end. */
static void
draw_leader (const Pen *pen, const OvChartName *n, const OvSeriesStyle *style)
{
  double edge = pen->l->plot.x + pen->l->plot.w - pen->l->inset;
  double y = n->y + n->h / 2;
  double x = n->end_x + pen->theme->marker_size * 0.8;
  gboolean early = n->end_x < edge - 4;
  const double dots[] = { 1, 3 };

  if (!early && fabs (y - n->end_y) <= 3)
    return;
  ov_paint_set_color_alpha (pen->cr, &style->line, 0.7);
  ov_paint_set_dash (pen->cr, NULL);
  cairo_set_line_width (pen->cr, 0.8);
  if (early)
    {
      cairo_set_dash (pen->cr, dots, 2, 0);
      cairo_move_to (pen->cr, x, n->end_y);
      x = MAX (x, edge);
      cairo_line_to (pen->cr, x, n->end_y);
    }
  else
    cairo_move_to (pen->cr, x, n->end_y);
  cairo_line_to (pen->cr, n->x - 2, y);
  cairo_stroke (pen->cr);
}

static void
draw_names (const Pen *pen)
{
  const OvChartLayout *l = pen->l;
  double right = l->plot.x + l->plot.w;

  for (guint i = 0; i < l->names->len; i++)
    {
      const OvChartName *n = &g_array_index (l->names, OvChartName, i);
      OvSeriesStyle style;

      pen_style (pen, n->series, &style);
      if (n->x >= right)
        draw_leader (pen, n, &style);
      else
        {
          /* Nothing but the grid is below a name in the plot. */
          ov_paint_set_color (pen->cr, &pen->theme->background);
          cairo_rectangle (pen->cr, n->x - 2, n->y, n->w + 4, n->h);
          cairo_fill (pen->cr);
        }
      ov_text_show (pen->cr, n->text, &style.text, n->x, n->y, 0, 0);
    }
}

static void
draw_legend (const Pen *pen)
{
  const OvChartLayout *l = pen->l;

  for (guint i = 0; i < l->legend->len; i++)
    {
      const OvChartName *n = &g_array_index (l->legend, OvChartName, i);
      gboolean line = ov_chart_series_is_line (ov_chart_series (pen->chart, n->series));
      double key = line ? l->key_width : pen->theme->label_size;
      OvSeriesStyle style;

      pen_style (pen, n->series, &style);
      if (!line)
        ov_paint_bar_key (pen->cr, pen->theme, &style, n->x, n->y, key, n->h);
      else if (ov_chart_series (pen->chart, n->series)->kind == OV_CHART_REFERENCE)
        {
          ov_paint_set_color (pen->cr, &style.line);
          ov_paint_set_dash (pen->cr, &style);
          cairo_set_line_width (pen->cr, pen->theme->line_width * 0.75);
          cairo_move_to (pen->cr, n->x, n->y + n->h / 2);
          cairo_line_to (pen->cr, n->x + key, n->y + n->h / 2);
          cairo_stroke (pen->cr);
        }
      else
        ov_paint_line_key (pen->cr, pen->theme, &style, n->x, n->y, key, n->h);
      ov_text_show (pen->cr, n->text, &pen->theme->text, n->x + key + 6, n->y + n->h / 2, 0, 0.5);
    }
  if (l->more != NULL)
    ov_text_show (pen->cr, l->more, &pen->theme->dim_text, l->more_x, l->more_y, 0, 0);
}

/* A ring around the point, a line down to the axis, and its figures in a box beside it. */
static void
draw_cursor (const Pen *pen)
{
  OvChart *self = pen->chart;
  const OvRect *plot = &pen->l->plot;
  OvChartSeries *s;
  OvSeriesStyle style;
  g_autofree char *label = NULL;
  g_autoptr (PangoLayout) text = NULL;
  double x, y, w, h, left, top;

  s = ov_chart_series (self, self->cursor.series);
  if (self->cursor.point >= s->points->len || !s->visible)
    return;
  ov_chart_layout_map (self, pen->l, self->cursor.series,
                       &g_array_index (s->points, OvChartPoint, self->cursor.point), &x, &y);
  if (isnan (x) || isnan (y))
    return;
  ov_chart_series_style (self, self->cursor.series, pen->theme, &style);
  ov_paint_set_dash (pen->cr, NULL);
  cairo_set_line_width (pen->cr, 1);
  ov_paint_set_color (pen->cr, &pen->theme->axis);
  ov_paint_vline (pen->cr, x, y + pen->theme->marker_size, plot->y + plot->h);
  cairo_stroke (pen->cr);
  ov_paint_set_color (pen->cr, &style.line);
  cairo_set_line_width (pen->cr, 1.6);
  cairo_arc (pen->cr, x, y, pen->theme->marker_size, 0, 2 * G_PI);
  cairo_stroke (pen->cr);

  label = ov_chart_describe_hit (self, &self->cursor);
  text = ov_text_line (pen->theme, OV_TEXT_LABEL, label, MAX (60, pen->l->width - 24));
  ov_text_get_size (text, &w, &h);
  left = CLAMP (x - w / 2, 8, MAX (8, pen->l->width - w - 8));
  top = y - pen->theme->marker_size - 10 - h;
  if (top < plot->y)
    top = MIN (y + pen->theme->marker_size + 10, pen->l->height - h - 4);
  cairo_rectangle (pen->cr, left - 6, top - 3, w + 12, h + 6);
  ov_paint_set_color (pen->cr, &pen->theme->background);
  cairo_fill_preserve (pen->cr);
  cairo_set_line_width (pen->cr, 1);
  ov_paint_set_color (pen->cr, &style.line);
  cairo_stroke (pen->cr);
  ov_text_show (pen->cr, text, &pen->theme->text, left, top, 0, 0);
}

static gboolean
has_figures (OvChart *self)
{
  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);

      for (guint k = 0; s->visible && k < s->points->len; k++)
        if (!isnan (g_array_index (s->points, OvChartPoint, k).y))
          return TRUE;
    }
  return FALSE;
}

void
ov_chart_draw (OvChart *self, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  Pen pen = { self, NULL, theme, cr };

  g_return_if_fail (OV_IS_CHART (self) && cr != NULL && theme != NULL);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, MAX (0, width), MAX (0, height));
  cairo_clip (cr);
  ov_paint_set_color (cr, &theme->background);
  cairo_paint (cr);
  if (width >= 24 && height >= 24)
    {
      pen.l = ov_chart_get_layout (self, width, height, theme);
      draw_header (&pen);
      draw_grid (&pen);
      draw_x_axis (&pen);
      draw_groups (&pen);
      draw_series (&pen);
      draw_legend (&pen);
      draw_names (&pen);
      if (!has_figures (self))
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (theme, OV_TEXT_LABEL, _ ("No figures yet"), width);

          ov_text_show (cr, text, &theme->dim_text, pen.l->plot.x + pen.l->plot.w / 2,
                        pen.l->plot.y + pen.l->plot.h / 2, 0.5, 0.5);
        }
      if (self->has_cursor)
        draw_cursor (&pen);
    }
  cairo_restore (cr);
}
