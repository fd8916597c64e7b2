// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunView: hands the parts of the model to its children. The time chart is live while the model
 * that is shown runs.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/ov-report.h"

#include "gui/ov-chart-view.h"
#include "gui/ov-preflight-strip.h"
#include "gui/ov-reflow.h"
#include "gui/ov-requests-view.h"
#include "gui/ov-results-table.h"
#include "gui/ov-run-view.h"
#include "gui/ov-seen.h"
#include "gui/ov-table-view.h"
#include "gui/ov-time-chart-view.h"
#include "gui/ov-wrap-layout.h"

struct _OvRunView
{
  GtkWidget parent_instance;

  OvPreflightStrip *strip;
  GtkLabel *note;
  OvReflow *charts;
  OvTimeChartView *time_chart;
  OvChartView *chart;
  GtkWidget *overlay;
  GtkMenuButton *figure;
  OvRequestsView *requests;
  GtkLabel *verdict; /* what the table says, in words */
  OvResultsTable *table;
  GtkLabel *self_cost; /* what measuring it cost */
  GtkWidget *self_cost_box;
  GtkBox *measured; /* tables of what was measured beside the runs */

  OvRunModel *model;
  OvSeen *seen;
};

G_DEFINE_FINAL_TYPE (OvRunView, ov_run_view, GTK_TYPE_WIDGET)

static gint64
get_now (gpointer data)
{
  return ov_run_model_get_now (data);
}

/* The tables of a result that is complete; while runs go on there are none. */
static void
show_measured (OvRunView *self, const OvResultTexts *texts)
{
  const guint n = texts != NULL ? texts->tables->len : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->measured))) != NULL)
    gtk_box_remove (self->measured, child);
  for (guint i = 0; i < n; i++)
    gtk_box_append (self->measured, ov_table_view_new_card (texts->tables->pdata[i]));
  gtk_widget_set_visible (GTK_WIDGET (self->measured), n > 0);
}

static void
show_verdict (OvRunView *self)
{
  const OvResultTexts *texts = ov_run_model_get_texts (self->model);
  g_autofree char *verdict = ov_run_model_describe_verdict (self->model);

  gtk_label_set_text (self->self_cost, texts != NULL ? texts->self_cost : "");
  gtk_widget_set_visible (self->self_cost_box, texts != NULL);

  if (strcmp (gtk_label_get_text (self->verdict), verdict) != 0)
    gtk_label_set_text (self->verdict, verdict);
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), verdict[0] != '\0');
}

/* Nothing is drawn, and the worker tells less often, while nobody sees it. */
static void
show_live (OvRunView *self)
{
  gboolean seen = ov_seen_get (self->seen);

  if (self->model == NULL)
    return;
  ov_run_model_set_watched (self->model, seen);
  ov_time_chart_view_set_clock (self->time_chart,
                                seen && ov_run_model_is_running (self->model) ? get_now : NULL,
                                self->model);
}

static void
on_seen (gpointer data)
{
  show_live (data);
}

static void
on_state_changed (OvRunView *self)
{
  show_verdict (self);
  show_measured (self, ov_run_model_get_texts (self->model));

  show_live (self);
}

static void
on_result_changed (OvRunView *self)
{
  const OvResultTexts *texts = ov_run_model_get_texts (self->model);
  gboolean stored = texts != NULL && ov_run_model_get_result_path (self->model) != NULL;

  ov_time_chart_view_set_chart (self->time_chart, ov_run_model_get_time_chart (self->model));
  ov_chart_view_set_chart (self->chart, ov_run_model_get_chart (self->model));
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->chart),
                              ov_report_chart_title (ov_run_model_get_experiment (self->model),
                                                     ov_run_model_get_figure (self->model)));
  gtk_widget_set_visible (self->overlay, ov_run_model_has_overlay (self->model));
  gtk_actionable_set_action_name (
      GTK_ACTIONABLE (self->overlay),
      g_str_equal (ov_run_model_get_overlay_key (self->model), "article-bars")
          ? "win.article-bars"
          : "win.article-lines");
  gtk_widget_set_visible (GTK_WIDGET (self->note), stored);
  if (stored)
    gtk_label_set_text (self->note, texts->note);
  on_state_changed (self);
}

