// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSidebar: rows follow two list models, one behind the other. Only the newest results have rows
 * while nothing is searched, and only so many of those that are found: a row costs a fifth of a
 * millisecond, and there may be thousands. All of them stand in the Results view.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "gui/ov-sidebar.h"
#include "gui/ov-tooltip.h"

#define RECENT_RESULTS 8
#define MOST_FOUND     100

struct _OvSidebar
{
  GtkWidget parent_instance;

  GtkSearchEntry *search;
  GtkListBox *list;
  GListModel *experiments;
  GListModel *results;
  OvLibraryItem *selected;
  OvLibraryItem *wanted; /* is to be selected, however old */
  gboolean quiet;        /* rows are being changed: a selection is not the user's */
};

G_DEFINE_FINAL_TYPE (OvSidebar, ov_sidebar, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_SELECTED,
  SIGNAL_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static OvLibraryItem *
row_item (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "item");
}

static GtkWidget *
make_row (OvLibraryItem *item)
{
  g_autofree char *title = ov_library_item_dup_title (item);
  const char *subtitle = ov_library_item_get_subtitle (item);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  ov_tooltip_set (row, subtitle);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, subtitle, -1);
  g_object_set_data_full (G_OBJECT (row), "item", g_object_ref (item), g_object_unref);
  return row;
}

static const char *
section_title (OvLibrarySection section)
{
  switch (section)
    {
    case OV_LIBRARY_EXPERIMENT:
      return _ ("Experiments");
    case OV_LIBRARY_OWN:
      return _ ("My experiments");
    default:
      return _ ("Results");
    }
}

static void
update_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  OvLibrarySection section = ov_library_item_get_section (row_item (row));
  GtkWidget *label;

  if (before != NULL && ov_library_item_get_section (row_item (before)) == section)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (section_title (section));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "section-header");
  gtk_list_box_row_set_header (row, label);
}

static guint
n_experiments (OvSidebar *self)
{
  return self->experiments != NULL ? g_list_model_get_n_items (self->experiments) : 0;
}

static gboolean
is_shown (GtkListBoxRow *row, gpointer data)
{
  OvSidebar *self = data;
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search));

  return search[0] == '\0' || ov_library_item_matches (row_item (row), search);
}

static void
insert_row (OvSidebar *self, OvLibraryItem *item, guint index)
{
  GtkWidget *row = make_row (item);

  gtk_list_box_insert (self->list, row, (int)index);
  if (item == self->selected)
    gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (row));
}

static void
on_experiments_changed (GListModel *model, guint position, guint removed, guint added,
                        OvSidebar *self)
{
  self->quiet = TRUE;
  for (guint i = 0; i < removed; i++)
    gtk_list_box_remove (self->list,
                         GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int)position)));
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (model, position + i);

      insert_row (self, item, position + i);
    }
  self->quiet = FALSE;
}

/* The results that have rows, in their order; borrowed from the list. */
static GPtrArray *
choose_results (OvSidebar *self)
{
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  const guint n = self->results != NULL ? g_list_model_get_n_items (self->results) : 0;
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (self->results, i);

      if (search[0] != '\0' ? chosen->len < MOST_FOUND && ov_library_item_matches (item, search)
                            : i < RECENT_RESULTS || item == self->selected || item == self->wanted)
        g_ptr_array_add (chosen, item);
    }
  return chosen;
}

/* Has rows come and go until they are those of choose_results(); the others stay what they are,
 * with the focus and the selection. */
static void
show_results (OvSidebar *self)
{
  g_autoptr (GPtrArray) chosen = choose_results (self);
  const guint offset = n_experiments (self);
  GtkListBoxRow *row;
  guint n = offset;

  self->quiet = TRUE;
  while ((row = gtk_list_box_get_row_at_index (self->list, (int)n)) != NULL)
    if (g_ptr_array_find (chosen, row_item (row), NULL))
      n++;
    else
      gtk_list_box_remove (self->list, GTK_WIDGET (row));
  for (guint i = 0; i < chosen->len; i++)
    {
      row = gtk_list_box_get_row_at_index (self->list, (int)(offset + i));
      if (row == NULL || row_item (row) != chosen->pdata[i])
        insert_row (self, chosen->pdata[i], offset + i);
    }
  self->quiet = FALSE;
}

static void
on_results_changed (GListModel *model, guint position, guint removed, guint added, OvSidebar *self)
{
  show_results (self);
}

static void
on_search_changed (OvSidebar *self)
{
  show_results (self);
  gtk_list_box_invalidate_filter (self->list);
  gtk_list_box_invalidate_headers (self->list);
}

