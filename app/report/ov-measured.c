// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables of what was measured beside the runs. A figure that was not measured is a dash.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-cell-figure.h"

#include "report/ov-measured.h"
#include "report/ov-report.h"

static char *
format_ns (const OvHistogram *histogram, double q)
{
  if (histogram == NULL || ov_histogram_count (histogram) == 0)
    return g_strdup ("–");
  return ov_duration_format ((double)ov_histogram_quantile (histogram, q) / 1e9);
}

static char *
format_part (const OvCell *cell, OvFigure figure)
{
  OvStatsSummary summary;

  if (!ov_cell_figure (cell, figure, &summary))
    return g_strdup ("–");
  return g_strdup_printf ("%.1f %%", summary.median * 100);
}

static void
add_neighbour_row (OvTable *table, const OvResult *result, const OvCell *cell)
{
  g_autofree OvHistogram *seen = ov_cell_lateness (cell, FALSE);
  g_autofree OvHistogram *alone = ov_cell_lateness (cell, TRUE);
  guint row;
  guint column = 0;

  if (seen == NULL)
    return;
  row = ov_table_add_row (table);
  ov_table_take_cell (table, row, column++, g_strdup (cell->variant));
  ov_table_take_cell (table, row, column++, ov_report_format_x (result->x, cell->x));
  ov_table_take_cell (table, row, column++, ov_count_format (ov_histogram_count (seen)));
  ov_table_take_cell (table, row, column++, format_ns (seen, 0.5));
  ov_table_take_cell (table, row, column++, format_ns (seen, 0.99));
  ov_table_take_cell (table, row, column++, format_ns (seen, 1));
  ov_table_take_cell (table, row, column++, format_ns (alone, 0.99));
  ov_table_take_cell (table, row, column++, format_part (cell, OV_FIGURE_LOST));
}

/* "Neighbour on processor 1, shared with the strategy": what the neighbour was in the runs. */
static char *
neighbour_title (const OvResult *result)
{
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->neighbour != NULL && run->neighbour->mode == OV_NEIGHBOUR_SHARED)
        return g_strdup_printf (_ ("Neighbour on the strategy's processor (number %d)"),
                                run->neighbour->processor);
    }
  return g_strdup (_ ("Neighbour on any processor"));
}

OvTable *
ov_measured_neighbour (const OvResult *result)
{
  g_autofree char *title = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  OvTable *table;

  if (!ov_result_has_neighbour (result))
    return NULL;
  title = neighbour_title (result);
  table = ov_table_new (title);
  ov_table_take_column (table, g_strdup (_ ("Strategy")));
  ov_table_take_column (table, g_strdup (ov_report_x_title (result->x)));
  ov_table_take_column (table, g_strdup (_ ("Moments")));
  ov_table_take_column (table, g_strdup (_ ("Late, median")));
  ov_table_take_column (table, g_strdup (_ ("99th percentile")));
  ov_table_take_column (table, g_strdup (_ ("at most")));
  ov_table_take_column (table, g_strdup (_ ("99th percentile, alone")));
  ov_table_take_column (table, g_strdup (_ ("Work lost")));
  cells = ov_result_cells (result);
  for (guint i = 0; i < cells->len; i++)
    add_neighbour_row (table, result, g_ptr_array_index (cells, i));
  return table;
}