/* The menu is made when it is opened: which figures there are changes with each run. */
static void
make_figure_menu (GtkMenuButton *button, gpointer data)
{
  OvRunView *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();
  const guint figures = self->model != NULL ? ov_run_model_list_figures (self->model) : 0;

  for (guint f = 0; f < OV_N_FIGURES; f++)
    if ((figures & 1u << f) != 0)
      {
        g_autofree char *action
            = g_strdup_printf ("win.figure('%s')", ov_figure_nick ((OvFigure)f));

        g_menu_append (
            menu, ov_report_chart_title (ov_run_model_get_experiment (self->model), (OvFigure)f),
            action);
      }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
on_row_selected (OvRunView *self, OvResultsRow *row)
{
  if (self->model == NULL)
    return;
  ov_chart_set_highlight (ov_run_model_get_chart (self->model),
                          ov_run_model_find_series (self->model, row));
  ov_run_model_look_at_row (self->model, row);
}

static void
forget_model (OvRunView *self)
{
  if (self->model == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->model, self);
  ov_run_model_set_watched (self->model, FALSE);
  if (self->time_chart != NULL)
    ov_time_chart_view_set_clock (self->time_chart, NULL, NULL);
  g_clear_object (&self->model);
}

static void
ov_run_view_dispose (GObject *object)
{
  OvRunView *self = OV_RUN_VIEW (object);
  GtkWidget *child;

  forget_model (self);
  g_clear_pointer (&self->seen, ov_seen_free);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->time_chart = NULL;
  G_OBJECT_CLASS (ov_run_view_parent_class)->dispose (object);
}

static void
ov_run_view_class_init (OvRunViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_PREFLIGHT_STRIP);
  g_type_ensure (OV_TYPE_REFLOW);
  g_type_ensure (OV_TYPE_WRAP_LAYOUT);
  g_type_ensure (OV_TYPE_CHART_VIEW);
  g_type_ensure (OV_TYPE_TIME_CHART_VIEW);
  g_type_ensure (OV_TYPE_REQUESTS_VIEW);
  g_type_ensure (OV_TYPE_RESULTS_TABLE);
  G_OBJECT_CLASS (klass)->dispose = ov_run_view_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-run-view.ui");
  gtk_widget_class_bind_template_child (widget_class, OvRunView, strip);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, note);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, charts);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, time_chart);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, chart);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, overlay);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, figure);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, requests);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, verdict);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, table);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, self_cost);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, self_cost_box);
  gtk_widget_class_bind_template_child (widget_class, OvRunView, measured);
  gtk_widget_class_bind_template_callback (widget_class, on_row_selected);
}

static void
ov_run_view_init (OvRunView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->figure, make_figure_menu, self, NULL);
  self->seen = ov_seen_new (GTK_WIDGET (self), on_seen, self);
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->time_chart), _ ("Throughput and CPU"));
}

void
ov_run_view_set_model (OvRunView *self, OvRunModel *model)
{
  g_return_if_fail (OV_IS_RUN_VIEW (self));

  if (model == self->model)
    return;
  forget_model (self);
  if (model == NULL)
    {
      ov_preflight_strip_set_model (self->strip, NULL);
      ov_requests_view_set_model (self->requests, NULL);
      ov_results_table_set_model (self->table, NULL);
      show_measured (self, NULL);
      gtk_widget_set_visible (GTK_WIDGET (self->verdict), FALSE);
      gtk_widget_set_visible (self->self_cost_box, FALSE);
      ov_time_chart_view_set_chart (self->time_chart, NULL);
      ov_chart_view_set_chart (self->chart, NULL);
      return;
    }
  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "result-changed", G_CALLBACK (on_result_changed), self);
  g_signal_connect_swapped (model, "state-changed", G_CALLBACK (on_state_changed), self);
  g_signal_connect_swapped (model, "figures-changed", G_CALLBACK (show_verdict), self);
  ov_preflight_strip_set_model (self->strip, model);
  ov_requests_view_set_model (self->requests, model);
  ov_results_table_set_model (self->table, ov_run_model_get_results (model));
  on_result_changed (self);
}

OvRunModel *
ov_run_view_get_model (OvRunView *self)
{
  g_return_val_if_fail (OV_IS_RUN_VIEW (self), NULL);
  return self->model;
}
