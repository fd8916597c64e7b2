// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart: the data; words stand in ov-lane-chart-describe.c, drawing in ov-lane-chart-draw.c.
 * Blocks of a lane are in the order of their start; how far back a search has to go for blocks that
 * began earlier is told by the longest one.
 */
#include "config.h"

#include <string.h>

#include "chart/ov-lane-chart-private.h"

#define SHORTEST_NS 100

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

/* What stands behind the blocks is another one too. */
static void
all_changed (OvLaneChart *self)
{
  self->back_serial++;
  self->label_theme = NULL;
  changed (self);
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
  self->back_serial = 1;
  self->extent_t1 = -1;
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
  all_changed (self);
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

void
ov_lane_chart_set_total (OvLaneChart *self, guint64 total)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->total == total)
    return;
  self->total = total;
  changed (self);
}

void
ov_lane_chart_set_mark_idle (OvLaneChart *self, gboolean mark_idle)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->mark_idle == mark_idle)
    return;
  self->mark_idle = mark_idle;
  changed (self);
}

void
ov_lane_chart_set_relative (OvLaneChart *self, gboolean relative)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->relative == relative)
    return;
  self->relative = relative;
  all_changed (self);
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
  all_changed (self);
  return self->lanes->len - 1;
}

guint
ov_lane_chart_get_n_lanes (OvLaneChart *self)
{
  g_return_val_if_fail (OV_IS_LANE_CHART (self), 0);

  return self->lanes->len;
}

static void
forget_extent (OvLaneChart *self)
{
  self->extent_t0 = 0;
  self->extent_t1 = -1;
}

void
ov_lane_chart_add_block (OvLaneChart *self, guint lane, OvLaneKind kind, gint64 t0_ns, gint64 t1_ns,
                         int style, guint64 number)
{
  OvLane *l;
  OvLaneBlock block;
  gboolean first = TRUE;

  g_return_if_fail (OV_IS_LANE_CHART (self) && lane < self->lanes->len);
  g_return_if_fail ((guint)kind < OV_LANE_N_KINDS);

  l = ov_lane_chart_lane (self, lane);
  /* A quarter at a time: each block is moved at most a few times. */
  if (l->blocks->len >= OV_LANE_MAX_BLOCKS)
    {
      g_array_remove_range (l->blocks, 0, OV_LANE_MAX_BLOCKS / 4);
      self->extent_t1 = self->extent_t0 - 1;
    }
  if (l->blocks->len > 0)
    {
      const OvLaneBlock *last = &g_array_index (l->blocks, OvLaneBlock, l->blocks->len - 1);

      t0_ns = MAX (t0_ns, last->t0);
      first = last->number != number;
    }
  first = first && (kind == OV_LANE_REQUEST || kind == OV_LANE_SUBMIT || kind == OV_LANE_BROKEN);
  block = (OvLaneBlock){ t0_ns, MAX (t0_ns, t1_ns), number, (guint16)MAX (0, style), (guint8)kind,
                         first };
  l->longest = MAX (l->longest, block.t1 - block.t0);
  g_array_append_val (l->blocks, block);
  if (self->extent_t1 >= self->extent_t0)
    {
      self->extent_t0 = MIN (self->extent_t0, block.t0);
      self->extent_t1 = MAX (self->extent_t1, block.t1);
    }
  if ((self->kinds & (1u << kind)) == 0)
    {
      self->kinds |= 1u << kind;
      self->back_serial++; /* it has a key now */
    }
  self->dirty = TRUE;
}

void
ov_lane_chart_flush (OvLaneChart *self)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (!self->dirty)
    return;
  if (!ov_lane_chart_is_zoomed (self))
    self->back_serial++; /* the axis follows the blocks */
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
  forget_extent (self);
  changed (self);
}

void
ov_lane_chart_remove_lanes (OvLaneChart *self)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (self->lanes->len == 0)
    return;
  g_ptr_array_set_size (self->lanes, 0);
  self->kinds = 0;
  forget_extent (self);
  all_changed (self);
}

#define SWAP(self, from, member)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const __typeof__ ((self)->member) kept = (self)->member;                                       \
                                                                                                   \
    (self)->member = (from)->member;                                                               \
    (from)->member = kept;                                                                         \
  }                                                                                                \
  G_STMT_END

void
ov_lane_chart_swap_lanes (OvLaneChart *self, OvLaneChart *from)
{
  g_return_if_fail (OV_IS_LANE_CHART (self) && OV_IS_LANE_CHART (from) && self != from);

  SWAP (self, from, lanes);
  SWAP (self, from, kinds);
  SWAP (self, from, extent_t0);
  SWAP (self, from, extent_t1);
  SWAP (self, from, total);
  SWAP (self, from, relative);
  self->t0 = self->t1 = from->t0 = from->t1 = 0;
  self->cursor = from->cursor = -1;
  all_changed (from);
  all_changed (self);
}

