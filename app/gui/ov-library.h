// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLibrary: everything that the sidebar offers: the experiments found in the folders, those that
 * were opened by hand, and the stored results.
 */
#pragma once

#include "gui/ov-result-store.h"

G_BEGIN_DECLS

#define OV_TYPE_LIBRARY (ov_library_get_type ())
/** Signal "error" (const GError *error): an experiment or result file that could not be read. */
G_DECLARE_FINAL_TYPE (OvLibrary, ov_library, OV, LIBRARY, GObject)

OvLibrary *ov_library_new (void);
/** Reads the experiments. */
void ov_library_load (OvLibrary *self);
/** Begins to read the results, in a thread. */
void ov_library_load_results (OvLibrary *self);

/** The experiments, of OvLibraryItem: those that came with the program, then the user's. Borrowed.
 */
GListModel *ov_library_get_experiments (OvLibrary *self);
/** Borrowed. */
OvResultStore *ov_library_get_results (OvLibrary *self);

/** The experiment called `id`, or NULL. Borrowed. */
OvLibraryItem *ov_library_find_experiment (OvLibrary *self, const char *id);
/** The newest stored result of an experiment, or NULL. Borrowed. */
OvLibraryItem *ov_library_find_last_result (OvLibrary *self, const char *id);
/** The stored result in the file `path`, or NULL. Borrowed. */
OvLibraryItem *ov_library_find_result (OvLibrary *self, const char *path);
/** Adds an experiment opened by hand, in place of one of the user's of the same id. Borrowed. */
OvLibraryItem *ov_library_add_experiment (OvLibrary *self, OvExperiment *experiment);

G_END_DECLS
