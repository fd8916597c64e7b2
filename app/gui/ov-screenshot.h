// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes a picture of a window as GTK itself draws it, without asking the desktop.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** `error` is NULL if the picture was written. */
typedef void (*OvScreenshotDone) (const GError *error, gpointer data);

/** Writes the window as PNG, `scale` times as large as on the screen, when its next frame has been
 * drawn; then calls `done`. A window that is not on the screen is an error at once. */
void ov_screenshot_take (GtkWindow *window, const char *path, double scale, OvScreenshotDone done,
                         gpointer data);

G_END_DECLS
