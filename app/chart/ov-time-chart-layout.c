// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where everything of an OvTimeChart goes. The time axis moves in steps, so that the background can
 * be kept: a whole recording ends at the next round time, a window of the last seconds goes on by
 * an eighth of its length. The layout is made anew only when a range, the size, the theme or the
 * revision of the chart has changed, and then has a new serial.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-paint.h"
#include "chart/ov-time-chart-private.h"

#define WINDOW_STEPS 8
#define TITLE_GAP    12

typedef struct
{
  double lo;
  double hi;
} Range;

static void
panel_layout_clear (gpointer data)
{
  OvPanelLayout *panel = data;

  g_clear_pointer (&panel->y, ov_scale_free);
  g_clear_object (&panel->title);
  g_clear_object (&panel->subtitle);
}

void
ov_time_layout_free (OvTimeLayout *layout)
{
  g_clear_object (&layout->title);
  g_clear_object (&layout->note);
  ov_scale_free (layout->x);
  g_array_unref (layout->panels);
  g_free (layout);
}

double
ov_time_layout_map_x (const OvTimeLayout *l, gint64 t)
{
  return l->plots.x + (double)(t - l->t0) / (double)(l->t1 - l->t0) * l->plots.w;
}

double
ov_time_layout_map_y (const OvPanelLayout *panel, double value)
{
  return panel->plot.y + panel->plot.h * (1 - ov_scale_map (panel->y, value));
}

void
ov_time_chart_get_visible (OvTimeChart *self, gint64 *t0_ns, gint64 *t1_ns)
{
  static const double round[] = { 1, 1.5, 2, 3, 4, 5, 6, 8, 10 };
  double now;
  double power;

  g_return_if_fail (OV_IS_TIME_CHART (self) && t0_ns != NULL && t1_ns != NULL);

  if (self->window > 0)
    {
      gint64 step = MAX (1, self->window / WINDOW_STEPS);

      *t1_ns = MAX (self->window, (self->now + step - 1) / step * step);
      *t0_ns = *t1_ns - self->window;
      return;
    }
  *t0_ns = 0;
  now = self->now > 0 ? MAX (1e6, (double)self->now) : 1e10;
  power = pow (10, floor (log10 (now)));
  *t1_ns = (gint64)(power * 10);
  for (guint i = 0; i < G_N_ELEMENTS (round); i++)
    if (round[i] * power >= now)
      {
        *t1_ns = (gint64)(round[i] * power);
        break;
      }
}

static void
widen (Range *range, double value)
{
  if (isnan (value))
    return;
  range->lo = isnan (range->lo) ? value : MIN (range->lo, value);
  range->hi = isnan (range->hi) ? value : MAX (range->hi, value);
}

/* Least and largest value of a panel between t0 and t1. */
static Range
panel_range (OvTimeChart *self, guint panel, gint64 t0, gint64 t1, GArray *scratch)
{
  OvPanel *p = ov_time_chart_panel (self, panel);
  Range range = { NAN, NAN };

  for (guint i = 0; i < p->traces->len; i++)
    {
      const OvTrace *trace = g_ptr_array_index (p->traces, i);
      const OvBucket *total = ov_samples_get_total (trace->samples);

      if (total->n == 0)
        continue;
      if (t0 <= total->t0)
        {
          widen (&range, total->min);
          widen (&range, total->max);
          continue;
        }
      ov_samples_query (trace->samples, t0, t1, (t1 - t0) / 512, scratch);
      for (guint k = 0; k < scratch->len; k++)
        {
          widen (&range, g_array_index (scratch, OvBucket, k).min);
          widen (&range, g_array_index (scratch, OvBucket, k).max);
        }
    }
  if (!ov_time_chart_panel_by_span (self, panel))
    return range;
  for (guint s = ov_time_chart_find_span (self, t0); s < self->spans->len; s++)
    {
      if (ov_time_chart_span (self, s)->t0 > t1)
        break;
      widen (&range, ov_time_chart_span_mean (ov_time_chart_span (self, s), panel));
    }
  return range;
}

static OvScale *
panel_scale (OvTimeChart *self, guint panel, const OvTheme *theme, double plot_h, Range range)
{
  OvPanel *p = ov_time_chart_panel (self, panel);
  double line = ov_text_get_line_height (theme, OV_TEXT_LABEL);
  guint max_ticks = (guint)CLAMP (plot_h / (line * 1.9), 2, 8);

  /* Names of spans stand above the samples. */
  if (ov_time_chart_panel_by_span (self, panel) && ov_axis_get_kind (p->axis) == OV_AXIS_LINEAR
      && plot_h > 3 * line)
    range.hi *= 1 + 0.4 * line / plot_h;
  return ov_scale_new (p->axis, range.lo, range.hi, max_ticks, OV_SCALE_ROUND, NULL, 0);
}

