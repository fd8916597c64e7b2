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
/** From now on droppable messages wait for each other, up to `ns` nanoseconds after the first of
 * them; they go out together then, or before the next message that is not droppable, so that the
 * order stays.  0: they go out at once, those that wait too. */
void ov_output_set_hold (OvOutput *output, gint64 ns);
gboolean ov_output_is_holding (const OvOutput *output);
/** Queues what has waited long enough at `now_ns` (CLOCK_MONOTONIC). */
void ov_output_release_due (OvOutput *output, gint64 now_ns);
gboolean ov_output_is_empty (const OvOutput *output);
/** Writes what the reader takes now.  FALSE when it is gone. */
gboolean ov_output_flush (OvOutput *output);

/** Object with `event` and, when not 0, `id`.  Transfer full. */
JsonObject *ov_output_event (const char *event, guint id);
/** Sends an `error` event. */
void ov_output_error (OvOutput *output, guint id, const char *code, const char *message);

G_END_DECLS
