/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread for each task, which ends with it: a higher nice value is for good, since ordinary users
 * may not lower it again, and so nothing for the threads of a pool.
 */
#include "config.h"

#include "gui/ov-background.h"

#include <sys/resource.h>
#include <unistd.h>

/* A tenth of the weight of a program that is not nice. */
#define NICE 10

typedef struct
{
  GTask *task;
  GTaskThreadFunc func;
} Work;

static gboolean
on_done (gpointer data)
{
  Work *work = data;

  g_object_unref (work->task);
  g_free (work);
  return G_SOURCE_REMOVE;
}

static gpointer
background_thread (gpointer data)
{
  Work *work = data;
  GTask *task = work->task;

  setpriority (PRIO_PROCESS, (id_t)gettid (), NICE);
  work->func (task, g_task_get_source_object (task), g_task_get_task_data (task),
              g_task_get_cancellable (task));
  /* Not here: with the last reference the source object may go, a widget. */
  g_idle_add_full (G_PRIORITY_DEFAULT, on_done, work, NULL);
  return NULL;
}

void
ov_background_run (GTask *task, GTaskThreadFunc func)
{
  Work *work = g_new (Work, 1);
  GThread *thread;

  *work = (Work){ g_object_ref (task), func };
  thread = g_thread_try_new ("background", background_thread, work, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    {
      on_done (work);
      g_task_run_in_thread (task, func); /* one of the pool's, when there is one */
    }
}
