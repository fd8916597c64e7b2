// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvApplication: the window is there at once; strategies are asked for meanwhile.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "gui/ov-application.h"
#include "gui/ov-automation.h"
#include "gui/ov-gsettings.h"
#include "gui/ov-preferences.h"
#include "gui/ov-window.h"

/* What waits for the first frame waits no longer than that. */
#define FIRST_FRAME_MS 1000

struct _OvApplication
{
  AdwApplication parent_instance;

  OvLibrary *library;
  OvLauncher *launcher;
  OvCatalog *catalog;
  OvWindow *window; /* weak */
  OvAutomation *automation;
  GCancellable *loading;
  GPtrArray
      *folders;  /* of char*: to run in, as soon as what is opened with them is there; or NULL */
  guint rest_id; /* until the window has been seen */
  int status;
};

G_DEFINE_FINAL_TYPE (OvApplication, ov_application, ADW_TYPE_APPLICATION)

/* ---- Strategies ----------------------------------------------------------------------------- */

static void
on_catalog (GObject *source, GAsyncResult *result, gpointer data)
{
  OvApplication *self = data;
  g_autoptr (GError) error = NULL;
  OvCatalog *catalog = ov_catalog_load_finish (result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_object (&self->loading);
      if (catalog != NULL)
        {
          g_clear_pointer (&self->catalog, ov_catalog_free);
          self->catalog = catalog;
        }
      if (self->window != NULL && catalog != NULL)
        ov_window_set_catalog (self->window, self->launcher, catalog);
      else if (self->window != NULL)
        ov_window_set_catalog_error (self->window, error);
    }
  g_object_unref (self);
}

static void
load_catalog (OvApplication *self)
{
  if (self->loading != NULL)
    return;
  self->loading = g_cancellable_new ();
  ov_catalog_load_async (self->launcher, self->loading, on_catalog, g_object_ref (self));
}

/* ---- Actions -------------------------------------------------------------------------------- */

static void
on_load_catalog (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  load_catalog (data);
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (
      ov_preferences_new (gtk_application_get_active_window (GTK_APPLICATION (data))));
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const developers[] = { "The Overlap project", NULL };
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (data));

  adw_show_about_window (
      parent, "application-name", "Overlap", "application-icon", OV_APP_ID, "version", OV_VERSION,
      "developer-name", "The Overlap project", "developers", developers, "comments",
      _ ("Shows what each way of doing I/O costs, on this machine"), "license-type",
      GTK_LICENSE_GPL_3_0, "website", "https://overlap-app.github.io/overlap/", "issue-url",
      "https://github.com/overlap-app/overlap/issues", "translator-credits",
      /* Translators: your name, and your address if you like. */
      _ ("translator-credits"), NULL);
}

/* Windows are asked one by one, so that each stops what it runs. */
static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (GTK_WINDOW (l->data));
}

static const GActionEntry entries[] = {
  { .name = "load-catalog", .activate = on_load_catalog },
  { .name = "preferences", .activate = on_preferences },
  { .name = "about", .activate = on_about },
  { .name = "quit", .activate = on_quit },
};

static const struct
{
  const char *action;
  const char *keys[3];
} accelerators[] = {
  { "win.run", { "F5", "<primary>r" } },
  { "win.stop", { "Escape" } },
  { "win.settings", { "<primary>t" } },
  { "win.choose-folder", { "<primary>d" } },
  { "win.open", { "<primary>o" } },
  { "win.export", { "<primary>s" } },
  { "win.show-result-table", { "<primary>1" } },
  { "win.show-time-table", { "<primary>2" } },
  { "win.search", { "<primary>f" } },
  { "win.view('learn')", { "<alt>1" } },
  { "win.view('run')", { "<alt>2" } },
  { "win.view('compare')", { "<alt>3" } },
  { "win.view('results')", { "<alt>4" } },
  { "win.show-help-overlay", { "<primary>question" } },
  { "window.close", { "<primary>w" } },
  { "app.preferences", { "<primary>comma" } },
  { "app.quit", { "<primary>q" } },
};

/* ---- The application ------------------------------------------------------------------------ */

