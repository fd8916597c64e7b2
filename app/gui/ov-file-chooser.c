// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * GtkFileChooserNative: deprecated since GTK 4.10, and the only one there is in 4.8.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-file-chooser.h"

typedef struct
{
  OvFileChosen chosen;
  GObject *data;
} Request;

static void
on_response (GtkNativeDialog *dialog, int response, Request *request)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

      if (path != NULL)
        request->chosen (path, request->data);
    }
  g_object_unref (request->data);
  g_free (request);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

static void
show (GtkFileChooserNative *dialog, OvFileChosen chosen, gpointer data)
{
  Request *request = g_new0 (Request, 1);

  request->chosen = chosen;
  request->data = g_object_ref (data);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), request);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
ov_file_chooser_open (GtkWindow *parent, GtkFileChooserAction action, const char *path,
                      OvFileChosen chosen, gpointer data)
{
  gboolean folder = action == GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      folder ? _ ("Choose a Folder for Scratch Files") : _ ("Choose a File"), parent, action,
      folder ? _ ("_Choose") : _ ("_Open"), _ ("_Cancel"));

  if (path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), file, NULL);
    }
  show (dialog, chosen, data);
}

void
ov_file_chooser_save (GtkWindow *parent, const char *folder, const char *name, OvFileChosen chosen,
                      gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      _ ("Export"), parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), _ ("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (folder != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), file, NULL);
    }
  show (dialog, chosen, data);
}
