/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What screen readers say of a drop-down list.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Has the button inside `drop_down`, which is what gets the focus, named "`label`: what is chosen".
 *  GTK 4 names the list around it and leaves the button with the name of its class. */
void ov_drop_down_name (GtkDropDown *drop_down, const char *label);

G_END_DECLS
