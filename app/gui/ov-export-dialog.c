// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvExportDialog: the list of formats follows what is exported; what does not apply is hidden.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-drawable-view.h"
#include "gui/ov-export-dialog.h"
#include "gui/ov-file-chooser.h"
#include "gui/ov-gsettings.h"

struct _OvExportDialog
{
  AdwWindow parent_instance;

  GtkButton *cancel;
  GtkButton *export;
  AdwComboRow *item;
  AdwComboRow *format;
  AdwComboRow *look;
  AdwComboRow *scale;

  OvRunModel *model;
  OvExportParts *parts; /* in place of a model, or NULL */
};

G_DEFINE_FINAL_TYPE (OvExportDialog, ov_export_dialog, ADW_TYPE_WINDOW)

enum
{
  SIGNAL_EXPORTED,
  SIGNAL_FAILED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const OvExportFormat formats[] = { OV_EXPORT_PNG, OV_EXPORT_SVG, OV_EXPORT_PDF };
static const double scales[] = { 1, 2, 4 };

static OvExportItem
get_item (OvExportDialog *self)
{
  return (OvExportItem)(adw_combo_row_get_selected (self->item)
                        + (self->parts != NULL ? OV_EXPORT_PARTS_CHART : 0));
}

static OvExportRequest
get_request (OvExportDialog *self)
{
  guint format = adw_combo_row_get_selected (self->format);
  guint scale = adw_combo_row_get_selected (self->scale);
  OvExportRequest request = {
    .item = get_item (self),
    .format = format < G_N_ELEMENTS (formats) ? formats[format] : OV_EXPORT_PNG,
    .scale = scale < G_N_ELEMENTS (scales) ? scales[scale] : 1,
    .theme = adw_combo_row_get_selected (self->look) == 0
                 ? ov_theme_get (OV_THEME_PRINT, 1.0)
                 : ov_drawable_view_get_theme (GTK_WIDGET (self)),
  };

  if (request.format != OV_EXPORT_PNG)
    request.scale = 1;
  return request;
}

static void
on_format (OvExportDialog *self)
{
  OvExportRequest request = get_request (self);

  gtk_widget_set_visible (GTK_WIDGET (self->scale),
                          ov_exporter_is_chart (request.item) && request.format == OV_EXPORT_PNG);
}

static void
on_item (OvExportDialog *self)
{
  static const char *const chart_formats[] = { "PNG", "SVG", "PDF", NULL };
  static const char *const csv[] = { "CSV", NULL };
  static const char *const json[] = { "JSON", NULL };
  OvExportItem item = get_item (self);
  gboolean is_csv = item == OV_EXPORT_RUNS || item == OV_EXPORT_PARTS_CSV;
  const char *const *names = is_csv ? csv : ov_exporter_is_chart (item) ? chart_formats : json;
  g_autoptr (GtkStringList) list = gtk_string_list_new (names);

  if ((self->model == NULL && self->parts == NULL) || self->format == NULL)
    return;
  adw_combo_row_set_model (self->format, G_LIST_MODEL (list));
  gtk_widget_set_sensitive (GTK_WIDGET (self->format), ov_exporter_is_chart (item));
  gtk_widget_set_visible (GTK_WIDGET (self->look), ov_exporter_is_chart (item));
  gtk_widget_set_sensitive (GTK_WIDGET (self->export),
                            self->parts != NULL || ov_exporter_has (self->model, item));
  on_format (self);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ov_exporter_write_finish (result, &error);

  if (path != NULL)
    g_signal_emit (self, signals[SIGNAL_EXPORTED], 0, path);
  else
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, error);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* The name that was typed decides about the format of a chart, and which part of a comparison is
 * meant; one without a suffix gets it. */
static void
on_chosen (const char *path, gpointer data)
{
  OvExportDialog *self = data;
  OvExportRequest request = get_request (self);
  OvExportFormat typed = ov_export_format_from_path (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *whole = NULL;
  g_autofree char *folder = NULL;

  if (self->parts != NULL && g_str_has_suffix (name, ".csv"))
    request.item = OV_EXPORT_PARTS_CSV;
  else if (self->parts != NULL && self->parts->json != NULL && g_str_has_suffix (name, ".json"))
    request.item = OV_EXPORT_PARTS_JSON;
  else if (self->parts != NULL && typed != OV_EXPORT_BY_SUFFIX)
    request.item = OV_EXPORT_PARTS_CHART;
  if (ov_exporter_is_chart (request.item) && typed != OV_EXPORT_BY_SUFFIX)
    request.format = typed;
  if (request.format != OV_EXPORT_PNG)
    request.scale = 1;
  whole = strchr (name, '.') != NULL
              ? g_strdup (path)
              : g_strdup_printf ("%s.%s", path, ov_exporter_suffix (&request));
  folder = g_path_get_dirname (path);
  g_settings_set_string (ov_gsettings_get (), "export-folder", folder);
  if (ov_exporter_is_chart (request.item))
    g_settings_set_enum (ov_gsettings_get (), "export-format", request.format - OV_EXPORT_PNG);
  gtk_widget_set_sensitive (GTK_WIDGET (self->export), FALSE);
  if (self->parts != NULL)
    ov_exporter_write_parts_async (self->parts, &request, whole, on_written, g_object_ref (self));
  else
    ov_exporter_write_async (self->model, &request, whole, on_written, g_object_ref (self));
}

static void
on_export (OvExportDialog *self)
{
  OvExportRequest request = get_request (self);
  g_autofree char *name = self->parts != NULL ? ov_exporter_parts_name (self->parts, &request)
                                              : ov_exporter_name (self->model, &request);
  g_autofree char *folder = g_settings_get_string (ov_gsettings_get (), "export-folder");
  const char *documents = g_get_user_special_dir (G_USER_DIRECTORY_DOCUMENTS);

  ov_file_chooser_save (GTK_WINDOW (self), folder[0] != '\0' ? folder : documents, name, on_chosen,
                        self);
}

static void
ov_export_dialog_dispose (GObject *object)
{
  OvExportDialog *self = OV_EXPORT_DIALOG (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->parts, ov_export_parts_free);
  self->format = NULL;
  G_OBJECT_CLASS (ov_export_dialog_parent_class)->dispose (object);
}

static void
ov_export_dialog_class_init (OvExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_export_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, cancel);
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, export);
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, item);
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, format);
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, look);
  gtk_widget_class_bind_template_child (widget_class, OvExportDialog, scale);
  gtk_widget_class_bind_template_callback (widget_class, on_export);
  gtk_widget_class_bind_template_callback (widget_class, on_item);
  gtk_widget_class_bind_template_callback (widget_class, on_format);
  signals[SIGNAL_EXPORTED] = g_signal_new ("exported", OV_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_FAILED] = g_signal_new ("failed", OV_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_export_dialog_init (OvExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The schema's formats are in the order of the list. */
static void
choose_last_format (OvExportDialog *self)
{
  adw_combo_row_set_selected (self->format,
                              (guint)g_settings_get_enum (ov_gsettings_get (), "export-format"));
}

GtkWindow *
ov_export_dialog_new_for_parts (OvExportParts *parts, GtkWindow *parent)
{
  OvExportDialog *self = g_object_new (OV_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  const char *const items[]
      = { _ ("Chart"), _ ("Table"), parts->json != NULL ? _ ("Whole comparison") : NULL, NULL };
  g_autoptr (GtkStringList) list = gtk_string_list_new (items);

  self->parts = parts;
  adw_combo_row_set_model (self->item, G_LIST_MODEL (list));
  on_item (self);
  choose_last_format (self);
  return GTK_WINDOW (self);
}

GtkWindow *
ov_export_dialog_new (OvRunModel *model, OvExportItem item, GtkWindow *parent)
{
  OvExportDialog *self = g_object_new (OV_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);

  self->model = g_object_ref (model);
  adw_combo_row_set_selected (self->item, item);
  on_item (self);
  if (ov_exporter_is_chart (item))
    choose_last_format (self);
  return GTK_WINDOW (self);
}
