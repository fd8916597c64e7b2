// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultBars: keeps the figures of each cell and puts all of them into the chart anew whenever
 * one comes, since a new target or variant moves the places of the others. The chart notices what
 * did not change.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-cell-figure.h"

#include "report/ov-report.h"
#include "report/ov-result-bars.h"

/* The scale that the article's bars share. */
#define ARTICLE_SCALE 1

/* What a bar can be of. */
typedef enum
{
  KIND_WHOLE,
  KIND_STABLE,
  KIND_WRITING,
  KIND_READING,
  KIND_CPU,
  KIND_USER,
  KIND_SYSTEM,
  N_KINDS,
} Kind;

typedef struct
{
  char *variant;
  char *target;
  double x;
  OvChartPoint points[N_KINDS]; /* y is NaN where there is nothing */
} Bar;

/* A series of the chart: of one variant, or, with places for variants, of all (NULL). */
typedef struct
{
  char *variant;
  Kind kind;
  gboolean article;
  int column; /* of the overlay, -1: not one of its series */
  guint series;
} Row;

/* One of the article's bars; with places for variants its place is `name`, else that of `x`. */
typedef struct
{
  char *group;
  char *name;
  double x;
  guint column;
  Kind kind;
  double seconds;
} ArticleBar;

struct _OvResultBars
{
  OvChart *chart; /* borrowed */
  OvExperiment *experiment;
  OvFigure figure;
  OvAxisParameter x;
  gboolean parts;
  GArray *xs;          /* of double */
  GArray *bars;        /* of Bar */
  GPtrArray *targets;  /* of char*, in the order in which they came */
  GPtrArray *variants; /* of char*, in the experiment's order */
  GHashTable *names;   /* char* -> char*: of targets */
  GArray *rows;        /* of Row */
  GArray *article;     /* of ArticleBar */
  gboolean overlay_visible;
};

static void
bar_clear (gpointer data)
{
  g_free (((Bar *)data)->variant);
  g_free (((Bar *)data)->target);
}

static void
row_clear (gpointer data)
{
  g_free (((Row *)data)->variant);
}

static void
article_clear (gpointer data)
{
  g_free (((ArticleBar *)data)->group);
  g_free (((ArticleBar *)data)->name);
}

OvResultBars *
ov_result_bars_new (OvChart *chart, OvExperiment *experiment, OvFigure figure, OvAxisParameter x,
                    const double *xs, gsize n_xs)
{
  OvResultBars *self = g_new0 (OvResultBars, 1);

  self->chart = chart;
  self->experiment = ov_experiment_ref (experiment);
  self->figure = figure;
  self->x = x;
  self->parts = figure == OV_FIGURE_PARTS && n_xs == 1;
  self->xs = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (self->xs, xs, (guint)n_xs);
  self->bars = g_array_new (FALSE, TRUE, sizeof (Bar));
  g_array_set_clear_func (self->bars, bar_clear);
  self->targets = g_ptr_array_new_with_free_func (g_free);
  self->variants = g_ptr_array_new_with_free_func (g_free);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);
  self->article = g_array_new (FALSE, TRUE, sizeof (ArticleBar));
  g_array_set_clear_func (self->article, article_clear);
  ov_result_bars_set_overlay_visible (self, TRUE);
  return self;
}

void
ov_result_bars_free (OvResultBars *self)
{
  if (self == NULL)
    return;
  ov_experiment_unref (self->experiment);
  g_array_unref (self->xs);
  g_array_unref (self->bars);
  g_ptr_array_unref (self->targets);
  g_ptr_array_unref (self->variants);
  g_hash_table_unref (self->names);
  g_array_unref (self->rows);
  g_array_unref (self->article);
  g_free (self);
}

/* ---- Places --------------------------------------------------------------------------------- */

static int
index_of (const GPtrArray *texts, const char *text)
{
  for (guint i = 0; i < texts->len; i++)
    if (g_strcmp0 (g_ptr_array_index (texts, i), text) == 0)
      return (int)i;
  return -1;
}

static int
index_of_x (OvResultBars *self, double x)
{
  for (guint i = 0; i < self->xs->len; i++)
    if (g_array_index (self->xs, double, i) == x)
      return (int)i;
  return -1;
}

static guint
group_size (OvResultBars *self)
{
  return self->parts ? self->variants->len : self->xs->len;
}

