// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What surrounds the samples of an OvTimeChart: the background, which stays as long as the layout
 * does (titles, keys, grid, ticks), and the overlay, which goes with the samples (names of runs,
 * bracket, cursor).
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-paint.h"
#include "chart/ov-time-chart-private.h"

#define KEY_GAP   14 /* between two keys */
#define KEY_INNER 5  /* between a key and its name */

/* Where the keys of a panel go: right-aligned in the row of its title. */
typedef struct
{
  double left; /* what stands left of them ends here */
  double right;
  double baseline;
} KeyRow;

static KeyRow
key_row (const OvTimeLayout *l, const OvPanelLayout *pl)
{
  KeyRow row = { pl->subtitle_x, l->width - l->pad, pl->title_y + l->theme->title_size };

  if (pl->title != NULL)
    row.baseline = pl->title_y + ov_text_get_baseline (pl->title);
  if (pl->subtitle != NULL)
    {
      double w;

      ov_text_get_size (pl->subtitle, &w, NULL);
      row.left += w;
    }
  return row;
}

/* A box for an area, a longer piece for a line, so that its dash is seen. */
static double
key_box (const OvTheme *theme, gboolean line)
{
  return line ? 2 * theme->label_size : theme->label_size;
}

static double
key_width (const OvTheme *theme, const char *label, gboolean line)
{
  g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, label, 0);
  double w;

  ov_text_get_size (text, &w, NULL);
  return w + key_box (theme, line) + KEY_INNER + KEY_GAP;
}

/* Draws a key at the right end of the row and shortens the row by it. */
static void
draw_key (cairo_t *cr, const OvTheme *theme, KeyRow *row, const char *label,
          const OvSeriesStyle *style, gboolean line)
{
  g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, label, 0);
  double top = row->baseline - ov_text_get_baseline (text);
  double box = key_box (theme, line);
  double w;
  double h;
  double left;

  ov_text_get_size (text, &w, &h);
  ov_text_show (cr, text, &theme->dim_text, row->right - w, top, 0, 0);
  left = row->right - w - KEY_INNER - box;
  if (line)
    {
      ov_paint_set_color (cr, &style->line);
      ov_paint_set_dash (cr, style);
      cairo_set_line_width (cr, theme->line_width);
      cairo_move_to (cr, left, top + h / 2);
      cairo_line_to (cr, left + box, top + h / 2);
      cairo_stroke (cr);
    }
  else
    ov_paint_bar_key (cr, theme, style, left, top, box, h);
  row->right -= w + box + KEY_INNER + KEY_GAP;
}

static gboolean
has_key (const OvTrace *trace)
{
  return trace->kind != OV_TRACE_BY_SPAN && trace->label[0] != '\0';
}

double
ov_time_chart_keys_width (OvTimeChart *self, guint panel, const OvTheme *theme)
{
  GPtrArray *traces = ov_time_chart_panel (self, panel)->traces;
  double sum = 0;

  for (guint i = 0; traces->len > 1 && i < traces->len; i++)
    {
      const OvTrace *t = g_ptr_array_index (traces, i);

      if (has_key (t))
        sum += key_width (theme, t->label, t->kind == OV_TRACE_LINE);
    }
  return sum;
}

double
ov_time_chart_span_keys_width (OvTimeChart *self, const OvTheme *theme)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  double sum = 0;

  /* Labels are interned: the same name is the same pointer. */
  for (guint i = 0; i < self->spans->len; i++)
    if (g_hash_table_add (seen, ov_time_chart_span (self, i)->label))
      sum += key_width (theme, ov_time_chart_span (self, i)->label, FALSE);
  return sum;
}

