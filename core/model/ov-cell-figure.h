/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of a cell other than its elapsed time: what a neighbour saw, how fast it stopped.
 */
#pragma once

#include "metrics/ov-stats.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** The figure of one run, in seconds (lost work: a part of 1), NaN where it was not measured.
 *  Lateness is the 99th percentile of the run's moments. */
double ov_run_figure (const OvRun *run, OvFigure figure);

/** Median and interval over the cell's runs; FALSE where no run has the figure. */
gboolean ov_cell_figure (const OvCell *cell, OvFigure figure, OvStatsSummary *out);

/** The lateness of all runs of the cell, merged; with `base` without the strategy.  NULL where
 *  there was no neighbour.  Free with g_free(). */
OvHistogram *ov_cell_lateness (const OvCell *cell, gboolean base);

/** Whether any run of the result had a neighbour. */
gboolean ov_result_has_neighbour (const OvResult *result);

G_END_DECLS
