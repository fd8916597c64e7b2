// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart: data and words; drawing stands in ov-lane-chart-draw.c. Blocks of a lane are in the
 * order of their start; how far back a search has to go for blocks that began earlier is told by
 * the longest one.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "chart/ov-axis.h"
#include "chart/ov-lane-chart-private.h"

#define MAX_TABLE_ROWS 1000

static void ov_lane_chart_drawable_init (OvDrawableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvLaneChart, ov_lane_chart, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OV_TYPE_DRAWABLE,
                                                      ov_lane_chart_drawable_init))

static void
lane_free (gpointer data)
{
  OvLane *lane = data;

  g_free (lane->label);
  g_array_unref (lane->blocks);
  g_free (lane);
}

OvLane *
ov_lane_chart_lane (OvLaneChart *self, guint lane)
{
  return g_ptr_array_index (self->lanes, lane);
}

static void
changed (OvLaneChart *self)
{
  self->dirty = FALSE;
  g_clear_pointer (&self->table, ov_table_unref);
  ov_drawable_changed (OV_DRAWABLE (self));
}

static void
ov_lane_chart_finalize (GObject *object)
{
  OvLaneChart *self = OV_LANE_CHART (object);

  g_clear_pointer (&self->table, ov_table_unref);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->note);
  g_free (self->cursor_text);
  for (guint i = 0; i < OV_LANE_N_KINDS; i++)
    g_free (self->kind_labels[i]);
  g_ptr_array_unref (self->lanes);
  G_OBJECT_CLASS (ov_lane_chart_parent_class)->finalize (object);
}

static void
ov_lane_chart_class_init (OvLaneChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_lane_chart_finalize;
}

static void
ov_lane_chart_init (OvLaneChart *self)
{
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  self->note = g_strdup ("");
  self->cursor_text = g_strdup ("");
  for (guint i = 0; i < OV_LANE_N_KINDS; i++)
    self->kind_labels[i] = g_strdup ("");
  self->lanes = g_ptr_array_new_with_free_func (lane_free);
  self->cursor = -1;
}

OvLaneChart *
ov_lane_chart_new (void)
{
  return g_object_new (OV_TYPE_LANE_CHART, NULL);
}

static void
set_text (OvLaneChart *self, char **where, const char *text)
{
  if (text == NULL)
    text = "";
  if (strcmp (*where, text) == 0)
    return;
  g_free (*where);
  *where = g_utf8_make_valid (text, -1);
  changed (self);
}

void
ov_lane_chart_set_title (OvLaneChart *self, const char *title)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  set_text (self, &self->title, title);
}

void
ov_lane_chart_set_subtitle (OvLaneChart *self, const char *subtitle)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  set_text (self, &self->subtitle, subtitle);
}

void
ov_lane_chart_set_note (OvLaneChart *self, const char *note)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  set_text (self, &self->note, note);
}

void
ov_lane_chart_set_kind_label (OvLaneChart *self, OvLaneKind kind, const char *label)
{
  g_return_if_fail (OV_IS_LANE_CHART (self) && (guint)kind < OV_LANE_N_KINDS);

  set_text (self, &self->kind_labels[kind], label);
}

guint
ov_lane_chart_add_lane (OvLaneChart *self, const char *label)
{
  OvLane *lane;

  g_return_val_if_fail (OV_IS_LANE_CHART (self), 0);

  lane = g_new0 (OvLane, 1);
  lane->label = g_utf8_make_valid (label != NULL ? label : "", -1);
  lane->blocks = g_array_new (FALSE, FALSE, sizeof (OvLaneBlock));
  g_ptr_array_add (self->lanes, lane);
  changed (self);
  return self->lanes->len - 1;
}

guint
ov_lane_chart_get_n_lanes (OvLaneChart *self)
{
  g_return_val_if_fail (OV_IS_LANE_CHART (self), 0);

  return self->lanes->len;
}

