// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPreflightStrip: what will happen if Run is pressed, in one line: where, in which condition of
 * the cache, how much is read and written, how long it takes, and what stands in the way.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_PREFLIGHT_STRIP (ov_preflight_strip_get_type ())
G_DECLARE_FINAL_TYPE (OvPreflightStrip, ov_preflight_strip, OV, PREFLIGHT_STRIP, GtkWidget)

/** NULL for none. */
void ov_preflight_strip_set_model (OvPreflightStrip *self, OvRunModel *model);

G_END_DECLS
