// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Paints an OvLaneChart, and finds what is under a pointer: both by the same geometry, which is
 * computed anew each time (it costs two texts). Blocks are boxes: some hundred thousand of them are
 * painted into pixels in a millisecond or two, and narrow ones become shades.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/ov-lane-chart-private.h"
#include "chart/ov-paint.h"
#include "chart/ov-raster.h"
#include "chart/ov-scale.h"
#include "chart/ov-text.h"

/* Narrower blocks than this are not drawn one by one: they shade the columns that they touch. */
#define NARROW 1.5
/* A gap is marked from so many pixels on. */
#define LEAST_GAP 3

typedef struct
{
  double left; /* of the lanes */
  double width;
  double top;
  double row;       /* height of a lane */
  guint label_step; /* each so many lanes have their name */
  double title_y;
  gboolean title;
  gboolean axis;
  gboolean status; /* the line below the axis: counts, or what is under the cursor */
  gboolean note;
  gint64 t0;
  gint64 t1;
} Geometry;

/* Where blocks are painted: into pixels, or by cairo. */
typedef struct
{
  cairo_t *cr;
  OvRaster *raster; /* or NULL */
  double scale;     /* pixels of the raster for each unit */
  const OvTheme *theme;
} Ink;

static double
keys_width (OvLaneChart *self, const OvTheme *theme)
{
  double sum = 0;

  for (guint i = 0; i < OV_LANE_N_KINDS; i++)
    {
      g_autoptr (PangoLayout) text = NULL;
      double w;

      if (self->kind_labels[i][0] == '\0' || (self->kinds & (1u << i)) == 0)
        continue;
      text = ov_text_line (theme, OV_TEXT_LABEL, self->kind_labels[i], 0);
      ov_text_get_size (text, &w, NULL);
      sum += w + 2 * theme->label_size + 6 + 14;
    }
  return sum;
}

/* Width of the widest name of a lane, which only changes with the lanes. */
static double
label_width (OvLaneChart *self, const OvTheme *theme, double most)
{
  if (self->label_theme != theme)
    {
      self->label_width = 0;
      self->label_theme = theme;
      for (guint i = 0; i < self->lanes->len; i++)
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (theme, OV_TEXT_LABEL, ov_lane_chart_lane (self, i)->label, 0);
          double w;

          ov_text_get_size (text, &w, NULL);
          self->label_width = MAX (self->label_width, w);
        }
    }
  return MIN (self->label_width, most);
}

static Geometry
make_geometry (OvLaneChart *self, double width, double height, const OvTheme *theme)
{
  Geometry g = { 0 };
  double pad = width < 260 || height < 100 ? 6 : 12;
  double line = ov_text_get_line_height (theme, OV_TEXT_LABEL);
  double title = ov_text_get_line_height (theme, OV_TEXT_TITLE);
  double bottom;
  guint n = MAX (1, self->lanes->len);

  self->last_theme = theme;
  ov_lane_chart_get_range (self, &g.t0, &g.t1);
  g.left = floor (pad + label_width (self, theme, width * 0.3) + 8);
  g.width = MAX (1, floor (width - pad - 8 - g.left));
  /* Left out in this order, so that lanes keep a height of ten pixels: note, title, status, axis.
   */
  for (int frugal = 0; frugal < 5; frugal++)
    {
      g.note = self->note[0] != '\0' && frugal < 1;
      g.title = (self->title[0] != '\0' || self->subtitle[0] != '\0') && frugal < 2;
      g.status = frugal < 3;
      g.axis = frugal < 4;
      g.title_y = pad * 0.75;
      g.top = g.title ? g.title_y + title + 6 : pad;
      bottom = height - pad * 0.5 - (g.note ? line + 4 : 0) - (g.axis ? line + 7 : 0)
               - (g.status ? line : 0);
      g.row = MAX (0.01, (bottom - g.top) / n);
      /* With many lanes it is the lanes that have to be thin. */
      if (g.row >= 10 || (g.row * n >= 160 && frugal >= 1))
        break;
    }
  g.row = MIN (g.row, 40 * theme->font_scale);
  g.label_step = (guint)MAX (1, ceil (line / g.row));
  return g;
}

