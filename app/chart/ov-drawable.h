// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDrawable: what can be painted, exported and read aloud: OvChart, OvTimeChart, OvLaneChart.
 *
 * Signal "changed" (no arguments): the picture would look different now. It is emitted once for
 * each setter that changed something, never from drawing.
 */
#pragma once

#include <cairo.h>
#include <glib-object.h>

#include "chart/ov-table.h"
#include "chart/ov-theme.h"

G_BEGIN_DECLS

#define OV_TYPE_DRAWABLE (ov_drawable_get_type ())
G_DECLARE_INTERFACE (OvDrawable, ov_drawable, OV, DRAWABLE, GObject)

struct _OvDrawableInterface
{
  GTypeInterface parent_iface;

  void (*draw) (OvDrawable *self, cairo_t *cr, double width, double height, const OvTheme *theme);
  char *(*describe) (OvDrawable *self);
  OvTable *(*get_table) (OvDrawable *self);
  const char *(*get_title) (OvDrawable *self);
  void (*get_natural_size) (OvDrawable *self, double *width, double *height);

  /* All three or none: `draw` in two layers, for a chart that is drawn many times a second. */

  /** Differs, and is not 0, where draw_back would paint something else (other than by size and
   * theme). */
  guint (*get_back_serial) (OvDrawable *self);
  void (*draw_back) (OvDrawable *self, cairo_t *cr, double width, double height,
                     const OvTheme *theme);
  /** Paints over the background; `pixels` is the image surface that `cr` paints to, with `scale`
   * pixels for each unit, or NULL: then only `cr` may be used. */
  void (*draw_front) (OvDrawable *self, cairo_t *cr, double width, double height,
                      const OvTheme *theme, cairo_surface_t *pixels, double scale);
};

/** Paints the whole picture, background too, into the box from (0, 0) to (width, height), in the
 * user space of `cr`, whose state is restored. Any size is allowed; what has no room is left out.
 */
void ov_drawable_draw (OvDrawable *self, cairo_t *cr, double width, double height,
                       const OvTheme *theme);
/** What the picture shows, in sentences. The caller owns the text. */
char *ov_drawable_describe (OvDrawable *self);
/** The figures. Borrowed: good until the chart changes; take a reference to keep it. */
OvTable *ov_drawable_get_table (OvDrawable *self);
/** Borrowed, "" where there is no title. */
const char *ov_drawable_get_title (OvDrawable *self);
/** The size at which it is best seen, in pixels. */
void ov_drawable_get_natural_size (OvDrawable *self, double *width, double *height);
/** Emits "changed"; for the implementations. */
void ov_drawable_changed (OvDrawable *self);

G_END_DECLS
