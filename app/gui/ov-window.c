// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWindow: what is shown, and the run that goes on. Each experiment and each opened result has a
 * model of its own, which stays until the window goes, so that nothing measured is lost by looking
 * at something else.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "report/ov-report.h"

#include "gui/ov-choices.h"
#include "gui/ov-gsettings.h"
#include "gui/ov-lazy-menu.h"
#include "gui/ov-tooltip.h"
#include "gui/ov-window-private.h"

/* A closed window that is still running forces after that, and gives up after that. */
#define CLOSE_FORCE_MS 1500

G_DEFINE_FINAL_TYPE (OvWindow, ov_window, ADW_TYPE_APPLICATION_WINDOW)

enum
{
  SIGNAL_MODEL_CHANGED,
  SIGNAL_FINISHED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

void
ov_window_add_toast (OvWindow *self, const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *markup = g_markup_escape_text (text, -1);

  adw_toast_set_title (toast, markup);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

void
ov_window_show_error (OvWindow *self, const GError *error)
{
  g_return_if_fail (OV_IS_WINDOW (self) && error != NULL);
  ov_banner_show (self->banner, error->message, NULL, NULL);
}

/* ---- The button and what stands beside it --------------------------------------------------- */

/* In a narrow window the progress stands below the title; where the button and the switcher leave
 * it too little room, the switcher goes to the bottom for the rest of the run. */
static void
place_progress (OvWindow *self)
{
  gboolean folded = adw_leaflet_get_folded (self->leaflet);
  gboolean below;

  self->cramped = self->running != NULL
                  && (self->cramped
                      || (gtk_widget_get_mapped (GTK_WIDGET (self->progress))
                          && pango_layout_is_ellipsized (gtk_label_get_layout (self->progress))));
  below = folded || self->cramped;
  adw_view_switcher_title_set_view_switcher_enabled (self->title, !self->cramped);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), !below);
  adw_view_switcher_title_set_subtitle (self->title,
                                        below ? gtk_label_get_text (self->progress) : "");
}

static void
show_progress (OvWindow *self)
{
  OvRunModel *model = self->running != NULL ? self->running : self->model;
  g_autofree char *text = self->asking != NULL ? g_strdup (_ ("asking for privilege…"))
                          : model != NULL      ? ov_run_model_describe_progress (model)
                                               : g_strdup ("");

  if (self->running != NULL && self->running != self->model)
    {
      g_autofree char *line = g_steal_pointer (&text);

      text = g_strdup_printf (
          "%s: %s", ov_report_tr (ov_run_model_get_experiment (self->running)->title), line);
    }
  if (g_strcmp0 (text, gtk_label_get_text (self->progress)) != 0)
    {
      gtk_label_set_text (self->progress, text);
      ov_tooltip_set (GTK_WIDGET (self->progress), text);
    }
  place_progress (self);
}

static gboolean
on_progress (gpointer data)
{
  show_progress (data);
  return G_SOURCE_CONTINUE;
}

/* What the one button is. */
static const struct
{
  const char *icon;
  const char *label;
  const char *tooltip;
} faces[] = {
  { "media-playback-start-symbolic", NC_ ("action", "Run"), N_ ("Run the Experiment (F5)") },
  { "media-playback-stop-symbolic", NC_ ("action", "Stop"), N_ ("Stop the Run (Esc)") },
  { "process-stop-symbolic", NC_ ("action", "Force"), N_ ("End the Run by Force (Esc)") },
};

static void
show_face (OvWindow *self, guint face)
{
  adw_button_content_set_icon_name (self->run_content, faces[face].icon);
  adw_button_content_set_label (self->run_content,
                                g_dpgettext2 (NULL, "action", faces[face].label));
}

/* The button stays as wide as its widest face, so that nothing moves when it changes. Icons are of
 * one width, and those that are not shown yet need not be loaded. */
static void
fix_button_width (OvWindow *self)
{
  int widest = 0;

  for (guint face = 0; face < G_N_ELEMENTS (faces); face++)
    {
      int width;

      adw_button_content_set_label (self->run_content,
                                    g_dpgettext2 (NULL, "action", faces[face].label));
      gtk_widget_measure (GTK_WIDGET (self->run_button), GTK_ORIENTATION_HORIZONTAL, -1, NULL,
                          &width, NULL, NULL);
      widest = MAX (widest, width);
    }
  gtk_widget_set_size_request (GTK_WIDGET (self->run_button), widest, -1);
}

