// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultChart: cells become points. Seconds become the chart's nanoseconds here and nowhere
 * else.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "metrics/ov-stats.h"
#include "model/ov-cell-figure.h"
#include "model/ov-overlap.h"
#include "model/ov-per-block.h"

#include "report/ov-report.h"
#include "report/ov-result-bars.h"
#include "report/ov-result-chart.h"
#include "report/ov-verdict.h"

/* From this ratio of the largest to the smallest value on, equal steps are factors. */
#define LOG_FROM_RATIO 16.0
/* Two factors are the same if they differ by no more than this part. */
#define SAME_FACTOR 0.05

typedef struct
{
  char *variant;
  char *target;
  guint series;
} Line;

struct _OvResultChart
{
  OvExperiment *experiment;
  OvFigure figure;
  OvChart *chart;
  OvAxisParameter x;
  OvResultBars *bars; /* or NULL: lines */
  guint repetitions;
  gboolean stable;          /* the subtitle tells of stable storage */
  gboolean article;         /* the article's figures are bars, */
  gboolean article_visible; /* and shown */
  char *only_target;        /* the first target seen; labels name targets once there are two */
  GArray *lines;            /* of Line */
  GArray *overlay;          /* of guint: series of the article's lines */
  int bound;                /* series, or -1 */
};

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->variant);
  g_free (line->target);
}

/* Whether the values are spread so widely, or grow by one factor (1.5 at least), that a
 * logarithmic axis shows them best. */
static gboolean
is_logarithmic (const double *xs, gsize n_xs)
{
  double factor;

  if (n_xs < 3 || xs[0] <= 0)
    return FALSE;
  if (xs[n_xs - 1] / xs[0] >= LOG_FROM_RATIO)
    return TRUE;
  factor = xs[1] / xs[0];
  for (gsize i = 2; i < n_xs; i++)
    if (fabs (xs[i] / xs[i - 1] / factor - 1) > SAME_FACTOR)
      return FALSE;
  return factor >= 1.5;
}

/* Where a value of x lies on the axis: at itself, or as one of the categories; NaN: nowhere. */
static double
place_of (OvResultChart *self, const char *target, double x)
{
  return self->bars != NULL ? ov_result_bars_place (self->bars, target, x) : x;
}

static void
set_axes (OvResultChart *self, const double *xs, gsize n_xs)
{
  gboolean log = is_logarithmic (xs, n_xs);
  OvAxisUnit unit = self->x == OV_AXIS_RATE                                   ? OV_UNIT_HERTZ
                    : self->x == OV_AXIS_DEPTH || self->x == OV_AXIS_REQUESTS ? OV_UNIT_NONE
                                                                              : OV_UNIT_BYTES;
  g_autoptr (OvAxis) x_axis = ov_axis_new (!log                      ? OV_AXIS_LINEAR
                                           : self->x == OV_AXIS_RATE ? OV_AXIS_LOG10
                                                                     : OV_AXIS_LOG2,
                                           unit);
  g_autoptr (OvAxis) y_axis
      = ov_axis_new (OV_AXIS_LINEAR, self->figure == OV_FIGURE_LOST         ? OV_UNIT_PERCENT
                                     : self->figure == OV_FIGURE_THROUGHPUT ? OV_UNIT_RATE
                                                                            : OV_UNIT_DURATION);

  if (self->figure == OV_FIGURE_DELIVERED)
    {
      ov_axis_free (y_axis);
      y_axis = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_HERTZ);
      ov_axis_set_title (y_axis, _ ("delivered"));
    }
  else if (self->figure == OV_FIGURE_JITTER)
    {
      ov_axis_free (y_axis);
      y_axis = ov_axis_new (OV_AXIS_LOG10, OV_UNIT_DURATION);
    }
  ov_chart_set_y_axis (self->chart, y_axis);
  /* Bars have named places, which they set themselves. */
  if (self->bars != NULL)
    return;
  if (!log)
    ov_axis_set_from_zero (x_axis, FALSE);
  ov_axis_set_title (x_axis, ov_report_x_title (self->x));
  ov_chart_set_x_axis (self->chart, x_axis);
}

