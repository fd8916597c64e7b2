/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a strategy makes I/O and computing go on at the same time.
 *
 * T is the time of a run, T_io that of the same run with work `none`, T_cpu that of the same kernel
 * over memory (null.memory), all three in the same repetition.  The overlap is
 *
 *     (T_io + T_cpu - T) / min (T_io, T_cpu)
 *
 * 1: the shorter of the two costs nothing; 0: they add up; below 0: more than both.  One thread
 * cannot be faster than the bound max (T_io, T_cpu + CPU time of the T_io run), since its own
 * calls into the kernel cannot go on beside its computing.
 */
#pragma once

#include "model/ov-plan.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** From this relative scatter (interquartile range by median) of T_io on there is no figure. */
#define OV_OVERLAP_SCATTER_MAX 0.2

/** Computing alone must have had the processor for this part of its time, or there is no figure:
 *  where other programs take it away, every time is theirs too. */
#define OV_OVERLAP_SHARE_MIN 0.9

/** Adds to a plan what overlap is computed from: beside each run of an asynchronous strategy, in
 *  the same repetition, its part OV_PART_IO, and an OV_PART_COMPUTE for each block size.  Runs
 *  without work have neither.  `strategies`: array of OvStrategyInfo. */
void ov_overlap_extend_plan (OvPlan *plan, GPtrArray *strategies);

typedef enum
{
  OV_OVERLAP_NONE,    /**< the runs that it needs are not there */
  OV_OVERLAP_FEW,     /**< fewer than six repetitions have all three */
  OV_OVERLAP_SCATTER, /**< T_io scatters too much */
  OV_OVERLAP_BUSY,    /**< others had the processor while computing went on alone */
  OV_OVERLAP_KNOWN,
} OvOverlapKind;

typedef struct
{
  OvOverlapKind kind;
  guint n;     /**< repetitions that have all three runs */
  double io_s; /**< medians, seconds */
  double cpu_s;
  double bound_s;
  double scatter; /**< of T_io, as above */
  double share;   /**< of its time in which computing alone had the processor, median */
  double overlap; /**< median over the repetitions, and its 95 % interval */
  double lo;
  double hi;
  double above; /**< T by the bound: 1.03 is 3 % above it; and its interval */
  double above_lo;
  double above_hi;
} OvOverlap;

/** Whether `cells` hold any run that is there for the overlap of another: asked first, so that a
 * large result without them is not searched for each cell. */
gboolean ov_overlap_has_parts (GPtrArray *cells);
/** Computes the overlap of `cell` (OV_PART_WHOLE) from the others in `cells`.  FALSE, and kind
 *  NONE, where nothing was run for it.  Times are there from kind FEW on. */
gboolean ov_overlap_compute (GPtrArray *cells, const OvCell *cell, OvOverlap *out);

G_END_DECLS
