// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChart: data and setters. Layout, drawing and description stand in ov-time-chart-layout.c,
 * ov-time-chart-draw.c and ov-time-chart-describe.c.
 *
 * Two kinds of change: samples and spans move the foreground only; what the background shows raises
 * `revision`. Both end in "changed", samples when they are flushed.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-time-chart-private.h"

static void ov_time_chart_drawable_init (OvDrawableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvTimeChart, ov_time_chart, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OV_TYPE_DRAWABLE,
                                                      ov_time_chart_drawable_init))

static void
trace_free (gpointer data)
{
  OvTrace *trace = data;

  if (trace->own != trace->samples)
    ov_samples_free (trace->own);
  ov_samples_free (trace->samples);
  g_free (trace->label);
  g_free (trace);
}

static void
panel_free (gpointer data)
{
  OvPanel *panel = data;

  g_free (panel->title);
  g_free (panel->subtitle);
  ov_axis_free (panel->axis);
  g_ptr_array_unref (panel->traces);
  g_free (panel);
}

static void
span_clear (gpointer data)
{
  OvSpan *span = data;

  g_clear_pointer (&span->label, g_ref_string_release);
  g_clear_pointer (&span->means, g_free);
}

/* The foreground would look different. */
static void
changed (OvTimeChart *self)
{
  self->dirty = FALSE;
  g_clear_pointer (&self->table, ov_table_unref);
  ov_drawable_changed (OV_DRAWABLE (self));
}

/* The background too. */
static void
revised (OvTimeChart *self)
{
  self->revision++;
  changed (self);
}

static void
ov_time_chart_finalize (GObject *object)
{
  OvTimeChart *self = OV_TIME_CHART (object);

  g_clear_pointer (&self->layout, ov_time_layout_free);
  g_clear_pointer (&self->table, ov_table_unref);
  g_free (self->title);
  g_free (self->note);
  g_ptr_array_unref (self->panels);
  g_array_unref (self->spans);
  G_OBJECT_CLASS (ov_time_chart_parent_class)->finalize (object);
}

static void
ov_time_chart_class_init (OvTimeChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_time_chart_finalize;
}

static void
ov_time_chart_init (OvTimeChart *self)
{
  self->title = g_strdup ("");
  self->note = g_strdup ("");
  self->panels = g_ptr_array_new_with_free_func (panel_free);
  self->spans = g_array_new (FALSE, FALSE, sizeof (OvSpan));
  g_array_set_clear_func (self->spans, span_clear);
  self->cursor = -1;
}

OvTimeChart *
ov_time_chart_new (void)
{
  return g_object_new (OV_TYPE_TIME_CHART, NULL);
}

static void
set_text (OvTimeChart *self, char **where, const char *text)
{
  if (text == NULL)
    text = "";
  if (strcmp (*where, text) == 0)
    return;
  g_free (*where);
  *where = g_utf8_make_valid (text, -1);
  revised (self);
}

void
ov_time_chart_set_title (OvTimeChart *self, const char *title)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  set_text (self, &self->title, title);
}

void
ov_time_chart_set_note (OvTimeChart *self, const char *note)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  set_text (self, &self->note, note);
}

const char *
ov_time_chart_get_title (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), NULL);

  return self->title;
}

const char *
ov_time_chart_get_note (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), NULL);

  return self->note;
}

OvPanel *
ov_time_chart_panel (OvTimeChart *self, guint panel)
{
  return g_ptr_array_index (self->panels, panel);
}

OvTrace *
ov_time_chart_trace (OvTimeChart *self, guint panel, guint trace)
{
  return g_ptr_array_index (ov_time_chart_panel (self, panel)->traces, trace);
}

OvSpan *
ov_time_chart_span (OvTimeChart *self, guint span)
{
  return &g_array_index (self->spans, OvSpan, span);
}

guint
ov_time_chart_add_panel (OvTimeChart *self, const char *title, const char *subtitle,
                         const OvAxis *y_axis, double weight)
{
  OvPanel *panel;

  g_return_val_if_fail (OV_IS_TIME_CHART (self) && y_axis != NULL, 0);

  panel = g_new0 (OvPanel, 1);
  panel->title = g_utf8_make_valid (title != NULL ? title : "", -1);
  panel->subtitle = g_utf8_make_valid (subtitle != NULL ? subtitle : "", -1);
  panel->axis = ov_axis_copy (y_axis);
  panel->weight = weight > 0 && isfinite (weight) ? weight : 1;
  panel->visible = TRUE;
  panel->traces = g_ptr_array_new_with_free_func (trace_free);
  g_ptr_array_add (self->panels, panel);
  revised (self);
  return self->panels->len - 1;
}

void
ov_time_chart_set_panel_visible (OvTimeChart *self, guint panel, gboolean visible)
{
  g_return_if_fail (OV_IS_TIME_CHART (self) && panel < self->panels->len);

  if (ov_time_chart_panel (self, panel)->visible == (visible != FALSE))
    return;
  ov_time_chart_panel (self, panel)->visible = visible != FALSE;
  revised (self);
}

