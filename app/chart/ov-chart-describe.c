// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChart in words: description, table, and the point under a pointer. Figures come from
 * ov_axis_format, each with its unit.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-chart-private.h"

#define PICK_DISTANCE 24 /* pixels */

/* Shown, and more than a mark on the x axis. */
static gboolean
has_figures (const OvChartSeries *s)
{
  return s->visible && s->own_scale != OV_CHART_MARKS;
}

static char *
format_x (OvChart *self, double x)
{
  return ov_axis_format (self->x_axis, x);
}

static char *
format_y (OvChart *self, double y)
{
  return ov_axis_format (self->y_axis, y);
}

/* " (3.9 ms to 4.2 ms)", or "". */
static char *
format_interval (OvChart *self, double lo, double hi)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (isnan (lo) || isnan (hi))
    return g_strdup ("");
  from = format_y (self, lo);
  to = format_y (self, hi);
  /* Translators: the ends of an interval, after a figure; begins with a space */
  return g_strdup_printf (_ (" (%s to %s)"), from, to);
}

static void
describe_series (OvChart *self, guint index, GString *text)
{
  OvChartSeries *s = ov_chart_series (self, index);
  const OvChartPoint *first = NULL;
  const OvChartPoint *last = NULL;
  const OvChartPoint *least = NULL;
  const OvChartPoint *most = NULL;
  guint n_partial = 0;
  g_autofree char *label = ov_chart_series_full_label (self, index, NULL, FALSE);

  for (guint k = 0; k < s->points->len; k++)
    {
      const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);

      if (isnan (p->y))
        continue;
      first = first != NULL ? first : p;
      last = p;
      least = least == NULL || p->y < least->y ? p : least;
      most = most == NULL || p->y > most->y ? p : most;
      n_partial += p->state == OV_CHART_POINT_PARTIAL;
    }
  if (first == NULL)
    {
      g_string_append_printf (text, _ ("%s: no figures."), label);
    }
  else if (first == last)
    {
      g_autofree char *y = format_y (self, first->y);
      g_autofree char *x = format_x (self, first->x);

      g_string_append_printf (text, _ ("%s: %s at %s."), label, y, x);
    }
  else
    {
      g_autofree char *y0 = format_y (self, first->y);
      g_autofree char *x0 = format_x (self, first->x);
      g_autofree char *y1 = format_y (self, last->y);
      g_autofree char *x1 = format_x (self, last->x);
      g_autofree char *lo = format_y (self, least->y);
      g_autofree char *lo_x = format_x (self, least->x);
      g_autofree char *hi = format_y (self, most->y);
      g_autofree char *hi_x = format_x (self, most->x);

      /* Translators: name; figure and place of the first, last, smallest and largest point */
      g_string_append_printf (
          text, _ ("%s: first %s at %s, last %s at %s; smallest %s at %s, largest %s at %s."),
          label, y0, x0, y1, x1, lo, lo_x, hi, hi_x);
    }
  if (n_partial > 0)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, "%u point is incomplete.",
                                           "%u points are incomplete.", n_partial),
                              n_partial);
    }
  g_string_append_c (text, '\n');
}

/* The series that is lowest at the last x which all lines and bars of the chart's own axis have. */
static void
describe_lowest (OvChart *self, GString *text)
{
  g_autoptr (GArray) all = ov_chart_dup_all_x (self);

  for (guint i = all->len; i-- > 0;)
    {
      double x = g_array_index (all, double, i);
      const OvChartSeries *lowest = NULL;
      double least = 0;
      guint n = 0;
      gboolean in_all = TRUE;

      for (guint k = 0; k < self->series->len && in_all; k++)
        {
          const OvChartSeries *s = ov_chart_series (self, k);
          int at = ov_chart_find_point (s, x);

          if (!s->visible || s->kind == OV_CHART_REFERENCE || s->kind == OV_CHART_STACKED || s->pale
              || s->points->len == 0)
            continue;
          if (at < 0 || isnan (g_array_index (s->points, OvChartPoint, at).y))
            {
              in_all = FALSE;
              break;
            }
          n++;
          if (lowest == NULL || g_array_index (s->points, OvChartPoint, at).y < least)
            {
              lowest = s;
              least = g_array_index (s->points, OvChartPoint, at).y;
            }
        }
      if (in_all && n > 1)
        {
          g_autofree char *where = format_x (self, x);
          g_autofree char *value = format_y (self, least);

          g_string_append_printf (text, _ ("Lowest at %s: %s with %s."), where, lowest->label,
                                  value);
          g_string_append_c (text, '\n');
          return;
        }
    }
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (sentence == NULL || sentence[0] == '\0')
    return;
  g_string_append (text, sentence);
  if (!g_str_has_suffix (sentence, "."))
    g_string_append_c (text, '.');
  g_string_append_c (text, '\n');
}

