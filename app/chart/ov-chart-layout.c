// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where everything of an OvChart goes in a picture of one size.
 *
 * Names are tried at the ends of the lines first, then in a legend; what has no room is left out in
 * a fixed order (OvFrugal), so that the plot keeps at least a third of the height.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-chart-layout.h"
#include "chart/ov-number.h"

#define TURN_SIN        0.5736 /* names turned by 35 degrees */
#define TURN_COS        0.8192
#define TITLE_GAP       14 /* between title and subtitle */
#define SUBTITLE_LINES  3
#define GROUP_LINES     3 /* of the name of a group of categories */
#define OWN_SCALE_TICKS 5 /* whatever the height: its upper end is part of a name */
/* What is done without, one after the other, where the height is small. */
typedef enum
{
  FRUGAL_NOT,
  FRUGAL_NO_NOTE,
  FRUGAL_NO_X_TITLE,
  FRUGAL_ONE_LINE,  /* of the subtitle, cut off if it is longer */
  FRUGAL_UNIT_ONLY, /* of the subtitle; on the line of the title */
  FRUGAL_ONE_ROW,   /* of the legend */
  FRUGAL_NO_LEGEND,
  FRUGAL_NO_TITLE,
  FRUGAL_NO_X_LABELS,
} OvFrugal;

#define FRUGAL_LAST FRUGAL_NO_X_LABELS

#define MAX_WANTED_TICKS 16 /* more measured places than this get ticks at round numbers */

static void
name_clear (gpointer data)
{
  g_clear_object (&((OvChartName *)data)->text);
}

static void
group_clear (gpointer data)
{
  g_clear_object (&((OvChartGroup *)data)->text);
}

static void
own_scale_clear (gpointer data)
{
  g_clear_pointer (&((OvOwnScale *)data)->scale, ov_scale_free);
}

static void
unref_or_null (gpointer data)
{
  if (data != NULL)
    g_object_unref (data);
}

void
ov_chart_layout_free (OvChartLayout *l)
{
  g_clear_object (&l->title);
  g_clear_object (&l->subtitle);
  g_clear_object (&l->note);
  g_clear_object (&l->x_title);
  g_clear_object (&l->more);
  ov_scale_free (l->x);
  ov_scale_free (l->y);
  g_array_unref (l->own_scales);
  g_array_unref (l->groups);
  g_ptr_array_unref (l->x_texts);
  g_array_unref (l->names);
  g_array_unref (l->legend);
  g_free (l);
}

static OvChartLayout *
layout_new (double width, double height, const OvTheme *theme)
{
  OvChartLayout *l = g_new0 (OvChartLayout, 1);

  l->width = width;
  l->height = height;
  l->theme = theme;
  l->pad = MIN (width, height) < 260 ? 6 : 12;
  l->own_scales = g_array_new (FALSE, FALSE, sizeof (OvOwnScale));
  g_array_set_clear_func (l->own_scales, own_scale_clear);
  l->groups = g_array_new (FALSE, FALSE, sizeof (OvChartGroup));
  g_array_set_clear_func (l->groups, group_clear);
  l->x_texts = g_ptr_array_new_with_free_func (unref_or_null);
  l->names = g_array_new (FALSE, FALSE, sizeof (OvChartName));
  g_array_set_clear_func (l->names, name_clear);
  l->legend = g_array_new (FALSE, FALSE, sizeof (OvChartName));
  g_array_set_clear_func (l->legend, name_clear);
  l->key_width = 26 * MIN (theme->font_scale, 1.5);
  return l;
}

const OvScale *
ov_chart_layout_scale (const OvChartLayout *l, const OvChartSeries *series)
{
  for (guint i = 0; series->own_scale != 0 && i < l->own_scales->len; i++)
    if (g_array_index (l->own_scales, OvOwnScale, i).group == series->own_scale)
      return g_array_index (l->own_scales, OvOwnScale, i).scale;
  return l->y;
}

