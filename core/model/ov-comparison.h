/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lines of a result may be compared, and what comes of it.
 *
 * Only runs that did the same work are compared: same job, bytes, work for each byte, check value,
 * page cache condition, mode that was really used, and recording of requests.  What differs is
 * said, never passed over.  By block, what a block cost is compared, and how many there were makes
 * no other work of it; nor does a check value of a run that was cut short.  Nothing is removed from
 * a result: repetitions that were warm-up are left out of one comparison, which says so, and
 * outliers count.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** What runs are compared by; less is better for each. */
typedef enum
{
  OV_METRIC_ELAPSED, /**< seconds */
  OV_METRIC_CPU,     /**< seconds of all the run's threads */
  OV_METRIC_STABLE,  /**< seconds until what was written is on stable storage */
  OV_N_METRICS,      /**< those that may be chosen, and have a nick */
  /** Seconds by block, and CPU seconds by block: see ov_metric_for(). */
  OV_METRIC_BLOCK = OV_N_METRICS,
  OV_METRIC_BLOCK_CPU,
} OvMetric;

/** "elapsed", "cpu", "stable": for options; and labels, translated.  Neither to be freed. */
const char *ov_metric_nick (OvMetric metric);
gboolean ov_metric_from_nick (const char *nick, OvMetric *out);
const char *ov_metric_label (OvMetric metric);
/** What `cells` (of OvCell) are really compared by: elapsed and CPU time become those of a block
 * where the time limit ended runs of single blocks after different numbers of them. */
OvMetric ov_metric_for (const GPtrArray *cells, OvMetric metric);
/** Seconds, or NaN where it was not measured. */
double ov_run_metric (const OvRun *run, OvMetric metric);

/** What two lines do not have in common. */
typedef enum
{
  OV_DIFFERS_JOB = 1 << 0,        /**< job, letter, positions, number of requests */
  OV_DIFFERS_BYTES = 1 << 1,      /**< bytes asked for or moved */
  OV_DIFFERS_WORK = 1 << 2,       /**< work for each byte */
  OV_DIFFERS_CHECK = 1 << 3,      /**< what was found */
  OV_DIFFERS_CONDITION = 1 << 4,  /**< page cache */
  OV_DIFFERS_MODE = 1 << 5,       /**< O_DIRECT or work that was asked for and not used */
  OV_DIFFERS_TIMING = 1 << 6,     /**< what is recorded of requests, which costs time */
  OV_DIFFERS_DURABILITY = 1 << 7, /**< when what was written must be on stable storage */
  OV_DIFFERS_NEIGHBOUR = 1 << 8,  /**< what else was going on on the machine */
} OvDifference;

/** Set of OvDifference of the runs that count; 0: they did the same work. */
guint ov_cell_differences (const OvCell *a, const OvCell *b);
/** "page cache: cold against bypassed; check: count=1 against count=2".  Free with g_free(). */
char *ov_cell_describe_differences (const OvCell *a, const OvCell *b, guint differences);
/** What was set differently though the work is the same: strategy, block, depth, options; as above,
 *  "" where nothing was.  Free with g_free(). */
char *ov_cell_describe_settings (const OvCell *a, const OvCell *b);

typedef enum
{
  OV_COMPARISON_BASE,       /**< the line that the others are compared with */
  OV_COMPARISON_NOTHING,    /**< one of them has no run that counts */
  OV_COMPARISON_OTHER_WORK, /**< not compared: see `differences` */
  OV_COMPARISON_FEW,        /**< fewer than six pairs: lo and hi are their range, nothing is said */
  OV_COMPARISON_EQUAL,      /**< no detectable difference: the interval holds 1 */
  OV_COMPARISON_LESS,       /**< the interval lies below 1 */
  OV_COMPARISON_MORE,       /**< the interval lies above 1 */
} OvComparisonKind;

typedef struct
{
  const OvCell *cell; /**< borrowed */
  const OvCell *base; /**< borrowed */
  OvMetric metric;
  OvComparisonKind kind;
  guint differences; /**< set of OvDifference */
  gboolean paired;   /**< ratios of the same repetition, else of medians of unpaired runs */
  guint n;           /**< pairs; unpaired: the smaller number of runs */
  guint n_warm;      /**< repetitions left out at the start, of either line */
  guint n_outliers;  /**< among the cell's runs; they count */
  double value;      /**< median of the cell, seconds; NaN: nothing measured */
  double ratio;      /**< cell by base, NaN where not compared */
  double lo;         /**< NaN for one pair: there is neither an interval nor a range */
  double hi;
  guint64 more; /**< repetitions that would probably decide it; 0: it is decided; G_MAXUINT64: no
                     reasonable number */
} OvComparison;

/** Compares `cell` with `base`.  `paired`: their runs alternated in one result, so that equal
 *  repetitions are neighbours. */
void ov_comparison_make (const OvCell *cell, const OvCell *base, OvMetric metric, gboolean paired,
                         OvComparison *out);

/** Lines that did the same work on one target at one x, against the best of them. */
typedef struct
{
  const OvCell *first; /**< the best by the median; borrowed, as all cells */
  GArray *comparisons; /**< of OvComparison, ascending by value; the first is the BASE */
  guint n_equal;       /**< how many of them cannot be told from the best, itself included */
  gboolean decided;    /**< none is FEW */
} OvContest;

void ov_contest_free (OvContest *contest);

/** The contests among `cells` (of OvCell, which must live longer), in the order in which their
 *  lines come; lines without a run that counts take no part.  Array of OvContest, transfer full. */
GPtrArray *ov_contests_new (GPtrArray *cells, OvMetric metric);

G_END_DECLS