void
ov_lane_chart_set_range (OvLaneChart *self, gint64 t0_ns, gint64 t1_ns)
{
  g_return_if_fail (OV_IS_LANE_CHART (self));

  if (t1_ns <= t0_ns)
    t0_ns = t1_ns = 0;
  if (self->t0 == t0_ns && self->t1 == t1_ns)
    return;
  /* An axis that counts from its end stays as it is while the end moves on. */
  if (!self->relative || t1_ns - t0_ns != self->t1 - self->t0)
    self->back_serial++;
  self->t0 = t0_ns;
  self->t1 = t1_ns;
  changed (self);
}

gboolean
ov_lane_chart_get_extent (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns)
{
  gboolean any = FALSE;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && t0_ns != NULL && t1_ns != NULL, FALSE);

  if (self->extent_t1 >= self->extent_t0)
    {
      *t0_ns = self->extent_t0;
      *t1_ns = self->extent_t1;
      return TRUE;
    }
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
  if (any)
    {
      self->extent_t0 = *t0_ns;
      self->extent_t1 = *t1_ns;
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

/* Shows that part, moved and shortened so that it lies within what there is. */
static void
show_within (OvLaneChart *self, gint64 t0, gint64 length)
{
  gint64 first, last;

  if (!ov_lane_chart_get_extent (self, &first, &last))
    return;
  if (length >= last - first)
    {
      ov_lane_chart_set_range (self, 0, 0);
      return;
    }
  t0 = CLAMP (t0, first, last - length);
  ov_lane_chart_set_range (self, t0, t0 + length);
}

void
ov_lane_chart_zoom (OvLaneChart *self, double factor, gint64 at_ns)
{
  gint64 t0 = 0, t1 = 0;
  double length;
  double part;

  g_return_if_fail (OV_IS_LANE_CHART (self) && factor > 0);

  ov_lane_chart_get_range (self, &t0, &t1);
  at_ns = CLAMP (at_ns, t0, t1);
  part = (double)(at_ns - t0) / (double)(t1 - t0);
  length = MAX ((double)(t1 - t0) / factor, SHORTEST_NS);
  show_within (self, at_ns - (gint64)(part * MIN (length, 1e18)), (gint64)MIN (length, 1e18));
}

gboolean
ov_lane_chart_pan (OvLaneChart *self, double share)
{
  gint64 t0 = 0, t1 = 0;
  gint64 before;

  g_return_val_if_fail (OV_IS_LANE_CHART (self), FALSE);

  if (!ov_lane_chart_is_zoomed (self))
    return FALSE;
  ov_lane_chart_get_range (self, &t0, &t1);
  before = t0;
  show_within (self, t0 + (gint64)(share * (double)(t1 - t0)), t1 - t0);
  ov_lane_chart_get_range (self, &t0, &t1);
  return t0 != before;
}

gboolean
ov_lane_chart_is_zoomed (OvLaneChart *self)
{
  g_return_val_if_fail (OV_IS_LANE_CHART (self), FALSE);

  return self->t1 > self->t0;
}

guint64
ov_lane_chart_count (OvLaneChart *self, guint columns, guint *most)
{
  guint64 n = 0;
  guint top = 0;
  gint64 t0 = 0, t1 = 0;

  g_return_val_if_fail (OV_IS_LANE_CHART (self) && columns > 0, 0);

  ov_lane_chart_get_range (self, &t0, &t1);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const OvLane *lane = ov_lane_chart_lane (self, i);
      double scale = (double)columns / (double)(t1 - t0);
      gint64 column = -1;
      guint here = 0;

      for (guint k = ov_lane_first_block (lane, t0); k < lane->blocks->len; k++)
        {
          const OvLaneBlock *b = &g_array_index (lane->blocks, OvLaneBlock, k);
          gint64 c;

          if (b->t0 > t1)
            break;
          if (!b->first || b->t1 < t0)
            continue;
          n++;
          c = (gint64)((double)(b->t0 - t0) * scale);
          here = c == column ? here + 1 : 1;
          column = c;
          top = MAX (top, here);
        }
    }
  if (most != NULL)
    *most = top;
  return n;
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
  *height = 90 + 26 * CLAMP (OV_LANE_CHART (drawable)->lanes->len, 1, 40);
}

static guint
get_back_serial (OvDrawable *drawable)
{
  return OV_LANE_CHART (drawable)->back_serial;
}

static void
draw_back (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_lane_chart_draw_back (OV_LANE_CHART (drawable), cr, width, height, theme);
}

static void
draw_front (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme,
            cairo_surface_t *pixels, double scale)
{
  ov_lane_chart_draw_front (OV_LANE_CHART (drawable), cr, width, height, theme, pixels, scale);
}

static void
ov_lane_chart_drawable_init (OvDrawableInterface *iface)
{
  iface->draw = draw;
  iface->describe = describe;
  iface->get_table = get_table;
  iface->get_title = get_title;
  iface->get_natural_size = get_natural_size;
  iface->get_back_serial = get_back_serial;
  iface->draw_back = draw_back;
  iface->draw_front = draw_front;
}
