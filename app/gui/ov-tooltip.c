// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The text is the widget's data; the handler stands for all of them.
 */
#include "config.h"

#include "gui/ov-tooltip.h"

#define KEY "overlap-tooltip"

static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  const char *text = g_object_get_data (G_OBJECT (widget), KEY);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
ov_tooltip_set (GtkWidget *widget, const char *text)
{
  const char *old;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  old = g_object_get_data (G_OBJECT (widget), KEY);
  if (g_strcmp0 (old, text) == 0)
    return;
  if (g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, on_query, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
  g_object_set_data_full (G_OBJECT (widget), KEY, g_strdup (text), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    text, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}
