// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What follows from the data of an OvChart without a picture: ranges, all x, stacks.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-chart-private.h"

static gboolean
is_log (const OvAxis *axis)
{
  OvAxisKind kind = ov_axis_get_kind (axis);

  return kind == OV_AXIS_LOG2 || kind == OV_AXIS_LOG10;
}

/* Widens the range by a value, if it can be shown on the axis. */
static void
widen (double *lo, double *hi, double value, const OvAxis *axis)
{
  if (!isfinite (value) || (is_log (axis) && value <= 0))
    return;
  if (isnan (*lo) || value < *lo)
    *lo = value;
  if (isnan (*hi) || value > *hi)
    *hi = value;
}

void
ov_chart_get_x_range (OvChart *self, double *lo, double *hi)
{
  *lo = NAN;
  *hi = NAN;
  for (guint i = 0; i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);

      /* A missing value holds its place too: a series that has not begun shows where it will go. */
      for (guint k = 0; s->visible && k < s->points->len; k++)
        widen (lo, hi, g_array_index (s->points, OvChartPoint, k).x, self->x_axis);
    }
}

double
ov_chart_stack_below (OvChart *self, guint series, double x)
{
  const guint column = ov_chart_series (self, series)->column;
  double sum = 0;

  for (guint i = 0; i < series; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);
      int k;

      if (s->kind != OV_CHART_STACKED || !s->visible || s->column != column)
        continue;
      k = ov_chart_find_point (s, x);
      if (k >= 0 && !isnan (g_array_index (s->points, OvChartPoint, k).y))
        sum += g_array_index (s->points, OvChartPoint, k).y;
    }
  return sum;
}

void
ov_chart_get_y_range (OvChart *self, guint group, double *lo, double *hi)
{
  *lo = NAN;
  *hi = NAN;
  for (guint i = 0; i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);

      if (!s->visible || s->own_scale != group)
        continue;
      for (guint k = 0; k < s->points->len; k++)
        {
          const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
          double below = s->kind == OV_CHART_STACKED ? ov_chart_stack_below (self, i, p->x) : 0;

          widen (lo, hi, p->y + below, self->y_axis);
          widen (lo, hi, p->lo, self->y_axis);
          widen (lo, hi, p->hi, self->y_axis);
          /* A bar begins at zero whatever the axis would like. */
          if (!ov_chart_series_is_line (s))
            widen (lo, hi, 0, self->y_axis);
        }
    }
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double da = *(const double *)a;
  double db = *(const double *)b;

  return da < db ? -1 : da > db;
}

GArray *
ov_chart_dup_all_x (OvChart *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (double));
  guint kept = 0;

  for (guint i = 0; i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);

      /* Marks are beside the figures. */
      for (guint k = 0; s->visible && s->own_scale != OV_CHART_MARKS && k < s->points->len; k++)
        g_array_append_val (all, g_array_index (s->points, OvChartPoint, k).x);
    }
  g_array_sort (all, compare_doubles);
  for (guint i = 0; i < all->len; i++)
    {
      double x = g_array_index (all, double, i);

      if (kept == 0 || g_array_index (all, double, kept - 1) != x)
        g_array_index (all, double, kept++) = x;
    }
  g_array_set_size (all, kept);
  return all;
}