static double
map_x (const Geometry *g, gint64 t)
{
  return g->left + (double)(t - g->t0) / (double)(g->t1 - g->t0) * g->width;
}

static void
ink_box (const Ink *ink, double x0, double y0, double x1, double y1, const OvColor *color)
{
  if (ink->raster != NULL)
    {
      ov_raster_box (ink->raster, x0 * ink->scale, y0 * ink->scale, x1 * ink->scale,
                     y1 * ink->scale, color);
      return;
    }
  ov_paint_set_color (ink->cr, color);
  cairo_rectangle (ink->cr, x0, y0, x1 - x0, y1 - y0);
  cairo_fill (ink->cr);
}

/* A box in one colour with an edge of one pixel in another. */
static void
ink_outlined (const Ink *ink, double x0, double y0, double x1, double y1, const OvColor *edge,
              const OvColor *inside)
{
  ink_box (ink, x0, y0, x1, y1, edge);
  if (x1 - x0 > 2 && y1 - y0 > 2)
    ink_box (ink, x0 + 1, y0 + 1, x1 - 1, y1 - 1, inside);
}

/* The colour of a kind in a place that is full of it. */
static OvColor
kind_color (const OvTheme *theme, OvLaneKind kind, const OvSeriesStyle *style)
{
  switch (kind)
    {
    case OV_LANE_WORK:
      return style->line;
    case OV_LANE_SUBMIT:
      return ov_color_mix (&theme->background, &style->line, 0.62);
    case OV_LANE_BROKEN:
      return ov_color_mix (&theme->background, &theme->accent, 0.6);
    case OV_LANE_REQUEST:
    case OV_LANE_WAIT:
    default:
      return ov_color_mix (&theme->background, &style->line, 0.3);
    }
}

static void
draw_block (const Ink *ink, OvLaneKind kind, const OvSeriesStyle *style, double x0, double x1,
            double y, double h)
{
  OvColor color = kind_color (ink->theme, kind, style);
  double band = MAX (1, floor (h * 0.28));

  switch (kind)
    {
    case OV_LANE_REQUEST:
      ink_outlined (ink, x0, y, x1, y + h, &style->line, &color);
      break;
    case OV_LANE_SUBMIT: /* a full edge above and below tells it without colour */
      ink_box (ink, x0, y, x1, y + h, &style->line);
      if (h > 2 * band)
        ink_box (ink, x0, y + band, x1, y + h - band, &color);
      break;
    case OV_LANE_BROKEN:
      ink_outlined (ink, x0, y, x1, y + h, &ink->theme->accent, &ink->theme->background);
      ink_box (ink, x0, y + h / 2 - 1, x1, y + h / 2 + 1, &ink->theme->accent);
      break;
    case OV_LANE_WAIT:
      ink_box (ink, x0, y + h / 2 - 1.5, x1, y + h / 2 + 1.5, &color);
      break;
    case OV_LANE_WORK:
    default:
      ink_box (ink, x0, y, x1, y + h, &color);
      break;
    }
}

/* What narrow blocks cover of each column, for each kind; and the columns that have something. */
typedef struct
{
  float *part; /* OV_LANE_N_KINDS for each column */
  int n;
  int first;
  int last;
  int style[OV_LANE_N_KINDS];
} Shade;

static void
shade_add (Shade *shade, OvLaneKind kind, double x0, double x1)
{
  int from = (int)CLAMP (floor (x0), 0, shade->n - 1);
  int to = (int)CLAMP (floor (x1), 0, shade->n - 1);

  for (int c = from; c <= to; c++)
    shade->part[c * OV_LANE_N_KINDS + (int)kind]
        += (float)MAX (0, MIN (x1, c + 1.0) - MAX (x0, (double)c));
  shade->first = MIN (shade->first, from);
  shade->last = MAX (shade->last, to);
}