static void
layout_panel_title (OvTimeChart *self, OvTimeLayout *l, guint panel)
{
  OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, panel);
  OvPanel *p = ov_time_chart_panel (self, panel);
  double keys = ov_time_chart_keys_width (self, panel, l->theme);
  double room = l->width - 2 * l->pad;
  double title_w = 0;
  const char *unit = pl->y->unit;
  g_autofree char *sub = NULL;

  if (p->title[0] != '\0')
    {
      pl->title = ov_text_line (l->theme, OV_TEXT_TITLE, p->title, room);
      ov_text_get_size (pl->title, &title_w, NULL);
      title_w += TITLE_GAP;
    }
  pl->subtitle_x = l->pad + title_w;
  if (unit[0] != '\0' && p->subtitle[0] != '\0')
    sub = g_strdup_printf ("\u2068%s\u2069, \u2068%s\u2069", unit, p->subtitle);
  else
    sub = g_strdup (unit[0] != '\0' ? unit : p->subtitle);
  /* The unit has to be seen; keys that would hide it are not drawn. */
  if (room - title_w - keys < 60)
    keys = 0;
  if (sub[0] != '\0' && room - title_w - keys > 10)
    pl->subtitle = ov_text_line (l->theme, OV_TEXT_LABEL, sub, room - title_w - keys);
}

static double
y_label_width (const OvTimeLayout *l)
{
  double widest = 0;

  for (guint p = 0; p < l->panels->len; p++)
    {
      const OvScale *y = g_array_index (l->panels, OvPanelLayout, p).y;

      for (guint i = 0; y != NULL && i < y->n_ticks; i++)
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (l->theme, OV_TEXT_LABEL, y->ticks[i].label, 0);
          double w;

          ov_text_get_size (text, &w, NULL);
          widest = MAX (widest, w);
        }
    }
  return widest;
}

static void
layout_x (OvTimeLayout *l)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  guint n;

  for (n = (guint)CLAMP (l->plots.w / 55, 2, 14); n >= 2; n--)
    {
      double free_from = -1e9;
      gboolean fit = TRUE;

      ov_scale_free (l->x);
      l->x = ov_scale_new (axis, (double)l->t0, (double)l->t1, n, OV_SCALE_UNIT_LABELS, NULL, 0);
      for (guint i = 0; i < l->x->n_ticks; i++)
        {
          g_autoptr (PangoLayout) text
              = ov_text_line (l->theme, OV_TEXT_LABEL, l->x->ticks[i].label, 0);
          double w;
          double centre = l->plots.x + l->x->ticks[i].pos * l->plots.w;

          ov_text_get_size (text, &w, NULL);
          fit = fit && centre - w / 2 >= free_from;
          free_from = centre + w / 2 + 10;
        }
      if (fit)
        return;
    }
}

/* The heights of the panels, for title rows of `title_h` each. FALSE if they are too small. */
static gboolean
layout_heights (OvTimeChart *self, OvTimeLayout *l, double top, double bottom, double title_h,
                double gap)
{
  double weights = 0;
  double room = bottom - top;
  guint n = 0;
  gboolean enough = TRUE;

  for (guint i = 0; i < self->panels->len; i++)
    if (ov_time_chart_panel (self, i)->visible)
      {
        weights += ov_time_chart_panel (self, i)->weight;
        n++;
      }
  room -= n * title_h + (n > 0 ? n - 1 : 0) * gap;
  for (guint i = 0; i < self->panels->len; i++)
    {
      OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, i);

      if (!ov_time_chart_panel (self, i)->visible)
        continue;
      pl->title_y = top;
      pl->plot.y = top + title_h;
      pl->plot.h = MAX (1, room * ov_time_chart_panel (self, i)->weight / weights);
      enough = enough && pl->plot.h >= 22;
      top = pl->plot.y + pl->plot.h + gap;
    }
  return enough;
}

