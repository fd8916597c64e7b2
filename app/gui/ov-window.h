// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWindow: the window: sidebar, views, the one button that runs and stops. At most one run goes
 * on at a time; it goes on while other experiments are looked at.
 */
#pragma once

#include <adwaita.h>

#include "engine/ov-catalog.h"

#include "gui/ov-library.h"
#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_WINDOW (ov_window_get_type ())
/** Signals: "model-changed" (): another experiment or result is shown.
 *  "finished" (): a run has ended and its result is stored, as far as that went. */
G_DECLARE_FINAL_TYPE (OvWindow, ov_window, OV, WINDOW, AdwApplicationWindow)

OvWindow *ov_window_new (AdwApplication *application, OvLibrary *library);

/** What the worker told of strategies; borrowed, and kept as far as needed. */
void ov_window_set_catalog (OvWindow *self, const OvLauncher *launcher, const OvCatalog *catalog);
/** Says why there is no catalog. */
void ov_window_set_catalog_error (OvWindow *self, const GError *error);

/** Shows the experiment with this id or from the file of this path; FALSE: there is none. */
gboolean ov_window_select_experiment (OvWindow *self, const char *id);
/** Shows the experiment or result in a file. Errors are shown too. */
void ov_window_open (OvWindow *self, GFile *file);
/** A window that is driven by a script keeps nothing for the next start. */
void ov_window_set_automatic (OvWindow *self, gboolean automatic);
/** "learn", "run", "compare", "results". */
void ov_window_show_view (OvWindow *self, const char *name);
/** Shows two results line by line: what is shown now, and the one in the file `path` (NULL: the one
 * before it). */
void ov_window_show_two (OvWindow *self, const char *path);
/** Puts the keyboard on the experiment that is selected. */
void ov_window_focus_list (OvWindow *self);
/** What is shown, or NULL. Borrowed. */
OvRunModel *ov_window_get_model (OvWindow *self);
/** Shows a sentence at the top, until it is closed. */
void ov_window_show_error (OvWindow *self, const GError *error);

G_END_DECLS
