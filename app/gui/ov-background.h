/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work that the window is not to notice.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** g_task_run_in_thread(), in a thread of its own with a nice value of 10, as those that it starts:
 * the window stays quick while a large file is read, also on a machine where all is busy.  The
 * task's last reference is given up in the main thread. */
void ov_background_run (GTask *task, GTaskThreadFunc func);

G_END_DECLS
