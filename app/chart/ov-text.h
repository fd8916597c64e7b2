// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Text by Pango: the system's "Sans" in the sizes of a theme, so that any script can be written.
 * Private to the chart library.
 *
 * Layouts are measured without a cairo context and give the same sizes for a screen, PNG, SVG and
 * PDF: no hinting of metrics, sizes in pixels of the user space.
 */
#pragma once

#include <pango/pangocairo.h>

#include "chart/ov-theme.h"

G_BEGIN_DECLS

typedef enum
{
  OV_TEXT_LABEL,           /* tick labels, names */
  OV_TEXT_TITLE,           /* bold, larger */
  OV_TEXT_SMALL,           /* notes */
  OV_TEXT_BOLD = 1 << 4,   /* may be added */
  OV_TEXT_ITALIC = 1 << 5, /* may be added */
} OvTextStyle;

#define OV_TEXT_SIZE_MASK 0xf

/** One line of text; longer than `max_width` pixels it ends in an ellipsis (0: any length). Text
 * that is not UTF-8 is mended. The caller owns the reference. */
PangoLayout *ov_text_line (const OvTheme *theme, OvTextStyle style, const char *text,
                           double max_width);
/** The same with line breaks where `max_width` asks for them, at most `max_lines` lines. */
PangoLayout *ov_text_block (const OvTheme *theme, OvTextStyle style, const char *text,
                            double max_width, int max_lines, PangoAlignment align);
void ov_text_get_size (PangoLayout *layout, double *width, double *height);
/** Pixels from the top of the layout to its first base line. */
double ov_text_get_baseline (PangoLayout *layout);
/** Paints the layout; (x, y) is the point of its box at (ax, ay): 0, 0 is upper left, 1, 1 lower
 * right. */
void ov_text_show (cairo_t *cr, PangoLayout *layout, const OvColor *color, double x, double y,
                   double ax, double ay);
/** Height of one line of that style. */
double ov_text_get_line_height (const OvTheme *theme, OvTextStyle style);

G_END_DECLS
