// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes a picture of a window as GTK itself draws it, without asking the desktop.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Writes the mapped window as PNG, `scale` times as large as on the screen. */
gboolean ov_screenshot_save (GtkWindow *window, const char *path, double scale, GError **error);

G_END_DECLS