static double
place_of_bar (OvResultBars *self, const Bar *bar)
{
  const int target = index_of (self->targets, bar->target);
  const int in_group
      = self->parts ? index_of (self->variants, bar->variant) : index_of_x (self, bar->x);

  return target >= 0 && in_group >= 0 ? target * (double)group_size (self) + in_group : NAN;
}

double
ov_result_bars_place (OvResultBars *self, const char *target, double x)
{
  const int group = target != NULL ? index_of (self->targets, target) : 0;
  const int in_group = index_of_x (self, x);

  return !self->parts && group >= 0 && in_group >= 0 ? group * (double)group_size (self) + in_group
                                                     : NAN;
}

/* Names of places and of their groups; the article's places in the order of its bars. */
typedef struct
{
  GPtrArray *names; /* NULL-terminated when the axis gets them */
  GPtrArray *groups;
} Places;

static guint
add_place (Places *places, char *name, char *group)
{
  g_ptr_array_add (places->names, name);
  g_ptr_array_add (places->groups, group);
  return places->names->len - 1;
}

static char *
group_name (OvResultBars *self, const char *target)
{
  const char *name = g_hash_table_lookup (self->names, target);

  if (self->targets->len < 2 && (!self->overlay_visible || self->article->len == 0))
    return g_strdup ("");
  return g_strdup (name != NULL ? name : target);
}

static void
add_target_places (OvResultBars *self, Places *places)
{
  /* Before the first figure the values of x are there already. */
  for (guint t = 0; t < MAX (self->targets->len, 1); t++)
    {
      const char *target = t < self->targets->len ? g_ptr_array_index (self->targets, t) : "";

      for (guint i = 0; i < group_size (self); i++)
        add_place (places,
                   self->parts ? g_strdup (g_ptr_array_index (self->variants, i))
                               : ov_report_format_x (self->x, g_array_index (self->xs, double, i)),
                   group_name (self, target));
    }
}

/* The place of one of the article's bars, which is made where it is not there yet. */
static guint
article_place (OvResultBars *self, Places *places, const ArticleBar *bar)
{
  g_autofree char *name
      = bar->name != NULL ? g_strdup (bar->name) : ov_report_format_x (self->x, bar->x);

  for (guint i = 0; i < places->names->len; i++)
    if (g_str_equal (g_ptr_array_index (places->names, i), name)
        && g_str_equal (g_ptr_array_index (places->groups, i), bar->group))
      return i;
  return add_place (places, g_steal_pointer (&name), g_strdup (bar->group));
}

/* ---- Series --------------------------------------------------------------------------------- */

static Row *
find_row (OvResultBars *self, const char *variant, Kind kind, int column)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = &g_array_index (self->rows, Row, i);

      if (g_strcmp0 (row->variant, variant) == 0 && row->kind == kind && row->column == column)
        return row;
    }
  return NULL;
}

/* What a series of all variants is called; NULL is no such series. */
static const char *
part_label (OvResultBars *self, Kind kind)
{
  const gboolean transfer = self->experiment->job == OV_JOB_TRANSFER;

  switch (kind)
    {
    case KIND_WHOLE:
      return _ ("elapsed");
    case KIND_WRITING:
      return transfer ? _ ("elapsed: writing") : NULL;
    case KIND_READING:
      return transfer ? _ ("elapsed: reading") : NULL;
    case KIND_CPU:
      return _ ("CPU time");
    case KIND_USER:
      return _ ("CPU time: user");
    case KIND_SYSTEM:
      return _ ("CPU time: system");
    case KIND_STABLE:
    case N_KINDS:
    default:
      return NULL;
    }
}

/* The series of a kind; all that belong to one variant share a column, and without variants those
 * of the elapsed time do, and those of the CPU time. */
