// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart in words: the description, the table, a block's text, and the way from block to block
 * by keys.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "chart/ov-axis.h"
#include "chart/ov-lane-chart-private.h"
#include "chart/ov-number.h"

#define MAX_TABLE_ROWS 1000

static char *
format_time (gint64 t_ns)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  return ov_axis_format (axis, (double)t_ns);
}

const char *
ov_lane_chart_kind_name (OvLaneChart *self, OvLaneKind kind)
{
  static const char *const names[]
      = { N_ ("request"), N_ ("work"), N_ ("wait"), N_ ("being submitted"), N_ ("broken") };

  return self->kind_labels[kind][0] != '\0' ? self->kind_labels[kind] : _ (names[kind]);
}

char *
ov_lane_chart_describe (OvLaneChart *self)
{
  GString *text;
  gint64 t0, t1;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  g_return_val_if_fail (OV_IS_LANE_CHART (self), NULL);

  text = g_string_new (NULL);
  if (self->title[0] != '\0')
    g_string_append_printf (text, "%s.\n", self->title);
  if (self->subtitle[0] != '\0')
    g_string_append_printf (text, "%s.\n", self->subtitle);
  ov_lane_chart_get_range (self, &t0, &t1);
  from = format_time (t0);
  to = format_time (t1);
  g_string_append_printf (text, _ ("From %s to %s."), from, to);
  g_string_append_c (text, '\n');
  if (self->cursor_text[0] != '\0') /* what the keyboard or the pointer is on */
    g_string_append_printf (text, "%s.\n", self->cursor_text);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const OvLane *lane = ov_lane_chart_lane (self, i);
      double sums[OV_LANE_N_KINDS] = { 0 };
      double idle = (double)(t1 - t0);
      guint n[OV_LANE_N_KINDS] = { 0 };

      for (guint k = ov_lane_first_block (lane, t0); k < lane->blocks->len; k++)
        {
          const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);

          if (b->t0 > t1)
            break;
          if (b->t1 < t0)
            continue;
          sums[b->kind] += (double)(MIN (b->t1, t1) - MAX (b->t0, t0));
          idle -= (double)(MIN (b->t1, t1) - MAX (b->t0, t0));
          n[b->kind]++;
        }
      g_string_append_printf (text, "%s:", lane->label);
      for (guint k = 0; k < OV_LANE_N_KINDS; k++)
        if (n[k] > 0)
          {
            g_autofree char *share = g_strdup_printf ("%.0f", 100 * sums[k] / (double)(t1 - t0));

            /* Translators: kind of block, how many, and their part of the time */
            g_string_append_printf (text,
                                    g_dngettext (GETTEXT_PACKAGE, " %s %u time, %s %% of the time;",
                                                 " %s %u times, %s %% of the time;", n[k]),
                                    ov_lane_chart_kind_name (self, (OvLaneKind)k), n[k], share);
          }
      if (self->mark_idle && lane->blocks->len > 0)
        {
          g_autofree char *share
              = g_strdup_printf ("%.0f", 100 * MAX (idle, 0) / (double)(t1 - t0));

          /* Translators: part of the time in which a lane had nothing to do */
          g_string_append_printf (text, _ (" idle %s %% of the time;"), share);
        }
      if (text->str[text->len - 1] == ';')
        text->str[text->len - 1] = '.';
      else
        g_string_append_printf (text, " %s", _ ("nothing."));
      g_string_append_c (text, '\n');
    }
  if (self->total > 0)
    {
      g_autofree char *counts = ov_lane_chart_format_counts (self, G_MAXUINT16);

      g_string_append_printf (text, "%s.\n", counts);
    }
  if (self->note[0] != '\0')
    g_string_append_printf (text, "%s.\n", self->note);
  g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

OvTable *
ov_lane_chart_get_table (OvLaneChart *self)
{
  gint64 t0, t1;
  OvTable *table;

  g_return_val_if_fail (OV_IS_LANE_CHART (self), NULL);

  if (self->table != NULL && !self->dirty)
    return self->table;
  g_clear_pointer (&self->table, ov_table_unref);
  table = ov_table_new (self->title);
  ov_table_take_column (table, g_strdup (_ ("Lane")));
  ov_table_take_column (table, g_strdup (_ ("Number")));
  ov_table_take_column (table, g_strdup (_ ("What")));
  ov_table_take_column (table, g_strdup (_ ("From")));
  ov_table_take_column (table, g_strdup (_ ("Duration")));
  ov_lane_chart_get_range (self, &t0, &t1);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const OvLane *lane = ov_lane_chart_lane (self, i);

      for (guint k = ov_lane_first_block (lane, t0); k < lane->blocks->len; k++)
        {
          const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);
          guint row;

          if (b->t0 > t1 || ov_table_get_n_rows (table) >= MAX_TABLE_ROWS)
            break;
          if (b->t1 < t0)
            continue;
          row = ov_table_add_row (table);
          ov_table_take_cell (table, row, 0, g_strdup (lane->label));
          ov_table_take_cell (table, row, 1, g_strdup_printf ("%" G_GUINT64_FORMAT, b->number));
          ov_table_take_cell (table, row, 2, g_strdup (ov_lane_chart_kind_name (self, b->kind)));
          ov_table_take_cell (table, row, 3, format_time (b->t0));
          ov_table_take_cell (table, row, 4, format_time (b->t1 - b->t0));
        }
    }
  self->table = table;
  return table;
}

