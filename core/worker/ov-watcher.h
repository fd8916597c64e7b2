/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one thread of a child that is not the strategy's, where one is needed: it sleeps until the
 * run is to end (the session's wake descriptor, or the run's time limit), sets the flag and wakes
 * the strategy.
 */
#pragma once

#include "overlap-strategy.h"
#include "worker/ov-shared.h"

G_BEGIN_DECLS

typedef struct _OvWatcher OvWatcher;

/** Starts the thread.  NULL with errno on failure. */
OvWatcher *ov_watcher_new (OvShared *shared, int wake_fd);
/** Ends and joins the thread. */
void ov_watcher_free (OvWatcher *watcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvWatcher, ov_watcher_free)

/** From now on a stop calls strategy->abort (state); NULL ends that: after it returned, abort is
 *  neither running nor called. */
void ov_watcher_set_strategy (OvWatcher *watcher, const OvStrategy *strategy, void *state);
/** Stops the run at this time (CLOCK_MONOTONIC); 0: no limit. */
void ov_watcher_set_limit (OvWatcher *watcher, gint64 deadline_ns);
/** Ends the limit, and takes a stop back that came from it, so that another pass can follow.  FALSE
 * when there was none, or when the user stopped the run. */
gboolean ov_watcher_forget_limit (OvWatcher *watcher);

G_END_DECLS
