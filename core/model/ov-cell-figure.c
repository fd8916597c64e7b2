/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of a cell, computed when they are asked for.
 */
#include "config.h"

#include "model/ov-cell-figure.h"

#include <math.h>

static double
lateness_s (const OvRun *run)
{
  g_autofree OvHistogram *histogram = NULL;

  if (run->neighbour == NULL || run->neighbour->lateness == NULL)
    return NAN;
  histogram = g_new (OvHistogram, 1);
  ov_histogram_init (histogram);
  ov_neighbour_merge (run->neighbour->lateness, histogram);
  if (ov_histogram_count (histogram) == 0)
    return NAN;
  return (double)ov_histogram_quantile (histogram, 0.99) / 1e9;
}

/* How late the events of a run that follows a clock came. */
static double
jitter_s (OvRun *run)
{
  const OvHistogram *histogram = run->spec->job & OV_CLOCKED_JOBS ? ov_run_get_latency (run) : NULL;

  if (histogram == NULL || ov_histogram_count (histogram) == 0)
    return NAN;
  return (double)ov_histogram_quantile (histogram, 0.99) / 1e9;
}

double
ov_run_figure (const OvRun *run, OvFigure figure)
{
  const gboolean ran = run->state == OV_STATE_DONE;

  switch (figure)
    {
    case OV_FIGURE_ELAPSED:
    case OV_FIGURE_PARTS:
      return ran && run->elapsed_ns >= 0 ? (double)run->elapsed_ns / 1e9 : NAN;
    case OV_FIGURE_LATENESS:
      return ran ? lateness_s (run) : NAN;
    case OV_FIGURE_LOST:
      return ran ? ov_neighbour_lost (run->neighbour) : NAN;
    case OV_FIGURE_STOP:
      return run->stop_latency_ns >= 0 ? (double)run->stop_latency_ns / 1e9 : NAN;
    case OV_FIGURE_DELIVERED:
      return ran ? ov_run_per_second (run) : NAN;
    case OV_FIGURE_JITTER:
      return ran ? jitter_s ((OvRun *)run) : NAN;
    default:
      return NAN;
    }
}

gboolean
ov_cell_figure (const OvCell *cell, OvFigure figure, OvStatsSummary *out)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const double value = ov_run_figure (g_ptr_array_index (cell->runs, i), figure);

      if (isfinite (value))
        g_array_append_val (values, value);
    }
  return values->len > 0
         && ov_stats_summary ((const double *)(gpointer)values->data, values->len, out);
}

OvHistogram *
ov_cell_lateness (const OvCell *cell, gboolean base)
{
  OvHistogram *sum = NULL;

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);

      if (run->neighbour == NULL)
        continue;
      if (sum == NULL)
        {
          sum = g_new (OvHistogram, 1);
          ov_histogram_init (sum);
        }
      ov_neighbour_merge (base ? run->neighbour->base : run->neighbour->lateness, sum);
    }
  return sum;
}

gboolean
ov_result_has_neighbour (const OvResult *result)
{
  for (guint i = 0; i < result->runs->len; i++)
    if (((const OvRun *)result->runs->pdata[i])->neighbour != NULL)
      return TRUE;
  return FALSE;
}

OvProfile *
ov_cell_profile (const OvCell *cell, guint most)
{
  OvProfile *sum = NULL;

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);

      if (run->profile == NULL)
        continue;
      if (sum == NULL)
        sum = ov_profile_new ();
      ov_profile_merge (sum, run->profile);
    }
  if (sum != NULL)
    ov_profile_sort (sum, most);
  return sum;
}

gboolean
ov_result_has_profile (const OvResult *result)
{
  for (guint i = 0; i < result->runs->len; i++)
    if (((const OvRun *)result->runs->pdata[i])->profile != NULL)
      return TRUE;
  return FALSE;
}

gboolean
ov_cell_ns (const OvCell *cell, gsize offset, OvStatsSummary *out)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      const gint64 ns = G_STRUCT_MEMBER (gint64, run, offset);
      const double seconds = (double)ns / 1e9;

      if (run->state == OV_STATE_DONE && ns >= 0)
        g_array_append_val (values, seconds);
    }
  return values->len > 0
         && ov_stats_summary ((const double *)(gpointer)values->data, values->len, out);
}
