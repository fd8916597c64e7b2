// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvBanner: a sentence at the top of the window that stays until it is closed, with one thing to
 * do about it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OV_TYPE_BANNER (ov_banner_get_type ())
G_DECLARE_FINAL_TYPE (OvBanner, ov_banner, OV, BANNER, GtkWidget)

/** Shows `text`; with `button` (may be NULL) an action of the window to press for. */
void ov_banner_show (OvBanner *self, const char *text, const char *button, const char *action);
void ov_banner_hide (OvBanner *self);

G_END_DECLS
