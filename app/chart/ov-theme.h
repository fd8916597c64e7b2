// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTheme: the colours, line styles and text sizes that a chart is drawn with.
 *
 * A theme never changes and lives as long as the program: two calls with the same arguments give
 * the same pointer. In every theme a line's colour has a contrast of at least 3:1 against the
 * background, and every text colour one of at least 4.5:1.
 */
#pragma once

#include <cairo.h>
#include <glib-object.h>

G_BEGIN_DECLS

typedef enum
{
  OV_THEME_LIGHT,
  OV_THEME_DARK,
  OV_THEME_HIGH_CONTRAST,
  OV_THEME_HIGH_CONTRAST_DARK,
  OV_THEME_PRINT, /* white paper: for SVG, PDF and the press */
} OvThemeKind;

#define OV_THEME_N_KINDS 5

/** sRGB, each part from 0 to 1. */
typedef struct
{
  double r;
  double g;
  double b;
} OvColor;

/** All of them are closed outlines, so that each can be drawn filled or hollow. */
typedef enum
{
  OV_MARKER_CIRCLE,
  OV_MARKER_TRIANGLE_UP,
  OV_MARKER_SQUARE,
  OV_MARKER_DIAMOND,
  OV_MARKER_TRIANGLE_DOWN,
  OV_MARKER_PLUS,
  OV_MARKER_CROSS,
  OV_MARKER_STAR,
  OV_MARKER_PENTAGON,
  OV_MARKER_TRIANGLE_RIGHT,
  OV_MARKER_HOURGLASS,
  OV_MARKER_TRIANGLE_LEFT,
} OvMarker;

#define OV_N_MARKERS      12
#define OV_N_DASHES       12
#define OV_N_COLORS       12
#define OV_MAX_DASH_PARTS 6

/** How one series looks. Colour, marker and dash all tell, so that none has to be seen. */
typedef struct
{
  OvColor line; /* lines, markers, bars */
  OvColor text; /* the same hue, dark or light enough to be read */
  OvColor fill; /* the line's colour mixed into the background: an area under a line */
  OvMarker marker;
  guint n_dashes; /* 0: a solid line */
  double dashes[OV_MAX_DASH_PARTS];
} OvSeriesStyle;

typedef struct
{
  OvThemeKind kind;
  double font_scale;

  OvColor background;
  OvColor text;
  OvColor dim_text; /* units, tick labels, notes */
  OvColor grid;     /* decoration: the only colour without a promised contrast */
  OvColor axis;     /* base line, cursor */
  OvColor accent;   /* cursor of a selection, warnings */

  double title_size;  /* pixels */
  double label_size;  /* pixels */
  double small_size;  /* pixels */
  double line_width;  /* pixels */
  double marker_size; /* pixels across */

  OvSeriesStyle styles[OV_N_COLORS];
} OvTheme;

#define OV_TYPE_THEME (ov_theme_get_type ())
GType ov_theme_get_type (void) G_GNUC_CONST;

/** `font_scale` multiplies every text size and is held between 0.5 and 4 (1 is normal; a desktop's
 * text scaling factor goes here). The theme is borrowed and never freed. */
const OvTheme *ov_theme_get (OvThemeKind kind, double font_scale);

/** The style number `index` (counted from 0, without an end). The first 12 differ in hue,
 * lightness, dash and marker; the next ones take the colours again with other dashes and markers:
 * 144 styles differ before the first comes back. */
void ov_theme_get_style (const OvTheme *theme, guint index, OvSeriesStyle *style);

/** Contrast of two colours as WCAG 2.1 defines it: (L1 + 0.05) / (L2 + 0.05), from 1 to 21. */
double ov_color_contrast (const OvColor *a, const OvColor *b);

/** Colour for "#rrggbb", and back (the text is the caller's). */
OvColor ov_color_from_rgb (guint32 rgb);
guint32 ov_color_to_rgb (const OvColor *color);

/** A point between two colours: `t` = 0 gives `a`, 1 gives `b`. */
OvColor ov_color_mix (const OvColor *a, const OvColor *b, double t);

/** Draws the key of a style (a piece of line with its marker) into the box, for a table or a legend
 * outside of the chart. */
void ov_theme_draw_key (const OvTheme *theme, cairo_t *cr, guint index, double x, double y,
                        double width, double height);

G_END_DECLS
