// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChart: the data and its setters. Layout, drawing and description stand in ov-chart-layout.c,
 * ov-chart-draw.c and ov-chart-describe.c.
 *
 * Every setter compares first and ends in `changed`, which drops what was computed from the data.
 */
#include "config.h"

#include <math.h>

#include "chart/ov-chart-private.h"

static void ov_chart_drawable_init (OvDrawableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvChart, ov_chart, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OV_TYPE_DRAWABLE, ov_chart_drawable_init))

static void
series_free (gpointer data)
{
  OvChartSeries *series = data;

  g_free (series->label);
  g_array_unref (series->points);
  g_free (series);
}

static void
changed (OvChart *self)
{
  g_clear_pointer (&self->layout, ov_chart_layout_free);
  g_clear_pointer (&self->table, ov_table_unref);
  ov_drawable_changed (OV_DRAWABLE (self));
}

static void
ov_chart_finalize (GObject *object)
{
  OvChart *self = OV_CHART (object);

  g_clear_pointer (&self->layout, ov_chart_layout_free);
  g_clear_pointer (&self->table, ov_table_unref);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->note);
  ov_axis_free (self->x_axis);
  ov_axis_free (self->y_axis);
  g_ptr_array_unref (self->series);
  G_OBJECT_CLASS (ov_chart_parent_class)->finalize (object);
}

static void
ov_chart_class_init (OvChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_chart_finalize;
}

static void
ov_chart_init (OvChart *self)
{
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  self->note = g_strdup ("");
  self->x_axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_NONE);
  self->y_axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_NONE);
  self->series = g_ptr_array_new_with_free_func (series_free);
  self->highlight = -1;
}

OvChart *
ov_chart_new (void)
{
  return g_object_new (OV_TYPE_CHART, NULL);
}

static void
set_text (OvChart *self, char **where, const char *text)
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
ov_chart_set_title (OvChart *self, const char *title)
{
  g_return_if_fail (OV_IS_CHART (self));

  set_text (self, &self->title, title);
}

void
ov_chart_set_subtitle (OvChart *self, const char *subtitle)
{
  g_return_if_fail (OV_IS_CHART (self));

  set_text (self, &self->subtitle, subtitle);
}

void
ov_chart_set_note (OvChart *self, const char *note)
{
  g_return_if_fail (OV_IS_CHART (self));

  set_text (self, &self->note, note);
}

static void
set_axis (OvChart *self, OvAxis **where, const OvAxis *axis)
{
  if (ov_axis_equal (*where, axis))
    return;
  ov_axis_free (*where);
  *where = ov_axis_copy (axis);
  changed (self);
}

void
ov_chart_set_x_axis (OvChart *self, const OvAxis *axis)
{
  g_return_if_fail (OV_IS_CHART (self) && axis != NULL);

  set_axis (self, &self->x_axis, axis);
}

void
ov_chart_set_y_axis (OvChart *self, const OvAxis *axis)
{
  g_return_if_fail (OV_IS_CHART (self) && axis != NULL);

  set_axis (self, &self->y_axis, axis);
}

const char *
ov_chart_get_title (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  return self->title;
}

const char *
ov_chart_get_subtitle (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  return self->subtitle;
}

const char *
ov_chart_get_note (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  return self->note;
}

const OvAxis *
ov_chart_get_x_axis (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  return self->x_axis;
}

const OvAxis *
ov_chart_get_y_axis (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), NULL);

  return self->y_axis;
}

OvChartSeries *
ov_chart_series (OvChart *self, guint series)
{
  return g_ptr_array_index (self->series, series);
}

guint
ov_chart_add_series (OvChart *self, OvChartSeriesKind kind, const char *label, int style)
{
  OvChartSeries *series;

  g_return_val_if_fail (OV_IS_CHART (self), 0);

  series = g_new0 (OvChartSeries, 1);
  series->kind = kind;
  series->label = g_utf8_make_valid (label != NULL ? label : "", -1);
  series->style = MAX (style, -1);
  series->visible = TRUE;
  series->points = g_array_new (FALSE, FALSE, sizeof (OvChartPoint));
  g_ptr_array_add (self->series, series);
  changed (self);
  return self->series->len - 1;
}

guint
ov_chart_get_n_series (OvChart *self)
{
  g_return_val_if_fail (OV_IS_CHART (self), 0);

  return self->series->len;
}

const char *
ov_chart_get_series_label (OvChart *self, guint series)
{
  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len, NULL);

  return ov_chart_series (self, series)->label;
}

int
ov_chart_get_series_style (OvChart *self, guint series)
{
  OvChartSeries *s;

  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len, 0);

  s = ov_chart_series (self, series);
  return s->style < 0 && s->kind != OV_CHART_REFERENCE ? (int)series : s->style;
}

