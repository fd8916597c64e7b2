// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsIndex: the runs of a result by line (a variant on a target) and by value of x, with what
 * they gave. Plain data: one that nobody else has yet may be made in any thread.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** A variant on a target. */
typedef struct
{
  char *variant;
  char *target; /**< or NULL */
  char *skip;   /**< why it cannot run here, or NULL */
} OvResultsLine;

/** A line at one value of x. */
typedef struct
{
  const OvResultsLine *line;
  double x;
  guint n_total;   /**< runs that are wanted */
  GPtrArray *runs; /**< of OvRun: those that ended */
  OvCell *cell;    /**< what they gave, or NULL */
  gboolean dirty;  /**< runs came since the cell was computed */
} OvResultsEntry;

typedef struct
{
  GPtrArray *lines;   /**< of OvResultsLine, as they were seen first */
  GPtrArray *entries; /**< of OvResultsEntry, as they were seen first */
  GArray *xs;         /**< of double: the finite values, ascending once sealed */
  OvAxisParameter parameter;

  /* Of the file alone. */
  GHashTable *by_line; /* OvResultsLine, as a set */
  GHashTable *by_spec; /* OvResultsEntry, as a set */
  GHashTable *by_x;    /* double in an entry -> GPtrArray of OvResultsEntry */
} OvResultsIndex;

OvResultsIndex *ov_results_index_new (OvAxisParameter parameter);
void ov_results_index_free (OvResultsIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvResultsIndex, ov_results_index_free)

/** All runs of `result` but those that were skipped, whose causes become the lines'; sealed. Every
 * entry is dirty. */
OvResultsIndex *ov_results_index_new_for_result (const OvResult *result);

/** Where runs of `spec` belong, made where it is missing. Borrowed. */
OvResultsEntry *ov_results_index_need (OvResultsIndex *self, const OvRunSpec *spec);
/** The same, or NULL. */
OvResultsEntry *ov_results_index_find (OvResultsIndex *self, const OvRunSpec *spec);
/** The line of `spec` cannot run here; `cause` may be NULL. */
void ov_results_index_skip (OvResultsIndex *self, const OvRunSpec *spec, const char *cause);
/** Puts the values of x into their order; nothing is needed anew after that. */
void ov_results_index_seal (OvResultsIndex *self);

/** The entries at `x`, of OvResultsEntry, as they were seen first; NULL where there are none.
 * Borrowed. */
const GPtrArray *ov_results_index_at (OvResultsIndex *self, double x);

/** Computes all cells at once, which of a hundred thousand runs takes half a second. */
void ov_results_index_compute (OvResultsIndex *self, OvExperiment *experiment);

G_END_DECLS