/* The block that a hit stands for, or -1. */
static int
find_block (const OvLane *lane, const OvLaneHit *hit)
{
  for (guint k = ov_lane_first_block (lane, hit->t0_ns); k < lane->blocks->len; k++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);

      if (b->t0 > hit->t0_ns)
        break;
      if (b->t0 == hit->t0_ns && b->number == hit->number && b->kind == hit->kind)
        return (int)k;
    }
  return -1;
}

/* "; counted, 5.9 ms": the other blocks of the same request, which stand beside it. */
static void
append_others (OvLaneChart *self, GString *text, const OvLane *lane, guint at)
{
  guint64 number = g_array_index (lane->blocks, OvLaneBlock, at).number;
  guint k = at;

  while (k > 0 && g_array_index (lane->blocks, OvLaneBlock, k - 1).number == number)
    k--;
  for (; k < lane->blocks->len; k++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);
      g_autofree char *length = NULL;

      if (b->number != number)
        break;
      if (k == at)
        continue;
      length = format_time (b->t1 - b->t0);
      /* Translators: what happens, how long */
      g_string_append_printf (text, _ ("; %s, %s"),
                              ov_lane_chart_kind_name (self, (OvLaneKind)b->kind), length);
    }
}

char *
ov_lane_chart_describe_hit (OvLaneChart *self, const OvLaneHit *hit)
{
  const OvLane *lane;
  GString *text;
  g_autofree char *number = NULL;
  g_autofree char *from = NULL;
  g_autofree char *length = NULL;
  int at;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && hit != NULL, NULL);
  g_return_val_if_fail (hit->lane < self->lanes->len && (guint)hit->kind < OV_LANE_N_KINDS, NULL);

  lane = ov_lane_chart_lane (self, hit->lane);
  number = g_strdup_printf ("%" G_GUINT64_FORMAT, hit->number);
  from = format_time (hit->t0_ns);
  length = format_time (hit->t1_ns - hit->t0_ns);
  text = g_string_new (NULL);
  /* Translators: name of a lane, number of a request, what happens, how long and from when on */
  g_string_append_printf (text, _ ("%s, request %s: %s, %s from %s"), lane->label, number,
                          ov_lane_chart_kind_name (self, hit->kind), length, from);
  at = find_block (lane, hit);
  if (at >= 0)
    append_others (self, text, lane, (guint)at);
  return g_string_free (text, FALSE);
}

char *
ov_lane_chart_format_counts (OvLaneChart *self, guint columns)
{
  guint most;
  guint64 n = ov_lane_chart_count (self, MAX (columns, 1), &most);
  guint64 total = self->total;
  g_autofree char *shown = ov_number_format ((double)n, 15);
  g_autofree char *all = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; self->total == 0 && i < self->lanes->len; i++)
    {
      const GArray *blocks = ov_lane_chart_lane (self, i)->blocks;

      for (guint k = 0; k < blocks->len; k++)
        total += g_array_index (blocks, OvLaneBlock, k).first;
    }
  all = ov_number_format ((double)total, 15);
  if (n == total)
    text = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%s request", "%s requests", (gulong)MIN (n, 1000)), all);
  else
    /* Translators: how many requests are in view, of how many */
    text = g_strdup_printf (_ ("%s of %s requests"), shown, all);
  if (most < 2)
    return g_steal_pointer (&text);
  /* Translators: "1,204 of 20,480 requests", then how many of them are drawn as one */
  return g_strdup_printf (_ ("%s, up to %u to a pixel: shaded by their share of its time"), text,
                          most);
}

/* ---- Going from block to block -------------------------------------------------------------- */

static void
fill_hit (OvLaneHit *hit, guint lane, const OvLaneBlock *b)
{
  *hit = (OvLaneHit){ lane, (OvLaneKind)b->kind, b->number, b->t0, b->t1 };
}

/* The first block of a lane that reaches to `t` or begins after it, at most at `end`. */
static const OvLaneBlock *
block_at (const OvLane *lane, gint64 t, gint64 end)
{
  for (guint k = ov_lane_first_block (lane, t); k < lane->blocks->len; k++)
    {
      const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);

      if (b->t0 > end)
        return NULL;
      if (b->t1 > t || (b->t1 == t && b->t0 == t))
        return b;
    }
  return NULL;
}

gboolean
ov_lane_chart_step (OvLaneChart *self, OvLaneHit *hit, int dx, int dy)
{
  gint64 t0, t1;
  guint first;
  gint64 t;
  int at;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && hit != NULL, FALSE);

  ov_lane_chart_get_range (self, &t0, &t1);
  if (hit->lane < self->lanes->len && dy == 0)
    {
      const OvLane *lane = ov_lane_chart_lane (self, hit->lane);

      at = find_block (lane, hit);
      if (at < 0 || at + dx < 0 || (guint)(at + dx) >= lane->blocks->len)
        return FALSE;
      fill_hit (hit, hit->lane, &g_array_index (lane->blocks, OvLaneBlock, (guint)(at + dx)));
      return TRUE;
    }
  first = hit->lane < self->lanes->len ? hit->lane + (guint)dy : 0;
  t = hit->lane < self->lanes->len ? CLAMP (hit->t0_ns, t0, t1) : t0;
  for (guint i = first; i < self->lanes->len; i += dy < 0 ? G_MAXUINT : 1)
    {
      const OvLaneBlock *b = block_at (ov_lane_chart_lane (self, i), t, t1);

      if (b != NULL)
        {
          fill_hit (hit, i, b);
          return TRUE;
        }
    }
  return FALSE;
}
