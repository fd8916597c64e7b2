// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDrawable: the interface; every call goes on to the implementation, which must have them all.
 */
#include "config.h"

#include "chart/ov-drawable.h"

G_DEFINE_INTERFACE (OvDrawable, ov_drawable, G_TYPE_OBJECT)

static guint changed_signal;

static void
ov_drawable_default_init (OvDrawableInterface *iface)
{
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_INTERFACE (iface), G_SIGNAL_RUN_LAST, 0,
                                 NULL, NULL, NULL, G_TYPE_NONE, 0);
}

void
ov_drawable_draw (OvDrawable *self, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  g_return_if_fail (OV_IS_DRAWABLE (self));
  g_return_if_fail (cr != NULL && theme != NULL);

  OV_DRAWABLE_GET_IFACE (self)->draw (self, cr, width, height, theme);
}

char *
ov_drawable_describe (OvDrawable *self)
{
  g_return_val_if_fail (OV_IS_DRAWABLE (self), NULL);

  return OV_DRAWABLE_GET_IFACE (self)->describe (self);
}

OvTable *
ov_drawable_get_table (OvDrawable *self)
{
  g_return_val_if_fail (OV_IS_DRAWABLE (self), NULL);

  return OV_DRAWABLE_GET_IFACE (self)->get_table (self);
}

const char *
ov_drawable_get_title (OvDrawable *self)
{
  g_return_val_if_fail (OV_IS_DRAWABLE (self), NULL);

  return OV_DRAWABLE_GET_IFACE (self)->get_title (self);
}

void
ov_drawable_get_natural_size (OvDrawable *self, double *width, double *height)
{
  g_return_if_fail (OV_IS_DRAWABLE (self));
  g_return_if_fail (width != NULL && height != NULL);

  OV_DRAWABLE_GET_IFACE (self)->get_natural_size (self, width, height);
}

void
ov_drawable_changed (OvDrawable *self)
{
  g_return_if_fail (OV_IS_DRAWABLE (self));

  g_signal_emit (self, changed_signal, 0);
}