/* Rates of the article: upright lines, where they lie between the rates measured. */
static void
add_rates (OvResultChart *self, const double *xs, gsize n_xs, GError **error)
{
  const OvOverlay *overlay = self->experiment->overlay;
  g_autoptr (GArray) rows = ov_overlay_load (overlay, error);

  for (guint c = 0; rows != NULL && c < overlay->columns->len; c++)
    for (guint i = 0; i < rows->len; i++)
      {
        const OvOverlayRow *row = &g_array_index (rows, OvOverlayRow, i);
        g_autofree char *text = NULL;
        guint series;

        if (!isfinite (row->y[c]) || row->x < xs[0] || row->x > xs[n_xs - 1])
          continue;
        text = g_strdup_printf (_ ("%s, %s"), ov_report_tr (overlay->title),
                                ov_report_tr (overlay->labels->pdata[c]));
        series = ov_chart_add_series (self->chart, OV_CHART_REFERENCE, text, -1);
        ov_chart_set_series_own_scale (self->chart, series, OV_CHART_MARKS);
        ov_chart_set_value (self->chart, series, row->x, 1);
        /* One point for each x. */
        ov_chart_set_value (self->chart, series, row->x * 1.000001, 10);
        g_array_append_val (self->overlay, series);
      }
}

/* What was asked for, in a chart of what was delivered. */
static void
add_asked (OvResultChart *self, const double *xs, gsize n_xs)
{
  guint series = ov_chart_add_series (self->chart, OV_CHART_REFERENCE, _ ("asked for"), -1);

  for (gsize i = 0; i < n_xs; i++)
    ov_chart_set_value (self->chart, series, xs[i], xs[i]);
}

/* The article's lines, where they reach into the range measured: a line elsewhere would squeeze
 * what the user came to see. */
static void
add_overlay (OvResultChart *self, const double *xs, gsize n_xs, GError **error)
{
  const OvOverlay *overlay = self->experiment->overlay;
  g_autoptr (GArray) rows = NULL;
  gboolean inside = FALSE;

  if (n_xs > 1 && self->bars == NULL && self->figure == OV_FIGURE_DELIVERED)
    add_asked (self, xs, n_xs);
  if (overlay == NULL || n_xs == 0)
    return;
  if (self->x == OV_AXIS_RATE && n_xs > 1 && self->bars == NULL)
    {
      add_rates (self, xs, n_xs, error);
      return;
    }
  if (self->bars != NULL && (self->figure == OV_FIGURE_ELAPSED || self->figure == OV_FIGURE_PARTS))
    self->article = ov_result_bars_add_overlay (self->bars, error);
  if (self->article || self->figure != OV_FIGURE_ELAPSED || (self->bars != NULL && n_xs < 2)
      || overlay->groups->len > 0)
    return;
  rows = ov_overlay_load (overlay, error);
  if (rows == NULL)
    return;
  for (guint i = 0; i < rows->len; i++)
    {
      double x = g_array_index (rows, OvOverlayRow, i).x;

      inside = inside || (x >= xs[0] && x <= xs[n_xs - 1]);
    }
  for (guint c = 0; inside && c < overlay->columns->len && c < OV_OVERLAY_COLUMNS; c++)
    {
      const char *label = c < overlay->labels->len ? g_ptr_array_index (overlay->labels, c)
                                                   : g_ptr_array_index (overlay->columns, c);
      /* Translators: whose figures, then which of them: "PowerMac 7100/66, stdio". */
      g_autofree char *text
          = g_strdup_printf (_ ("%s, %s"), ov_report_tr (overlay->title), ov_report_tr (label));
      guint series = ov_chart_add_series (self->chart, OV_CHART_REFERENCE, text, -1);

      ov_chart_set_series_own_scale (self->chart, series, 1);
      for (guint i = 0; i < rows->len; i++)
        {
          const OvOverlayRow *row = &g_array_index (rows, OvOverlayRow, i);

          const double place = place_of (self, NULL, row->x);

          if (isfinite (row->y[c]) && isfinite (place))
            ov_chart_set_value (self->chart, series, place, row->y[c] * 1e9);
        }
      g_array_append_val (self->overlay, series);
    }
}

OvResultChart *
ov_result_chart_new (OvExperiment *experiment, OvFigure figure, OvAxisParameter x, const double *xs,
                     gsize n_xs, GError **error)
{
  OvResultChart *self = g_new0 (OvResultChart, 1);

  self->experiment = ov_experiment_ref (experiment);
  self->figure = figure;
  self->chart = ov_chart_new ();
  self->x = x;
  self->bound = -1;
  self->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_array_set_clear_func (self->lines, line_clear);
  self->overlay = g_array_new (FALSE, FALSE, sizeof (guint));
  /* Between two positions there is nothing that a line could go through. */
  if (n_xs == 1 || (n_xs > 0 && (experiment->bars || x == OV_AXIS_POSITIONS)))
    self->bars = ov_result_bars_new (self->chart, experiment, figure, x, xs, n_xs);
  ov_chart_set_title (self->chart, ov_report_chart_title (experiment, figure));
  set_axes (self, xs, n_xs);
  add_overlay (self, xs, n_xs, error);
  return self;
}

