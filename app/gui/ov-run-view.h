// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunView: the Run view: strip, charts, table of one OvRunModel.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_RUN_VIEW (ov_run_view_get_type ())
G_DECLARE_FINAL_TYPE (OvRunView, ov_run_view, OV, RUN_VIEW, GtkWidget)

/** NULL for none. */
void ov_run_view_set_model (OvRunView *self, OvRunModel *model);
/** Borrowed, or NULL. */
OvRunModel *ov_run_view_get_model (OvRunView *self);

G_END_DECLS
