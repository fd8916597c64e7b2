// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLiveCanvas: two image surfaces of device pixels. `background` holds what stays; `frame` is a
 * copy of it with the samples of this frame. The chart is watched by a weak reference: when it
 * goes, what is kept of it counts as stale, even if the next chart gets the same address.
 */
#include "config.h"

#include <string.h>

#include "chart/ov-chart.h"
#include "chart/ov-live-canvas.h"
#include "chart/ov-time-chart-private.h"

struct _OvLiveCanvas
{
  cairo_surface_t *background;
  cairo_surface_t *frame;
  int width;
  int height;
  int scale;
  const OvTheme *theme;
  GObject *chart; /* weak */
  gulong changed_id;
  gboolean stale;
  guint serial; /* of the layout that the background shows */
  guint n_backgrounds;
};

static void
on_changed (OvDrawable *chart, gpointer data)
{
  ((OvLiveCanvas *)data)->stale = TRUE;
}

static void
on_gone (gpointer data, GObject *chart)
{
  OvLiveCanvas *self = data;

  self->chart = NULL;
  self->changed_id = 0;
  self->stale = TRUE;
}

static void
watch (OvLiveCanvas *self, GObject *chart)
{
  if (self->chart == chart)
    return;
  if (self->chart != NULL)
    {
      g_signal_handler_disconnect (self->chart, self->changed_id);
      g_object_weak_unref (self->chart, on_gone, self);
    }
  self->chart = chart;
  self->stale = TRUE;
  self->serial = 0;
  if (chart == NULL)
    return;
  self->changed_id = g_signal_connect (chart, "changed", G_CALLBACK (on_changed), self);
  g_object_weak_ref (chart, on_gone, self);
}

OvLiveCanvas *
ov_live_canvas_new (void)
{
  return g_new0 (OvLiveCanvas, 1);
}

void
ov_live_canvas_release (OvLiveCanvas *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->background, cairo_surface_destroy);
  g_clear_pointer (&self->frame, cairo_surface_destroy);
  self->serial = 0;
  self->stale = TRUE;
}

void
ov_live_canvas_free (OvLiveCanvas *self)
{
  if (self == NULL)
    return;
  watch (self, NULL);
  ov_live_canvas_release (self);
  g_free (self);
}

guint
ov_live_canvas_get_n_backgrounds (const OvLiveCanvas *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_backgrounds;
}

static cairo_surface_t *
new_surface (const OvLiveCanvas *self)
{
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, self->width * self->scale, self->height * self->scale);

  cairo_surface_set_device_scale (surface, self->scale, self->scale);
  return surface;
}

/* Surfaces for that size; new ones are blank. */
static void
prepare (OvLiveCanvas *self, int width, int height, int scale, const OvTheme *theme)
{
  if (self->background != NULL && self->width == width && self->height == height
      && self->scale == scale && self->theme == theme)
    return;
  ov_live_canvas_release (self);
  self->width = width;
  self->height = height;
  self->scale = scale;
  self->theme = theme;
  self->background = new_surface (self);
}

static void
copy_pixels (cairo_surface_t *from, cairo_surface_t *to)
{
  cairo_surface_flush (from);
  cairo_surface_flush (to);
  memcpy (cairo_image_surface_get_data (to), cairo_image_surface_get_data (from),
          (gsize)cairo_image_surface_get_stride (from)
              * (gsize)cairo_image_surface_get_height (from));
  cairo_surface_mark_dirty (to);
}

static void
paint_frame (OvLiveCanvas *self, OvTimeChart *chart, const OvTimeLayout *layout)
{
  OvRaster raster;
  cairo_t *cr;

  if (self->frame == NULL)
    self->frame = new_surface (self);
  if (self->serial != layout->serial)
    {
      cr = cairo_create (self->background);
      ov_time_chart_draw_background (chart, cr, layout);
      cairo_destroy (cr);
      self->serial = layout->serial;
      self->n_backgrounds++;
    }
  copy_pixels (self->background, self->frame);
  ov_raster_init (&raster, self->frame);
  ov_time_chart_draw_data (chart, NULL, &raster, self->scale, layout);
  ov_raster_clear (&raster);
  cairo_surface_mark_dirty (self->frame);
  cr = cairo_create (self->frame);
  ov_time_chart_draw_overlay (chart, cr, layout);
  cairo_destroy (cr);
}

/* A chart that has two layers of its own. */
static void
paint_layers (OvLiveCanvas *self, OvDrawable *chart)
{
  OvDrawableInterface *iface = OV_DRAWABLE_GET_IFACE (chart);
  guint serial = iface->get_back_serial (chart);
  cairo_t *cr;

  if (self->frame == NULL)
    self->frame = new_surface (self);
  if (self->serial != serial)
    {
      cr = cairo_create (self->background);
      iface->draw_back (chart, cr, self->width, self->height, self->theme);
      cairo_destroy (cr);
      self->serial = serial;
      self->n_backgrounds++;
    }
  copy_pixels (self->background, self->frame);
  cr = cairo_create (self->frame);
  iface->draw_front (chart, cr, self->width, self->height, self->theme, self->frame, self->scale);
  cairo_destroy (cr);
}

static void
paint_whole (OvLiveCanvas *self, OvDrawable *chart)
{
  cairo_t *cr = cairo_create (self->background);

  ov_drawable_draw (chart, cr, self->width, self->height, self->theme);
  cairo_destroy (cr);
  self->n_backgrounds++;
}

void
ov_live_canvas_draw (OvLiveCanvas *self, OvDrawable *chart, cairo_t *cr, int width, int height,
                     int scale_factor, const OvTheme *theme)
{
  cairo_surface_t *shown;

  g_return_if_fail (self != NULL && OV_IS_DRAWABLE (chart) && cr != NULL && theme != NULL);

  if (width < 1 || height < 1)
    return;
  scale_factor = MAX (1, scale_factor);
  watch (self, G_OBJECT (chart));
  prepare (self, width, height, scale_factor, theme);
  if (cairo_surface_status (self->background) != CAIRO_STATUS_SUCCESS)
    {
      /* Too large for an image: slower, but right. */
      ov_drawable_draw (chart, cr, width, height, theme);
      return;
    }
  if (OV_IS_TIME_CHART (chart) && width >= 24 && height >= 24)
    {
      OvTimeChart *time_chart = OV_TIME_CHART (chart);

      /* Nothing came in since: the last frame is this frame. */
      if (self->stale || self->frame == NULL || time_chart->dirty)
        paint_frame (self, time_chart, ov_time_chart_get_layout (time_chart, width, height, theme));
      shown = self->frame;
    }
  else if (OV_DRAWABLE_GET_IFACE (chart)->draw_front != NULL)
    {
      if (self->stale || self->frame == NULL)
        paint_layers (self, chart);
      shown = self->frame;
    }
  else
    {
      if (self->stale)
        paint_whole (self, chart);
      shown = self->background;
    }
  self->stale = FALSE;
  cairo_save (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, shown, 0, 0);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_restore (cr);
}
