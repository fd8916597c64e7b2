/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a privileged session may be asked for.  Everything else is refused, whatever it may be.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** Longest line that a privileged session reads; every request that it takes is far shorter. */
#define OV_GUARD_LINE_MAX (16 * 1024)

/** Is this the file name of a module whose strategies reach hardware ("port.so")? */
gboolean ov_guard_is_hardware_module (const char *name);

/** May a run reach `width` bytes from port `address` on, in this way (enum OvAccess)?  0: the
 *  strategy's own choice among those that are harmless.  Held in every session, with privilege and
 *  without. */
gboolean ov_guard_ports_are_harmless (guint64 address, guint width, guint access);

/** Why a command is refused, or NULL: it may be done.  Free with g_free(). */
char *ov_guard_refuses (const char *command, JsonObject *object);

G_END_DECLS