char *
ov_chart_series_full_label (OvChart *self, guint series, const OvChartLayout *l, gboolean two_lines)
{
  OvChartSeries *s = ov_chart_series (self, series);
  const OvScale *scale = l != NULL ? ov_chart_layout_scale (l, s) : NULL;
  g_autofree char *top = NULL;

  if (s->own_scale == 0 || s->own_scale == OV_CHART_MARKS)
    return g_strdup (s->label);
  if (scale == NULL || scale->empty)
    return g_strdup_printf (_ ("%s, own scale"), s->label);
  top = ov_axis_format (self->y_axis, scale->hi);
  if (two_lines)
    /* Translators: the same as "%s, own scale to %s", on two lines */
    return g_strdup_printf (_ ("%s,\nown scale to %s"), s->label, top);
  /* Translators: the name of a line, and the figure at the upper end of its own scale */
  return g_strdup_printf (_ ("%s, own scale to %s"), s->label, top);
}

static double
map_x (const OvChartLayout *l, double x)
{
  return l->plot.x + l->inset + ov_scale_map (l->x, x) * (l->plot.w - 2 * l->inset);
}

static double
map_y (const OvChartLayout *l, const OvScale *scale, double y)
{
  return l->plot.y + l->plot.h * (1 - ov_scale_map (scale, y));
}

/* What the series that share a column have in common. */
static guint
column_key (const OvChartSeries *s, guint index)
{
  if (s->column > 0)
    return s->column;
  return s->kind == OV_CHART_STACKED ? G_MAXUINT : G_MAXUINT / 2 + index;
}

guint
ov_chart_layout_find_column (OvChart *self, guint series)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);
      const guint key = column_key (s, i);
      guint at = 0;

      if (!s->visible || ov_chart_series_is_line (s))
        continue;
      while (at < keys->len && g_array_index (keys, guint, at) != key)
        at++;
      if (i == series)
        return at;
      if (at == keys->len)
        g_array_append_val (keys, key);
    }
  return keys->len;
}

double
ov_chart_layout_bar_left (OvChart *self, const OvChartLayout *l, guint series, double x)
{
  return map_x (l, x) - l->bar_width * l->n_columns / 2
         + ov_chart_layout_find_column (self, series) * l->bar_width;
}

void
ov_chart_layout_map (OvChart *self, const OvChartLayout *l, guint series, const OvChartPoint *point,
                     double *px, double *py)
{
  OvChartSeries *s = ov_chart_series (self, series);
  double y = point->y;

  *px = map_x (l, point->x);
  if (!ov_chart_series_is_line (s))
    *px = ov_chart_layout_bar_left (self, l, series, point->x) + l->bar_width / 2;
  if (s->kind == OV_CHART_STACKED)
    y += ov_chart_stack_below (self, series, point->x);
  *py = isnan (y) ? NAN : map_y (l, ov_chart_layout_scale (l, s), y);
}

/* "time, ms, median of 7": what the y axis counts, its unit, what is shown. */
static char *
subtitle_text (OvChart *self, const OvScale *y, gboolean unit_only)
{
  GString *text = g_string_new (NULL);
  const char *parts[] = { unit_only ? NULL : ov_axis_get_title (self->y_axis), y->unit,
                          unit_only ? NULL : self->subtitle };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (parts[i] == NULL || parts[i][0] == '\0')
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      /* Each part in a direction of its own (FIRST STRONG ISOLATE), or "ms" would turn Arabic. */
      g_string_append_printf (text, "\u2068%s\u2069", parts[i]);
    }
  return g_string_free (text, FALSE);
}

