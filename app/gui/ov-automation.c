// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvAutomation: steps follow the window's signals; only a picture waits a moment, so that what is
 * animated has come to rest.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <time.h>

#include "model/ov-disk.h"

#include "gui/ov-automation.h"
#include "gui/ov-drawable-view.h"
#include "gui/ov-exporter.h"
#include "gui/ov-screenshot.h"

#define SETTLE_MS 900
#define USE_MS    2000 /* from a result on, until it is exported and sorted */

struct _OvAutomation
{
  GObject parent_instance;

  GVariantDict *options;
  OvWindow *window; /* weak */
  gboolean chosen;
  gboolean used;
  guint n_exported; /* of the files that are wanted, one after the other */
  gboolean started;
  gboolean pictured;
  gboolean ended;
  gint64 beat_us;    /* when the main loop was last seen to go round */
  gint64 pause_us;   /* the longest it was not */
  gint64 cpu_ns;     /* CPU time of its thread then */
  gint64 work_ns;    /* the most of it between two times */
  gint64 measure_us; /* when measuring that began, 0: not yet */
};

G_DEFINE_FINAL_TYPE (OvAutomation, ov_automation, G_TYPE_OBJECT)

enum
{
  SIGNAL_DONE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

#define HIDDEN G_OPTION_FLAG_HIDDEN

static const GOptionEntry entries[] = {
  { "experiment", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "preset", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "target", 0, HIDDEN, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
  { "repeat", 0, HIDDEN, G_OPTION_ARG_INT, NULL, NULL, NULL },
  { "until-percent", 0, HIDDEN, G_OPTION_ARG_DOUBLE, NULL, NULL, NULL },
  { "condition", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "timing", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "figure", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "look", 0, HIDDEN, G_OPTION_ARG_INT, NULL, NULL, NULL }, /* OvRunDetailWay */
  { "strategy", 0, HIDDEN, G_OPTION_ARG_STRING_ARRAY, NULL, NULL, NULL },
  { "against", 0, HIDDEN, G_OPTION_ARG_FILENAME, NULL, NULL, NULL }, /* result A of two */
  { "view", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "window-size", 0, HIDDEN, G_OPTION_ARG_STRING, NULL, NULL, NULL },
  { "run", 0, HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  { "stop-after", 0, HIDDEN, G_OPTION_ARG_DOUBLE, NULL, NULL, NULL },
  { "quit-after-run", 0, HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  { "report-first-frame", 0, HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  { "export", 0, HIDDEN, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
  { "sort", 0, HIDDEN, G_OPTION_ARG_INT, NULL, NULL, NULL }, /* number of a column */
  { "report-pause", 0, HIDDEN, G_OPTION_ARG_DOUBLE, NULL, NULL, NULL },
  { "screenshot", 0, HIDDEN, G_OPTION_ARG_FILENAME, NULL, NULL, NULL },
  { "screenshot-scale", 0, HIDDEN, G_OPTION_ARG_DOUBLE, NULL, NULL, NULL },
  { "screenshot-after", 0, HIDDEN, G_OPTION_ARG_DOUBLE, NULL, NULL, NULL },
  { NULL },
};

const GOptionEntry *
ov_automation_get_options (void)
{
  return entries;
}

static void
ov_automation_dispose (GObject *object)
{
  OvAutomation *self = OV_AUTOMATION (object);

  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->options, g_variant_dict_unref);
  G_OBJECT_CLASS (ov_automation_parent_class)->dispose (object);
}

static void
ov_automation_class_init (OvAutomationClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ov_automation_dispose;
  signals[SIGNAL_DONE] = g_signal_new ("done", OV_TYPE_AUTOMATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
ov_automation_init (OvAutomation *self)
{
}

OvAutomation *
ov_automation_new (GVariantDict *options)
{
  OvAutomation *self;
  gboolean any = FALSE;

  for (guint i = 0; entries[i].long_name != NULL; i++)
    any = any || g_variant_dict_contains (options, entries[i].long_name);
  if (!any)
    return NULL;
  self = g_object_new (OV_TYPE_AUTOMATION, NULL);
  self->options = g_variant_dict_ref (options);
  return self;
}

static gboolean
has (OvAutomation *self, const char *name)
{
  return g_variant_dict_contains (self->options, name);
}

static double
get_double (OvAutomation *self, const char *name, double fallback)
{
  double value;

  return g_variant_dict_lookup (self->options, name, "d", &value) ? value : fallback;
}

/* Takes the message. */
static void
finish (OvAutomation *self, char *failure)
{
  if (failure != NULL)
    g_printerr ("overlap: %s\n", failure);
  g_signal_emit (self, signals[SIGNAL_DONE], 0, failure != NULL ? EXIT_FAILURE : EXIT_SUCCESS);
  g_free (failure);
}

static void
end_if_wanted (OvAutomation *self)
{
  if (self->ended
      && (has (self, "quit-after-run") || (has (self, "screenshot") && !has (self, "run"))))
    finish (self, NULL);
}

static void
on_picture (const GError *error, gpointer data)
{
  OvAutomation *self = data;

  if (error != NULL)
    finish (self, g_strdup (error->message));
  else
    end_if_wanted (self);
  g_object_unref (self);
}

/* FALSE if none was wanted, or it was taken before. */
static gboolean
take_picture (OvAutomation *self)
{
  g_autofree char *path = NULL;

  if (self->pictured || self->window == NULL
      || !g_variant_dict_lookup (self->options, "screenshot", "^ay", &path))
    return FALSE;
  self->pictured = TRUE;
  ov_screenshot_take (GTK_WINDOW (self->window), path, get_double (self, "screenshot-scale", 1),
                      on_picture, g_object_ref (self));
  return TRUE;
}

static gboolean
on_settled (gpointer data)
{
  OvAutomation *self = data;

  self->ended = TRUE;
  if (!take_picture (self))
    end_if_wanted (self);
  return G_SOURCE_REMOVE;
}

static void
settle (OvAutomation *self)
{
  g_timeout_add_full (G_PRIORITY_LOW, SETTLE_MS, on_settled, g_object_ref (self), g_object_unref);
}

static gboolean
on_picture_time (gpointer data)
{
  take_picture (data);
  return G_SOURCE_REMOVE;
}

static gboolean
on_stop_time (gpointer data)
{
  OvAutomation *self = data;

  if (self->window != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.stop", NULL);
  return G_SOURCE_REMOVE;
}

static void
after (OvAutomation *self, const char *option, GSourceFunc func)
{
  if (has (self, option))
    g_timeout_add_full (G_PRIORITY_DEFAULT, (guint)(get_double (self, option, 0) * 1000), func,
                        g_object_ref (self), g_object_unref);
}

static void
on_plan_changed (OvRunModel *model, OvAutomation *self)
{
  g_autofree char *obstacle = ov_run_model_why_not (model);

  if (self->started || self->window == NULL || obstacle != NULL)
    {
      const GError *error = ov_run_model_get_plan_error (model);

      if (error == NULL)
        error = ov_run_model_get_target_error (model);
      if (!self->started && error != NULL)
        {
          self->started = TRUE;
          finish (self, g_strdup (error->message));
        }
      return;
    }
  self->started = TRUE;
  if (has (self, "run"))
    {
      gtk_widget_activate_action (GTK_WIDGET (self->window), "win.run", NULL);
      after (self, "screenshot-after", on_picture_time);
      after (self, "stop-after", on_stop_time);
    }
  else if (has (self, "screenshot"))
    settle (self);
}

/* Sets what the options say about the run. */
static gboolean
apply (OvAutomation *self, OvRunModel *model)
{
  OvRunSettings *settings = ov_run_model_get_settings (model);
  OvExperiment *experiment = ov_run_model_get_experiment (model);
  g_auto (GStrv) strategies = NULL;
  g_auto (GStrv) targets = NULL;
  const char *text;
  int number;

  if (g_variant_dict_lookup (self->options, "preset", "&s", &text))
    {
      if (ov_experiment_find_preset (experiment, text) == NULL)
        {
          finish (self, g_strdup_printf (_ ("There is no preset “%s”."), text));
          return FALSE;
        }
      ov_run_settings_set_preset (settings, text);
    }
  if (g_variant_dict_lookup (self->options, "condition", "&s", &text))
    {
      OvCondition condition;

      if (!ov_condition_from_nick (text, &condition))
        {
          finish (self, g_strdup_printf (_ ("There is no condition “%s”."), text));
          return FALSE;
        }
      ov_run_settings_set_condition (settings, condition);
    }
  if (g_variant_dict_lookup (self->options, "timing", "&s", &text))
    {
      guint timing;

      if (!ov_timing_from_nick (text, &timing))
        {
          finish (self, g_strdup_printf (_ ("There is no timing “%s”."), text));
          return FALSE;
        }
      ov_run_settings_set_timing (settings, timing);
    }
  if (g_variant_dict_lookup (self->options, "target", "^aay", &targets) && targets[0] != NULL)
    {
      for (guint i = 0; targets[i] != NULL; i++)
        {
          char *path = targets[i];

          targets[i]
              = ov_disk_is_target (path) ? g_strdup (path) : g_canonicalize_filename (path, NULL);
          g_free (path);
        }
      ov_run_settings_set_targets (settings, (const char *const *)targets);
    }
  if (g_variant_dict_lookup (self->options, "figure", "&s", &text))
    {
      OvFigure figure;

      if (!ov_figure_from_nick (text, &figure))
        {
          finish (self, g_strdup_printf (_ ("There is no figure “%s”."), text));
          return FALSE;
        }
      ov_run_model_set_figure (model, figure);
    }
  if (g_variant_dict_lookup (self->options, "repeat", "i", &number) && number > 0)
    ov_run_settings_set_repetitions (settings, (guint)number);
  ov_run_settings_set_until_percent (settings, get_double (self, "until-percent", 0));
  if (g_variant_dict_lookup (self->options, "look", "i", &number) && number >= 0
      && number < OV_RUN_DETAIL_N_WAYS)
    ov_run_detail_set_way (ov_run_model_get_detail (model), (OvRunDetailWay)number);
  if (g_variant_dict_lookup (self->options, "strategy", "^as", &strategies))
    ov_run_settings_choose (settings, (const char *const *)strategies);
  return TRUE;
}

/* ---- What is done to a stored result -------------------------------------------------------- */

static void export_next (OvAutomation *self);

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvAutomation) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ov_exporter_write_finish (result, &error);

  if (path == NULL)
    {
      finish (self, g_strdup (error->message));
      return;
    }
  g_print ("exported: %s\n", path);
  export_next (self);
}

/* By its name: data, the chart of the figures, or that of the requests. */
static void
export_to (OvAutomation *self, OvRunModel *model, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  OvExportRequest request = { OV_EXPORT_RESULT_CHART, ov_export_format_from_path (path), 1,
                              ov_theme_get (OV_THEME_PRINT, 1) };

  if (g_str_has_suffix (name, ".csv"))
    request.item = OV_EXPORT_RUNS;
  else if (g_str_has_suffix (name, ".json"))
    request.item = OV_EXPORT_RESULT;
  else if (g_str_has_prefix (name, "requests"))
    request.item = OV_EXPORT_LANES;
  ov_exporter_write_async (model, &request, path, on_exported, g_object_ref (self));
}

static void
export_next (OvAutomation *self)
{
  OvRunModel *model = self->window != NULL ? ov_window_get_model (self->window) : NULL;
  g_auto (GStrv) paths = NULL;

  if (model != NULL && g_variant_dict_lookup (self->options, "export", "^aay", &paths)
      && self->n_exported < g_strv_length (paths))
    export_to (self, model, paths[self->n_exported++]);
}

/* The first table of columns that is seen, or NULL. */
static GtkColumnView *
find_columns (GtkWidget *widget)
{
  GtkColumnView *found = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (GTK_IS_COLUMN_VIEW (widget))
    return GTK_COLUMN_VIEW (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_columns (child);
  return found;
}

static void
sort_by (OvAutomation *self, guint number)
{
  GtkColumnView *view = find_columns (GTK_WIDGET (self->window));
  g_autoptr (GtkColumnViewColumn) column = NULL;

  if (view != NULL)
    column = g_list_model_get_item (gtk_column_view_get_columns (view), number);
  if (column == NULL)
    {
      finish (self, g_strdup ("There is no such column."));
      return;
    }
  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
  g_print ("sorted by: %s\n", gtk_column_view_column_get_title (column));
}

static gboolean
on_use (gpointer data)
{
  OvAutomation *self = data;
  int number;

  if (self->window == NULL)
    return G_SOURCE_REMOVE;
  if (g_variant_dict_lookup (self->options, "sort", "i", &number) && number >= 0)
    sort_by (self, (guint)number);
  export_next (self);
  return G_SOURCE_REMOVE;
}

static void
on_model_changed (OvWindow *window, OvAutomation *self)
{
  OvRunModel *model = ov_window_get_model (window);

  if (model != NULL && !self->used && ov_run_model_get_result (model) != NULL
      && (has (self, "export") || has (self, "sort")))
    {
      self->used = TRUE;
      g_timeout_add_full (G_PRIORITY_DEFAULT, USE_MS, on_use, g_object_ref (self), g_object_unref);
    }
  if (self->chosen || model == NULL)
    return;
  self->chosen = TRUE;
  if (!apply (self, model))
    return;
  g_signal_connect_object (model, "plan-changed", G_CALLBACK (on_plan_changed), self, 0);
  on_plan_changed (model, self);
}

/* The process's CPU time, all threads, from its start to the end of the first frame. */
static void
on_first_frame (GdkFrameClock *clock, OvAutomation *self)
{
  struct timespec cpu;

  g_signal_handlers_disconnect_by_func (clock, on_first_frame, self);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
  g_print ("first frame: %.1f ms of CPU\n", (double)cpu.tv_sec * 1e3 + (double)cpu.tv_nsec * 1e-6);
}

static gint64
thread_cpu_ns (void)
{
  struct timespec cpu;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
  return cpu.tv_sec * G_GINT64_CONSTANT (1000000000) + cpu.tv_nsec;
}

/* The longest time that the window answered nobody: what a beat of 2 ms is late by. On a busy
 * machine much of that is the time in which other programs had the processor: what the window
 * itself did meanwhile is told as well. */
static gboolean
on_beat (gpointer data)
{
  OvAutomation *self = data;
  gint64 now = g_get_monotonic_time ();
  gint64 cpu_ns = thread_cpu_ns ();

  self->pause_us = MAX (self->pause_us, now - self->beat_us);
  self->beat_us = now;
  self->work_ns = MAX (self->work_ns, cpu_ns - self->cpu_ns);
  self->cpu_ns = cpu_ns;
  if ((double)(now - self->measure_us) < get_double (self, "report-pause", 0) * 1e6)
    return G_SOURCE_CONTINUE;
  g_print ("longest pause: %.1f ms, most work at a time: %.1f ms of CPU\n",
           (double)self->pause_us / 1e3, (double)self->work_ns / 1e6);
  finish (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
measure_pauses (GdkFrameClock *clock, OvAutomation *self)
{
  g_signal_handlers_disconnect_by_func (clock, measure_pauses, self);
  self->beat_us = self->measure_us = g_get_monotonic_time ();
  self->cpu_ns = thread_cpu_ns ();
  g_timeout_add_full (G_PRIORITY_HIGH, 2, on_beat, g_object_ref (self), g_object_unref);
}

static void
on_map_measure (GtkWidget *window, OvAutomation *self)
{
  g_signal_connect_object (gtk_widget_get_frame_clock (window), "after-paint",
                           G_CALLBACK (measure_pauses), self, 0);
}

static void
on_map (GtkWidget *window, OvAutomation *self)
{
  g_signal_connect_object (gtk_widget_get_frame_clock (window), "after-paint",
                           G_CALLBACK (on_first_frame), self, 0);
}

void
ov_automation_attach (OvAutomation *self, OvWindow *window)
{
  const char *text;
  char *path;
  int width, height;

  g_return_if_fail (OV_IS_AUTOMATION (self) && self->window == NULL);

  g_set_weak_pointer (&self->window, window);
  ov_window_set_automatic (window, TRUE);
  ov_drawable_view_set_minimum_scale ((int)get_double (self, "screenshot-scale", 1));
  if (g_variant_dict_lookup (self->options, "window-size", "&s", &text)
      && sscanf (text, "%dx%d", &width, &height) == 2)
    gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  g_signal_connect_object (window, "model-changed", G_CALLBACK (on_model_changed), self, 0);
  g_signal_connect_object (window, "finished", G_CALLBACK (settle), self, G_CONNECT_SWAPPED);
  if (has (self, "report-first-frame"))
    g_signal_connect_object (window, "map", G_CALLBACK (on_map), self, 0);
  if (has (self, "report-pause"))
    g_signal_connect_object (window, "map", G_CALLBACK (on_map_measure), self, 0);
  if (g_variant_dict_lookup (self->options, "experiment", "&s", &text)
      && !ov_window_select_experiment (window, text))
    {
      finish (self, g_strdup_printf (_ ("There is no experiment “%s”."), text));
      return;
    }
  if (g_variant_dict_lookup (self->options, "view", "&s", &text))
    ov_window_show_view (window, text);
  if (g_variant_dict_lookup (self->options, "against", "^ay", &path))
    {
      g_autofree char *absolute = g_canonicalize_filename (path, NULL);

      ov_window_show_two (window, absolute);
      g_free (path);
    }
  on_model_changed (window, self);
}