static void
show_scheme (OvApplication *self)
{
  static const AdwColorScheme schemes[]
      = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK };
  int scheme = g_settings_get_enum (ov_gsettings_get (), "color-scheme");

  adw_style_manager_set_color_scheme (adw_application_get_style_manager (ADW_APPLICATION (self)),
                                      schemes[CLAMP (scheme, 0, (int)G_N_ELEMENTS (schemes) - 1)]);
}

static void
ov_application_startup (GApplication *application)
{
  OvApplication *self = OV_APPLICATION (application);

  G_APPLICATION_CLASS (ov_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           accelerators[i].keys);
  gtk_window_set_default_icon_name (OV_APP_ID);
  g_signal_connect_object (ov_gsettings_get (), "changed::color-scheme", G_CALLBACK (show_scheme),
                           self, G_CONNECT_SWAPPED);
  show_scheme (self);
  self->launcher = ov_launcher_new (NULL);
  self->library = ov_library_new ();
}

static void
on_automation_done (OvApplication *self, int status)
{
  self->status = status;
  on_quit (NULL, NULL, self);
}

/* The experiment of last time, else the first one. */
static void
select_first (OvApplication *self)
{
  g_autofree char *id = g_settings_get_string (ov_gsettings_get (), "experiment");
  GListModel *experiments = ov_library_get_experiments (self->library);

  if (!ov_window_select_experiment (self->window, id) && g_list_model_get_n_items (experiments) > 0)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (experiments, 0);

      ov_window_select_experiment (self->window, ov_library_item_get_key (item));
    }
}

/* Runs in the folders that were given. */
static void
use_folders (OvApplication *self)
{
  OvRunModel *model = self->window != NULL ? ov_window_get_model (self->window) : NULL;

  if (self->folders == NULL || model == NULL)
    return;
  ov_run_settings_set_targets (ov_run_model_get_settings (model),
                               (const char *const *)self->folders->pdata);
  g_clear_pointer (&self->folders, g_ptr_array_unref);
}

/* What takes processor time and is not in the first frame: results of before, and strategies. */
static gboolean
load_rest (gpointer data)
{
  OvApplication *self = data;

  self->rest_id = 0;
  ov_library_load_results (self->library);
  if (self->catalog == NULL)
    load_catalog (self);
  return G_SOURCE_REMOVE;
}

static void
on_first_frame (GdkFrameClock *clock, OvApplication *self)
{
  g_signal_handlers_disconnect_by_func (clock, on_first_frame, self);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  self->rest_id = g_idle_add (load_rest, self);
}

static void
on_map (GtkWidget *window, OvApplication *self)
{
  g_signal_handlers_disconnect_by_func (window, on_map, self);
  g_signal_connect_object (gtk_widget_get_frame_clock (window), "after-paint",
                           G_CALLBACK (on_first_frame), self, 0);
}

static void
need_window (OvApplication *self)
{
  OvWindow *window;

  if (self->window != NULL)
    return;
  window = ov_window_new (ADW_APPLICATION (self), self->library);
  g_set_weak_pointer (&self->window, window);
  if (g_list_model_get_n_items (ov_library_get_experiments (self->library)) == 0)
    ov_library_load (self->library);
  g_signal_connect_object (window, "model-changed", G_CALLBACK (use_folders), self,
                           G_CONNECT_SWAPPED);
  if (self->automation != NULL)
    ov_automation_attach (self->automation, window);
  if (ov_window_get_model (window) == NULL)
    select_first (self);
  if (self->catalog != NULL)
    ov_window_set_catalog (window, self->launcher, self->catalog);
  else
    {
      /* A window that nobody sees draws nothing. */
      g_signal_connect_object (window, "map", G_CALLBACK (on_map), self, 0);
      self->rest_id = g_timeout_add (FIRST_FRAME_MS, load_rest, self);
    }
  ov_window_focus_list (window);
}

