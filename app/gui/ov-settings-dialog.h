// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSettingsDialog: what is run, where and how. Every change takes effect at once, in the plan
 * that the strip shows.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-run-settings.h"

G_BEGIN_DECLS

#define OV_TYPE_SETTINGS_DIALOG (ov_settings_dialog_get_type ())
G_DECLARE_FINAL_TYPE (OvSettingsDialog, ov_settings_dialog, OV, SETTINGS_DIALOG,
                      AdwPreferencesWindow)

/** `strategies`: of OvStrategyInfo; `faults`: of OvModuleFault; both may be NULL. Present it. */
GtkWindow *ov_settings_dialog_new (OvRunSettings *settings, GPtrArray *strategies,
                                   GPtrArray *faults, GtkWindow *parent);

G_END_DECLS
