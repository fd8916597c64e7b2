// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLatency: `rows` are the histograms that the lines were made of.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-events.h"
#include "report/ov-latency.h"
#include "report/ov-report.h"

#define HEAT_COLUMNS 200

static const double quantiles[] = { 0.5, 0.9, 0.99, 0.999, 0.9999 };

typedef struct
{
  char *label;
  OvHistogram *histogram;
} Row;

struct _OvLatency
{
  GObject parent_instance;

  OvChart *chart;
  GPtrArray *rows; /* of Row */
  OvTable *table;
};

static void ov_latency_drawable_init (OvDrawableInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OvLatency, ov_latency, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OV_TYPE_DRAWABLE, ov_latency_drawable_init))

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->label);
  g_free (row->histogram);
  g_free (row);
}

static void
ov_latency_finalize (GObject *object)
{
  OvLatency *self = OV_LATENCY (object);

  g_signal_handlers_disconnect_by_data (self->chart, self);
  g_object_unref (self->chart);
  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->table, ov_table_unref);
  G_OBJECT_CLASS (ov_latency_parent_class)->finalize (object);
}

static void
ov_latency_class_init (OvLatencyClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_latency_finalize;
}

static void
ov_latency_init (OvLatency *self)
{
  g_autoptr (OvAxis) x = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_DURATION);
  g_autoptr (OvAxis) y = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_PERCENT);

  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->chart = ov_chart_new ();
  ov_axis_set_title (x, _ ("time of a request"));
  ov_axis_set_range (y, 0, 100);
  ov_chart_set_title (self->chart, _ ("Latency"));
  ov_chart_set_subtitle (self->chart, _ ("of all requests that took at most so long"));
  ov_chart_set_x_axis (self->chart, x);
  ov_chart_set_y_axis (self->chart, y);
  g_signal_connect_swapped (self->chart, "changed", G_CALLBACK (ov_drawable_changed), self);
}

OvLatency *
ov_latency_new (void)
{
  return g_object_new (OV_TYPE_LATENCY, NULL);
}

OvChart *
ov_latency_get_chart (OvLatency *self)
{
  g_return_val_if_fail (OV_IS_LATENCY (self), NULL);
  return self->chart;
}

gboolean
ov_latency_has_data (OvLatency *self)
{
  g_return_val_if_fail (OV_IS_LATENCY (self), FALSE);
  return self->rows->len > 0;
}

/* ---- From runs to lines --------------------------------------------------------------------- */

/* Adds `from` to the row called `label`, which is made if need be. */
static Row *
add_histogram (OvLatency *self, const char *label, const OvHistogram *from)
{
  Row *row;

  if (from == NULL || ov_histogram_count (from) == 0)
    return NULL;
  for (guint i = 0; i < self->rows->len; i++)
    {
      row = g_ptr_array_index (self->rows, i);
      if (g_str_equal (row->label, label))
        {
          ov_histogram_merge (row->histogram, from);
          return NULL;
        }
    }
  row = g_new0 (Row, 1);
  row->label = g_strdup (label);
  row->histogram = g_new (OvHistogram, 1);
  ov_histogram_init (row->histogram);
  ov_histogram_merge (row->histogram, from);
  g_ptr_array_add (self->rows, row);
  return row;
}

/* The share of all values up to the end of each bucket. */
static void
add_line (OvLatency *self, const Row *row, guint series)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OvChartPoint));
  const OvHistogram *h = row->histogram;
  guint64 sum = 0;
  guint position = 0;
  guint index;
  guint64 count;

  while (ov_histogram_next (h, &position, &index, &count))
    {
      guint64 lower, upper;
      OvChartPoint point = { .lo = NAN, .hi = NAN };

      ov_histogram_bucket_bounds (index, &lower, &upper);
      if (sum == 0)
        {
          point.x = (double)MAX (ov_histogram_min (h), 1);
          g_array_append_val (points, point);
        }
      sum += count;
      point.x = (double)CLAMP (upper - 1, 1, ov_histogram_max (h));
      point.y = 100 * (double)sum / (double)ov_histogram_count (h);
      if (points->len > 0 && g_array_index (points, OvChartPoint, points->len - 1).x >= point.x)
        g_array_set_size (points, points->len - 1);
      g_array_append_val (points, point);
    }
  if (ov_histogram_overflow (h) > 0)
    {
      OvChartPoint point = { (double)ov_histogram_max (h), 100, NAN, NAN, OV_CHART_POINT_DONE };

      g_array_append_val (points, point);
    }
  ov_chart_set_points (self->chart, series, (OvChartPoint *)(gpointer)points->data, points->len);
}

