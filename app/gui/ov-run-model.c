// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel: charts and table are updated from a timer that runs once after runs have ended.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "model/ov-cell-figure.h"
#include "report/ov-lanes.h"
#include "report/ov-verdict.h"

#include "gui/ov-run-model-private.h"

/* Figures are computed at most that often, and at most that long at a time; and while a run goes
 * on they wait many times as long as they took, so that watching costs little. */
#define UPDATE_MS        250
#define UPDATE_BUDGET_US 15000
#define UPDATE_REST      60

G_DEFINE_FINAL_TYPE (OvRunModel, ov_run_model, G_TYPE_OBJECT)

guint ov_run_model_signals[OV_RUN_MODEL_N_SIGNALS];

void
ov_run_model_emit (OvRunModel *self, guint signal)
{
  g_signal_emit (self, ov_run_model_signals[signal], 0);
}

void
ov_run_model_drop_suite (OvRunModel *self)
{
  if (self->suite != NULL)
    g_signal_handlers_disconnect_by_data (self->suite, self);
  g_clear_object (&self->suite);
}

static void
ov_run_model_dispose (GObject *object)
{
  OvRunModel *self = OV_RUN_MODEL (object);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_handle_id (&self->replan_id, g_source_remove);
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  ov_run_model_drop_suite (self);
  g_clear_object (&self->settings);
  g_clear_object (&self->results);
  g_clear_object (&self->detail);
  G_OBJECT_CLASS (ov_run_model_parent_class)->dispose (object);
}

static void
ov_run_model_finalize (GObject *object)
{
  OvRunModel *self = OV_RUN_MODEL (object);

  g_clear_pointer (&self->experiment, ov_experiment_unref);
  g_clear_pointer (&self->launcher, ov_launcher_free);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  g_clear_pointer (&self->target, ov_target_info_free);
  g_clear_error (&self->target_error);
  g_clear_pointer (&self->more, g_hash_table_unref);
  g_clear_pointer (&self->plan, ov_plan_free);
  g_clear_error (&self->plan_error);
  g_clear_pointer (&self->result, ov_opened_result_drop);
  g_clear_pointer (&self->texts, ov_result_texts_free);
  g_clear_pointer (&self->forecast, ov_forecast_free);
  g_free (self->result_path);
  g_clear_pointer (&self->chart, ov_result_chart_free);
  g_clear_pointer (&self->timeline, ov_timeline_free);
  g_free (self->outcome);
  G_OBJECT_CLASS (ov_run_model_parent_class)->finalize (object);
}

