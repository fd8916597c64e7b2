// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvHeatChart: cells, words and picture. The background is painted anew only when the ranges or
 * texts change; the time axis grows in steps, so that a live chart seldom does.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "chart/ov-heat-chart.h"
#include "chart/ov-number.h"
#include "chart/ov-paint.h"
#include "chart/ov-raster.h"
#include "chart/ov-scale.h"
#include "chart/ov-text.h"

/* A cell with one value has this share of the full colour. */
#define FAINTEST 0.32

struct _OvHeatChart
{
  GObject parent_instance;

  char *title;
  char *subtitle;
  char *note;
  char *unit;
  OvAxis *axis;
  int style;

  gint64 step;
  guint n_columns;
  guint n_rows;
  double *edges;
  guint64 *cells;
  guint64 count;
  guint64 fullest;
  guint first_row; /* of the rows that are not empty; first > last: there is none */
  guint last_row;
  int cursor;

  gint64 end; /* of the time axis */
  guint back_serial;
  const OvTheme *last_theme;
  OvTable *table;
};

static void ov_heat_chart_drawable_init (OvDrawableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvHeatChart, ov_heat_chart, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OV_TYPE_DRAWABLE,
                                                      ov_heat_chart_drawable_init))

static void
changed (OvHeatChart *self)
{
  g_clear_pointer (&self->table, ov_table_unref);
  ov_drawable_changed (OV_DRAWABLE (self));
}

static void
ov_heat_chart_finalize (GObject *object)
{
  OvHeatChart *self = OV_HEAT_CHART (object);

  g_clear_pointer (&self->table, ov_table_unref);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->note);
  g_free (self->unit);
  g_free (self->edges);
  g_free (self->cells);
  ov_axis_free (self->axis);
  G_OBJECT_CLASS (ov_heat_chart_parent_class)->finalize (object);
}

static void
ov_heat_chart_class_init (OvHeatChartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_heat_chart_finalize;
}

static void
ov_heat_chart_init (OvHeatChart *self)
{
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  self->note = g_strdup ("");
  self->unit = g_strdup ("");
  self->step = 1;
  self->first_row = 1;
  self->cursor = -1;
  self->end = 1000000;
  self->back_serial = 1;
}

OvHeatChart *
ov_heat_chart_new (const OvAxis *axis)
{
  OvHeatChart *self = g_object_new (OV_TYPE_HEAT_CHART, NULL);

  self->axis = ov_axis_new (OV_AXIS_LOG10, ov_axis_get_unit (axis));
  ov_axis_set_title (self->axis, ov_axis_get_title (axis));
  return self;
}

static void
set_text (OvHeatChart *self, char **where, const char *text)
{
  if (text == NULL)
    text = "";
  if (strcmp (*where, text) == 0)
    return;
  g_free (*where);
  *where = g_utf8_make_valid (text, -1);
  self->back_serial++;
  changed (self);
}

void
ov_heat_chart_set_title (OvHeatChart *self, const char *title)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  set_text (self, &self->title, title);
}

void
ov_heat_chart_set_subtitle (OvHeatChart *self, const char *subtitle)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  set_text (self, &self->subtitle, subtitle);
}

void
ov_heat_chart_set_note (OvHeatChart *self, const char *note)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  set_text (self, &self->note, note);
}

void
ov_heat_chart_set_unit (OvHeatChart *self, const char *unit)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  set_text (self, &self->unit, unit);
}

void
ov_heat_chart_set_style (OvHeatChart *self, int style)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  if (self->style == style)
    return;
  self->style = style;
  self->back_serial++;
  changed (self);
}

