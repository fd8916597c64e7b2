// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * With s[i] the distance from the first item's lower edge to item i's centre when all touch, and
 * place[i] = z[i] + s[i], "no overlap" is z[i] <= z[i+1]: least squares under that condition is an
 * isotonic regression, which pooling adjacent violators solves (Ayer and others, 1955). Bounds are
 * met by clamping z, which keeps it the least-squares solution.
 */
#include "config.h"

#include "chart/ov-spread.h"

typedef struct
{
  double sum;
  guint n;
} Pool;

static int
compare_wishes (gconstpointer a, gconstpointer b, gpointer data)
{
  const OvSpreadItem *items = data;
  guint ia = *(const guint *)a;
  guint ib = *(const guint *)b;

  if (items[ia].wanted < items[ib].wanted)
    return -1;
  if (items[ia].wanted > items[ib].wanted)
    return 1;
  return ia < ib ? -1 : ia > ib;
}

gboolean
ov_spread (OvSpreadItem *items, guint n_items, double lo, double hi)
{
  g_autofree guint *order = g_new (guint, n_items);
  g_autofree double *offset = g_new (double, n_items);
  g_autofree Pool *pools = g_new (Pool, n_items);
  guint n_pools = 0;
  guint next = 0;
  double total = 0;

  for (guint i = 0; i < n_items; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)n_items, sizeof *order, compare_wishes, items);
  for (guint i = 0; i < n_items; i++)
    {
      offset[i] = total + items[order[i]].size / 2;
      total += items[order[i]].size;
    }
  if (total > hi - lo + 1e-6)
    return FALSE;
  for (guint i = 0; i < n_items; i++)
    {
      pools[n_pools++] = (Pool){ items[order[i]].wanted - offset[i], 1 };
      while (n_pools > 1
             && pools[n_pools - 1].sum / pools[n_pools - 1].n
                    < pools[n_pools - 2].sum / pools[n_pools - 2].n)
        {
          pools[n_pools - 2].sum += pools[n_pools - 1].sum;
          pools[n_pools - 2].n += pools[n_pools - 1].n;
          n_pools--;
        }
    }
  for (guint p = 0; p < n_pools; p++)
    {
      double z = CLAMP (pools[p].sum / pools[p].n, lo, MAX (lo, hi - total));

      for (guint k = 0; k < pools[p].n; k++, next++)
        items[order[next]].place = z + offset[next];
    }
  return TRUE;
}
