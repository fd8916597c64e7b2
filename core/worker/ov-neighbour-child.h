/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbour: another program beside a run.  It is a process of its own, a child of the session,
 * so that the strategy's process has no thread of ours in it and its CPU time is not the
 * strategy's.  It sees the run through the run's shared memory.
 */
#pragma once

#include "worker/ov-shared.h"

G_BEGIN_DECLS

/** What the neighbour's process does; never returns: it is killed when the run is over.
 *  `processor`: both threads are put on it; -1: they run anywhere. */
void ov_neighbour_child (OvShared *run, int processor);

/** The last processor that this process may use, which is the one that is shared; -1 on error. */
int ov_neighbour_processor (void);
/** Puts the calling thread, and all that it starts, on one processor: 0 or -errno. */
int ov_neighbour_pin (int processor);

/** In the run's child: waits until the neighbour has seen the machine without the strategy.
 *  -ECANCELED when stopped; -ETIMEDOUT where it never answered, the run then goes without. */
int ov_neighbour_await (OvShared *run);
/** In the run's child, after the run: waits until every moment of the run is recorded, a second at
 *  most. */
void ov_neighbour_settle (OvShared *run);

G_END_DECLS
