// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsView: a row for each item of the library's results, in its order. There may be
 * thousands: rows are made some at a time, so that the window answers meanwhile.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-results-view.h"
#include "gui/ov-tooltip.h"

#define ROWS_AT_A_TIME 20

struct _OvResultsView
{
  GtkWidget parent_instance;

  GtkStack *stack;
  GtkListBox *list;
  GListModel *results;
  GtkSliceListModel *with_rows; /* of them: those that have a row by now */
  guint grow_id;
};

G_DEFINE_FINAL_TYPE (OvResultsView, ov_results_view, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_OPEN,
  SIGNAL_REMOVE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static OvLibraryItem *
row_item (gpointer row)
{
  return g_object_get_data (G_OBJECT (row), "item");
}

static void
on_row_activated (OvResultsView *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[SIGNAL_OPEN], 0, row_item (row));
}

static void
on_remove (GtkWidget *button, OvResultsView *self)
{
  g_autoptr (OvLibraryItem) item
      = g_object_ref (row_item (gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW)));

  g_signal_emit (self, signals[SIGNAL_REMOVE], 0, item);
}

static GtkWidget *
make_row (gpointer item, gpointer data)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *title = ov_library_item_dup_title (item);
  g_autofree char *title_markup = g_markup_escape_text (title, -1);
  g_autofree char *subtitle = g_markup_escape_text (ov_library_item_get_subtitle (item), -1);
  g_autofree char *label = g_strdup_printf (_ ("Delete %s"), title);

  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title_markup);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  ov_tooltip_set (button, _ ("Delete"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_remove), data, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "item", g_object_ref (item), g_object_unref);
  return row;
}

static gboolean
on_grow (gpointer data)
{
  OvResultsView *self = data;
  const guint size = gtk_slice_list_model_get_size (self->with_rows) + ROWS_AT_A_TIME;

  gtk_slice_list_model_set_size (self->with_rows, size);
  if (size < g_list_model_get_n_items (self->results))
    return G_SOURCE_CONTINUE;
  self->grow_id = 0;
  return G_SOURCE_REMOVE;
}

static void
on_items_changed (OvResultsView *self)
{
  gboolean any = g_list_model_get_n_items (self->results) > 0;

  gtk_stack_set_visible_child_name (self->stack, any ? "list" : "empty");
  if (self->grow_id == 0
      && gtk_slice_list_model_get_size (self->with_rows) < g_list_model_get_n_items (self->results))
    self->grow_id = g_idle_add_full (G_PRIORITY_LOW, on_grow, self, NULL);
}

static void
ov_results_view_dispose (GObject *object)
{
  OvResultsView *self = OV_RESULTS_VIEW (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_object (&self->with_rows);
  g_clear_object (&self->results);
  G_OBJECT_CLASS (ov_results_view_parent_class)->dispose (object);
}

static void
ov_results_view_class_init (OvResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_results_view_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-results-view.ui");
  gtk_widget_class_bind_template_child (widget_class, OvResultsView, stack);
  gtk_widget_class_bind_template_child (widget_class, OvResultsView, list);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  signals[SIGNAL_OPEN] = g_signal_new ("open", OV_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 1, OV_TYPE_LIBRARY_ITEM);
  signals[SIGNAL_REMOVE] = g_signal_new ("remove", OV_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, OV_TYPE_LIBRARY_ITEM);
}

static void
ov_results_view_init (OvResultsView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
ov_results_view_set_library (OvResultsView *self, OvLibrary *library)
{
  g_return_if_fail (OV_IS_RESULTS_VIEW (self) && self->results == NULL);

  self->results = g_object_ref (ov_result_store_get_items (ov_library_get_results (library)));
  self->with_rows = gtk_slice_list_model_new (g_object_ref (self->results), 0, ROWS_AT_A_TIME);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->with_rows), make_row, self, NULL);
  g_signal_connect_object (self->results, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self);
}
