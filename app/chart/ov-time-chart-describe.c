// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChart in words: description, table, and the figures at one time.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-time-chart-private.h"

static char *
format_time (gint64 t_ns)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  return ov_axis_format (axis, (double)t_ns);
}

static void
describe_trace (OvTimeChart *self, guint panel, guint index, GString *text)
{
  OvPanel *p = ov_time_chart_panel (self, panel);
  const OvTrace *trace = g_ptr_array_index (p->traces, index);
  const OvBucket *total = ov_samples_get_total (trace->own);
  const char *name = trace->label[0] != '\0' ? trace->label : p->title;
  g_autofree char *last = NULL;
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;
  g_autofree char *mean = NULL;

  if (total->n == 0)
    {
      g_string_append_printf (text, _ ("%s: no figures."), name);
      g_string_append_c (text, '\n');
      return;
    }
  last = ov_axis_format (p->axis, total->last);
  least = ov_axis_format (p->axis, total->min);
  most = ov_axis_format (p->axis, total->max);
  mean = ov_axis_format (p->axis, total->sum / (double)total->n);
  /* Translators: name of a trace and four figures */
  g_string_append_printf (text, _ ("%s: last %s, smallest %s, largest %s, mean of the samples %s."),
                          name, last, least, most, mean);
  g_string_append_c (text, '\n');
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (sentence[0] == '\0')
    return;
  g_string_append (text, sentence);
  if (!g_str_has_suffix (sentence, "."))
    g_string_append_c (text, '.');
  g_string_append_c (text, '\n');
}

/* The first panel that has something to do with spans. */
static int
span_panel (OvTimeChart *self)
{
  for (guint i = 0; i < self->panels->len; i++)
    if (ov_time_chart_panel_by_span (self, i))
      return (int)i;
  return -1;
}

/* Mean of a run: the one that was told, else that of its samples. */
static double
span_value (OvTimeChart *self, const OvSpan *span, guint panel, guint trace)
{
  const OvTrace *t = ov_time_chart_trace (self, panel, trace);
  gint64 end = ov_time_chart_span_end (self, span);
  g_autoptr (GArray) buckets = NULL;
  double sum = 0;
  guint64 n = 0;

  if (t->kind == OV_TRACE_BY_SPAN && !isnan (ov_time_chart_span_mean (span, panel)))
    return ov_time_chart_span_mean (span, panel);
  buckets = g_array_new (FALSE, FALSE, sizeof (OvBucket));
  ov_samples_query (t->own, span->t0, end, 0, buckets);
  for (guint i = 0; i < buckets->len; i++)
    {
      const OvBucket *b = &g_array_index (buckets, OvBucket, i);

      if (b->t0 < span->t0 || b->t1 > end)
        continue;
      sum += b->sum;
      n += b->n;
    }
  return n > 0 ? sum / (double)n : NAN;
}

static int
by_span_trace (OvTimeChart *self, guint panel)
{
  GPtrArray *traces = ov_time_chart_panel (self, panel)->traces;

  for (guint i = 0; i < traces->len; i++)
    if (((OvTrace *)g_ptr_array_index (traces, i))->kind == OV_TRACE_BY_SPAN)
      return (int)i;
  return -1;
}

/* A long recording has too many runs to be read aloud: the last ones, and how many there are. */
#define SPOKEN_SPANS 8

