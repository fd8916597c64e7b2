// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRequestsView: the requests of the run that an OvRunModel looks at: lanes, or why there are
 * none. What it shows is bracketed on the model's time chart. It is brought up to date a few times
 * a second at most, and only while it is on the screen.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/ov-run-model.h"

G_BEGIN_DECLS

#define OV_TYPE_REQUESTS_VIEW (ov_requests_view_get_type ())
G_DECLARE_FINAL_TYPE (OvRequestsView, ov_requests_view, OV, REQUESTS_VIEW, GtkWidget)

/** NULL for none. */
void ov_requests_view_set_model (OvRequestsView *self, OvRunModel *model);

G_END_DECLS
