// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultChart: the chart of a result: a figure of it against the experiment's x axis, a line for
 * each variant, and the article's own lines where they belong to the same range. With one value
 * of x, or where the experiment asks for it, there are bars instead of lines (ov-result-bars.h).
 *
 * It is filled cell by cell, so that a result that grows costs no more than what is new.
 */
#pragma once

#include "chart/ov-chart.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef struct _OvResultChart OvResultChart;

/** An empty chart over the values `xs`. Overlay lines that cannot be read are reported in `error`
 * (may be NULL), the chart is made all the same. The caller owns it. */
OvResultChart *ov_result_chart_new (OvExperiment *experiment, OvFigure figure, OvAxisParameter x,
                                    const double *xs, gsize n_xs, GError **error);
/** The whole chart of a result: with the article's figures where they are lines, without where they
 * are bars. The caller owns it. */
OvResultChart *ov_result_chart_new_for_result (const OvResult *result);
/** The same of another figure than the experiment's. */
OvResultChart *ov_result_chart_new_for_figure (const OvResult *result, OvFigure figure);
void ov_result_chart_free (OvResultChart *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvResultChart, ov_result_chart_free)

/** Borrowed. */
OvChart *ov_result_chart_get_chart (OvResultChart *self);

/** Sets the point of a cell. `partial`: its runs have not all ended, or were stopped. */
void ov_result_chart_set_cell (OvResultChart *self, const OvCell *cell, gboolean partial);

/** Groups of bars are called as the result knows the targets: "/tmp (tmpfs, memory)". */
void ov_result_chart_name_targets (OvResultChart *self, const OvResult *result);

/** Draws the bound of I/O and computing together (ov-overlap.h), the least of all lines at each x,
 * where runs for it are there. `cells`: all of the result. */
void ov_result_chart_set_bound (OvResultChart *self, GPtrArray *cells);

/** Says how many repetitions a point stands for and whether the bars are intervals. */
void ov_result_chart_set_repetitions (OvResultChart *self, guint repetitions);

/** The series of a variant on a target, or -1. */
int ov_result_chart_find (OvResultChart *self, const char *variant, const char *target);

/** Whether the article's lines are there, and whether they are shown. */
gboolean ov_result_chart_has_overlay (OvResultChart *self);
/** Whether they are bars: groups of their own, which take room from the others. */
gboolean ov_result_chart_has_overlay_bars (OvResultChart *self);
void ov_result_chart_set_overlay_visible (OvResultChart *self, gboolean visible);

G_END_DECLS
