// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvWrapLayout: lays children out one after the other, as words in a line; what has no room goes
 * to the next line.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OV_TYPE_WRAP_LAYOUT (ov_wrap_layout_get_type ())
/** A child whose hexpand is set takes the rest of its line. */
G_DECLARE_FINAL_TYPE (OvWrapLayout, ov_wrap_layout, OV, WRAP_LAYOUT, GtkLayoutManager)

G_END_DECLS