void
ov_result_chart_free (OvResultChart *self)
{
  if (self == NULL)
    return;
  ov_result_bars_free (self->bars);
  ov_experiment_unref (self->experiment);
  g_object_unref (self->chart);
  g_free (self->only_target);
  g_array_unref (self->lines);
  g_array_unref (self->overlay);
  g_free (self);
}

OvChart *
ov_result_chart_get_chart (OvResultChart *self)
{
  return self->chart;
}

int
ov_result_chart_find (OvResultChart *self, const char *variant, const char *target)
{
  if (self->bars != NULL)
    return ov_result_bars_find (self->bars, variant);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);

      if (g_strcmp0 (line->variant, variant) == 0
          && (target == NULL || g_strcmp0 (line->target, target) == 0))
        return (int)line->series;
    }
  return -1;
}

/* With a second target every label says where. */
static void
name_lines (OvResultChart *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);
      g_autofree char *label = g_strdup_printf ("%s, %s", line->variant, line->target);

      ov_chart_set_series_label (self->chart, line->series, label);
    }
}

static guint
add_line (OvResultChart *self, const OvCell *cell)
{
  Line line = { g_strdup (cell->variant), g_strdup (cell->target), 0 };
  gboolean second;

  if (self->only_target == NULL)
    self->only_target = g_strdup (cell->target);
  second = g_strcmp0 (self->only_target, cell->target) != 0;
  line.series = ov_chart_add_series (
      self->chart, OV_CHART_LINE, line.variant,
      ov_report_target_style (self->experiment, line.variant, second ? line.target : NULL));
  g_array_append_val (self->lines, line);
  if (second)
    name_lines (self);
  return line.series;
}

/* What the experiment's chart shows of a cell, in the units of its axis. FALSE: nothing yet. */
static gboolean
figure_of (OvResultChart *self, const OvCell *cell, OvChartPoint *point)
{
  const OvFigure figure = self->figure;
  const gboolean plain = figure == OV_FIGURE_DELIVERED || figure == OV_FIGURE_THROUGHPUT;
  const double scale = figure == OV_FIGURE_LOST ? 100 : plain ? 1 : 1e9;
  OvStatsSummary summary = { .median = cell->median_s, .lo = cell->lo_s, .hi = cell->hi_s };
  OvPerBlock line;

  if (figure != OV_FIGURE_ELAPSED && figure != OV_FIGURE_PARTS
      && !ov_cell_figure (cell, figure, &summary))
    return FALSE;
  if (figure == OV_FIGURE_ELAPSED && self->experiment->job == OV_JOB_BLOCKS
      && ov_per_block_make (cell, NULL, &line))
    summary = (OvStatsSummary){ .median = line.seconds, .lo = line.lo, .hi = line.hi };
  point->y = summary.median * scale;
  point->lo = summary.lo * scale;
  point->hi = summary.hi * scale;
  /* A run that was stopped on purpose is whole, for its stop is what is shown. */
  if (figure == OV_FIGURE_STOP)
    point->state = OV_CHART_POINT_DONE;
  return isfinite (point->y);
}

static void
add_part (GString *whole, const char *part)
{
  if (whole->len > 0)
    g_string_append (whole, "; ");
  g_string_append (whole, part);
}

/* How the figures were made, and what is not said by a legend. */
static void
set_subtitle (OvResultChart *self)
{
  const guint n = self->repetitions;
  g_autofree char *text = NULL;
  g_autoptr (GString) whole = NULL;

  if (n == 1)
    text = g_strdup (_ ("one run each"));
  else if (n >= OV_STATS_MIN_FOR_INTERVAL)
    text = g_strdup_printf (_ ("median of %u, 95 %% interval"), n);
  else if (n > 1)
    text = g_strdup_printf (_ ("median of %u, range"), n);
  whole = g_string_new (text);
  if (text != NULL && self->stable)
    /* Translators: what the two parts of a bar are */
    add_part (whole, _ ("strong: until the last call returned, pale: until on stable storage"));
  if (self->article && self->article_visible)
    {
      g_autofree char *hatched = NULL;

      /* Translators: whose figures the hatched bars show */
      hatched = g_strdup_printf (_ ("hatched: %s, on a scale of its own"),
                                 ov_report_tr (self->experiment->overlay->title));
      add_part (whole, hatched);
    }
  ov_chart_set_subtitle (self->chart, whole->len > 0 ? whole->str : NULL);
}