/* 1, 2 or 5 times a power of ten: the next from `ns` on. */
static gint64
round_up (gint64 ns)
{
  static const int steps[] = { 1, 2, 5 };

  for (gint64 power = 1000; power < G_MAXINT64 / 10; power *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      if (power * steps[i] >= ns)
        return power * steps[i];
  return ns;
}

static guint64
cell (const OvHeatChart *self, guint column, guint row)
{
  return self->cells[(gsize)column * self->n_rows + row];
}

void
ov_heat_chart_set_cells (OvHeatChart *self, gint64 step_ns, guint n_columns, guint n_rows,
                         const double *edges, const guint64 *cells)
{
  guint first = self->first_row;
  guint last = self->last_row;
  gint64 end = self->end;

  g_return_if_fail (OV_IS_HEAT_CHART (self) && step_ns > 0 && n_rows > 0);

  g_free (self->edges);
  g_free (self->cells);
  self->step = step_ns;
  self->n_columns = n_columns;
  self->n_rows = n_rows;
  self->edges = g_memdup2 (edges, (n_rows + 1) * sizeof *edges);
  self->cells = g_memdup2 (cells, (gsize)n_columns * n_rows * sizeof *cells);
  self->count = self->fullest = 0;
  self->first_row = 1;
  self->last_row = 0;
  for (guint c = 0; c < n_columns; c++)
    for (guint row = 0; row < n_rows; row++)
      {
        guint64 n = cell (self, c, row);

        if (n == 0)
          continue;
        self->count += n;
        self->fullest = MAX (self->fullest, n);
        self->first_row = self->first_row > self->last_row ? row : MIN (self->first_row, row);
        self->last_row = MAX (self->last_row, row);
      }
  self->end = MAX (step_ns * MAX (n_columns, 1), 1000);
  if (self->end * 2 > round_up (self->end)) /* less than half of it is empty */
    self->end = round_up (self->end);
  if (self->cursor >= (int)n_columns)
    self->cursor = -1;
  if (first != self->first_row || last != self->last_row || end != self->end)
    self->back_serial++;
  changed (self);
}

guint64
ov_heat_chart_get_count (OvHeatChart *self)
{
  g_return_val_if_fail (OV_IS_HEAT_CHART (self), 0);
  return self->count;
}

guint
ov_heat_chart_get_n_columns (OvHeatChart *self)
{
  g_return_val_if_fail (OV_IS_HEAT_CHART (self), 0);
  return self->n_columns;
}

void
ov_heat_chart_set_cursor (OvHeatChart *self, int column)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self));
  column = CLAMP (column, -1, (int)self->n_columns - 1);
  if (self->cursor == column)
    return;
  self->cursor = column;
  changed (self);
}

int
ov_heat_chart_get_cursor (OvHeatChart *self)
{
  g_return_val_if_fail (OV_IS_HEAT_CHART (self), -1);
  return self->cursor;
}

/* ---- In words ------------------------------------------------------------------------------- */

static char *
format_time (gint64 ns)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  return ov_axis_format (axis, (double)ns);
}

static guint64
column_count (const OvHeatChart *self, guint column)
{
  guint64 n = 0;

  for (guint row = 0; row < self->n_rows; row++)
    n += cell (self, column, row);
  return n;
}

/* The upper border of the row in which the part `q` of a column's values is reached. */
static double
column_below (const OvHeatChart *self, guint column, double q)
{
  guint64 n = column_count (self, column);
  guint64 sum = 0;

  for (guint row = 0; row < self->n_rows; row++)
    {
      sum += cell (self, column, row);
      if (sum > 0 && (double)sum >= q * (double)n)
        return self->edges[row + 1];
    }
  return NAN;
}

static char *
format_below (const OvHeatChart *self, guint column, double q)
{
  return ov_axis_format (self->axis, column_below (self, column, q));
}

char *
ov_heat_chart_describe_column (OvHeatChart *self, guint column)
{
  g_autofree char *from = NULL, *to = NULL, *n = NULL, *half = NULL, *all = NULL;

  g_return_val_if_fail (OV_IS_HEAT_CHART (self) && column < self->n_columns, NULL);

  from = format_time (self->step * column);
  to = format_time (self->step * (column + 1));
  n = ov_number_format ((double)column_count (self, column), 15);
  if (column_count (self, column) == 0)
    return g_strdup_printf (_ ("%s to %s: %s %s"), from, to, n, self->unit);
  half = format_below (self, column, 0.5);
  all = format_below (self, column, 1);
  /* Translators: two times, how many, "requests", then two durations */
  return g_strdup_printf (_ ("%s to %s: %s %s, half of them below %s, the slowest below %s"), from,
                          to, n, self->unit, half, all);
}

static char *
describe (OvDrawable *drawable)
{
  OvHeatChart *self = OV_HEAT_CHART (drawable);
  GString *text = g_string_new (NULL);
  g_autofree char *n = ov_number_format ((double)self->count, 15);
  g_autofree char *end = format_time (self->step * self->n_columns);

  if (self->title[0] != '\0')
    g_string_append_printf (text, "%s.\n", self->title);
  if (self->subtitle[0] != '\0')
    g_string_append_printf (text, "%s.\n", self->subtitle);
  /* Translators: how many, "requests", how long */
  g_string_append_printf (text, _ ("%s %s in %s."), n, self->unit, end);
  if (self->first_row <= self->last_row)
    {
      g_autofree char *lo = ov_axis_format (self->axis, self->edges[self->first_row]);
      g_autofree char *hi = ov_axis_format (self->axis, self->edges[self->last_row + 1]);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, _ ("They took between %s and %s."), lo, hi);
    }
  return g_string_free (text, FALSE);
}

