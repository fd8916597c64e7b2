// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Small things to paint. Stateless.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-paint.h"

void
ov_paint_set_color (cairo_t *cr, const OvColor *color)
{
  cairo_set_source_rgb (cr, color->r, color->g, color->b);
}

void
ov_paint_set_color_alpha (cairo_t *cr, const OvColor *color, double alpha)
{
  cairo_set_source_rgba (cr, color->r, color->g, color->b, alpha);
}

void
ov_paint_set_dash (cairo_t *cr, const OvSeriesStyle *style)
{
  if (style == NULL)
    cairo_set_dash (cr, NULL, 0, 0);
  else
    cairo_set_dash (cr, style->dashes, (int)style->n_dashes, 0);
}

/* A star or polygon of n points, the first at `turn` (radians, 0 is right, clockwise). */
static void
polygon (cairo_t *cr, double x, double y, guint n, double outer, double inner, double turn)
{
  guint corners = inner > 0 ? n * 2 : n;

  for (guint i = 0; i < corners; i++)
    {
      double r = inner > 0 && i % 2 == 1 ? inner : outer;
      double a = turn + 2 * G_PI * i / corners;

      if (i == 0)
        cairo_move_to (cr, x + r * cos (a), y + r * sin (a));
      else
        cairo_line_to (cr, x + r * cos (a), y + r * sin (a));
    }
  cairo_close_path (cr);
}

/* An upright or turned cross with arms of half width w. */
static void
cross (cairo_t *cr, double x, double y, double r, double w, double turn)
{
  const double corners[12][2]
      = { { -w, -r }, { w, -r }, { w, -w }, { r, -w }, { r, w },   { w, w },
          { w, r },   { -w, r }, { -w, w }, { -r, w }, { -r, -w }, { -w, -w } };
  double c = cos (turn);
  double s = sin (turn);

  for (guint i = 0; i < 12; i++)
    {
      double px = x + corners[i][0] * c - corners[i][1] * s;
      double py = y + corners[i][0] * s + corners[i][1] * c;

      if (i == 0)
        cairo_move_to (cr, px, py);
      else
        cairo_line_to (cr, px, py);
    }
  cairo_close_path (cr);
}

void
ov_paint_marker_path (cairo_t *cr, OvMarker marker, double x, double y, double size)
{
  double h = size / 2;

  cairo_new_sub_path (cr);
  switch (marker)
    {
    case OV_MARKER_CIRCLE:
      cairo_arc (cr, x, y, h * 1.1, 0, 2 * G_PI);
      cairo_close_path (cr);
      break;
    case OV_MARKER_SQUARE:
      cairo_rectangle (cr, x - h, y - h, size, size);
      break;
    case OV_MARKER_DIAMOND:
      polygon (cr, x, y, 4, h * 1.4, 0, 0);
      break;
    case OV_MARKER_TRIANGLE_UP:
      polygon (cr, x, y + h * 0.2, 3, h * 1.45, 0, -G_PI / 2);
      break;
    case OV_MARKER_TRIANGLE_DOWN:
      polygon (cr, x, y - h * 0.2, 3, h * 1.45, 0, G_PI / 2);
      break;
    case OV_MARKER_TRIANGLE_LEFT:
      polygon (cr, x + h * 0.2, y, 3, h * 1.45, 0, G_PI);
      break;
    case OV_MARKER_TRIANGLE_RIGHT:
      polygon (cr, x - h * 0.2, y, 3, h * 1.45, 0, 0);
      break;
    case OV_MARKER_PLUS:
      cross (cr, x, y, h * 1.3, h * 0.42, 0);
      break;
    case OV_MARKER_CROSS:
      cross (cr, x, y, h * 1.4, h * 0.42, G_PI / 4);
      break;
    case OV_MARKER_STAR:
      polygon (cr, x, y, 5, h * 1.6, h * 0.68, -G_PI / 2);
      break;
    case OV_MARKER_PENTAGON:
      polygon (cr, x, y, 5, h * 1.25, 0, -G_PI / 2);
      break;
    case OV_MARKER_HOURGLASS:
      cairo_move_to (cr, x - h, y - h * 1.2);
      cairo_line_to (cr, x + h, y - h * 1.2);
      cairo_line_to (cr, x - h, y + h * 1.2);
      cairo_line_to (cr, x + h, y + h * 1.2);
      cairo_close_path (cr);
      break;
    default:
      g_assert_not_reached ();
    }
}

void
ov_paint_marker (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x, double y,
                 double size, gboolean hollow)
{
  ov_paint_set_dash (cr, NULL);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  ov_paint_marker_path (cr, style->marker, x, y, size);
  if (hollow)
    {
      ov_paint_set_color (cr, &theme->background);
      cairo_fill_preserve (cr);
      ov_paint_set_color (cr, &style->line);
      cairo_set_line_width (cr, theme->line_width * 0.8);
      cairo_stroke (cr);
    }
  else
    {
      ov_paint_set_color (cr, &style->line);
      cairo_fill (cr);
    }
}

void
ov_paint_line_key (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x,
                   double y, double width, double height)
{
  double middle = y + height / 2;

  ov_paint_set_color (cr, &style->line);
  ov_paint_set_dash (cr, style);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_width (cr, theme->line_width);
  cairo_move_to (cr, x, middle);
  cairo_line_to (cr, x + width, middle);
  cairo_stroke (cr);
  ov_paint_marker (cr, theme, style, x + width / 2, middle, MIN (theme->marker_size, height),
                   FALSE);
}

void
ov_paint_bar_key (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x, double y,
                  double width, double height)
{
  double side = MIN (MIN (width, height), theme->label_size * 0.9);

  ov_paint_set_dash (cr, NULL);
  ov_paint_set_color (cr, &style->line);
  cairo_rectangle (cr, x + (width - side) / 2, y + (height - side) / 2, side, side);
  cairo_fill (cr);
}

void
ov_paint_hline (cairo_t *cr, double x0, double x1, double y)
{
  cairo_move_to (cr, floor (x0), floor (y) + 0.5);
  cairo_line_to (cr, ceil (x1), floor (y) + 0.5);
}

void
ov_paint_vline (cairo_t *cr, double x, double y0, double y1)
{
  cairo_move_to (cr, floor (x) + 0.5, floor (y0));
  cairo_line_to (cr, floor (x) + 0.5, ceil (y1));
}

void
ov_paint_hatch_preserve (cairo_t *cr, const OvColor *color, double spacing)
{
  cairo_path_t *path = cairo_copy_path (cr);
  double x0, y0, x1, y1;
  double tall;

  cairo_path_extents (cr, &x0, &y0, &x1, &y1);
  cairo_save (cr);
  cairo_clip (cr);
  ov_paint_set_color (cr, color);
  ov_paint_set_dash (cr, NULL);
  cairo_set_line_width (cr, 1);
  tall = y1 - y0;
  /* Multiples of the spacing in the user space, so that neighbours' lines meet. */
  for (double x = floor ((x0 - tall) / spacing) * spacing; x < x1; x += spacing)
    {
      cairo_move_to (cr, x, y1);
      cairo_line_to (cr, x + tall, y0);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
  cairo_new_path (cr);
  cairo_append_path (cr, path);
  cairo_path_destroy (path);
}
