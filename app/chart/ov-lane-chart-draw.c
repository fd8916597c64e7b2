// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Paints an OvLaneChart, and finds what is under a pointer: both by the same geometry, which is
 * computed anew each time (it costs a few texts).
 */
#include "config.h"

#include <math.h>

#include "chart/ov-lane-chart-private.h"
#include "chart/ov-paint.h"
#include "chart/ov-scale.h"
#include "chart/ov-text.h"

typedef struct
{
  double left; /* of the lanes */
  double width;
  double top;
  double row; /* height of a lane */
  double title_y;
  double subtitle_x;
  gboolean title;
  gboolean axis;
  gboolean note;
  gint64 t0;
  gint64 t1;
} Geometry;

static double
keys_width (OvLaneChart *self, const OvTheme *theme)
{
  double sum = 0;

  for (guint i = 0; i < OV_LANE_N_KINDS; i++)
    {
      g_autoptr (PangoLayout) text = NULL;
      double w;

      if (self->kind_labels[i][0] == '\0')
        continue;
      text = ov_text_line (theme, OV_TEXT_LABEL, self->kind_labels[i], 0);
      ov_text_get_size (text, &w, NULL);
      sum += w + 2 * theme->label_size + 6 + 14;
    }
  return sum;
}

static Geometry
make_geometry (OvLaneChart *self, double width, double height, const OvTheme *theme)
{
  Geometry g = { 0 };
  double pad = MIN (width, height) < 260 ? 6 : 12;
  double line = ov_text_get_line_height (theme, OV_TEXT_LABEL);
  double title = ov_text_get_line_height (theme, OV_TEXT_TITLE);
  double widest = 0;
  double bottom;
  guint n = MAX (1, self->lanes->len);

  self->last_theme = theme;
  ov_lane_chart_get_range (self, &g.t0, &g.t1);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (theme, OV_TEXT_LABEL, ov_lane_chart_lane (self, i)->label, width * 0.3);
      double w;

      ov_text_get_size (text, &w, NULL);
      widest = MAX (widest, w);
    }
  g.left = floor (pad + widest + 8);
  g.width = MAX (1, floor (width - pad - 8 - g.left));
  /* Left out in this order, so that lanes keep a height of ten pixels: note, title, axis. */
  for (int frugal = 0; frugal < 4; frugal++)
    {
      g.note = self->note[0] != '\0' && frugal < 1;
      g.title = (self->title[0] != '\0' || self->subtitle[0] != '\0') && frugal < 2;
      g.axis = frugal < 3;
      g.title_y = pad * 0.75;
      g.top = g.title ? g.title_y + title + 6 : pad;
      bottom = height - pad * 0.5 - (g.note ? line + 4 : 0) - (g.axis ? line + 7 : 0)
               - (self->cursor_text[0] != '\0' && self->cursor >= 0 ? line : 0);
      g.row = MAX (1, (bottom - g.top) / n);
      if (g.row >= 10)
        break;
    }
  g.row = MIN (g.row, 40 * theme->font_scale);
  return g;
}

static double
map_x (const Geometry *g, gint64 t)
{
  return g->left + (double)(t - g->t0) / (double)(g->t1 - g->t0) * g->width;
}

