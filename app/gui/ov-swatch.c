// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSwatch: draws with ov_theme_draw_key().
 */
#include "config.h"

#include <adwaita.h>

#include "gui/ov-drawable-view.h"
#include "gui/ov-swatch.h"

#define WIDTH  24
#define HEIGHT 14

struct _OvSwatch
{
  GtkWidget parent_instance;

  int style;
};

G_DEFINE_FINAL_TYPE (OvSwatch, ov_swatch, GTK_TYPE_WIDGET)

static void
ov_swatch_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
ov_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OvSwatch *self = OV_SWATCH (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  cairo_t *cr;

  if (self->style < 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  ov_theme_draw_key (ov_drawable_view_get_theme (widget), cr, (guint)self->style, 0, 0, width,
                     height);
  cairo_destroy (cr);
}

static void
ov_swatch_class_init (OvSwatchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ov_swatch_measure;
  widget_class->snapshot = ov_swatch_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ov_swatch_init (OvSwatch *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->style = -1;
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw),
                           self, G_CONNECT_SWAPPED);
}

GtkWidget *
ov_swatch_new (void)
{
  return g_object_new (OV_TYPE_SWATCH, NULL);
}

void
ov_swatch_set_style (OvSwatch *self, int style)
{
  g_return_if_fail (OV_IS_SWATCH (self));

  if (style == self->style)
    return;
  self->style = style;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