/* Enter in the search entry takes the first row that is left. */
static void
on_search_activate (OvSidebar *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      {
        gtk_list_box_select_row (self->list, row);
        gtk_widget_grab_focus (GTK_WIDGET (row));
        break;
      }
}

static void
on_row_selected (OvSidebar *self, GtkListBoxRow *row)
{
  if (self->quiet || row == NULL || row_item (row) == self->selected)
    return;
  g_set_object (&self->selected, row_item (row));
  g_signal_emit (self, signals[SIGNAL_SELECTED], 0, self->selected);
}

static void
on_row_activated (OvSidebar *self, GtkListBoxRow *row)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

/* The selected row is where the keyboard begins. */
static gboolean
ov_sidebar_grab_focus (GtkWidget *widget)
{
  OvSidebar *self = OV_SIDEBAR (widget);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  return gtk_widget_grab_focus (row != NULL ? GTK_WIDGET (row) : GTK_WIDGET (self->list));
}

static gboolean
has_focus_within (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* The list is one step of Tab, at the row that is selected: GtkListBox makes a step of each row and
 * selects it in passing, so that whoever went on to the content had opened the last result. Rows
 * are walked through by the arrow keys. */
static gboolean
ov_sidebar_focus (GtkWidget *widget, GtkDirectionType direction)
{
  OvSidebar *self = OV_SIDEBAR (widget);
  const gboolean in_list = has_focus_within (GTK_WIDGET (self->list));

  if (direction == GTK_DIR_TAB_FORWARD && in_list)
    return FALSE;
  if (direction == GTK_DIR_TAB_BACKWARD && in_list)
    return gtk_widget_grab_focus (GTK_WIDGET (self->search));
  if ((direction == GTK_DIR_TAB_FORWARD && has_focus_within (GTK_WIDGET (self->search)))
      || (direction == GTK_DIR_TAB_BACKWARD && !has_focus_within (widget)))
    if (ov_sidebar_grab_focus (widget))
      return TRUE;
  return GTK_WIDGET_CLASS (ov_sidebar_parent_class)->focus (widget, direction);
}

static void
ov_sidebar_dispose (GObject *object)
{
  OvSidebar *self = OV_SIDEBAR (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->experiments);
  g_clear_object (&self->results);
  g_clear_object (&self->selected);
  g_clear_object (&self->wanted);
  G_OBJECT_CLASS (ov_sidebar_parent_class)->dispose (object);
}

static void
ov_sidebar_class_init (OvSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_sidebar_dispose;
  widget_class->grab_focus = ov_sidebar_grab_focus;
  widget_class->focus = ov_sidebar_focus;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, OvSidebar, search);
  gtk_widget_class_bind_template_child (widget_class, OvSidebar, list);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_row_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  signals[SIGNAL_SELECTED] = g_signal_new ("selected", OV_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 1, OV_TYPE_LIBRARY_ITEM);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", OV_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0,
                                            NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_sidebar_init (OvSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_header_func (self->list, update_header, NULL, NULL);
  gtk_list_box_set_filter_func (self->list, is_shown, self, NULL);
}

void
ov_sidebar_set_library (OvSidebar *self, OvLibrary *library)
{
  g_return_if_fail (OV_IS_SIDEBAR (self) && self->experiments == NULL);

  self->experiments = g_object_ref (ov_library_get_experiments (library));
  self->results = g_object_ref (ov_result_store_get_items (ov_library_get_results (library)));
  g_signal_connect_object (self->experiments, "items-changed", G_CALLBACK (on_experiments_changed),
                           self, 0);
  g_signal_connect_object (self->results, "items-changed", G_CALLBACK (on_results_changed), self,
                           0);
  on_experiments_changed (self->experiments, 0, 0, g_list_model_get_n_items (self->experiments),
                          self);
  on_results_changed (self->results, 0, 0, g_list_model_get_n_items (self->results), self);
}

void
ov_sidebar_select (OvSidebar *self, OvLibraryItem *item)
{
  GtkListBoxRow *row;

  g_return_if_fail (OV_IS_SIDEBAR (self));
  if (item == NULL)
    {
      g_clear_object (&self->selected);
      gtk_list_box_unselect_all (self->list);
      return;
    }
  g_set_object (&self->wanted, item);
  show_results (self);
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (row_item (row) == item)
      {
        gtk_list_box_select_row (self->list, row);
        break;
      }
  g_clear_object (&self->wanted);
}

void
ov_sidebar_focus_search (OvSidebar *self)
{
  g_return_if_fail (OV_IS_SIDEBAR (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}
