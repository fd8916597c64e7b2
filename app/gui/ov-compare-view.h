// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvCompareView: the lines of a result against the best of those that did the same work, or against
 * one that the user chooses: verdict, chart of the ratios with their intervals, table; or two
 * results line by line (OvVersusView). Computed only while it is seen, of one result at one x.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-exporter.h"
#include "gui/ov-library.h"
#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_COMPARE_VIEW (ov_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (OvCompareView, ov_compare_view, OV, COMPARE_VIEW, GtkWidget)

/** NULL for none. */
void ov_compare_view_set_model (OvCompareView *self, OvRunModel *model);
/** Whose stored results can stand beside each other; once. */
void ov_compare_view_set_library (OvCompareView *self, OvLibrary *library);
/** Shows two results, A being the one in the file `path`; NULL: as proposed. */
void ov_compare_view_show_two (OvCompareView *self, const char *path);

/** The chart that is shown, or NULL. Borrowed. */
OvDrawable *ov_compare_view_get_chart (OvCompareView *self);
/** What can be exported of what is shown, or NULL. The caller owns it. */
OvExportParts *ov_compare_view_dup_parts (OvCompareView *self);

G_END_DECLS