static void
ov_run_model_class_init (OvRunModelClass *klass)
{
  GType type = OV_TYPE_RUN_MODEL;

  G_OBJECT_CLASS (klass)->dispose = ov_run_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = ov_run_model_finalize;
  ov_run_model_signals[OV_RUN_MODEL_PLAN_CHANGED]
      = g_signal_new ("plan-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ov_run_model_signals[OV_RUN_MODEL_STATE_CHANGED] = g_signal_new (
      "state-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ov_run_model_signals[OV_RUN_MODEL_RESULT_CHANGED] = g_signal_new (
      "result-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ov_run_model_signals[OV_RUN_MODEL_FIGURES_CHANGED] = g_signal_new (
      "figures-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  ov_run_model_signals[OV_RUN_MODEL_FINISHED] = g_signal_new (
      "finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_run_model_init (OvRunModel *self)
{
  self->article_lines = TRUE;
  self->detail = ov_run_detail_new ();
  self->window_ns = 30 * G_GINT64_CONSTANT (1000000000);
  self->fraction = NAN;
}

static void
on_target_changed (OvRunModel *self)
{
  ov_run_model_look (self);
}

static void
on_x_changed (OvRunModel *self)
{
  if (self->suite == NULL)
    ov_run_model_emit (self, OV_RUN_MODEL_FIGURES_CHANGED);
}

static void
setup (OvRunModel *self, OvExperiment *experiment)
{
  self->experiment = ov_experiment_ref (experiment);
  self->figure = experiment->figure;
  self->settings = ov_run_settings_new (experiment);
  self->results = ov_results_model_new (experiment);
  g_signal_connect_object (self->results, "x-changed", G_CALLBACK (on_x_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->settings, "changed", G_CALLBACK (ov_run_model_queue_replan),
                            self);
  g_signal_connect_swapped (self->settings, "target-changed", G_CALLBACK (on_target_changed), self);
}

/* ---- Charts --------------------------------------------------------------------------------- */

static void
show_overlay (OvRunModel *self)
{
  ov_result_chart_set_overlay_visible (self->chart, ov_result_chart_has_overlay_bars (self->chart)
                                                        ? self->article_bars
                                                        : self->article_lines);
}

/* An empty chart over the values of x that the results model has. */
static void
make_chart (OvRunModel *self)
{
  const GArray *xs = ov_results_model_get_xs (self->results);

  g_clear_pointer (&self->chart, ov_result_chart_free);
  self->chart = ov_result_chart_new (self->experiment, self->figure,
                                     ov_results_model_get_parameter (self->results),
                                     (const double *)(gconstpointer)xs->data, xs->len, NULL);
  ov_result_chart_set_repetitions (self->chart, ov_results_model_get_repetitions (self->results));
  show_overlay (self);
}

void
ov_run_model_make_charts (OvRunModel *self)
{
  make_chart (self);
  g_clear_pointer (&self->timeline, ov_timeline_free);
  self->timeline = ov_timeline_new (self->experiment);
  ov_run_model_emit (self, OV_RUN_MODEL_RESULT_CHANGED);
}

static void
add_cell (const OvCell *cell, gboolean partial, gpointer data)
{
  OvRunModel *self = data;

  ov_result_chart_set_cell (self->chart, cell, partial);
}

/* Whether runs are there for the overlap of others: among the first, if at all. */
static gboolean
has_parts (const OvResult *result)
{
  for (guint i = 0; i < MIN (result->runs->len, 1000); i++)
    if (((const OvRun *)result->runs->pdata[i])->spec->part != OV_PART_WHOLE)
      return TRUE;
  return FALSE;
}

guint
ov_run_model_get_update_ms (OvRunModel *self)
{
  return MAX (UPDATE_MS, (guint)(UPDATE_REST * self->update_took_us / 1000));
}

static gboolean on_update (gpointer data);

void
ov_run_model_queue_update (OvRunModel *self, guint ms)
{
  if (self->update_id == 0)
    self->update_id = g_timeout_add (ms, on_update, self);
}

static gboolean
on_update (gpointer data)
{
  OvRunModel *self = data;
  gint64 begin = g_get_monotonic_time ();
  gboolean more;

  self->update_id = 0;
  if (self->result != NULL)
    ov_result_chart_name_targets (self->chart, self->result);
  more = ov_results_model_update (self->results, UPDATE_BUDGET_US, add_cell, self);
  if (!more && self->result != NULL && self->figure == OV_FIGURE_ELAPSED
      && has_parts (self->result))
    {
      g_autoptr (GPtrArray) cells = ov_result_cells (self->result);

      ov_result_chart_set_bound (self->chart, cells);
    }
  self->update_took_us = g_get_monotonic_time () - begin;
  if (!more && self->suite == NULL)
    ov_run_model_emit (self, OV_RUN_MODEL_FIGURES_CHANGED);
  if (more)
    ov_run_model_queue_update (self, self->suite != NULL
                                         ? (guint)(UPDATE_REST * self->update_took_us / 1000)
                                         : UPDATE_BUDGET_US / 1000);
  return G_SOURCE_REMOVE;
}

OvRunModel *
ov_run_model_new (OvExperiment *experiment)
{
  OvRunModel *self = g_object_new (OV_TYPE_RUN_MODEL, NULL);

  setup (self, experiment);
  ov_run_model_make_charts (self);
  return self;
}

OvRunModel *
ov_run_model_new_for_opened (OvOpenedResult *opened, const char *path)
{
  OvRunModel *self = g_object_new (OV_TYPE_RUN_MODEL, NULL);
  OvResult *result = opened->result;

  setup (self, result->experiment);
  self->result_path = g_strdup (path);
  if (result->targets->len > 0)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, 0);

      if (target->path != NULL)
        ov_run_settings_set_target (self->settings, target->path);
    }
  ov_run_settings_set_preset (self->settings, result->preset);
  self->result = g_steal_pointer (&opened->result);
  self->texts = g_steal_pointer (&opened->texts);
  self->forecast = g_steal_pointer (&opened->forecast);
  self->chart = g_steal_pointer (&opened->chart);
  self->timeline = g_steal_pointer (&opened->timeline);
  show_overlay (self);
  ov_results_model_take_index (self->results, g_steal_pointer (&opened->index));
  ov_run_detail_set_run (self->detail, result, opened->run);
  return self;
}

OvRunModel *
ov_run_model_new_for_result (OvResult *result, const char *path)
{
  g_autoptr (OvOpenedResult) opened = ov_opened_result_new (result, NULL);

  return ov_run_model_new_for_opened (opened, path);
}

/* ---- What is shown -------------------------------------------------------------------------- */

OvExperiment *
ov_run_model_get_experiment (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->experiment;
}

OvRunSettings *
ov_run_model_get_settings (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->settings;
}

OvResultsModel *
ov_run_model_get_results (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->results;
}

OvChart *
ov_run_model_get_chart (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_result_chart_get_chart (self->chart);
}

OvTimeChart *
ov_run_model_get_time_chart (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_timeline_get_chart (self->timeline);
}

OvRunDetail *
ov_run_model_get_detail (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->detail;
}

void
ov_run_model_look_at_row (OvRunModel *self, OvResultsRow *row)
{
  OvRun *found = NULL;

  g_return_if_fail (OV_IS_RUN_MODEL (self));

  self->chosen = row != NULL;
  if (self->result == NULL)
    return;
  for (guint i = self->result->runs->len; row != NULL && i-- > 0;)
    {
      OvRun *run = g_ptr_array_index (self->result->runs, i);

      if (g_strcmp0 (run->spec->variant, ov_results_row_get_variant (row)) != 0
          || g_strcmp0 (run->spec->target, ov_results_row_get_target (row)) != 0)
        continue;
      if (found == NULL || ov_lanes_has_log (run))
        found = run;
      if (ov_lanes_has_log (run))
        break;
    }
  if (row == NULL)
    found = ov_lanes_find_run (self->result);
  if (found != NULL)
    ov_run_detail_set_run (self->detail, self->result, found);
}

OvResult *
ov_run_model_get_result (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->result;
}

const char *
ov_run_model_get_result_path (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->result_path;
}

void
ov_run_model_set_result_path (OvRunModel *self, const char *path)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  g_free (self->result_path);
  self->result_path = g_strdup (path);
}

