// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The window's actions: all that buttons, menus and keys do, under the name "win.".
 */
#include "config.h"

#include <glib/gi18n.h>

#include "report/ov-report.h"

#include "gui/ov-export-dialog.h"
#include "gui/ov-disk-dialog.h"
#include "gui/ov-file-chooser.h"
#include "gui/ov-gsettings.h"
#include "gui/ov-self-cost-dialog.h"
#include "gui/ov-settings-dialog.h"
#include "gui/ov-table-dialog.h"
#include "gui/ov-window-private.h"

static void
on_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ov_window_run (data);
}

static void
on_stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ov_window_stop (data);
}

/* ---- Settings and target -------------------------------------------------------------------- */

static void
on_settings (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  gtk_window_present (ov_settings_dialog_new (ov_run_model_get_settings (self->model),
                                              self->strategies, self->faults, GTK_WINDOW (self)));
}

static void
on_target (const char *path, gpointer data)
{
  ov_run_settings_set_target (ov_run_model_get_settings (data), path);
}

static void
on_choose_folder (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  ov_file_chooser_open (GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                        ov_run_settings_get_target (ov_run_model_get_settings (self->model)),
                        on_target, self->model);
}

static void
on_choose_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  ov_file_chooser_open (GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, on_target,
                        self->model);
}

static void
on_choose_simulated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  on_target (g_variant_get_string (parameter, NULL), self->model);
}

static void
on_disk_response (OvDiskDialog *dialog, const char *response, OvWindow *self)
{
  g_autofree char *target = ov_disk_dialog_dup_target (dialog, NULL);

  if (g_str_equal (response, "use") && target != NULL && self->model != NULL)
    on_target (target, self->model);
}