/* Each column in the mean of its colours, then forgets them. */
static void
shade_paint (Shade *shade, const Ink *ink, double left, double y, double h)
{
  OvColor colors[OV_LANE_N_KINDS];

  for (int k = 0; k < OV_LANE_N_KINDS; k++)
    {
      OvSeriesStyle style;

      ov_theme_get_style (ink->theme, (guint)shade->style[k], &style);
      colors[k] = kind_color (ink->theme, (OvLaneKind)k, &style);
    }
  for (int c = shade->first; c <= shade->last; c++)
    {
      float *part = &shade->part[c * OV_LANE_N_KINDS];
      OvColor mean = ink->theme->background;
      double sum = 0;

      for (int k = 0; k < OV_LANE_N_KINDS; k++)
        sum += k == OV_LANE_WAIT ? 0 : part[k];
      for (int k = 0; k < OV_LANE_N_KINDS; k++)
        if (part[k] > 0 && k != OV_LANE_WAIT)
          {
            double share = part[k] / MAX (sum, 1);

            mean.r += share * (colors[k].r - ink->theme->background.r);
            mean.g += share * (colors[k].g - ink->theme->background.g);
            mean.b += share * (colors[k].b - ink->theme->background.b);
          }
      if (sum > 0.004)
        ink_box (ink, left + c, y, left + c + 1, y + h, &mean);
      memset (part, 0, OV_LANE_N_KINDS * sizeof *part);
    }
  shade->first = shade->n;
  shade->last = -1;
}

static void
draw_lane (OvLaneChart *self, const Ink *ink, const Geometry *g, guint index, Shade *shade)
{
  const OvLane *lane = ov_lane_chart_lane (self, index);
  const OvTheme *theme = ink->theme;
  double h = MAX (1, MIN (g->row - MIN (6, g->row * 0.25), 22 * theme->font_scale));
  double y = g->top + index * g->row;
  double right = g->left + g->width;
  double busy_until = NAN; /* in pixels */
  OvColor idle = ov_color_mix (&theme->background, &theme->axis, 0.75);
  double middle;

  h = g->row >= 4 ? floor (h) : h;
  y = g->row >= 4 ? floor (y + (g->row - h) / 2) : y;
  middle = floor (y + h / 2);
  for (guint i = ov_lane_first_block (lane, g->t0); i < lane->blocks->len; i++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, i);
      double x0 = map_x (g, b->t0);
      double x1 = map_x (g, b->t1);
      gboolean narrow = x1 - x0 < NARROW;

      if (b->t0 > g->t1)
        {
          if (self->mark_idle && busy_until < right - LEAST_GAP)
            ink_box (ink, busy_until + 1, middle, right, middle + 1, &idle);
          break;
        }
      if (b->t1 >= g->t0)
        {
          x0 = MAX (x0, g->left - 6);
          x1 = MIN (x1, right + 6);
          if (self->mark_idle && x0 > MAX (busy_until, g->left) + LEAST_GAP)
            ink_box (ink, MAX (busy_until, g->left) + 1, middle, MIN (x0, right) - 1, middle + 1,
                     &idle);
          shade->style[b->kind] = b->style;
          if (narrow)
            shade_add (shade, (OvLaneKind)b->kind, x0 - g->left, x1 - g->left);
          else
            {
              OvSeriesStyle style;

              ov_theme_get_style (theme, b->style, &style);
              draw_block (ink, (OvLaneKind)b->kind, &style, x0, x1, y, h);
            }
        }
      busy_until = isnan (busy_until) ? x1 : MAX (busy_until, x1);
    }
  shade_paint (shade, ink, g->left, y, h);
}

static void
draw_names (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double width)
{
  ov_paint_set_color (cr, &theme->grid);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      double y = g->top + i * g->row;
      g_autoptr (PangoLayout) text = NULL;

      if (g->row >= 8)
        {
          ov_paint_set_color (cr, &theme->grid);
          ov_paint_hline (cr, g->left, g->left + g->width, y + g->row - 1);
          cairo_stroke (cr);
        }
      /* The last lane has another meaning: it always has its name. */
      if (i + 1 < self->lanes->len
          && (i % g->label_step != 0 || i + g->label_step >= self->lanes->len) && g->label_step > 1)
        continue;
      text = ov_text_line (theme, OV_TEXT_LABEL, ov_lane_chart_lane (self, i)->label, width * 0.3);
      /* What tells two of a family from each other stands at the end. */
      if (pango_layout_is_ellipsized (text))
        pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_MIDDLE);
      ov_text_show (cr, text, &theme->dim_text, g->left - 8, y + g->row / 2 - 1, 1, 0.5);
    }
}

