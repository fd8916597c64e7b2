// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChartView: the block that the pointer or the keyboard is on is `hit`; its lane is beyond
 * all lanes while there is none.
 */
#include "config.h"

#include "gui/ov-lane-chart-view.h"

#define ZOOM_KEY   2.0
#define ZOOM_WHEEL 1.25
#define PAGE       0.8
#define WHEEL_STEP 0.1

struct _OvLaneChartView
{
  OvDrawableView parent_instance;

  OvLaneHit hit;
  gint64 pointer_ns; /* under the pointer, -1: it is elsewhere */
  double dragged;    /* pixels, of the drag that goes on */
};

G_DEFINE_FINAL_TYPE (OvLaneChartView, ov_lane_chart_view, OV_TYPE_DRAWABLE_VIEW)

static OvLaneChart *
get_chart (gpointer view)
{
  return OV_LANE_CHART (ov_drawable_view_get_drawable (view));
}

static void
forget_hit (OvLaneChartView *self)
{
  self->hit.lane = G_MAXUINT;
  if (get_chart (self) != NULL)
    ov_lane_chart_set_cursor (get_chart (self), -1, NULL);
}

/* The cursor stands where the block begins, or at `t_ns` within it. */
static void
show_hit (OvLaneChartView *self, gint64 t_ns)
{
  g_autofree char *text = ov_lane_chart_describe_hit (get_chart (self), &self->hit);

  ov_lane_chart_set_cursor (get_chart (self), t_ns, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
}

static void
ov_lane_chart_view_hover (OvDrawableView *view, double x, double y)
{
  OvLaneChartView *self = OV_LANE_CHART_VIEW (view);
  OvLaneChart *chart = get_chart (view);
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  int height = gtk_widget_get_height (GTK_WIDGET (view));

  if (x < 0 || !ov_lane_chart_pick_time (chart, width, height, x, &self->pointer_ns))
    {
      self->pointer_ns = -1;
      forget_hit (self);
      return;
    }
  if (ov_lane_chart_pick (chart, width, height, x, y, &self->hit))
    show_hit (self, self->pointer_ns);
  else
    {
      self->hit.lane = G_MAXUINT;
      ov_lane_chart_set_cursor (chart, self->pointer_ns, NULL);
    }
}

/* Moves what is shown so that the block of the cursor is in it. */
static void
follow_hit (OvLaneChartView *self)
{
  OvLaneChart *chart = get_chart (self);
  gint64 t0, t1;

  ov_lane_chart_get_range (chart, &t0, &t1);
  if (!ov_lane_chart_is_zoomed (chart) || (self->hit.t0_ns >= t0 && self->hit.t0_ns <= t1))
    return;
  ov_lane_chart_pan (chart, (double)(self->hit.t0_ns - (t0 + t1) / 2) / (double)(t1 - t0));
}

static gboolean
ov_lane_chart_view_step (OvDrawableView *view, int dx, int dy)
{
  OvLaneChartView *self = OV_LANE_CHART_VIEW (view);

  if (!ov_lane_chart_step (get_chart (view), &self->hit, dx, dy))
    return FALSE;
  follow_hit (self);
  show_hit (self, self->hit.t0_ns);
  return TRUE;
}

static gint64
zoom_centre (OvLaneChartView *self)
{
  gint64 t0, t1;

  ov_lane_chart_get_range (get_chart (self), &t0, &t1);
  if (self->hit.lane != G_MAXUINT && self->hit.t0_ns >= t0 && self->hit.t0_ns <= t1)
    return self->hit.t0_ns;
  return self->pointer_ns >= t0 && self->pointer_ns <= t1 ? self->pointer_ns : (t0 + t1) / 2;
}

static gboolean
on_key (OvLaneChartView *self, guint keyval, guint code, GdkModifierType state)
{
  OvLaneChart *chart = get_chart (self);

  if (chart == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      ov_lane_chart_view_zoom (self, ZOOM_KEY);
      break;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      ov_lane_chart_view_zoom (self, 1 / ZOOM_KEY);
      break;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      ov_lane_chart_view_show_all (self);
      break;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      return ov_lane_chart_pan (chart, -PAGE);
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      return ov_lane_chart_pan (chart, PAGE);
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      return ov_lane_chart_pan (chart, -1e9);
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      return ov_lane_chart_pan (chart, 1e9);
    default:
      return GDK_EVENT_PROPAGATE;
    }
  return GDK_EVENT_STOP;
}

/* The wheel zooms with Ctrl and moves with Shift; alone it is the page's. */
static gboolean
on_scroll (OvLaneChartView *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  OvLaneChart *chart = get_chart (self);

  if (chart == NULL)
    return GDK_EVENT_PROPAGATE;
  if ((state & GDK_CONTROL_MASK) != 0 && dy != 0)
    {
      gint64 at = self->pointer_ns >= 0 ? self->pointer_ns : zoom_centre (self);

      ov_lane_chart_zoom (chart, dy < 0 ? ZOOM_WHEEL : 1 / ZOOM_WHEEL, at);
      return GDK_EVENT_STOP;
    }
  if (dx != 0 || (state & GDK_SHIFT_MASK) != 0)
    return ov_lane_chart_pan (chart, WHEEL_STEP * (dx != 0 ? dx : dy));
  return GDK_EVENT_PROPAGATE;
}

static void
on_drag_begin (OvLaneChartView *self)
{
  self->dragged = 0;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag (OvLaneChartView *self, double dx, double dy)
{
  int width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)));

  if (get_chart (self) != NULL)
    ov_lane_chart_pan (get_chart (self), (self->dragged - dx) / width);
  self->dragged = dx;
}

static void
ov_lane_chart_view_drawable_changed (OvDrawableView *view)
{
  OvLaneChartView *self = OV_LANE_CHART_VIEW (view);

  self->hit.lane = G_MAXUINT;
  self->pointer_ns = -1;
}

static void
ov_lane_chart_view_class_init (OvLaneChartViewClass *klass)
{
  OvDrawableViewClass *view_class = OV_DRAWABLE_VIEW_CLASS (klass);

  view_class->hover = ov_lane_chart_view_hover;
  view_class->step = ov_lane_chart_view_step;
  view_class->drawable_changed = ov_lane_chart_view_drawable_changed;
}

static void
ov_lane_chart_view_init (OvLaneChartView *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->hit.lane = G_MAXUINT;
  self->pointer_ns = -1;
  g_signal_connect_swapped (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
ov_lane_chart_view_new (void)
{
  return g_object_new (OV_TYPE_LANE_CHART_VIEW, NULL);
}

void
ov_lane_chart_view_set_chart (OvLaneChartView *self, OvLaneChart *chart)
{
  g_return_if_fail (OV_IS_LANE_CHART_VIEW (self));
  ov_drawable_view_set_drawable (OV_DRAWABLE_VIEW (self),
                                 chart != NULL ? OV_DRAWABLE (chart) : NULL);
}

void
ov_lane_chart_view_zoom (OvLaneChartView *self, double factor)
{
  g_return_if_fail (OV_IS_LANE_CHART_VIEW (self));
  if (get_chart (self) != NULL)
    ov_lane_chart_zoom (get_chart (self), factor, zoom_centre (self));
}

void
ov_lane_chart_view_show_all (OvLaneChartView *self)
{
  g_return_if_fail (OV_IS_LANE_CHART_VIEW (self));
  if (get_chart (self) != NULL)
    ov_lane_chart_set_range (get_chart (self), 0, 0);
}
