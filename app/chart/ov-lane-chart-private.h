// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the files of OvLaneChart share.
 */
#pragma once

#include "chart/ov-lane-chart.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 t0;
  gint64 t1;
  guint64 number;
  guint16 style;
  guint8 kind;
  guint8 first; /* of its request */
} OvLaneBlock;

G_STATIC_ASSERT (sizeof (OvLaneBlock) == 32);

typedef struct
{
  char *label;
  GArray *blocks; /* OvLaneBlock */
  gint64 longest; /* length of a block */
} OvLane;

struct _OvLaneChart
{
  GObject parent_instance;

  char *title;
  char *subtitle;
  char *note;
  char *kind_labels[OV_LANE_N_KINDS];
  GPtrArray *lanes; /* OvLane */
  gint64 t0;
  gint64 t1;        /* <= t0: all */
  gint64 extent_t0; /* of all blocks; t1 < t0: not known */
  gint64 extent_t1;
  gint64 cursor;
  char *cursor_text;
  guint64 total;
  guint kinds; /* bits: those that were added */
  gboolean mark_idle;
  gboolean relative;
  gboolean dirty;

  guint back_serial; /* of all that stands behind the blocks */
  const OvTheme *last_theme;
  const OvTheme *label_theme; /* for which label_width was measured, NULL: measure */
  double label_width;
  OvTable *table;
};

/** Borrowed. */
OvLane *ov_lane_chart_lane (OvLaneChart *self, guint lane);
/** Number of the first block that can reach into the time from `t` on. */
guint ov_lane_first_block (const OvLane *lane, gint64 t);

/** "1,204 of 20,480 requests, up to 14 to a pixel" for a picture of `columns` pixels. The caller
 * owns the text. */
char *ov_lane_chart_format_counts (OvLaneChart *self, guint columns);
/** Name of a kind of block, translated; borrowed. */
const char *ov_lane_chart_kind_name (OvLaneChart *self, OvLaneKind kind);

/* The picture in two layers (see ov-drawable.h). */
void ov_lane_chart_draw_back (OvLaneChart *self, cairo_t *cr, double width, double height,
                              const OvTheme *theme);
void ov_lane_chart_draw_front (OvLaneChart *self, cairo_t *cr, double width, double height,
                               const OvTheme *theme, cairo_surface_t *pixels, double scale);

G_END_DECLS
