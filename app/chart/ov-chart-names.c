// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where the names of the series go.
 *
 * At the ends of the lines they are spread so that none overlaps (ov-spread.h). In the plot a name
 * stands beside its own line, where it touches no line, no marker and no other name. The legend
 * takes at most a third of the height and says how many names it had no room for.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-chart-layout.h"
#include "chart/ov-spread.h"

#define END_GAP      3  /* between the frame, which ends a little behind the lines, and the names */
#define NAME_GAP     10 /* between two names in the plot */
#define LEGEND_GAP   18 /* between two entries */
#define LEGEND_INNER 6  /* between key and name */

typedef enum
{
  PLACE_COLUMN,
  PLACE_PLOT,
  PLACE_LEGEND,
} Place;

static Place
place_of (const OvChartSeries *series, OvNamePlaces places)
{
  if (!ov_chart_series_is_line (series))
    return PLACE_LEGEND;
  /* A mark has no end at the right. */
  if (series->own_scale == OV_CHART_MARKS)
    return places == OV_NAMES_LEGEND ? PLACE_LEGEND : PLACE_PLOT;
  if (series->kind == OV_CHART_REFERENCE)
    return places == OV_NAMES_COLUMN || places == OV_NAMES_WRAPPED ? PLACE_COLUMN
           : places == OV_NAMES_LEGEND                             ? PLACE_LEGEND
                                                                   : PLACE_PLOT;
  return places <= OV_NAMES_MIXED_SHORT ? PLACE_COLUMN : PLACE_LEGEND;
}

static OvTextStyle
name_style (const OvChartSeries *series)
{
  return OV_TEXT_LABEL | (series->kind == OV_CHART_REFERENCE ? OV_TEXT_ITALIC : OV_TEXT_BOLD);
}

static OvChartName
make_name (OvChart *self, OvChartLayout *l, guint series, gboolean bold, double max_width,
           int max_lines)
{
  OvChartName name = { series };
  OvChartSeries *s = ov_chart_series (self, series);
  OvTextStyle style = name_style (s);
  g_autofree char *label = ov_chart_series_full_label (self, series, l, max_lines > 1);

  if (!bold)
    style &= ~OV_TEXT_BOLD;
  name.text = ov_text_block (l->theme, style, label, max_width, max_lines, PANGO_ALIGN_LEFT);
  /* What tells lines of one family from each other stands at the end of their names, as does where
   * a scale of its own ends. */
  if (max_lines == 1 && pango_layout_is_ellipsized (name.text))
    pango_layout_set_ellipsize (name.text, PANGO_ELLIPSIZE_MIDDLE);
  ov_text_get_size (name.text, &name.w, &name.h);
  return name;
}

/* Ends the legend with "and 5 more" in place of the entries from `first` on. */
static void
end_legend (OvChartLayout *l, guint n_left, double x, double y, double row_h)
{
  double room = l->width - l->pad;

  for (;;)
    {
      g_autofree char *text = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", n_left), n_left);
      double w;

      g_clear_object (&l->more);
      l->more = ov_text_line (l->theme, OV_TEXT_LABEL, text, room - l->pad);
      ov_text_get_size (l->more, &w, NULL);
      if (x + w <= room || l->legend->len == 0
          || g_array_index (l->legend, OvChartName, l->legend->len - 1).y < y)
        break;
      x = g_array_index (l->legend, OvChartName, l->legend->len - 1).x;
      g_array_set_size (l->legend, l->legend->len - 1);
      n_left++;
    }
  l->more_x = x;
  l->more_y = y;
}

static gboolean
is_in_legend (const OvChartSeries *series, OvNamePlaces places)
{
  return series->visible && !series->pale && place_of (series, places) == PLACE_LEGEND
         && series->label[0] != '\0';
}

double
ov_chart_layout_legend (OvChart *self, OvChartLayout *l, OvNamePlaces places, double top,
                        gboolean one_row)
{
  double row_h = ov_text_get_line_height (l->theme, OV_TEXT_LABEL) + 3;
  double limit = top + (one_row ? row_h : MAX (row_h, l->height * 0.3));
  double x = l->pad;
  double y = top;
  guint n = 0;
  guint done = 0;
  const OvChartSeries *only = NULL;

  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);

      n += is_in_legend (s, places);
      only = s->visible && !s->pale ? s : only;
    }
  /* Bars of one kind, which the title names already. */
  if (l->width - 2 * l->pad < 80)
    return top;
  if (n == 1 && !ov_chart_series_is_line (only) && strcmp (only->label, self->title) == 0)
    return top;
  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);
      double key = ov_chart_series_is_line (s) ? l->key_width : l->theme->label_size;
      OvChartName name;

      if (!is_in_legend (s, places))
        continue;
      name = make_name (self, l, i, FALSE, l->width - 2 * l->pad - key - LEGEND_INNER, 1);
      name.w += key + LEGEND_INNER;
      if (x > l->pad && x + name.w > l->width - l->pad)
        {
          if (y + 2 * row_h > limit + 1)
            {
              g_object_unref (name.text);
              end_legend (l, n - done, x, y, row_h);
              break;
            }
          x = l->pad;
          y += row_h;
        }
      name.x = x;
      name.y = y;
      name.h = row_h;
      g_array_append_val (l->legend, name);
      x += name.w + LEGEND_GAP;
      done++;
    }
  return n > 0 ? y + row_h + 4 : top;
}

