// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChartView: the cursor is the chart's; here stands only which point the keyboard is on.
 */
#include "config.h"

#include <math.h>

#include "gui/ov-chart-view.h"

struct _OvChartView
{
  OvDrawableView parent_instance;

  gboolean has_point;
  guint series;
  guint point;
};

G_DEFINE_FINAL_TYPE (OvChartView, ov_chart_view, OV_TYPE_DRAWABLE_VIEW)

static OvChart *
get_chart (OvDrawableView *view)
{
  return OV_CHART (ov_drawable_view_get_drawable (view));
}

static void
announce (OvDrawableView *view, const OvChartHit *hit)
{
  OvChart *chart = get_chart (view);
  g_autofree char *text = ov_chart_describe_hit (chart, hit);

  ov_chart_set_cursor (chart, hit);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
}

static void
ov_chart_view_hover (OvDrawableView *view, double x, double y)
{
  OvChartView *self = OV_CHART_VIEW (view);
  OvChart *chart = get_chart (view);
  OvChartHit hit;

  if (x >= 0
      && ov_chart_pick (chart, gtk_widget_get_width (GTK_WIDGET (view)),
                        gtk_widget_get_height (GTK_WIDGET (view)), x, y, &hit))
    {
      self->has_point = TRUE;
      self->series = hit.series;
      self->point = hit.point;
      announce (view, &hit);
    }
  else
    {
      self->has_point = FALSE;
      ov_chart_set_cursor (chart, NULL);
    }
}

/* The next visible series with points from `series` on, in steps of `d`; -1 for none. */
static int
find_series (OvChart *chart, int series, int d)
{
  for (int n = (int)ov_chart_get_n_series (chart); series >= 0 && series < n; series += d)
    if (ov_chart_get_series_visible (chart, (guint)series)
        && ov_chart_get_n_points (chart, (guint)series) > 0)
      return series;
  return -1;
}

static gboolean
ov_chart_view_step (OvDrawableView *view, int dx, int dy)
{
  OvChartView *self = OV_CHART_VIEW (view);
  OvChart *chart = get_chart (view);
  int series = self->has_point ? (int)self->series : 0;
  int point = self->has_point ? (int)self->point + dx : 0;
  OvChartHit hit = { 0 };
  OvChartPoint found;

  series = self->has_point && dy != 0 ? find_series (chart, series + dy, dy)
                                      : find_series (chart, series, 1);
  if (series < 0)
    return FALSE;
  point = CLAMP (point, 0, (int)ov_chart_get_n_points (chart, (guint)series) - 1);
  if (!ov_chart_get_point (chart, (guint)series, (guint)point, &found))
    return FALSE;
  self->has_point = TRUE;
  self->series = hit.series = (guint)series;
  self->point = hit.point = (guint)point;
  hit.x = found.x;
  hit.y = found.y;
  hit.lo = found.lo;
  hit.hi = found.hi;
  hit.state = found.state;
  announce (view, &hit);
  return TRUE;
}

static void
ov_chart_view_drawable_changed (OvDrawableView *view)
{
  OV_CHART_VIEW (view)->has_point = FALSE;
}

static void
ov_chart_view_class_init (OvChartViewClass *klass)
{
  OvDrawableViewClass *view_class = OV_DRAWABLE_VIEW_CLASS (klass);

  view_class->hover = ov_chart_view_hover;
  view_class->step = ov_chart_view_step;
  view_class->drawable_changed = ov_chart_view_drawable_changed;
}

static void
ov_chart_view_init (OvChartView *self)
{
}

GtkWidget *
ov_chart_view_new (void)
{
  return g_object_new (OV_TYPE_CHART_VIEW, NULL);
}

void
ov_chart_view_set_chart (OvChartView *self, OvChart *chart)
{
  g_return_if_fail (OV_IS_CHART_VIEW (self));
  ov_drawable_view_set_drawable (OV_DRAWABLE_VIEW (self),
                                 chart != NULL ? OV_DRAWABLE (chart) : NULL);
}
