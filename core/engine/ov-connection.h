/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One worker process and the line to it.  Reads without blocking from the GLib main context in
 * which it was made, writes from a queue, and never waits for the worker: ending is asked for,
 * then SIGTERM, SIGKILL to its process group, then it is left behind (no zombie: GLib reaps).
 */
#pragma once

#include <json-glib/json-glib.h>

#include "engine/ov-launcher.h"

G_BEGIN_DECLS

#define OV_TYPE_CONNECTION (ov_connection_get_type ())
/** Signals: "message" (JsonObject* object, borrowed; the hello too),
 *  "closed" (const GError*: NULL after a bye): the last signal, exactly once. */
G_DECLARE_FINAL_TYPE (OvConnection, ov_connection, OV, CONNECTION, GObject)

OvConnection *ov_connection_new (const OvLauncher *launcher, const char *program, GError **error);
/** One that was parked for the same command line (it emits its hello again, from the main loop), or
 *  a new one.  Transfer full. */
OvConnection *ov_connection_obtain (const OvLauncher *launcher, const char *program,
                                    GError **error);
/** Keeps an idle connection for the next ov_connection_obtain(), at most two minutes, so that one
 *  password and one ssh connection serve a whole experiment.  Only behind a prefix; FALSE where it
 *  is not kept, and the caller closes it.  The caller has disconnected its handlers before. */
gboolean ov_connection_park (OvConnection *self);
/** Ends all that are parked. */
void ov_connection_close_parked (void);
/** Queues a command, taking `object`; returns its id, which it adds. */
guint ov_connection_send (OvConnection *self, const char *command, JsonObject *object);
/** Milliseconds since the last line came. */
gint64 ov_connection_silent_ms (OvConnection *self);
/** Ends it: bye and end of input; after `grace_ms` SIGTERM, then SIGKILL.  "closed" follows. */
void ov_connection_close (OvConnection *self, guint grace_ms);
/** Ends it at once. */
void ov_connection_kill (OvConnection *self);
GPid ov_connection_get_pid (OvConnection *self);

G_END_DECLS