static Row *
add_row (OvResultBars *self, const char *variant, Kind kind, int column, const char *label)
{
  static const int styles[N_KINDS] = { 0, 0, 0, 2, 3, 3, 1 };
  const gboolean stacked = kind >= KIND_WRITING && kind != KIND_CPU;
  const gboolean transfer = self->experiment->job == OV_JOB_TRANSFER;
  Row row = { g_strdup (variant), kind, column >= 0, column, 0 };

  row.series = ov_chart_add_series (self->chart, stacked ? OV_CHART_STACKED : OV_CHART_BARS, label,
                                    variant != NULL ? ov_report_style (self->experiment, variant)
                                                    : styles[kind]);
  if (variant != NULL)
    ov_chart_set_series_column (self->chart, row.series,
                                1 + (guint)index_of (self->variants, variant));
  else
    ov_chart_set_series_column (self->chart, row.series, kind >= KIND_CPU ? 2 : 1);
  if (column >= 0)
    ov_chart_set_series_own_scale (self->chart, row.series, ARTICLE_SCALE);
  ov_chart_set_series_pale (self->chart, row.series,
                            column >= 0 || kind == KIND_STABLE || kind == KIND_CPU
                                || (kind == KIND_WHOLE && variant == NULL && transfer));
  g_array_append_val (self->rows, row);
  return &g_array_index (self->rows, Row, self->rows->len - 1);
}

static void
need_rows (OvResultBars *self)
{
  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      const char *variant = self->parts ? NULL : bar->variant;

      for (Kind kind = 0; kind < N_KINDS; kind++)
        {
          g_autofree char *label = NULL;

          if (isnan (bar->points[kind].y) || find_row (self, variant, kind, -1) != NULL)
            continue;
          if (self->parts)
            label = g_strdup (part_label (self, kind));
          else if (kind == KIND_STABLE)
            /* Translators: a strategy, and that the figure lasts until its data are durable */
            label = g_strdup_printf (_ ("%s, until on stable storage"), variant);
          else
            label = g_strdup (variant);
          if (label != NULL)
            add_row (self, variant, kind, -1, label);
        }
    }
}

/* The article's series: one for each kind where places are variants, else one for each column of
 * the overlay whose variant is shown. */
static Row *
need_article_row (OvResultBars *self, const ArticleBar *bar)
{
  const OvOverlay *overlay = self->experiment->overlay;
  const char *variant
      = self->parts ? NULL : (const char *)g_ptr_array_index (overlay->lines, bar->column);
  const int column = self->parts ? 0 : (int)bar->column;
  g_autofree char *label = NULL;
  Row *row = find_row (self, variant, bar->kind, column);

  if (row != NULL)
    return row;
  if (variant != NULL && index_of (self->variants, variant) < 0)
    return NULL;
  label = g_strdup_printf (_ ("%s, %s"), ov_report_tr (overlay->title),
                           self->parts
                               ? part_label (self, bar->kind)
                               : ov_report_tr (g_ptr_array_index (overlay->labels, bar->column)));
  return add_row (self, variant, bar->kind, column, label);
}

/* ---- Into the chart ------------------------------------------------------------------------- */

static void
set_points (OvResultBars *self, const Row *row, GArray *points)
{
  ov_chart_set_points (self->chart, row->series, (const OvChartPoint *)(gpointer)points->data,
                       points->len);
}

static void
show_row (OvResultBars *self, const Row *row)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OvChartPoint));

  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      OvChartPoint point = bar->points[row->kind];

      if (isnan (point.y) || (row->variant != NULL && !g_str_equal (row->variant, bar->variant)))
        continue;
      point.x = place_of_bar (self, bar);
      if (isfinite (point.x))
        g_array_append_val (points, point);
    }
  set_points (self, row, points);
}

static void
show_article (OvResultBars *self, Places *places)
{
  g_autoptr (GPtrArray) points = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);

  for (guint i = 0; self->overlay_visible && i < self->article->len; i++)
    {
      const ArticleBar *bar = &g_array_index (self->article, ArticleBar, i);
      const Row *row = need_article_row (self, bar);
      OvChartPoint point = { .y = bar->seconds * 1e9, .lo = NAN, .hi = NAN };

      if (row == NULL)
        continue;
      point.x = article_place (self, places, bar);
      while (points->len < self->rows->len)
        g_ptr_array_add (points, g_array_new (FALSE, FALSE, sizeof (OvChartPoint)));
      g_array_append_val (
          (GArray *)g_ptr_array_index (points, row - (Row *)(gpointer)self->rows->data), point);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      if (!row->article)
        continue;
      if (i < points->len)
        set_points (self, row, g_ptr_array_index (points, i));
      ov_chart_set_series_visible (self->chart, row->series, self->overlay_visible);
    }
}