/* In the order in which things happen. */
static const OvLaneKind key_order[OV_LANE_N_KINDS]
    = { OV_LANE_SUBMIT, OV_LANE_REQUEST, OV_LANE_WAIT, OV_LANE_WORK, OV_LANE_BROKEN };

static void
draw_keys (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, double right, double baseline)
{
  Ink ink = { cr, NULL, 1, theme };
  OvSeriesStyle style;

  ov_theme_get_style (theme, 4, &style);
  for (guint i = OV_LANE_N_KINDS; i-- > 0;)
    {
      OvLaneKind kind = key_order[i];
      g_autoptr (PangoLayout) text = NULL;
      double box = 2 * theme->label_size;
      double w, h, top;

      if (self->kind_labels[kind][0] == '\0' || (self->kinds & (1u << kind)) == 0)
        continue;
      text = ov_text_line (theme, OV_TEXT_LABEL, self->kind_labels[kind], 0);
      ov_text_get_size (text, &w, &h);
      top = baseline - ov_text_get_baseline (text);
      ov_text_show (cr, text, &theme->dim_text, right - w, top, 0, 0);
      draw_block (&ink, kind, &style, floor (right - w - 6 - box), floor (right - w - 6),
                  floor (top + 2), floor (h - 4));
      right -= w + 6 + box + 14;
    }
}

static void
draw_header (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double width)
{
  double pad = g->title_y / 0.75;
  double right = width - pad;
  double keys = keys_width (self, theme);
  double x = pad;
  double baseline = g->title_y + theme->title_size;
  double w;

  if (self->title[0] != '\0')
    {
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_TITLE, self->title, right - pad);

      ov_text_show (cr, text, &theme->text, x, g->title_y, 0, 0);
      ov_text_get_size (text, &w, NULL);
      baseline = g->title_y + ov_text_get_baseline (text);
      x += w + 12;
    }
  if (right - x - keys < 30)
    keys = 0;
  if (self->subtitle[0] != '\0' && right - x - keys > 24)
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (theme, OV_TEXT_LABEL, self->subtitle, right - x - keys);

      ov_text_show (cr, text, &theme->dim_text, x, baseline - ov_text_get_baseline (text), 0, 0);
    }
  if (keys > 0)
    draw_keys (self, cr, theme, right, baseline);
}

