// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChartView: samples are appended by others without a redraw; the tick flushes them, so that
 * there is one picture for each tick however many samples came.
 */
#include "config.h"

#include "gui/ov-time-chart-view.h"

#define TICK_MS 50
/* An arrow key moves the cursor by this part of the visible time. */
#define CURSOR_STEPS 100

struct _OvTimeChartView
{
  OvDrawableView parent_instance;

  OvTimeChartClock clock;
  gpointer clock_data;
  guint tick_id;
  gint64 cursor; /* nanoseconds, -1: none */
};

G_DEFINE_FINAL_TYPE (OvTimeChartView, ov_time_chart_view, OV_TYPE_DRAWABLE_VIEW)

static OvTimeChart *
get_chart (gpointer view)
{
  return OV_TIME_CHART (ov_drawable_view_get_drawable (view));
}

static gboolean
on_tick (gpointer data)
{
  OvTimeChartView *self = data;
  OvTimeChart *chart = get_chart (self);

  if (chart != NULL)
    {
      ov_time_chart_set_now (chart, self->clock (self->clock_data));
      ov_time_chart_flush (chart);
    }
  return G_SOURCE_CONTINUE;
}

static void
update_timer (OvTimeChartView *self)
{
  gboolean wanted = self->clock != NULL && gtk_widget_get_mapped (GTK_WIDGET (self));

  if (wanted && self->tick_id == 0)
    self->tick_id = g_timeout_add (TICK_MS, on_tick, self);
  else if (!wanted)
    g_clear_handle_id (&self->tick_id, g_source_remove);
}

static void
ov_time_chart_view_map (GtkWidget *widget)
{
  OvTimeChart *chart = get_chart (widget);

  GTK_WIDGET_CLASS (ov_time_chart_view_parent_class)->map (widget);
  if (chart != NULL)
    ov_time_chart_flush (chart);
  update_timer (OV_TIME_CHART_VIEW (widget));
}

static void
ov_time_chart_view_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_time_chart_view_parent_class)->unmap (widget);
  update_timer (OV_TIME_CHART_VIEW (widget));
}

static void
set_cursor (OvTimeChartView *self, gint64 t_ns)
{
  OvTimeChart *chart = get_chart (self);

  self->cursor = t_ns;
  ov_time_chart_set_cursor (chart, t_ns);
  if (t_ns >= 0)
    {
      g_autofree char *text = ov_time_chart_describe_time (chart, t_ns);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                      text, -1);
    }
}

static void
ov_time_chart_view_hover (OvDrawableView *view, double x, double y)
{
  gint64 t_ns;

  if (x >= 0
      && ov_time_chart_pick (get_chart (view), gtk_widget_get_width (GTK_WIDGET (view)),
                             gtk_widget_get_height (GTK_WIDGET (view)), x, y, &t_ns))
    set_cursor (OV_TIME_CHART_VIEW (view), t_ns);
  else
    set_cursor (OV_TIME_CHART_VIEW (view), -1);
}

static gboolean
ov_time_chart_view_step (OvDrawableView *view, int dx, int dy)
{
  OvTimeChartView *self = OV_TIME_CHART_VIEW (view);
  gint64 t0, t1, step;

  if (dx == 0)
    return FALSE;
  ov_time_chart_get_visible (get_chart (view), &t0, &t1);
  if (t1 <= t0)
    return FALSE;
  step = MAX ((t1 - t0) / CURSOR_STEPS, 1);
  set_cursor (self,
              self->cursor < 0 ? (dx > 0 ? t0 : t1) : CLAMP (self->cursor + dx * step, t0, t1));
  return TRUE;
}

static void
ov_time_chart_view_drawable_changed (OvDrawableView *view)
{
  OV_TIME_CHART_VIEW (view)->cursor = -1;
}

static void
ov_time_chart_view_dispose (GObject *object)
{
  OvTimeChartView *self = OV_TIME_CHART_VIEW (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  self->clock = NULL;
  G_OBJECT_CLASS (ov_time_chart_view_parent_class)->dispose (object);
}

static void
ov_time_chart_view_class_init (OvTimeChartViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  OvDrawableViewClass *view_class = OV_DRAWABLE_VIEW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_time_chart_view_dispose;
  widget_class->map = ov_time_chart_view_map;
  widget_class->unmap = ov_time_chart_view_unmap;
  view_class->hover = ov_time_chart_view_hover;
  view_class->step = ov_time_chart_view_step;
  view_class->drawable_changed = ov_time_chart_view_drawable_changed;
}

static void
ov_time_chart_view_init (OvTimeChartView *self)
{
  self->cursor = -1;
}

GtkWidget *
ov_time_chart_view_new (void)
{
  return g_object_new (OV_TYPE_TIME_CHART_VIEW, NULL);
}

void
ov_time_chart_view_set_chart (OvTimeChartView *self, OvTimeChart *chart)
{
  g_return_if_fail (OV_IS_TIME_CHART_VIEW (self));
  ov_drawable_view_set_drawable (OV_DRAWABLE_VIEW (self),
                                 chart != NULL ? OV_DRAWABLE (chart) : NULL);
}

void
ov_time_chart_view_set_clock (OvTimeChartView *self, OvTimeChartClock clock, gpointer data)
{
  OvTimeChart *chart;

  g_return_if_fail (OV_IS_TIME_CHART_VIEW (self));
  self->clock = clock;
  self->clock_data = data;
  chart = get_chart (self);
  if (clock == NULL && chart != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    ov_time_chart_flush (chart);
  update_timer (self);
}

gboolean
ov_time_chart_view_is_ticking (OvTimeChartView *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART_VIEW (self), FALSE);
  return self->tick_id != 0;
}
