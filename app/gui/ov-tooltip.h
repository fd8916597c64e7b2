// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Tooltips that change while the window is seen, or of which there are many.
 * gtk_widget_set_tooltip_text() asks the display each time where the pointer is, and waits for the
 * answer; a text that is only looked up when the pointer rests on the widget costs nothing.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Gives `widget` a tooltip, which is its description for a screen reader as well; NULL for none.
 * Nothing happens where it has that already. */
void ov_tooltip_set (GtkWidget *widget, const char *text);

G_END_DECLS
