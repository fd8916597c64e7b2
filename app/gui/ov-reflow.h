// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvReflow: a box for two children that stand side by side where there is room for it, and below
 * each other where there is not.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OV_TYPE_REFLOW (ov_reflow_get_type ())
/** Properties: "threshold" (int, pixels): the width from which on they stand side by side;
 *  "spacing" (int); "share" (double): what the first child gets of the width then. */
G_DECLARE_FINAL_TYPE (OvReflow, ov_reflow, OV, REFLOW, GtkWidget)

/** Whether the children stand side by side now. */
gboolean ov_reflow_is_wide (OvReflow *self);

G_END_DECLS
