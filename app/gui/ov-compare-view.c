// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvCompareView: everything is made anew from the runs at the chosen x when the result has changed;
 * while a run goes on, once a second at most. That is done in a thread, which gets its own list of
 * the runs; one comparison goes on at a time, and what was changed meanwhile begins another one.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-report.h"
#include "report/ov-verdict.h"

#include "gui/ov-background.h"
#include "gui/ov-chart-view.h"
#include "gui/ov-compare-row.h"
#include "gui/ov-compare-view.h"
#include "gui/ov-drop-down.h"
#include "gui/ov-swatch.h"
#include "gui/ov-versus-view.h"
#include "gui/ov-wrap-layout.h"

#define UPDATE_MS 1000

struct _OvCompareView
{
  GtkWidget parent_instance;

  GtkStack *modes;
  GtkToggleButton *one;
  GtkToggleButton *two;
  OvVersusView *versus;
  GtkStack *stack;
  GtkLabel *verdict;
  GtkDropDown *x;
  GtkDropDown *metric;
  GtkDropDown *base;
  OvChartView *chart_view;
  GtkColumnView *table;

  OvRunModel *model;
  OvChart *chart;
  GListStore *rows; /* of OvCompareRow */
  GArray *xs;       /* of double: what the drop-down offers */
  GPtrArray *lines; /* of char*: what may be the base, behind "best" */
  double chosen_x;  /* NaN: the largest */
  char *chosen_base;
  guint update_id;
  gboolean comparing;
  gboolean again;
  gboolean quiet; /* the drop-downs are being filled */
};

G_DEFINE_FINAL_TYPE (OvCompareView, ov_compare_view, GTK_TYPE_WIDGET)

static const char *const titles[OV_N_COMPARE] = {
  [OV_COMPARE_LINE] = N_ ("Strategy"),
  [OV_COMPARE_VALUE] = N_ ("Median"),
  [OV_COMPARE_N] = N_ ("Pairs"),
  [OV_COMPARE_RATIO] = N_ ("Ratio"),
  /* xgettext:no-c-format */
  [OV_COMPARE_INTERVAL] = N_ ("95 % interval"),
  [OV_COMPARE_REMARK] = N_ ("Remark"),
};

/* ---- The table ------------------------------------------------------------------------------ */

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  OvCompareColumn column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *child = label;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (column == OV_COMPARE_LINE)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (child), ov_swatch_new ());
      gtk_box_append (GTK_BOX (child), label);
    }
  else if (column != OV_COMPARE_REMARK)
    gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, child);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  OvCompareColumn column = GPOINTER_TO_UINT (data);
  OvCompareRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  GtkWidget *label = column == OV_COMPARE_LINE ? gtk_widget_get_last_child (child) : child;

  gtk_label_set_text (GTK_LABEL (label), ov_compare_row_get_text (row, column));
  if (column == OV_COMPARE_LINE)
    ov_swatch_set_style (OV_SWATCH (gtk_widget_get_first_child (child)),
                         ov_compare_row_get_style (row));
}

static void
add_columns (OvCompareView *self)
{
  for (guint c = 0; c < OV_N_COMPARE; c++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (c));
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (c));
      column = gtk_column_view_column_new (_ (titles[c]), factory);
      gtk_column_view_column_set_expand (column, c == OV_COMPARE_REMARK);
      gtk_column_view_append_column (self->table, column);
    }
}

/* ---- What is compared ----------------------------------------------------------------------- */

static OvMetric
get_metric (OvCompareView *self)
{
  guint selected = gtk_drop_down_get_selected (self->metric);

  return selected < OV_N_METRICS ? selected : OV_METRIC_ELAPSED;
}

/* All that the thread needs and makes. Cells borrow the runs of `part`, comparisons the cells. */
typedef struct
{
  OvResult *result; /* of which the list of runs is ours */
  OvMetric metric;
  double wanted_x; /* NaN: the largest */
  char *base;      /* or NULL: the best of each group */

  GArray *xs; /* of double */
  double x;
  OvResult *part; /* the runs at x alone */
  GPtrArray *cells;
  GPtrArray *contests; /* against the best */
  GArray *comparisons; /* of OvComparison: with `base` */
  char *verdict;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->contests, g_ptr_array_unref);
  g_clear_pointer (&job->comparisons, g_array_unref);
  g_clear_pointer (&job->cells, g_ptr_array_unref);
  g_clear_pointer (&job->part, ov_result_unref);
  g_clear_pointer (&job->xs, g_array_unref);
  g_clear_pointer (&job->result, ov_opened_result_drop);
  g_free (job->base);
  g_free (job->verdict);
  g_free (job);
}