gboolean
ov_chart_layout_column (OvChart *self, OvChartLayout *l, OvNamePlaces places, double *right)
{
  double widest = 0;
  double most = l->width * (places == OV_NAMES_COLUMN || places == OV_NAMES_MIXED ? 0.3 : 0.36);
  gboolean shorten = places == OV_NAMES_MIXED_SHORT;
  guint n_ends = 0;
  gboolean cut = FALSE;

  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);
      OvChartName name;

      if (!s->visible || s->label[0] == '\0' || place_of (s, places) == PLACE_LEGEND)
        continue;
      if (place_of (s, places) == PLACE_PLOT)
        {
          name = make_name (self, l, i, TRUE, 0, 1);
          g_array_append_val (l->names, name);
          continue;
        }
      name = make_name (self, l, i, TRUE, shorten ? l->width * 0.3 : 0, 1);
      if (places == OV_NAMES_WRAPPED && s->kind == OV_CHART_REFERENCE)
        {
          g_object_unref (name.text);
          name = make_name (self, l, i, TRUE, l->width * 0.26, 2);
          cut = cut || pango_layout_is_ellipsized (name.text);
        }
      g_array_append_val (l->names, name);
      widest = MAX (widest, name.w);
      n_ends++;
    }
  if (n_ends == 0)
    return TRUE;
  if (cut || widest > most || l->width - widest - END_GAP < 150 || (shorten && widest < 48))
    return FALSE;
  *right -= widest + END_GAP;
  return TRUE;
}

/* Last point that can be drawn. */
static gboolean
find_end (OvChart *self, const OvChartLayout *l, guint series, double *x, double *y)
{
  OvChartSeries *s = ov_chart_series (self, series);

  for (guint k = s->points->len; k > 0; k--)
    {
      ov_chart_layout_map (self, l, series, &g_array_index (s->points, OvChartPoint, k - 1), x, y);
      if (!isnan (*x) && !isnan (*y))
        return TRUE;
    }
  return FALSE;
}

/* Does the piece of line from (x0, y0) to (x1, y1) touch the box? (Clipping by Liang and Barsky.)
 */
static gboolean
segment_touches (double x0, double y0, double x1, double y1, const OvRect *box)
{
  double p[4] = { x0 - x1, x1 - x0, y0 - y1, y1 - y0 };
  double q[4] = { x0 - box->x, box->x + box->w - x0, y0 - box->y, box->y + box->h - y0 };
  double from = 0;
  double to = 1;

  for (guint i = 0; i < 4; i++)
    {
      if (p[i] == 0)
        {
          if (q[i] < 0)
            return FALSE;
        }
      else if (p[i] < 0)
        from = MAX (from, q[i] / p[i]);
      else
        to = MIN (to, q[i] / p[i]);
    }
  return from <= to;
}