OvChartSeriesKind
ov_chart_get_series_kind (OvChart *self, guint series)
{
  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len, OV_CHART_LINE);

  return ov_chart_series (self, series)->kind;
}

void
ov_chart_set_series_label (OvChart *self, guint series, const char *label)
{
  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);

  set_text (self, &ov_chart_series (self, series)->label, label);
}

void
ov_chart_set_series_visible (OvChart *self, guint series, gboolean visible)
{
  OvChartSeries *s;

  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);

  s = ov_chart_series (self, series);
  if (s->visible == (visible != FALSE))
    return;
  s->visible = visible != FALSE;
  changed (self);
}

gboolean
ov_chart_get_series_visible (OvChart *self, guint series)
{
  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len, FALSE);

  return ov_chart_series (self, series)->visible;
}

void
ov_chart_set_series_own_scale (OvChart *self, guint series, guint group)
{
  OvChartSeries *s;

  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);

  s = ov_chart_series (self, series);
  g_return_if_fail (s->kind != OV_CHART_LINE || group == 0);
  if (s->own_scale == group)
    return;
  s->own_scale = group;
  changed (self);
}

void
ov_chart_set_series_column (OvChart *self, guint series, guint column)
{
  OvChartSeries *s;

  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);

  s = ov_chart_series (self, series);
  g_return_if_fail (!ov_chart_series_is_line (s));
  if (s->column == column)
    return;
  s->column = column;
  changed (self);
}

void
ov_chart_set_series_pale (OvChart *self, guint series, gboolean pale)
{
  OvChartSeries *s;

  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);

  s = ov_chart_series (self, series);
  g_return_if_fail (!ov_chart_series_is_line (s));
  if (s->pale == (pale != FALSE))
    return;
  s->pale = pale != FALSE;
  changed (self);
}

/* The place of x: TRUE if there is a point of that x at *place, else *place is where it belongs. */
static gboolean
find_place (const OvChartSeries *series, double x, guint *place)
{
  guint lo = 0;
  guint hi = series->points->len;

  while (lo < hi)
    {
      guint mid = lo + (hi - lo) / 2;

      if (g_array_index (series->points, OvChartPoint, mid).x < x)
        lo = mid + 1;
      else
        hi = mid;
    }
  *place = lo;
  return lo < series->points->len && g_array_index (series->points, OvChartPoint, lo).x == x;
}

int
ov_chart_find_point (const OvChartSeries *series, double x)
{
  guint place;

  return find_place (series, x, &place) ? (int)place : -1;
}

static gboolean
same_value (double a, double b)
{
  return isnan (a) ? isnan (b) : a == b;
}

static gboolean
same_point (const OvChartPoint *a, const OvChartPoint *b)
{
  return a->x == b->x && same_value (a->y, b->y) && same_value (a->lo, b->lo)
         && same_value (a->hi, b->hi) && a->state == b->state;
}

/* Infinite is missing; an interval needs both ends. */
static OvChartPoint
clean_point (const OvChartPoint *point)
{
  OvChartPoint p = *point;

  if (!isfinite (p.y))
    p.y = NAN;
  if (isnan (p.y) || !isfinite (p.lo) || !isfinite (p.hi) || p.lo > p.hi)
    {
      p.lo = NAN;
      p.hi = NAN;
    }
  return p;
}

static gboolean
put_point (OvChartSeries *series, const OvChartPoint *point)
{
  OvChartPoint p = clean_point (point);
  guint place;

  if (!isfinite (p.x))
    return FALSE;
  if (find_place (series, p.x, &place))
    {
      OvChartPoint *old = &g_array_index (series->points, OvChartPoint, place);

      if (same_point (old, &p))
        return FALSE;
      *old = p;
      return TRUE;
    }
  g_array_insert_val (series->points, place, p);
  return TRUE;
}

void
ov_chart_set_point (OvChart *self, guint series, const OvChartPoint *point)
{
  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len && point != NULL);

  if (put_point (ov_chart_series (self, series), point))
    changed (self);
}

void
ov_chart_set_points (OvChart *self, guint series, const OvChartPoint *points, guint n_points)
{
  OvChartSeries *s;
  g_autoptr (GArray) old = NULL;
  gboolean same;

  g_return_if_fail (OV_IS_CHART (self) && series < self->series->len);
  g_return_if_fail (points != NULL || n_points == 0);

  s = ov_chart_series (self, series);
  old = s->points;
  s->points = g_array_sized_new (FALSE, FALSE, sizeof (OvChartPoint), n_points);
  for (guint i = 0; i < n_points; i++)
    put_point (s, &points[i]);
  same = s->points->len == old->len;
  for (guint i = 0; same && i < old->len; i++)
    same = same_point (&g_array_index (old, OvChartPoint, i),
                       &g_array_index (s->points, OvChartPoint, i));
  if (!same)
    changed (self);
}