static void
show_button (OvWindow *self)
{
  OvSuiteState state
      = self->running != NULL ? ov_run_model_get_state (self->running) : OV_SUITE_IDLE;
  guint face = self->asking != NULL         ? 1
               : self->running == NULL      ? 0
               : state >= OV_SUITE_STOPPING ? 2
                                            : 1;
  GtkWidget *button = GTK_WIDGET (self->run_button);

  show_face (self, face);
  ov_tooltip_set (button, _ (faces[face].tooltip));
  gtk_widget_remove_css_class (button, face == 0 ? "destructive-action" : "suggested-action");
  gtk_widget_add_css_class (button, face == 0 ? "suggested-action" : "destructive-action");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), face == 0 ? "win.run" : "win.stop");
}

/* Elapsed time is counted while something runs and somebody sees it. */
static void
update_timer (OvWindow *self)
{
  gboolean wanted = self->running != NULL && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (wanted && self->progress_id == 0)
    self->progress_id = g_timeout_add_seconds (1, on_progress, self);
  else if (!wanted)
    g_clear_handle_id (&self->progress_id, g_source_remove);
}

void
ov_window_update (OvWindow *self)
{
  show_button (self);
  show_progress (self);
  update_timer (self);
  ov_window_update_actions (self);
}

/* ---- Models --------------------------------------------------------------------------------- */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvWindow) self = data;
  g_autoptr (GError) error = NULL;
  OvLibraryItem *item = ov_result_store_save_finish (OV_RESULT_STORE (source), result, &error);

  self->n_saving--;
  if (item == NULL)
    {
      g_prefix_error (&error, "%s ", _ ("The result could not be stored; export it to keep it."));
      /* Its figures are still shown, and may be stored elsewhere: a window that was closed comes
       * back to say so, and goes when it is closed again. */
      if (self->closing)
        gtk_window_present (GTK_WINDOW (self));
      self->closing = FALSE;
      ov_window_show_error (self, error);
    }
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
  if (self->closing && self->running == NULL && self->n_saving == 0)
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
announce_end (OvWindow *self, OvRunModel *model, const GError *error)
{
  g_autofree char *text = ov_run_model_describe_progress (model);

  if (error != NULL)
    ov_window_show_error (self, error);
  else if (model != self->model || ov_run_model_get_result (model)->partial)
    ov_window_add_toast (self, text);
}

static void
on_model_finished (OvWindow *self, gpointer error, OvRunModel *model)
{
  OvResult *result = ov_run_model_get_result (model);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  g_clear_handle_id (&self->force_id, g_source_remove);
  self->ended_us = g_get_monotonic_time ();
  if (self->inhibit_cookie != 0 && application != NULL)
    gtk_application_uninhibit (application, self->inhibit_cookie);
  self->inhibit_cookie = 0;
  announce_end (self, model, error);
  if (self->running == model)
    g_clear_object (&self->running);
  ov_window_update (self);
  if (result != NULL && result->runs->len > 0)
    {
      self->n_saving++;
      ov_result_store_save_async (ov_library_get_results (self->library), result, on_saved,
                                  g_object_ref (self));
    }
  else
    {
      g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
      if (self->closing && self->n_saving == 0)
        gtk_window_destroy (GTK_WINDOW (self));
    }
}

static void
on_plan_changed (OvWindow *self, OvRunModel *model)
{
  if (model == self->model)
    ov_window_update_actions (self);
}

/* What the user chose for the experiment that is shown is kept for the next time; a stored result
 * brings its own. */
static void
on_settings_changed (OvRunSettings *settings, OvWindow *self)
{
  if (self->model != NULL && ov_run_model_get_settings (self->model) == settings && !self->automatic
      && ov_run_model_get_result_path (self->model) == NULL)
    ov_choices_save (settings, self->strategies);
}

