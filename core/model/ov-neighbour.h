/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What another program saw of a run: the neighbour asks to be woken each millisecond and works
 * without a pause, first alone, then beside the strategy.
 */
#pragma once

#include "metrics/ov-histogram.h"
#include "model/ov-types.h"

G_BEGIN_DECLS

typedef struct
{
  OvNeighbour mode; /**< what it really was: SHARED only where one processor was shared */
  int processor;    /**< the one shared, or -1 */
  double base_rate; /**< units of work a second without the strategy; NaN: not measured */
  double rate;      /**< the same during the run; NaN: too short a run */
  GBytes *lateness; /**< packed histogram, ns: how late it was woken during the run; or NULL */
  GBytes *base;     /**< the same without the strategy; or NULL */
} OvNeighbourFigures;

/** Units of work that take a few microseconds each are counted: below this span of a run there is
 *  no rate. */
#define OV_NEIGHBOUR_MIN_NS (20 * 1000000LL)

OvNeighbourFigures *ov_neighbour_new (void); /**< nothing measured */
void ov_neighbour_free (OvNeighbourFigures *figures);
void ov_neighbour_set_histograms (OvNeighbourFigures *figures, const OvHistogram *lateness,
                                  const OvHistogram *base);

/** Part of its work that the neighbour lost to the run: 1 - rate / base_rate; it is negative where
 *  the machine gave it more than before.  NaN where there is none. */
double ov_neighbour_lost (const OvNeighbourFigures *figures);
/** Adds one of the packed histograms (may be NULL) to `sum`. */
void ov_neighbour_merge (GBytes *packed, OvHistogram *sum);

G_END_DECLS
