// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The window opens results and files. They are read in a thread; whatever the user turns to
 * meanwhile, and the window's end, calls that off.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-opened-result.h"
#include "gui/ov-window-private.h"

void
ov_window_stop_loading (OvWindow *self)
{
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
}

/* A result has figures to run again and to compare: whoever compares goes on comparing. */
static void
show_figures (OvWindow *self)
{
  if (g_strcmp0 (adw_view_stack_get_visible_child_name (self->stack), "compare") != 0)
    ov_window_show_view (self, "run");
}

static void
show_loaded (OvWindow *self, OvOpenedResult *opened, const char *path)
{
  OvRunModel *model = g_hash_table_lookup (self->models, path);

  if (model == NULL)
    {
      model = ov_run_model_new_for_opened (opened, path);
      ov_window_adopt_model (self, path, model);
    }
  ov_window_show_model (self, model);
  show_figures (self);
}

typedef struct
{
  OvWindow *self;
  char *path;
} Opening;

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->self);
  g_free (opening->path);
  g_free (opening);
}

static void
on_result_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Opening *opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (OvOpenedResult) loaded = ov_opened_result_load_finish (result, &error);

  if (loaded != NULL)
    show_loaded (opening->self, loaded, opening->path);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ov_window_show_error (opening->self, error);
  opening_free (opening);
}

void
ov_window_open_result (OvWindow *self, const char *path)
{
  OvRunModel *model = g_hash_table_lookup (self->models, path);
  Opening *opening;

  ov_window_stop_loading (self);
  if (model != NULL)
    {
      ov_window_show_model (self, model);
      show_figures (self);
      return;
    }
  self->loading = g_cancellable_new ();
  opening = g_new0 (Opening, 1);
  opening->self = g_object_ref (self);
  opening->path = g_strdup (path);
  ov_opened_result_load_async (path, self->loading, on_result_loaded, opening);
}

/* Not a result: it may be an experiment. If it is neither, the first error is told, unless the
 * file says that it is an experiment. */
static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  Opening *opening = data;
  OvWindow *self = opening->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second = NULL;
  g_autoptr (OvOpenedResult) loaded = ov_opened_result_load_finish (result, &error);
  g_autoptr (OvExperiment) experiment = NULL;

  if (loaded != NULL)
    {
      show_loaded (self, loaded, opening->path);
      /* The list marks what is shown: this file if it is a stored one, else nothing. */
      ov_sidebar_select (self->sidebar, ov_library_find_result (self->library, opening->path));
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      experiment = ov_experiment_load (opening->path, &second);
      if (experiment != NULL)
        ov_sidebar_select (self->sidebar, ov_library_add_experiment (self->library, experiment));
      else
        ov_window_show_error (self, second);
    }
  opening_free (opening);
}

void
ov_window_open (OvWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  Opening *opening;

  g_return_if_fail (OV_IS_WINDOW (self));

  if (path == NULL)
    {
      g_autofree char *uri = g_file_get_uri (file);
      g_autofree char *text = g_strdup_printf (_ ("%s is not a file on this machine."), uri);

      ov_banner_show (self->banner, text, NULL, NULL);
      return;
    }
  opening = g_new0 (Opening, 1);
  opening->self = g_object_ref (self);
  opening->path = g_steal_pointer (&path);
  ov_opened_result_load_async (opening->path, self->gone, on_opened, opening);
}
