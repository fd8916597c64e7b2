// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTableDialog: keeps the table that the chart had when it was opened.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-table-dialog.h"
#include "gui/ov-table-view.h"

struct _OvTableDialog
{
  AdwWindow parent_instance;

  GtkButton *copy;
  GtkColumnView *view;
  OvTable *table;
};

G_DEFINE_FINAL_TYPE (OvTableDialog, ov_table_dialog, ADW_TYPE_WINDOW)

/* As lines with tabs, which every spreadsheet takes. */
static void
on_copy (OvTableDialog *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; c < ov_table_get_n_columns (self->table); c++)
    g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "", ov_table_get_header (self->table, c));
  g_string_append_c (text, '\n');
  for (guint r = 0; r < ov_table_get_n_rows (self->table); r++)
    {
      for (guint c = 0; c < ov_table_get_n_columns (self->table); c++)
        g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "",
                                ov_table_get_cell (self->table, r, c));
      g_string_append_c (text, '\n');
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
}

static void
ov_table_dialog_finalize (GObject *object)
{
  g_clear_pointer (&OV_TABLE_DIALOG (object)->table, ov_table_unref);
  G_OBJECT_CLASS (ov_table_dialog_parent_class)->finalize (object);
}

static void
ov_table_dialog_class_init (OvTableDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ov_table_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-table-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, OvTableDialog, copy);
  gtk_widget_class_bind_template_child (widget_class, OvTableDialog, view);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
}

static void
ov_table_dialog_init (OvTableDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWindow *
ov_table_dialog_new (OvDrawable *chart, const char *title, GtkWindow *parent)
{
  OvTableDialog *self = g_object_new (OV_TYPE_TABLE_DIALOG, "transient-for", parent, NULL);

  self->table = ov_table_ref (ov_drawable_get_table (chart));
  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  ov_table_view_fill (self->view, self->table);
  return GTK_WINDOW (self);
}
