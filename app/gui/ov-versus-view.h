// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvVersusView: two stored results line by line: two machines, two days, two folders. Each is
 * chosen from the stored results or is a file; A is what B is compared with.
 *
 * Results are read and compared in threads, so that results of a hundred thousand runs never stop
 * the window. What is shown was compared from the files as they were when they were chosen.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/ov-exporter.h"
#include "gui/ov-library.h"

G_BEGIN_DECLS

#define OV_TYPE_VERSUS_VIEW (ov_versus_view_get_type ())
G_DECLARE_FINAL_TYPE (OvVersusView, ov_versus_view, OV, VERSUS_VIEW, GtkWidget)

/** The sides. */
typedef enum
{
  OV_VERSUS_A,
  OV_VERSUS_B,
} OvVersusSide;

/** Whose results are offered; once. */
void ov_versus_view_set_library (OvVersusView *self, OvLibrary *library);
/** The experiment, or the stored result in the file `path` (or NULL), that the window shows: it
 * becomes B, and A the newest other result of the same experiment, where the user chose none. */
void ov_versus_view_follow (OvVersusView *self, const char *experiment_id, const char *path);
/** Chooses the result in a file, which need not be a stored one. */
void ov_versus_view_choose_file (OvVersusView *self, OvVersusSide side, const char *path);

/** The chart, or NULL while nothing is compared. Borrowed. */
OvDrawable *ov_versus_view_get_chart (OvVersusView *self);
/** What can be exported, or NULL while nothing is compared. The caller owns it. */
OvExportParts *ov_versus_view_dup_parts (OvVersusView *self);

G_END_DECLS
