// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Costs are parts of the time of a 4K request from the page cache.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-self-cost-table.h"

enum
{
  COST_KIND,
  COST_COST,
  COST_INTERVAL,
  COST_AIM,
  COST_REMARK,
  N_COST,
};

static char *
format_percent (double part)
{
  return isfinite (part) ? g_strdup_printf (_ ("%.2f %%"), 100 * part) : g_strdup ("–");
}

static char *
format_interval (const OvCost *cost)
{
  g_autofree char *lo = format_percent (cost->lo);
  g_autofree char *hi = format_percent (cost->hi);

  return cost->n > 0 ? g_strdup_printf ("%s – %s", lo, hi) : g_strdup ("");
}

static char *
format_remark (const OvCost *cost, double aim)
{
  if (cost->cause != NULL)
    return g_strdup_printf (_ ("not measured: %s"), cost->cause);
  return g_strdup (cost->lo > aim ? _ ("missed") : "");
}

static char *
make_title (const OvSelfCost *cost)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (cost->date);
  g_autofree char *day
      = date != NULL ? g_date_time_format (date, "%Y-%m-%d %H:%M") : g_strdup ("–");

  /* Translators: a machine, and date and time. */
  return g_strdup_printf (_ ("Cost of measuring, of a cached request of 4K, on %s, measured on %s"),
                          cost->host != NULL ? cost->host : "–", day);
}

OvTable *
ov_self_cost_table_new (const OvSelfCost *cost)
{
  g_autofree char *title = NULL;
  OvTable *table;
  const char *const titles[N_COST] = {
    [COST_KIND] = _ ("Recording"),
    [COST_COST] = _ ("Cost"),
    /* xgettext:no-c-format */
    [COST_INTERVAL] = _ ("95 % interval"),
    [COST_AIM] = _ ("Aim"),
    [COST_REMARK] = _ ("Remark"),
  };

  g_return_val_if_fail (cost != NULL, NULL);
  title = make_title (cost);
  table = ov_table_new (title);
  for (guint c = 0; c < N_COST; c++)
    ov_table_take_column (table, g_strdup (titles[c]));
  for (guint k = 0; k < OV_COST_SIZE; k++)
    {
      const OvCost *one = &cost->costs[k];
      const double aim = ov_cost_aim (k);
      const guint row = ov_table_add_row (table);

      ov_table_take_cell (table, row, COST_KIND, g_strdup (ov_cost_label (k)));
      ov_table_take_cell (table, row, COST_COST, format_percent (one->cost));
      ov_table_take_cell (table, row, COST_INTERVAL, format_interval (one));
      ov_table_take_cell (table, row, COST_AIM, g_strdup_printf (_ ("under %.0f %%"), 100 * aim));
      ov_table_take_cell (table, row, COST_REMARK, format_remark (one, aim));
    }
  return table;
}
