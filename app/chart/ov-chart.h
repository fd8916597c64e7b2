// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvChart: lines, reference lines, bars and stacked bars over one x axis.
 *
 * The chart holds data only; it paints to any cairo context. Points of a series are kept in the
 * order of x, one for each x. A value that is not finite leaves a gap. A setter that changes
 * nothing emits nothing; one that does emits "changed" (ov-drawable.h). Not thread-safe.
 */
#pragma once

#include "chart/ov-axis.h"
#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_CHART (ov_chart_get_type ())
G_DECLARE_FINAL_TYPE (OvChart, ov_chart, OV, CHART, GObject)

typedef enum
{
  OV_CHART_LINE,      /* a line with markers and intervals */
  OV_CHART_REFERENCE, /* somebody else's figures: thin, dotted, named in italics; among bars a level
                       */
  OV_CHART_BARS,      /* one bar for each x, series beside each other, with intervals */
  OV_CHART_STACKED,   /* series on top of each other, in the order in which they were added */
} OvChartSeriesKind;

typedef enum
{
  OV_CHART_POINT_DONE,
  OV_CHART_POINT_PARTIAL, /* stopped or still running: drawn hollow */
} OvChartPointState;

typedef struct
{
  double x;  /* base unit of the x axis; the place on a category axis */
  double y;  /* base unit of the y axis; NaN: missing, a gap */
  double lo; /* ends of the interval; NaN: none is drawn */
  double hi;
  OvChartPointState state;
} OvChartPoint;

/** A point found under the pointer. */
typedef struct
{
  guint series;
  guint point; /* index among the points of that series */
  double x;    /* the point's figures */
  double y;
  double lo;
  double hi;
  OvChartPointState state;
  double px; /* where it is drawn, pixels from the upper left corner */
  double py;
} OvChartHit;

OvChart *ov_chart_new (void);

/** Texts are copied; NULL or "" for none. */
void ov_chart_set_title (OvChart *self, const char *title);
/** What is shown, without the unit, which the chart puts before it: "median of 7, 95 % interval".
 */
void ov_chart_set_subtitle (OvChart *self, const char *subtitle);
/** Small text below the picture: machine, condition, date, "simulated". Line breaks are kept. */
void ov_chart_set_note (OvChart *self, const char *note);
/** The axes are copied. A new chart has two linear axes of plain numbers. */
void ov_chart_set_x_axis (OvChart *self, const OvAxis *axis);
void ov_chart_set_y_axis (OvChart *self, const OvAxis *axis);

const char *ov_chart_get_title (OvChart *self);
const char *ov_chart_get_subtitle (OvChart *self);
const char *ov_chart_get_note (OvChart *self);
const OvAxis *ov_chart_get_x_axis (OvChart *self);
const OvAxis *ov_chart_get_y_axis (OvChart *self);

/** Adds a series and returns its number. `style` is an index of ov_theme_get_style; -1 takes the
 * series' own number (a reference: the neutral colour). */
guint ov_chart_add_series (OvChart *self, OvChartSeriesKind kind, const char *label, int style);
guint ov_chart_get_n_series (OvChart *self);
const char *ov_chart_get_series_label (OvChart *self, guint series);
int ov_chart_get_series_style (OvChart *self, guint series);
OvChartSeriesKind ov_chart_get_series_kind (OvChart *self, guint series);
void ov_chart_set_series_label (OvChart *self, guint series, const char *label);
/** A hidden series is neither drawn nor described, and does not count for the range. */
void ov_chart_set_series_visible (OvChart *self, guint series, gboolean visible);
gboolean ov_chart_get_series_visible (OvChart *self, guint series);
/** Puts a reference or bars onto a scale of their own, stretched over the height of the chart; the
 * label says so. Series of the same `group` (1, 2, …) share one scale, so that they can be compared
 * with each other; 0 is the chart's own axis. */
void ov_chart_set_series_own_scale (OvChart *self, guint series, guint group);
/** The group of references that only mark a place on the x axis: upright lines between 1 and 10.
 * They have no figures, so neither label nor table nor description gives any. */
#define OV_CHART_MARKS G_MAXUINT
/** Which bars of one place stand where: series of the same `column` (1, 2, …) share a column,
 * stacked ones on top of each other. 0: bars have a column each, all stacked series one together.
 */
void ov_chart_set_series_column (OvChart *self, guint series, guint column);
/** Draws bars pale and hatched, behind the others of their column, and out of the legend: a figure
 * that contains the other one, or somebody else's. A title or a group has to say which. */
void ov_chart_set_series_pale (OvChart *self, guint series, gboolean pale);

/** Sets the point at point->x: replaces the one of the same x, else puts it in its place. */
void ov_chart_set_point (OvChart *self, guint series, const OvChartPoint *point);
/** The same for a whole series: what was there is gone. */
void ov_chart_set_points (OvChart *self, guint series, const OvChartPoint *points, guint n_points);
/** Short for a point without interval that is done. */
void ov_chart_set_value (OvChart *self, guint series, double x, double y);
guint ov_chart_get_n_points (OvChart *self, guint series);
gboolean ov_chart_get_point (OvChart *self, guint series, guint point, OvChartPoint *out);
/** Removes all series. Titles, note and axes stay. */
void ov_chart_clear (OvChart *self);

/** Draws one series strongly and the others faintly; -1 for none. */
void ov_chart_set_highlight (OvChart *self, int series);
/** Marks one point and writes its figures beside it; NULL for none. */
void ov_chart_set_cursor (OvChart *self, const OvChartHit *hit);

void ov_chart_draw (OvChart *self, cairo_t *cr, double width, double height, const OvTheme *theme);
/** Title, axes, for each series first, last, smallest and largest value, and which series is lowest
 * at the last x that all have. The caller owns the text. */
char *ov_chart_describe (OvChart *self);
/** One row for each x, one column for each series. Borrowed until the chart changes. */
OvTable *ov_chart_get_table (OvChart *self);
/** The point nearest to (x, y), at most 24 pixels away, in a picture of that size drawn with the
 * theme that was used last. FALSE where there is none. */
gboolean ov_chart_pick (OvChart *self, double width, double height, double x, double y,
                        OvChartHit *out);
/** "uring.wait, 5000K: 4.02 ms (3.9 to 4.2)". The caller owns the text. */
char *ov_chart_describe_hit (OvChart *self, const OvChartHit *hit);

G_END_DECLS