static void
rounded_box (cairo_t *cr, double x, double y, double w, double h, double r)
{
  r = MIN (r, MIN (w, h) / 2);
  if (r < 1)
    {
      cairo_rectangle (cr, x, y, w, h);
      return;
    }
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static void
draw_block (cairo_t *cr, const OvTheme *theme, OvLaneKind kind, const OvSeriesStyle *style,
            double x0, double x1, double y, double h)
{
  OvColor light = ov_color_mix (&theme->background, &style->line, 0.35);

  switch (kind)
    {
    case OV_LANE_REQUEST:
      rounded_box (cr, x0 + 0.5, y + 0.5, MAX (0.5, x1 - x0 - 1), h - 1, 3);
      ov_paint_set_color (cr, &light);
      cairo_fill_preserve (cr);
      ov_paint_set_color (cr, &style->line);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      break;
    case OV_LANE_WORK:
      rounded_box (cr, x0, y, x1 - x0, h, 3);
      ov_paint_set_color (cr, &style->line);
      cairo_fill (cr);
      break;
    case OV_LANE_WAIT:
    default:
      cairo_rectangle (cr, x0, y + h / 2 - 1.5, x1 - x0, 3);
      ov_paint_set_color (cr, &light);
      cairo_fill (cr);
      break;
    }
}

static void
draw_lane (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, guint index,
           double width)
{
  const OvLane *lane = ov_lane_chart_lane (self, index);
  double y = g->top + index * g->row;
  double h = MAX (1, MIN (g->row - MIN (6, g->row * 0.25), 22 * theme->font_scale));
  double last_x[OV_LANE_N_KINDS] = { -1, -1, -1 };
  g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, lane->label, width * 0.3);

  ov_paint_hline (cr, g->left, g->left + g->width, y + g->row - 1);
  ov_paint_set_color (cr, &theme->grid);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  ov_text_show (cr, text, &theme->dim_text, g->left - 8, y + g->row / 2 - 1, 1, 0.5);
  cairo_save (cr);
  cairo_rectangle (cr, g->left, y, g->width + 1, g->row);
  cairo_clip (cr);
  y = floor (y + (g->row - h) / 2);
  for (guint i = ov_lane_first_block (lane, g->t0); i < lane->blocks->len; i++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, i);
      OvSeriesStyle style;
      double x0 = MAX (map_x (g, b->t0), g->left - 6);
      double x1 = MIN (map_x (g, b->t1), g->left + g->width + 6);

      if (b->t0 > g->t1)
        break;
      if (b->t1 < g->t0)
        continue;
      x1 = MAX (x1, x0 + 1);
      /* Thousands of blocks within one pixel are one pixel. */
      if (x1 <= last_x[b->kind] + 0.25)
        continue;
      last_x[b->kind] = x1;
      ov_theme_get_style (theme, (guint)b->style, &style);
      draw_block (cr, theme, b->kind, &style, x0, x1, y, floor (h));
    }
  cairo_restore (cr);
}

static void
draw_keys (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, double right, double baseline)
{
  OvSeriesStyle style;

  ov_theme_get_style (theme, 4, &style);
  for (guint i = OV_LANE_N_KINDS; i-- > 0;)
    {
      g_autoptr (PangoLayout) text = NULL;
      double box = 2 * theme->label_size;
      double w, h, top;

      if (self->kind_labels[i][0] == '\0')
        continue;
      text = ov_text_line (theme, OV_TEXT_LABEL, self->kind_labels[i], 0);
      ov_text_get_size (text, &w, &h);
      top = baseline - ov_text_get_baseline (text);
      ov_text_show (cr, text, &theme->dim_text, right - w, top, 0, 0);
      draw_block (cr, theme, (OvLaneKind)i, &style, right - w - 6 - box, right - w - 6, top + 2,
                  h - 4);
      right -= w + 6 + box + 14;
    }
}

static void
draw_header (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double width)
{
  double pad = g->title_y / 0.75;
  double keys = keys_width (self, theme);
  double x = pad;
  double baseline = g->title_y + theme->title_size;
  double w;

  if (self->title[0] != '\0')
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (theme, OV_TEXT_TITLE, self->title, width - 2 * pad);

      ov_text_show (cr, text, &theme->text, x, g->title_y, 0, 0);
      ov_text_get_size (text, &w, NULL);
      baseline = g->title_y + ov_text_get_baseline (text);
      x += w + 12;
    }
  if (width - pad - x - keys < 30)
    keys = 0;
  if (self->subtitle[0] != '\0' && width - pad - x - keys > 24)
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (theme, OV_TEXT_LABEL, self->subtitle, width - pad - x - keys);

      ov_text_show (cr, text, &theme->dim_text, x, baseline - ov_text_get_baseline (text), 0, 0);
    }
  if (keys > 0)
    draw_keys (self, cr, theme, width - pad, baseline);
}

/* A scale of the axis whose labels do not touch each other. */
static OvScale *
make_scale (const OvTheme *theme, const Geometry *g)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  OvScale *scale = NULL;

  for (guint n = (guint)CLAMP (g->width / 55, 2, 14); n >= 2; n--)
    {
      double widest = 0;

      ov_scale_free (scale);
      scale = ov_scale_new (axis, (double)g->t0, (double)g->t1, n, OV_SCALE_UNIT_LABELS, NULL, 0);
      for (guint i = 0; i < scale->n_ticks; i++)
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (theme, OV_TEXT_LABEL, scale->ticks[i].label, 0);
          double w;

          ov_text_get_size (text, &w, NULL);
          widest = MAX (widest, w);
        }
      if (scale->n_ticks < 2
          || (scale->ticks[1].pos - scale->ticks[0].pos) * g->width >= widest + 8)
        break;
    }
  return scale;
}