void
ov_window_adopt_model (OvWindow *self, const char *key, OvRunModel *model)
{
  g_hash_table_replace (self->models, g_strdup (key), model);
  g_signal_connect_object (model, "plan-changed", G_CALLBACK (on_plan_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "state-changed", G_CALLBACK (ov_window_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "finished", G_CALLBACK (on_model_finished), self,
                           G_CONNECT_SWAPPED);
  ov_run_model_set_overlay_visible (model,
                                    g_settings_get_boolean (ov_gsettings_get (), "article-lines"),
                                    g_settings_get_boolean (ov_gsettings_get (), "article-bars"));
  ov_run_model_set_live_seconds (model, g_settings_get_uint (ov_gsettings_get (), "live-seconds"));
  if (self->launcher != NULL)
    ov_run_model_set_worker (model, self->launcher, self->strategies);
  g_signal_connect_object (ov_run_model_get_settings (model), "changed",
                           G_CALLBACK (on_settings_changed), self, 0);
}

static void
on_forecast (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvRunModel) model = data;
  OvForecast *forecast = ov_opened_result_forecast_finish (result, NULL);

  if (forecast != NULL)
    ov_run_model_take_forecast (model, forecast);
}

/* The model of an experiment. Borrowed. */
static OvRunModel *
need_model (OvWindow *self, OvLibraryItem *item)
{
  const char *key = ov_library_item_get_key (item);
  OvRunModel *model = g_hash_table_lookup (self->models, key);
  OvExperiment *experiment = ov_library_item_get_experiment (item);
  OvLibraryItem *last = ov_library_find_last_result (self->library, key);

  if (model != NULL && ov_run_model_get_experiment (model) == experiment)
    return model;
  model = ov_run_model_new (experiment);
  ov_choices_load (ov_run_model_get_settings (model));
  ov_window_adopt_model (self, key, model);
  if (last != NULL)
    ov_opened_result_forecast_async (ov_library_item_get_key (last), NULL, on_forecast,
                                     g_object_ref (model));
  return model;
}

void
ov_window_show_model (OvWindow *self, OvRunModel *model)
{
  OvExperiment *experiment = ov_run_model_get_experiment (model);

  g_set_object (&self->model, model);
  if (self->learn != NULL)
    ov_learn_view_set_experiment (self->learn, experiment);
  if (self->run != NULL)
    ov_run_view_set_model (self->run, model);
  if (self->compare != NULL)
    ov_compare_view_set_model (self->compare, model);
  adw_view_switcher_title_set_title (self->title, ov_report_tr (experiment->title));
  ov_window_update (self);
  g_signal_emit (self, signals[SIGNAL_MODEL_CHANGED], 0);
}

OvRunModel *
ov_window_get_model (OvWindow *self)
{
  g_return_val_if_fail (OV_IS_WINDOW (self), NULL);
  return self->model;
}

/* ---- Choosing ------------------------------------------------------------------------------- */

static void
on_selected (OvWindow *self, OvLibraryItem *item)
{
  if (ov_library_item_get_section (item) == OV_LIBRARY_RESULT)
    {
      ov_window_open_result (self, ov_library_item_get_key (item));
      return;
    }
  ov_window_stop_loading (self);
  if (!self->automatic)
    g_settings_set_string (ov_gsettings_get (), "experiment",
                           ov_library_item_get_section (item) == OV_LIBRARY_OWN
                                   && ov_library_item_get_experiment (item)->path != NULL
                               ? ov_library_item_get_experiment (item)->path
                               : ov_library_item_get_key (item));
  ov_window_show_model (self, need_model (self, item));
  if (g_strcmp0 (adw_view_stack_get_visible_child_name (self->stack), "results") == 0)
    ov_window_show_view (self, "run");
}

/* In a narrow window a press on an item goes to the content. */
static void
on_activated (OvWindow *self)
{
  if (adw_leaflet_get_folded (self->leaflet))
    adw_leaflet_navigate (self->leaflet, ADW_NAVIGATION_DIRECTION_FORWARD);
}

static void
on_result_open (OvWindow *self, OvLibraryItem *item)
{
  ov_sidebar_select (self->sidebar, item);
  ov_window_open_result (self, ov_library_item_get_key (item));
}

static void
on_result_remove (OvWindow *self, OvLibraryItem *item)
{
  ov_window_remove_result (self, item);
}

gboolean
ov_window_select_experiment (OvWindow *self, const char *id)
{
  OvLibraryItem *item;

  g_return_val_if_fail (OV_IS_WINDOW (self), FALSE);
  item = ov_library_find_experiment (self->library, id);
  if (item == NULL && g_path_is_absolute (id))
    {
      g_autoptr (OvExperiment) experiment = ov_experiment_load (id, NULL);

      if (experiment != NULL)
        item = ov_library_add_experiment (self->library, experiment);
    }
  if (item != NULL)
    ov_sidebar_select (self->sidebar, item);
  return item != NULL;
}

void
ov_window_set_automatic (OvWindow *self, gboolean automatic)
{
  g_return_if_fail (OV_IS_WINDOW (self));
  self->automatic = automatic;
}

void
ov_window_show_view (OvWindow *self, const char *name)
{
  g_return_if_fail (OV_IS_WINDOW (self));

  if (adw_view_stack_get_child_by_name (self->stack, name) == NULL)
    return;
  adw_view_stack_set_visible_child_name (self->stack, name);
  if (adw_leaflet_get_folded (self->leaflet))
    adw_leaflet_set_visible_child_name (self->leaflet, "content");
}

void
ov_window_focus_list (OvWindow *self)
{
  g_return_if_fail (OV_IS_WINDOW (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->sidebar));
}

static void
need_learn (OvWindow *self)
{
  self->learn = g_object_new (OV_TYPE_LEARN_VIEW, NULL);
  if (self->model != NULL)
    ov_learn_view_set_experiment (self->learn, ov_run_model_get_experiment (self->model));
  ov_learn_view_set_strategies (self->learn, self->strategies);
  adw_bin_set_child (self->learn_page, GTK_WIDGET (self->learn));
}

static void
need_run (OvWindow *self)
{
  self->run = g_object_new (OV_TYPE_RUN_VIEW, NULL);
  ov_run_view_set_model (self->run, self->model);
  adw_bin_set_child (self->run_page, GTK_WIDGET (self->run));
}

static void
need_compare (OvWindow *self)
{
  self->compare = g_object_new (OV_TYPE_COMPARE_VIEW, NULL);
  ov_compare_view_set_library (self->compare, self->library);
  ov_compare_view_set_model (self->compare, self->model);
  adw_bin_set_child (self->compare_page, GTK_WIDGET (self->compare));
}

static void
need_results (OvWindow *self)
{
  self->results = g_object_new (OV_TYPE_RESULTS_VIEW, NULL);
  g_signal_connect_object (self->results, "open", G_CALLBACK (on_result_open), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->results, "remove", G_CALLBACK (on_result_remove), self,
                           G_CONNECT_SWAPPED);
  ov_results_view_set_library (self->results, self->library);
  adw_bin_set_child (self->results_page, GTK_WIDGET (self->results));
}

/* A view is made when it is shown first: three of four are not needed for the first frame. */
static void
need_view (OvWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->stack);

  if (g_strcmp0 (name, "learn") == 0 && self->learn == NULL)
    need_learn (self);
  else if (g_strcmp0 (name, "run") == 0 && self->run == NULL)
    need_run (self);
  else if (g_strcmp0 (name, "compare") == 0 && self->compare == NULL)
    need_compare (self);
  else if (g_strcmp0 (name, "results") == 0 && self->results == NULL)
    need_results (self);
}

