// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A list item of the view is the number of a row.
 */
#include "config.h"

#include "gui/ov-table-view.h"

/* More rows than that scroll in a card: GTK makes no more than some 200 of them at a time, and
 * where all had to have their place the rest would be blank. */
#define MOST_ROWS       50
#define SCROLLED_HEIGHT 480

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  OvTable *table = data;
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      ov_table_get_cell (table, gtk_list_item_get_position (item), column));
}

static void
unref_table (gpointer table, GClosure *closure)
{
  ov_table_unref (table);
}

void
ov_table_view_fill (GtkColumnView *view, OvTable *table)
{
  g_autoptr (GtkStringList) rows = gtk_string_list_new (NULL);
  GtkSelectionModel *selection;

  for (guint i = 0; i < ov_table_get_n_rows (table); i++)
    gtk_string_list_append (rows, ov_table_get_cell (table, i, 0));
  for (guint c = 0; c < ov_table_get_n_columns (table); c++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (c));
      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
      g_signal_connect_data (factory, "bind", G_CALLBACK (on_bind), ov_table_ref (table),
                             unref_table, 0);
      column = gtk_column_view_column_new (ov_table_get_header (table, c), factory);
      gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (view, column);
    }
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_steal_pointer (&rows))));
  gtk_column_view_set_model (view, selection);
  g_object_unref (selection);
}

GtkWidget *
ov_table_view_new_card (OvTable *table)
{
  const char *title = ov_table_get_title (table);
  const gboolean many = ov_table_get_n_rows (table) > MOST_ROWS;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *heading = gtk_label_new (title);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_column_view_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_label_set_wrap (GTK_LABEL (heading), TRUE);
  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_set_margin_start (heading, 12);
  gtk_widget_set_margin_top (heading, 8);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  many ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  if (many)
    {
      gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), SCROLLED_HEIGHT);
      gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), SCROLLED_HEIGHT);
    }
  gtk_column_view_set_show_row_separators (GTK_COLUMN_VIEW (view), TRUE);
  gtk_widget_add_css_class (view, "data-table");
  gtk_widget_add_css_class (view, "results");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  ov_table_view_fill (GTK_COLUMN_VIEW (view), table);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_set_overflow (box, GTK_OVERFLOW_HIDDEN);
  return box;
}