static OvTable *
get_table (OvDrawable *drawable)
{
  OvHeatChart *self = OV_HEAT_CHART (drawable);
  OvTable *table;

  if (self->table != NULL)
    return self->table;
  table = ov_table_new (self->title);
  ov_table_take_column (table, g_strdup (_ ("From")));
  ov_table_take_column (table, g_strdup (_ ("To")));
  ov_table_take_column (table, g_strdup (_ ("Number")));
  ov_table_take_column (table, g_strdup (_ ("Half of them below")));
  ov_table_take_column (table, g_strdup (_ ("90 of 100 below")));
  ov_table_take_column (table, g_strdup (_ ("All below")));
  for (guint c = 0; c < self->n_columns; c++)
    {
      guint row = ov_table_add_row (table);

      ov_table_take_cell (table, row, 0, format_time (self->step * c));
      ov_table_take_cell (table, row, 1, format_time (self->step * (c + 1)));
      ov_table_take_cell (table, row, 2, ov_number_format ((double)column_count (self, c), 15));
      ov_table_take_cell (table, row, 3, format_below (self, c, 0.5));
      ov_table_take_cell (table, row, 4, format_below (self, c, 0.9));
      ov_table_take_cell (table, row, 5, format_below (self, c, 1));
    }
  self->table = table;
  return table;
}

/* ---- The picture ---------------------------------------------------------------------------- */

typedef struct
{
  double left;
  double top;
  double width;
  double height;
  double pad;
  gboolean title;
  gboolean note;
  double lo; /* of the axis of sizes */
  double hi;
  OvScale *y;
} Geometry;

static Geometry
make_geometry (OvHeatChart *self, double width, double height, const OvTheme *theme)
{
  double line = ov_text_get_line_height (theme, OV_TEXT_LABEL);
  Geometry g = { .pad = width < 260 || height < 100 ? 6 : 12 };
  gboolean any = self->first_row <= self->last_row;
  double widest = 0;
  double bottom;

  self->last_theme = theme;
  g.title = height > 90 && (self->title[0] != '\0' || self->subtitle[0] != '\0');
  g.note = height > 160 && self->note[0] != '\0';
  g.top = g.pad * 0.75 + (g.title ? ov_text_get_line_height (theme, OV_TEXT_TITLE) + 6 : 0);
  bottom = height - g.pad * 0.5 - (g.note ? line + 4 : 0) - 2 * line - 8;
  g.height = MAX (1, floor (bottom - g.top));
  g.lo = any ? MAX (self->edges[self->first_row], 1) : 1000;
  g.hi = any ? MIN (self->edges[self->last_row + 1], 4e12) : 1000000;
  /* At least a doubling, so that there is an axis at all. */
  g.hi = MAX (g.hi, g.lo * 2);
  g.y = ov_scale_new (self->axis, g.lo, g.hi, (guint)CLAMP (g.height / 26, 2, 9),
                      OV_SCALE_UNIT_LABELS, NULL, 0);
  for (guint i = 0; i < g.y->n_ticks; i++)
    {
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, g.y->ticks[i].label, 0);
      double w;

      ov_text_get_size (text, &w, NULL);
      widest = MAX (widest, w);
    }
  g.left = floor (g.pad + widest + 8);
  g.width = MAX (1, floor (width - g.pad - 8 - g.left));
  return g;
}

static double
map_y (const Geometry *g, double value)
{
  double part = log (CLAMP (value, g->lo, g->hi) / g->lo) / log (g->hi / g->lo);

  return g->top + g->height * (1 - part);
}

static OvColor
cell_color (const OvHeatChart *self, const OvTheme *theme, guint64 n)
{
  OvSeriesStyle style;
  double part = self->fullest > 1 ? log ((double)n) / log ((double)self->fullest) : 1;

  ov_theme_get_style (theme, (guint)self->style, &style);
  return ov_color_mix (&theme->background, &style.line, FAINTEST + (1 - FAINTEST) * part);
}

