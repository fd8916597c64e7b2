// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsModel: what the results table shows: a row for each variant (and target), with the
 * figures at one value of x, and how far each has come. Fed with a plan and the runs that end, or
 * with a stored result.
 */
#pragma once

#include "gui/ov-results-index.h"
#include "gui/ov-results-row.h"
#include "model/ov-plan.h"

G_BEGIN_DECLS

#define OV_TYPE_RESULTS_MODEL (ov_results_model_get_type ())
/** Signal "x-changed" (): the values of x, or the one that is shown, are others now. */
G_DECLARE_FINAL_TYPE (OvResultsModel, ov_results_model, OV, RESULTS_MODEL, GObject)

OvResultsModel *ov_results_model_new (OvExperiment *experiment);
/** The rows, of OvResultsRow. Borrowed. */
GListModel *ov_results_model_get_rows (OvResultsModel *self);

/** Whether the experiment's job writes, and so has a second figure. */
gboolean ov_results_model_writes (OvResultsModel *self);
/** Whether its job has no file: what a second holds are accesses or events, not bytes. */
gboolean ov_results_model_is_hardware (OvResultsModel *self);

/** Makes the rows anew for a plan that has not begun. */
void ov_results_model_set_plan (OvResultsModel *self, const OvPlan *plan);
/** Makes the rows anew for a result that is complete. */
void ov_results_model_set_result (OvResultsModel *self, const OvResult *result);
/** The same for what was made of such a result before, which is taken. Cells that it has are not
 * computed again. */
void ov_results_model_take_index (OvResultsModel *self, OvResultsIndex *index);
/** The plan has begun: rows wait now. */
void ov_results_model_begin (OvResultsModel *self);
/** The run that is going on, or NULL. */
void ov_results_model_set_current (OvResultsModel *self, const OvRun *run);
/** A run has ended. Figures follow with ov_results_model_update(). */
void ov_results_model_add (OvResultsModel *self, const OvRun *run);
/** What is missing is not wanted any more: the repetitions that there are were enough. */
void ov_results_model_drop_missing (OvResultsModel *self);
/** Nothing more will come. */
void ov_results_model_end (OvResultsModel *self);

/** The cells at the x that is shown, of OvCell, which live until the next update.  NULL while some
 * of them are still to be computed.  The caller owns the array. */
GPtrArray *ov_results_model_get_cells (OvResultsModel *self);
/** Has ov_results_model_update() hand out all cells again. */
void ov_results_model_touch (OvResultsModel *self);

/** The same at all x. */
GPtrArray *ov_results_model_get_all_cells (OvResultsModel *self);

/** Called with each cell that is new since the last update; `partial`: runs of it are missing. */
typedef void (*OvCellFunc) (const OvCell *cell, gboolean partial, gpointer data);
/** Computes the cells that runs were added to, and shows them; stops after the cell with which
 * `budget_us` microseconds are used up (-1: never). TRUE: there is more to compute. */
gboolean ov_results_model_update (OvResultsModel *self, gint64 budget_us, OvCellFunc func,
                                  gpointer data);

/** The values of x, ascending, of double. Borrowed. */
const GArray *ov_results_model_get_xs (OvResultsModel *self);
OvAxisParameter ov_results_model_get_parameter (OvResultsModel *self);
/** Which of them is shown: the largest, and while runs go on the one that is being run, until the
 * user sets another one. */
guint ov_results_model_get_x (OvResultsModel *self);
void ov_results_model_set_x (OvResultsModel *self, guint index);
/** The most repetitions that a variant has at one x. */
guint ov_results_model_get_repetitions (OvResultsModel *self);

G_END_DECLS