static void
on_view (OvWindow *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->stack);

  if (name == NULL || self->library == NULL)
    return;
  if (gtk_widget_get_realized (GTK_WIDGET (self)))
    need_view (self);
  if (!self->automatic)
    g_settings_set_string (ov_gsettings_get (), "view", name);
  ov_window_update_actions (self);
}

void
ov_window_show_two (OvWindow *self, const char *path)
{
  g_return_if_fail (OV_IS_WINDOW (self));
  ov_window_show_view (self, "compare");
  if (self->compare == NULL)
    need_compare (self);
  ov_compare_view_show_two (self->compare, path);
}

static gboolean
after_folding (gpointer data)
{
  OvWindow *self = data;

  self->fold_id = 0;
  /* The bar below is for narrow windows: its buttons are made when it is needed first. */
  if (adw_view_switcher_title_get_title_visible (self->title)
      && adw_view_switcher_bar_get_stack (self->switcher_bar) == NULL)
    adw_view_switcher_bar_set_stack (self->switcher_bar, self->stack);
  gtk_widget_set_visible (self->back, adw_leaflet_get_folded (self->leaflet));
  gtk_widget_set_visible (self->export, !adw_leaflet_get_folded (self->leaflet));
  adw_header_bar_set_show_end_title_buttons (self->sidebar_header,
                                             adw_leaflet_get_folded (self->leaflet));
  place_progress (self);
  return G_SOURCE_REMOVE;
}

