/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question to a worker of its own: start, hello, one command, its answer, end.  The task
 * returns after the worker has ended, so that nothing is left when the caller goes on; behind a
 * prefix the worker is kept for a while instead (ov_connection_park()).
 */
#pragma once

#include "engine/ov-launcher.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  OV_QUERY_MORE,   /**< the answer is not complete */
  OV_QUERY_DONE,   /**< `answer` is what the task returns */
  OV_QUERY_FAILED, /**< `error` was set */
} OvQueryState;

typedef struct
{
  const char *command;
  /** Takes a message (hello and events) and adds it to `answer`. */
  OvQueryState (*take) (gpointer answer, JsonObject *message, GError **error);
  GDestroyNotify free_answer;
  guint silence_ms;    /**< longest silence after the hello */
  const char *silence; /**< sentence for that, of the program's texts; with %s the subject */
} OvQueryKind;

/** Runs the question; `object` (transfer full, or NULL) is the command's fields, `answer` (transfer
 *  full) is returned by g_task_propagate_pointer().  `subject` is what the silence sentence names.
 *  Takes `task`. */
void ov_query_run (GTask *task, const OvLauncher *launcher, const OvQueryKind *kind,
                   JsonObject *object, gpointer answer, const char *subject);

G_END_DECLS