/* All of them, or none. */
static void
draw_keys (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l, guint panel)
{
  GPtrArray *traces = ov_time_chart_panel (self, panel)->traces;
  KeyRow row = key_row (l, &g_array_index (l->panels, OvPanelLayout, panel));
  double needed = ov_time_chart_keys_width (self, panel, l->theme);

  if (needed == 0 || row.left + needed - 2 > row.right)
    return;
  for (guint i = traces->len; i-- > 0;)
    {
      const OvTrace *t = g_ptr_array_index (traces, i);
      OvSeriesStyle style;

      if (!has_key (t))
        continue;
      ov_theme_get_style (l->theme, ov_time_chart_trace_style (self, panel, i), &style);
      if (t->kind == OV_TRACE_STACKED)
        style.line = ov_time_chart_stack_color (l->theme, &style);
      draw_key (cr, l->theme, &row, t->label, &style, t->kind == OV_TRACE_LINE);
    }
}

static void
draw_panel_background (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l, guint panel)
{
  const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, panel);
  const OvTheme *theme = l->theme;

  cairo_set_line_width (cr, 1);
  ov_paint_set_dash (cr, NULL);
  for (guint i = 0; i < pl->y->n_ticks; i++)
    {
      const OvTick *tick = &pl->y->ticks[i];
      double y = ov_time_layout_map_y (pl, tick->value);
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, tick->label, 0);

      ov_paint_hline (cr, pl->plot.x, pl->plot.x + pl->plot.w, y);
      ov_paint_set_color (cr, tick->value == 0 ? &theme->axis : &theme->grid);
      cairo_stroke (cr);
      ov_text_show (cr, text, &theme->dim_text, pl->plot.x - 7, floor (y) + 0.5, 1, 0.5);
    }
  if (pl->y->empty)
    {
      ov_paint_hline (cr, pl->plot.x, pl->plot.x + pl->plot.w, pl->plot.y + pl->plot.h);
      ov_paint_set_color (cr, &theme->axis);
      cairo_stroke (cr);
    }
  if (pl->plot.y - pl->title_y < 10)
    return;
  if (pl->title != NULL)
    ov_text_show (cr, pl->title, &theme->text, l->pad, pl->title_y, 0, 0);
  if (pl->subtitle != NULL)
    {
      double y = pl->title_y;

      if (pl->title != NULL)
        y += ov_text_get_baseline (pl->title) - ov_text_get_baseline (pl->subtitle);
      ov_text_show (cr, pl->subtitle, &theme->dim_text, pl->subtitle_x, y, 0, 0);
    }
  draw_keys (self, cr, l, panel);
}

void
ov_time_chart_draw_background (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l)
{
  const OvTheme *theme = l->theme;
  double base = l->plots.y + l->plots.h;

  ov_paint_set_color (cr, &theme->background);
  cairo_paint (cr);
  if (l->title != NULL)
    ov_text_show (cr, l->title, &theme->text, l->pad, l->pad * 0.75, 0, 0);
  if (l->note != NULL)
    ov_text_show (cr, l->note, &theme->dim_text, l->pad, l->height - l->pad * 0.75, 0, 1);
  for (guint i = 0; i < l->panels->len; i++)
    if (g_array_index (l->panels, OvPanelLayout, i).y != NULL)
      draw_panel_background (self, cr, l, i);
  for (guint i = 0; i < l->x->n_ticks; i++)
    {
      double x = l->plots.x + l->x->ticks[i].pos * l->plots.w;
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, l->x->ticks[i].label, 0);
      double w;

      ov_paint_vline (cr, MIN (x, l->plots.x + l->plots.w - 1), base, base + 4);
      ov_paint_set_color (cr, &theme->axis);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
      ov_text_get_size (text, &w, NULL);
      x = CLAMP (x - w / 2, 2, MAX (2, l->width - 2 - w));
      ov_text_show (cr, text, &theme->dim_text, x, base + 6, 0, 0);
    }
}

