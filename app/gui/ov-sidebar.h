// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSidebar: the list of experiments and recent results, in sections, with a search entry.
 */
#pragma once

#include <adwaita.h>

#include "gui/ov-library.h"

G_BEGIN_DECLS

#define OV_TYPE_SIDEBAR (ov_sidebar_get_type ())
/** Signal "selected" (OvLibraryItem *item): the user, or ov_sidebar_select(), chose an item.
 *  Signal "activated" (): the user pressed an item, which may be the selected one. */
G_DECLARE_FINAL_TYPE (OvSidebar, ov_sidebar, OV, SIDEBAR, GtkWidget)

void ov_sidebar_set_library (OvSidebar *self, OvLibrary *library);
/** Selects an item; NULL for none. An item that is not shown yet is added to the shown ones. */
void ov_sidebar_select (OvSidebar *self, OvLibraryItem *item);
/** Puts the keyboard into the search entry. */
void ov_sidebar_focus_search (OvSidebar *self);

G_END_DECLS
