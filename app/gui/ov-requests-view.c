// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRequestsView: `update_id` is a timer that runs once after the model's detail has changed.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "gui/ov-chart-view.h"
#include "gui/ov-heat-chart-view.h"
#include "gui/ov-lane-chart-view.h"
#include "gui/ov-requests-view.h"
#include "gui/ov-wrap-layout.h"

#define UPDATE_MS   200
#define LEAST_ROWS  3
#define MOST_ROWS   12
#define ROW_PIXELS  20
#define REST_PIXELS 84

struct _OvRequestsView
{
  GtkWidget parent_instance;

  GtkStack *stack;
  OvLaneChartView *lanes;
  OvChartView *latency;
  OvHeatChartView *heat;
  GtkToggleButton *ways[OV_RUN_DETAIL_N_WAYS];
  GtkWidget *zoom;
  GtkLabel *why;
  GtkWidget *record;
  GtkWidget *tools;

  OvRunModel *model;
  OvLaneChart *chart; /* whose range is bracketed */
  guint update_id;
};

G_DEFINE_FINAL_TYPE (OvRequestsView, ov_requests_view, GTK_TYPE_WIDGET)

/* The part of the recording that the lanes show. */
static void
update_bracket (OvRequestsView *self)
{
  OvTimeChart *time_chart;
  OvRun *run;
  gint64 t0, t1;

  if (self->model == NULL)
    return;
  time_chart = ov_run_model_get_time_chart (self->model);
  run = ov_run_detail_get_run (ov_run_model_get_detail (self->model));
  if (run == NULL || run->started_ns < 0 || ov_lane_chart_get_n_lanes (self->chart) == 0)
    {
      ov_time_chart_set_bracket (time_chart, 0, 0);
      return;
    }
  ov_lane_chart_get_range (self->chart, &t0, &t1);
  ov_time_chart_set_bracket (time_chart, run->started_ns + t0, run->started_ns + t1);
}

/* Before the first run it is the experiment that says what is done. */
static guint
job_of (OvRequestsView *self, const OvRun *run)
{
  return run != NULL ? run->spec->job : ov_run_model_get_experiment (self->model)->job;
}

static void
update (OvRequestsView *self)
{
  static const char *const names[] = { "lanes", "latency", "heat" };
  OvRunDetail *detail;
  OvRunDetailWay way;
  const OvRun *run;
  gboolean has;

  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->model == NULL)
    return;
  detail = ov_run_model_get_detail (self->model);
  way = ov_run_detail_get_way (detail);
  run = ov_run_detail_get_run (detail);
  has = ov_run_detail_has (detail, way);
  if (has && way == OV_RUN_DETAIL_LANES)
    {
      int rows = (int)ov_lane_chart_get_n_lanes (self->chart);

      gtk_widget_set_size_request (GTK_WIDGET (self->lanes), -1,
                                   REST_PIXELS + ROW_PIXELS * CLAMP (rows, LEAST_ROWS, MOST_ROWS));
    }
  else if (!has)
    {
      const gboolean none = run == NULL && way == OV_RUN_DETAIL_LANES
                            && (job_of (self, run) & OV_HARDWARE_JOBS) != 0;
      g_autofree char *why = none ? g_strdup (_ ("This experiment uses no file, so there are no "
                                                 "requests to draw."))
                                  : ov_run_detail_dup_why_not (detail, way);

      gtk_label_set_text (self->why, why);
    }
  if (!gtk_toggle_button_get_active (self->ways[way]))
    gtk_toggle_button_set_active (self->ways[way], TRUE);
  gtk_stack_set_visible_child_name (self->stack, has ? names[way] : "none");
  gtk_widget_set_visible (self->tools, has);
  gtk_widget_set_visible (self->zoom, way == OV_RUN_DETAIL_LANES);
  gtk_widget_set_visible (
      self->record, !ov_run_detail_is_making (detail, way)
                        && ov_run_settings_get_timing (ov_run_model_get_settings (self->model))
                               != OV_TIMING_TIMELINE
                        && (job_of (self, run) & OV_HARDWARE_JOBS) == 0);
  update_bracket (self);
}

static gboolean
on_update (gpointer data)
{
  OvRequestsView *self = data;

  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
queue_update (OvRequestsView *self)
{
  if (self->update_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->update_id = g_timeout_add (UPDATE_MS, on_update, self);
}

/* Twenty times a second, as it is told. */
static void
on_live (OvRequestsView *self, OvRunDetail *detail)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && ov_run_model_is_watched (self->model))
    ov_run_detail_show_live (detail);
}

static void
ov_requests_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_requests_view_parent_class)->map (widget);
  update (OV_REQUESTS_VIEW (widget));
}

static void
ov_requests_view_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&OV_REQUESTS_VIEW (widget)->update_id, g_source_remove);
  GTK_WIDGET_CLASS (ov_requests_view_parent_class)->unmap (widget);
}

static void
on_way (OvRequestsView *self, GtkToggleButton *button)
{
  if (self->model == NULL || !gtk_toggle_button_get_active (button))
    return;
  for (guint i = 0; i < OV_RUN_DETAIL_N_WAYS; i++)
    if (self->ways[i] == button)
      ov_run_detail_set_way (ov_run_model_get_detail (self->model), (OvRunDetailWay)i);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update (self);
}

