/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one block costs, for the job `blocks`, or one access, for the job `port`: elapsed and CPU
 * time by their number, and by how much both differ from those of another line.
 *
 * By block, since a run may end at its time limit: then it lasted as long as another one, and read
 * fewer.  Nothing that was not measured is a number: it is NaN.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** Blocks whose bytes the run used, or accesses that it made; -1 where it is of another job, or was
 * not measured. */
gint64 ov_run_blocks (const OvRun *run);
/** Whether the run read fewer blocks than it was to, as at its time limit.  FALSE for other jobs.
 */
gboolean ov_run_is_cut_short (const OvRun *run);
/** Seconds by block; NaN where there is none. */
double ov_run_block_seconds (const OvRun *run);
/** CPU seconds of all the run's threads by block; NaN where there is none. */
double ov_run_block_cpu (const OvRun *run);

/** By how many percent something is more (above 0) or less than of another line: the median of the
 *  ratios of runs of the same repetition, which were measured next to each other. */
typedef struct
{
  guint n; /**< pairs */
  double percent;
  double lo; /**< 95 % interval, or the range where is_interval is FALSE */
  double hi;
  gboolean is_interval;
} OvBlockChange;

typedef struct
{
  guint64 blocks; /**< the most that a run read */
  guint64 asked;  /**< the number that each was to read */
  gboolean exact; /**< the fewest are as many: no run ended at its time limit */
  double seconds; /**< median by block, */
  double lo;      /**< and its 95 % interval, or the range where is_interval is FALSE */
  double hi;
  gboolean is_interval;
  double cpu;       /**< median by block */
  double prepare;   /**< median of what setting up took, in seconds, for the run as a whole */
  gboolean is_base; /**< this is the line that the others are compared with */
  OvBlockChange seconds_change; /**< n is 0 where it is not compared */
  OvBlockChange cpu_change;
} OvPerBlock;

/** The first of `cells` that `cell` is compared with: same target, x, block, positions, work and
 *  condition, with runs that count; `cell` itself where it is that one; or NULL.  Borrowed. */
const OvCell *ov_per_block_base (const GPtrArray *cells, const OvCell *cell);

/** Fills `out` from the runs that count.  FALSE: there is none, or they are of another job.  `base`
 *  may be NULL. */
gboolean ov_per_block_make (const OvCell *cell, const OvCell *base, OvPerBlock *out);

G_END_DECLS
