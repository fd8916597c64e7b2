/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result: all runs of an experiment and the machine they ran on.  Its file is JSON with a schema
 * version, written beside its final name and renamed.  CSV has one row for each run.
 */
#pragma once

#include "model/ov-experiment.h"
#include "model/ov-machine.h"
#include "model/ov-run.h"
#include "model/ov-self-cost.h"

G_BEGIN_DECLS

#define OV_RESULT_VERSION 1

typedef struct
{
  OvExperiment *experiment;
  OvMachine *machine; /**< or NULL */
  GPtrArray *targets; /**< of OvTargetInfo */
  GPtrArray *runs;    /**< of OvRun, in the order in which they ended */
  gint64 date;        /**< Unix seconds of the start: a label, nothing is computed from it */
  char *preset;       /**< id of the preset used, or NULL */
  OvAxisParameter x;  /**< what OvRunSpec.x is */
  OvSelfCost *self_cost; /**< what measuring costs on this machine, or NULL: not measured */
  gboolean partial;   /**< stopped before the plan's end */

  GHashTable *summaries; /**< of ov_result_cells() alone: what it computed before, or NULL */
} OvResult;

OvResult *ov_result_new (OvExperiment *experiment);
OvResult *ov_result_ref (OvResult *result);
void ov_result_unref (OvResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvResult, ov_result_unref)

gboolean ov_result_save (const OvResult *result, const char *path, gboolean with_logs,
                         GError **error);
char *ov_result_to_text (const OvResult *result, gboolean with_logs); /**< the JSON; g_free() */
/** OV_ERROR_INVALID with path and place where it is not a result, or a newer version. */
OvResult *ov_result_load (const char *path, GError **error);

/** First columns as README names them, later ones only behind them.  Free with g_free(). */
char *ov_result_to_csv (const OvResult *result);

/** A row for each symbol of each run's profile, as the article's table has it: samples, percent,
 *  symbol.  Only the heading where nothing was sampled.  Free with g_free(). */
char *ov_result_profiles_to_csv (const OvResult *result);

/** The runs of one variant at one x on one target. */
typedef struct
{
  char *variant;
  char *strategy;
  char *target;
  double x;
  guint64 block;
  guint depth;
  OvCondition condition;
  OvPart part;     /**< not WHOLE: there for the overlap of another line */
  GPtrArray *runs; /**< of OvRun, borrowed, all states */
  guint n_done;    /**< runs that count */
  guint n_wrong;   /**< done runs whose check value differs from the others' */
  double median_s; /**< elapsed seconds, NaN when none is done */
  double lo_s;     /**< 95 % interval, or the range when is_interval is FALSE */
  double hi_s;
  gboolean is_interval;
  double stable_s;        /**< jobs that write: median until on stable storage; NaN where unknown */
  double rate;            /**< bytes a second, at the median */
  double cpu_per_gb;      /**< CPU seconds for each GB: sum of CPU by sum of bytes */
  double per_second;      /**< jobs without a file: accesses, events or samples a second, median */
  double cpu_s;           /**< CPU seconds of a run, median */
  gint64 stop_latency_ns; /**< the largest seen, or -1 */
  char *check;            /**< of the done runs, or NULL */
  char *cause;            /**< the first cause of a run that is not done, or NULL */
} OvCell;

/** Groups the runs: rows in the order of the variants, then of the targets, then x.  Array of
 *  OvCell, transfer full.  Fit to be called whenever a run has ended: intervals of cells that did
 *  not change are remembered in the result, so not for two threads at once. */
GPtrArray *ov_result_cells (const OvResult *result);
void ov_cell_free (OvCell *cell);

G_END_DECLS
