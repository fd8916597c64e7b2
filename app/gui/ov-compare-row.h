// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvCompareRow: a row of the Compare view: one line of a result against another one, in words.
 */
#pragma once

#include <glib-object.h>

#include "model/ov-comparison.h"

G_BEGIN_DECLS

typedef enum
{
  OV_COMPARE_LINE,
  OV_COMPARE_VALUE,
  OV_COMPARE_N,
  OV_COMPARE_RATIO,
  OV_COMPARE_INTERVAL,
  OV_COMPARE_REMARK,
  OV_N_COMPARE,
} OvCompareColumn;

#define OV_TYPE_COMPARE_ROW (ov_compare_row_get_type ())
G_DECLARE_FINAL_TYPE (OvCompareRow, ov_compare_row, OV, COMPARE_ROW, GObject)

/** Everything is copied. `group` (or NULL) stands before the name where several groups are shown;
 * `style`: of the line's swatch. */
OvCompareRow *ov_compare_row_new (const OvComparison *comparison, const char *group, int style);
/** Borrowed. */
const char *ov_compare_row_get_text (OvCompareRow *self, OvCompareColumn column);
int ov_compare_row_get_style (OvCompareRow *self);

G_END_DECLS