static gboolean
belongs (const OvRun *run, const OvRun *like)
{
  return run->spec->x == like->spec->x && g_strcmp0 (run->spec->target, like->spec->target) == 0;
}

void
ov_latency_show (OvLatency *self, const OvResult *result, const OvRun *run)
{
  int highlight = -1;

  g_return_if_fail (OV_IS_LATENCY (self));

  g_ptr_array_set_size (self->rows, 0);
  g_clear_pointer (&self->table, ov_table_unref);
  ov_chart_set_highlight (self->chart, -1);
  ov_chart_clear (self->chart);
  for (guint i = 0; run != NULL && i < result->runs->len; i++)
    {
      const OvRun *other = g_ptr_array_index (result->runs, i);
      g_autofree OvHistogram *latency = NULL;
      g_autofree OvHistogram *submit = NULL;
      g_autofree char *submitting = NULL;

      if (!belongs (other, run))
        continue;
      /* Translators: a strategy; the time within the call that submits its requests */
      submitting = g_strdup_printf (_ ("%s, submitting"), other->spec->variant);
      /* What was missed is late, too. */
      latency = ov_run_lateness (other);
      if (latency == NULL)
        latency = ov_run_dup_latency (other);
      submit = ov_run_dup_submit_latency (other);
      add_histogram (self, other->spec->variant, latency);
      add_histogram (self, submitting, submit);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = g_ptr_array_index (self->rows, i);
      gboolean own = g_str_equal (row->label, run->spec->variant);
      guint series = ov_chart_add_series (self->chart, OV_CHART_LINE, row->label,
                                          ov_report_style (result->experiment, row->label));

      add_line (self, row, series);
      if (own)
        highlight = (int)series;
    }
  if (self->rows->len > 2)
    ov_chart_set_highlight (self->chart, highlight);
  ov_drawable_changed (OV_DRAWABLE (self));
}

/* ---- Percentiles ---------------------------------------------------------------------------- */

static char *
format_ns (guint64 ns)
{
  return ov_duration_format ((double)ns / 1e9);
}

/* The quantile, or how many requests it takes. */
static char *
format_quantile (const OvHistogram *histogram, double q)
{
  g_autofree char *needed = NULL;

  if (ov_histogram_has_quantile (histogram, q))
    {
      g_autofree char *value = format_ns (ov_histogram_quantile (histogram, q));

      return g_strdup_printf (ov_histogram_quantile_is_bound (histogram, q) ? "≤ %s" : "%s", value);
    }
  needed = ov_count_format ((guint64)llround (1 / (1 - q)));
  /* Translators: shown for a percentile; how many requests it takes */
  return g_strdup_printf (_ ("needs %s requests"), needed);
}

static OvTable *
get_table (OvDrawable *drawable)
{
  OvLatency *self = OV_LATENCY (drawable);
  OvTable *table;

  if (self->table != NULL)
    return self->table;
  table = ov_table_new (ov_chart_get_title (self->chart));
  ov_table_take_column (table, g_strdup (_ ("Strategy")));
  ov_table_take_column (table, g_strdup (_ ("Requests")));
  ov_table_take_column (table, g_strdup (_ ("Shortest")));
  for (guint i = 0; i < G_N_ELEMENTS (quantiles); i++)
    /* Translators: a percentile */
    ov_table_take_column (table, g_strdup_printf (_ ("%g %%"), quantiles[i] * 100));
  ov_table_take_column (table, g_strdup (_ ("Longest")));
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = g_ptr_array_index (self->rows, i);
      guint at = ov_table_add_row (table);

      ov_table_take_cell (table, at, 0, g_strdup (row->label));
      ov_table_take_cell (table, at, 1, ov_count_format (ov_histogram_count (row->histogram)));
      ov_table_take_cell (table, at, 2, format_ns (ov_histogram_min (row->histogram)));
      for (guint k = 0; k < G_N_ELEMENTS (quantiles); k++)
        ov_table_take_cell (table, at, 3 + k, format_quantile (row->histogram, quantiles[k]));
      ov_table_take_cell (table, at, 3 + G_N_ELEMENTS (quantiles),
                          format_ns (ov_histogram_max (row->histogram)));
    }
  self->table = table;
  return table;
}

