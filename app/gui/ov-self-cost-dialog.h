// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSelfCostDialog: what measuring costs on this machine, and a button that measures it.
 *
 * It is measured by overlap-cli, since the window's own drawing is among what is measured; the
 * figures are kept for the results to come. Closing the dialog stops the measuring.
 */
#pragma once

#include <adwaita.h>

#include "model/ov-self-cost.h"

G_BEGIN_DECLS

#define OV_TYPE_SELF_COST_DIALOG (ov_self_cost_dialog_get_type ())
/** Signal "measured" (): there are new figures. */
G_DECLARE_FINAL_TYPE (OvSelfCostDialog, ov_self_cost_dialog, OV, SELF_COST_DIALOG, AdwWindow)

/** `carried`: what the result that is shown carries, or NULL. */
GtkWindow *ov_self_cost_dialog_new (const OvSelfCost *carried, GtkWindow *parent);

G_END_DECLS