static void
describe_axes (OvChart *self, GString *text)
{
  double lo;
  double hi;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  const char *name = ov_axis_get_title (self->x_axis);

  ov_chart_get_x_range (self, &lo, &hi);
  if (isnan (lo))
    return;
  from = format_x (self, lo);
  to = format_x (self, hi);
  if (name == NULL)
    name = _ ("Horizontal axis");
  if (lo == hi)
    g_string_append_printf (text, _ ("%s: %s."), name, from);
  else
    g_string_append_printf (text, _ ("%s: %s to %s."), name, from, to);
  if (ov_axis_get_kind (self->x_axis) == OV_AXIS_LOG2
      || ov_axis_get_kind (self->x_axis) == OV_AXIS_LOG10)
    g_string_append_printf (text, " %s", _ ("Logarithmic."));
  g_string_append_c (text, '\n');
  name = ov_axis_get_title (self->y_axis);
  ov_chart_get_y_range (self, 0, &lo, &hi);
  if (name == NULL)
    name = _ ("Vertical axis");
  if (isnan (lo))
    return;
  g_free (from);
  g_free (to);
  from = format_y (self, lo);
  to = format_y (self, hi);
  g_string_append_printf (text, _ ("%s: %s to %s."), name, from, to);
  if (ov_axis_get_kind (self->y_axis) == OV_AXIS_LOG2
      || ov_axis_get_kind (self->y_axis) == OV_AXIS_LOG10)
    g_string_append_printf (text, " %s", _ ("Logarithmic."));
  g_string_append_c (text, '\n');
}