/* The runs of the cells alone, so that what is said of them takes no look at all others. */
static OvResult *
result_of (OvRunModel *self, const GPtrArray *cells)
{
  OvResult *part = ov_result_new (self->experiment);

  part->x = self->result->x;
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      for (guint j = 0; j < cell->runs->len; j++)
        g_ptr_array_add (part->runs, ov_run_ref (g_ptr_array_index (cell->runs, j)));
    }
  return part;
}

/* Whether what is said of a result is said of all values of x: up to which rate a line holds. */
static gboolean
is_of_all_rates (OvRunModel *self)
{
  return (self->experiment->job & OV_CLOCKED_JOBS) != 0;
}

char *
ov_run_model_describe_verdict (OvRunModel *self)
{
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (OvResult) part = NULL;
  const GArray *xs;
  guint x;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  xs = ov_results_model_get_xs (self->results);
  x = ov_results_model_get_x (self->results);
  if (self->result == NULL || self->suite != NULL || x >= xs->len)
    return g_strdup ("");
  cells = is_of_all_rates (self) ? ov_results_model_get_all_cells (self->results)
                                 : ov_results_model_get_cells (self->results);
  if (cells == NULL)
    return g_strdup ("");
  part = result_of (self, cells);
  return g_strchomp (ov_report_verdict (part, cells, g_array_index (xs, double, x)));
}

