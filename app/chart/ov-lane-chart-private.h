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
  OvLaneKind kind;
  int style;
} OvLaneBlock;

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
  gint64 t1; /* <= t0: all */
  gint64 cursor;
  char *cursor_text;
  gboolean dirty;

  const OvTheme *last_theme;
  OvTable *table;
};

/** Borrowed. */
OvLane *ov_lane_chart_lane (OvLaneChart *self, guint lane);
/** Number of the first block that can reach into the time from `t` on. */
guint ov_lane_first_block (const OvLane *lane, gint64 t);

G_END_DECLS
