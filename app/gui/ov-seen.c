// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSeen: the window's surface is watched while the widget is mapped.
 */
#include "config.h"

#include "gui/ov-seen.h"

struct _OvSeen
{
  GtkWidget *widget;
  OvSeenFunc func;
  gpointer data;
  GdkSurface *surface; /* while mapped */
  gulong state_id;
  gulong map_id;
  gulong unmap_id;
  gboolean seen;
};

static gboolean
is_away (GdkToplevelState state)
{
  GdkToplevelState away = GDK_TOPLEVEL_STATE_MINIMIZED;

#if GTK_CHECK_VERSION(4, 12, 0)
  away |= 1 << 16; /* GDK_TOPLEVEL_STATE_SUSPENDED, newer than what we may name */
#endif
  return (state & away) != 0;
}

static void
update (OvSeen *self)
{
  gboolean seen = self->surface != NULL;

  if (seen && GDK_IS_TOPLEVEL (self->surface))
    seen = !is_away (gdk_toplevel_get_state (GDK_TOPLEVEL (self->surface)));
  if (seen == self->seen)
    return;
  self->seen = seen;
  self->func (self->data);
}

static void
forget_surface (OvSeen *self)
{
  if (self->surface != NULL)
    g_clear_signal_handler (&self->state_id, self->surface);
  g_clear_object (&self->surface);
}

static void
on_map (OvSeen *self)
{
  GtkNative *native = gtk_widget_get_native (self->widget);

  forget_surface (self);
  self->surface = native != NULL ? gtk_native_get_surface (native) : NULL;
  if (self->surface != NULL)
    {
      g_object_ref (self->surface);
      if (GDK_IS_TOPLEVEL (self->surface))
        self->state_id
            = g_signal_connect_swapped (self->surface, "notify::state", G_CALLBACK (update), self);
    }
  update (self);
}

static void
on_unmap (OvSeen *self)
{
  forget_surface (self);
  update (self);
}

OvSeen *
ov_seen_new (GtkWidget *widget, OvSeenFunc func, gpointer data)
{
  OvSeen *self;

  g_return_val_if_fail (GTK_IS_WIDGET (widget) && func != NULL, NULL);

  self = g_new0 (OvSeen, 1);
  self->widget = widget;
  self->func = func;
  self->data = data;
  self->map_id = g_signal_connect_swapped (widget, "map", G_CALLBACK (on_map), self);
  self->unmap_id = g_signal_connect_swapped (widget, "unmap", G_CALLBACK (on_unmap), self);
  return self;
}

void
ov_seen_free (OvSeen *self)
{
  if (self == NULL)
    return;
  g_clear_signal_handler (&self->map_id, self->widget);
  g_clear_signal_handler (&self->unmap_id, self->widget);
  forget_surface (self);
  g_free (self);
}

gboolean
ov_seen_get (const OvSeen *self)
{
  return self != NULL && self->seen;
}
