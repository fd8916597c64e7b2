/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs for the overlap, and the overlap of runs.
 */
#include "config.h"

#include <math.h>

#include "metrics/ov-stats.h"
#include "model/ov-overlap.h"
#include "model/ov-plan-private.h"

#define CONTROL "null.memory"

/* ---- The plan ----------------------------------------------------------------------------- */

static gboolean
wants_overlap (const OvRunSpec *spec, GPtrArray *strategies)
{
  const OvStrategyInfo *info = ov_plan_find_strategy (strategies, spec->strategy);

  return info != NULL && (info->caps & OV_CAP_ASYNC) != 0 && spec->work != OV_WORK_NONE
         && (spec->job & (OV_JOB_COUNT | OV_JOB_BLOCKS)) != 0 && spec->part == OV_PART_WHOLE;
}

static OvRunSpec *
io_part (const OvRunSpec *spec)
{
  OvRunSpec *part = ov_run_spec_copy (spec);

  g_free (part->variant);
  part->variant = g_strdup_printf ("%s, I/O alone", spec->variant);
  part->work = OV_WORK_NONE;
  part->part = OV_PART_IO;
  return part;
}

static OvRunSpec *
compute_part (const OvRunSpec *spec)
{
  OvRunSpec *part = ov_run_spec_copy (spec);
  g_autofree char *block = g_strdup_printf ("%" G_GUINT64_FORMAT "K", spec->block / 1024);

  g_free (part->strategy);
  g_free (part->variant);
  part->strategy = g_strdup (CONTROL);
  part->variant = g_strdup_printf ("computing alone, %s", block);
  part->depth = 1;
  part->condition = OV_CONDITION_WARM; /* it reads nothing */
  part->part = OV_PART_COMPUTE;
  g_clear_pointer (&part->options, g_hash_table_unref);
  return part;
}

/* Whether `specs` from `first` on, which are of one repetition, hold a computing alone for `spec`.
 */
static gboolean
has_compute (GPtrArray *specs, guint first, const OvRunSpec *spec)
{
  for (guint i = first; i < specs->len; i++)
    {
      const OvRunSpec *other = specs->pdata[i];

      if (other->part == OV_PART_COMPUTE && other->block == spec->block
          && other->work == spec->work)
        return TRUE;
    }
  return FALSE;
}

static gboolean
same_repetition (const OvRunSpec *a, const OvRunSpec *b)
{
  return a->repetition == b->repetition && a->x == b->x && g_strcmp0 (a->target, b->target) == 0;
}

void
ov_overlap_extend_plan (OvPlan *plan, GPtrArray *strategies)
{
  GPtrArray *old;
  guint first = 0;

  g_return_if_fail (plan != NULL && strategies != NULL);

  if (ov_plan_find_strategy (strategies, CONTROL) == NULL)
    return;
  old = plan->specs;
  plan->specs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_spec_free);
  g_ptr_array_set_free_func (old, NULL);
  for (guint i = 0; i < old->len; i++)
    {
      OvRunSpec *spec = old->pdata[i];

      if (i > 0 && !same_repetition (spec, old->pdata[i - 1]))
        first = plan->specs->len;
      g_ptr_array_add (plan->specs, spec);
      if (!wants_overlap (spec, strategies))
        continue;
      g_ptr_array_add (plan->specs, io_part (spec));
      if (!has_compute (plan->specs, first, spec))
        g_ptr_array_add (plan->specs, compute_part (spec));
    }
  g_ptr_array_unref (old);
  for (guint i = 0; i < plan->specs->len; i++)
    ((OvRunSpec *)plan->specs->pdata[i])->index = i;
  for (guint i = 0; i < plan->skips->len; i++)
    ((OvRun *)plan->skips->pdata[i])->spec->index = plan->specs->len + i;
}

/* ---- The result --------------------------------------------------------------------------- */

static const OvRunSpec *
spec_of (const OvCell *cell)
{
  return cell->runs->len > 0 ? ((const OvRun *)cell->runs->pdata[0])->spec : NULL;
}

/* The cell of a part of `whole`, or NULL. */
static const OvCell *
find_part (GPtrArray *cells, const OvRunSpec *whole, guint part)
{
  g_autofree char *io = g_strdup_printf ("%s, I/O alone", whole->variant);

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = cells->pdata[i];
      const OvRunSpec *spec = spec_of (cell);

      if (spec == NULL || spec->part != part || spec->x != whole->x
          || g_strcmp0 (spec->target, whole->target) != 0 || spec->block != whole->block)
        continue;
      if (part == OV_PART_COMPUTE ? spec->work == whole->work : g_strcmp0 (spec->variant, io) == 0)
        return cell;
    }
  return NULL;
}

/* The done run of a repetition, or NULL. */
static const OvRun *
find_run (const OvCell *cell, guint repetition)
{
  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = cell->runs->pdata[i];

      if (run->spec->repetition == repetition && run->state == OV_STATE_DONE && run->elapsed_ns > 0)
        return run;
    }
  return NULL;
}

