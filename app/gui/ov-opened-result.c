// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvOpenedResult: no part of it is shared before it is handed over.
 */
#include "config.h"

#include "report/ov-lanes.h"

#include "gui/ov-opened-result.h"

#include "gui/ov-background.h"

/* Fewer runs are freed sooner than a thread is started. */
#define RUNS_FOR_THREAD 1000

static void
make_chart (OvOpenedResult *self)
{
  const OvResult *result = self->result;
  const OvResultsIndex *index = self->index;
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  guint repetitions = 0;

  self->chart
      = ov_result_chart_new (result->experiment, result->experiment->figure, index->parameter,
                             (const double *)(gconstpointer)index->xs->data, index->xs->len, NULL);
  ov_result_chart_name_targets (self->chart, result);
  for (guint i = 0; i < index->entries->len; i++)
    {
      const OvResultsEntry *entry = g_ptr_array_index (index->entries, i);

      repetitions = MAX (repetitions, entry->n_total);
      ov_result_chart_set_cell (self->chart, entry->cell, entry->cell->n_done < entry->n_total);
      g_ptr_array_add (cells, entry->cell);
    }
  if (result->experiment->figure == OV_FIGURE_ELAPSED)
    ov_result_chart_set_bound (self->chart, cells);
  ov_result_chart_set_repetitions (self->chart, repetitions);
}

static void
make_timeline (OvOpenedResult *self)
{
  OvTimeChart *chart;

  self->timeline = ov_timeline_new_for_result (self->result);
  chart = ov_timeline_get_chart (self->timeline);
  ov_time_chart_set_title (chart, NULL);
  ov_time_chart_set_note (chart, NULL);
}

static void
make_index (OvOpenedResult *self)
{
  self->index = ov_results_index_new_for_result (self->result);
  ov_results_index_compute (self->index, self->result->experiment);
}

static void
make_rest (OvOpenedResult *self)
{
  self->texts = ov_result_texts_new (self->result);
  self->forecast = ov_forecast_new (self->result);
  self->run = ov_lanes_find_run (self->result);
  if (self->run != NULL)
    ov_run_ref (self->run);
}

OvOpenedResult *
ov_opened_result_new (OvResult *result, GCancellable *cancellable)
{
  static void (*const steps[]) (OvOpenedResult * self)
      = { make_index, make_chart, make_timeline, make_rest };
  g_autoptr (OvOpenedResult) self = g_new0 (OvOpenedResult, 1);

  self->result = ov_result_ref (result);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return NULL;
      steps[i](self);
    }
  return g_steal_pointer (&self);
}

void
ov_opened_result_free (OvOpenedResult *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->run, ov_run_unref);
  ov_forecast_free (self->forecast);
  ov_result_texts_free (self->texts);
  ov_timeline_free (self->timeline);
  ov_result_chart_free (self->chart);
  ov_results_index_free (self->index);
  g_clear_pointer (&self->result, ov_opened_result_drop);
  g_free (self);
}

/* ---- In a thread ---------------------------------------------------------------------------- */

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (OvResult) result = ov_result_load (data, &error);
  OvOpenedResult *opened;

  if (result == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  opened = ov_opened_result_new (result, cancellable);
  if (opened != NULL)
    g_task_return_pointer (task, opened, (GDestroyNotify)ov_opened_result_free);
  else
    g_task_return_error_if_cancelled (task);
}

static void
forecast_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (OvResult) result = ov_result_load (data, &error);

  if (result != NULL)
    g_task_return_pointer (task, ov_forecast_new (result), (GDestroyNotify)ov_forecast_free);
  else
    g_task_return_error (task, error);
}

static void
start (const char *path, GTaskThreadFunc func, GCancellable *cancellable,
       GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_set_return_on_cancel (task, TRUE);
  ov_background_run (task, func);
}

void
ov_opened_result_load_async (const char *path, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer data)
{
  start (path, load_thread, cancellable, callback, data);
}

OvOpenedResult *
ov_opened_result_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
ov_opened_result_forecast_async (const char *path, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data)
{
  start (path, forecast_thread, cancellable, callback, data);
}

OvForecast *
ov_opened_result_forecast_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
drop_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ov_result_unref (data);
  g_task_return_boolean (task, TRUE);
}

void
ov_opened_result_drop (OvResult *result)
{
  g_autoptr (GTask) task = NULL;

  if (result->runs->len < RUNS_FOR_THREAD)
    {
      ov_result_unref (result);
      return;
    }
  task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, result, NULL);
  ov_background_run (task, drop_thread);
}
