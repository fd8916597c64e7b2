// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A series of values over time in constant memory, for charts that run for hours.
 *
 * Values are kept in at most `max_points` cells. When all are full, neighbours are merged in pairs
 * and each cell from then on takes twice as many values. A cell keeps minimum, maximum, mean and
 * count, so a spike, however short, stays in the minimum or maximum of every view that covers its
 * time. Over the cells lies a pyramid of minima and maxima: a view of n columns costs
 * n × log (cells), not the number of cells.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OvSeries OvSeries;

/* What lies in one column of a view, or in one cell. count 0: nothing, and min, max and mean mean
 * nothing (they are 0). */
typedef struct
{
  gint64 t_first; /* time of the first and of the last value that may lie in it */
  gint64 t_last;
  double min;
  double max;
  double mean;
  guint64 count; /* values; a cell at a column's edge counts in both */
} OvSeriesColumn;

/* `max_points` is rounded up to a power of two, at least 16. Free with ov_series_free(). */
OvSeries *ov_series_new (guint max_points);
void ov_series_free (OvSeries *series);

/* Appends a value at a time in nanoseconds. FALSE, and nothing is kept, if the value is not finite
 * or the time lies before the last one's. */
gboolean ov_series_append (OvSeries *series, gint64 t_ns, double value);

/* Forgets all values and goes back to the finest resolution. */
void ov_series_clear (OvSeries *series);

/* The number of cells in use, of values appended, and how many values each full cell holds. */
guint ov_series_get_n_points (const OvSeries *series);
guint64 ov_series_get_n_values (const OvSeries *series);
guint64 ov_series_get_values_per_point (const OvSeries *series);

/* One cell, 0 being the oldest; exact (values lie in one cell only). */
void ov_series_get_point (const OvSeries *series, guint index, OvSeriesColumn *out);

/* Times of the first and last value. FALSE, and nothing is set, while there is none. */
gboolean ov_series_get_span (const OvSeries *series, gint64 *first_ns, gint64 *last_ns);

/* The last value appended. FALSE while there is none. */
gboolean ov_series_get_last (const OvSeries *series, double *value);

/*
 * Cuts [t0, t1) into `n_columns` columns of equal width and says for each what lies in it. A cell
 * that reaches over a column's edge counts in both columns: a spike may show in two, it is never
 * lost. The last column includes t1. Returns the number of columns that are not empty.
 * t0 < t1 is required.
 */
guint ov_series_range (const OvSeries *series, gint64 t0, gint64 t1, guint n_columns,
                       OvSeriesColumn *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvSeries, ov_series_free)

G_END_DECLS
