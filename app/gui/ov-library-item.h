// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLibraryItem: one line of the sidebar: an experiment that came with the program, one of the
 * user's own, or a stored result. Never changes.
 */
#pragma once

#include "model/ov-result.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  OV_LIBRARY_EXPERIMENT,
  OV_LIBRARY_OWN,
  OV_LIBRARY_RESULT,
} OvLibrarySection;

#define OV_TYPE_LIBRARY_ITEM (ov_library_item_get_type ())
G_DECLARE_FINAL_TYPE (OvLibraryItem, ov_library_item, OV, LIBRARY_ITEM, GObject)

/** An experiment of the section EXPERIMENT or OWN. */
OvLibraryItem *ov_library_item_new_experiment (OvLibrarySection section, OvExperiment *experiment);
/** A result that lies in the file `path`; what is shown of it is taken from `result`, which is not
 * kept. Works in any thread. */
OvLibraryItem *ov_library_item_new_result (const char *path, const OvResult *result);

OvLibrarySection ov_library_item_get_section (OvLibraryItem *self);
/** What tells items apart: the experiment's id, or the result's path. Borrowed. */
const char *ov_library_item_get_key (OvLibraryItem *self);
/** Title in the user's language; for results with the date, as it reads now. The caller owns it. */
char *ov_library_item_dup_title (OvLibraryItem *self);
/** Experiments: the summary. Results: machine, target and number of runs. Borrowed. */
const char *ov_library_item_get_subtitle (OvLibraryItem *self);
/** The experiment, or NULL for a result. Borrowed. */
OvExperiment *ov_library_item_get_experiment (OvLibraryItem *self);
/** Of a result: id of its experiment. Borrowed. */
const char *ov_library_item_get_experiment_id (OvLibraryItem *self);
/** Of a result: Unix seconds. */
gint64 ov_library_item_get_date (OvLibraryItem *self);
/** Whether all words of `search` occur in title or subtitle, in small or capital letters. */
gboolean ov_library_item_matches (OvLibraryItem *self, const char *search);

G_END_DECLS
