/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work that the window is not to notice.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** g_task_run_in_thread(), with a thread that gives way to whoever wakes up and wants the processor
 *  (SCHED_BATCH), as do the threads that it starts: the window stays quick while a large file is
 *  read.  The thread's share of the processor is the same as before. */
void ov_background_run (GTask *task, GTaskThreadFunc func);

G_END_DECLS