/* It folds while it is given its size, which is not the moment to change what it holds. */
static void
on_folded (OvWindow *self)
{
  if (self->fold_id == 0)
    self->fold_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, after_folding, self, NULL);
}

/* ---- What the worker told ------------------------------------------------------------------- */

void
ov_window_set_catalog (OvWindow *self, const OvLauncher *launcher, const OvCatalog *catalog)
{
  GHashTableIter iter;
  gpointer model;

  g_return_if_fail (OV_IS_WINDOW (self) && launcher != NULL && catalog != NULL);

  g_clear_pointer (&self->launcher, ov_launcher_free);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  g_clear_pointer (&self->faults, g_ptr_array_unref);
  self->launcher = ov_launcher_copy (launcher);
  self->strategies = g_ptr_array_ref (catalog->strategies);
  self->faults = g_ptr_array_ref (catalog->faults);
  /* What else there is to be said stays. */
  if (self->catalog_failed)
    ov_banner_hide (self->banner);
  self->catalog_failed = FALSE;
  if (self->learn != NULL)
    ov_learn_view_set_strategies (self->learn, self->strategies);
  g_hash_table_iter_init (&iter, self->models);
  while (g_hash_table_iter_next (&iter, NULL, &model))
    ov_run_model_set_worker (model, self->launcher, self->strategies);
  ov_window_update (self);
}

void
ov_window_set_catalog_error (OvWindow *self, const GError *error)
{
  g_return_if_fail (OV_IS_WINDOW (self) && error != NULL);
  ov_banner_show (self->banner, error->message, _ ("Try _Again"), "app.load-catalog");
  self->catalog_failed = TRUE;
}

/* ---- Closing -------------------------------------------------------------------------------- */

static gboolean
on_force (gpointer data)
{
  OvWindow *self = data;

  self->force_id = 0;
  ov_window_stop (self);
  return G_SOURCE_REMOVE;
}

static void
save_size (OvWindow *self)
{
  GSettings *settings = ov_gsettings_get ();
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self));
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!maximized && width >= 360 && height >= 294)
    {
      g_settings_set_int (settings, "window-width", width);
      g_settings_set_int (settings, "window-height", height);
    }
  g_settings_set_boolean (settings, "window-maximized", maximized);
}

/* Closing stops at once, and asks nothing: what was measured is kept. The window goes from the
 * screen, and lives until the run has ended and every result is on the disk. */
static gboolean
ov_window_close_request (GtkWindow *window)
{
  OvWindow *self = OV_WINDOW (window);

  if (!self->automatic)
    save_size (self);
  if (self->running == NULL && self->asking == NULL && self->n_saving == 0)
    return FALSE;
  if (!self->closing)
    {
      self->closing = TRUE;
      gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
      if (self->asking != NULL)
        ov_window_stop (self);
      if (self->running != NULL && ov_run_model_get_state (self->running) < OV_SUITE_STOPPING)
        ov_window_stop (self);
      if (self->running != NULL)
        self->force_id = g_timeout_add (CLOSE_FORCE_MS, on_force, self);
    }
  return TRUE;
}

/* ---- The widget ----------------------------------------------------------------------------- */

/* Before the window's size is found, and not before it is known which view comes first. */
static void
ov_window_realize (GtkWidget *widget)
{
  need_view (OV_WINDOW (widget));
  GTK_WIDGET_CLASS (ov_window_parent_class)->realize (widget);
}

static void
ov_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_window_parent_class)->map (widget);
  show_progress (OV_WINDOW (widget));
  update_timer (OV_WINDOW (widget));
}

