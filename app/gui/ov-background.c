/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SCHED_BATCH and not a higher nice value: the way back from that is forbidden to ordinary users,
 * and the threads are a pool's, which others use afterwards.
 */
#include "config.h"

#include "gui/ov-background.h"

#include <sched.h>

static GQuark
func_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("ov-background-func");
  return quark;
}

static void
background_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc func
      = (GTaskThreadFunc)(GCallback)g_object_get_qdata (G_OBJECT (task), func_quark ());
  const struct sched_param none = { 0 };
  const gboolean usual = sched_getscheduler (0) == SCHED_OTHER;

  if (usual)
    sched_setscheduler (0, SCHED_BATCH, &none);
  func (task, source, data, cancellable);
  if (usual)
    sched_setscheduler (0, SCHED_OTHER, &none);
}

void
ov_background_run (GTask *task, GTaskThreadFunc func)
{
  g_object_set_qdata (G_OBJECT (task), func_quark (), (gpointer)(GCallback)func);
  g_task_run_in_thread (task, background_thread);
}
