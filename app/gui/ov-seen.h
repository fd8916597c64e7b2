// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSeen: whether anybody can see a widget: it is mapped, and its window is neither minimised nor,
 * where the system tells, covered or on a screen that is off. A minimised window stays mapped, as
 * GTK sees it, so that timers that only look at that go on for nobody.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _OvSeen OvSeen;

/** Called whenever what ov_seen_get() says has changed. */
typedef void (*OvSeenFunc) (gpointer data);

/** Watches `widget`, which must be freed after this and is `data`'s own. The caller owns it. */
OvSeen *ov_seen_new (GtkWidget *widget, OvSeenFunc func, gpointer data);
void ov_seen_free (OvSeen *self);

gboolean ov_seen_get (const OvSeen *self);

G_END_DECLS