static char *
describe (OvDrawable *drawable)
{
  OvTable *table = get_table (drawable);
  GString *text = g_string_new (ov_chart_get_title (OV_LATENCY (drawable)->chart));

  g_string_append_c (text, '.');
  for (guint row = 0; row < ov_table_get_n_rows (table); row++)
    for (guint c = 0; c < ov_table_get_n_columns (table); c++)
      g_string_append_printf (text, c == 0 ? "\n%s%s:" : " %s %s;",
                              c == 0 ? "" : ov_table_get_header (table, c),
                              ov_table_get_cell (table, row, c));
  return g_string_free (text, FALSE);
}

static void
draw (OvDrawable *drawable, cairo_t *cr, double width, double height, const OvTheme *theme)
{
  ov_chart_draw (OV_LATENCY (drawable)->chart, cr, width, height, theme);
}

static const char *
get_title (OvDrawable *drawable)
{
  return ov_chart_get_title (OV_LATENCY (drawable)->chart);
}

static void
get_natural_size (OvDrawable *drawable, double *width, double *height)
{
  ov_drawable_get_natural_size (OV_DRAWABLE (OV_LATENCY (drawable)->chart), width, height);
}

static void
ov_latency_drawable_init (OvDrawableInterface *iface)
{
  iface->draw = draw;
  iface->describe = describe;
  iface->get_table = get_table;
  iface->get_title = get_title;
  iface->get_natural_size = get_natural_size;
}

/* ---- Over time ------------------------------------------------------------------------------ */

OvHeatChart *
ov_latency_new_heat (void)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_DURATION);
  OvHeatChart *chart = ov_heat_chart_new (axis);

  ov_heat_chart_set_title (chart, _ ("Latency over time"));
  ov_heat_chart_set_unit (chart, _ ("requests"));
  return chart;
}

void
ov_latency_show_heat (OvHeatChart *chart, const OvHeat *heat, int style)
{
  double edges[OV_HEAT_N_ROWS + 1];
  guint n = heat != NULL ? heat->n_columns : 0;
  g_autofree guint64 *cells = g_new0 (guint64, (gsize)MAX (n, 1) * OV_HEAT_N_ROWS);

  for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
    {
      guint64 lower, upper;

      ov_heat_row_bounds (row, &lower, &upper);
      edges[row] = (double)lower;
      edges[row + 1] = row + 1 < OV_HEAT_N_ROWS ? (double)upper : 4.0 * OV_HISTOGRAM_LIMIT_NS;
    }
  for (guint c = 0; c < n; c++)
    for (guint row = 0; row < OV_HEAT_N_ROWS; row++)
      cells[c * OV_HEAT_N_ROWS + row] = heat->cells[c][row];
  ov_heat_chart_set_style (chart, style);
  ov_heat_chart_set_cells (chart, heat != NULL ? heat->step_ns : 1000000, n, OV_HEAT_N_ROWS, edges,
                           cells);
}

gboolean
ov_latency_heat_of_log (OvHeat *heat, const OvRun *run)
{
  const OvRequest *requests;

  if (run->log == NULL || run->log->len == 0)
    return FALSE;
  requests = (const OvRequest *)(gpointer)run->log->data;
  ov_heat_init (heat, MAX (run->elapsed_ns / CLAMP (run->log->len / 4, 25, HEAT_COLUMNS), 1000));
  /* As the histogram does: what came back with an error is not counted. */
  for (guint i = 0; i < run->log->len; i++)
    if (requests[i].submit_ns >= 0 && requests[i].complete_ns >= requests[i].submit_ns
        && requests[i].result >= 0)
      ov_heat_add (heat, requests[i].complete_ns,
                   ov_heat_row ((guint64)(requests[i].complete_ns - requests[i].submit_ns)), 1);
  return heat->count > 0;
}
