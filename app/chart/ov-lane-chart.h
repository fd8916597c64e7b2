// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart: what each buffer, thread or processor did when: rows of blocks over one time axis.
 *
 * Times are nanoseconds on the same clock as those of the OvTimeChart beside it. Blocks of a lane
 * are added in the order of their start; of each lane the newest OV_LANE_MAX_BLOCKS are kept. Not
 * thread-safe.
 *
 * Where blocks are narrower than a pixel, a column of pixels is shaded by the part of its time that
 * they cover, and a line below the lanes says how many requests are in view, of how many.
 */
#pragma once

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_LANE_CHART (ov_lane_chart_get_type ())
G_DECLARE_FINAL_TYPE (OvLaneChart, ov_lane_chart, OV, LANE_CHART, GObject)

/** Blocks of one lane that are kept. */
#define OV_LANE_MAX_BLOCKS (2 * 1024 * 1024)

typedef enum
{
  OV_LANE_REQUEST, /* outlined, light: handed to the system and not back yet */
  OV_LANE_WORK,    /* full: the processor works on it */
  OV_LANE_WAIT,    /* a thin bar: ready, but nobody takes it */
  OV_LANE_SUBMIT,  /* half full: still within the call that hands the request over */
  OV_LANE_BROKEN,  /* outlined in the accent colour: cancelled, or failed */
} OvLaneKind;

#define OV_LANE_N_KINDS 5

typedef struct
{
  guint lane;
  OvLaneKind kind;
  guint64 number; /* what was told when the block was added: the request's number */
  gint64 t0_ns;
  gint64 t1_ns;
} OvLaneHit;

OvLaneChart *ov_lane_chart_new (void);

/** Texts are copied; NULL or "" for none. */
void ov_lane_chart_set_title (OvLaneChart *self, const char *title);
void ov_lane_chart_set_subtitle (OvLaneChart *self, const char *subtitle);
void ov_lane_chart_set_note (OvLaneChart *self, const char *note);
/** What a kind of block means, for the key: "on the disk", "counted". A kind without a name has no
 * key. */
void ov_lane_chart_set_kind_label (OvLaneChart *self, OvLaneKind kind, const char *label);

/** How many requests there were, for the line below the lanes; 0: as many as were added. */
void ov_lane_chart_set_total (OvLaneChart *self, guint64 total);
/** Draws a thin line where a lane has nothing to do between two blocks, and tells its share. */
void ov_lane_chart_set_mark_idle (OvLaneChart *self, gboolean mark_idle);
/** Labels the axis by the time before its right end, for a view that follows what comes. */
void ov_lane_chart_set_relative (OvLaneChart *self, gboolean relative);

/** Adds a lane below the others and returns its number. */
guint ov_lane_chart_add_lane (OvLaneChart *self, const char *label);
guint ov_lane_chart_get_n_lanes (OvLaneChart *self);
/** Adds a block. A start before that of the lane's newest block counts as the same; an end before
 * the start as the start. "changed" is not emitted for each block: call ov_lane_chart_flush. */
void ov_lane_chart_add_block (OvLaneChart *self, guint lane, OvLaneKind kind, gint64 t0_ns,
                              gint64 t1_ns, int style, guint64 number);
void ov_lane_chart_flush (OvLaneChart *self);
/** Blocks that are kept in a lane. */
guint ov_lane_chart_get_n_blocks (OvLaneChart *self, guint lane);
/** Drops the blocks; lanes stay. */
void ov_lane_chart_clear (OvLaneChart *self);
/** Drops the lanes too. */
void ov_lane_chart_remove_lanes (OvLaneChart *self);
/** Takes lanes, blocks and the number of requests from `from`, which may have been made in another
 * thread and gets what was here before; all of the time is shown. Texts stay. Takes no longer for
 * many blocks than for few. */
void ov_lane_chart_swap_lanes (OvLaneChart *self, OvLaneChart *from);

/** The part of time that is shown; t1 <= t0 shows all blocks. */
void ov_lane_chart_set_range (OvLaneChart *self, gint64 t0_ns, gint64 t1_ns);
void ov_lane_chart_get_range (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns);
/** First start and last end of all blocks; FALSE where there is none. */
gboolean ov_lane_chart_get_extent (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns);
/** Shows 1/factor of the time shown now (factor > 1 comes closer), `at_ns` staying where it is;
 * never more than there is, nor less than 100 ns. */
void ov_lane_chart_zoom (OvLaneChart *self, double factor, gint64 at_ns);
/** Moves the part that is shown by `share` of its length, positive to later times; it stays within
 * what there is. FALSE if there is nothing that way. */
gboolean ov_lane_chart_pan (OvLaneChart *self, double share);
/** Whether a part of time is shown, and not all of it. */
gboolean ov_lane_chart_is_zoomed (OvLaneChart *self);
/** Requests that reach into the range shown, and the largest number of them that begin in one of
 * `columns` pieces of it (may be NULL). */
guint64 ov_lane_chart_count (OvLaneChart *self, guint columns, guint *most);
/** A vertical line with a text below it (may be NULL); t < 0 for none. */
void ov_lane_chart_set_cursor (OvLaneChart *self, gint64 t_ns, const char *text);

void ov_lane_chart_draw (OvLaneChart *self, cairo_t *cr, double width, double height,
                         const OvTheme *theme);
/** For each lane the number of blocks and the share of the time that each kind takes. The caller
 * owns the text. */
char *ov_lane_chart_describe (OvLaneChart *self);
/** One row for each block that is shown, at most 1000. Borrowed until the chart changes. */
OvTable *ov_lane_chart_get_table (OvLaneChart *self);
/** The block under the pixel of a picture of that size drawn with the theme that was used last. */
gboolean ov_lane_chart_pick (OvLaneChart *self, double width, double height, double x, double y,
                             OvLaneHit *out);
/** The time at the pixel column `x` of a picture of that width. FALSE outside of the lanes. */
gboolean ov_lane_chart_pick_time (OvLaneChart *self, double width, double height, double x,
                                  gint64 *t_ns);
/** Steps from a block to the next (dx = 1) or the one before (-1) in its lane, or to the block at
 * the same time in the next lane that has one (dy). `hit` with a lane beyond the last one: begins
 * at the first block that is shown. FALSE, and `hit` unchanged, if there is none. */
gboolean ov_lane_chart_step (OvLaneChart *self, OvLaneHit *hit, int dx, int dy);
/** "buffer 1, request 418: on the disk, 11.2 ms from 3.10 s", followed by the other blocks of the
 * same request in that lane. The caller owns the text. */
char *ov_lane_chart_describe_hit (OvLaneChart *self, const OvLaneHit *hit);

G_END_DECLS
