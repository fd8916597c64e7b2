// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsTable: the columns are made from one table of names and widths; a cell follows its
 * row's "changed".
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-report.h"

#include "gui/ov-results-table.h"
#include "gui/ov-drop-down.h"
#include "gui/ov-swatch.h"
#include "gui/ov-tooltip.h"

struct _OvResultsTable
{
  GtkWidget parent_instance;

  GtkWidget *x_box;
  GtkLabel *x_label;
  GtkDropDown *x;
  GtkScrolledWindow *scrolled;
  GtkColumnView *view;         /* NULL until there are rows */
  GtkColumnViewColumn *stable; /* of jobs that write; the view's */
  GtkColumnViewColumn *rate;   /* its title follows the job, as that of the next one */
  GtkColumnViewColumn *cpu;

  OvResultsModel *model;
  GtkSingleSelection *selection;
  gboolean quiet; /* the drop-down is being filled */
};

G_DEFINE_FINAL_TYPE (OvResultsTable, ov_results_table, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_ROW_SELECTED,
  SIGNAL_ROW_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const char *const titles[OV_N_COLUMNS] = {
  [OV_COLUMN_VARIANT] = N_ ("Strategy"),
  [OV_COLUMN_STATE] = N_ ("State"),
  [OV_COLUMN_MEDIAN] = N_ ("Median"),
  /* xgettext:no-c-format */
  [OV_COLUMN_INTERVAL] = N_ ("95 % interval"),
  [OV_COLUMN_STABLE] = N_ ("Stable"),
  [OV_COLUMN_RATE] = N_ ("MB/s"),
  [OV_COLUMN_CPU] = N_ ("CPU s/GB"),
  /* Of all runs of a line the longest: a stop is as good as its worst. */
  [OV_COLUMN_STOP] = N_ ("Stop, at most"),
  [OV_COLUMN_CHECK] = N_ ("Check"),
};

/* ---- Cells ---------------------------------------------------------------------------------- */

static OvResultsColumn
item_column (GtkListItemFactory *factory)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
show_cell (GtkListItem *item)
{
  OvResultsRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  OvResultsColumn column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (child), "column"));
  GtkWidget *label = column == OV_COLUMN_VARIANT ? gtk_widget_get_last_child (child) : child;
  g_autofree char *text = ov_results_row_format (row, column);
  g_autofree char *tooltip = NULL;

  gtk_label_set_text (GTK_LABEL (label), text);
  if (column == OV_COLUMN_VARIANT && ov_results_row_get_effective (row) != NULL)
    tooltip = g_strdup_printf (_ ("Really used: %s"), ov_results_row_get_effective (row));
  else if (column == OV_COLUMN_STATE)
    tooltip = g_strdup (text);
  else if (column == OV_COLUMN_STOP && !isnan (ov_results_row_get_value (row, column)))
    tooltip = g_strdup (_ ("The longest that a run of this line took to stop. A chart of the time "
                           "to stop shows the median."));
  ov_tooltip_set (label, tooltip);
  if (ov_results_row_is_empty (row))
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
  if (column == OV_COLUMN_VARIANT)
    ov_swatch_set_style (OV_SWATCH (gtk_widget_get_first_child (child)),
                         ov_results_row_get_style (row));
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  OvResultsColumn column = item_column (factory);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *child = label;

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (column == OV_COLUMN_STATE)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), 14);
    }
  else if (column == OV_COLUMN_VARIANT)
    {
      child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
      gtk_box_append (GTK_BOX (child), ov_swatch_new ());
      gtk_box_append (GTK_BOX (child), label);
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (child), "column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (item, child);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gulong id = g_signal_connect_swapped (gtk_list_item_get_item (item), "changed",
                                        G_CALLBACK (show_cell), item);

  g_object_set_data (G_OBJECT (item), "changed-id", GUINT_TO_POINTER ((guint)id));
  show_cell (item);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  guint id = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "changed-id"));

  if (id != 0)
    g_signal_handler_disconnect (gtk_list_item_get_item (item), id);
  g_object_set_data (G_OBJECT (item), "changed-id", NULL);
}

/* What is not known comes last, in whichever direction is sorted: the view turns the result of
 * this function round, so the best that can be done is to keep it apart. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  OvResultsColumn column = GPOINTER_TO_UINT (data);
  double x = ov_results_row_get_value ((OvResultsRow *)a, column);
  double y = ov_results_row_get_value ((OvResultsRow *)b, column);

  if (column == OV_COLUMN_VARIANT)
    {
      int order = g_utf8_collate (ov_results_row_get_label ((OvResultsRow *)a),
                                  ov_results_row_get_label ((OvResultsRow *)b));

      return order < 0   ? GTK_ORDERING_SMALLER
             : order > 0 ? GTK_ORDERING_LARGER
                         : GTK_ORDERING_EQUAL;
    }
  if (isnan (x) || isnan (y))
    return gtk_ordering_from_cmpfunc (isnan (x) - isnan (y));
  return gtk_ordering_from_cmpfunc ((x > y) - (x < y));
}

static void
add_columns (OvResultsTable *self)
{
  for (guint c = 0; c < OV_N_COLUMNS; c++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkSorter) sorter
          = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (c), NULL));
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_object_set_data (G_OBJECT (factory), "column", GUINT_TO_POINTER (c));
      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
      g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
      column = gtk_column_view_column_new (_ (titles[c]), factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->view, column);
      if (c == OV_COLUMN_STABLE)
        self->stable = column;
      else if (c == OV_COLUMN_RATE)
        self->rate = column;
      else if (c == OV_COLUMN_CPU)
        self->cpu = column;
    }
}

/* ---- The value of x ------------------------------------------------------------------------- */