char *
ov_chart_describe (OvChart *self)
{
  GString *text;
  guint n = 0;

  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  text = g_string_new (NULL);
  append_sentence (text, self->title);
  append_sentence (text, self->subtitle);
  describe_axes (self, text);
  for (guint i = 0; i < self->series->len; i++)
    if (has_figures (ov_chart_series (self, i)))
      {
        describe_series (self, i, text);
        n++;
      }
  if (n == 0)
    append_sentence (text, _ ("No figures yet"));
  describe_lowest (self, text);
  append_sentence (text, self->note);
  if (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

static char *
table_cell (OvChart *self, const OvChartPoint *p)
{
  g_autofree char *value = format_y (self, p->y);
  g_autofree char *interval = format_interval (self, p->lo, p->hi);

  if (p->state == OV_CHART_POINT_PARTIAL && !isnan (p->y))
    return g_strdup_printf (_ ("%s%s, incomplete"), value, interval);
  return g_strconcat (value, interval, NULL);
}

OvTable *
ov_chart_get_table (OvChart *self)
{
  g_autoptr (GArray) all = NULL;
  OvTable *table;
  const char *x_name;

  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  if (self->table != NULL)
    return self->table;
  table = ov_table_new (self->title);
  x_name = ov_axis_get_title (self->x_axis);
  ov_table_take_column (table, g_strdup (x_name));
  for (guint i = 0; i < self->series->len; i++)
    if (has_figures (ov_chart_series (self, i)))
      ov_table_take_column (table, g_strdup (ov_chart_series (self, i)->label));
  all = ov_chart_dup_all_x (self);
  for (guint r = 0; r < all->len; r++)
    {
      double x = g_array_index (all, double, r);
      guint row = ov_table_add_row (table);
      guint column = 1;

      ov_table_take_cell (table, row, 0, format_x (self, x));
      for (guint i = 0; i < self->series->len; i++)
        {
          const OvChartSeries *s = ov_chart_series (self, i);
          int at = ov_chart_find_point (s, x);

          if (!has_figures (s))
            continue;
          ov_table_take_cell (
              table, row, column++,
              at < 0 ? g_strdup ("–")
                     : table_cell (self, &g_array_index (s->points, OvChartPoint, at)));
        }
    }
  self->table = table;
  return table;
}

/* Distance from a pointer to a point; a bar is hit anywhere on it. */
static double
hit_distance (OvChart *self, const OvChartLayout *l, guint series, const OvChartPoint *p, double x,
              double y, double *px, double *py)
{
  ov_chart_layout_map (self, l, series, p, px, py);
  if (isnan (*px) || isnan (*py))
    return INFINITY;
  if (!ov_chart_series_is_line (ov_chart_series (self, series)))
    {
      const OvScale *scale = ov_chart_layout_scale (l, ov_chart_series (self, series));
      double below = ov_chart_series (self, series)->kind == OV_CHART_STACKED
                         ? ov_chart_stack_below (self, series, p->x)
                         : 0;
      double base = scale->kind == OV_AXIS_LINEAR
                        ? l->plot.y + l->plot.h * (1 - ov_scale_map (scale, below))
                        : l->plot.y + l->plot.h;
      double dx = MAX (0, fabs (x - *px) - l->bar_width / 2);
      double dy = MAX (0, MAX (MIN (base, *py) - y, y - MAX (base, *py)));

      return hypot (dx, dy);
    }
  return hypot (x - *px, y - *py);
}

gboolean
ov_chart_pick (OvChart *self, double width, double height, double x, double y, OvChartHit *out)
{
  const OvChartLayout *l;
  double nearest = PICK_DISTANCE;
  gboolean found = FALSE;

  g_return_val_if_fail (OV_IS_CHART (self) && out != NULL, FALSE);

  if (width < 24 || height < 24)
    return FALSE;
  l = ov_chart_get_layout (self, width, height,
                           self->last_theme != NULL ? self->last_theme
                                                    : ov_theme_get (OV_THEME_LIGHT, 1));
  for (guint i = 0; i < self->series->len; i++)
    {
      const OvChartSeries *s = ov_chart_series (self, i);

      for (guint k = 0; has_figures (s) && k < s->points->len; k++)
        {
          const OvChartPoint *p = &g_array_index (s->points, OvChartPoint, k);
          double px;
          double py;
          double d = hit_distance (self, l, i, p, x, y, &px, &py);

          /* Of two at the same place the one that is drawn on top. */
          if (s->pale)
            d += 0.01;
          if (d > nearest)
            continue;
          nearest = d;
          found = TRUE;
          *out = (OvChartHit){ i, k, p->x, p->y, p->lo, p->hi, p->state, px, py };
        }
    }
  return found;
}

char *
ov_chart_describe_hit (OvChart *self, const OvChartHit *hit)
{
  g_autofree char *x = NULL;
  g_autofree char *y = NULL;
  OvChartSeries *s;
  OvChartPoint p;

  g_return_val_if_fail (OV_IS_CHART (self) && hit != NULL, NULL);
  g_return_val_if_fail (hit->series < self->series->len, NULL);

  s = ov_chart_series (self, hit->series);
  p = (OvChartPoint){ hit->x, hit->y, hit->lo, hit->hi, hit->state };
  if (hit->point < s->points->len)
    p = g_array_index (s->points, OvChartPoint, hit->point);
  x = format_x (self, p.x);
  y = table_cell (self, &p);
  /* Translators: name of a line, place on the x axis, figure */
  return g_strdup_printf (_ ("%s, %s: %s"), s->label, x, y);
}
