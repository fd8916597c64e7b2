// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Comparisons in words: the texts of a table's cells, and the verdict on an experiment. A verdict
 * says no more than the figures carry: none below six repetitions, none between lines that did
 * other work.
 */
#pragma once

#include "model/ov-comparison.h"

G_BEGIN_DECLS

/** "1.25", or "–" where nothing was compared. The caller owns this and the texts below. */
char *ov_comparison_format_ratio (const OvComparison *comparison);
/** "1.21 – 1.30", "1.21 – 1.30 (range)", or "". */
char *ov_comparison_format_interval (const OvComparison *comparison);
/** "compared with", "faster", "slower", "no detectable difference; about 40 more repetitions might
 * show one", "not compared: page cache: cold against bypassed", and what was marked. */
char *ov_comparison_format_remark (const OvComparison *comparison);

/** What distinguishes the contests of a result from each other: "Cold cache, file size 5000K". The
 * target only where there are several. */
char *ov_contest_format_heading (const OvContest *contest, const OvResult *result);
/** The verdict in sentences: which line wins, by how much, at what CPU, memory and stop latency;
 * or that they cannot be told apart, and then which of them takes the least CPU time; or why there
 * is none. NULL: only one line did this work. */
char *ov_contest_format_verdict (const OvContest *contest);

/** The verdict on all lines of a result at `x` (NaN: the largest there is), a paragraph for each
 * group of lines that did the same work, and one for those that did other work, each ended by a
 * newline; "" where there is nothing to be
 * said. `cells`: those of the result. */
char *ov_report_verdict (const OvResult *result, GPtrArray *cells, double x);

/** What stands below an exported chart of a result: ov_report_note() and, on lines of their own,
 * the verdict at the largest x. */
char *ov_report_caption (const OvResult *result, GPtrArray *cells);

/** How far each asynchronous line of a result overlaps I/O and computing, at `x` (NaN: at each), a
 * line of text for each, ended by a newline; "" where nothing was run for it. */
char *ov_report_overlap (const OvResult *result, GPtrArray *cells, double x);

G_END_DECLS