void
ov_chart_set_value (OvChart *self, guint series, double x, double y)
{
  OvChartPoint point = { x, y, NAN, NAN, OV_CHART_POINT_DONE };

  ov_chart_set_point (self, series, &point);
}

guint
ov_chart_get_n_points (OvChart *self, guint series)
{
  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len, 0);

  return ov_chart_series (self, series)->points->len;
}

gboolean
ov_chart_get_point (OvChart *self, guint series, guint point, OvChartPoint *out)
{
  OvChartSeries *s;

  g_return_val_if_fail (OV_IS_CHART (self) && series < self->series->len && out != NULL, FALSE);

  s = ov_chart_series (self, series);
  if (point >= s->points->len)
    return FALSE;
  *out = g_array_index (s->points, OvChartPoint, point);
  return TRUE;
}

void
ov_chart_clear (OvChart *self)
{
  g_return_if_fail (OV_IS_CHART (self));

  if (self->series->len == 0)
    return;
  g_ptr_array_set_size (self->series, 0);
  self->has_cursor = FALSE;
  self->highlight = -1;
  changed (self);
}

void
ov_chart_set_highlight (OvChart *self, int series)
{
  g_return_if_fail (OV_IS_CHART (self));

  if (series < 0 || (guint)series >= self->series->len)
    series = -1;
  if (self->highlight == series)
    return;
  self->highlight = series;
  changed (self);
}

void
ov_chart_set_cursor (OvChart *self, const OvChartHit *hit)
{
  gboolean has;

  g_return_if_fail (OV_IS_CHART (self));

  has = hit != NULL && hit->series < self->series->len;
  if (!has && !self->has_cursor)
    return;
  if (has && self->has_cursor && hit->series == self->cursor.series
      && hit->point == self->cursor.point)
    return;
  self->has_cursor = has;
  if (has)
    self->cursor = *hit;
  changed (self);
}

gboolean
ov_chart_series_is_line (const OvChartSeries *series)
{
  return series->kind == OV_CHART_LINE || series->kind == OV_CHART_REFERENCE;
}

/* References have no colour and no marker of their own, so the pattern alone tells them apart: one
 * is made of dots, the others of dashes that differ in length or in what stands between them. In
 * pixels at a line width of 1.8; a key of a legend shows each nearly twice. */
static const double reference_dashes[][OV_MAX_DASH_PARTS] = {
  { 1.2, 2.8 },             /* dotted */
  { 5, 3.4 },               /* dashed */
  { 6, 2.2, 1.4, 2.2 },     /* dash dot */
  { 11, 3.4 },              /* long */
  { 5, 2, 1.4, 2, 1.4, 2 }, /* dash dot dot */
  { 10, 2.2, 4, 2.2 },      /* long short */
};

void
ov_chart_series_style (OvChart *self, guint series, const OvTheme *theme, OvSeriesStyle *style)
{
  OvChartSeries *s = ov_chart_series (self, series);
  guint before = 0;
  const double *dashes;

  ov_theme_get_style (theme, s->style >= 0 ? (guint)s->style : series, style);
  if (s->kind != OV_CHART_REFERENCE)
    return;
  if (s->style < 0)
    {
      style->line = theme->dim_text;
      style->text = theme->dim_text;
    }
  for (guint i = 0; i < series; i++)
    before += ov_chart_series (self, i)->kind == OV_CHART_REFERENCE;
  dashes = reference_dashes[before % G_N_ELEMENTS (reference_dashes)];
  style->n_dashes = 0;
  for (guint i = 0; i < OV_MAX_DASH_PARTS && dashes[i] > 0; i++)
    style->dashes[style->n_dashes++] = dashes[i] * theme->line_width / 1.8;
}

static void
draw (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_chart_draw (OV_CHART (drawable), cr, width, height, theme);
}

static char *
describe (OvDrawable *drawable)
{
  return ov_chart_describe (OV_CHART (drawable));
}

static OvTable *
get_table (OvDrawable *drawable)
{
  return ov_chart_get_table (OV_CHART (drawable));
}

static const char *
get_title (OvDrawable *drawable)
{
  return OV_CHART (drawable)->title;
}

static void
get_natural_size (OvDrawable *drawable, double *width, double *height)
{
  *width = 720;
  *height = 450;
}

static void
ov_chart_drawable_init (OvDrawableInterface *iface)
{
  iface->draw = draw;
  iface->describe = describe;
  iface->get_table = get_table;
  iface->get_title = get_title;
  iface->get_natural_size = get_natural_size;
}