/* Largest value within a run, for the place of its name. */
static double
span_top (OvTimeChart *self, guint panel, const OvSpan *span, GArray *scratch,
          const OvTimeLayout *l)
{
  GPtrArray *traces = ov_time_chart_panel (self, panel)->traces;
  gint64 end = ov_time_chart_span_end (self, span);
  double top = ov_time_chart_span_mean (span, panel);

  for (guint i = 0; i < traces->len; i++)
    {
      const OvTrace *trace = g_ptr_array_index (traces, i);

      if (trace->kind != OV_TRACE_BY_SPAN)
        continue;
      ov_samples_query (trace->samples, span->t0, end, (l->t1 - l->t0) / 256, scratch);
      for (guint k = 0; k < scratch->len; k++)
        {
          const OvBucket *b = &g_array_index (scratch, OvBucket, k);

          if (b->t1 >= span->t0 && b->t0 <= end && !(top >= b->max))
            top = b->max;
        }
    }
  return top;
}

typedef struct
{
  OvBox box;
  const OvSpan *span;
} SpanName;

/* Lifts the box over the names that are there already. FALSE where there is no room. */
static gboolean
find_name_place (const GArray *placed, OvBox *box, double highest)
{
  for (guint lift = 0; lift < 3; lift++)
    {
      gboolean is_free = TRUE;

      for (guint i = 0; i < placed->len && is_free; i++)
        {
          const OvBox *o = &g_array_index (placed, SpanName, i).box;

          is_free = box->x >= o->x + o->w + 4 || o->x >= box->x + box->w + 4
                    || box->y >= o->y + o->h - 3 || o->y >= box->y + box->h - 3;
          if (!is_free && lift < 2)
            box->y = MIN (box->y, o->y - box->h + 3);
        }
      if (is_free)
        return box->y >= highest;
    }
  return FALSE;
}

/* Puts "and 6 more" at the right end of the row and shortens the row by it. */
static void
draw_more (cairo_t *cr, const OvTheme *theme, KeyRow *row, guint n)
{
  g_autofree char *more
      = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", n), n);
  g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, more, 0);
  double w;

  ov_text_get_size (text, &w, NULL);
  if (row->left + w + KEY_GAP > row->right)
    return;
  ov_text_show (cr, text, &theme->dim_text, row->right - w,
                row->baseline - ov_text_get_baseline (text), 0, 0);
  row->right -= w + KEY_GAP;
}

/* Number of the last spans whose keys fit into the row beside a text of `reserved`. */
static guint
count_fitting (const OvTheme *theme, const KeyRow *row, GPtrArray *spans, double reserved)
{
  double room = row->right - row->left - reserved;

  for (guint i = spans->len; i-- > 0;)
    {
      room -= key_width (theme, ((const OvSpan *)g_ptr_array_index (spans, i))->label, FALSE);
      if (room < 0)
        return spans->len - 1 - i;
    }
  return spans->len;
}

/* Keys for the names that have no place above their runs; where not all have room, how many are
 * left out is said. */
static void
draw_span_keys (cairo_t *cr, const OvTimeLayout *l, guint panel, GPtrArray *spans)
{
  const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, panel);
  KeyRow row = key_row (l, pl);
  guint n;

  if (pl->plot.y - pl->title_y < 10)
    return;
  n = count_fitting (l->theme, &row, spans, 0);
  if (n < spans->len)
    {
      n = count_fitting (l->theme, &row, spans, 6 * l->theme->label_size + KEY_GAP);
      draw_more (cr, l->theme, &row, spans->len - n);
    }
  for (guint i = spans->len; i-- > spans->len - n;)
    {
      const OvSpan *span = g_ptr_array_index (spans, i);
      OvSeriesStyle style;

      ov_theme_get_style (l->theme, (guint)span->style, &style);
      draw_key (cr, l->theme, &row, span->label, &style, FALSE);
    }
}

/* One span for each name among `spans` that is not among `placed`. */
static void
drop_placed (GPtrArray *spans, const GArray *placed)
{
  for (guint i = spans->len; i-- > 0;)
    for (guint k = 0; k < placed->len; k++)
      if (g_array_index (placed, SpanName, k).span->label
          == ((const OvSpan *)g_ptr_array_index (spans, i))->label)
        {
          g_ptr_array_remove_index (spans, i);
          break;
        }
}

