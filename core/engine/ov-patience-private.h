/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the engine waits for a worker before it acts.  One set for the process, so that a test
 * need not sit the real times out.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** All in milliseconds. */
typedef struct
{
  guint greet;        /**< from the start to `hello`, on this machine */
  guint greet_remote; /**< same behind a prefix: somebody may have to type a password */
  guint describe;     /**< silence while strategies are asked for */
  guint preflight;    /**< answer about one target; the worker itself gives up after 5 s */
  guint silence;      /**< no line while a run or a layout is going on */
  guint abort;        /**< no line after Stop */
  guint abort_total;  /**< from Stop until the run's end, then it is forced */
  guint force;        /**< from the second Stop to the run's end */
  guint close;        /**< from `bye` to SIGTERM */
  guint term;         /**< from SIGTERM to SIGKILL */
  guint kill;         /**< from SIGKILL to leaving it behind */
  guint park;         /**< an idle connection is kept for the next user */
} OvPatience;

extern OvPatience ov_patience;

G_END_DECLS