/* A scale of the axis whose labels do not touch each other. */
static OvScale *
make_scale (const OvTheme *theme, const Geometry *g, gboolean relative)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  OvScale *scale = NULL;

  for (guint n = (guint)CLAMP (g->width / 55, 2, 14); n >= 2; n--)
    {
      double widest = 0;

      ov_scale_free (scale);
      if (relative)
        scale = ov_scale_new (axis, (double)(g->t0 - g->t1), 0, n, OV_SCALE_UNIT_LABELS, NULL, 0);
      else
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
draw_axis (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double base,
           double width)
{
  g_autoptr (OvScale) scale = make_scale (theme, g, self->relative);

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

/* The line below the axis: what the cursor is on, or how many requests are in view. */
static void
draw_status (OvLaneChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g, double base,
             double width)
{
  gboolean cursor = self->cursor >= g->t0 && self->cursor <= g->t1;
  double x = map_x (g, self->cursor);
  double y = base + (g->axis ? ov_text_get_line_height (theme, OV_TEXT_LABEL) + 6 : 2);
  g_autofree char *counts = NULL;
  g_autoptr (PangoLayout) text = NULL;
  double w;

  if (cursor)
    {
      ov_paint_vline (cr, x, g->top, base + 4);
      ov_paint_set_color (cr, &theme->accent);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  if (!g->status)
    return;
  if (cursor && self->cursor_text[0] != '\0')
    {
      text = ov_text_line (theme, OV_TEXT_SMALL, self->cursor_text, width - 12);
      ov_text_get_size (text, &w, NULL);
      ov_text_show (cr, text, &theme->accent, CLAMP (x - w / 2, 6, MAX (6, width - 6 - w)), y, 0,
                    0);
      return;
    }
  if (self->kinds == 0)
    return;
  counts = ov_lane_chart_format_counts (self, (guint)g->width);
  text = ov_text_line (theme, OV_TEXT_SMALL, counts, width - 12);
  ov_text_get_size (text, &w, NULL);
  ov_text_show (cr, text, &theme->dim_text, MIN (g->left, MAX (6, width - 6 - w)), y, 0, 0);
}

void
ov_lane_chart_draw_back (OvLaneChart *self, cairo_t *cr, double width, double height,
                         const OvTheme *theme)
{
  Geometry g;

  ov_paint_set_color (cr, &theme->background);
  cairo_paint (cr);
  ov_paint_set_dash (cr, NULL);
  if (width < 24 || height < 24)
    return;
  g = make_geometry (self, width, height, theme);
  if (g.title)
    draw_header (self, cr, theme, &g, width);
  draw_names (self, cr, theme, &g, width);
  if (g.axis)
    draw_axis (self, cr, theme, &g, g.top + g.row * MAX (1, self->lanes->len), width);
  if (g.note)
    {
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_SMALL, self->note, width - 24);

      ov_text_show (cr, text, &theme->dim_text, g.title_y / 0.75, height - g.title_y, 0, 1);
    }
}

static void
draw_lanes (OvLaneChart *self, const Ink *ink, const Geometry *g)
{
  int columns = (int)g->width + 1;
  Shade shade = { g_new0 (float, (gsize)columns *OV_LANE_N_KINDS), columns, columns, -1, { 0 } };

  for (guint i = 0; i < self->lanes->len; i++)
    draw_lane (self, ink, g, i, &shade);
  g_free (shade.part);
}

void
ov_lane_chart_draw_front (OvLaneChart *self, cairo_t *cr, double width, double height,
                          const OvTheme *theme, cairo_surface_t *pixels, double scale)
{
  Geometry g;
  double base;

  if (width < 24 || height < 24)
    return;
  g = make_geometry (self, width, height, theme);
  base = g.top + g.row * MAX (1, self->lanes->len);
  if (pixels != NULL)
    {
      OvRaster raster;
      Ink ink = { cr, &raster, scale, theme };

      cairo_surface_flush (pixels);
      ov_raster_init (&raster, pixels);
      ov_raster_set_clip (&raster, g.left * scale, g.top * scale, (g.left + g.width + 1) * scale,
                          base * scale);
      draw_lanes (self, &ink, &g);
      ov_raster_clear (&raster);
      cairo_surface_mark_dirty (pixels);
    }
  else
    {
      Ink ink = { cr, NULL, 1, theme };

      cairo_save (cr);
      cairo_rectangle (cr, g.left, g.top, g.width + 1, MAX (0, base - g.top));
      cairo_clip (cr);
      draw_lanes (self, &ink, &g);
      cairo_restore (cr);
    }
  draw_status (self, cr, theme, &g, base, width);
}

void
ov_lane_chart_draw (OvLaneChart *self, cairo_t *cr, double width, double height,
                    const OvTheme *theme)
{
  g_return_if_fail (OV_IS_LANE_CHART (self) && cr != NULL && theme != NULL);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, MAX (0, width), MAX (0, height));
  cairo_clip (cr);
  ov_lane_chart_draw_back (self, cr, width, height, theme);
  ov_lane_chart_draw_front (self, cr, width, height, theme, NULL, 1);
  cairo_restore (cr);
}

gboolean
ov_lane_chart_pick_time (OvLaneChart *self, double width, double height, double x, gint64 *t_ns)
{
  Geometry g;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && t_ns != NULL, FALSE);

  if (width < 24 || height < 24)
    return FALSE;
  g = make_geometry (self, width, height,
                     self->last_theme != NULL ? self->last_theme
                                              : ov_theme_get (OV_THEME_LIGHT, 1));
  if (x < g.left || x > g.left + g.width)
    return FALSE;
  *t_ns = g.t0 + (gint64)((x - g.left) / g.width * (double)(g.t1 - g.t0));
  return TRUE;
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
      *out = (OvLaneHit){ index, (OvLaneKind)b->kind, b->number, b->t0, b->t1 };
    }
  return found;
}
