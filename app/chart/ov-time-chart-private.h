// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the files of OvTimeChart and OvLiveCanvas share: data, layout, and the two halves of a
 * picture: the background (all that stays while samples come in) and the foreground.
 */
#pragma once

#include "chart/ov-raster.h"
#include "chart/ov-samples.h"
#include "chart/ov-scale.h"
#include "chart/ov-text.h"
#include "chart/ov-time-chart.h"

G_BEGIN_DECLS

typedef struct
{
  OvTraceKind kind;
  char *label;
  int style;
  OvSamples *samples; /* stacked: of the sum up to this trace */
  OvSamples *own;     /* stacked: of the trace itself; else the same object as samples */
  double newest;      /* stacked: the sum at newest_t */
  gint64 newest_t;
} OvTrace;

typedef struct
{
  char *title;
  char *subtitle;
  OvAxis *axis;
  double weight;
  gboolean visible;
  GPtrArray *traces; /* OvTrace */
} OvPanel;

typedef struct
{
  gint64 t0;
  gint64 t1;   /* < 0: still running */
  char *label; /* a GRefString: many runs share few names */
  int style;
  gboolean partial;
  double *means; /* one for each panel, NaN: not told; NULL: none told */
  guint n_means;
} OvSpan;

typedef struct
{
  double x;
  double y;
  double w;
  double h;
} OvBox;

typedef struct
{
  OvBox plot;
  OvScale *y; /* NULL: the panel is hidden */
  double title_y;
  PangoLayout *title;
  PangoLayout *subtitle;
  double subtitle_x;
} OvPanelLayout;

typedef struct
{
  double width;
  double height;
  const OvTheme *theme;
  guint64 revision;
  gint64 t0;
  gint64 t1;
  guint serial; /* differs for each background that differs */

  double pad;
  PangoLayout *title;
  PangoLayout *note;
  OvScale *x;
  GArray *panels; /* OvPanelLayout, one for each panel */
  OvBox plots;    /* around all plots */
} OvTimeLayout;

struct _OvTimeChart
{
  GObject parent_instance;

  char *title;
  char *note;
  GPtrArray *panels; /* OvPanel */
  GArray *spans;     /* OvSpan */
  gint64 now;
  gint64 window;
  gint64 cursor; /* < 0: none */
  gint64 bracket_t0;
  gint64 bracket_t1;
  gboolean dirty; /* appended since the last flush */

  guint64 revision; /* of all that the background shows, but for ranges */
  guint next_serial;
  const OvTheme *last_theme;
  OvTimeLayout *layout;
  OvTable *table;
};

/** The layout for that size and for what is in the chart now; borrowed until the next call. */
const OvTimeLayout *ov_time_chart_get_layout (OvTimeChart *self, double width, double height,
                                              const OvTheme *theme);
void ov_time_layout_free (OvTimeLayout *layout);
double ov_time_layout_map_x (const OvTimeLayout *layout, gint64 t);
double ov_time_layout_map_y (const OvPanelLayout *panel, double value);

OvPanel *ov_time_chart_panel (OvTimeChart *self, guint panel);
OvTrace *ov_time_chart_trace (OvTimeChart *self, guint panel, guint trace);
OvSpan *ov_time_chart_span (OvTimeChart *self, guint span);
guint ov_time_chart_trace_style (OvTimeChart *self, guint panel, guint trace);
gint64 ov_time_chart_span_end (OvTimeChart *self, const OvSpan *span);
double ov_time_chart_span_mean (const OvSpan *span, guint panel);
/** Number of the first span that ends at `t` or later. */
guint ov_time_chart_find_span (OvTimeChart *self, gint64 t);
/** The panel has a trace that is coloured by spans. */
gboolean ov_time_chart_panel_by_span (OvTimeChart *self, guint panel);
/** Width that the keys of a panel take beside its title, 0 where it has none. */
double ov_time_chart_keys_width (OvTimeChart *self, guint panel, const OvTheme *theme);
/** Width that keys for the names of all spans take beside each other. */
double ov_time_chart_span_keys_width (OvTimeChart *self, const OvTheme *theme);
/** Colour of a stacked area: between fill and line, as it has no outline. */
OvColor ov_time_chart_stack_color (const OvTheme *theme, const OvSeriesStyle *style);

/** Paints what stays: titles, grid, labels, note. */
void ov_time_chart_draw_background (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *layout);
/** Paints the samples with cairo, or into the raster if there is one, whose pixels are `scale` for
 * each pixel of the layout. */
void ov_time_chart_draw_data (OvTimeChart *self, cairo_t *cr, OvRaster *raster, double scale,
                              const OvTimeLayout *layout);
/** Paints what lies over the samples: names of spans, bracket, cursor. */
void ov_time_chart_draw_overlay (OvTimeChart *self, cairo_t *cr, const OvTimeLayout *layout);

G_END_DECLS
