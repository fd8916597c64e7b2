// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tables of accesses and of events. Times of an access are nanoseconds whatever their size, so that
 * they can be compared down a column.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-events.h"
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

/* Of n runs; one has neither an interval nor a range. */
static char *
format_range (double lo, double hi, guint n, gboolean is_interval)
{
  g_autofree char *from = format_figure (lo);
  g_autofree char *to = format_figure (hi);

  if (n < 2)
    return g_strdup ("–");
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
  if (change->n < 2)
    return g_strdup (ratio);
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
                      format_range (line.lo * 1e9, line.hi * 1e9, cell->n_done, line.is_interval));
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

/* ---- Events and samples ------------------------------------------------------------------- */

enum
{
  EVENT_STRATEGY,
  EVENT_X,
  EVENT_ASKED,
  EVENT_DELIVERED,
  EVENT_LATE,
  EVENT_MISSED,
  EVENT_PART,
  EVENT_GAP,
  EVENT_P50,
  EVENT_P99,
  EVENT_MOST,
  EVENT_CPU,
  N_EVENT
};

static char *
format_quantile (const OvHistogram *histogram, double q)
{
  if (ov_histogram_count (histogram) == 0)
    return g_strdup ("–");
  return ov_duration_format ((double)ov_histogram_quantile (histogram, q) / 1e9);
}

static void
add_event (OvTable *table, const OvResult *result, const OvCell *cell)
{
  g_autofree OvHistogram *late = g_new (OvHistogram, 1);
  OvEvents sum;
  guint row;

  ov_histogram_init (late);
  if (!ov_events_make (cell, &sum, late))
    return;
  row = ov_table_add_row (table);
  ov_table_take_cell (table, row, EVENT_STRATEGY, g_strdup (cell->variant));
  ov_table_take_cell (table, row, EVENT_X, ov_report_format_x (result->x, cell->x));
  ov_table_take_cell (table, row, EVENT_ASKED, ov_count_format (sum.asked));
  ov_table_take_cell (table, row, EVENT_DELIVERED, ov_count_format (sum.delivered));
  ov_table_take_cell (table, row, EVENT_LATE, ov_count_format (sum.late));
  ov_table_take_cell (table, row, EVENT_MISSED, ov_count_format (sum.missed));
  ov_table_take_cell (table, row, EVENT_PART,
                      g_strdup_printf ("%.3f", 100.0 * (double)sum.missed / (double)sum.asked));
  ov_table_take_cell (table, row, EVENT_GAP,
                      sum.longest_gap_ns > 0 ? ov_duration_format ((double)sum.longest_gap_ns / 1e9)
                                             : g_strdup ("–"));
  ov_table_take_cell (table, row, EVENT_P50, format_quantile (late, 0.5));
  ov_table_take_cell (table, row, EVENT_P99, format_quantile (late, 0.99));
  ov_table_take_cell (table, row, EVENT_MOST, format_quantile (late, 1));
  ov_table_take_cell (table, row, EVENT_CPU,
                      sum.elapsed_ns > 0 ? g_strdup_printf ("%.0f", 100.0 * (double)sum.cpu_ns
                                                                        / (double)sum.elapsed_ns)
                                         : g_strdup ("–"));
}

static OvTable *
new_event_table (const OvResult *result)
{
  const gboolean ticks = result->experiment->job == OV_JOB_TICKS;
  g_autoptr (OvTable) table = ov_table_new (
      ticks ? _ ("Events of all runs, and how late they came (a missed one: until the next)")
            : _ ("Samples of all runs, and how late they were (a missed one: until the next)"));
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  const char *const titles[N_EVENT] = {
    [EVENT_STRATEGY] = _ ("strategy"),   [EVENT_X] = ov_report_x_title (result->x),
    [EVENT_ASKED] = _ ("asked for"),     [EVENT_DELIVERED] = ticks ? _ ("delivered") : _ ("taken"),
    [EVENT_LATE] = _ ("late"),           [EVENT_MISSED] = _ ("missed"),
    [EVENT_PART] = _ ("percent missed"), [EVENT_GAP] = _ ("longest gap"),
    [EVENT_P50] = _ ("late, median"),    [EVENT_P99] = _ ("99th percentile"),
    [EVENT_MOST] = _ ("at most"),        [EVENT_CPU] = _ ("CPU percent"),
  };

  add_columns (table, titles, N_EVENT);
  for (guint i = 0; i < cells->len; i++)
    add_event (table, result, g_ptr_array_index (cells, i));
  return ov_table_get_n_rows (table) > 0 ? g_steal_pointer (&table) : NULL;
}

char *
ov_hardware_sustained (const OvResult *result, const GPtrArray *cells)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  if (result->experiment == NULL || !(result->experiment->job & OV_CLOCKED_JOBS)
      || result->x != OV_AXIS_RATE)
    return g_string_free (out, FALSE);
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      g_autofree char *rate = NULL;
      double highest;

      if (cell->n_done == 0 || !g_hash_table_add (told, cell->variant))
        continue;
      highest = ov_events_sustained (cells, cell->variant);
      rate = isfinite (highest) ? ov_report_format_hertz (highest) : NULL;
      if (rate != NULL)
        /* xgettext:no-c-format */
        g_string_append_printf (out, _ ("%s: fewer than 0.1 %% missed up to %s.\n"), cell->variant,
                                rate);
      else
        g_string_append_printf (out, _ ("%s: 0.1 %% or more missed at every rate.\n"),
                                cell->variant);
    }
  return g_string_free (out, FALSE);
}

OvTable *
ov_hardware_table_new (const OvResult *result)
{
  if (result->experiment == NULL || !(result->experiment->job & OV_HARDWARE_JOBS))
    return NULL;
  if (result->experiment->job & OV_CLOCKED_JOBS)
    return new_event_table (result);
  return new_access_table (result);
}
