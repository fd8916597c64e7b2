/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Medians by block, and paired ratios as percentages.
 */
#include "config.h"

#include <math.h>

#include "metrics/ov-stats.h"
#include "model/ov-per-block.h"

gint64
ov_run_blocks (const OvRun *run)
{
  if (run->spec->job == OV_JOB_PORT)
    return run->completed;
  if (run->spec->job != OV_JOB_BLOCKS || run->spec->block == 0 || run->bytes < 0)
    return -1;
  return run->bytes / (gint64)run->spec->block;
}

gboolean
ov_run_is_cut_short (const OvRun *run)
{
  gint64 blocks = run->spec->job == OV_JOB_BLOCKS ? ov_run_blocks (run) : -1;

  return blocks >= 0 && (guint64)blocks < (guint64)run->spec->requests;
}

static double
by_block (const OvRun *run, gint64 ns)
{
  gint64 blocks = ov_run_blocks (run);

  return blocks > 0 && ns >= 0 ? (double)ns / 1e9 / (double)blocks : NAN;
}

double
ov_run_block_seconds (const OvRun *run)
{
  return by_block (run, run->elapsed_ns);
}

double
ov_run_block_cpu (const OvRun *run)
{
  return by_block (run, run->cpu_ns);
}

static double
prepare_seconds (const OvRun *run)
{
  return run->prepare_ns >= 0 ? (double)run->prepare_ns / 1e9 : NAN;
}

typedef double (*Figure) (const OvRun *run);

/* What the runs that count give; of double. */
static GArray *
figures (const OvCell *cell, Figure figure)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      double value = run->state == OV_STATE_DONE ? figure (run) : NAN;

      if (isfinite (value))
        g_array_append_val (values, value);
    }
  return values;
}

/* Their median; NaN where there is none. */
static double
median (const OvCell *cell, Figure figure)
{
  g_autoptr (GArray) values = figures (cell, figure);

  return ov_stats_median ((const double *)(gpointer)values->data, values->len);
}

/* The run of `cell` that counts and is of this repetition, or NULL. */
static const OvRun *
find_repetition (const OvCell *cell, guint repetition)
{
  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);

      if (run->state == OV_STATE_DONE && run->spec->repetition == repetition)
        return run;
    }
  return NULL;
}

static void
compare (const OvCell *cell, const OvCell *base, Figure figure, OvBlockChange *out)
{
  g_autoptr (GArray) ours = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) theirs = g_array_new (FALSE, FALSE, sizeof (double));
  double ratio, lo, hi;

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      const OvRun *other = find_repetition (base, run->spec->repetition);
      double a = run->state == OV_STATE_DONE ? figure (run) : NAN;
      double b = other != NULL ? figure (other) : NAN;

      if (!(a > 0) || !(b > 0))
        continue;
      g_array_append_val (ours, a);
      g_array_append_val (theirs, b);
    }
  out->n = ours->len;
  out->is_interval = ov_stats_paired_ratio (
      (const double *)(gpointer)ours->data, (const double *)(gpointer)theirs->data, ours->len,
      OV_STATS_RESAMPLES, OV_STATS_SEED, OV_STATS_LEVEL, &ratio, &lo, &hi);
  out->percent = (ratio - 1) * 100;
  out->lo = (lo - 1) * 100;
  out->hi = (hi - 1) * 100;
}

static gboolean
has_blocks (const OvCell *cell)
{
  return !isnan (median (cell, ov_run_block_seconds));
}

/* Whether one block is the same work for both. */
static gboolean
is_same_block (const OvCell *a, const OvCell *b)
{
  const OvRunSpec *one = ((const OvRun *)g_ptr_array_index (a->runs, 0))->spec;
  const OvRunSpec *other = ((const OvRun *)g_ptr_array_index (b->runs, 0))->spec;

  return (a->x == b->x || (isnan (a->x) && isnan (b->x)))
         && g_strcmp0 (one->target, other->target) == 0 && one->block == other->block
         && one->size == other->size && one->offset == other->offset && one->order == other->order
         && one->stride == other->stride && one->work == other->work
         && one->condition == other->condition && one->timing == other->timing;
}

const OvCell *
ov_per_block_base (const GPtrArray *cells, const OvCell *cell)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *candidate = g_ptr_array_index (cells, i);

      if (candidate->runs->len > 0 && cell->runs->len > 0 && is_same_block (candidate, cell)
          && has_blocks (candidate))
        return candidate;
    }
  return NULL;
}

gboolean
ov_per_block_make (const OvCell *cell, const OvCell *base, OvPerBlock *out)
{
  g_autoptr (GArray) seconds = NULL;
  OvStatsSummary summary;
  guint64 fewest = G_MAXUINT64;

  *out = (OvPerBlock){ .is_base = cell == base };
  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      gint64 blocks = run->state == OV_STATE_DONE ? ov_run_blocks (run) : -1;

      if (blocks <= 0)
        continue;
      out->asked = run->spec->requests;
      out->blocks = MAX (out->blocks, (guint64)blocks);
      fewest = MIN (fewest, (guint64)blocks);
    }
  if (out->blocks == 0)
    return FALSE;
  out->exact = fewest == out->asked;
  seconds = figures (cell, ov_run_block_seconds);
  ov_stats_summary ((const double *)(gpointer)seconds->data, seconds->len, &summary);
  out->seconds = summary.median;
  out->lo = summary.lo;
  out->hi = summary.hi;
  out->is_interval = summary.is_interval;
  out->cpu = median (cell, ov_run_block_cpu);
  out->prepare = median (cell, prepare_seconds);
  if (base != NULL && base != cell)
    {
      compare (cell, base, ov_run_block_seconds, &out->seconds_change);
      compare (cell, base, ov_run_block_cpu, &out->cpu_change);
    }
  return TRUE;
}