static void
on_x_selected (OvResultsTable *self)
{
  if (!self->quiet && self->model != NULL)
    ov_results_model_set_x (self->model, gtk_drop_down_get_selected (self->x));
}

static void
on_x_changed (OvResultsTable *self)
{
  const GArray *xs = ov_results_model_get_xs (self->model);
  OvAxisParameter parameter = ov_results_model_get_parameter (self->model);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < xs->len; i++)
    {
      g_autofree char *value = ov_report_format_x (parameter, g_array_index (xs, double, i));
      /* Translators: what the axis is, then a value of it: "file size 5000K". */
      g_autofree char *name = g_strdup_printf (_ ("%s %s"), ov_report_x_title (parameter), value);

      gtk_string_list_append (names, name);
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (self->x, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->x, ov_results_model_get_x (self->model));
  gtk_widget_set_visible (self->x_box, xs->len > 1);
  self->quiet = FALSE;
}

/* ---- The widget ----------------------------------------------------------------------------- */

static void
on_selected (OvResultsTable *self)
{
  g_signal_emit (self, signals[SIGNAL_ROW_SELECTED], 0,
                 gtk_single_selection_get_selected_item (self->selection));
}

static void
on_activate (OvResultsTable *self, guint position)
{
  g_autoptr (OvResultsRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL)
    g_signal_emit (self, signals[SIGNAL_ROW_ACTIVATED], 0, row);
}

static void
forget_model (OvResultsTable *self)
{
  if (self->model == NULL)
    return;
  g_signal_handlers_disconnect_by_data (ov_results_model_get_rows (self->model), self);
  g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
}

static void
ov_results_table_dispose (GObject *object)
{
  OvResultsTable *self = OV_RESULTS_TABLE (object);
  GtkWidget *child;

  forget_model (self);
  g_clear_object (&self->selection);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ov_results_table_parent_class)->dispose (object);
}

static void
ov_results_table_class_init (OvResultsTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_results_table_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-results-table.ui");
  gtk_widget_class_bind_template_child (widget_class, OvResultsTable, x_box);
  gtk_widget_class_bind_template_child (widget_class, OvResultsTable, x_label);
  gtk_widget_class_bind_template_child (widget_class, OvResultsTable, x);
  gtk_widget_class_bind_template_child (widget_class, OvResultsTable, scrolled);
  gtk_widget_class_bind_template_callback (widget_class, on_x_selected);
  signals[SIGNAL_ROW_SELECTED]
      = g_signal_new ("row-selected", OV_TYPE_RESULTS_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, OV_TYPE_RESULTS_ROW);
  signals[SIGNAL_ROW_ACTIVATED]
      = g_signal_new ("row-activated", OV_TYPE_RESULTS_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, OV_TYPE_RESULTS_ROW);
}

static void
ov_results_table_init (OvResultsTable *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ov_drop_down_name (self->x, gtk_label_get_text (self->x_label));
}

/* A table without rows is a heading, and costs as much as one with them. */
static void
need_view (OvResultsTable *self)
{
  if (self->view != NULL)
    return;
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "results");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Results"), -1);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  add_columns (self);
  gtk_scrolled_window_set_child (self->scrolled, GTK_WIDGET (self->view));
}

/* Shows the rows of the model, once there are any. */
static void
show_rows (OvResultsTable *self)
{
  GListModel *rows = ov_results_model_get_rows (self->model);
  gboolean hardware = ov_results_model_is_hardware (self->model);

  if (self->selection != NULL || g_list_model_get_n_items (rows) == 0)
    return;
  need_view (self);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (gtk_sort_list_model_new (
      g_object_ref (rows), g_object_ref (gtk_column_view_get_sorter (self->view)))));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  gtk_column_view_column_set_visible (self->stable, ov_results_model_writes (self->model));
  gtk_column_view_column_set_title (self->rate,
                                    hardware ? _ ("A second") : _ (titles[OV_COLUMN_RATE]));
  gtk_column_view_column_set_title (self->cpu, hardware ? _ ("CPU") : _ (titles[OV_COLUMN_CPU]));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
}

void
ov_results_table_set_model (OvResultsTable *self, OvResultsModel *model)
{
  g_return_if_fail (OV_IS_RESULTS_TABLE (self));

  if (model == self->model)
    return;
  forget_model (self);
  if (self->view != NULL)
    gtk_column_view_set_model (self->view, NULL);
  g_clear_object (&self->selection);
  if (model == NULL)
    return;
  self->model = g_object_ref (model);
  g_signal_connect_object (ov_results_model_get_rows (model), "items-changed",
                           G_CALLBACK (show_rows), self, G_CONNECT_SWAPPED);
  show_rows (self);
  g_signal_connect_object (model, "x-changed", G_CALLBACK (on_x_changed), self, G_CONNECT_SWAPPED);
  on_x_changed (self);
}
