// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvApplication: the program: options, files to open, the catalog of strategies, one window.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OV_TYPE_APPLICATION (ov_application_get_type ())
G_DECLARE_FINAL_TYPE (OvApplication, ov_application, OV, APPLICATION, AdwApplication)

OvApplication *ov_application_new (void);
/** The exit status that a driven program wants (ov-automation.h), 0 otherwise. */
int ov_application_get_status (OvApplication *self);

G_END_DECLS
