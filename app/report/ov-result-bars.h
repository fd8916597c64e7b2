// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultBars: fills a chart with the bars of a result. Two kinds:
 *
 * - a group for each target, in it a place for each value of x, in that a bar for each variant; for
 *   jobs that write a pale bar behind it says when everything was on stable storage;
 * - for the figure "parts" with one value of x: a group for each target, in it a place for each
 *   variant, with elapsed time (writing and reading on top of each other) and beside it CPU time
 *   (user and system on top of each other).
 *
 * The article's figures are further groups, on a scale of their own, while they are visible.
 */
#pragma once

#include "chart/ov-chart.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef struct _OvResultBars OvResultBars;

/** Sets the x axis of `chart`, which is borrowed and must live longer. The caller owns it. */
OvResultBars *ov_result_bars_new (OvChart *chart, OvExperiment *experiment, OvFigure figure,
                                  OvAxisParameter x, const double *xs, gsize n_xs);
void ov_result_bars_free (OvResultBars *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvResultBars, ov_result_bars_free)

/** Sets the bars of a cell. `whole`: its figure, in the units of the chart; the state counts. */
void ov_result_bars_set_cell (OvResultBars *self, const OvCell *cell, const OvChartPoint *whole);

/** The group of a target is called `name` from now on, such as "/tmp (tmpfs, memory)". */
void ov_result_bars_name_target (OvResultBars *self, const char *target, const char *name);

/** Place of x on the axis in the group of `target` (NULL: the first one); NaN where there is none,
 * or where places are variants. */
double ov_result_bars_place (OvResultBars *self, const char *target, double x);

/** The series of a variant, or -1. */
int ov_result_bars_find (OvResultBars *self, const char *variant);

/** Whether bars behind the others say when all was on stable storage. */
gboolean ov_result_bars_has_stable (OvResultBars *self);

/** Takes the article's figures in as groups, where the experiment's overlay has some for bars.
 * FALSE, and perhaps an error, where there are none. */
gboolean ov_result_bars_add_overlay (OvResultBars *self, GError **error);
void ov_result_bars_set_overlay_visible (OvResultBars *self, gboolean visible);

G_END_DECLS
