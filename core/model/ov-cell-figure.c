/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of a cell, computed when they are asked for.
 */
#include "config.h"

#include "model/ov-cell-figure.h"
#include "model/ov-events.h"
#include "model/ov-per-block.h"

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

/* A quantile of how late the events of a run that follows a clock came, missed ones included. */
static double
jitter_s (OvRun *run, double q)
{
  g_autofree OvHistogram *histogram = ov_run_lateness (run);

  if (histogram == NULL || ov_histogram_count (histogram) == 0)
    return NAN;
  return (double)ov_histogram_quantile (histogram, q) / 1e9;
}

/* A quantile of the requests' times. */
static double
latency_s (OvRun *run, double q)
{
  const OvHistogram *histogram
      = (run->spec->job & OV_CLOCKED_JOBS) == 0 ? ov_run_get_latency (run) : NULL;

  if (histogram == NULL || ov_histogram_count (histogram) == 0)
    return NAN;
  return (double)ov_histogram_quantile (histogram, q) / 1e9;
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
      return ran ? jitter_s ((OvRun *)run, 0.99) : NAN;
    case OV_FIGURE_CPU: /* a time limit may have ended a run of blocks: by block, as elapsed time */
      if (run->spec->job == OV_JOB_BLOCKS)
        return ran ? ov_run_block_cpu (run) : NAN;
      return ran && run->cpu_ns >= 0 ? (double)run->cpu_ns / 1e9 : NAN;
    case OV_FIGURE_THROUGHPUT:
      return ran ? ov_run_rate (run) : NAN;
    case OV_FIGURE_LATENCY_50:
      return ran ? latency_s ((OvRun *)run, 0.5) : NAN;
    case OV_FIGURE_LATENCY_99:
      return ran ? latency_s ((OvRun *)run, 0.99) : NAN;
    case OV_N_FIGURES:
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

guint
ov_result_figures (const OvResult *result)
{
  const guint all = (1u << OV_N_FIGURES) - 1;
  guint found = 0;

  for (guint i = 0; i < result->runs->len && found != all; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      for (guint f = 0; f < OV_N_FIGURES && run->spec->part == OV_PART_WHOLE; f++)
        if (!(found & 1u << f) && isfinite (ov_run_figure (run, (OvFigure)f)))
          found |= 1u << f;
    }
  return found;
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
