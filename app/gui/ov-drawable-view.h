// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDrawableView: shows a chart: the widget below OvChartView and OvTimeChartView.
 *
 * It redraws when the chart says "changed" and when the theme changes, never otherwise. Its role
 * is that of an image whose label and description are the chart's title and its description in
 * words; the description follows the chart, at most twice a second.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_DRAWABLE_VIEW (ov_drawable_view_get_type ())
G_DECLARE_DERIVABLE_TYPE (OvDrawableView, ov_drawable_view, OV, DRAWABLE_VIEW, GtkWidget)

struct _OvDrawableViewClass
{
  GtkWidgetClass parent_class;

  /** The pointer is at (x, y); both negative: it has left. */
  void (*hover) (OvDrawableView *self, double x, double y);
  /** An arrow key: dx or dy is -1 or 1. FALSE: there is nothing that way. */
  gboolean (*step) (OvDrawableView *self, int dx, int dy);
  /** The chart is another one now. */
  void (*drawable_changed) (OvDrawableView *self);
};

/** NULL for none. */
void ov_drawable_view_set_drawable (OvDrawableView *self, OvDrawable *drawable);
/** Borrowed, or NULL. */
OvDrawable *ov_drawable_view_get_drawable (OvDrawableView *self);
/** What a screen reader calls the view, in place of the chart's title. */
void ov_drawable_view_set_label (OvDrawableView *self, const char *label);
/** The theme that fits the desktop now. Borrowed. */
const OvTheme *ov_drawable_view_get_theme (GtkWidget *widget);

/** Charts are painted at least this many times finer than the screen, for pictures of the window
 * that are larger than it. */
void ov_drawable_view_set_minimum_scale (int scale);

G_END_DECLS