char *
ov_run_model_describe_caption (OvRunModel *self)
{
  const OvResultTexts *texts = ov_run_model_get_texts (self);
  g_autoptr (GPtrArray) cells = ov_results_model_get_all_cells (self->results);
  g_autoptr (GPtrArray) at = g_ptr_array_new ();
  g_autoptr (OvResult) part = NULL;
  g_autofree char *verdict = NULL;
  double x = NAN;

  if (self->result == NULL)
    return NULL;
  if (texts == NULL || cells == NULL)
    {
      g_autoptr (GPtrArray) made = ov_result_cells (self->result);

      return ov_report_caption (self->result, made);
    }
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      if (cell->n_done > 0 && isfinite (cell->x) && !(cell->x <= x))
        x = cell->x;
    }
  for (guint i = 0; i < cells->len; i++)
    if (((const OvCell *)cells->pdata[i])->x == x || is_of_all_rates (self))
      g_ptr_array_add (at, cells->pdata[i]);
  part = result_of (self, at);
  verdict = ov_report_verdict (part, cells, x);
  return g_strchomp (g_strdup_printf ("%s\n%s", texts->note, verdict));
}

const OvResultTexts *
ov_run_model_get_texts (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  if (self->result == NULL || self->suite != NULL)
    return NULL;
  if (self->texts == NULL)
    self->texts = ov_result_texts_new (self->result);
  return self->texts;
}

int
ov_run_model_find_series (OvRunModel *self, OvResultsRow *row)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), -1);

  if (row == NULL)
    return -1;
  return ov_result_chart_find (self->chart, ov_results_row_get_variant (row),
                               ov_results_row_get_target (row));
}

OvFigure
ov_run_model_get_figure (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), OV_FIGURE_ELAPSED);
  return self->figure;
}

void
ov_run_model_set_figure (OvRunModel *self, OvFigure figure)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self) && figure < OV_N_FIGURES);

  if (figure == self->figure)
    return;
  self->figure = figure;
  make_chart (self);
  ov_results_model_touch (self->results);
  ov_run_model_emit (self, OV_RUN_MODEL_RESULT_CHANGED);
  ov_run_model_queue_update (self, 0);
}

guint
ov_run_model_list_figures (OvRunModel *self)
{
  guint figures;

  g_return_val_if_fail (OV_IS_RUN_MODEL (self), 0);
  figures = 1u << self->figure | (self->result != NULL ? ov_result_figures (self->result) : 0);
  /* Parts are places beside each other; with several values of x there is no room for them. */
  if (ov_results_model_get_xs (self->results)->len != 1 && self->figure != OV_FIGURE_PARTS)
    figures &= ~(1u << OV_FIGURE_PARTS);
  return figures;
}

gboolean
ov_run_model_has_overlay (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);
  return ov_result_chart_has_overlay (self->chart);
}

const char *
ov_run_model_get_overlay_key (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return ov_result_chart_has_overlay_bars (self->chart) ? "article-bars" : "article-lines";
}

void
ov_run_model_set_overlay_visible (OvRunModel *self, gboolean lines, gboolean bars)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  self->article_lines = lines;
  self->article_bars = bars;
  show_overlay (self);
}

void
ov_run_model_set_live_seconds (OvRunModel *self, guint seconds)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));
  self->window_ns = seconds * G_GINT64_CONSTANT (1000000000);
  if (self->suite != NULL)
    ov_time_chart_set_window (ov_timeline_get_chart (self->timeline), self->window_ns);
}
