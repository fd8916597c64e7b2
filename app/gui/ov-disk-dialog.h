// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDiskDialog: asks for the values of a simulated disk of one's own: kind, rate, latency and seek,
 * each with its unit. While one of them is wrong it says which and why, and cannot be answered with
 * "Use".
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OV_TYPE_DISK_DIALOG (ov_disk_dialog_get_type ())
G_DECLARE_FINAL_TYPE (OvDiskDialog, ov_disk_dialog, OV, DISK_DIALOG, AdwMessageDialog)

/** Begins with the values of `target` where that is a simulated disk (NULL is none), else with
 * those of the first preset. Emits "response" with "use" or "cancel". */
OvDiskDialog *ov_disk_dialog_new (GtkWindow *parent, const char *target);

/** "simulated:kind=disk,rate=4MB,…" of what is entered, or NULL and what is wrong. The caller owns
 * the text. */
char *ov_disk_dialog_dup_target (OvDiskDialog *self, GError **error);

G_END_DECLS
