// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvHeatChartView: the column that is read out is the chart's cursor.
 */
#include "config.h"

#include "gui/ov-heat-chart-view.h"

struct _OvHeatChartView
{
  OvDrawableView parent_instance;
};

G_DEFINE_FINAL_TYPE (OvHeatChartView, ov_heat_chart_view, OV_TYPE_DRAWABLE_VIEW)

static OvHeatChart *
get_chart (gpointer view)
{
  return OV_HEAT_CHART (ov_drawable_view_get_drawable (view));
}

static void
show_column (OvDrawableView *view, int column)
{
  OvHeatChart *chart = get_chart (view);
  g_autofree char *text = NULL;

  ov_heat_chart_set_cursor (chart, column);
  if (ov_heat_chart_get_cursor (chart) < 0)
    return;
  text = ov_heat_chart_describe_column (chart, (guint)ov_heat_chart_get_cursor (chart));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
}

static void
ov_heat_chart_view_hover (OvDrawableView *view, double x, double y)
{
  guint column, row;

  if (x >= 0
      && ov_heat_chart_pick (get_chart (view), gtk_widget_get_width (GTK_WIDGET (view)),
                             gtk_widget_get_height (GTK_WIDGET (view)), x, y, &column, &row))
    show_column (view, (int)column);
  else
    ov_heat_chart_set_cursor (get_chart (view), -1);
}

static gboolean
ov_heat_chart_view_step (OvDrawableView *view, int dx, int dy)
{
  OvHeatChart *chart = get_chart (view);
  int n = (int)ov_heat_chart_get_n_columns (chart);
  int column = ov_heat_chart_get_cursor (chart);

  if (dx == 0 || n == 0)
    return FALSE;
  show_column (view, column < 0 ? (dx > 0 ? 0 : n - 1) : CLAMP (column + dx, 0, n - 1));
  return TRUE;
}

static void
ov_heat_chart_view_class_init (OvHeatChartViewClass *klass)
{
  OvDrawableViewClass *view_class = OV_DRAWABLE_VIEW_CLASS (klass);

  view_class->hover = ov_heat_chart_view_hover;
  view_class->step = ov_heat_chart_view_step;
}

static void
ov_heat_chart_view_init (OvHeatChartView *self)
{
}

GtkWidget *
ov_heat_chart_view_new (void)
{
  return g_object_new (OV_TYPE_HEAT_CHART_VIEW, NULL);
}

void
ov_heat_chart_view_set_chart (OvHeatChartView *self, OvHeatChart *chart)
{
  g_return_if_fail (OV_IS_HEAT_CHART_VIEW (self));
  ov_drawable_view_set_drawable (OV_DRAWABLE_VIEW (self),
                                 chart != NULL ? OV_DRAWABLE (chart) : NULL);
}
