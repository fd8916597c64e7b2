// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Latency over time: how many requests took how long, for pieces of time. Rows are groups of 16
 * buckets of OvHistogram, four for each doubling (from 128 ns on), and one for its overflow;
 * columns are pieces of equal length, which doubles when there are too many of them, so memory is
 * bounded.
 *
 * The sum of all cells is the number of values that were added. Plain data, one thread.
 */
#pragma once

#include "metrics/ov-histogram.h"

G_BEGIN_DECLS

#define OV_HEAT_GROUP_BITS  4
#define OV_HEAT_N_ROWS      ((OV_HISTOGRAM_N_BUCKETS >> OV_HEAT_GROUP_BITS) + 1)
#define OV_HEAT_MAX_COLUMNS 256

typedef struct
{
  gint64 step_ns; /* length of a column */
  guint n_columns;
  guint64 count;
  guint32 cells[OV_HEAT_MAX_COLUMNS][OV_HEAT_N_ROWS];
} OvHeat;

/* Begins anew with columns of that length. */
void ov_heat_init (OvHeat *heat, gint64 step_ns);
/* Adds `count` values of one row at a time since the start; earlier than 0 counts as 0. */
void ov_heat_add (OvHeat *heat, gint64 t_ns, guint row, guint64 count);
/* Row of a value in nanoseconds. */
guint ov_heat_row (guint64 ns);
/* The values of a row: lower <= v < upper; the last row has no end (G_MAXUINT64). */
void ov_heat_row_bounds (guint row, guint64 *lower, guint64 *upper);

/* The rows of a histogram: how many values each has, those in the overflow in the last one. `rows`
 * has OV_HEAT_N_ROWS elements. */
void ov_heat_rows_of (const OvHistogram *histogram, guint64 *rows);
/* Adds what `now` has more than `before` (both of OV_HEAT_N_ROWS), all of it at `t_ns`, and makes
 * `before` equal to it. */
void ov_heat_add_difference (OvHeat *heat, gint64 t_ns, guint64 *before, const guint64 *now);

G_END_DECLS