static OvResult *
copy_list (const OvResult *result)
{
  OvResult *copy = ov_result_new (result->experiment);

  copy->x = result->x;
  g_ptr_array_set_size (copy->runs, (int)result->runs->len);
  for (guint i = 0; i < result->runs->len; i++)
    copy->runs->pdata[i] = ov_run_ref (result->runs->pdata[i]);
  return copy;
}

static OvResult *
result_at (const OvResult *result, double x)
{
  OvResult *part = ov_result_new (result->experiment);

  part->x = result->x;
  for (guint i = 0; i < result->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->spec->x == x)
        g_ptr_array_add (part->runs, ov_run_ref (run));
    }
  return part;
}

static double
choose_x (const GArray *xs, double wanted)
{
  for (guint i = 0; i < xs->len; i++)
    if (g_array_index (xs, double, i) == wanted)
      return wanted;
  return xs->len > 0 ? g_array_index (xs, double, xs->len - 1) : NAN;
}

static void
compare_with_base (Job *job)
{
  job->comparisons = g_array_new (FALSE, FALSE, sizeof (OvComparison));
  for (guint i = 0; i < job->cells->len; i++)
    {
      const OvCell *base = g_ptr_array_index (job->cells, i);

      if (g_strcmp0 (base->variant, job->base) != 0)
        continue;
      for (guint j = 0; j < job->cells->len; j++)
        {
          const OvCell *cell = g_ptr_array_index (job->cells, j);
          OvComparison comparison;

          if (cell->n_done == 0 || g_strcmp0 (cell->target, base->target) != 0)
            continue;
          ov_comparison_make (cell, base, job->metric, TRUE, &comparison);
          g_array_append_val (job->comparisons, comparison);
        }
    }
}

static void
compare_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  g_autofree char *who = NULL;
  g_autofree char *overlap = NULL;

  job->xs = ov_report_xs (job->result);
  job->x = choose_x (job->xs, job->wanted_x);
  job->part = result_at (job->result, job->x);
  job->cells = ov_result_cells (job->part);
  job->metric = ov_metric_for (job->cells, job->metric);
  who = ov_report_verdict (job->part, job->cells, job->x);
  overlap = ov_report_overlap (job->part, job->cells, job->x);
  job->verdict = g_strchomp (g_strconcat (who, overlap, NULL));
  if (job->base != NULL)
    compare_with_base (job);
  else
    job->contests = ov_contests_new (job->cells, job->metric);
  g_task_return_boolean (task, TRUE);
}

static void
fill_x (OvCompareView *self, const Job *job)
{
  GArray *xs = job->xs;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean same = xs->len == self->xs->len;

  for (guint i = 0; i < xs->len && same; i++)
    same = g_array_index (xs, double, i) == g_array_index (self->xs, double, i);
  if (same)
    return;
  g_array_unref (self->xs);
  self->xs = g_array_ref (xs);
  for (guint i = 0; i < self->xs->len; i++)
    {
      g_autofree char *value
          = ov_report_format_x (job->result->x, g_array_index (self->xs, double, i));
      g_autofree char *name
          = g_strdup_printf (_ ("%s %s"), ov_report_x_title (job->result->x), value);

      gtk_string_list_append (names, name);
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (self->x, G_LIST_MODEL (names));
  for (guint i = 0; i < self->xs->len; i++)
    if (g_array_index (self->xs, double, i) == job->x)
      gtk_drop_down_set_selected (self->x, i);
  self->quiet = FALSE;
}

static void
fill_base (OvCompareView *self, GPtrArray *cells)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean same;
  guint selected = 0;

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      if (cell->n_done > 0
          && !g_ptr_array_find_with_equal_func (lines, cell->variant, g_str_equal, NULL))
        g_ptr_array_add (lines, g_strdup (cell->variant));
    }
  same = lines->len == self->lines->len && self->lines->len > 0;
  for (guint i = 0; i < lines->len && same; i++)
    same = g_str_equal (lines->pdata[i], self->lines->pdata[i]);
  if (same)
    return;
  g_ptr_array_unref (self->lines);
  self->lines = g_steal_pointer (&lines);
  gtk_string_list_append (names, _ ("the best of each group"));
  for (guint i = 0; i < self->lines->len; i++)
    {
      gtk_string_list_append (names, self->lines->pdata[i]);
      if (g_strcmp0 (self->lines->pdata[i], self->chosen_base) == 0)
        selected = i + 1;
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (self->base, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->base, selected);
  self->quiet = FALSE;
}

