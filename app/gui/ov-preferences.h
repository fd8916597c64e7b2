// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPreferences: how the program looks and behaves; bound to GSettings.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OV_TYPE_PREFERENCES (ov_preferences_get_type ())
G_DECLARE_FINAL_TYPE (OvPreferences, ov_preferences, OV, PREFERENCES, AdwPreferencesWindow)

GtkWindow *ov_preferences_new (GtkWindow *parent);

G_END_DECLS
