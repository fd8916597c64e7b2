/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name follows the choice: the button's own text is a list item that GTK does not make part of
 * its name.
 */
#include "config.h"

#include "gui/ov-drop-down.h"

#include <glib/gi18n.h>

#define LABEL "ov-label"

/* What is chosen, in words; NULL: nothing, or no words are known.  Free with g_free(). */
static char *
chosen (GtkDropDown *drop_down)
{
  GtkExpression *expression = gtk_drop_down_get_expression (drop_down);
  gpointer item = gtk_drop_down_get_selected_item (drop_down);
  GValue value = G_VALUE_INIT;
  char *text = NULL;

  if (item == NULL)
    return NULL;
  if (expression != NULL && gtk_expression_evaluate (expression, item, &value))
    {
      if (G_VALUE_HOLDS_STRING (&value))
        text = g_value_dup_string (&value);
      g_value_unset (&value);
    }
  else if (GTK_IS_STRING_OBJECT (item))
    text = g_strdup (gtk_string_object_get_string (item));
  return text;
}

static void
update (GtkDropDown *drop_down)
{
  const char *label = g_object_get_data (G_OBJECT (drop_down), LABEL);
  g_autofree char *choice = chosen (drop_down);
  g_autofree char *name = NULL;
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (drop_down));

  /* Translators: what a list is for, and what is chosen in it; for screen readers. */
  name = choice != NULL ? g_strdup_printf (_ ("%s: %s"), label, choice) : g_strdup (label);
  if (GTK_IS_TOGGLE_BUTTON (button))
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}

void
ov_drop_down_name (GtkDropDown *drop_down, const char *label)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (drop_down) && label != NULL);

  g_object_set_data_full (G_OBJECT (drop_down), LABEL, g_strdup (label), g_free);
  g_signal_connect (drop_down, "notify::selected-item", G_CALLBACK (update), NULL);
  update (drop_down);
}