static void
show (OvResultBars *self)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_CATEGORY, OV_UNIT_NONE);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  Places places = { names, groups };

  need_rows (self);
  add_target_places (self, &places);
  show_article (self, &places);
  for (guint i = 0; i < self->rows->len; i++)
    if (!g_array_index (self->rows, Row, i).article)
      show_row (self, &g_array_index (self->rows, Row, i));
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (groups, NULL);
  ov_axis_set_categories (axis, (const char *const *)names->pdata);
  ov_axis_set_groups (axis, (const char *const *)groups->pdata);
  if (!self->parts)
    ov_axis_set_title (axis, ov_report_x_title (self->x));
  ov_chart_set_x_axis (self->chart, axis);
}

/* ---- Figures -------------------------------------------------------------------------------- */

static void
set_summary (Bar *bar, Kind kind, const OvStatsSummary *summary, gboolean interval)
{
  bar->points[kind].y = summary->median * 1e9;
  bar->points[kind].lo = interval ? summary->lo * 1e9 : NAN;
  bar->points[kind].hi = interval ? summary->hi * 1e9 : NAN;
}

/* User's share of the CPU time: of all runs together, since it is told in steps of 4 ms. NaN where
 * no run was long enough for one. */
static double
user_share (const OvCell *cell)
{
  double user = 0;
  double system = 0;

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);

      if (run->state != OV_STATE_DONE)
        continue;
      user += (double)MAX (run->user_ns, 0);
      system += (double)MAX (run->system_ns, 0);
    }
  return user + system > 0 ? user / (user + system) : NAN;
}

/* Both parts of the elapsed time and of the CPU time. The whole carries the interval. */
static void
set_parts (Bar *bar, const OvCell *cell)
{
  const double share = user_share (cell);
  OvStatsSummary summary;

  if (ov_cell_ns (cell, G_STRUCT_OFFSET (OvRun, write_ns), &summary))
    set_summary (bar, KIND_WRITING, &summary, FALSE);
  if (ov_cell_ns (cell, G_STRUCT_OFFSET (OvRun, read_ns), &summary))
    set_summary (bar, KIND_READING, &summary, FALSE);
  if (!ov_cell_ns (cell, G_STRUCT_OFFSET (OvRun, cpu_ns), &summary))
    return;
  set_summary (bar, KIND_CPU, &summary, TRUE);
  if (isnan (share))
    return;
  bar->points[KIND_USER].y = summary.median * share * 1e9;
  bar->points[KIND_SYSTEM].y = summary.median * (1 - share) * 1e9;
}

static Bar *
need_bar (OvResultBars *self, const OvCell *cell)
{
  Bar bar = { .x = cell->x };

  for (guint i = 0; i < self->bars->len; i++)
    {
      Bar *old = &g_array_index (self->bars, Bar, i);

      if (old->x == cell->x && g_str_equal (old->variant, cell->variant)
          && g_str_equal (old->target, cell->target != NULL ? cell->target : ""))
        return old;
    }
  bar.variant = g_strdup (cell->variant);
  bar.target = g_strdup (cell->target != NULL ? cell->target : "");
  g_array_append_val (self->bars, bar);
  return &g_array_index (self->bars, Bar, self->bars->len - 1);
}

static void
need_variant (OvResultBars *self, const char *variant)
{
  const int order = ov_report_style (self->experiment, variant);
  guint at = 0;

  if (index_of (self->variants, variant) >= 0)
    return;
  while (at < self->variants->len
         && ov_report_style (self->experiment, g_ptr_array_index (self->variants, at)) <= order)
    at++;
  g_ptr_array_insert (self->variants, (int)at, g_strdup (variant));
  /* The others' columns are counted anew. */
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      if (row->variant != NULL)
        ov_chart_set_series_column (self->chart, row->series,
                                    1 + (guint)index_of (self->variants, row->variant));
    }
}

void
ov_result_bars_set_cell (OvResultBars *self, const OvCell *cell, const OvChartPoint *whole)
{
  OvStatsSummary summary;
  Bar *bar;

  if (index_of_x (self, cell->x) < 0)
    return;
  need_variant (self, cell->variant);
  bar = need_bar (self, cell);
  if (index_of (self->targets, bar->target) < 0)
    g_ptr_array_add (self->targets, g_strdup (bar->target));
  for (Kind kind = 0; kind < N_KINDS; kind++)
    bar->points[kind] = (OvChartPoint){ .y = NAN, .lo = NAN, .hi = NAN, .state = whole->state };
  bar->points[KIND_WHOLE] = *whole;
  if (self->parts)
    set_parts (bar, cell);
  else if (self->figure == OV_FIGURE_ELAPSED && (self->experiment->job & OV_WRITE_JOBS) != 0
           && ov_cell_ns (cell, G_STRUCT_OFFSET (OvRun, stable_ns), &summary))
    set_summary (bar, KIND_STABLE, &summary, TRUE);
  show (self);
}

