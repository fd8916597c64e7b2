// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDrawableView: the live canvas is given back when the widget is unmapped. The timer that
 * updates the description runs once after a change and only while mapped.
 */
#include "config.h"

#include <adwaita.h>

#include "chart/ov-live-canvas.h"

#include "gui/ov-drawable-view.h"

#define DESCRIBE_MS 500

typedef struct
{
  OvDrawable *drawable;
  OvLiveCanvas *canvas;
  char *label; /* or NULL: the chart's title */
  gulong changed_id;
  guint describe_id;
  gboolean stale; /* the description is older than the chart */
} OvDrawableViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OvDrawableView, ov_drawable_view, GTK_TYPE_WIDGET)

#define PRIVATE(self)                                                                              \
  ((OvDrawableViewPrivate *)ov_drawable_view_get_instance_private (OV_DRAWABLE_VIEW (self)))

static int minimum_scale = 1;

const OvTheme *
ov_drawable_view_get_theme (GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (manager);
  gboolean high = adw_style_manager_get_high_contrast (manager);
  GtkSettings *settings = gtk_widget_get_settings (widget);
  int dpi = 0;
  OvThemeKind kind;

  if (high)
    kind = dark ? OV_THEME_HIGH_CONTRAST_DARK : OV_THEME_HIGH_CONTRAST;
  else
    kind = dark ? OV_THEME_DARK : OV_THEME_LIGHT;
  if (settings != NULL)
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  return ov_theme_get (kind, dpi > 0 ? dpi / 1024.0 / 96.0 : 1.0);
}

static void
update_description (OvDrawableView *self)
{
  OvDrawableViewPrivate *priv = PRIVATE (self);
  g_autofree char *text = NULL;
  const char *title = "";

  priv->stale = FALSE;
  if (priv->drawable != NULL)
    {
      text = ov_drawable_describe (priv->drawable);
      title = ov_drawable_get_title (priv->drawable);
    }
  if (priv->label != NULL)
    title = priv->label;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "",
                                  -1);
}

static gboolean
on_describe (gpointer data)
{
  PRIVATE (data)->describe_id = 0;
  update_description (data);
  return G_SOURCE_REMOVE;
}

static void
on_changed (OvDrawableView *self)
{
  OvDrawableViewPrivate *priv = PRIVATE (self);

  priv->stale = TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (priv->describe_id == 0)
    priv->describe_id = g_timeout_add (DESCRIBE_MS, on_describe, self);
}

static void
on_theme_changed (OvDrawableView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ov_drawable_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OvDrawableViewPrivate *priv = PRIVATE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_t *cr;

  if (priv->drawable == NULL || width <= 0 || height <= 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  ov_live_canvas_draw (priv->canvas, priv->drawable, cr, width, height,
                       MAX (gtk_widget_get_scale_factor (widget), minimum_scale),
                       ov_drawable_view_get_theme (widget));
  cairo_destroy (cr);
}

static void
ov_drawable_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_drawable_view_parent_class)->map (widget);
  if (PRIVATE (widget)->stale)
    update_description (OV_DRAWABLE_VIEW (widget));
}

static void
ov_drawable_view_unmap (GtkWidget *widget)
{
  OvDrawableViewPrivate *priv = PRIVATE (widget);

  if (priv->describe_id != 0)
    {
      g_clear_handle_id (&priv->describe_id, g_source_remove);
      priv->stale = TRUE;
    }
  ov_live_canvas_release (priv->canvas);
  GTK_WIDGET_CLASS (ov_drawable_view_parent_class)->unmap (widget);
}

static void
hover (OvDrawableView *self, double x, double y)
{
  OvDrawableViewClass *klass = OV_DRAWABLE_VIEW_GET_CLASS (self);

  if (klass->hover != NULL && PRIVATE (self)->drawable != NULL)
    klass->hover (self, x, y);
}

static void
on_motion (OvDrawableView *self, double x, double y)
{
  hover (self, x, y);
}

static void
on_leave (OvDrawableView *self)
{
  hover (self, -1, -1);
}

static gboolean
on_key (OvDrawableView *self, guint keyval, guint code, GdkModifierType state)
{
  OvDrawableViewClass *klass = OV_DRAWABLE_VIEW_GET_CLASS (self);
  int dx = 0;
  int dy = 0;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_KP_Left)
    dx = -1;
  else if (keyval == GDK_KEY_Right || keyval == GDK_KEY_KP_Right)
    dx = 1;
  else if (keyval == GDK_KEY_Up || keyval == GDK_KEY_KP_Up)
    dy = -1;
  else if (keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down)
    dy = 1;
  if ((dx == 0 && dy == 0) || klass->step == NULL || PRIVATE (self)->drawable == NULL)
    return GDK_EVENT_PROPAGATE;
  return klass->step (self, dx, dy);
}

static void
ov_drawable_view_dispose (GObject *object)
{
  OvDrawableView *self = OV_DRAWABLE_VIEW (object);
  OvDrawableViewPrivate *priv = PRIVATE (self);

  g_clear_handle_id (&priv->describe_id, g_source_remove);
  if (priv->drawable != NULL)
    g_clear_signal_handler (&priv->changed_id, priv->drawable);
  g_clear_object (&priv->drawable);
  G_OBJECT_CLASS (ov_drawable_view_parent_class)->dispose (object);
}

static void
ov_drawable_view_finalize (GObject *object)
{
  ov_live_canvas_free (PRIVATE (object)->canvas);
  g_free (PRIVATE (object)->label);
  G_OBJECT_CLASS (ov_drawable_view_parent_class)->finalize (object);
}

static void
ov_drawable_view_class_init (OvDrawableViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ov_drawable_view_dispose;
  object_class->finalize = ov_drawable_view_finalize;
  widget_class->snapshot = ov_drawable_view_snapshot;
  widget_class->map = ov_drawable_view_map;
  widget_class->unmap = ov_drawable_view_unmap;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "chart");
}

static void
ov_drawable_view_init (OvDrawableView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  PRIVATE (self)->canvas = ov_live_canvas_new ();
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (on_theme_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (on_theme_changed), self,
                           G_CONNECT_SWAPPED);
}

void
ov_drawable_view_set_drawable (OvDrawableView *self, OvDrawable *drawable)
{
  OvDrawableViewPrivate *priv;

  g_return_if_fail (OV_IS_DRAWABLE_VIEW (self));
  priv = PRIVATE (self);
  if (drawable == priv->drawable)
    return;
  if (priv->drawable != NULL)
    g_clear_signal_handler (&priv->changed_id, priv->drawable);
  g_set_object (&priv->drawable, drawable);
  if (drawable != NULL)
    priv->changed_id
        = g_signal_connect_swapped (drawable, "changed", G_CALLBACK (on_changed), self);
  if (OV_DRAWABLE_VIEW_GET_CLASS (self)->drawable_changed != NULL)
    OV_DRAWABLE_VIEW_GET_CLASS (self)->drawable_changed (self);
  update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

OvDrawable *
ov_drawable_view_get_drawable (OvDrawableView *self)
{
  g_return_val_if_fail (OV_IS_DRAWABLE_VIEW (self), NULL);
  return PRIVATE (self)->drawable;
}

void
ov_drawable_view_set_label (OvDrawableView *self, const char *label)
{
  g_return_if_fail (OV_IS_DRAWABLE_VIEW (self));
  g_free (PRIVATE (self)->label);
  PRIVATE (self)->label = g_strdup (label);
  update_description (self);
}

void
ov_drawable_view_set_minimum_scale (int scale)
{
  minimum_scale = MAX (scale, 1);
}