/* ---- Filling -------------------------------------------------------------------------------- */

/* Rows and points of what was compared, and the names of the groups below the bars. */
typedef struct
{
  GPtrArray *rows;
  GPtrArray *groups; /* of char* */
} Filling;

static guint
need_series (OvCompareView *self, const char *variant, int style)
{
  guint n = ov_chart_get_n_series (self->chart);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (ov_chart_get_series_label (self->chart, i), variant) == 0)
      return i;
  return ov_chart_add_series (self->chart, OV_CHART_BARS, variant, style);
}

static void
add_comparison (OvCompareView *self, Filling *filling, const OvComparison *comparison, guint group)
{
  const char *variant = comparison->cell->variant;
  int style = ov_report_style (ov_run_model_get_experiment (self->model), variant);
  gboolean base = comparison->kind == OV_COMPARISON_BASE;
  OvChartPoint point = { .x = group,
                         .y = comparison->ratio,
                         .lo = base ? NAN : comparison->lo,
                         .hi = base ? NAN : comparison->hi,
                         .state = comparison->kind == OV_COMPARISON_FEW ? OV_CHART_POINT_PARTIAL
                                                                        : OV_CHART_POINT_DONE };

  g_ptr_array_add (
      filling->rows,
      ov_compare_row_new (comparison,
                          filling->groups->len > 1 ? filling->groups->pdata[group] : NULL, style));
  if (isfinite (comparison->ratio))
    ov_chart_set_point (self->chart, need_series (self, variant, style), &point);
}

static void
add_contests (OvCompareView *self, Filling *filling, GPtrArray *contests)
{
  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);

      /* Translators: the n-th group of lines that did the same work, and what its runs shared. */
      g_ptr_array_add (
          filling->groups,
          g_strdup_printf (_ ("%u. %s"), i + 1, ov_condition_label (contest->first->condition)));
    }
  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);

      for (guint j = 0; j < contest->comparisons->len; j++)
        add_comparison (self, filling, &g_array_index (contest->comparisons, OvComparison, j), i);
    }
}

static void
add_comparisons (OvCompareView *self, Filling *filling, const Job *job)
{
  g_ptr_array_add (filling->groups, g_strdup (job->base));
  for (guint i = 0; i < job->comparisons->len; i++)
    add_comparison (self, filling, &g_array_index (job->comparisons, OvComparison, i), 0);
}

static void
set_axes (OvCompareView *self, GPtrArray *groups)
{
  g_autoptr (OvAxis) x = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  g_autoptr (OvAxis) y = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_NONE);

  g_ptr_array_add (groups, NULL);
  ov_axis_set_categories (x, (const char *const *)groups->pdata);
  g_ptr_array_set_size (groups, (int)groups->len - 1);
  ov_chart_set_x_axis (self->chart, x);
  ov_chart_set_y_axis (self->chart, y);
}

/* `job` is NULL where there is no result. */
static void
show_job (OvCompareView *self, const Job *job)
{
  Filling filling = { g_ptr_array_new_with_free_func (g_object_unref),
                      g_ptr_array_new_with_free_func (g_free) };

  if (job != NULL)
    {
      fill_x (self, job);
      fill_base (self, job->cells);
      ov_chart_clear (self->chart);
      gtk_label_set_text (self->verdict, job->verdict);
      gtk_widget_set_visible (GTK_WIDGET (self->verdict), job->verdict[0] != '\0');
      if (job->base != NULL)
        add_comparisons (self, &filling, job);
      else
        add_contests (self, &filling, job->contests);
      set_axes (self, filling.groups);
      ov_chart_set_title (self->chart,
                          job->metric == OV_METRIC_CPU || job->metric == OV_METRIC_BLOCK_CPU
                              ? _ ("CPU time, ratio")
                              : _ ("Elapsed time, ratio"));
      ov_chart_set_subtitle (self->chart,
                             /* xgettext:no-c-format */
                             _ ("times as long as the base (1), 95 % interval"));
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       filling.rows->pdata, filling.rows->len);
  gtk_stack_set_visible_child_name (self->stack, filling.rows->len > 0 ? "comparison" : "empty");
  g_ptr_array_unref (filling.rows);
  g_ptr_array_unref (filling.groups);
}