void
ov_result_bars_name_target (OvResultBars *self, const char *target, const char *name)
{
  const char *old = g_hash_table_lookup (self->names, target);

  if (g_strcmp0 (old, name) == 0)
    return;
  g_hash_table_insert (self->names, g_strdup (target), g_strdup (name));
  show (self);
}

int
ov_result_bars_find (OvResultBars *self, const char *variant)
{
  const Row *row = self->parts ? NULL : find_row (self, variant, KIND_WHOLE, -1);

  return row != NULL ? (int)row->series : -1;
}

gboolean
ov_result_bars_has_stable (OvResultBars *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, Row, i).kind == KIND_STABLE)
      return TRUE;
  return FALSE;
}

/* ---- The article's figures ------------------------------------------------------------------ */

/* The name of the group of a column, with its largest figure: these bars have another scale than
 * the reader's own. */
static char *
article_group (OvResultBars *self, const GArray *rows, guint column)
{
  const OvOverlay *overlay = self->experiment->overlay;
  const char *name = self->parts ? NULL : (const char *)g_ptr_array_index (overlay->groups, column);
  double most = 0;
  g_autofree char *figure = NULL;

  for (guint c = 0; c < overlay->columns->len; c++)
    for (guint i = 0; i < rows->len; i++)
      {
        const double y = g_array_index (rows, OvOverlayRow, i).y[c];

        if (isfinite (y)
            && (name == NULL || g_str_equal (g_ptr_array_index (overlay->groups, c), name)))
          most = MAX (most, y);
      }
  figure = ov_duration_format (most);
  /* Translators: whose figures, or on which file system, and the largest of them, since they have a
   * scale of their own; there is little room */
  return g_strdup_printf (_ ("%s: up to %s"), name != NULL ? name : ov_report_tr (overlay->title),
                          figure);
}

/* Takes one set of columns: those of the whole, of user, or of system time. */
static gboolean
take_columns (OvResultBars *self, GPtrArray *columns, Kind kind, GError **error)
{
  OvOverlay overlay = *self->experiment->overlay;
  g_autoptr (GArray) rows = NULL;

  overlay.columns = columns;
  rows = ov_overlay_load (&overlay, error);
  for (guint c = 0; rows != NULL && c < columns->len; c++)
    for (guint i = 0; i < rows->len; i++)
      {
        const OvOverlayRow *row = &g_array_index (rows, OvOverlayRow, i);
        ArticleBar bar = { .x = row->x, .column = c, .kind = kind, .seconds = row->y[c] };

        if (!isfinite (row->y[c]) || (!self->parts && index_of_x (self, row->x) < 0))
          continue;
        bar.group = kind == KIND_WHOLE
                        ? article_group (self, rows, c)
                        : g_strdup (g_array_index (self->article, ArticleBar, 0).group);
        if (self->parts)
          bar.name = g_strdup_printf (_ ("%s, run %u"),
                                      ov_report_tr (g_ptr_array_index (overlay.labels, c)),
                                      (guint)row->x);
        g_array_append_val (self->article, bar);
      }
  return rows != NULL;
}

gboolean
ov_result_bars_add_overlay (OvResultBars *self, GError **error)
{
  const OvOverlay *overlay = self->experiment->overlay;

  if (overlay == NULL || (self->parts ? overlay->user_columns->len : overlay->groups->len) == 0)
    return FALSE;
  if (!take_columns (self, overlay->columns, KIND_WHOLE, error))
    return FALSE;
  if (self->parts
      && (!take_columns (self, overlay->user_columns, KIND_USER, error)
          || !take_columns (self, overlay->system_columns, KIND_SYSTEM, error)))
    return FALSE;
  show (self);
  return self->article->len > 0;
}

void
ov_result_bars_set_overlay_visible (OvResultBars *self, gboolean visible)
{
  self->overlay_visible = visible;
  show (self);
}
