// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Asks for a file or folder with the desktop's own dialog.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Gets the absolute path that was chosen, borrowed. Not called when nothing was. */
typedef void (*OvFileChosen) (const char *path, gpointer data);

/** Opens the dialog; `path` (may be NULL) is where it begins. `data` is an object that is kept
 * until the dialog is gone. */
void ov_file_chooser_open (GtkWindow *parent, GtkFileChooserAction action, const char *path,
                           OvFileChosen chosen, gpointer data);
/** The same for saving under a name that is proposed. */
void ov_file_chooser_save (GtkWindow *parent, const char *folder, const char *name,
                           OvFileChosen chosen, gpointer data);

G_END_DECLS
