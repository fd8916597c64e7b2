// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvExportDialog: what to export, as what; then the desktop's dialog asks where to.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-exporter.h"

G_BEGIN_DECLS

#define OV_TYPE_EXPORT_DIALOG (ov_export_dialog_get_type ())
/** Signals "exported" (const char *path), "failed" (const GError *error): the dialog has closed. */
G_DECLARE_FINAL_TYPE (OvExportDialog, ov_export_dialog, OV, EXPORT_DIALOG, AdwWindow)

/** A dialog with `item` chosen; present it. */
GtkWindow *ov_export_dialog_new (OvRunModel *model, OvExportItem item, GtkWindow *parent);
/** The same for a comparison. Takes `parts`. */
GtkWindow *ov_export_dialog_new_for_parts (OvExportParts *parts, GtkWindow *parent);

G_END_DECLS
