/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan: every run of an experiment, in the order in which it is made.
 *
 * Lines are the variants, each once for every value of the second axis that its strategy heeds;
 * the value is part of the line's label ("posix.read, 64K").  The order is: target by target, x
 * value by x value, repetition by repetition, and within a repetition line by line, forwards in
 * even and backwards in odd repetitions (A B C, C B A, …).  So all lines of one x value are
 * measured in each other's neighbourhood and drift of the machine meets them alike.
 *
 * Where block, depth, condition and work come from, first that is given:
 *   block, depth      the user, an axis, the preset, the variant, the experiment
 *   condition, work   the variant (what it names is what it is), the user, the experiment
 *   durability        as condition
 * A strategy that heeds no block has block 0, one that heeds no depth has depth 1.
 *
 * Jobs without a file (OV_HARDWARE_JOBS) run on OV_MACHINE_TARGET; page cache, work and size mean
 * nothing there.  A run that follows a clock makes rate times duration events, has no discarded
 * pass, and a time limit of its own, so that none goes on for ever.
 */
#pragma once

#include "model/ov-experiment.h"
#include "model/ov-run-spec.h"
#include "model/ov-strategy-info.h"

G_BEGIN_DECLS

/** What the user chose; every field may be left at its zero value: the experiment's own. */
typedef struct
{
  const char *preset;             /**< id, or NULL: the first */
  const char *const *strategies;  /**< ids or labels, or NULL: those not off */
  const char *const *targets;     /**< folders or files, at least one */
  const guint64 *target_sizes;    /**< for each target: bytes of a user's file, 0 for a folder;
                                       NULL: all are folders */
  const gboolean *target_is_file; /**< for each target, so that an empty file is known as a file;
                                       NULL: those whose size is not 0 */
  const guint64 *sizes;           /**< axis values instead of the preset's */
  gsize n_sizes;
  guint repetitions;
  guint64 block;
  guint depth;
  int condition;  /**< OvCondition, or -1 */
  int work;       /**< enum OvWork, or -1 */
  int timing;     /**< enum OvTiming, or -1 */
  int profile;    /**< sample where the CPU time goes: 0 or 1, or -1 */
  int neighbour;  /**< OvNeighbour, or -1 */
  int order;      /**< enum OvOrder, or -1: an axis', the preset's, else the experiment's */
  guint64 stride; /**< of strided positions: bytes; 0: the experiment's */
  gboolean no_discard;
  int durability;       /**< OvDurability, or -1 */
  int verify;           /**< 1: yes, 0: no, -1: as the experiment says */
  gboolean overlap;     /**< run what the overlap is computed from, whatever the preset says */
  guint64 requests;     /**< accesses or blocks of a run; 0: the experiment's */
  const guint64 *rates; /**< events or samples a second instead of the preset's */
  gsize n_rates;
  double duration;     /**< seconds of a run that follows a clock; 0: the experiment's */
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
  gboolean empty; /**< begins without content: only the space for it must be there */
} OvPlanFile;

void ov_plan_choice_init (OvPlanChoice *choice);

/** Makes the plan.  `strategies`: array of OvStrategyInfo, what is known.  Errors are the user's
 *  mistakes: unknown strategy (with the nearest names), wrong option, block or depth out of range
 *  (blocks 1 to 1 GiB, depth 1 to 256), no strategy left. */
OvPlan *ov_plan_new (const OvExperiment *experiment, const OvPlanChoice *choice,
                     GPtrArray *strategies, GError **error);
void ov_plan_free (OvPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvPlan, ov_plan_free)

/** Every variant of the experiment and, where it says "others", every other strategy of
 *  `strategies` that serves its job, off.  Array of OvVariant, transfer full. */
GPtrArray *ov_plan_variants (const OvExperiment *experiment, GPtrArray *strategies);
/** Why `variant` cannot run here under what was chosen, as a sentence; NULL: it can.  `choice` may
 *  be NULL.  Free with g_free(). */
char *ov_plan_variant_cause (const OvExperiment *experiment, const OvVariant *variant,
                             const OvPlanChoice *choice, GPtrArray *strategies);

/** Bytes that laying out writes to `target`. */
guint64 ov_plan_layout_bytes (const OvPlan *plan, const char *target);
/** Bytes that all runs read, discarded passes too. */
guint64 ov_plan_read_bytes (const OvPlan *plan);
/** Bytes that all runs write to `target` (NULL: to all), discarded passes too; without what laying
 *  out writes. */
guint64 ov_plan_written_bytes (const OvPlan *plan, const char *target);

G_END_DECLS