static void
note_name (GPtrArray *spans, const OvSpan *span)
{
  /* Labels are interned: the same name is the same pointer. */
  for (guint i = 0; i < spans->len; i++)
    if (((const OvSpan *)g_ptr_array_index (spans, i))->label == span->label)
      return;
  if (spans->len < 24)
    g_ptr_array_insert (spans, 0, (gpointer)span);
}

/* Names above the runs, the newest first, as far as there is room. */
static void
draw_span_names (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l, guint panel)
{
  const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, panel);
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (OvBucket));
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (SpanName));
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  for (guint i = self->spans->len; i-- > 0;)
    {
      const OvSpan *span = ov_time_chart_span (self, i);
      gint64 end = ov_time_chart_span_end (self, span);
      g_autoptr (PangoLayout) text = NULL;
      double x0 = MAX (l->plots.x, ov_time_layout_map_x (l, span->t0));
      double x1 = MIN (l->plots.x + l->plots.w, ov_time_layout_map_x (l, end));
      SpanName name = { { 0 }, span };
      OvSeriesStyle style;
      double top;

      if (end < l->t0)
        break;
      if (span->t0 > l->t1 || span->label[0] == '\0')
        continue;
      note_name (missing, span);
      /* Far too narrow for any name: not worth shaping it. */
      if (x1 - x0 < 6 && span->t1 >= 0)
        continue;
      text = ov_text_line (l->theme, OV_TEXT_LABEL | OV_TEXT_BOLD, span->label, 0);
      ov_text_get_size (text, &name.box.w, &name.box.h);
      name.box.x = CLAMP ((x0 + x1 - name.box.w) / 2, 2, MAX (2, l->width - 2 - name.box.w));
      if (name.box.w > x1 - x0 + 16)
        continue;
      top = span_top (self, panel, span, scratch, l);
      if (isnan (top))
        continue;
      name.box.y
          = MAX (ov_time_layout_map_y (pl, top) - name.box.h - 1, pl->plot.y - name.box.h / 2);
      if (!find_name_place (placed, &name.box, pl->plot.y - name.box.h * 0.7))
        continue;
      ov_theme_get_style (l->theme, (guint)span->style, &style);
      ov_text_show (cr, text, &style.text, name.box.x, name.box.y, 0, 0);
      g_array_append_val (placed, name);
    }
  drop_placed (missing, placed);
  draw_span_keys (cr, l, panel, missing);
}

static void
draw_bracket (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l)
{
  double x0 = ov_time_layout_map_x (l, self->bracket_t0);
  double x1 = ov_time_layout_map_x (l, self->bracket_t1);
  double y = l->plots.y + l->plots.h + 1.5;

  if (self->bracket_t1 <= self->bracket_t0 || x1 < l->plots.x || x0 > l->plots.x + l->plots.w)
    return;
  if (x1 - x0 < 3)
    {
      x0 = (x0 + x1) / 2 - 1.5;
      x1 = x0 + 3;
    }
  x0 = MAX (x0, l->plots.x);
  x1 = MIN (x1, l->plots.x + l->plots.w);
  ov_paint_set_dash (cr, NULL);
  ov_paint_set_color (cr, &l->theme->accent);
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, x0, y + 5);
  cairo_line_to (cr, x0, y);
  cairo_line_to (cr, x1, y);
  cairo_line_to (cr, x1, y + 5);
  cairo_stroke (cr);
}

