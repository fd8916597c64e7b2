// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeChart: several panels over one time axis; a recording that grows.
 *
 * Times are nanoseconds since the start of the recording, and do not go back: a sample that is
 * older than the newest one of its trace counts as being of the same time. Memory is bounded: old
 * samples are kept as minimum and maximum of ever longer pieces, so no peak is ever lost. A value
 * that is not finite breaks the line. Not thread-safe.
 */
#pragma once

#include "chart/ov-axis.h"
#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_TIME_CHART (ov_time_chart_get_type ())
G_DECLARE_FINAL_TYPE (OvTimeChart, ov_time_chart, OV, TIME_CHART, GObject)

typedef enum
{
  OV_TRACE_LINE,    /* a line */
  OV_TRACE_AREA,    /* a line with the area under it */
  OV_TRACE_STACKED, /* areas on top of each other, in the order in which they were added */
  OV_TRACE_BY_SPAN, /* an area in the colour of the span that the sample falls into */
} OvTraceKind;

OvTimeChart *ov_time_chart_new (void);

void ov_time_chart_set_title (OvTimeChart *self, const char *title);
void ov_time_chart_set_note (OvTimeChart *self, const char *note);
const char *ov_time_chart_get_title (OvTimeChart *self);
const char *ov_time_chart_get_note (OvTimeChart *self);

/** Adds a panel below the others and returns its number. The unit is written after the title, then
 * `subtitle` (may be NULL). The axis is copied. `weight` is the panel's share of the height. */
guint ov_time_chart_add_panel (OvTimeChart *self, const char *title, const char *subtitle,
                               const OvAxis *y_axis, double weight);
void ov_time_chart_set_panel_visible (OvTimeChart *self, guint panel, gboolean visible);
guint ov_time_chart_get_n_panels (OvTimeChart *self);
/** Adds a trace to a panel and returns its number within the panel. `style` as in ov-chart.h; -1
 * takes the trace's number. */
guint ov_time_chart_add_trace (OvTimeChart *self, guint panel, OvTraceKind kind, const char *label,
                               int style);

/** Adds a sample: for stacked traces, in the order of the traces and with the same time for each.
 * The value is in the base unit of the panel's axis. "changed" is not emitted for each sample:
 * call ov_time_chart_flush when a batch is in. */
void ov_time_chart_append (OvTimeChart *self, guint panel, guint trace, gint64 t_ns, double value);
/** Emits "changed" if something was appended since the last time. */
void ov_time_chart_flush (OvTimeChart *self);
/** The time up to which the recording goes: the newest sample or end of a span. Moves the right end
 * even where nothing is measured. */
void ov_time_chart_set_now (OvTimeChart *self, gint64 t_ns);
gint64 ov_time_chart_get_now (OvTimeChart *self);

/** Adds a run and returns its number. `t1_ns` < 0: it still goes on. Spans are added in the order
 * of their start and do not overlap. */
guint ov_time_chart_add_span (OvTimeChart *self, gint64 t0_ns, gint64 t1_ns, const char *label,
                              int style);
void ov_time_chart_set_span_end (OvTimeChart *self, guint span, gint64 t1_ns);
/** The mean of a run in one panel: its height where it was too short for two samples. */
void ov_time_chart_set_span_mean (OvTimeChart *self, guint span, guint panel, double mean);
/** A run that was stopped or has failed is drawn with a hatched area. */
void ov_time_chart_set_span_partial (OvTimeChart *self, guint span, gboolean partial);
guint ov_time_chart_get_n_spans (OvTimeChart *self);

/** Shows the last `length_ns` only; 0 shows the whole recording. */
void ov_time_chart_set_window (OvTimeChart *self, gint64 length_ns);
gint64 ov_time_chart_get_window (OvTimeChart *self);
/** The part of time that is on the picture now. */
void ov_time_chart_get_visible (OvTimeChart *self, gint64 *t0_ns, gint64 *t1_ns);
/** A vertical line through all panels with the figures at that time; < 0 for none. */
void ov_time_chart_set_cursor (OvTimeChart *self, gint64 t_ns);
/** Brackets a part of the time axis, such as the one that request lanes show; t1 <= t0 for none. */
void ov_time_chart_set_bracket (OvTimeChart *self, gint64 t0_ns, gint64 t1_ns);
/** Drops samples and spans; panels and traces stay. */
void ov_time_chart_clear (OvTimeChart *self);

void ov_time_chart_draw (OvTimeChart *self, cairo_t *cr, double width, double height,
                         const OvTheme *theme);
/** For each panel and trace the last, smallest, largest and mean value; the spans with their means.
 * The caller owns the text. */
char *ov_time_chart_describe (OvTimeChart *self);
/** One row for each span, or for each trace where there are no spans. Borrowed until the chart
 * changes. */
OvTable *ov_time_chart_get_table (OvTimeChart *self);
/** The time under a pixel of a picture of that size drawn with the theme that was used last. FALSE
 * outside of the panels. */
gboolean ov_time_chart_pick (OvTimeChart *self, double width, double height, double x, double y,
                             gint64 *t_ns);
/** The values at a time: "8.2 s: Throughput 1712 MB/s (uring.wait); CPU …". The caller owns it. */
char *ov_time_chart_describe_time (OvTimeChart *self, gint64 t_ns);

G_END_DECLS
