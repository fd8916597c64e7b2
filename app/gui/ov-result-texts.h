// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultTexts: what the Run view says of a complete result beside charts and figures. Each part
 * takes a look at every run, so that it is made once, and for a stored result in a thread.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef struct
{
  char *note;        /**< ov_report_note() */
  char *self_cost;   /**< what measuring cost, or how to measure it */
  GPtrArray *tables; /**< of OvTable: what was measured beside the runs */
  double resident;   /**< ov_result_texts_resident() */
} OvResultTexts;

/** Of a result that does not change any more. Any thread. */
OvResultTexts *ov_result_texts_new (const OvResult *result);
void ov_result_texts_free (OvResultTexts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvResultTexts, ov_result_texts_free)

/** The part of the files found in the page cache before the runs, 0 to 1, their mean; NaN where
 * that was not measured. */
double ov_result_texts_resident (const OvResult *result);

G_END_DECLS