static void
on_choose_own_disk (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;
  OvDiskDialog *dialog = ov_disk_dialog_new (
      GTK_WINDOW (self), ov_run_settings_get_target (ov_run_model_get_settings (self->model)));

  g_signal_connect_object (dialog, "response", G_CALLBACK (on_disk_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_look_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  ov_run_model_look (self->model);
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void
on_file (const char *path, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ov_window_open (data, file);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ov_file_chooser_open (GTK_WINDOW (data), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, on_file, data);
}

static void
on_exported (OvWindow *self, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Exported to %s"), name);

  ov_window_add_toast (self, text);
}

static void
show_export (OvWindow *self, GtkWindow *dialog)
{
  g_signal_connect_object (dialog, "exported", G_CALLBACK (on_exported), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "failed", G_CALLBACK (ov_window_show_error), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (dialog);
}

static void export(OvWindow *self, OvExportItem item)
{
  show_export (self, ov_export_dialog_new (self->model, item, GTK_WINDOW (self)));
}

static gboolean
export_comparison (OvWindow *self)
{
  OvExportParts *parts = self->compare != NULL ? ov_compare_view_dup_parts (self->compare) : NULL;

  if (parts != NULL)
    show_export (self, ov_export_dialog_new_for_parts (parts, GTK_WINDOW (self)));
  return parts != NULL;
}

static void
on_export_comparison (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!export_comparison (data))
    ov_window_add_toast (data, _ ("There is nothing to compare yet."));
}

/* What is looked at: a comparison, else the result. */
static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  if (g_strcmp0 (adw_view_stack_get_visible_child_name (self->stack), "compare") != 0
      || !export_comparison (self))
    export(self, OV_EXPORT_RESULT_CHART);
}

static void
on_export_result_chart (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export(data, OV_EXPORT_RESULT_CHART);
}

static void
on_export_time_chart (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export(data, OV_EXPORT_TIME_CHART);
}

static void
on_export_runs (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export(data, OV_EXPORT_RUNS);
}

static void
on_export_result (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export(data, OV_EXPORT_RESULT);
}

static void
on_export_requests (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const OvExportItem items[OV_RUN_DETAIL_N_WAYS]
      = { OV_EXPORT_LANES, OV_EXPORT_LATENCY, OV_EXPORT_HEAT };
  OvWindow *self = data;

  export(self, items[ov_run_detail_get_way (ov_run_model_get_detail (self->model))]);
}

/* ---- Results -------------------------------------------------------------------------------- */

typedef struct
{
  OvWindow *self; /* lives as long as its toasts */
  OvLibraryItem *item;
} Removal;

static void
removal_free (gpointer data, GClosure *closure)
{
  Removal *removal = data;

  g_object_unref (removal->item);
  g_free (removal);
}

static void
on_undo (AdwToast *toast, Removal *removal)
{
  g_autoptr (GError) error = NULL;

  if (!ov_result_store_restore (ov_library_get_results (removal->self->library), removal->item,
                                &error))
    ov_window_show_error (removal->self, error);
}

void
ov_window_remove_result (OvWindow *self, OvLibraryItem *item)
{
  OvResultStore *store = ov_library_get_results (self->library);
  g_autofree char *title = ov_library_item_dup_title (item);
  g_autofree char *text = g_strdup_printf (_ ("%s deleted"), title);
  g_autofree char *markup = g_markup_escape_text (text, -1);
  g_autoptr (GError) error = NULL;
  AdwToast *toast;
  Removal *removal;

  if (!ov_result_store_remove (store, item, &error))
    {
      ov_window_show_error (self, error);
      return;
    }
  removal = g_new0 (Removal, 1);
  removal->self = self;
  removal->item = g_object_ref (item);
  toast = adw_toast_new (markup);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  /* The usual five seconds are too few for who uses a screen reader, or a slow machine. */
  adw_toast_set_timeout (toast, 20);
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_undo), removal, removal_free, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* ---- What measuring costs ------------------------------------------------------------------- */

static void
on_self_cost (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;
  const OvResult *result = self->model != NULL ? ov_run_model_get_result (self->model) : NULL;

  gtk_window_present (
      ov_self_cost_dialog_new (result != NULL ? result->self_cost : NULL, GTK_WINDOW (self)));
}

/* ---- Views ---------------------------------------------------------------------------------- */

static void
show_table (OvWindow *self, gpointer chart, const char *title)
{
  gtk_window_present (ov_table_dialog_new (OV_DRAWABLE (chart), title, GTK_WINDOW (self)));
}

static void
on_result_table (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  show_table (self, ov_run_model_get_chart (self->model),
              ov_report_chart_title (ov_run_model_get_experiment (self->model),
                                     ov_run_model_get_figure (self->model)));
}

static void
on_time_table (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  show_table (self, ov_run_model_get_time_chart (self->model), _ ("Throughput and CPU"));
}

static void
on_request_table (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  OvRunDetail *detail = ov_run_model_get_detail (self->model);
  OvRunDetailWay way = ov_run_detail_get_way (detail);

  show_table (self, ov_run_detail_get_chart (detail, way),
              way == OV_RUN_DETAIL_LANES ? _ ("Requests of a Run") : _ ("Latency of Requests"));
}

static void
on_comparison_table (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;
  OvDrawable *chart = self->compare != NULL ? ov_compare_view_get_chart (self->compare) : NULL;

  if (chart != NULL)
    show_table (self, chart, _ ("Comparison"));
  else
    ov_window_add_toast (self, _ ("There is nothing to compare yet."));
}

static void
on_article (GSettings *settings, const char *key, OvWindow *self)
{
  GHashTableIter iter;
  gpointer model;

  g_hash_table_iter_init (&iter, self->models);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    ov_run_model_set_overlay_visible (model, g_settings_get_boolean (settings, "article-lines"),
                                      g_settings_get_boolean (settings, "article-bars"));
}

static void
on_live_seconds (GSettings *settings, const char *key, OvWindow *self)
{
  GHashTableIter iter;
  gpointer model;

  g_hash_table_iter_init (&iter, self->models);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    ov_run_model_set_live_seconds (model, g_settings_get_uint (settings, key));
}

static void
on_view_change (GSimpleAction *action, GVariant *value, gpointer data)
{
  ov_window_show_view (data, g_variant_get_string (value, NULL));
}

static void
on_figure_change (GSimpleAction *action, GVariant *value, gpointer data)
{
  OvWindow *self = data;
  OvFigure figure;

  if (self->model == NULL || !ov_figure_from_nick (g_variant_get_string (value, NULL), &figure))
    return;
  ov_run_model_set_figure (self->model, figure);
  g_simple_action_set_state (action, value);
}

static void
on_search (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  adw_leaflet_set_visible_child_name (self->leaflet, "sidebar");
  ov_sidebar_focus_search (self->sidebar);
}

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OvWindow *self = data;

  adw_leaflet_set_visible_child_name (self->leaflet, "sidebar");
}

/* Where it lies, GTK does not find it by itself, which would make it with each window. */
static void
on_help_overlay (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkApplicationWindow *window = data;

  if (gtk_application_window_get_help_overlay (window) == NULL)
    {
      g_autoptr (GtkBuilder) builder
          = gtk_builder_new_from_resource (OV_RESOURCE "help-overlay.ui");

      gtk_application_window_set_help_overlay (
          window, GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
    }
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (window)));
}

