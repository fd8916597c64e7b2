// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Times are written in microseconds whatever their size, so that they can be compared down a
 * column.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-per-block.h"

#include "report/ov-blocks-table.h"
#include "report/ov-report.h"

enum
{
  COLUMN_STRATEGY,
  COLUMN_X,
  COLUMN_BLOCKS,
  COLUMN_TIME,
  COLUMN_TIME_CHANGE,
  COLUMN_CPU,
  COLUMN_CPU_CHANGE,
  COLUMN_PREPARE,
  N_COLUMNS
};

/* Three significant digits and more. */
static char *
format_us (double seconds)
{
  double us = seconds * 1e6;

  if (!isfinite (us))
    return g_strdup ("–");
  return g_strdup_printf (us < 10 ? "%.3f" : us < 100 ? "%.2f" : us < 1000 ? "%.1f" : "%.0f", us);
}

/* A percentage with its sign, a real minus. */
static char *
format_percent (double percent)
{
  return g_strdup_printf ("%s%.1f", percent < 0 ? "−" : "+", fabs (percent));
}

static char *
format_change (const OvPerBlock *line, const OvBlockChange *change)
{
  g_autofree char *percent = NULL, *lo = NULL, *hi = NULL;

  if (line->is_base)
    return g_strdup (_ ("compared with this"));
  if (change->n == 0 || !isfinite (change->percent))
    return g_strdup ("–");
  percent = format_percent (change->percent);
  if (change->n < 2)
    return g_strdup_printf (_ ("%s %%"), percent);
  lo = format_percent (change->lo);
  hi = format_percent (change->hi);
  if (change->is_interval)
    /* Translators: a percentage, and the ends of its interval. */
    return g_strdup_printf (_ ("%s %% (%s to %s)"), percent, lo, hi);
  /* Translators: a percentage, and the smallest and largest of a few. */
  return g_strdup_printf (_ ("%s %% (range %s to %s)"), percent, lo, hi);
}

static char *
format_blocks (const OvPerBlock *line)
{
  g_autofree char *read = ov_count_format (line->blocks);
  g_autofree char *asked = ov_count_format (line->asked);

  if (line->exact)
    return g_steal_pointer (&read);
  /* Translators: how many blocks were read until the time limit, and how many there would be. */
  return g_strdup_printf (_ ("%s of %s"), read, asked);
}

static void
add_line (OvTable *table, const OvResult *result, const GPtrArray *cells, const OvCell *cell)
{
  OvPerBlock line;
  guint row;

  if (!ov_per_block_make (cell, ov_per_block_base (cells, cell), &line))
    return;
  row = ov_table_add_row (table);
  ov_table_take_cell (table, row, COLUMN_STRATEGY, g_strdup (cell->variant));
  ov_table_take_cell (table, row, COLUMN_X, ov_report_format_x (result->x, cell->x));
  ov_table_take_cell (table, row, COLUMN_BLOCKS, format_blocks (&line));
  ov_table_take_cell (table, row, COLUMN_TIME, format_us (line.seconds));
  ov_table_take_cell (table, row, COLUMN_TIME_CHANGE, format_change (&line, &line.seconds_change));
  ov_table_take_cell (table, row, COLUMN_CPU, format_us (line.cpu));
  ov_table_take_cell (table, row, COLUMN_CPU_CHANGE, format_change (&line, &line.cpu_change));
  ov_table_take_cell (table, row, COLUMN_PREPARE, ov_duration_format (line.prepare));
}

/* ---- The article -------------------------------------------------------------------------- */

static char *
article_change (double value, double first, guint column)
{
  g_autofree char *percent = NULL;

  if (column == 0)
    return g_strdup (_ ("compared with this"));
  if (!isfinite (value) || !isfinite (first) || first <= 0)
    return g_strdup ("–");
  percent = format_percent ((value / first - 1) * 100);
  return g_strdup_printf (_ ("%s %%"), percent);
}

