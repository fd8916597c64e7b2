// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Small things to paint: markers, keys, lines on whole pixels. Private to the chart library.
 *
 * Nothing here keeps anything; the source colour, dash and line width of `cr` may be changed.
 */
#pragma once

#include <cairo.h>

#include "chart/ov-theme.h"

G_BEGIN_DECLS

void ov_paint_set_color (cairo_t *cr, const OvColor *color);
void ov_paint_set_color_alpha (cairo_t *cr, const OvColor *color, double alpha);
/** Dash of the style, or a solid line for NULL. */
void ov_paint_set_dash (cairo_t *cr, const OvSeriesStyle *style);
/** Adds the outline of a marker with its centre at (x, y) to the path. All markers cover about the
 * same area; `size` is the width of the square one. */
void ov_paint_marker_path (cairo_t *cr, OvMarker marker, double x, double y, double size);
/** A marker in the colour of the style; hollow: outline in that colour, inside the background. */
void ov_paint_marker (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x,
                      double y, double size, gboolean hollow);
/** A piece of line with its marker in the box. */
void ov_paint_line_key (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x,
                        double y, double width, double height);
/** A piece of a bar in the box. */
void ov_paint_bar_key (cairo_t *cr, const OvTheme *theme, const OvSeriesStyle *style, double x,
                       double y, double width, double height);
/** Lines of one pixel that fall on whole pixels at scale 1. */
void ov_paint_hline (cairo_t *cr, double x0, double x1, double y);
void ov_paint_vline (cairo_t *cr, double x, double y0, double y1);
/** Fills the current path with thin diagonal lines over what is there; keeps the path. */
void ov_paint_hatch_preserve (cairo_t *cr, const OvColor *color, double spacing);

G_END_DECLS
