/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan: every run of an experiment, in the order in which it is made.  Repetitions alternate
 * over the variants (A B C, then C B A, …) at each value of the axes, so that drift of the machine
 * meets all alike.
 */
#pragma once

#include "model/ov-experiment.h"
#include "model/ov-run-spec.h"
#include "model/ov-strategy-info.h"

G_BEGIN_DECLS

/** What the user chose; every field may be left at its zero value: the experiment's own. */
typedef struct
{
  const char *preset;            /**< id, or NULL: the first */
  const char *const *strategies; /**< ids or labels, or NULL: those not off */
  const char *const *targets;    /**< folders or files, at least one */
  const guint64 *target_sizes;   /**< for each target: bytes of a user's file, 0 for a folder */
  const guint64 *sizes;          /**< axis values instead of the preset's */
  gsize n_sizes;
  guint repetitions;
  guint64 block;
  guint depth;
  int condition; /**< OvCondition, or -1 */
  int work;      /**< enum OvWork, or -1 */
  int timing;    /**< enum OvTiming, or -1 */
  gboolean no_discard;
  GHashTable *options; /**< "strategy-id:option" or "option" -> text, or NULL */
} OvPlanChoice;

typedef struct
{
  GPtrArray *specs;  /**< of OvRunSpec, in order */
  GPtrArray *skips;  /**< of OvRun, SKIPPED with the cause: what cannot run here */
  GPtrArray *files;  /**< of OvPlanFile: scratch files to lay out, one for each size and target */
  OvAxisParameter x; /**< what OvRunSpec.x is */
} OvPlan;

typedef struct
{
  char *name; /**< "size-1024000" */
  char *target;
  guint64 size;
} OvPlanFile;

void ov_plan_choice_init (OvPlanChoice *choice);

/** Makes the plan.  `strategies`: array of OvStrategyInfo, what is known.  Errors are the user's
 *  mistakes: unknown strategy (with the nearest names), wrong option, block or depth out of range
 *  (blocks 1 to 1 GiB, depth 1 to 256), no strategy left. */
OvPlan *ov_plan_new (const OvExperiment *experiment, const OvPlanChoice *choice,
                     GPtrArray *strategies, GError **error);
void ov_plan_free (OvPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvPlan, ov_plan_free)

/** Bytes that laying out writes to `target`. */
guint64 ov_plan_layout_bytes (const OvPlan *plan, const char *target);
/** Bytes that all runs read, discarded passes too. */
guint64 ov_plan_read_bytes (const OvPlan *plan);

G_END_DECLS
