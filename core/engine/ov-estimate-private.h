/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the runs that wait will take, from those that ended.
 *
 * A run's estimate is the median of what the ended runs most like it took, all phases together:
 * same variant, target, size, block and depth; else same variant and target, scaled by size; else
 * all runs, scaled by size.  Scaling is in proportion but never below the time that a run takes
 * whatever its size, for which the shortest ended run stands.
 */
#pragma once

#include "model/ov-run-spec.h"

G_BEGIN_DECLS

typedef struct _OvEstimate OvEstimate;

OvEstimate *ov_estimate_new (void);
void ov_estimate_free (OvEstimate *estimate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvEstimate, ov_estimate_free)

/** A run of this spec took `wall_ns` from its command to its result. */
void ov_estimate_add (OvEstimate *estimate, const OvRunSpec *spec, gint64 wall_ns);
/** Nanoseconds that a run of this spec will take, or -1 while no run has ended. */
gint64 ov_estimate_get (OvEstimate *estimate, const OvRunSpec *spec);

G_END_DECLS
