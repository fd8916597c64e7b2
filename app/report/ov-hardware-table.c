// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables of accesses and of events. Times of an access are nanoseconds whatever their size, so that
 * they can be compared down a column.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-per-block.h"

#include "report/ov-hardware-table.h"
#include "report/ov-report.h"

static void
add_columns (OvTable *table, const char *const *titles, guint n)
{
  for (guint i = 0; i < n; i++)
    ov_table_take_column (table, g_strdup (titles[i]));
}

/* Three significant digits and more. */
static char *
format_figure (double value)
{
  if (!isfinite (value))
    return g_strdup ("–");
  return g_strdup_printf (value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

static char *
format_range (double lo, double hi, gboolean is_interval)
{
  g_autofree char *from = format_figure (lo);
  g_autofree char *to = format_figure (hi);

  return g_strdup_printf (is_interval ? "%s – %s" : _ ("%s – %s (range)"), from, to);
}

/* ---- Accesses ----------------------------------------------------------------------------- */

enum
{
  ACCESS_STRATEGY,
  ACCESS_X,
  ACCESS_EACH,
  ACCESS_INTERVAL,
  ACCESS_RATE,
  ACCESS_CPU,
  ACCESS_RATIO,
  N_ACCESS
};

/* "13.2 (12.9 to 13.4)": how many times as long as the first line. */
static char *
format_times (const OvPerBlock *line)
{
  const OvBlockChange *change = &line->seconds_change;
  g_autofree char *ratio = format_figure (1 + change->percent / 100);
  g_autofree char *lo = format_figure (1 + change->lo / 100);
  g_autofree char *hi = format_figure (1 + change->hi / 100);

  if (line->is_base)
    return g_strdup (_ ("compared with this"));
  if (change->n == 0 || !isfinite (change->percent))
    return g_strdup ("–");
  /* Translators: a ratio, and the ends of its interval, or the smallest and largest of a few. */
  return g_strdup_printf (change->is_interval ? _ ("%s (%s to %s)") : _ ("%s (range %s to %s)"),
                          ratio, lo, hi);
}

static void
add_access (OvTable *table, const OvResult *result, const GPtrArray *cells, const OvCell *cell)
{
  OvPerBlock line;
  guint row;

  if (!ov_per_block_make (cell, ov_per_block_base (cells, cell), &line))
    return;
  row = ov_table_add_row (table);
  ov_table_take_cell (table, row, ACCESS_STRATEGY, g_strdup (cell->variant));
  ov_table_take_cell (table, row, ACCESS_X, ov_report_format_x (result->x, cell->x));
  ov_table_take_cell (table, row, ACCESS_EACH, format_figure (line.seconds * 1e9));
  ov_table_take_cell (table, row, ACCESS_INTERVAL,
                      format_range (line.lo * 1e9, line.hi * 1e9, line.is_interval));
  ov_table_take_cell (table, row, ACCESS_RATE,
                      ov_count_format ((guint64)llround (1 / line.seconds)));
  ov_table_take_cell (table, row, ACCESS_CPU, format_figure (line.cpu * 1e9));
  ov_table_take_cell (table, row, ACCESS_RATIO, format_times (&line));
}

/* The article's ways, the first of them being what the others are compared with. */
static void
add_article (OvTable *table, const OvResult *result)
{
  const OvOverlay *overlay = result->experiment->overlay;
  g_autoptr (GArray) rows = overlay != NULL ? ov_overlay_load (overlay, NULL) : NULL;

  for (guint r = 0; rows != NULL && r < rows->len; r++)
    for (guint c = 0; c < overlay->columns->len; c++)
      {
        const OvOverlayRow *figures = &g_array_index (rows, OvOverlayRow, r);
        const double each = figures->y[c] / figures->x;
        guint row;

        if (!isfinite (each) || !(each > 0))
          continue;
        row = ov_table_add_row (table);
        ov_table_take_cell (table, row, ACCESS_STRATEGY,
                            g_strdup_printf (_ ("%s, %s"), ov_report_tr (overlay->title),
                                             ov_report_tr (overlay->labels->pdata[c])));
        ov_table_take_cell (table, row, ACCESS_X,
                            ov_report_format_x (OV_AXIS_REQUESTS, figures->x));
        ov_table_take_cell (table, row, ACCESS_EACH, format_figure (each * 1e9));
        ov_table_take_cell (table, row, ACCESS_INTERVAL, g_strdup ("–"));
        ov_table_take_cell (table, row, ACCESS_RATE, ov_count_format ((guint64)llround (1 / each)));
        ov_table_take_cell (table, row, ACCESS_CPU, g_strdup ("–"));
        ov_table_take_cell (table, row, ACCESS_RATIO,
                            c == 0 ? g_strdup (_ ("compared with this"))
                                   : format_figure (figures->y[c] / figures->y[0]));
      }
}

static OvTable *
new_access_table (const OvResult *result)
{
  g_autoptr (OvTable) table
      = ov_table_new (/* xgettext:no-c-format */
                      _ ("Each access, and how many times as long as in the first line it takes "
                         "(95 % intervals)"));
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  const char *const titles[N_ACCESS] = {
    [ACCESS_STRATEGY] = _ ("strategy"),   [ACCESS_X] = ov_report_x_title (result->x),
    [ACCESS_EACH] = _ ("ns by access"),   [ACCESS_INTERVAL] = _ ("interval"),
    [ACCESS_RATE] = _ ("accesses/s"),     [ACCESS_CPU] = _ ("CPU, ns"),
    [ACCESS_RATIO] = _ ("times as long"),
  };

  add_columns (table, titles, N_ACCESS);
  for (guint i = 0; i < cells->len; i++)
    add_access (table, result, cells, g_ptr_array_index (cells, i));
  if (ov_table_get_n_rows (table) == 0)
    return NULL;
  add_article (table, result);
  return g_steal_pointer (&table);
}

OvTable *
ov_hardware_table_new (const OvResult *result)
{
  if (result->experiment == NULL || result->experiment->job != OV_JOB_PORT)
    return NULL;
  return new_access_table (result);
}
