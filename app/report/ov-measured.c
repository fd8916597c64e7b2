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

/* Symbols shown of each strategy; files hold more. */
#define SYMBOLS 12

static void
add_profile_row (OvTable *table, const char *variant, char *x, char *samples, char *percent,
                 const char *symbol, const char *module)
{
  const guint row = ov_table_add_row (table);

  ov_table_take_cell (table, row, 0, g_strdup (variant));
  ov_table_take_cell (table, row, 1, x);
  ov_table_take_cell (table, row, 2, samples);
  ov_table_take_cell (table, row, 3, percent);
  ov_table_take_cell (table, row, 4, g_strdup (symbol));
  ov_table_take_cell (table, row, 5, g_strdup (module));
}

static void
add_profile_rows (OvTable *table, const OvResult *result, const OvCell *cell)
{
  g_autoptr (OvProfile) profile = ov_cell_profile (cell, SYMBOLS);

  for (guint i = 0; profile != NULL && i < profile->entries->len; i++)
    {
      const OvProfileEntry *entry = g_ptr_array_index (profile->entries, i);

      add_profile_row (table, cell->variant, ov_report_format_x (result->x, cell->x),
                       ov_count_format (entry->samples),
                       g_strdup_printf ("%.2f", 100.0 * (double)entry->samples
                                                    / (double)MAX (profile->samples, 1)),
                       entry->symbol, entry->module);
    }
  if (profile != NULL && profile->note != NULL)
    add_profile_row (table, cell->variant, ov_report_format_x (result->x, cell->x), g_strdup ("–"),
                     g_strdup ("–"), profile->note, "");
}

/* How the samples were taken: of the first run that has any. */
static char *
profile_title (const OvResult *result)
{
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvProfile *profile = ((const OvRun *)result->runs->pdata[i])->profile;

      if (profile != NULL && profile->event != NULL)
        return g_strdup_printf (_ ("Profile: %u samples of %s for each second of CPU time"),
                                (guint)profile->rate, profile->event);
    }
  return g_strdup (_ ("Profile"));
}

OvTable *
ov_measured_profile (const OvResult *result)
{
  g_autofree char *title = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  OvTable *table;

  if (!ov_result_has_profile (result))
    return NULL;
  title = profile_title (result);
  table = ov_table_new (title);
  ov_table_take_column (table, g_strdup (_ ("Strategy")));
  ov_table_take_column (table, g_strdup (ov_report_x_title (result->x)));
  ov_table_take_column (table, g_strdup (_ ("Samples")));
  ov_table_take_column (table, g_strdup (_ ("Percent")));
  ov_table_take_column (table, g_strdup (_ ("Symbol")));
  ov_table_take_column (table, g_strdup (_ ("Of")));
  cells = ov_result_cells (result);
  for (guint i = 0; i < cells->len; i++)
    add_profile_rows (table, result, g_ptr_array_index (cells, i));
  return table;
}