static void
ov_window_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_window_parent_class)->unmap (widget);
  update_timer (OV_WINDOW (widget));
}

static void
ov_window_dispose (GObject *object)
{
  OvWindow *self = OV_WINDOW (object);

  ov_window_stop_loading (self);
  g_cancellable_cancel (self->gone);
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_handle_id (&self->force_id, g_source_remove);
  g_clear_handle_id (&self->fold_id, g_source_remove);
  g_clear_object (&self->running);
  g_clear_object (&self->model);
  g_clear_pointer (&self->models, g_hash_table_unref);
  g_clear_pointer (&self->launcher, ov_launcher_free);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  g_clear_pointer (&self->faults, g_ptr_array_unref);
  g_clear_object (&self->library);
  G_OBJECT_CLASS (ov_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child (klass, OvWindow, toasts);
  gtk_widget_class_bind_template_child (klass, OvWindow, leaflet);
  gtk_widget_class_bind_template_child (klass, OvWindow, sidebar);
  gtk_widget_class_bind_template_child (klass, OvWindow, sidebar_header);
  gtk_widget_class_bind_template_child (klass, OvWindow, content);
  gtk_widget_class_bind_template_child (klass, OvWindow, back);
  gtk_widget_class_bind_template_child (klass, OvWindow, run_button);
  gtk_widget_class_bind_template_child (klass, OvWindow, run_content);
  gtk_widget_class_bind_template_child (klass, OvWindow, progress);
  gtk_widget_class_bind_template_child (klass, OvWindow, title);
  gtk_widget_class_bind_template_child (klass, OvWindow, export);
  gtk_widget_class_bind_template_child (klass, OvWindow, menu);
  gtk_widget_class_bind_template_child (klass, OvWindow, main_menu);
  gtk_widget_class_bind_template_child (klass, OvWindow, banner);
  gtk_widget_class_bind_template_child (klass, OvWindow, stack);
  gtk_widget_class_bind_template_child (klass, OvWindow, switcher_bar);
  gtk_widget_class_bind_template_child (klass, OvWindow, learn_page);
  gtk_widget_class_bind_template_child (klass, OvWindow, run_page);
  gtk_widget_class_bind_template_child (klass, OvWindow, compare_page);
  gtk_widget_class_bind_template_child (klass, OvWindow, results_page);
}

static void
ov_window_finalize (GObject *object)
{
  g_object_unref (OV_WINDOW (object)->gone);
  G_OBJECT_CLASS (ov_window_parent_class)->finalize (object);
}

static void
ov_window_class_init (OvWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_BANNER);
  g_type_ensure (OV_TYPE_SIDEBAR);
  G_OBJECT_CLASS (klass)->dispose = ov_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = ov_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = ov_window_close_request;
  widget_class->realize = ov_window_realize;
  widget_class->map = ov_window_map;
  widget_class->unmap = ov_window_unmap;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-window.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_folded);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_view);
  signals[SIGNAL_MODEL_CHANGED] = g_signal_new ("model-changed", OV_TYPE_WINDOW, G_SIGNAL_RUN_LAST,
                                                0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED] = g_signal_new ("finished", OV_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_window_init (OvWindow *self)
{
  self->models = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->gone = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  ov_lazy_menu_set (self->menu, self->main_menu);
  ov_window_add_actions (self);
  fix_button_width (self);
}

static void
on_library_error (OvWindow *self, gpointer error)
{
  ov_window_show_error (self, error);
}

OvWindow *
ov_window_new (AdwApplication *application, OvLibrary *library)
{
  OvWindow *self = g_object_new (OV_TYPE_WINDOW, "application", application, NULL);
  GSettings *settings = ov_gsettings_get ();
  g_autofree char *view = g_settings_get_string (settings, "view");

  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  ov_window_show_view (self, view);
  adw_leaflet_set_visible_child_name (self->leaflet, "content");
  self->library = g_object_ref (library);
  g_signal_connect_object (library, "error", G_CALLBACK (on_library_error), self,
                           G_CONNECT_SWAPPED);
  ov_sidebar_set_library (self->sidebar, library);
  ov_window_update (self);
  return self;
}