void
ov_lane_chart_add_block (OvLaneChart *self, guint lane, OvLaneKind kind, gint64 t0_ns, gint64 t1_ns,
                         int style, guint64 number)
{
  OvLane *l;
  OvLaneBlock block;

  g_return_if_fail (OV_IS_LANE_CHART (self) && lane < self->lanes->len);
  g_return_if_fail ((guint)kind < OV_LANE_N_KINDS);

  l = ov_lane_chart_lane (self, lane);
  /* A quarter at a time: each block is moved at most a few times. */
  if (l->blocks->len >= OV_LANE_MAX_BLOCKS)
    g_array_remove_range (l->blocks, 0, OV_LANE_MAX_BLOCKS / 4);
  if (l->blocks->len > 0)
    t0_ns = MAX (t0_ns, g_array_index (l->blocks, OvLaneBlock, l->blocks->len - 1).t0);
  block = (OvLaneBlock){ t0_ns, MAX (t0_ns, t1_ns), number, kind, MAX (0, style) };
  l->longest = MAX (l->longest, block.t1 - block.t0);
  g_array_append_val (l->blocks, block);
  self->dirty = TRUE;
}

void
ov_lane_chart_flush (OvLaneChart *self)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->dirty)
    changed (self);
}

guint
ov_lane_chart_get_n_blocks (OvLaneChart *self, guint lane)
{
  g_return_val_if_fail (OV_IS_LANE_CHART (self) && lane < self->lanes->len, 0);

  return ov_lane_chart_lane (self, lane)->blocks->len;
}

void
ov_lane_chart_clear (OvLaneChart *self)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  for (guint i = 0; i < self->lanes->len; i++)
    {
      g_array_set_size (ov_lane_chart_lane (self, i)->blocks, 0);
      ov_lane_chart_lane (self, i)->longest = 0;
    }
  changed (self);
}

void
ov_lane_chart_remove_lanes (OvLaneChart *self)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->lanes->len == 0)
    return;
  g_ptr_array_set_size (self->lanes, 0);
  changed (self);
}

void
ov_lane_chart_set_range (OvLaneChart *self, gint64 t0_ns, gint64 t1_ns)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (t1_ns <= t0_ns)
    t0_ns = t1_ns = 0;
  if (self->t0 == t0_ns && self->t1 == t1_ns)
    return;
  self->t0 = t0_ns;
  self->t1 = t1_ns;
  changed (self);
}

gboolean
ov_lane_chart_get_extent (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns)
{
  gboolean any = FALSE;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && t0_ns != NULL && t1_ns != NULL, FALSE);

  for (guint i = 0; i < self->lanes->len; i++)
    {
      const GArray *blocks = ov_lane_chart_lane (self, i)->blocks;

      for (guint k = 0; k < blocks->len; k++)
        {
          const OvLaneBlock *b = &g_array_index (blocks, OvLaneBlock, k);

          *t0_ns = any ? MIN (*t0_ns, b->t0) : b->t0;
          *t1_ns = any ? MAX (*t1_ns, b->t1) : b->t1;
          any = TRUE;
        }
    }
  return any;
}

void
ov_lane_chart_get_range (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns)
{
  g_return_if_fail (OV_IS_LANE_CHART (self) && t0_ns != NULL && t1_ns != NULL);

  *t0_ns = self->t0;
  *t1_ns = self->t1;
  if (self->t1 > self->t0)
    return;
  if (!ov_lane_chart_get_extent (self, t0_ns, t1_ns))
    {
      *t0_ns = 0;
      *t1_ns = 0;
    }
  if (*t1_ns <= *t0_ns)
    *t1_ns = *t0_ns + 1000000;
}

void
ov_lane_chart_set_cursor (OvLaneChart *self, gint64 t_ns, const char *text)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (text == NULL)
    text = "";
  t_ns = MAX (t_ns, -1);
  if (self->cursor == t_ns && strcmp (self->cursor_text, text) == 0)
    return;
  self->cursor = t_ns;
  g_free (self->cursor_text);
  self->cursor_text = g_utf8_make_valid (text, -1);
  changed (self);
}

