// SPDX-License-Identifier: GPL-3.0-or-later
/* Cells are 32 bits: one that is full stays full, and the count with it. */
#include "config.h"

#include <string.h>

#include "metrics/ov-heat.h"

void
ov_heat_init (OvHeat *heat, gint64 step_ns)
{
  g_return_if_fail (step_ns > 0);
  memset (heat, 0, sizeof *heat);
  heat->step_ns = step_ns;
}

/* Two columns become one. */
static void
halve (OvHeat *heat)
{
  for (guint c = 0; c < OV_HEAT_MAX_COLUMNS; c++)
    for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
      {
        guint32 cell = heat->cells[c][row];

        heat->cells[c][row] = 0;
        heat->cells[c / 2][row] += cell;
      }
  heat->n_columns = (heat->n_columns + 1) / 2;
  heat->step_ns *= 2;
}

void
ov_heat_add (OvHeat *heat, gint64 t_ns, guint row, guint64 count)
{
  guint column;
  guint32 *cell;

  g_return_if_fail (row < OV_HEAT_N_ROWS);
  if (count == 0)
    return;
  t_ns = MAX (t_ns, 0);
  while (t_ns / heat->step_ns >= OV_HEAT_MAX_COLUMNS)
    halve (heat);
  column = (guint)(t_ns / heat->step_ns);
  cell = &heat->cells[column][row];
  count = MIN (count, (guint64)(G_MAXINT32 - MIN (*cell, G_MAXINT32)));
  *cell += (guint32)count;
  heat->count += count;
  heat->n_columns = MAX (heat->n_columns, column + 1);
}

guint
ov_heat_row (guint64 ns)
{
  return ns < OV_HISTOGRAM_LIMIT_NS ? ov_histogram_index (ns) >> OV_HEAT_GROUP_BITS
                                    : OV_HEAT_N_ROWS - 1;
}

void
ov_heat_row_bounds (guint row, guint64 *lower, guint64 *upper)
{
  guint64 ignored;

  g_return_if_fail (row < OV_HEAT_N_ROWS);
  if (row == OV_HEAT_N_ROWS - 1)
    {
      *lower = OV_HISTOGRAM_LIMIT_NS;
      *upper = G_MAXUINT64;
      return;
    }
  ov_histogram_bucket_bounds (row << OV_HEAT_GROUP_BITS, lower, &ignored);
  ov_histogram_bucket_bounds (((row + 1) << OV_HEAT_GROUP_BITS) - 1, &ignored, upper);
}

void
ov_heat_rows_of (const OvHistogram *histogram, guint64 *rows)
{
  guint position = 0;
  guint index;
  guint64 count;

  memset (rows, 0, OV_HEAT_N_ROWS * sizeof *rows);
  while (ov_histogram_next (histogram, &position, &index, &count))
    rows[index >> OV_HEAT_GROUP_BITS] += count;
  rows[OV_HEAT_N_ROWS - 1] += ov_histogram_overflow (histogram);
}

void
ov_heat_add_difference (OvHeat *heat, gint64 t_ns, guint64 *before, const guint64 *now)
{
  for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
    {
      if (now[row] > before[row])
        ov_heat_add (heat, t_ns, row, now[row] - before[row]);
      before[row] = MAX (before[row], now[row]);
    }
}
