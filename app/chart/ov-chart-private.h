// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the files of OvChart share: its data, and the layout of a picture of one size.
 *
 * The layout is computed from data, size and theme alone, without a cairo context, so that picking
 * a point and drawing it agree. It is dropped when one of them changes.
 */
#pragma once

#include "chart/ov-chart.h"
#include "chart/ov-scale.h"
#include "chart/ov-text.h"

G_BEGIN_DECLS

typedef struct
{
  OvChartSeriesKind kind;
  char *label;
  int style; /* -1: the series' own */
  gboolean visible;
  guint own_scale; /* group, 0: the chart's axis */
  guint column;    /* 0: as its kind says */
  gboolean pale;
  GArray *points; /* OvChartPoint, rising x */
} OvChartSeries;

typedef struct
{
  double x;
  double y;
  double w;
  double h;
} OvRect;

/* A name of a series: at the end of its line, in the plot, or in the legend. */
typedef struct
{
  guint series;
  PangoLayout *text;
  double x; /* upper left corner */
  double y;
  double w;
  double h;
  double end_x; /* end of the line that it belongs to */
  double end_y;
} OvChartName;

typedef struct
{
  guint group;
  OvScale *scale;
} OvOwnScale;

/* Neighbours on a category axis that belong together. */
typedef struct
{
  guint first;
  guint n;
  PangoLayout *text;
} OvChartGroup;

typedef enum
{
  OV_X_LABELS_FLAT,
  OV_X_LABELS_WRAPPED, /* on at most two lines */
  OV_X_LABELS_TURNED,  /* written upwards to the right */
} OvXLabels;

typedef struct
{
  double width;
  double height;
  const OvTheme *theme;

  PangoLayout *title; /* each may be NULL */
  PangoLayout *subtitle;
  PangoLayout *note;
  PangoLayout *x_title;
  double subtitle_x;
  double subtitle_y;
  double pad;

  OvScale *x;
  OvScale *y;
  GArray *own_scales; /* OvOwnScale */
  OvXLabels x_labels;
  GArray *groups;     /* OvChartGroup: of a category axis */
  double group_h;     /* height of their names, 0 without */
  GPtrArray *x_texts; /* PangoLayout for each tick of x, NULL: not drawn */
  double x_label_h;

  OvRect plot;  /* the frame of the axes */
  double inset; /* pixels between the frame and the first and last x */

  GArray *names;  /* OvChartName at the ends of lines or in the plot */
  GArray *legend; /* OvChartName in the legend; x is where the key begins */
  double key_width;
  PangoLayout *more; /* "and 5 more", or NULL */
  double more_x;
  double more_y;

  guint n_columns; /* bars beside each other in one place */
  double bar_width;
} OvChartLayout;

struct _OvChart
{
  GObject parent_instance;

  char *title;
  char *subtitle;
  char *note;
  OvAxis *x_axis;
  OvAxis *y_axis;
  GPtrArray *series; /* OvChartSeries */
  int highlight;
  gboolean has_cursor;
  OvChartHit cursor;

  const OvTheme *last_theme;
  OvChartLayout *layout; /* NULL: to be computed */
  OvTable *table;        /* NULL: to be computed */
};

/** The layout for that size; borrowed, good until the chart changes. */
const OvChartLayout *ov_chart_get_layout (OvChart *self, double width, double height,
                                          const OvTheme *theme);
void ov_chart_layout_free (OvChartLayout *layout);

OvChartSeries *ov_chart_series (OvChart *self, guint series);
void ov_chart_series_style (OvChart *self, guint series, const OvTheme *theme,
                            OvSeriesStyle *style);
/** The label with what has to be said about an own scale, on a second line if `two_lines`. The
 * caller owns the text. */
char *ov_chart_series_full_label (OvChart *self, guint series, const OvChartLayout *layout,
                                  gboolean two_lines);
/** The scale that the series is drawn on. */
const OvScale *ov_chart_layout_scale (const OvChartLayout *layout, const OvChartSeries *series);
/** Pixels; NaN where there is no place. Bars give the middle of their upper edge. */
void ov_chart_layout_map (OvChart *self, const OvChartLayout *layout, guint series,
                          const OvChartPoint *point, double *px, double *py);
/** The column of a series of bars, from 0; G_MAXUINT for the number of columns there are. */
guint ov_chart_layout_find_column (OvChart *self, guint series);
/** Left edge of the bar of that series at x, and the value below it (stacked bars). */
double ov_chart_layout_bar_left (OvChart *self, const OvChartLayout *layout, guint series,
                                 double x);
double ov_chart_stack_below (OvChart *self, guint series, double x);
/** Index of the point of that x, or -1. */
int ov_chart_find_point (const OvChartSeries *series, double x);
/** Range of one coordinate over visible series. `group` as in ov_chart_set_series_own_scale. NaN
 * where there is nothing. */
void ov_chart_get_x_range (OvChart *self, double *lo, double *hi);
void ov_chart_get_y_range (OvChart *self, guint group, double *lo, double *hi);
/** All x of visible series (references too), rising, each once. */
GArray *ov_chart_dup_all_x (OvChart *self);
/** TRUE for lines and references. */
gboolean ov_chart_series_is_line (const OvChartSeries *series);

G_END_DECLS
