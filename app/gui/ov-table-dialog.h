// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTableDialog: the figures of a chart as a table, for who cannot see the chart or wants the
 * numbers.
 */
#pragma once

#include <adwaita.h>

#include "chart/ov-drawable.h"

G_BEGIN_DECLS

#define OV_TYPE_TABLE_DIALOG (ov_table_dialog_get_type ())
G_DECLARE_FINAL_TYPE (OvTableDialog, ov_table_dialog, OV, TABLE_DIALOG, AdwWindow)

/** A dialog with the figures that the chart has now; present it. */
GtkWindow *ov_table_dialog_new (OvDrawable *chart, const char *title, GtkWindow *parent);

G_END_DECLS
