// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsView: the stored results, to open and to delete.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-library.h"

G_BEGIN_DECLS

#define OV_TYPE_RESULTS_VIEW (ov_results_view_get_type ())
/** Signals "open" (OvLibraryItem *item) and "remove" (OvLibraryItem *item). */
G_DECLARE_FINAL_TYPE (OvResultsView, ov_results_view, OV, RESULTS_VIEW, GtkWidget)

void ov_results_view_set_library (OvResultsView *self, OvLibrary *library);

G_END_DECLS
