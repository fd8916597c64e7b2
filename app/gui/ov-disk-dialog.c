// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvDiskDialog: whatever is entered is put together to a target, which the model's own reader
 * judges, so that window and command line take the same.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-disk.h"

#include "gui/ov-disk-dialog.h"

enum
{
  ENTRY_RATE,
  ENTRY_LATENCY,
  ENTRY_SEEK,
  N_ENTRIES,
};

static const char *const keys[N_ENTRIES] = { "rate", "latency", "seek" };

struct _OvDiskDialog
{
  AdwMessageDialog parent_instance;

  AdwComboRow *kind; /* in the order of OvDiskKind */
  GtkEditable *entries[N_ENTRIES];
  GtkLabel *said;
  guint64 readahead; /* of the disk that it began with */
};

G_DEFINE_FINAL_TYPE (OvDiskDialog, ov_disk_dialog, ADW_TYPE_MESSAGE_DIALOG)

char *
ov_disk_dialog_dup_target (OvDiskDialog *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (OV_DISK_PREFIX);
  OvDisk disk;

  g_return_val_if_fail (OV_IS_DISK_DIALOG (self), NULL);

  g_string_append (text, adw_combo_row_get_selected (self->kind) == OV_DISK_NETWORK ? "kind=network"
                                                                                    : "kind=disk");
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      g_autofree char *value = g_strstrip (g_strdup (gtk_editable_get_text (self->entries[i])));

      /* It would end the value. */
      if (strchr (value, ',') != NULL)
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                       _ ("“%s”: a fraction is written with a point, such as 1.5ms"), value);
          return NULL;
        }
      g_string_append_printf (text, ",%s=%s", keys[i], *value != '\0' ? value : "0");
    }
  g_string_append_printf (text, ",readahead=%" G_GUINT64_FORMAT, self->readahead);
  if (!ov_disk_parse (text->str, &disk, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
look (OvDiskDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *target = ov_disk_dialog_dup_target (self, &error);
  g_autofree char *figures = NULL;
  OvDisk disk;

  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "use", target != NULL);
  if (target != NULL && ov_disk_parse (target, &disk, NULL))
    figures = ov_disk_describe (&disk);
  gtk_label_set_text (self->said, figures != NULL ? figures : error->message);
  if (figures != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->said), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->said), "error");
}

/* Whole microseconds as "1.5ms" or "500us"; whatever they are, the reader takes it back. */
static char *
format_time (gint64 ns)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (ns >= 1000000)
    return g_strconcat (g_ascii_formatd (number, sizeof number, "%.6g", (double)ns / 1e6), "ms",
                        NULL);
  return g_strconcat (g_ascii_formatd (number, sizeof number, "%.6g", (double)ns / 1e3), "us",
                      NULL);
}

static void
fill (OvDiskDialog *self, const char *target)
{
  guint n;
  OvDisk disk = ov_disk_presets (&n)[0];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *rate = NULL;
  g_autofree char *latency = NULL;
  g_autofree char *seek = NULL;

  if (ov_disk_is_target (target))
    ov_disk_parse (target, &disk, NULL);
  rate = g_strconcat (g_ascii_formatd (number, sizeof number, "%.6g", disk.rate / 1e6), "MB", NULL);
  latency = format_time (disk.latency_ns);
  seek = format_time (disk.seek_ns);
  self->readahead = disk.readahead;
  adw_combo_row_set_selected (self->kind, disk.kind);
  gtk_editable_set_text (self->entries[ENTRY_RATE], rate);
  gtk_editable_set_text (self->entries[ENTRY_LATENCY], latency);
  gtk_editable_set_text (self->entries[ENTRY_SEEK], seek);
}

static void
ov_disk_dialog_class_init (OvDiskDialogClass *klass)
{
}

static void
ov_disk_dialog_init (OvDiskDialog *self)
{
  const char *const titles[N_ENTRIES]
      = { _ ("Rate, bytes a second, such as 4MB"), _ ("Latency of each request, such as 500us"),
          _ ("Average seek, such as 12ms; 0: none") };
  const char *const kinds[] = { _ ("Disk: one request after the other"),
                                _ ("Network: latencies overlap, bytes follow each other"), NULL };
  g_autoptr (GtkStringList) names = gtk_string_list_new (kinds);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *list = gtk_list_box_new ();

  adw_message_dialog_set_heading (ADW_MESSAGE_DIALOG (self), _ ("A Simulated Disk of Your Own"));
  adw_message_dialog_set_body (
      ADW_MESSAGE_DIALOG (self),
      _ ("It is called “simulated: own values” wherever it is shown, with these figures."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self), "cancel", _ ("_Cancel"), "use",
                                    _ ("_Use"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (self), "use",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (self), "use");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (self), "cancel");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  self->kind = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->kind), _ ("Kind"));
  adw_combo_row_set_use_subtitle (self->kind, TRUE);
  adw_combo_row_set_model (self->kind, G_LIST_MODEL (names));
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (look), self,
                           G_CONNECT_SWAPPED);
  gtk_list_box_append (GTK_LIST_BOX (list), GTK_WIDGET (self->kind));
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      GtkWidget *row = adw_entry_row_new ();

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), titles[i]);
      gtk_list_box_append (GTK_LIST_BOX (list), row);
      self->entries[i] = GTK_EDITABLE (row);
      g_signal_connect_object (row, "changed", G_CALLBACK (look), self, G_CONNECT_SWAPPED);
    }
  self->said = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->said, TRUE);
  gtk_label_set_xalign (self->said, 0);
  gtk_box_append (GTK_BOX (box), list);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->said));
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (self), box);
}

OvDiskDialog *
ov_disk_dialog_new (GtkWindow *parent, const char *target)
{
  OvDiskDialog *self
      = g_object_new (OV_TYPE_DISK_DIALOG, "transient-for", parent, "modal", parent != NULL, NULL);

  fill (self, target);
  look (self);
  return self;
}
