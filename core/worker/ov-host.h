/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host table of one child: what a strategy may call.  Nothing in it allocates (but for
 * `buffer`, which belongs to prepare), locks or prints.
 */
#pragma once

#include "worker/ov-shared.h"

G_BEGIN_DECLS

typedef struct _OvHostContext OvHostContext;

/** Host table for `task` (borrowed, may be NULL for a probe).  `shared` is where everything is
 *  recorded (NULL: a private place, for a probe); `wake_fd` or -1. */
OvHostContext *ov_host_context_new (OvShared *shared, const OvTask *task, int wake_fd);
/** Frees it and all buffers. */
void ov_host_context_free (OvHostContext *context);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvHostContext, ov_host_context_free)

const OvHost *ov_host_context_get_host (OvHostContext *context);

/** Which timing to record; changed between the discarded pass and the run. */
void ov_host_context_set_timing (OvHostContext *context, guint timing);
/** Nanoseconds of a stamp's unit, 32.32 fixed point, for the histogram. */
void ov_host_context_set_scale (OvHostContext *context, guint64 ns_per_stamp_q32);

/** What is done between the two parts of a transfer; its time and CPU time do not count. */
typedef void (*OvBetween) (gpointer data);
void ov_host_context_set_between (OvHostContext *context, OvBetween between, gpointer data);

/** Forgets what was recorded (the discarded pass); buffers are freed. */
void ov_host_context_reset (OvHostContext *context);

/** Writes the check value of the work into shared->check. */
void ov_host_context_finish_check (OvHostContext *context);

/** Adds "key=value" to what was really used. */
void ov_host_context_add_effective (OvHostContext *context, const char *key, const char *value);

G_END_DECLS