/* "1 ▁▃▅▇ 812 requests" at the right of the title's row. */
static double
draw_key (OvHeatChart *self, cairo_t *cr, const OvTheme *theme, double right, double baseline)
{
  g_autofree char *most = ov_number_format ((double)MAX (self->fullest, 1), 15);
  g_autofree char *label = g_strdup_printf ("%s %s", most, self->unit);
  g_autoptr (PangoLayout) last = ov_text_line (theme, OV_TEXT_LABEL, label, 0);
  g_autoptr (PangoLayout) one = ov_text_line (theme, OV_TEXT_LABEL, "1", 0);
  double w, h, w1;
  double top = baseline - ov_text_get_baseline (last);

  ov_text_get_size (last, &w, &h);
  ov_text_get_size (one, &w1, NULL);
  ov_text_show (cr, last, &theme->dim_text, right - w, top, 0, 0);
  right = floor (right - w - 6);
  for (guint i = 0; i < 40; i++)
    {
      OvColor color
          = cell_color (self, theme, (guint64)pow ((double)MAX (self->fullest, 1), i / 39.0));

      ov_paint_set_color (cr, &color);
      cairo_rectangle (cr, right - 80 + 2 * i, floor (top + 2), 2, floor (h - 4));
      cairo_fill (cr);
    }
  ov_text_show (cr, one, &theme->dim_text, right - 86 - w1, top, 0, 0);
  return right - 86 - w1 - 14;
}

static void
draw_time_axis (OvHeatChart *self, cairo_t *cr, const OvTheme *theme, const Geometry *g,
                double width)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);
  g_autoptr (OvScale) scale
      = ov_scale_new (axis, 0, (double)self->end, (guint)CLAMP (g->width / 75, 2, 12),
                      OV_SCALE_UNIT_LABELS, NULL, 0);
  double base = g->top + g->height;

  ov_paint_set_color (cr, &theme->axis);
  cairo_set_line_width (cr, 1);
  ov_paint_hline (cr, g->left, g->left + g->width, base);
  cairo_stroke (cr);
  for (guint i = 0; i < scale->n_ticks; i++)
    {
      double x = g->left + scale->ticks[i].value / (double)self->end * g->width;
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, scale->ticks[i].label, 0);
      double w;

      ov_paint_set_color (cr, &theme->axis);
      ov_paint_vline (cr, MIN (x, g->left + g->width - 1), base, base + 4);
      cairo_stroke (cr);
      ov_text_get_size (text, &w, NULL);
      ov_text_show (cr, text, &theme->dim_text, CLAMP (x - w / 2, 2, MAX (2, width - 2 - w)),
                    base + 5, 0, 0);
    }
}

static void
draw_back (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  OvHeatChart *self = OV_HEAT_CHART (drawable);
  Geometry g;

  ov_paint_set_color (cr, &theme->background);
  cairo_paint (cr);
  ov_paint_set_dash (cr, NULL);
  if (width < 24 || height < 24)
    return;
  g = make_geometry (self, width, height, theme);
  if (g.title)
    {
      g_autoptr (PangoLayout) title
          = ov_text_line (theme, OV_TEXT_TITLE, self->title, width - 2 * g.pad);
      g_autoptr (PangoLayout) subtitle = NULL;
      double baseline = g.pad * 0.75 + ov_text_get_baseline (title);
      double w;

      ov_text_show (cr, title, &theme->text, g.pad, g.pad * 0.75, 0, 0);
      ov_text_get_size (title, &w, NULL);
      subtitle = ov_text_line (theme, OV_TEXT_LABEL, self->subtitle,
                               MAX (1, width - 2 * g.pad - w - 250));
      if (width > 460)
        ov_text_show (cr, subtitle, &theme->dim_text, g.pad + w + 12,
                      baseline - ov_text_get_baseline (subtitle), 0, 0);
    }
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < g.y->n_ticks; i++)
    {
      double y = map_y (&g, g.y->ticks[i].value);
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_LABEL, g.y->ticks[i].label, 0);

      if (g.y->ticks[i].value < g.lo || g.y->ticks[i].value > g.hi)
        continue;
      ov_paint_set_color (cr, &theme->grid);
      ov_paint_hline (cr, g.left, g.left + g.width, y);
      cairo_stroke (cr);
      ov_text_show (cr, text, &theme->dim_text, g.left - 7, floor (y) + 0.5, 1, 0.5);
    }
  draw_time_axis (self, cr, theme, &g, width);
  if (g.note)
    {
      g_autoptr (PangoLayout) text = ov_text_line (theme, OV_TEXT_SMALL, self->note, width - 24);

      ov_text_show (cr, text, &theme->dim_text, g.pad, height - g.pad * 0.75, 0, 1);
    }
  ov_scale_free (g.y);
}