static gboolean
rects_touch (const OvRect *a, const OvRect *b)
{
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static gboolean
series_touches (OvChart *self, const OvChartLayout *l, guint series, const OvRect *box)
{
  OvChartSeries *s = ov_chart_series (self, series);
  double last_x = NAN;
  double last_y = NAN;

  for (guint k = 0; k < s->points->len; k++)
    {
      const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
      double x;
      double y;
      double r = l->theme->marker_size / 2;
      OvRect mark;

      ov_chart_layout_map (self, l, series, p, &x, &y);
      mark = (OvRect){ x - r, y - r, 2 * r, 2 * r };
      if (!ov_chart_series_is_line (s) && !isnan (y))
        {
          OvChartPoint top = *p;
          double top_y;

          /* With its interval and the figure above that. */
          top.y = isnan (p->hi) ? p->y : MAX (p->hi, p->y);
          ov_chart_layout_map (self, l, series, &top, &x, &top_y);
          mark.x = ov_chart_layout_bar_left (self, l, series, p->x);
          mark.w = l->bar_width;
          mark.y = top_y - 1.5 * l->theme->label_size;
          mark.h = l->plot.y + l->plot.h - mark.y;
        }
      if (!isnan (y)
          && (rects_touch (&mark, box)
              || (!isnan (last_y) && segment_touches (last_x, last_y, x, y, box))))
        return TRUE;
      last_x = x;
      last_y = y;
    }
  return FALSE;
}

static gboolean
box_is_free (OvChart *self, const OvChartLayout *l, const OvRect *box, guint n_placed)
{
  if (box->x < l->plot.x + 2 || box->x + box->w > l->plot.x + l->plot.w - 2 || box->y < l->plot.y
      || box->y + box->h > l->plot.y + l->plot.h - 2)
    return FALSE;
  for (guint i = 0; i < self->series->len; i++)
    if (ov_chart_series (self, i)->visible && series_touches (self, l, i, box))
      return FALSE;
  for (guint i = 0; i < n_placed; i++)
    {
      const OvChartName *n = &g_array_index (l->names, OvChartName, i);
      OvRect other = { n->x - NAME_GAP, n->y - 2, n->w + 2 * NAME_GAP, n->h + 4 };

      if (ov_chart_series (self, n->series)->kind == OV_CHART_REFERENCE
          && rects_touch (&other, box))
        return FALSE;
    }
  return TRUE;
}

/* Tries boxes along the line, from its end to its beginning, left and right of it, near ones first.
 */
static gboolean
try_in_plot (OvChart *self, OvChartLayout *l, guint index)
{
  OvChartName *name = &g_array_index (l->names, OvChartName, index);
  OvChartSeries *s = ov_chart_series (self, name->series);

  for (double away = 3; away <= 40; away += 6)
    for (guint k = s->points->len; k-- > 0;)
      for (guint step = 0; step < 8; step++)
        {
          const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
          const OvChartPoint *before = k > 0 ? p - 1 : p;
          double x0, y0, x1, y1, x, y;
          OvRect box;

          ov_chart_layout_map (self, l, name->series, p, &x1, &y1);
          ov_chart_layout_map (self, l, name->series, before, &x0, &y0);
          if (isnan (y0) || isnan (y1))
            continue;
          x = x1 + (x0 - x1) * step / 8;
          y = y1 + (y0 - y1) * step / 8;
          for (guint side = 0; side < 4; side++)
            {
              box = (OvRect){ side % 2 == 0 ? x - name->w - away : x + away,
                              side < 2 ? y - name->h - away / 2 : y + away / 2, name->w, name->h };
              if (!box_is_free (self, l, &box, index))
                continue;
              name->x = box.x;
              name->y = box.y;
              name->end_x = x;
              name->end_y = y;
              return TRUE;
            }
        }
  return FALSE;
}

/* In one line, or else in two. */
static gboolean
place_in_plot (OvChart *self, OvChartLayout *l, guint index)
{
  OvChartName *name = &g_array_index (l->names, OvChartName, index);
  double end_x = name->end_x;
  double end_y = name->end_y;

  if (try_in_plot (self, l, index))
    return TRUE;
  g_object_unref (name->text);
  *name = make_name (self, l, name->series, TRUE, MIN (name->w * 0.62, l->plot.w * 0.6), 2);
  name->end_x = end_x;
  name->end_y = end_y;
  return !pango_layout_is_ellipsized (name->text) && try_in_plot (self, l, index);
}

gboolean
ov_chart_layout_names (OvChart *self, OvChartLayout *l, OvNamePlaces places)
{
  g_autofree OvSpreadItem *items = g_new0 (OvSpreadItem, MAX (1, l->names->len));
  g_autofree guint *which = g_new0 (guint, MAX (1, l->names->len));
  guint n = 0;

  for (guint i = l->names->len; i-- > 0;)
    {
      OvChartName *name = &g_array_index (l->names, OvChartName, i);

      /* A series without a figure has no end to be named at. */
      if (!find_end (self, l, name->series, &name->end_x, &name->end_y))
        g_array_remove_index (l->names, i);
    }
  for (guint i = 0; i < l->names->len; i++)
    {
      OvChartName *name = &g_array_index (l->names, OvChartName, i);

      if (place_of (ov_chart_series (self, name->series), places) != PLACE_COLUMN)
        {
          if (!place_in_plot (self, l, i))
            return FALSE;
          continue;
        }
      items[n] = (OvSpreadItem){ CLAMP (name->end_y, l->plot.y, l->plot.y + l->plot.h), name->h };
      which[n++] = i;
    }
  if (!ov_spread (items, n, MAX (0, l->plot.y - 8), MIN (l->height, l->plot.y + l->plot.h + 8)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      OvChartName *name = &g_array_index (l->names, OvChartName, which[i]);

      name->x = l->plot.x + l->plot.w + END_GAP;
      name->y = items[i].place - name->h / 2;
    }
  return TRUE;
}
