// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A strategy without options gets a plain row, one with options a row that opens.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-option-row.h"
#include "gui/ov-strategy-row.h"
#include "gui/ov-swatch.h"

static void
on_toggled (GtkCheckButton *check, OvRunSettings *settings)
{
  ov_run_settings_set_chosen (settings, g_object_get_data (G_OBJECT (check), "label"),
                              gtk_check_button_get_active (check));
}

static GtkWidget *
new_check (OvRunSettings *settings, const char *label, gboolean available)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               available && ov_run_settings_get_chosen (settings, label));
  gtk_widget_set_sensitive (check, available);
  g_object_set_data_full (G_OBJECT (check), "label", g_strdup (label), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), settings, 0);
  return check;
}

GtkWidget *
ov_strategy_row_new (OvRunSettings *settings, const OvVariant *variant, OvStrategyInfo *info,
                     const char *cause, int style)
{
  gboolean available = info != NULL && cause == NULL;
  gboolean options = available && info->options->len > 0;
  GtkWidget *check = new_check (settings, variant->label, available);
  GtkWidget *swatch = ov_swatch_new ();
  GtkWidget *prefix = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  g_autofree char *text = cause != NULL  ? g_strdup_printf (_ ("Not here: %s"), cause)
                          : info != NULL ? g_strdup (ov_strategy_info_title (info))
                                         : g_strdup (_ ("Not known yet"));
  g_autofree char *subtitle = g_markup_escape_text (text, -1);
  g_autofree char *title = g_markup_escape_text (variant->label, -1);
  GtkWidget *row = options ? adw_expander_row_new () : adw_action_row_new ();

  ov_swatch_set_style (OV_SWATCH (swatch), style);
  gtk_box_append (GTK_BOX (prefix), check);
  gtk_box_append (GTK_BOX (prefix), swatch);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (options)
    {
      adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), subtitle);
      adw_expander_row_add_prefix (ADW_EXPANDER_ROW (row), prefix);
      for (guint i = 0; i < info->options->len; i++)
        adw_expander_row_add_row (ADW_EXPANDER_ROW (row),
                                  ov_option_row_new (settings, info, i, variant));
    }
  else
    {
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), prefix);
      if (available)
        adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
    }
  return row;
}
