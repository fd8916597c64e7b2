// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPreferences: only bindings.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-gsettings.h"
#include "gui/ov-preferences.h"

struct _OvPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow *scheme;
  GtkSpinButton *seconds;
  GtkSwitch *article;
};

G_DEFINE_FINAL_TYPE (OvPreferences, ov_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* The rows of the combo are in the order of the schema's enumeration. */
static gboolean
get_scheme (GValue *value, GVariant *variant, gpointer data)
{
  static const char *const nicks[] = { "system", "light", "dark" };

  for (guint i = 0; i < G_N_ELEMENTS (nicks); i++)
    if (g_str_equal (g_variant_get_string (variant, NULL), nicks[i]))
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
set_scheme (const GValue *value, const GVariantType *type, gpointer data)
{
  static const char *const nicks[] = { "system", "light", "dark" };
  guint selected = g_value_get_uint (value);

  return g_variant_new_string (nicks[selected < G_N_ELEMENTS (nicks) ? selected : 0]);
}

static void
ov_preferences_class_init (OvPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, OvPreferences, scheme);
  gtk_widget_class_bind_template_child (widget_class, OvPreferences, seconds);
  gtk_widget_class_bind_template_child (widget_class, OvPreferences, article);
}

static void
ov_preferences_init (OvPreferences *self)
{
  GSettings *settings = ov_gsettings_get ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_settings_bind_with_mapping (settings, "color-scheme", self->scheme, "selected",
                                G_SETTINGS_BIND_DEFAULT, get_scheme, set_scheme, NULL, NULL);
  g_settings_bind (settings, "live-seconds", gtk_spin_button_get_adjustment (self->seconds),
                   "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "article-lines", self->article, "active", G_SETTINGS_BIND_DEFAULT);
}

GtkWindow *
ov_preferences_new (GtkWindow *parent)
{
  return g_object_new (OV_TYPE_PREFERENCES, "transient-for", parent, NULL);
}