guint
ov_lane_first_block (const OvLane *lane, gint64 t)
{
  guint lo = 0;
  guint hi = lane->blocks->len;

  while (lo < hi)
    {
      guint mid = lo + (hi - lo) / 2;

      if (g_array_index (lane->blocks, OvLaneBlock, mid).t0 < t - lane->longest)
        lo = mid + 1;
      else
        hi = mid;
    }
  return lo;
}

static char *
format_time (gint64 t_ns)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  return ov_axis_format (axis, (double)t_ns);
}

static const char *
kind_name (OvLaneChart *self, OvLaneKind kind)
{
  static const char *const names[] = { N_ ("request"), N_ ("work"), N_ ("wait") };

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
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const OvLane *lane = ov_lane_chart_lane (self, i);
      double sums[OV_LANE_N_KINDS] = { 0 };
      guint n[OV_LANE_N_KINDS] = { 0 };

      for (guint k = ov_lane_first_block (lane, t0); k < lane->blocks->len; k++)
        {
          const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);

          if (b->t0 > t1)
            break;
          if (b->t1 < t0)
            continue;
          sums[b->kind] += (double)(MIN (b->t1, t1) - MAX (b->t0, t0));
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
                                    kind_name (self, (OvLaneKind)k), n[k], share);
          }
      if (text->str[text->len - 1] == ';')
        text->str[text->len - 1] = '.';
      else
        g_string_append_printf (text, " %s", _ ("nothing."));
      g_string_append_c (text, '\n');
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
          ov_table_take_cell (table, row, 2, g_strdup (kind_name (self, b->kind)));
          ov_table_take_cell (table, row, 3, format_time (b->t0));
          ov_table_take_cell (table, row, 4, format_time (b->t1 - b->t0));
        }
    }
  self->table = table;
  return table;
}

char *
ov_lane_chart_describe_hit (OvLaneChart *self, const OvLaneHit *hit)
{
  g_autofree char *number = NULL;
  g_autofree char *from = NULL;
  g_autofree char *length = NULL;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && hit != NULL, NULL);
  g_return_val_if_fail (hit->lane < self->lanes->len && (guint)hit->kind < OV_LANE_N_KINDS, NULL);

  number = g_strdup_printf ("%" G_GUINT64_FORMAT, hit->number);
  from = format_time (hit->t0_ns);
  length = format_time (hit->t1_ns - hit->t0_ns);
  /* Translators: name of a lane, number of a request, what happens, how long and from when on */
  return g_strdup_printf (_ ("%s, request %s: %s, %s from %s"),
                          ov_lane_chart_lane (self, hit->lane)->label, number,
                          kind_name (self, hit->kind), length, from);
}

static void
draw (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_lane_chart_draw (OV_LANE_CHART (drawable), cr, width, height, theme);
}

static char *
describe (OvDrawable *drawable)
{
  return ov_lane_chart_describe (OV_LANE_CHART (drawable));
}

static OvTable *
get_table (OvDrawable *drawable)
{
  return ov_lane_chart_get_table (OV_LANE_CHART (drawable));
}

static const char *
get_title (OvDrawable *drawable)
{
  return OV_LANE_CHART (drawable)->title;
}

static void
get_natural_size (OvDrawable *drawable, double *width, double *height)
{
  *width = 880;
  *height = 70 + 26 * CLAMP (OV_LANE_CHART (drawable)->lanes->len, 1, 40);
}

static void
ov_lane_chart_drawable_init (OvDrawableInterface *iface)
{
  iface->draw = draw;
  iface->describe = describe;
  iface->get_table = get_table;
  iface->get_title = get_title;
  iface->get_natural_size = get_natural_size;
}
