// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvAutomation: lets a script drive the window by hidden options: choose, run, take a picture,
 * quit. For tests and for the pictures of the documentation.
 */
#pragma once

#include "gui/ov-window.h"

G_BEGIN_DECLS

#define OV_TYPE_AUTOMATION (ov_automation_get_type ())
/** Signal "done" (int status): there is nothing more to do; quit with it. */
G_DECLARE_FINAL_TYPE (OvAutomation, ov_automation, OV, AUTOMATION, GObject)

/** The options, for GApplication; borrowed. */
const GOptionEntry *ov_automation_get_options (void);
/** NULL where none of the options was given. */
OvAutomation *ov_automation_new (GVariantDict *options);
/** Begins to drive the window. */
void ov_automation_attach (OvAutomation *self, OvWindow *window);

G_END_DECLS
