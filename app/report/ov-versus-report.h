// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two results side by side, as the window and the command line show them: the table of lines, what
 * the results were made on, the sentence that sums up, and one chart with the lines of both.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-versus.h"

#include "report/ov-result-chart.h"

G_BEGIN_DECLS

/** A row for each line: strategy, x, medians of A and B, how many runs, the ratio B by A with its
 * interval, and in words what comes of it or why it is not compared. The caller owns it. */
OvTable *ov_versus_table_new (const OvVersus *versus);

/** What each of them was made on and how: machine, processor, system, targets, date, what measuring
 * costs there; the last column says what differs. The caller owns it. */
OvTable *ov_versus_circumstances_new (const OvResult *a, const OvResult *b);

/** How many lines came out which way, in one sentence. The caller owns it. */
char *ov_versus_summary (const OvVersus *versus);

/** What a result is called beside the other one: its machine, "HOST (A)" and "HOST (B)" where that
 * is the same. The caller owns both. */
void ov_versus_names (const OvResult *a, const OvResult *b, char **name_a, char **name_b);

/** One chart of CPU time where that is compared, else of the figure of A's experiment, with the
 * lines of both, named by result; where there are bars, a group for each result. The article's
 * figures are left out. A's lines look as in its own chart, B's have the same colour and another
 * dash and marker. The results and the cells must live while it is made. The caller owns it. */
OvResultChart *ov_versus_chart_new (const OvVersus *versus, const OvResult *a, const OvResult *b);

G_END_DECLS