static void update (OvCompareView *self);

static void
on_compared (GObject *source, GAsyncResult *result, gpointer data)
{
  OvCompareView *self = OV_COMPARE_VIEW (source);
  const Job *job = g_task_get_task_data (G_TASK (result));
  const gboolean again = self->again;

  self->comparing = FALSE;
  self->again = FALSE;
  if (self->rows == NULL) /* disposed of meanwhile */
    return;
  if (again)
    update (self);
  else
    show_job (self, job);
}

static void
update (OvCompareView *self)
{
  const OvResult *result = self->model != NULL ? ov_run_model_get_result (self->model) : NULL;
  g_autoptr (GTask) task = NULL;
  Job *job;

  self->again = self->comparing;
  if (self->comparing)
    return;
  if (result == NULL)
    {
      show_job (self, NULL);
      return;
    }
  job = g_new0 (Job, 1);
  job->result = copy_list (result);
  job->metric = get_metric (self);
  job->wanted_x = self->chosen_x;
  job->base = g_strdup (self->chosen_base);
  self->comparing = TRUE;
  task = g_task_new (self, NULL, on_compared, NULL);
  g_task_set_task_data (task, job, job_free);
  ov_background_run (task, compare_thread);
}

/* ---- One result or two ---------------------------------------------------------------------- */

static gboolean
shows_two (OvCompareView *self)
{
  return gtk_toggle_button_get_active (self->two);
}

static void
on_mode (OvCompareView *self)
{
  gtk_stack_set_visible_child_name (self->modes, shows_two (self) ? "two" : "one");
}

void
ov_compare_view_set_library (OvCompareView *self, OvLibrary *library)
{
  g_return_if_fail (OV_IS_COMPARE_VIEW (self));
  ov_versus_view_set_library (self->versus, library);
}

void
ov_compare_view_show_two (OvCompareView *self, const char *path)
{
  g_return_if_fail (OV_IS_COMPARE_VIEW (self));
  gtk_toggle_button_set_active (self->two, TRUE);
  if (path != NULL)
    ov_versus_view_choose_file (self->versus, OV_VERSUS_A, path);
}

OvDrawable *
ov_compare_view_get_chart (OvCompareView *self)
{
  g_return_val_if_fail (OV_IS_COMPARE_VIEW (self), NULL);
  if (shows_two (self))
    return ov_versus_view_get_chart (self->versus);
  return g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0 ? OV_DRAWABLE (self->chart)
                                                                  : NULL;
}

/* The table as CSV, in words as they stand there. */
static char *
rows_to_csv (OvCompareView *self)
{
  GString *out = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  for (guint r = 0; r <= n; r++)
    {
      g_autoptr (OvCompareRow) row
          = r > 0 ? g_list_model_get_item (G_LIST_MODEL (self->rows), r - 1) : NULL;

      for (guint c = 0; c < OV_N_COMPARE; c++)
        {
          g_auto (GStrv) parts = g_strsplit (
              row != NULL ? ov_compare_row_get_text (row, c) : _ (titles[c]), "\"", -1);
          g_autofree char *text = g_strjoinv ("\"\"", parts);

          g_string_append_printf (out, "%s\"%s\"", c > 0 ? "," : "", text);
        }
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

OvExportParts *
ov_compare_view_dup_parts (OvCompareView *self)
{
  g_autofree char *csv = NULL, *name = NULL;

  g_return_val_if_fail (OV_IS_COMPARE_VIEW (self), NULL);
  if (shows_two (self))
    return ov_versus_view_dup_parts (self->versus);
  if (ov_compare_view_get_chart (self) == NULL)
    return NULL;
  csv = rows_to_csv (self);
  name = g_strdup_printf ("%s-ratios", ov_run_model_get_experiment (self->model)->id);
  return ov_export_parts_new (OV_DRAWABLE (self->chart), name, csv, NULL);
}

/* ---- When ----------------------------------------------------------------------------------- */

static gboolean
on_update (gpointer data)
{
  OvCompareView *self = data;

  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
queue_update (OvCompareView *self)
{
  gboolean running = self->model != NULL && ov_run_model_is_running (self->model);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->update_id != 0)
    return;
  self->update_id = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, running ? UPDATE_MS : 0, on_update,
                                        self, NULL);
}

static void
on_choice (OvCompareView *self)
{
  guint base = gtk_drop_down_get_selected (self->base);
  guint x = gtk_drop_down_get_selected (self->x);

  if (self->quiet || self->model == NULL)
    return;
  if (x < self->xs->len)
    self->chosen_x = g_array_index (self->xs, double, x);
  g_free (self->chosen_base);
  self->chosen_base
      = base > 0 && base <= self->lines->len ? g_strdup (self->lines->pdata[base - 1]) : NULL;
  queue_update (self);
}

static void
ov_compare_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_compare_view_parent_class)->map (widget);
  queue_update (OV_COMPARE_VIEW (widget));
}

