// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWindow's Run and Stop. Where strategies need privilege it is asked for before anything is
 * timed, once; refused, what works without is run. While the question is open the button is Stop.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "engine/ov-elevation.h"

#include "gui/ov-window-private.h"

/* A press that was meant as Stop and comes just after the end starts nothing. */
#define DEAD_TIME_US (400 * 1000)

/* Starts what is shown; `launcher` and `strategies`: of the worker that has the privilege, or NULL.
 */
static void
start (OvWindow *self, OvRunModel *model, const OvLauncher *launcher, GPtrArray *strategies)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GError) error = NULL;

  if (!ov_run_model_start (model, launcher, strategies, &error))
    ov_window_show_error (self, error);
  /* A run that failed at once has ended already. */
  else if (ov_run_model_is_running (model))
    {
      self->running = g_object_ref (model);
      if (application != NULL)
        self->inhibit_cookie = gtk_application_inhibit (application, GTK_WINDOW (self),
                                                        GTK_APPLICATION_INHIBIT_SUSPEND,
                                                        _ ("An experiment is running"));
    }
  ov_window_update (self);
}

typedef struct
{
  OvWindow *self;
  OvRunModel *model;
} Asking;

static void
asking_free (Asking *asking)
{
  g_object_unref (asking->model);
  g_object_unref (asking->self);
  g_free (asking);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  OvWindow *self = asking->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (OvLauncher) launcher = NULL;
  g_autoptr (OvCatalog) catalog = ov_elevation_ask_finish (result, &launcher, &error);
  const gboolean stopped = self->asking == NULL || g_cancellable_is_cancelled (self->asking);

  g_clear_object (&self->asking);
  if (self->closing)
    {
      if (self->running == NULL && self->n_saving == 0)
        gtk_window_destroy (GTK_WINDOW (self));
    }
  else if (stopped)
    ov_window_update (self);
  else
    {
      if (catalog == NULL)
        {
          g_prefix_error (&error, "%s ", _ ("Strategies that need privilege are left out."));
          ov_window_show_error (self, error);
        }
      else if (self->strategies != NULL)
        ov_elevation_add_others (catalog->strategies, self->strategies);
      start (self, asking->model, launcher, catalog != NULL ? catalog->strategies : NULL);
    }
  asking_free (asking);
}

void
ov_window_run (OvWindow *self)
{
  Asking *asking;

  if (self->running != NULL || self->asking != NULL || self->model == NULL
      || g_get_monotonic_time () - self->ended_us < DEAD_TIME_US)
    return;
  ov_banner_hide (self->banner);
  ov_window_show_view (self, "run");
  if (!ov_run_model_needs_privilege (self->model))
    {
      start (self, self->model, NULL, NULL);
      return;
    }
  asking = g_new0 (Asking, 1);
  asking->self = g_object_ref (self);
  asking->model = g_object_ref (self->model);
  self->asking = g_cancellable_new ();
  ov_elevation_ask_async (self->asking, on_answer, asking);
  ov_window_update (self);
}

void
ov_window_stop (OvWindow *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  else if (self->running != NULL)
    ov_run_model_stop (self->running);
}
