/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two results line by line: two machines, two days, two folders.  B is compared with A, unpaired,
 * since their runs did not alternate.
 *
 * A line of both is the same variant at the same x on the target with the same number: the first
 * target of the one stands beside the first of the other, whatever they are called.  Nothing is
 * passed over: a line that only one of them has, or that did other work, is in the list too.  What
 * was skipped in both, wherever on the axis, is one line of both.
 */
#pragma once

#include "model/ov-comparison.h"

G_BEGIN_DECLS

typedef struct
{
  const OvCell *a;  /**< borrowed; NULL: B alone has this line */
  const OvCell *b;  /**< borrowed; NULL: A alone has it */
  guint place;      /**< number of the target, from 0 */
  gboolean skipped; /**< in both, at each x: a line for all of them, whose x is that of none */
  double a_value;   /**< medians, seconds; NaN: nothing measured */
  double b_value;
  OvComparison comparison; /**< B by A; of kind NOTHING where one of them lacks the line */
} OvVersusLine;

typedef struct
{
  OvMetric metric;
  OvAxisParameter x;
  GPtrArray *a; /**< of OvCell */
  GPtrArray *b;
  GArray *lines;                        /**< of OvVersusLine: in A's order, then what B alone has */
  guint n_both;                         /**< lines of both */
  guint n_kind[OV_COMPARISON_MORE + 1]; /**< how many of those came out as which OvComparisonKind */
  guint n_only_a;
  guint n_only_b;
} OvVersus;

/** The results must live longer.  OV_ERROR_INVALID where they cannot stand side by side: they walk
 *  through different things, or have no line in common. */
OvVersus *ov_versus_new (const OvResult *a, const OvResult *b, OvMetric metric, GError **error);
void ov_versus_free (OvVersus *versus);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvVersus, ov_versus_free)

/** The settings in which a line of both differs without doing other work, "block: 1M against 64K"
 *  (B's first); "" where there are none.  Free with g_free(). */
char *ov_versus_describe_settings (const OvVersusLine *line);

/** The results and their comparison as JSON (docs/result-format.md).  Free with g_free(). */
char *ov_versus_to_text (const OvVersus *versus, const OvResult *a, const OvResult *b);
/** The same as CSV, a row for each line, numbers as numbers.  Free with g_free(). */
char *ov_versus_to_csv (const OvVersus *versus);

G_END_DECLS