static void
describe_spans (OvTimeChart *self, GString *text)
{
  int panel = span_panel (self);
  guint first = self->spans->len > SPOKEN_SPANS ? self->spans->len - SPOKEN_SPANS : 0;

  if (self->spans->len == 0)
    return;
  g_string_append_printf (text,
                          g_dngettext (GETTEXT_PACKAGE, "%u run.", "%u runs.", self->spans->len),
                          self->spans->len);
  if (first > 0)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("The last %u:"), SPOKEN_SPANS);
    }
  g_string_append_c (text, '\n');
  for (guint i = first; i < self->spans->len; i++)
    {
      const OvSpan *span = ov_time_chart_span (self, i);
      double mean = panel >= 0 ? span_value (self, span, (guint)panel,
                                             (guint)by_span_trace (self, (guint)panel))
                               : NAN;
      g_autofree char *from = format_time (span->t0);
      g_autofree char *to = format_time (ov_time_chart_span_end (self, span));
      g_autofree char *figure = NULL;

      if (!isnan (mean))
        figure = ov_axis_format (ov_time_chart_panel (self, (guint)panel)->axis, mean);
      if (figure != NULL)
        /* Translators: name of a run, its begin and end, its mean */
        g_string_append_printf (text, _ ("%s, %s to %s: mean %s"), span->label, from, to, figure);
      else
        g_string_append_printf (text, _ ("%s, %s to %s"), span->label, from, to);
      if (span->partial)
        g_string_append_printf (text, ", %s", _ ("incomplete"));
      else if (span->t1 < 0)
        g_string_append_printf (text, ", %s", _ ("still running"));
      g_string_append (text, ".\n");
    }
}

char *
ov_time_chart_describe (OvTimeChart *self)
{
  GString *text;
  g_autofree char *now = NULL;

  g_return_val_if_fail (OV_IS_TIME_CHART (self), NULL);

  text = g_string_new (NULL);
  append_sentence (text, self->title);
  now = format_time (self->now);
  g_string_append_printf (text, _ ("Recording of %s."), now);
  g_string_append_c (text, '\n');
  for (guint p = 0; p < self->panels->len; p++)
    {
      OvPanel *panel = ov_time_chart_panel (self, p);

      if (!panel->visible)
        continue;
      append_sentence (text, panel->title);
      append_sentence (text, panel->subtitle);
      for (guint i = 0; i < panel->traces->len; i++)
        describe_trace (self, p, i, text);
    }
  describe_spans (self, text);
  append_sentence (text, self->note);
  if (text->len > 0 && text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

static char *
trace_name (const OvPanel *panel, const OvTrace *trace)
{
  if (trace->label[0] == '\0' || panel->title[0] == '\0' || panel->traces->len == 1)
    return g_strdup (panel->title[0] != '\0' ? panel->title : trace->label);
  return g_strdup_printf ("%s, %s", panel->title, trace->label);
}

static OvTable *
table_of_spans (OvTimeChart *self)
{
  OvTable *table = ov_table_new (self->title);

  ov_table_take_column (table, g_strdup (_ ("Run")));
  ov_table_take_column (table, g_strdup (_ ("From")));
  ov_table_take_column (table, g_strdup (_ ("To")));
  for (guint p = 0; p < self->panels->len; p++)
    for (guint i = 0; i < ov_time_chart_panel (self, p)->traces->len; i++)
      ov_table_take_column (
          table, trace_name (ov_time_chart_panel (self, p), ov_time_chart_trace (self, p, i)));
  for (guint s = 0; s < self->spans->len; s++)
    {
      const OvSpan *span = ov_time_chart_span (self, s);
      guint row = ov_table_add_row (table);
      guint column = 3;

      ov_table_take_cell (table, row, 0,
                          span->partial ? g_strdup_printf (_ ("%s, incomplete"), span->label)
                                        : g_strdup (span->label));
      ov_table_take_cell (table, row, 1, format_time (span->t0));
      ov_table_take_cell (table, row, 2,
                          span->t1 < 0 ? g_strdup (_ ("still running")) : format_time (span->t1));
      for (guint p = 0; p < self->panels->len; p++)
        for (guint i = 0; i < ov_time_chart_panel (self, p)->traces->len; i++)
          ov_table_take_cell (
              table, row, column++,
              ov_axis_format (ov_time_chart_panel (self, p)->axis, span_value (self, span, p, i)));
    }
  return table;
}

static OvTable *
table_of_traces (OvTimeChart *self)
{
  OvTable *table = ov_table_new (self->title);

  ov_table_take_column (table, g_strdup (_ ("Trace")));
  ov_table_take_column (table, g_strdup (_ ("Last")));
  ov_table_take_column (table, g_strdup (_ ("Smallest")));
  ov_table_take_column (table, g_strdup (_ ("Largest")));
  ov_table_take_column (table, g_strdup (_ ("Mean of the samples")));
  for (guint p = 0; p < self->panels->len; p++)
    for (guint i = 0; i < ov_time_chart_panel (self, p)->traces->len; i++)
      {
        OvPanel *panel = ov_time_chart_panel (self, p);
        const OvTrace *trace = ov_time_chart_trace (self, p, i);
        const OvBucket *total = ov_samples_get_total (trace->own);
        guint row = ov_table_add_row (table);
        gboolean any = total->n > 0;

        ov_table_take_cell (table, row, 0, trace_name (panel, trace));
        ov_table_take_cell (table, row, 1, ov_axis_format (panel->axis, any ? total->last : NAN));
        ov_table_take_cell (table, row, 2, ov_axis_format (panel->axis, any ? total->min : NAN));
        ov_table_take_cell (table, row, 3, ov_axis_format (panel->axis, any ? total->max : NAN));
        ov_table_take_cell (
            table, row, 4, ov_axis_format (panel->axis, any ? total->sum / (double)total->n : NAN));
      }
  return table;
}

OvTable *
ov_time_chart_get_table (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), NULL);

  /* Samples that were not flushed yet make an older table wrong as well. */
  if (self->table != NULL && !self->dirty)
    return self->table;
  g_clear_pointer (&self->table, ov_table_unref);
  self->table = self->spans->len > 0 ? table_of_spans (self) : table_of_traces (self);
  return self->table;
}