static void
on_zoom_in (OvRequestsView *self)
{
  ov_lane_chart_view_zoom (self->lanes, 2);
}

static void
on_zoom_out (OvRequestsView *self)
{
  ov_lane_chart_view_zoom (self->lanes, 0.5);
}

static void
on_show_all (OvRequestsView *self)
{
  ov_lane_chart_view_show_all (self->lanes);
}

static void
on_record (OvRequestsView *self)
{
  if (self->model == NULL)
    return;
  ov_run_settings_set_timing (ov_run_model_get_settings (self->model), OV_TIMING_TIMELINE);
  gtk_label_set_text (self->why, _ ("From the next run on, every request is recorded."));
  gtk_widget_set_visible (self->record, FALSE);
}

static void
forget_model (OvRequestsView *self)
{
  if (self->model == NULL)
    return;
  g_signal_handlers_disconnect_by_data (ov_run_model_get_detail (self->model), self);
  g_signal_handlers_disconnect_by_data (ov_run_model_get_settings (self->model), self);
  g_signal_handlers_disconnect_by_data (self->model, self);
  g_signal_handlers_disconnect_by_data (self->chart, self);
  g_clear_object (&self->chart);
  g_clear_object (&self->model);
}

static void
ov_requests_view_dispose (GObject *object)
{
  OvRequestsView *self = OV_REQUESTS_VIEW (object);
  GtkWidget *child;

  forget_model (self);
  g_clear_handle_id (&self->update_id, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ov_requests_view_parent_class)->dispose (object);
}

static void
ov_requests_view_class_init (OvRequestsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_WRAP_LAYOUT);
  g_type_ensure (OV_TYPE_LANE_CHART_VIEW);
  g_type_ensure (OV_TYPE_CHART_VIEW);
  g_type_ensure (OV_TYPE_HEAT_CHART_VIEW);
  G_OBJECT_CLASS (klass)->dispose = ov_requests_view_dispose;
  widget_class->map = ov_requests_view_map;
  widget_class->unmap = ov_requests_view_unmap;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-requests-view.ui");
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, stack);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, lanes);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, latency);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, heat);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, zoom);
  gtk_widget_class_bind_template_child_full (
      widget_class, "way_lanes", FALSE,
      G_STRUCT_OFFSET (OvRequestsView, ways[OV_RUN_DETAIL_LANES]));
  gtk_widget_class_bind_template_child_full (
      widget_class, "way_latency", FALSE,
      G_STRUCT_OFFSET (OvRequestsView, ways[OV_RUN_DETAIL_LATENCY]));
  gtk_widget_class_bind_template_child_full (
      widget_class, "way_heat", FALSE, G_STRUCT_OFFSET (OvRequestsView, ways[OV_RUN_DETAIL_HEAT]));
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, why);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, record);
  gtk_widget_class_bind_template_child (widget_class, OvRequestsView, tools);
  gtk_widget_class_bind_template_callback (widget_class, on_way);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_in);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_out);
  gtk_widget_class_bind_template_callback (widget_class, on_show_all);
  gtk_widget_class_bind_template_callback (widget_class, on_record);
}

static void
ov_requests_view_init (OvRequestsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->lanes), _ ("Requests of a run"));
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->latency), _ ("Latency of requests"));
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->heat), _ ("Latency over time"));
}

void
ov_requests_view_set_model (OvRequestsView *self, OvRunModel *model)
{
  OvRunDetail *detail;
  OvLatency *latency;
  OvHeatChart *heat;

  g_return_if_fail (OV_IS_REQUESTS_VIEW (self));

  if (model == self->model)
    return;
  forget_model (self);
  ov_lane_chart_view_set_chart (self->lanes, NULL);
  ov_chart_view_set_chart (self->latency, NULL);
  ov_heat_chart_view_set_chart (self->heat, NULL);
  if (model == NULL)
    return;
  self->model = g_object_ref (model);
  detail = ov_run_model_get_detail (model);
  /* As they are: update() has the one that is shown made. */
  self->chart
      = g_object_ref (OV_LANE_CHART (ov_run_detail_peek_chart (detail, OV_RUN_DETAIL_LANES)));
  latency = OV_LATENCY (ov_run_detail_peek_chart (detail, OV_RUN_DETAIL_LATENCY));
  heat = OV_HEAT_CHART (ov_run_detail_peek_chart (detail, OV_RUN_DETAIL_HEAT));
  ov_lane_chart_view_set_chart (self->lanes, self->chart);
  ov_chart_view_set_chart (self->latency, ov_latency_get_chart (latency));
  ov_heat_chart_view_set_chart (self->heat, heat);
  gtk_toggle_button_set_active (self->ways[ov_run_detail_get_way (detail)], TRUE);
  g_signal_connect_swapped (self->chart, "changed", G_CALLBACK (update_bracket), self);
  g_signal_connect_swapped (detail, "changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (detail, "live", G_CALLBACK (on_live), self);
  g_signal_connect_swapped (model, "result-changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (ov_run_model_get_settings (model), "changed", G_CALLBACK (queue_update),
                            self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    update (self);
}