/* ---- All of them ---------------------------------------------------------------------------- */

static const GActionEntry entries[] = {
  { .name = "run", .activate = on_run },
  { .name = "stop", .activate = on_stop },
  { .name = "settings", .activate = on_settings },
  { .name = "choose-folder", .activate = on_choose_folder },
  { .name = "choose-file", .activate = on_choose_file },
  { .name = "choose-own-disk", .activate = on_choose_own_disk },
  { .name = "choose-simulated", .activate = on_choose_simulated, .parameter_type = "s" },
  { .name = "look-again", .activate = on_look_again },
  { .name = "open", .activate = on_open },
  { .name = "export", .activate = on_export },
  { .name = "export-comparison", .activate = on_export_comparison },
  { .name = "show-comparison-table", .activate = on_comparison_table },
  { .name = "export-result-chart", .activate = on_export_result_chart },
  { .name = "export-time-chart", .activate = on_export_time_chart },
  { .name = "export-runs", .activate = on_export_runs },
  { .name = "export-result", .activate = on_export_result },
  { .name = "export-requests", .activate = on_export_requests },
  { .name = "show-request-table", .activate = on_request_table },
  { .name = "show-result-table", .activate = on_result_table },
  { .name = "show-time-table", .activate = on_time_table },
  { .name = "self-cost", .activate = on_self_cost },
  { .name = "search", .activate = on_search },
  { .name = "back", .activate = on_back },
  { .name = "show-help-overlay", .activate = on_help_overlay },
  { .name = "view", .parameter_type = "s", .state = "'run'", .change_state = on_view_change },
  { .name = "figure",
    .parameter_type = "s",
    .state = "'elapsed'",
    .change_state = on_figure_change },
};

void
ov_window_add_actions (OvWindow *self)
{
  GSettings *settings = ov_gsettings_get ();
  g_autoptr (GAction) article = g_settings_create_action (settings, "article-lines");
  g_autoptr (GAction) article_bars = g_settings_create_action (settings, "article-bars");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), article);
  g_action_map_add_action (G_ACTION_MAP (self), article_bars);
  g_signal_connect_object (settings, "changed::article-lines", G_CALLBACK (on_article), self, 0);
  g_signal_connect_object (settings, "changed::article-bars", G_CALLBACK (on_article), self, 0);
  g_signal_connect_object (settings, "changed::live-seconds", G_CALLBACK (on_live_seconds), self,
                           0);
}

static void
enable (OvWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
ov_window_update_actions (OvWindow *self)
{
  gboolean any = self->model != NULL;
  gboolean idle = any && self->asking == NULL && !ov_run_model_is_running (self->model);
  g_autofree char *obstacle = idle ? ov_run_model_why_not (self->model) : NULL;
  const char *view = adw_view_stack_get_visible_child_name (self->stack);
  GAction *view_action = g_action_map_lookup_action (G_ACTION_MAP (self), "view");

  enable (self, "run", self->running == NULL && idle && obstacle == NULL);
  enable (self, "stop", self->running != NULL || self->asking != NULL);
  enable (self, "settings", idle);
  enable (self, "choose-folder", idle);
  enable (self, "choose-file", idle);
  enable (self, "choose-simulated", idle);
  enable (self, "choose-own-disk", idle);
  enable (self, "look-again", idle);
  enable (self, "export", any);
  enable (self, "export-result-chart", any);
  enable (self, "export-time-chart", any && ov_run_model_get_result (self->model) != NULL);
  enable (self, "export-runs", any && ov_run_model_get_result (self->model) != NULL);
  enable (self, "export-result", any && ov_run_model_get_result (self->model) != NULL);
  enable (self, "export-requests", any);
  enable (self, "self-cost", self->running == NULL);
  enable (self, "show-request-table", any);
  enable (self, "show-result-table", any);
  enable (self, "show-time-table", any);
  if (any)
    g_simple_action_set_state (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "figure")),
        g_variant_new_string (ov_figure_nick (ov_run_model_get_figure (self->model))));
  if (view != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (view_action), g_variant_new_string (view));
}