guint
ov_time_chart_get_n_panels (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), 0);

  return self->panels->len;
}

guint
ov_time_chart_add_trace (OvTimeChart *self, guint panel, OvTraceKind kind, const char *label,
                         int style)
{
  OvTrace *trace;
  GPtrArray *traces;

  g_return_val_if_fail (OV_IS_TIME_CHART (self) && panel < self->panels->len, 0);

  trace = g_new0 (OvTrace, 1);
  trace->kind = kind;
  trace->label = g_utf8_make_valid (label != NULL ? label : "", -1);
  trace->style = MAX (style, -1);
  trace->samples = ov_samples_new ();
  trace->newest_t = G_MININT64;
  trace->own = kind == OV_TRACE_STACKED ? ov_samples_new () : trace->samples;
  traces = ov_time_chart_panel (self, panel)->traces;
  g_ptr_array_add (traces, trace);
  revised (self);
  return traces->len - 1;
}

guint
ov_time_chart_trace_style (OvTimeChart *self, guint panel, guint trace)
{
  const OvTrace *t = ov_time_chart_trace (self, panel, trace);

  return t->style >= 0 ? (guint)t->style : trace;
}

/* Sum of the stacked traces below, at that time. */
static double
stack_below (OvTimeChart *self, guint panel, guint trace, gint64 t_ns)
{
  while (trace-- > 0)
    {
      const OvTrace *t = ov_time_chart_trace (self, panel, trace);

      if (t->kind == OV_TRACE_STACKED)
        return t->newest_t == t_ns ? t->newest : NAN;
    }
  return 0;
}

void
ov_time_chart_append (OvTimeChart *self, guint panel, guint trace, gint64 t_ns, double value)
{
  OvTrace *t;

  g_return_if_fail (OV_IS_TIME_CHART (self) && panel < self->panels->len);
  g_return_if_fail (trace < ov_time_chart_panel (self, panel)->traces->len);

  t = ov_time_chart_trace (self, panel, trace);
  if (t->kind == OV_TRACE_STACKED)
    {
      double sum = stack_below (self, panel, trace, t_ns);

      /* Without the part below there is no place for this one. */
      ov_samples_append (t->own, t_ns, value);
      t->newest = isfinite (value) ? sum + value : NAN;
      t->newest_t = t_ns;
      ov_samples_append (t->samples, t_ns, t->newest);
    }
  else
    ov_samples_append (t->samples, t_ns, value);
  self->now = MAX (self->now, t_ns);
  self->dirty = TRUE;
}

void
ov_time_chart_flush (OvTimeChart *self)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  if (self->dirty)
    changed (self);
}

void
ov_time_chart_set_now (OvTimeChart *self, gint64 t_ns)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  if (t_ns <= self->now)
    return;
  self->now = t_ns;
  self->dirty = TRUE;
}

gint64
ov_time_chart_get_now (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), 0);

  return self->now;
}

guint
ov_time_chart_add_span (OvTimeChart *self, gint64 t0_ns, gint64 t1_ns, const char *label, int style)
{
  OvSpan span = { 0 };
  g_autofree char *valid = g_utf8_make_valid (label != NULL ? label : "", -1);

  g_return_val_if_fail (OV_IS_TIME_CHART (self), 0);

  /* Searching by time needs the order; a span that comes late is put at the end of the last one. */
  if (self->spans->len > 0)
    t0_ns = MAX (t0_ns, ov_time_chart_span (self, self->spans->len - 1)->t0);
  span.t0 = t0_ns;
  span.t1 = t1_ns < 0 ? -1 : MAX (t0_ns, t1_ns);
  span.label = g_ref_string_new_intern (valid);
  span.style = style >= 0 ? style : (int)self->spans->len;
  g_array_append_val (self->spans, span);
  self->now = MAX (self->now, MAX (t0_ns, t1_ns));
  changed (self);
  return self->spans->len - 1;
}

void
ov_time_chart_set_span_end (OvTimeChart *self, guint span, gint64 t1_ns)
{
  OvSpan *s;

  g_return_if_fail (OV_IS_TIME_CHART (self) && span < self->spans->len);

  s = ov_time_chart_span (self, span);
  t1_ns = t1_ns < 0 ? -1 : MAX (s->t0, t1_ns);
  if (s->t1 == t1_ns)
    return;
  s->t1 = t1_ns;
  self->now = MAX (self->now, t1_ns);
  changed (self);
}

void
ov_time_chart_set_span_mean (OvTimeChart *self, guint span, guint panel, double mean)
{
  OvSpan *s;

  g_return_if_fail (OV_IS_TIME_CHART (self) && span < self->spans->len);
  g_return_if_fail (panel < self->panels->len);

  s = ov_time_chart_span (self, span);
  if (!isfinite (mean))
    mean = NAN;
  if (panel >= s->n_means)
    {
      s->means = g_renew (double, s->means, panel + 1);
      while (s->n_means <= panel)
        s->means[s->n_means++] = NAN;
    }
  if (s->means[panel] == mean || (isnan (s->means[panel]) && isnan (mean)))
    return;
  s->means[panel] = mean;
  changed (self);
}

