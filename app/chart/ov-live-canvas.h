// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLiveCanvas: draws a chart again and again into a widget, cheaply.
 *
 * Grid and labels are painted once and kept until size, scale, theme or axes change; the samples
 * are put onto a copy by ov-raster.h; the widget's context gets one OPERATOR_SOURCE paint. A chart
 * with layers of its own (ov-drawable.h) is treated alike. Any other chart changes seldom and is kept as a whole picture until it does. One canvas serves one
 * widget; it holds no reference to the chart.
 */
#pragma once

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

typedef struct _OvLiveCanvas OvLiveCanvas;

OvLiveCanvas *ov_live_canvas_new (void);
void ov_live_canvas_free (OvLiveCanvas *self);
/** Paints a chart over (0, 0) to (width, height) of `cr`, whole pixels of the
 * widget; `scale_factor` is the number of device pixels for each of them. */
void ov_live_canvas_draw (OvLiveCanvas *self, OvDrawable *chart, cairo_t *cr, int width, int height,
                          int scale_factor, const OvTheme *theme);
/** Gives the memory back, for a widget that is hidden. */
void ov_live_canvas_release (OvLiveCanvas *self);
/** How often the background was painted; for tests. */
guint ov_live_canvas_get_n_backgrounds (const OvLiveCanvas *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvLiveCanvas, ov_live_canvas_free)

G_END_DECLS
