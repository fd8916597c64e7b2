// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsRow: one line of the results table: a variant on a target, with its figures at the
 * value of x that is shown. Texts are made when they are asked for.
 */
#pragma once

#include "model/ov-result.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** What a row is doing. The order is that in which rows are sorted by state. */
typedef enum
{
  OV_ROW_PLANNED,
  OV_ROW_WAITING,
  OV_ROW_RUNNING,
  OV_ROW_ENDED,
  OV_ROW_NOT_HERE,
} OvRowState;

#define OV_TYPE_RESULTS_ROW (ov_results_row_get_type ())
/** Signal "changed" (). */
G_DECLARE_FINAL_TYPE (OvResultsRow, ov_results_row, OV, RESULTS_ROW, GObject)

OvResultsRow *ov_results_row_new (const char *variant, const char *target, int style, guint order);

const char *ov_results_row_get_variant (OvResultsRow *self);
const char *ov_results_row_get_target (OvResultsRow *self);
/** What its runs really used, or NULL; ov_report_effective(). */
const char *ov_results_row_get_effective (OvResultsRow *self);
void ov_results_row_set_effective (OvResultsRow *self, const char *effective);
/** What stands in the first column: the variant, with the target once there are two. */
const char *ov_results_row_get_label (OvResultsRow *self);
void ov_results_row_set_label (OvResultsRow *self, const char *label);
int ov_results_row_get_style (OvResultsRow *self);
/** Its place in the experiment, from 0. */
guint ov_results_row_get_order (OvResultsRow *self);
OvRowState ov_results_row_get_state (OvResultsRow *self);

/** Whether there is nothing to see in the row: it waits for its first run, or has none. */
gboolean ov_results_row_is_empty (OvResultsRow *self);

/** `n_ended` of `n_total` runs at this x have ended; `cause` (may be NULL) says why some of them do
 * not count, or why there is none. */
void ov_results_row_set_state (OvResultsRow *self, OvRowState state, guint n_ended, guint n_total,
                               const char *cause);
/** Copies the figures; NULL: there are none yet. */
void ov_results_row_set_cell (OvResultsRow *self, const OvCell *cell);
/** Emits "changed" if anything was set since the last time. */
void ov_results_row_flush (OvResultsRow *self);

/** The columns. */
typedef enum
{
  OV_COLUMN_VARIANT,
  OV_COLUMN_STATE,
  OV_COLUMN_MEDIAN,
  OV_COLUMN_INTERVAL,
  OV_COLUMN_STABLE, /**< jobs that write: until on stable storage */
  OV_COLUMN_RATE,
  OV_COLUMN_CPU,
  OV_COLUMN_STOP,
  OV_COLUMN_CHECK,
  OV_N_COLUMNS,
} OvResultsColumn;

/** The text of a cell, in the user's language. The caller owns it. */
char *ov_results_row_format (OvResultsRow *self, OvResultsColumn column);
/** What a column is sorted by: NaN where there is nothing, which comes last. */
double ov_results_row_get_value (OvResultsRow *self, OvResultsColumn column);

G_END_DECLS