/* Returns the lower edge of title and subtitle. */
static double
layout_header (OvChart *self, OvChartLayout *l, OvFrugal frugal)
{
  double room = l->width - 2 * l->pad;
  double top = l->pad * 0.75;
  double title_w = 0;
  double title_h = 0;
  double w = 0;
  double h = 0;
  g_autofree char *sub = subtitle_text (self, l->y, frugal >= FRUGAL_UNIT_ONLY);

  g_clear_object (&l->title);
  g_clear_object (&l->subtitle);
  if (frugal >= FRUGAL_NO_TITLE)
    return top;
  if (sub[0] != '\0')
    {
      l->subtitle = ov_text_line (l->theme, OV_TEXT_LABEL, sub, room);
      if (frugal < FRUGAL_ONE_LINE && pango_layout_is_ellipsized (l->subtitle))
        {
          g_object_unref (l->subtitle);
          l->subtitle = ov_text_block (l->theme, OV_TEXT_LABEL, sub, room, SUBTITLE_LINES,
                                       PANGO_ALIGN_LEFT);
        }
      ov_text_get_size (l->subtitle, &w, &h);
    }
  if (self->title[0] != '\0')
    {
      double title_room = frugal >= FRUGAL_UNIT_ONLY && w > 0 ? room - w - TITLE_GAP : room;

      l->title = ov_text_line (l->theme, OV_TEXT_TITLE, self->title, MAX (20, title_room));
      ov_text_get_size (l->title, &title_w, &title_h);
    }
  l->subtitle_x = l->pad;
  l->subtitle_y = top + title_h;
  if (l->title != NULL && l->subtitle != NULL && title_w + TITLE_GAP + w <= room + 0.5)
    {
      l->subtitle_x = l->pad + title_w + TITLE_GAP;
      l->subtitle_y = top + ov_text_get_baseline (l->title) - ov_text_get_baseline (l->subtitle);
      return top + title_h + 8;
    }
  return top + title_h + h + (title_h + h > 0 ? 8 : 0);
}

/* Returns the upper edge of what stands below the tick labels. */
static double
layout_footer (OvChart *self, OvChartLayout *l, OvFrugal frugal)
{
  double bottom = l->height - l->pad * 0.75;
  double h;
  const char *title = ov_axis_get_title (self->x_axis);

  g_clear_object (&l->note);
  g_clear_object (&l->x_title);
  if (self->note[0] != '\0' && frugal < FRUGAL_NO_NOTE)
    {
      l->note = ov_text_block (l->theme, OV_TEXT_SMALL, self->note, l->width - 2 * l->pad,
                               l->height < 300 ? 1 : 8, PANGO_ALIGN_LEFT);
      ov_text_get_size (l->note, NULL, &h);
      bottom -= h + 6;
    }
  if (title != NULL && frugal < FRUGAL_NO_X_TITLE)
    {
      g_autofree char *text = NULL;

      if (l->x->unit[0] != '\0' && !l->x->empty)
        /* Translators: the title of an axis and its unit, such as "rate (kHz)" */
        text = g_strdup_printf (_ ("%s (%s)"), title, l->x->unit);
      l->x_title = ov_text_line (l->theme, OV_TEXT_LABEL, text != NULL ? text : title,
                                 l->width - 2 * l->pad);
      ov_text_get_size (l->x_title, NULL, &h);
      bottom -= h + 2;
    }
  return bottom;
}

static void
layout_own_scales (OvChart *self, OvChartLayout *l)
{
  g_array_set_size (l->own_scales, 0);
  for (guint i = 0; i < self->series->len; i++)
    {
      OvChartSeries *s = ov_chart_series (self, i);
      OvOwnScale own = { s->own_scale, NULL };
      g_autoptr (OvAxis) axis = NULL;
      double lo;
      double hi;

      if (!s->visible || s->own_scale == 0 || ov_chart_layout_scale (l, s) != l->y)
        continue;
      ov_chart_get_y_range (self, s->own_scale, &lo, &hi);
      axis = ov_axis_copy (self->y_axis);
      ov_axis_set_range (axis, NAN, NAN);
      own.scale = ov_scale_new (axis, lo, hi, OWN_SCALE_TICKS, OV_SCALE_ROUND, NULL, 0);
      g_array_append_val (l->own_scales, own);
    }
}