static void
draw_axis (cairo_t *cr, const OvTheme *theme, const Geometry *g, double base, double width)
{
  g_autoptr (OvScale) scale = make_scale (theme, g);

  for (guint i = 0; i < scale->n_ticks; i++)
    {
      double x = g->left + scale->ticks[i].pos * g->width;
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, scale->ticks[i].label, 0);
      double w;

      ov_paint_vline (cr, MIN (x, g->left + g->width - 1), base, base + 4);
      ov_paint_set_color (cr, &theme->axis);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      ov_text_get_size (text, &w, NULL);
      ov_text_show (cr, text, &theme->dim_text, CLAMP (x - w / 2, 2, MAX (2, width - 2 - w)),
                    base + 5, 0, 0);
    }
}

static void
draw_cursor (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double base,
             double width)
{
  double x = map_x (g, self->cursor);
  double text_y = base + (g->axis ? ov_text_get_line_height (theme, OV_TEXT_LABEL) + 6 : 2);

  if (self->cursor < g->t0 || self->cursor > g->t1)
    return;
  ov_paint_vline (cr, x, g->top, base + 4);
  ov_paint_set_color (cr, &theme->accent);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  if (self->cursor_text[0] != '\0')
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (theme, OV_TEXT_SMALL, self->cursor_text, width - 12);
      double w;

      ov_text_get_size (text, &w, NULL);
      ov_text_show (cr, text, &theme->accent, CLAMP (x - w / 2, 6, MAX (6, width - 6 - w)), text_y,
                    0, 0);
    }
}

void
ov_lane_chart_draw (OvLaneChart *self, cairo_t *cr, double width, double height,
                    const OvTheme *theme)
{
  Geometry g;
  double base;

  g_return_if_fail (OV_IS_LANE_CHART (self) && cr != NULL && theme != NULL);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, MAX (0, width), MAX (0, height));
  cairo_clip (cr);
  ov_paint_set_color (cr, &theme->background);
  cairo_paint (cr);
  ov_paint_set_dash (cr, NULL);
  if (width >= 24 && height >= 24)
    {
      g = make_geometry (self, width, height, theme);
      base = g.top + g.row * MAX (1, self->lanes->len);
      if (g.title)
        draw_header (self, cr, theme, &g, width);
      for (guint i = 0; i < self->lanes->len; i++)
        draw_lane (self, cr, theme, &g, i, width);
      if (g.axis)
        draw_axis (cr, theme, &g, base, width);
      if (g.note)
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (theme, OV_TEXT_SMALL, self->note, width - 24);

          ov_text_show (cr, text, &theme->dim_text, g.title_y / 0.75, height - g.title_y, 0, 1);
        }
      if (self->cursor >= 0)
        draw_cursor (self, cr, theme, &g, base, width);
    }
  cairo_restore (cr);
}

gboolean
ov_lane_chart_pick (OvLaneChart *self, double width, double height, double x, double y,
                    OvLaneHit *out)
{
  Geometry g;
  const OvLane *lane;
  double nearest = 3;
  gboolean found = FALSE;
  guint index;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && out != NULL, FALSE);

  if (width < 24 || height < 24)
    return FALSE;
  g = make_geometry (self, width, height,
                     self->last_theme != NULL ? self->last_theme
                                              : ov_theme_get (OV_THEME_LIGHT, 1));
  if (x < g.left - 3 || x > g.left + g.width + 3 || y < g.top)
    return FALSE;
  index = (guint)((y - g.top) / g.row);
  if (index >= self->lanes->len)
    return FALSE;
  lane = ov_lane_chart_lane (self, index);
  for (guint i = ov_lane_first_block (lane, g.t0); i < lane->blocks->len; i++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, i);
      double d = MAX (0, MAX (map_x (&g, b->t0) - x, x - map_x (&g, b->t1)));

      if (b->t0 > g.t1)
        break;
      if (d > nearest || b->t1 < g.t0)
        continue;
      nearest = d;
      found = TRUE;
      *out = (OvLaneHit){ index, b->kind, b->number, b->t0, b->t1 };
    }
  return found;
}
