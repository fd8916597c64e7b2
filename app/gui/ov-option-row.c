// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The value travels as text, as the command line takes it; the standard value is not set at all.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "base/ov-units.h"
#include "report/ov-report.h"

#include "gui/ov-option-row.h"
#include "gui/ov-tooltip.h"

typedef struct
{
  OvRunSettings *settings;
  OvStrategyInfo *info;
  const OvOptionInfo *option; /* of info */
  gint64 own;                 /* what the experiment or the strategy has */
} Binding;

static void
binding_free (gpointer data)
{
  Binding *binding = data;

  g_object_unref (binding->settings);
  ov_strategy_info_unref (binding->info);
  g_free (binding);
}

/* A value as it is written in an experiment, as text; NULL for none. */
static char *
node_to_text (JsonNode *node)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_strdup (json_node_get_string (node));
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
}

static Binding *
binding_new (OvRunSettings *settings, OvStrategyInfo *info, guint index, const OvVariant *variant)
{
  Binding *binding = g_new0 (Binding, 1);
  g_autofree char *text = NULL;

  binding->settings = g_object_ref (settings);
  binding->info = ov_strategy_info_ref (info);
  binding->option = g_ptr_array_index (info->options, index);
  binding->own = binding->option->standard;
  if (variant != NULL && variant->options != NULL)
    text = node_to_text (g_hash_table_lookup (variant->options, binding->option->name));
  if (text != NULL)
    ov_option_info_parse (binding->option, text, &binding->own, NULL);
  return binding;
}

static gint64
get_value (const Binding *binding)
{
  const char *text
      = ov_run_settings_get_option (binding->settings, binding->info->id, binding->option->name);
  gint64 value;

  if (text != NULL && ov_option_info_parse (binding->option, text, &value, NULL))
    return value;
  return binding->own;
}

static void
set_value (const Binding *binding, gint64 value)
{
  g_autofree char *text
      = value != binding->own ? ov_option_info_format (binding->option, value) : NULL;

  ov_run_settings_set_option (binding->settings, binding->info->id, binding->option->name, text);
}

static void
on_spin (GtkSpinButton *spin, Binding *binding)
{
  set_value (binding, (gint64)gtk_spin_button_get_value (spin));
}

static void
on_switch (GtkSwitch *widget, GParamSpec *pspec, Binding *binding)
{
  set_value (binding, gtk_switch_get_active (widget));
}

static void
on_combo (AdwComboRow *row, GParamSpec *pspec, Binding *binding)
{
  if (adw_combo_row_get_selected (row) != GTK_INVALID_LIST_POSITION)
    set_value (binding, adw_combo_row_get_selected (row));
}

static void
on_entry (AdwEntryRow *row, Binding *binding)
{
  g_autoptr (GError) error = NULL;
  gint64 value;

  if (ov_option_info_parse (binding->option, gtk_editable_get_text (GTK_EDITABLE (row)), &value,
                            &error))
    {
      set_value (binding, value);
      gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
      ov_tooltip_set (GTK_WIDGET (row), ov_report_tr (binding->option->help));
    }
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (row), "error");
      ov_tooltip_set (GTK_WIDGET (row), error->message);
    }
}

static GtkWidget *
wrap (const OvOptionInfo *option, GtkWidget *child)
{
  GtkWidget *row = adw_action_row_new ();

  gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), ov_report_tr (option->help));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), child);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), child);
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ov_report_tr (option->title), -1);
  return row;
}

static GtkWidget *
new_number (Binding *binding)
{
  const OvOptionInfo *option = binding->option;
  GtkWidget *spin
      = gtk_spin_button_new_with_range ((double)option->minimum, (double)option->maximum, 1);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), (double)get_value (binding));
  g_signal_connect (spin, "value-changed", G_CALLBACK (on_spin), binding);
  return wrap (option, spin);
}

static GtkWidget *
new_switch (Binding *binding)
{
  GtkWidget *widget = gtk_switch_new ();

  gtk_switch_set_active (GTK_SWITCH (widget), get_value (binding) != 0);
  g_signal_connect (widget, "notify::active", G_CALLBACK (on_switch), binding);
  return wrap (binding->option, widget);
}

static GtkWidget *
new_choice (Binding *binding)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) names
      = gtk_string_list_new ((const char *const *)binding->option->choices);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), ov_report_tr (binding->option->help));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), (guint)get_value (binding));
  g_signal_connect (row, "notify::selected", G_CALLBACK (on_combo), binding);
  return row;
}

static GtkWidget *
new_size (Binding *binding)
{
  GtkWidget *row = adw_entry_row_new ();
  g_autofree char *text = ov_option_info_format (binding->option, get_value (binding));

  gtk_editable_set_text (GTK_EDITABLE (row), text);
  ov_tooltip_set (row, ov_report_tr (binding->option->help));
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  g_signal_connect (row, "apply", G_CALLBACK (on_entry), binding);
  return row;
}

GtkWidget *
ov_option_row_new (OvRunSettings *settings, OvStrategyInfo *info, guint index,
                   const OvVariant *variant)
{
  Binding *binding = binding_new (settings, info, index, variant);
  const char *title = ov_report_tr (binding->option->title);
  GtkWidget *row;

  switch (binding->option->kind)
    {
    case OV_OPTION_BOOL:
      row = new_switch (binding);
      break;
    case OV_OPTION_CHOICE:
      row = binding->option->choices != NULL ? new_choice (binding) : new_number (binding);
      break;
    case OV_OPTION_SIZE:
      row = new_size (binding);
      break;
    case OV_OPTION_INT:
    default:
      row = new_number (binding);
      break;
    }
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 title[0] != '\0' ? title : binding->option->name);
  g_object_set_data_full (G_OBJECT (row), "binding", binding, binding_free);
  return row;
}