static void
draw_cells (OvHeatChart *self, cairo_t *cr, OvRaster *raster, double scale, const Geometry *g,
            const OvTheme *theme)
{
  double column = (double)self->step / (double)self->end * g->width;

  for (guint c = 0; c < self->n_columns; c++)
    for (guint row = self->first_row; row <= self->last_row; row++)
      {
        guint64 n = cell (self, c, row);
        double x0 = g->left + c * column;
        double y0 = map_y (g, self->edges[row + 1]);
        double y1 = map_y (g, self->edges[row]);
        OvColor color;

        if (n == 0)
          continue;
        color = cell_color (self, theme, n);
        if (raster != NULL)
          ov_raster_box (raster, x0 * scale, y0 * scale, (x0 + column) * scale, y1 * scale, &color);
        else
          {
            ov_paint_set_color (cr, &color);
            cairo_rectangle (cr, x0, y0, column, y1 - y0);
            cairo_fill (cr);
          }
      }
}

static void
draw_front (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme,
            cairo_surface_t *pixels, double scale)
{
  OvHeatChart *self = OV_HEAT_CHART (drawable);
  g_autofree char *status = NULL;
  g_autoptr (PangoLayout) text = NULL;
  Geometry g;

  if (width < 24 || height < 24)
    return;
  g = make_geometry (self, width, height, theme);
  if (pixels != NULL)
    {
      OvRaster raster;

      cairo_surface_flush (pixels);
      ov_raster_init (&raster, pixels);
      draw_cells (self, cr, &raster, scale, &g, theme);
      ov_raster_clear (&raster);
      cairo_surface_mark_dirty (pixels);
    }
  else
    draw_cells (self, cr, NULL, 1, &g, theme);
  if (g.title && width > 330)
    draw_key (self, cr, theme, width - g.pad, g.pad * 0.75 + theme->title_size);
  if (self->cursor >= 0)
    {
      double column = (double)self->step / (double)self->end * g.width;

      ov_paint_set_color (cr, &theme->accent);
      cairo_set_line_width (cr, 1);
      ov_paint_vline (cr, g.left + (self->cursor + 0.5) * column, g.top, g.top + g.height + 4);
      cairo_stroke (cr);
      status = ov_heat_chart_describe_column (self, (guint)self->cursor);
    }
  else
    {
      g_autofree char *n = ov_number_format ((double)self->count, 15);

      status = g_strdup_printf ("%s %s", n, self->unit);
    }
  text = ov_text_line (theme, OV_TEXT_SMALL, status, width - 12);
  ov_text_show (cr, text, self->cursor >= 0 ? &theme->accent : &theme->dim_text, g.left,
                g.top + g.height + ov_text_get_line_height (theme, OV_TEXT_LABEL) + 6, 0, 0);
  ov_scale_free (g.y);
}

void
ov_heat_chart_draw (OvHeatChart *self, cairo_t *cr, double width, double height,
                    const OvTheme *theme)
{
  g_return_if_fail (OV_IS_HEAT_CHART (self) && cr != NULL && theme != NULL);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, MAX (0, width), MAX (0, height));
  cairo_clip (cr);
  draw_back (OV_DRAWABLE (self), cr, width, height, theme);
  draw_front (OV_DRAWABLE (self), cr, width, height, theme, NULL, 1);
  cairo_restore (cr);
}

gboolean
ov_heat_chart_pick (OvHeatChart *self, double width, double height, double x, double y,
                    guint *column, guint *row)
{
  Geometry g;
  double c;
  gboolean inside;

  g_return_val_if_fail (OV_IS_HEAT_CHART (self) && column != NULL && row != NULL, FALSE);

  if (width < 24 || height < 24 || self->first_row > self->last_row)
    return FALSE;
  g = make_geometry (self, width, height,
                     self->last_theme != NULL ? self->last_theme
                                              : ov_theme_get (OV_THEME_LIGHT, 1));
  c = (x - g.left) / g.width * (double)self->end / (double)self->step;
  inside = x >= g.left && c < self->n_columns && y >= g.top && y <= g.top + g.height;
  *column = inside ? (guint)c : 0;
  for (*row = self->first_row; inside && *row < self->last_row; (*row)++)
    if (y >= map_y (&g, self->edges[*row + 1]))
      break;
  ov_scale_free (g.y);
  return inside;
}

static void
draw (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_heat_chart_draw (OV_HEAT_CHART (drawable), cr, width, height, theme);
}

static const char *
get_title (OvDrawable *drawable)
{
  return OV_HEAT_CHART (drawable)->title;
}

static void
get_natural_size (OvDrawable *drawable, double *width, double *height)
{
  *width = 880;
  *height = 320;
}

static guint
get_back_serial (OvDrawable *drawable)
{
  return OV_HEAT_CHART (drawable)->back_serial;
}

static void
ov_heat_chart_drawable_init (OvDrawableInterface *iface)
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
