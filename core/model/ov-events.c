/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of events.
 */
#include "config.h"

#include "model/ov-events.h"

#include <math.h>

OvHistogram *
ov_run_lateness (const OvRun *run)
{
  g_autofree OvHistogram *measured = NULL;
  OvHistogram *lateness;

  g_return_val_if_fail (run != NULL, NULL);
  measured = (run->spec->job & OV_CLOCKED_JOBS) != 0 ? ov_run_dup_latency (run) : NULL;
  if (measured == NULL)
    return NULL;
  lateness = g_memdup2 (measured, sizeof *measured);
  if (run->missed > 0 && run->spec->rate > 0)
    ov_histogram_add_missed (lateness, measured, MAX (1, 1e9 / run->spec->rate),
                             (guint64)run->missed);
  return lateness;
}

gboolean
ov_events_make (const OvCell *cell, OvEvents *sum, OvHistogram *lateness)
{
  *sum = (OvEvents){ 0 };
  for (guint i = 0; i < cell->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (cell->runs, i);
      g_autofree OvHistogram *histogram = NULL;

      if (run->state != OV_STATE_DONE || !(run->spec->job & OV_CLOCKED_JOBS) || run->missed < 0
          || run->completed < 0)
        continue;
      sum->delivered += (guint64)run->completed;
      sum->missed += (guint64)run->missed;
      sum->late += (guint64)MAX (run->late, 0);
      sum->gaps += (guint64)MAX (run->gaps, 0);
      sum->longest_gap_ns = MAX (sum->longest_gap_ns, run->longest_gap_ns);
      sum->cpu_ns += MAX (run->cpu_ns, 0);
      sum->elapsed_ns += MAX (run->elapsed_ns, 0);
      histogram = lateness != NULL ? ov_run_lateness (run) : NULL;
      if (histogram != NULL)
        ov_histogram_merge (lateness, histogram);
    }
  sum->asked = sum->delivered + sum->missed;
  return sum->asked > 0;
}

double
ov_events_sustained (const GPtrArray *cells, const char *variant)
{
  double highest = NAN;

  /* Cells of one line come in the order of x. */
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      OvEvents sum;

      if (g_strcmp0 (cell->variant, variant) != 0 || !ov_events_make (cell, &sum, NULL))
        continue;
      if ((double)sum.missed >= OV_EVENTS_HELD * (double)sum.asked)
        break;
      highest = cell->x;
    }
  return highest;
}
