// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The series' cells and their pyramid.
 *
 * Level 0 holds the cells in use; cell i of level k covers cells 2i and 2i + 1 of level k - 1. All
 * cells of level 0 but the last hold exactly `values_per_cell` values, so level 1 is level 0 after
 * merging pairs: to halve the resolution the levels move down by one.
 */
#include "config.h"

#include "metrics/ov-series.h"

#include <math.h>
#include <string.h>

#define SMALLEST_CAPACITY 16

/* A cell is an OvSeriesColumn whose mean is exact up to rounding. */
typedef OvSeriesColumn Cell;

struct _OvSeries
{
  guint n_levels;          /* level k has room for capacity >> k cells; the last has one */
  guint capacity;          /* of level 0, a power of two */
  guint n_cells;           /* in use on level 0 */
  guint64 values_per_cell; /* a power of two */
  guint64 n_values;
  double last;
  Cell **levels;
  Cell *cells; /* all levels, one after the other */
};

OvSeries *
ov_series_new (guint max_points)
{
  OvSeries *series = g_new0 (OvSeries, 1);
  gsize start = 0;

  series->capacity = SMALLEST_CAPACITY;
  while (series->capacity < max_points && series->capacity < (1u << 30))
    series->capacity *= 2;
  series->n_levels = 1 + (guint)__builtin_ctz (series->capacity);
  series->values_per_cell = 1;
  series->cells = g_new0 (Cell, 2 * (gsize)series->capacity);
  series->levels = g_new0 (Cell *, series->n_levels);
  for (guint k = 0; k < series->n_levels; k++)
    {
      series->levels[k] = series->cells + start;
      start += series->capacity >> k;
    }
  return series;
}

void
ov_series_free (OvSeries *series)
{
  if (series == NULL)
    return;
  g_free (series->levels);
  g_free (series->cells);
  g_free (series);
}

void
ov_series_clear (OvSeries *series)
{
  series->n_cells = 0;
  series->n_values = 0;
  series->values_per_cell = 1;
}

/* Adds what lies in `from`, which is not empty and not earlier than `into`. */
static void
cell_merge (Cell *into, const Cell *from)
{
  double weight;

  if (into->count == 0)
    {
      *into = *from;
      return;
    }
  into->t_last = MAX (into->t_last, from->t_last);
  into->min = MIN (into->min, from->min);
  into->max = MAX (into->max, from->max);
  into->count += from->count;
  weight = (double)from->count / (double)into->count;
  /* In this form no step overflows; rounding must not carry the mean beyond what was seen. */
  into->mean = CLAMP (into->mean * (1 - weight) + from->mean * weight, into->min, into->max);
}

/* Level 1 becomes level 0, and so on. The top stays: its one cell covers everything either way. */
static void
halve_resolution (OvSeries *series)
{
  for (guint k = 0; k + 1 < series->n_levels; k++)
    memcpy (series->levels[k], series->levels[k + 1],
            (series->capacity >> (k + 1)) * sizeof (Cell));
  series->n_cells = series->capacity / 2;
  series->values_per_cell *= 2;
}

gboolean
ov_series_append (OvSeries *series, gint64 t_ns, double value)
{
  Cell one
      = { .t_first = t_ns, .t_last = t_ns, .min = value, .max = value, .mean = value, .count = 1 };
  gboolean begins_cell = series->n_values % series->values_per_cell == 0;
  guint at;

  if (!isfinite (value))
    return FALSE;
  if (series->n_cells > 0 && t_ns < series->levels[0][series->n_cells - 1].t_last)
    return FALSE;
  if (begins_cell)
    {
      if (series->n_cells == series->capacity)
        halve_resolution (series);
      series->n_cells++;
    }
  at = series->n_cells - 1;
  for (guint k = 0; k < series->n_levels; k++, at >>= 1)
    {
      Cell *cell = &series->levels[k][at];
      /* A cell of a level above is new when the first of the cells that it covers is. */
      gboolean is_new = begins_cell && ((series->n_cells - 1) & ((1u << k) - 1)) == 0;

      if (is_new)
        cell->count = 0;
      cell_merge (cell, &one);
    }
  series->n_values++;
  series->last = value;
  return TRUE;
}

guint
ov_series_get_n_points (const OvSeries *series)
{
  return series->n_cells;
}

guint64
ov_series_get_n_values (const OvSeries *series)
{
  return series->n_values;
}

guint64
ov_series_get_values_per_point (const OvSeries *series)
{
  return series->values_per_cell;
}

void
ov_series_get_point (const OvSeries *series, guint index, OvSeriesColumn *out)
{
  g_return_if_fail (index < series->n_cells);
  *out = series->levels[0][index];
}

gboolean
ov_series_get_span (const OvSeries *series, gint64 *first_ns, gint64 *last_ns)
{
  if (series->n_cells == 0)
    return FALSE;
  *first_ns = series->levels[0][0].t_first;
  *last_ns = series->levels[0][series->n_cells - 1].t_last;
  return TRUE;
}

gboolean
ov_series_get_last (const OvSeries *series, double *value)
{
  if (series->n_cells == 0)
    return FALSE;
  *value = series->last;
  return TRUE;
}

/* The first cell whose last value is not before t. Cells are in order of time. */
static guint
first_reaching (const OvSeries *series, gint64 t)
{
  guint low = 0, high = series->n_cells;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (series->levels[0][middle].t_last < t)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The first cell that begins at t or later; only later if `after`. */
static guint
first_beginning (const OvSeries *series, gint64 t, gboolean after)
{
  guint low = 0, high = series->n_cells;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      gint64 begins = series->levels[0][middle].t_first;

      if (begins < t || (after && begins == t))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Merges cells [from, to) of level 0, taking the largest blocks of the pyramid that lie inside. */
static void
merge_cells (const OvSeries *series, guint from, guint to, Cell *out)
{
  while (from < to)
    {
      guint k = 0;

      while (k + 1 < series->n_levels && (from & ((1u << (k + 1)) - 1)) == 0
             && to - from >= (1u << (k + 1)))
        k++;
      cell_merge (out, &series->levels[k][from >> k]);
      from += 1u << k;
    }
}

guint
ov_series_range (const OvSeries *series, gint64 t0, gint64 t1, guint n_columns, OvSeriesColumn *out)
{
  guint64 span, step, rest;
  guint n_filled = 0;

  g_return_val_if_fail (t0 < t1 && n_columns > 0, 0);
  span = (guint64)t1 - (guint64)t0;
  step = span / n_columns;
  rest = span % n_columns;
  for (guint i = 0; i < n_columns; i++)
    {
      /* t0 + span × i / n without leaving 64 bits. */
      guint64 begin = (guint64)t0 + step * i + rest * i / n_columns;
      guint64 end = (guint64)t0 + step * (i + 1) + rest * (i + 1) / n_columns;
      guint from = first_reaching (series, (gint64)begin);
      guint to = first_beginning (series, (gint64)end, i + 1 == n_columns);

      memset (&out[i], 0, sizeof out[i]);
      if (from < to)
        merge_cells (series, from, to, &out[i]);
      n_filled += out[i].count > 0;
    }
  return n_filled;
}