static void
layout_y (OvChart *self, OvChartLayout *l, double plot_h)
{
  double line = ov_text_get_line_height (l->theme, OV_TEXT_LABEL);
  guint max_ticks = (guint)CLAMP (plot_h / (line * 2.6), 2, 8);
  double lo;
  double hi;

  ov_scale_free (l->y);
  ov_chart_get_y_range (self, 0, &lo, &hi);
  l->y = ov_scale_new (self->y_axis, lo, hi, max_ticks, OV_SCALE_ROUND, NULL, 0);
  layout_own_scales (self, l);
}

static double
y_label_width (const OvChartLayout *l)
{
  double widest = 0;

  for (guint i = 0; i < l->y->n_ticks; i++)
    {
      g_autoptr (PangoLayout) text
          = ov_text_line (l->theme, OV_TEXT_LABEL, l->y->ticks[i].label, 0);
      double w;

      ov_text_get_size (text, &w, NULL);
      widest = MAX (widest, w);
    }
  return widest;
}

/* Where the label of a tick begins when it is centred but held inside of the picture. */
static double
flat_label_left (const OvChartLayout *l, const OvTick *tick, double w)
{
  double centre = l->plot.x + l->inset + tick->pos * (l->plot.w - 2 * l->inset);

  return MAX (2, MIN (centre - w / 2, l->width - 2 - w));
}

/* Makes the texts of flat labels; FALSE if two of them come too near to each other. */
static gboolean
flat_labels_fit (OvChartLayout *l)
{
  double free_from = -1e9;
  gboolean fit = TRUE;

  g_ptr_array_set_size (l->x_texts, 0);
  l->x_labels = OV_X_LABELS_FLAT;
  for (guint i = 0; i < l->x->n_ticks; i++)
    {
      PangoLayout *text = ov_text_line (l->theme, OV_TEXT_LABEL, l->x->ticks[i].label, 0);
      double w;
      double left;

      g_ptr_array_add (l->x_texts, text);
      ov_text_get_size (text, &w, NULL);
      left = flat_label_left (l, &l->x->ticks[i], w);
      fit = fit && left >= free_from;
      free_from = left + w + 8;
    }
  return fit;
}

/* For want of any other way: leaves out labels that would overlap. */
static void
drop_overlapping_labels (OvChartLayout *l)
{
  double free_from = -1e9;

  for (guint i = 0; i < l->x_texts->len; i++)
    {
      double w;
      double left;

      ov_text_get_size (g_ptr_array_index (l->x_texts, i), &w, NULL);
      left = flat_label_left (l, &l->x->ticks[i], w);
      if (left >= free_from)
        free_from = left + w + 8;
      else
        g_clear_object ((PangoLayout **)&g_ptr_array_index (l->x_texts, i));
    }
}

static void
layout_category_labels (OvChartLayout *l)
{
  double slot = l->plot.w / MAX (1, l->x->n_ticks);
  double line = ov_text_get_line_height (l->theme, OV_TEXT_LABEL);
  double longest = MAX (40, l->height * (l->height < 260 ? 0.2 : 0.28) / TURN_SIN);
  gboolean whole = TRUE;

  if (flat_labels_fit (l))
    return;
  l->x_labels = OV_X_LABELS_WRAPPED;
  g_ptr_array_set_size (l->x_texts, 0);
  for (guint i = 0; i < l->x->n_ticks; i++)
    {
      PangoLayout *text = ov_text_block (l->theme, OV_TEXT_LABEL, l->x->ticks[i].label, slot - 8, 2,
                                         PANGO_ALIGN_CENTER);

      g_ptr_array_add (l->x_texts, text);
      whole = whole && !pango_layout_is_ellipsized (text);
    }
  if (slot >= 90 || (slot >= 44 && whole))
    return;
  l->x_labels = OV_X_LABELS_TURNED;
  g_ptr_array_set_size (l->x_texts, 0);
  for (guint i = 0; i < l->x->n_ticks; i++)
    {
      double centre = l->plot.x + slot * (i + 0.5);
      double room = MIN (longest, (centre - 10 - line * 0.6 * TURN_SIN) / TURN_COS);

      g_ptr_array_add (l->x_texts, slot * TURN_SIN >= line * 0.9 || i % 2 == 0
                                       ? ov_text_line (l->theme, OV_TEXT_LABEL,
                                                       l->x->ticks[i].label, MAX (20, room))
                                       : NULL);
    }
}

