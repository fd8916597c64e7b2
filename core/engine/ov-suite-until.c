/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Repeating until the intervals are narrow enough, or the time is over: what need not be run any
 * more is taken out of the list, repetition by repetition, so that every line has been run equally
 * often.
 */
#include "config.h"

#include <math.h>

#include "base/ov-clock.h"
#include "engine/ov-suite-private.h"
#include "metrics/ov-stats.h"

/* With many repetitions the intervals are looked at only after a part of them more. */
#define LOOKS 20

void
ov_suite_set_until (OvSuite *self, double width, double seconds)
{
  g_return_if_fail (OV_IS_SUITE (self) && width >= 0 && seconds >= 0);

  self->until_width = width;
  self->until_ns = seconds < 1e9 ? (gint64)(seconds * 1e9) : 0;
}

double
ov_suite_get_widest (OvSuite *self)
{
  g_return_val_if_fail (OV_IS_SUITE (self), NAN);
  return self->until_width > 0 ? self->widest : NAN;
}

/* Lines of one group are repeated together. */
static gboolean
same_group (const OvRunSpec *a, const OvRunSpec *b)
{
  return (a->x == b->x || (isnan (a->x) && isnan (b->x))) && g_strcmp0 (a->target, b->target) == 0;
}

static guint
count_groups (OvSuite *self)
{
  guint n = self->runs->len > 0;

  for (guint i = 1; i < self->runs->len; i++)
    n += !same_group (((OvRun *)self->runs->pdata[i])->spec,
                      ((OvRun *)self->runs->pdata[i - 1])->spec);
  return n;
}

static void
free_values (gpointer values)
{
  g_array_unref (values);
}

/* Whether the interval of every line that has given anything is narrow enough; notes the widest. */
static gboolean
is_narrow (OvSuite *self, const OvRunSpec *group)
{
  g_autoptr (GHashTable) lines = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_values);
  GHashTableIter iter;
  gpointer value;
  double widest = 0;

  for (guint i = 0; i < self->result->runs->len; i++)
    {
      const OvRun *run = self->result->runs->pdata[i];
      double seconds = (double)run->elapsed_ns / 1e9;
      GArray *values;

      if (run->state != OV_STATE_DONE || run->elapsed_ns <= 0 || !same_group (run->spec, group))
        continue;
      values = g_hash_table_lookup (lines, run->spec->variant);
      if (values == NULL)
        {
          values = g_array_new (FALSE, FALSE, sizeof (double));
          g_hash_table_insert (lines, run->spec->variant, values);
        }
      g_array_append_val (values, seconds);
    }
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const GArray *values = value;
      OvStatsSummary summary;

      if (!ov_stats_summary ((const double *)(gpointer)values->data, values->len, &summary)
          || !summary.is_interval)
        return FALSE;
      widest = MAX (widest, (summary.hi - summary.lo) / summary.median);
    }
  if (g_hash_table_size (lines) == 0)
    return FALSE;
  self->widest = widest;
  return widest <= self->until_width;
}

static gboolean
is_time_to_look (guint repetitions)
{
  return repetitions >= OV_STATS_MIN_FOR_INTERVAL
         && (repetitions < 2 * LOOKS || repetitions % (repetitions / LOOKS) == 0);
}

/* Takes the runs of the group that wait out of the list. */
static void
drop (OvSuite *self, const OvRunSpec *group)
{
  guint n = 0;

  while (self->next + n < self->runs->len
         && same_group (((OvRun *)self->runs->pdata[self->next + n])->spec, group))
    n++;
  g_ptr_array_remove_range (self->runs, self->next, n);
  for (guint i = 0; i < self->places->len; i++)
    {
      OvPlace *place = self->places->pdata[i];

      place->last_run = -1;
      for (guint r = 0; r < self->runs->len; r++)
        if (g_strcmp0 (((OvRun *)self->runs->pdata[r])->spec->target, place->target) == 0)
          place->last_run = (gint)r;
    }
}

void
ov_suite_drop_decided (OvSuite *self, const OvRun *ended)
{
  const OvRun *next = ov_suite_current_run (self);
  gint64 now = ov_clock_now_ns ();
  gboolean late;

  if (self->until_width <= 0 && self->until_ns <= 0)
    return;
  if (self->n_groups == 0)
    self->n_groups = MAX (count_groups (self), 1);
  if (self->group_ns < 0)
    self->group_ns = MAX (self->run_sent_ns, 0);
  if (next == NULL || !same_group (next->spec, ended->spec))
    {
      self->widest = NAN;
      self->group_ns = -1;
      return;
    }
  if (next->spec->repetition == ended->spec->repetition)
    return;
  late = self->until_ns > 0 && now - self->group_ns >= self->until_ns / self->n_groups;
  if (late
      || (self->until_width > 0 && is_time_to_look (next->spec->repetition)
          && is_narrow (self, ended->spec)))
    {
      drop (self, ended->spec);
      self->widest = NAN;
      self->group_ns = -1;
    }
}
