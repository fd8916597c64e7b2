// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSwatch: the key of a variant: its colour, dash and marker as the charts draw them. Decoration:
 * the name stands beside it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OV_TYPE_SWATCH (ov_swatch_get_type ())
G_DECLARE_FINAL_TYPE (OvSwatch, ov_swatch, OV, SWATCH, GtkWidget)

GtkWidget *ov_swatch_new (void);
/** A style of ov_theme_get_style(); -1 draws nothing. */
void ov_swatch_set_style (OvSwatch *self, int style);

G_END_DECLS
