// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsView: a row for each item of the library's results, in its order. There may be
 * thousands: only those on the screen have widgets.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-results-view.h"
#include "gui/ov-tooltip.h"

struct _OvResultsView
{
  GtkWidget parent_instance;

  GtkStack *stack;
  GtkListView *list;
  GListModel *results;
};

G_DEFINE_FINAL_TYPE (OvResultsView, ov_results_view, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_OPEN,
  SIGNAL_REMOVE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
on_activate (OvResultsView *self, guint position)
{
  g_autoptr (OvLibraryItem) item = g_list_model_get_item (self->results, position);

  if (item != NULL)
    g_signal_emit (self, signals[SIGNAL_OPEN], 0, item);
}

static void
on_remove (GtkWidget *button, GtkListItem *list_item)
{
  GtkWidget *self = gtk_widget_get_ancestor (button, OV_TYPE_RESULTS_VIEW);
  g_autoptr (OvLibraryItem) item = g_object_ref (gtk_list_item_get_item (list_item));

  g_signal_emit (self, signals[SIGNAL_REMOVE], 0, item);
}

/* ---- Rows: two labels above each other, and a button ----------------------------------------- */

static GtkWidget *
make_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *labels = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *subtitle = make_label ("dim-label");
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

  gtk_widget_add_css_class (subtitle, "caption");
  gtk_box_append (GTK_BOX (labels), make_label (NULL));
  gtk_box_append (GTK_BOX (labels), subtitle);
  gtk_widget_set_hexpand (labels, TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  ov_tooltip_set (button, _ ("Delete"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_remove), list_item, 0);
  gtk_box_append (GTK_BOX (row), labels);
  gtk_box_append (GTK_BOX (row), button);
  gtk_list_item_set_child (list_item, row);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item)
{
  OvLibraryItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  GtkWidget *title_label = gtk_widget_get_first_child (gtk_widget_get_first_child (row));
  g_autofree char *title = ov_library_item_dup_title (item);
  g_autofree char *label = g_strdup_printf (_ ("Delete %s"), title);

  gtk_label_set_text (GTK_LABEL (title_label), title);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (title_label)),
                      ov_library_item_get_subtitle (item));
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_last_child (row)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
on_items_changed (OvResultsView *self)
{
  gboolean any = g_list_model_get_n_items (self->results) > 0;

  gtk_stack_set_visible_child_name (self->stack, any ? "list" : "empty");
}

static void
ov_results_view_dispose (GObject *object)
{
  OvResultsView *self = OV_RESULTS_VIEW (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
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
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
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
  g_autoptr (GtkListItemFactory) factory = NULL;
  g_autoptr (GtkNoSelection) rows = NULL;

  g_return_if_fail (OV_IS_RESULTS_VIEW (self) && self->results == NULL);

  self->results = g_object_ref (ov_result_store_get_items (ov_library_get_results (library)));
  factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_list_view_set_factory (self->list, factory);
  rows = gtk_no_selection_new (g_object_ref (self->results));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (rows));
  g_signal_connect_object (self->results, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self);
}