static void
ov_application_activate (GApplication *application)
{
  OvApplication *self = OV_APPLICATION (application);

  need_window (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

/* What was given to be opened. */
typedef struct
{
  OvApplication *self;
  GPtrArray *files; /* of GFile */
  gboolean *is_folder;
  guint n_asked; /* of which it is not known yet what they are */
} Opening;

typedef struct
{
  Opening *opening;
  guint place;
} Question;

/* A folder is where to run, anything else an experiment or a result; folders are for what is opened
 * with them, else for what is shown. */
static void
open_all (Opening *opening)
{
  OvApplication *self = opening->self;
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < opening->files->len && self->window != NULL; i++)
    if (opening->is_folder[i])
      g_ptr_array_add (folders, g_file_get_path (opening->files->pdata[i]));
    else
      ov_window_open (self->window, opening->files->pdata[i]);
  if (folders->len > 0)
    {
      const gboolean alone = folders->len == opening->files->len;

      g_ptr_array_add (folders, NULL);
      g_clear_pointer (&self->folders, g_ptr_array_unref);
      self->folders = g_steal_pointer (&folders);
      if (alone)
        use_folders (self);
    }
  g_application_release (G_APPLICATION (self));
  g_ptr_array_unref (opening->files);
  g_free (opening->is_folder);
  g_free (opening);
}

static void
on_file_type (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  Opening *opening = question->opening;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);

  opening->is_folder[question->place] = info != NULL
                                        && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY
                                        && g_file_peek_path (G_FILE (source)) != NULL;
  g_free (question);
  if (--opening->n_asked == 0)
    open_all (opening);
}

/* Another thread looks: on a mount that is dead it hangs, and the window does not. */
static void
ov_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  OvApplication *self = OV_APPLICATION (application);
  Opening *opening = g_new0 (Opening, 1);

  need_window (self);
  opening->self = self;
  opening->files = g_ptr_array_new_with_free_func (g_object_unref);
  opening->is_folder = g_new0 (gboolean, n_files);
  opening->n_asked = (guint)n_files;
  g_application_hold (application);
  for (int i = 0; i < n_files; i++)
    {
      Question *question = g_new0 (Question, 1);

      question->opening = opening;
      question->place = (guint)i;
      g_ptr_array_add (opening->files, g_object_ref (files[i]));
      g_file_query_info_async (files[i], G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                               G_PRIORITY_DEFAULT, NULL, on_file_type, question);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

static int
ov_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  OvApplication *self = OV_APPLICATION (application);

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("overlap %s\n", OV_VERSION);
      return EXIT_SUCCESS;
    }
  if (!ov_gsettings_is_available ())
    {
      g_printerr (_ ("overlap: the settings schema %s is not installed; install the program, or "
                     "start it from its source folder by ./run\n"),
                  OV_APP_ID);
      return EXIT_FAILURE;
    }
  self->automation = ov_automation_new (options);
  if (self->automation != NULL)
    {
      g_signal_connect_object (self->automation, "done", G_CALLBACK (on_automation_done), self,
                               G_CONNECT_SWAPPED);
      g_application_set_flags (application,
                               g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
    }
  return -1;
}

static void
ov_application_shutdown (GApplication *application)
{
  OvApplication *self = OV_APPLICATION (application);

  g_clear_handle_id (&self->rest_id, g_source_remove);
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->automation);
  g_clear_object (&self->library);
  g_clear_pointer (&self->folders, g_ptr_array_unref);
  G_APPLICATION_CLASS (ov_application_parent_class)->shutdown (application);
}

static void
ov_application_finalize (GObject *object)
{
  OvApplication *self = OV_APPLICATION (object);

  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->catalog, ov_catalog_free);
  g_clear_pointer (&self->launcher, ov_launcher_free);
  G_OBJECT_CLASS (ov_application_parent_class)->finalize (object);
}

static void
ov_application_class_init (OvApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ov_application_finalize;
  application_class->startup = ov_application_startup;
  application_class->activate = ov_application_activate;
  application_class->open = ov_application_open;
  application_class->handle_local_options = ov_application_handle_local_options;
  application_class->shutdown = ov_application_shutdown;
}

static void
ov_application_init (OvApplication *self)
{
  static const GOptionEntry options[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
    { NULL },
  };

  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_add_main_option_entries (G_APPLICATION (self), ov_automation_get_options ());
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
  g_application_set_option_context_summary (
      G_APPLICATION (self),
      _ ("Shows what each way of doing I/O costs, on this machine. A FILE is an experiment, a "
         "result, or a folder to run in; several folders stand beside each other."));
}

OvApplication *
ov_application_new (void)
{
  return g_object_new (OV_TYPE_APPLICATION, "application-id", OV_APP_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, NULL);
}

int
ov_application_get_status (OvApplication *self)
{
  g_return_val_if_fail (OV_IS_APPLICATION (self), EXIT_FAILURE);
  return self->status;
}
