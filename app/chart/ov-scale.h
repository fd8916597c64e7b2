// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvScale: an axis applied to data: the range, its ticks, one unit for all of them. Private to the
 * chart library.
 *
 * Ticks are in rising order. 0 maps to the low end of the axis and 1 to the high end.
 */
#pragma once

#include "chart/ov-axis.h"

G_BEGIN_DECLS

typedef struct
{
  double value; /* base unit */
  double pos;   /* 0 to 1 */
  char *label;
} OvTick;

typedef struct
{
  OvAxisKind kind;
  double lo; /* base unit; log axes: > 0 */
  double hi;
  double divisor;   /* base units in the unit of the labels */
  const char *unit; /* of the labels; "" where they carry their own. Static or the axis's. */
  OvTick *ticks;
  guint n_ticks;
  gboolean empty; /* there were no data and no fixed range: 0 to 1 without ticks */
} OvScale;

typedef enum
{
  OV_SCALE_ROUND = 1 << 0,       /* widen the range to whole ticks (a y axis) */
  OV_SCALE_UNIT_LABELS = 1 << 1, /* every label has its unit: "2 s" */
} OvScaleFlags;

/** The axis for data from `lo` to `hi` (NaN: none) with at most `max_ticks` ticks (at least 2 are
 * tried). `at`, if not NULL, are wanted places of ticks, such as the sizes that were measured; they
 * are taken where there are at most `max_ticks`. Free with ov_scale_free. */
OvScale *ov_scale_new (const OvAxis *axis, double lo, double hi, guint max_ticks,
                       OvScaleFlags flags, const double *at, guint n_at);
void ov_scale_free (OvScale *scale);

/** Place of a value, NaN where it has none (zero or less on a logarithmic axis). */
double ov_scale_map (const OvScale *scale, double value);
/** The inverse. */
double ov_scale_unmap (const OvScale *scale, double pos);
/** 1, 2 or 5 times a power of ten, so that at most `max_ticks` multiples of it span `range`. */
double ov_scale_nice_step (double range, guint max_ticks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvScale, ov_scale_free)

G_END_DECLS
