// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvHeatChart: how many values of which size there were when: time from left to right, size upwards
 * on a logarithmic axis, number as strength of colour.
 *
 * Strength grows with the logarithm of the number, from one value (already to be seen) to the
 * fullest cell. Not thread-safe.
 */
#pragma once

#include "chart/ov-axis.h"
#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_HEAT_CHART (ov_heat_chart_get_type ())
G_DECLARE_FINAL_TYPE (OvHeatChart, ov_heat_chart, OV, HEAT_CHART, GObject)

/** A column is `step_ns` long. The axis is that of the size: copied, made logarithmic. */
OvHeatChart *ov_heat_chart_new (const OvAxis *axis);
/** Texts are copied; NULL or "" for none. */
void ov_heat_chart_set_title (OvHeatChart *self, const char *title);
void ov_heat_chart_set_subtitle (OvHeatChart *self, const char *subtitle);
void ov_heat_chart_set_note (OvHeatChart *self, const char *note);
/** What is counted: "requests". */
void ov_heat_chart_set_unit (OvHeatChart *self, const char *unit);
void ov_heat_chart_set_style (OvHeatChart *self, int style);

/** Replaces all cells by `n_columns` columns of `n_rows` cells each, column after column, copied.
 * `edges` are the n_rows + 1 borders of the rows, ascending, in base units. */
void ov_heat_chart_set_cells (OvHeatChart *self, gint64 step_ns, guint n_columns, guint n_rows,
                              const double *edges, const guint64 *cells);
/** Sum of all cells. */
guint64 ov_heat_chart_get_count (OvHeatChart *self);

void ov_heat_chart_draw (OvHeatChart *self, cairo_t *cr, double width, double height,
                         const OvTheme *theme);
/** The column and row under a pixel of a picture of that size drawn with the theme used last. */
gboolean ov_heat_chart_pick (OvHeatChart *self, double width, double height, double x, double y,
                             guint *column, guint *row);
/** Marks a column (its text stands below the axis); -1 for none. */
void ov_heat_chart_set_cursor (OvHeatChart *self, int column);
int ov_heat_chart_get_cursor (OvHeatChart *self);
guint ov_heat_chart_get_n_columns (OvHeatChart *self);
/** "2.00 s to 2.05 s: 812 requests, half of them below 118 µs, the slowest below 4.6 ms". The
 * caller owns the text. */
char *ov_heat_chart_describe_column (OvHeatChart *self, guint column);

G_END_DECLS