/* The article's line of `column` at the values of x in `elapsed` and `cpu`, of the same rows. */
static void
add_article_line (OvTable *table, const OvResult *result, guint column, const GArray *elapsed,
                  const GArray *cpu)
{
  const OvOverlay *overlay = result->experiment->overlay;

  for (guint i = 0; i < elapsed->len; i++)
    {
      const OvOverlayRow *time = &g_array_index (elapsed, OvOverlayRow, i);
      const OvOverlayRow *used = &g_array_index (cpu, OvOverlayRow, i);
      guint row = ov_table_add_row (table);

      ov_table_take_cell (table, row, COLUMN_STRATEGY,
                          g_strdup_printf (_ ("%s, %s"), ov_report_tr (overlay->title),
                                           ov_report_tr (overlay->labels->pdata[column])));
      ov_table_take_cell (table, row, COLUMN_X, ov_report_format_x (result->x, time->x));
      ov_table_take_cell (table, row, COLUMN_BLOCKS,
                          ov_count_format (result->experiment->requests));
      ov_table_take_cell (table, row, COLUMN_TIME, format_us (time->y[column]));
      ov_table_take_cell (table, row, COLUMN_TIME_CHANGE,
                          article_change (time->y[column], time->y[0], column));
      ov_table_take_cell (table, row, COLUMN_CPU, format_us (used->y[column]));
      ov_table_take_cell (table, row, COLUMN_CPU_CHANGE,
                          article_change (used->y[column], used->y[0], column));
      ov_table_take_cell (table, row, COLUMN_PREPARE, g_strdup ("–"));
    }
}

static void
add_article (OvTable *table, const OvResult *result)
{
  const OvOverlay *overlay = result->experiment->overlay;
  g_autoptr (GArray) elapsed = NULL;
  g_autoptr (GArray) cpu = NULL;
  OvOverlay of_cpu;

  if (overlay == NULL || overlay->cpu_columns == NULL || overlay->cpu_columns->len == 0
      || result->x != OV_AXIS_BLOCK)
    return;
  of_cpu = *overlay;
  of_cpu.columns = overlay->cpu_columns;
  elapsed = ov_overlay_load (overlay, NULL);
  cpu = ov_overlay_load (&of_cpu, NULL);
  for (guint c = 0; elapsed != NULL && cpu != NULL && c < overlay->columns->len; c++)
    add_article_line (table, result, c, elapsed, cpu);
}

OvTable *
ov_blocks_table_new (const OvResult *result)
{
  g_autoptr (OvTable) table = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  /* A sixth or later repetition makes an interval of the range. */
  const char *const titles[N_COLUMNS] = {
    [COLUMN_STRATEGY] = _ ("strategy"),
    [COLUMN_X] = ov_report_x_title (result->x),
    [COLUMN_BLOCKS] = _ ("blocks"),
    [COLUMN_TIME] = _ ("elapsed, µs"),
    [COLUMN_TIME_CHANGE] = _ ("difference"),
    [COLUMN_CPU] = _ ("CPU, µs"),
    [COLUMN_CPU_CHANGE] = _ ("difference in CPU"),
    [COLUMN_PREPARE] = _ ("set up once"),
  };

  if (result->experiment == NULL || result->experiment->job != OV_JOB_BLOCKS)
    return NULL;
  table = ov_table_new (/* xgettext:no-c-format */
                        _ ("Each block, and how it differs from the first line of the same "
                           "condition (95 % intervals)"));
  for (guint i = 0; i < N_COLUMNS; i++)
    ov_table_take_column (table, g_strdup (titles[i]));
  cells = ov_result_cells (result);
  for (guint i = 0; i < cells->len; i++)
    add_line (table, result, cells, g_ptr_array_index (cells, i));
  if (ov_table_get_n_rows (table) == 0)
    return NULL;
  add_article (table, result);
  return g_steal_pointer (&table);
}
