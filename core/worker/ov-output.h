/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's output: lines queued and written when the reader takes them, never blocking.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _OvOutput OvOutput;

/** Sets `fd` (borrowed) to non-blocking. */
OvOutput *ov_output_new (int fd);
void ov_output_free (OvOutput *output);

/** Queues one message, taking `object`. */
void ov_output_send (OvOutput *output, JsonObject *object);
/** As ov_output_send(), but drops the message when something is still waiting. */
void ov_output_send_droppable (OvOutput *output, JsonObject *object);
gboolean ov_output_is_empty (const OvOutput *output);
/** Writes what the reader takes now.  FALSE when it is gone. */
gboolean ov_output_flush (OvOutput *output);

/** Object with `event` and, when not 0, `id`.  Transfer full. */
JsonObject *ov_output_event (const char *event, guint id);
/** Sends an `error` event. */
void ov_output_error (OvOutput *output, guint id, const char *code, const char *message);

G_END_DECLS
