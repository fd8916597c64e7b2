/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of a cell other than its elapsed time: what a neighbour saw, how fast it stopped.
 */
#pragma once

#include "metrics/ov-stats.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** The figure of one run, in seconds (lost work: a part of 1; throughput: bytes a second;
 *  delivered: events a second; CPU time of
 *  `blocks`: by block), NaN where it was not measured.
 *  Lateness is the 99th percentile of the run's moments. */
double ov_run_figure (const OvRun *run, OvFigure figure);

/** Median and interval over the cell's runs; FALSE where no run has the figure. */
gboolean ov_cell_figure (const OvCell *cell, OvFigure figure, OvStatsSummary *out);

/** Median and range or interval of an integer figure of the done runs, such as user_ns, given by
 *  its offset in OvRun: nanoseconds become seconds.  FALSE where no run has it. */
gboolean ov_cell_ns (const OvCell *cell, gsize offset, OvStatsSummary *out);

/** The lateness of all runs of the cell, merged; with `base` without the strategy.  NULL where
 *  there was no neighbour.  Free with g_free(). */
OvHistogram *ov_cell_lateness (const OvCell *cell, gboolean base);

/** The profiles of all runs of the cell in one, sorted, at most `most` symbols; NULL where none was
 *  asked for. */
OvProfile *ov_cell_profile (const OvCell *cell, guint most);

/** The figures that runs of the result have: 1 << OvFigure for each. */
guint ov_result_figures (const OvResult *result);

/** Whether any run of the result was sampled, or should have been. */
gboolean ov_result_has_profile (const OvResult *result);
/** Whether any run of the result had a neighbour. */
gboolean ov_result_has_neighbour (const OvResult *result);

G_END_DECLS
