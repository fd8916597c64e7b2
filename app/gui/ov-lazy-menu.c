// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * GTK asks for the popup each time; it is made once.
 */
#include "config.h"

#include "gui/ov-lazy-menu.h"

static void
make_menu (GtkMenuButton *button, gpointer data)
{
  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (data));
}

void
ov_lazy_menu_set (GtkMenuButton *button, GMenuModel *model)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && G_IS_MENU_MODEL (model));
  gtk_menu_button_set_create_popup_func (button, make_menu, model, NULL);
}