/* The figures of one panel at the cursor, in a box beside it. */
static void
draw_cursor_values (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l, guint panel, double x)
{
  const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, panel);
  OvPanel *p = ov_time_chart_panel (self, panel);
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (PangoLayout) text = NULL;
  double w, h, left, top;

  for (guint i = 0; i < p->traces->len; i++)
    {
      const OvTrace *trace = g_ptr_array_index (p->traces, i);
      double value = ov_samples_value_at (trace->own, self->cursor);
      g_autofree char *figure = NULL;

      if (isnan (value))
        continue;
      figure = ov_axis_format (p->axis, value);
      if (p->traces->len > 1 && trace->label[0] != '\0')
        g_string_append_printf (all, "%s%s %s", all->len > 0 ? ", " : "", trace->label, figure);
      else
        g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", figure);
    }
  if (all->len == 0)
    return;
  text = ov_text_line (l->theme, OV_TEXT_SMALL, all->str, l->plots.w * 0.8);
  ov_text_get_size (text, &w, &h);
  left = x + 8 + w + 4 > l->plots.x + l->plots.w ? x - 8 - w : x + 8;
  left = MAX (left, 6);
  /* At the foot: names of runs stand at the top. */
  top = MAX (pl->plot.y, pl->plot.y + pl->plot.h - h - 6);
  cairo_rectangle (cr, left - 4, top, w + 8, h + 2);
  ov_paint_set_color_alpha (cr, &l->theme->background, 0.92);
  cairo_fill (cr);
  ov_text_show (cr, text, &l->theme->text, left, top + 1, 0, 0);
}

static void
draw_cursor (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l)
{
  double x = ov_time_layout_map_x (l, self->cursor);
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  g_autofree char *time = NULL;
  g_autoptr (PangoLayout) text = NULL;
  double base = l->plots.y + l->plots.h;
  double w, h, left;

  if (self->cursor < l->t0 || self->cursor > l->t1 || l->panels->len == 0)
    return;
  ov_paint_set_dash (cr, NULL);
  cairo_set_line_width (cr, 1);
  ov_paint_set_color (cr, &l->theme->text);
  for (guint i = 0; i < l->panels->len; i++)
    if (g_array_index (l->panels, OvPanelLayout, i).y != NULL)
      {
        ov_paint_vline (cr, x, g_array_index (l->panels, OvPanelLayout, i).plot.y, base + 4);
        cairo_stroke (cr);
        break;
      }
  for (guint i = 0; i < l->panels->len; i++)
    if (g_array_index (l->panels, OvPanelLayout, i).y != NULL)
      draw_cursor_values (self, cr, l, i, x);
  time = ov_axis_format (axis, (double)self->cursor);
  text = ov_text_line (l->theme, OV_TEXT_LABEL | OV_TEXT_BOLD, time, 0);
  ov_text_get_size (text, &w, &h);
  left = CLAMP (x - w / 2, 6, MAX (6, l->width - w - 6));
  cairo_rectangle (cr, left - 5, base + 5, w + 10, h + 2);
  ov_paint_set_color (cr, &l->theme->text);
  cairo_fill (cr);
  ov_text_show (cr, text, &l->theme->background, left, base + 6, 0, 0);
}

void
ov_time_chart_draw_overlay (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *l)
{
  for (guint i = 0; i < l->panels->len; i++)
    if (g_array_index (l->panels, OvPanelLayout, i).y != NULL
        && ov_time_chart_panel_by_span (self, i))
      draw_span_names (self, cr, l, i);
  draw_bracket (self, cr, l);
  for (guint i = 0; self->now == 0 && self->spans->len == 0 && i < l->panels->len; i++)
    {
      const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, i);
      g_autoptr (PangoLayout) text = NULL;

      if (pl->y == NULL)
        continue;
      text = ov_text_line (l->theme, OV_TEXT_LABEL, _ ("No figures yet"), l->width);
      ov_text_show (cr, text, &l->theme->dim_text, pl->plot.x + pl->plot.w / 2,
                    pl->plot.y + pl->plot.h / 2, 0.5, 0.5);
      break;
    }
  if (self->cursor >= 0)
    draw_cursor (self, cr, l);
}
