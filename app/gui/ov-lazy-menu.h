// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A button's menu that is made when it is opened first: its widgets cost as much as half a view,
 * and most menus are not opened.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Gives `button` the menu `model`, which must live as long as it. */
void ov_lazy_menu_set (GtkMenuButton *button, GMenuModel *model);

G_END_DECLS