static void
layout_vertical (OvTimeChart *self, OvTimeLayout *l)
{
  double line = ov_text_get_line_height (l->theme, OV_TEXT_LABEL);
  double title_line = ov_text_get_line_height (l->theme, OV_TEXT_TITLE);

  /* Done without, one after the other: the note, the chart's title, air, the rows of the titles. */
  for (int frugal = 0; frugal < 5; frugal++)
    {
      double top = l->pad * 0.75;
      double bottom = l->height - l->pad * 0.5 - line - 6;
      double h;

      g_clear_object (&l->title);
      g_clear_object (&l->note);
      if (self->title[0] != '\0' && frugal < 2)
        {
          l->title = ov_text_line (l->theme, OV_TEXT_TITLE, self->title, l->width - 2 * l->pad);
          top += title_line + 4;
        }
      if (self->note[0] != '\0' && frugal < 1)
        {
          l->note = ov_text_block (l->theme, OV_TEXT_SMALL, self->note, l->width - 2 * l->pad,
                                   l->height < 300 ? 1 : 3, PANGO_ALIGN_LEFT);
          ov_text_get_size (l->note, NULL, &h);
          bottom -= h + 6;
        }
      if (layout_heights (self, l, top, bottom, frugal < 4 ? title_line + (frugal < 3 ? 8 : 2) : 6,
                          frugal < 3 ? 14 : 6))
        return;
    }
}

static OvTimeLayout *
layout_build (OvTimeChart *self, double width, double height, const OvTheme *theme, gint64 t0,
              gint64 t1, const Range *ranges)
{
  OvTimeLayout *l = g_new0 (OvTimeLayout, 1);
  double left;
  double lowest = 0;

  l->width = width;
  l->height = height;
  l->theme = theme;
  l->revision = self->revision;
  l->t0 = t0;
  l->t1 = t1;
  l->pad = MIN (width, height) < 260 ? 6 : 12;
  l->panels = g_array_new (FALSE, TRUE, sizeof (OvPanelLayout));
  g_array_set_clear_func (l->panels, panel_layout_clear);
  g_array_set_size (l->panels, self->panels->len);
  layout_vertical (self, l);
  for (guint i = 0; i < self->panels->len; i++)
    {
      OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, i);

      if (!ov_time_chart_panel (self, i)->visible)
        continue;
      pl->y = panel_scale (self, i, theme, pl->plot.h, ranges[i]);
      layout_panel_title (self, l, i);
      lowest = pl->plot.y + pl->plot.h;
    }
  left = floor (l->pad + y_label_width (l) + 7);
  l->plots = (OvBox){ left, l->pad, MAX (1, floor (width - l->pad - 8 - left)), lowest - l->pad };
  for (guint i = 0; i < l->panels->len; i++)
    {
      OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, i);

      /* Base lines on whole pixels: areas have sharp feet. */
      pl->plot.x = l->plots.x;
      pl->plot.w = l->plots.w;
      pl->plot.h = MAX (1, round (pl->plot.y + pl->plot.h) - round (pl->plot.y));
      pl->plot.y = round (pl->plot.y);
    }
  layout_x (l);
  return l;
}

static gboolean
same_scales (const OvTimeLayout *l, OvTimeChart *self, const Range *ranges)
{
  for (guint i = 0; i < l->panels->len; i++)
    {
      const OvPanelLayout *pl = &g_array_index (l->panels, OvPanelLayout, i);
      g_autoptr (OvScale) scale = NULL;

      if (pl->y == NULL)
        continue;
      scale = panel_scale (self, i, l->theme, pl->plot.h, ranges[i]);
      if (scale->lo != pl->y->lo || scale->hi != pl->y->hi || scale->empty != pl->y->empty)
        return FALSE;
    }
  return TRUE;
}

const OvTimeLayout *
ov_time_chart_get_layout (OvTimeChart *self, double width, double height, const OvTheme *theme)
{
  OvTimeLayout *l = self->layout;
  g_autofree Range *ranges = g_new (Range, MAX (1, self->panels->len));
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (OvBucket));
  gint64 t0;
  gint64 t1;

  self->last_theme = theme;
  ov_time_chart_get_visible (self, &t0, &t1);
  for (guint i = 0; i < self->panels->len; i++)
    ranges[i] = panel_range (self, i, t0, t1, scratch);
  if (l != NULL && l->width == width && l->height == height && l->theme == theme
      && l->revision == self->revision && l->t0 == t0 && l->t1 == t1
      && same_scales (l, self, ranges))
    return l;
  g_clear_pointer (&self->layout, ov_time_layout_free);
  self->layout = layout_build (self, width, height, theme, t0, t1, ranges);
  self->layout->serial = ++self->next_serial;
  return self->layout;
}