/* What the repetitions gave, one place for each in all columns. */
typedef struct
{
  GArray *io;
  GArray *cpu;
  GArray *bound;
  GArray *share;
  GArray *overlap;
  GArray *above;
} Columns;

static void
add_repetition (Columns *c, const OvRun *whole, const OvRun *io_run, const OvRun *cpu_run)
{
  double t = (double)whole->elapsed_ns / 1e9;
  double io = (double)io_run->elapsed_ns / 1e9;
  double cpu = (double)cpu_run->elapsed_ns / 1e9;
  double bound = MAX (io, cpu + (double)MAX (io_run->cpu_ns, 0) / 1e9);
  double overlap = (io + cpu - t) / MIN (io, cpu);
  double above = t / bound;
  double share = (double)MAX (cpu_run->cpu_ns, 0) / (double)cpu_run->elapsed_ns;

  g_array_append_val (c->io, io);
  g_array_append_val (c->cpu, cpu);
  g_array_append_val (c->bound, bound);
  g_array_append_val (c->overlap, overlap);
  g_array_append_val (c->above, above);
  g_array_append_val (c->share, share);
}

#define DOUBLES(array) ((const double *)(gpointer)(array)->data)

static void
summarize (const Columns *c, OvOverlap *out)
{
  guint n = c->io->len;

  out->n = n;
  out->io_s = ov_stats_median (DOUBLES (c->io), n);
  out->cpu_s = ov_stats_median (DOUBLES (c->cpu), n);
  out->bound_s = ov_stats_median (DOUBLES (c->bound), n);
  out->scatter = (ov_stats_quantile (DOUBLES (c->io), n, 0.75)
                  - ov_stats_quantile (DOUBLES (c->io), n, 0.25))
                 / out->io_s;
  out->share = ov_stats_median (DOUBLES (c->share), n);
  if (n < OV_STATS_MIN_FOR_INTERVAL)
    out->kind = OV_OVERLAP_FEW;
  else if (!(out->share >= OV_OVERLAP_SHARE_MIN))
    out->kind = OV_OVERLAP_BUSY;
  else if (!(out->scatter <= OV_OVERLAP_SCATTER_MAX))
    out->kind = OV_OVERLAP_SCATTER;
  else
    {
      out->kind = OV_OVERLAP_KNOWN;
      out->overlap = ov_stats_median (DOUBLES (c->overlap), n);
      ov_stats_bootstrap_median (DOUBLES (c->overlap), n, OV_STATS_RESAMPLES, OV_STATS_SEED,
                                 OV_STATS_LEVEL, &out->lo, &out->hi);
      out->above = ov_stats_median (DOUBLES (c->above), n);
      ov_stats_bootstrap_median (DOUBLES (c->above), n, OV_STATS_RESAMPLES, OV_STATS_SEED,
                                 OV_STATS_LEVEL, &out->above_lo, &out->above_hi);
    }
}

gboolean
ov_overlap_has_parts (GPtrArray *cells)
{
  g_return_val_if_fail (cells != NULL, FALSE);
  for (guint i = 0; i < cells->len; i++)
    if (((const OvCell *)cells->pdata[i])->part != OV_PART_WHOLE)
      return TRUE;
  return FALSE;
}

gboolean
ov_overlap_compute (GPtrArray *cells, const OvCell *cell, OvOverlap *out)
{
  const OvRunSpec *spec;
  const OvCell *io, *compute;
  Columns columns;

  g_return_val_if_fail (cells != NULL && cell != NULL && out != NULL, FALSE);
  *out = (OvOverlap){ .io_s = NAN,
                      .cpu_s = NAN,
                      .bound_s = NAN,
                      .scatter = NAN,
                      .share = NAN,
                      .overlap = NAN,
                      .lo = NAN,
                      .hi = NAN,
                      .above = NAN,
                      .above_lo = NAN,
                      .above_hi = NAN };
  spec = spec_of (cell);
  if (spec == NULL || spec->part != OV_PART_WHOLE)
    return FALSE;
  io = find_part (cells, spec, OV_PART_IO);
  compute = find_part (cells, spec, OV_PART_COMPUTE);
  if (io == NULL || compute == NULL)
    return FALSE;
  columns = (Columns){
    g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
    g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
    g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double))
  };
  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = cell->runs->pdata[i];
      const OvRun *io_run = find_run (io, run->spec->repetition);
      const OvRun *cpu_run = find_run (compute, run->spec->repetition);

      if (run->state == OV_STATE_DONE && run->elapsed_ns > 0 && io_run != NULL && cpu_run != NULL)
        add_repetition (&columns, run, io_run, cpu_run);
    }
  if (columns.io->len > 0)
    summarize (&columns, out);
  g_array_unref (columns.io);
  g_array_unref (columns.cpu);
  g_array_unref (columns.bound);
  g_array_unref (columns.overlap);
  g_array_unref (columns.above);
  g_array_unref (columns.share);
  return out->kind != OV_OVERLAP_NONE;
}
