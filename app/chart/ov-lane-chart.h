// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLaneChart: what each buffer, thread or processor did when: rows of blocks over one time axis.
 *
 * Times are nanoseconds on the same clock as those of the OvTimeChart beside it. Blocks of a lane
 * are added in the order of their start; of each lane the newest OV_LANE_MAX_BLOCKS are kept. Not
 * thread-safe.
 */
#pragma once

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_LANE_CHART (ov_lane_chart_get_type ())
G_DECLARE_FINAL_TYPE (OvLaneChart, ov_lane_chart, OV, LANE_CHART, GObject)

/** Blocks of one lane that are kept. */
#define OV_LANE_MAX_BLOCKS 65536

typedef enum
{
  OV_LANE_REQUEST, /* outlined, light: handed to the system and not back yet */
  OV_LANE_WORK,    /* full: the processor works on it */
  OV_LANE_WAIT,    /* a thin bar: ready, but nobody takes it */
} OvLaneKind;

#define OV_LANE_N_KINDS 3

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

/** The part of time that is shown; t1 <= t0 shows all blocks. */
void ov_lane_chart_set_range (OvLaneChart *self, gint64 t0_ns, gint64 t1_ns);
void ov_lane_chart_get_range (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns);
/** First start and last end of all blocks; FALSE where there is none. */
gboolean ov_lane_chart_get_extent (OvLaneChart *self, gint64 *t0_ns, gint64 *t1_ns);
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
/** "buffer 1, request 418: on the disk, 11.2 ms from 3.10 s". The caller owns the text. */
char *ov_lane_chart_describe_hit (OvLaneChart *self, const OvLaneHit *hit);

G_END_DECLS