gboolean
ov_time_chart_pick (OvTimeChart *self, double width, double height, double x, double y,
                    gint64 *t_ns)
{
  const OvTimeLayout *l;

  g_return_val_if_fail (OV_IS_TIME_CHART (self) && t_ns != NULL, FALSE);

  if (width < 24 || height < 24)
    return FALSE;
  l = ov_time_chart_get_layout (self, width, height,
                                self->last_theme != NULL ? self->last_theme
                                                         : ov_theme_get (OV_THEME_LIGHT, 1));
  if (x < l->plots.x || x > l->plots.x + l->plots.w || y < l->plots.y
      || y > l->plots.y + l->plots.h)
    return FALSE;
  *t_ns = l->t0 + (gint64)((x - l->plots.x) / l->plots.w * (double)(l->t1 - l->t0));
  return TRUE;
}

char *
ov_time_chart_describe_time (OvTimeChart *self, gint64 t_ns)
{
  GString *text;
  g_autofree char *when = NULL;
  guint s;

  g_return_val_if_fail (OV_IS_TIME_CHART (self), NULL);

  text = g_string_new (NULL);
  when = format_time (t_ns);
  g_string_append (text, when);
  s = ov_time_chart_find_span (self, t_ns);
  if (s < self->spans->len && ov_time_chart_span (self, s)->t0 <= t_ns)
    g_string_append_printf (text, ", %s", ov_time_chart_span (self, s)->label);
  g_string_append_c (text, ':');
  for (guint p = 0; p < self->panels->len; p++)
    {
      OvPanel *panel = ov_time_chart_panel (self, p);

      for (guint i = 0; panel->visible && i < panel->traces->len; i++)
        {
          const OvTrace *trace = g_ptr_array_index (panel->traces, i);
          double value = ov_samples_value_at (trace->own, t_ns);
          g_autofree char *name = trace_name (panel, trace);
          g_autofree char *figure = ov_axis_format (panel->axis, value);

          g_string_append_printf (text, " %s %s;", name, figure);
        }
    }
  g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}