static double
x_label_height (const OvChartLayout *l)
{
  double tallest = ov_text_get_line_height (l->theme, OV_TEXT_LABEL);

  for (guint i = 0; i < l->x_texts->len; i++)
    {
      double w;
      double h;

      if (g_ptr_array_index (l->x_texts, i) == NULL)
        continue;
      ov_text_get_size (g_ptr_array_index (l->x_texts, i), &w, &h);
      tallest = MAX (tallest, l->x_labels == OV_X_LABELS_TURNED ? w * TURN_SIN + h * TURN_COS : h);
    }
  return tallest + 5;
}

/* The names of the groups below the labels, each in the width of its group. */
static void
layout_groups (OvChart *self, OvChartLayout *l)
{
  const guint n = ov_axis_get_n_categories (self->x_axis);
  const double slot = l->plot.w / MAX (1, n);
  const char *before = NULL;

  g_array_set_size (l->groups, 0);
  l->group_h = 0;
  for (guint i = 0; i < n; i++)
    {
      const char *name = ov_axis_get_group (self->x_axis, i);

      if (name != NULL && g_strcmp0 (name, before) == 0)
        g_array_index (l->groups, OvChartGroup, l->groups->len - 1).n++;
      else if (name != NULL)
        {
          OvChartGroup group = { .first = i, .n = 1 };

          g_array_append_val (l->groups, group);
        }
      before = name;
    }
  for (guint i = 0; i < l->groups->len; i++)
    {
      OvChartGroup *group = &g_array_index (l->groups, OvChartGroup, i);
      double h;

      group->text = ov_text_block (
          l->theme, OV_TEXT_LABEL, ov_axis_get_group (self->x_axis, group->first),
          MAX (20, group->n * slot - 10), l->height < 300 ? 1 : GROUP_LINES, PANGO_ALIGN_CENTER);
      ov_text_get_size (group->text, NULL, &h);
      l->group_h = MAX (l->group_h, h + 7);
    }
}

/* The x axis for the width that is known by now: ticks at the measured places where their labels
 * fit, else at as many round numbers as do. */
static void
layout_x (OvChart *self, OvChartLayout *l)
{
  g_autoptr (GArray) at = ov_chart_dup_all_x (self);
  double lo;
  double hi;
  guint n;

  ov_chart_get_x_range (self, &lo, &hi);
  if (ov_axis_get_kind (self->x_axis) == OV_AXIS_CATEGORY)
    {
      n = (guint)CLAMP (l->plot.w / (ov_text_get_line_height (l->theme, OV_TEXT_LABEL) * 0.9), 2,
                        64);
      ov_scale_free (l->x);
      l->x = ov_scale_new (self->x_axis, lo, hi, n, 0, NULL, 0);
      layout_category_labels (l);
      return;
    }
  if (at->len <= MAX_WANTED_TICKS)
    {
      ov_scale_free (l->x);
      l->x = ov_scale_new (self->x_axis, lo, hi, MAX_WANTED_TICKS, 0, (double *)at->data, at->len);
      if (flat_labels_fit (l))
        return;
    }
  for (n = (guint)CLAMP (l->plot.w / 45, 2, 14); n >= 2; n--)
    {
      ov_scale_free (l->x);
      l->x = ov_scale_new (self->x_axis, lo, hi, n, 0, NULL, 0);
      if (flat_labels_fit (l))
        return;
    }
  drop_overlapping_labels (l);
}

/* Smallest distance between two neighbouring x as a part of the axis, 1 for a single one. */
static double
smallest_step (OvChart *self, const OvChartLayout *l)
{
  g_autoptr (GArray) at = ov_chart_dup_all_x (self);
  double step = 1;

  for (guint i = 1; i < at->len; i++)
    {
      double d = ov_scale_map (l->x, g_array_index (at, double, i))
                 - ov_scale_map (l->x, g_array_index (at, double, i - 1));

      if (d > 0 && d < step)
        step = d;
    }
  return step;
}