static void
forget_model (OvCompareView *self)
{
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_pointer (&self->chosen_base, g_free);
  self->chosen_x = NAN;
  self->again = self->comparing; /* what is compared is another model's */
}

void
ov_compare_view_set_model (OvCompareView *self, OvRunModel *model)
{
  g_return_if_fail (OV_IS_COMPARE_VIEW (self));

  if (model == self->model)
    return;
  forget_model (self);
  g_array_set_size (self->xs, 0);
  g_ptr_array_set_size (self->lines, 0);
  if (model != NULL)
    {
      self->model = g_object_ref (model);
      g_signal_connect_swapped (model, "result-changed", G_CALLBACK (queue_update), self);
      g_signal_connect_swapped (model, "state-changed", G_CALLBACK (queue_update), self);
      ov_versus_view_follow (self->versus, ov_run_model_get_experiment (model)->id,
                             ov_run_model_get_result_path (model));
    }
  queue_update (self);
}

/* ---- The widget ----------------------------------------------------------------------------- */

static void
ov_compare_view_dispose (GObject *object)
{
  OvCompareView *self = OV_COMPARE_VIEW (object);
  GtkWidget *child;

  forget_model (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->chart);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->xs, g_array_unref);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  G_OBJECT_CLASS (ov_compare_view_parent_class)->dispose (object);
}

static void
ov_compare_view_class_init (OvCompareViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_CHART_VIEW);
  g_type_ensure (OV_TYPE_VERSUS_VIEW);
  g_type_ensure (OV_TYPE_WRAP_LAYOUT);
  G_OBJECT_CLASS (klass)->dispose = ov_compare_view_dispose;
  widget_class->map = ov_compare_view_map;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-compare-view.ui");
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, modes);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, one);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, two);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, versus);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, stack);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, verdict);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, x);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, metric);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, base);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, chart_view);
  gtk_widget_class_bind_template_child (widget_class, OvCompareView, table);
  gtk_widget_class_bind_template_callback (widget_class, on_choice);
  gtk_widget_class_bind_template_callback (widget_class, on_mode);
}

static void
ov_compare_view_init (OvCompareView *self)
{
  g_autoptr (GtkStringList) metrics = gtk_string_list_new (NULL);
  GtkSingleSelection *selection;

  self->xs = g_array_new (FALSE, FALSE, sizeof (double));
  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->rows = g_list_store_new (OV_TYPE_COMPARE_ROW);
  self->chart = ov_chart_new ();
  self->chosen_x = NAN;
  self->quiet = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < OV_N_METRICS; i++)
    gtk_string_list_append (metrics, ov_metric_label (i));
  gtk_drop_down_set_model (self->metric, G_LIST_MODEL (metrics));
  ov_drop_down_name (self->metric, _ ("What is compared"));
  ov_drop_down_name (self->x, _ ("At which value"));
  ov_drop_down_name (self->base, _ ("Compared with"));
  add_columns (self);
  selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_single_selection_set_model (selection, G_LIST_MODEL (self->rows));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  ov_chart_view_set_chart (self->chart_view, self->chart);
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->chart_view), _ ("Comparison"));
  self->quiet = FALSE;
}