void
ov_result_chart_set_cell (OvResultChart *self, const OvCell *cell, gboolean partial)
{
  int found = ov_result_chart_find (self, cell->variant, cell->target);
  OvChartPoint point
      = { .x = cell->x, .state = partial ? OV_CHART_POINT_PARTIAL : OV_CHART_POINT_DONE };

  if (cell->part != OV_PART_WHOLE || !isfinite (cell->x) || !figure_of (self, cell, &point))
    return;
  if (self->bars != NULL)
    {
      ov_result_bars_set_cell (self->bars, cell, &point);
      self->stable = ov_result_bars_has_stable (self->bars);
      set_subtitle (self);
      return;
    }
  if (found < 0)
    found = (int)add_line (self, cell);
  ov_chart_set_point (self->chart, (guint)found, &point);
}

void
ov_result_chart_name_targets (OvResultChart *self, const OvResult *result)
{
  for (guint i = 0; self->bars != NULL && i < result->targets->len; i++)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, i);
      g_autofree char *name = ov_report_target_name (result, target->path);

      ov_result_bars_name_target (self->bars, target->path, name);
    }
}

void
ov_result_chart_set_bound (OvResultChart *self, GPtrArray *cells)
{
  if (!ov_overlap_has_parts (cells))
    return;
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      double x = place_of (self, cell->target, cell->x);
      OvOverlap overlap;
      OvChartPoint point;
      gboolean known = FALSE;

      if (!isfinite (x) || !ov_overlap_compute (cells, cell, &overlap)
          || overlap.kind != OV_OVERLAP_KNOWN)
        continue;
      if (self->bound < 0)
        self->bound = (int)ov_chart_add_series (self->chart, OV_CHART_REFERENCE,
                                                _ ("bound: the longer of I/O and computing"), -1);
      for (guint p = 0; p < ov_chart_get_n_points (self->chart, (guint)self->bound); p++)
        if (ov_chart_get_point (self->chart, (guint)self->bound, p, &point) && point.x == x)
          known = point.y <= overlap.bound_s * 1e9;
      if (!known)
        ov_chart_set_value (self->chart, (guint)self->bound, x, overlap.bound_s * 1e9);
    }
}

void
ov_result_chart_set_repetitions (OvResultChart *self, guint repetitions)
{
  self->repetitions = repetitions;
  set_subtitle (self);
}

gboolean
ov_result_chart_has_overlay (OvResultChart *self)
{
  return self->article || self->overlay->len > 0;
}

gboolean
ov_result_chart_has_overlay_bars (OvResultChart *self)
{
  return self->article;
}

void
ov_result_chart_set_overlay_visible (OvResultChart *self, gboolean visible)
{
  self->article_visible = visible;
  set_subtitle (self);
  if (self->bars != NULL)
    ov_result_bars_set_overlay_visible (self->bars, visible);
  for (guint i = 0; i < self->overlay->len; i++)
    ov_chart_set_series_visible (self->chart, g_array_index (self->overlay, guint, i), visible);
}

OvResultChart *
ov_result_chart_new_for_result (const OvResult *result)
{
  return ov_result_chart_new_for_figure (result, result->experiment->figure);
}

OvResultChart *
ov_result_chart_new_for_figure (const OvResult *result, OvFigure figure)
{
  g_autoptr (GArray) xs = ov_report_xs (result);
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  g_autofree char *caption = ov_report_caption (result, cells);
  OvResultChart *self = ov_result_chart_new (result->experiment, figure, result->x,
                                             (const double *)(gpointer)xs->data, xs->len, NULL);
  guint repetitions = 0;

  ov_result_chart_name_targets (self, result);
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      repetitions = MAX (repetitions, figure == OV_FIGURE_STOP ? cell->runs->len : cell->n_done);
      ov_result_chart_set_cell (self, cell, cell->n_done < cell->runs->len);
    }
  if (figure == OV_FIGURE_ELAPSED)
    ov_result_chart_set_bound (self, cells);
  ov_result_chart_set_repetitions (self, repetitions);
  ov_chart_set_note (self->chart, caption);
  ov_result_chart_set_overlay_visible (self, !self->article);
  return self;
}
