// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvBanner: stands in for AdwBanner, which is newer than libadwaita 1.2.
 */
#include "config.h"

#include "gui/ov-banner.h"

struct _OvBanner
{
  GtkWidget parent_instance;

  GtkRevealer *revealer;
  GtkBox *box;
  GtkLabel *label;
  GtkButton *button;
  GtkButton *close;
};

G_DEFINE_FINAL_TYPE (OvBanner, ov_banner, GTK_TYPE_WIDGET)

static void
ov_banner_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ov_banner_parent_class)->dispose (object);
}

static void
ov_banner_class_init (OvBannerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_banner_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-banner.ui");
  gtk_widget_class_bind_template_child (widget_class, OvBanner, revealer);
  gtk_widget_class_bind_template_child (widget_class, OvBanner, box);
  gtk_widget_class_bind_template_child (widget_class, OvBanner, label);
  gtk_widget_class_bind_template_child (widget_class, OvBanner, button);
  gtk_widget_class_bind_template_child (widget_class, OvBanner, close);
  gtk_widget_class_bind_template_callback (widget_class, ov_banner_hide);
}

static void
ov_banner_init (OvBanner *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
ov_banner_show (OvBanner *self, const char *text, const char *button, const char *action)
{
  g_return_if_fail (OV_IS_BANNER (self));

  gtk_label_set_text (self->label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->button), button != NULL);
  if (button != NULL)
    {
      gtk_button_set_label (self->button, button);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), action);
    }
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
}

void
ov_banner_hide (OvBanner *self)
{
  g_return_if_fail (OV_IS_BANNER (self));
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
}