void
ov_time_chart_set_span_partial (OvTimeChart *self, guint span, gboolean partial)
{
  g_return_if_fail (OV_IS_TIME_CHART (self) && span < self->spans->len);

  if (ov_time_chart_span (self, span)->partial == (partial != FALSE))
    return;
  ov_time_chart_span (self, span)->partial = partial != FALSE;
  changed (self);
}

guint
ov_time_chart_get_n_spans (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), 0);

  return self->spans->len;
}

gint64
ov_time_chart_span_end (OvTimeChart *self, const OvSpan *span)
{
  return span->t1 < 0 ? MAX (self->now, span->t0) : span->t1;
}

double
ov_time_chart_span_mean (const OvSpan *span, guint panel)
{
  return panel < span->n_means ? span->means[panel] : NAN;
}

guint
ov_time_chart_find_span (OvTimeChart *self, gint64 t)
{
  guint lo = 0;
  guint hi = self->spans->len;

  while (lo < hi)
    {
      guint mid = lo + (hi - lo) / 2;

      if (ov_time_chart_span_end (self, ov_time_chart_span (self, mid)) < t)
        lo = mid + 1;
      else
        hi = mid;
    }
  return lo;
}

gboolean
ov_time_chart_panel_by_span (OvTimeChart *self, guint panel)
{
  GPtrArray *traces = ov_time_chart_panel (self, panel)->traces;

  for (guint i = 0; i < traces->len; i++)
    if (((OvTrace *)g_ptr_array_index (traces, i))->kind == OV_TRACE_BY_SPAN)
      return TRUE;
  return FALSE;
}

void
ov_time_chart_set_window (OvTimeChart *self, gint64 length_ns)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  length_ns = MAX (0, length_ns);
  if (self->window == length_ns)
    return;
  self->window = length_ns;
  changed (self);
}

gint64
ov_time_chart_get_window (OvTimeChart *self)
{
  g_return_val_if_fail (OV_IS_TIME_CHART (self), 0);

  return self->window;
}

void
ov_time_chart_set_cursor (OvTimeChart *self, gint64 t_ns)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  t_ns = MAX (t_ns, -1);
  if (self->cursor == t_ns)
    return;
  self->cursor = t_ns;
  changed (self);
}

void
ov_time_chart_set_bracket (OvTimeChart *self, gint64 t0_ns, gint64 t1_ns)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  if (t1_ns <= t0_ns)
    t0_ns = t1_ns = 0;
  if (self->bracket_t0 == t0_ns && self->bracket_t1 == t1_ns)
    return;
  self->bracket_t0 = t0_ns;
  self->bracket_t1 = t1_ns;
  changed (self);
}

void
ov_time_chart_clear (OvTimeChart *self)
{
  g_return_if_fail (OV_IS_TIME_CHART (self));

  for (guint p = 0; p < self->panels->len; p++)
    for (guint i = 0; i < ov_time_chart_panel (self, p)->traces->len; i++)
      {
        OvTrace *trace = ov_time_chart_trace (self, p, i);

        ov_samples_clear (trace->samples);
        if (trace->own != trace->samples)
          ov_samples_clear (trace->own);
        trace->newest = 0;
        trace->newest_t = G_MININT64;
      }
  g_array_set_size (self->spans, 0);
  self->now = 0;
  self->cursor = -1;
  self->bracket_t0 = 0;
  self->bracket_t1 = 0;
  changed (self);
}

static void
draw (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_time_chart_draw (OV_TIME_CHART (drawable), cr, width, height, theme);
}

static char *
describe (OvDrawable *drawable)
{
  return ov_time_chart_describe (OV_TIME_CHART (drawable));
}

static OvTable *
get_table (OvDrawable *drawable)
{
  return ov_time_chart_get_table (OV_TIME_CHART (drawable));
}

static const char *
get_title (OvDrawable *drawable)
{
  return OV_TIME_CHART (drawable)->title;
}

static void
get_natural_size (OvDrawable *drawable, double *width, double *height)
{
  OvTimeChart *self = OV_TIME_CHART (drawable);
  double weight = 0;

  for (guint i = 0; i < self->panels->len; i++)
    if (ov_time_chart_panel (self, i)->visible)
      weight += ov_time_chart_panel (self, i)->weight;
  /* Wide enough that every run's name has its key beside title and unit. */
  *width
      = CLAMP (ceil (ov_time_chart_span_keys_width (self, ov_theme_get (OV_THEME_PRINT, 1))) + 220,
               880, 1600);
  *height = 70 + 150 * CLAMP (weight, 1, 8);
}

static void
ov_time_chart_drawable_init (OvDrawableInterface *iface)
{
  iface->draw = draw;
  iface->describe = describe;
  iface->get_table = get_table;
  iface->get_title = get_title;
  iface->get_natural_size = get_natural_size;
}