static void
layout_bars (OvChart *self, OvChartLayout *l)
{
  double slot;

  l->n_columns = ov_chart_layout_find_column (self, G_MAXUINT);
  if (l->x->kind == OV_AXIS_CATEGORY)
    {
      l->inset = 0;
      slot = l->plot.w / (l->x->hi - l->x->lo);
    }
  else if (l->n_columns > 0)
    {
      double step = smallest_step (self, l);

      l->inset = step * l->plot.w / (2 * (1 + step));
      slot = 2 * l->inset;
    }
  else
    {
      l->inset = l->plot.w < 260 ? 8 : 16;
      return;
    }
  if (l->n_columns > 0)
    l->bar_width = MIN (slot * 0.78 / l->n_columns, 64);
}

/* One try: FALSE if the names did not find their places. */
static gboolean
layout_try (OvChart *self, OvChartLayout *l, OvNamePlaces places, OvFrugal frugal)
{
  double top = layout_header (self, l, frugal);
  double bottom = layout_footer (self, l, frugal);
  double right = l->width - l->pad;
  double half_line = ov_text_get_line_height (l->theme, OV_TEXT_LABEL) / 2;

  g_array_set_size (l->names, 0);
  g_array_set_size (l->legend, 0);
  g_clear_object (&l->more);
  if (frugal < FRUGAL_NO_LEGEND)
    top = ov_chart_layout_legend (self, l, places, top, frugal >= FRUGAL_ONE_ROW);
  if (!ov_chart_layout_column (self, l, places, &right))
    return FALSE;
  l->plot.y = top + half_line;
  /* The height of the labels and their width depend on each other: two rounds settle it. */
  l->plot.x = l->pad + y_label_width (l) + 7;
  l->x_label_h = 2 * half_line + 5;
  for (guint round = 0; round < 2; round++)
    {
      l->plot.w = MAX (1, right - l->plot.x);
      l->plot.h = MAX (1, bottom - l->x_label_h - l->plot.y);
      layout_y (self, l, l->plot.h);
      l->plot.x = l->pad + y_label_width (l) + 7;
      l->plot.w = MAX (1, right - l->plot.x);
      layout_bars (self, l);
      layout_x (self, l);
      layout_bars (self, l);
      layout_groups (self, l);
      if (frugal >= FRUGAL_NO_X_LABELS)
        {
          g_ptr_array_set_size (l->x_texts, 0);
          g_array_set_size (l->groups, 0);
          l->group_h = 0;
        }
      l->x_label_h = frugal >= FRUGAL_NO_X_LABELS ? 0 : x_label_height (l) + l->group_h;
    }
  l->plot.h = MAX (1, bottom - l->x_label_h - l->plot.y);
  return ov_chart_layout_names (self, l, places);
}

static OvChartLayout *
layout_build (OvChart *self, double width, double height, const OvTheme *theme)
{
  OvChartLayout *l = layout_new (width, height, theme);
  double lo;
  double hi;

  layout_y (self, l, height / 2);
  ov_chart_get_x_range (self, &lo, &hi);
  l->x = ov_scale_new (self->x_axis, lo, hi, 4, 0, NULL, 0);
  for (int frugal = 0; frugal <= FRUGAL_LAST; frugal++)
    {
      for (int places = 0; places <= OV_NAMES_LAST; places++)
        if (layout_try (self, l, (OvNamePlaces)places, (OvFrugal)frugal))
          break;
      if (l->plot.h >= MIN (90, height * 0.36))
        break;
    }
  return l;
}

const OvChartLayout *
ov_chart_get_layout (OvChart *self, double width, double height, const OvTheme *theme)
{
  self->last_theme = theme;
  if (self->layout != NULL && self->layout->width == width && self->layout->height == height
      && self->layout->theme == theme)
    return self->layout;
  g_clear_pointer (&self->layout, ov_chart_layout_free);
  self->layout = layout_build (self, width, height, theme);
  return self->layout;
}
