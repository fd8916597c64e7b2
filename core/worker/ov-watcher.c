/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lock is held while the strategy's abort runs, so that the state cannot be released under it.
 */
#include "worker/ov-watcher.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct _OvWatcher
{
  OvShared *shared;
  int wake_fd; /**< borrowed */
  int poke_fd; /**< something changed: look again */
  pthread_t thread;
  pthread_mutex_t lock;
  /* Under the lock. */
  const OvStrategy *strategy;
  void *state;
  gint64 deadline_ns;
  gboolean ending;
  gboolean aborted; /**< abort was called for this state */
};

static void
poke (int fd)
{
  const guint64 one = 1;

  if (write (fd, &one, sizeof one) < 0)
    g_debug ("An event counter cannot be written: %s", g_strerror (errno));
}

/** Where the run is stopped: seen under the lock, since a stop that came from the limit is taken
 * back there, and the next pass must not be aborted for it. */
static void
call_abort (OvWatcher *self)
{
  pthread_mutex_lock (&self->lock);
  if (ov_shared_stopped (self->shared) && self->strategy != NULL && !self->aborted)
    {
      if (self->strategy->abort != NULL)
        self->strategy->abort (self->state);
      self->aborted = TRUE;
    }
  pthread_mutex_unlock (&self->lock);
}

/** Once the time limit is over: sets the flag, and makes the wake descriptor readable.  Both under
 * the lock, so that who takes the stop back finds both or none. */
static void
end_by_limit (OvWatcher *self)
{
  guint32 none = OV_STOP_NO;

  pthread_mutex_lock (&self->lock);
  if (self->deadline_ns != 0 && ov_clock_now_ns () >= self->deadline_ns)
    {
      self->deadline_ns = 0;
      __atomic_compare_exchange_n (&self->shared->stop, &none, OV_STOP_TIME_LIMIT, FALSE,
                                   __ATOMIC_RELEASE, __ATOMIC_RELAXED);
      poke (self->wake_fd);
    }
  pthread_mutex_unlock (&self->lock);
}

static int
poll_timeout (OvWatcher *self)
{
  gint64 left;

  if (self->deadline_ns == 0)
    return -1;
  left = self->deadline_ns - ov_clock_now_ns ();
  return left <= 0 ? 0 : (int)MIN (left / 1000000 + 1, G_MAXINT);
}

static void *
watch (void *data)
{
  OvWatcher *self = data;

  for (;;)
    {
      struct pollfd fds[2] = { { self->poke_fd, POLLIN, 0 }, { self->wake_fd, POLLIN, 0 } };
      gboolean stopped = ov_shared_stopped (self->shared);
      gboolean ending;
      int timeout;

      pthread_mutex_lock (&self->lock);
      timeout = poll_timeout (self);
      ending = self->ending;
      pthread_mutex_unlock (&self->lock);
      if (ending)
        return NULL;
      /* Once stopped only pokes are of interest: the wake descriptor stays readable. */
      poll (fds, stopped ? 1 : 2, stopped ? -1 : timeout);
      end_by_limit (self);
      if ((fds[0].revents & POLLIN) != 0)
        {
          guint64 count;

          if (read (self->poke_fd, &count, sizeof count) < 0)
            g_debug ("An event counter cannot be read: %s", g_strerror (errno));
        }
      call_abort (self);
    }
}

OvWatcher *
ov_watcher_new (OvShared *shared, int wake_fd)
{
  OvWatcher *self = g_new0 (OvWatcher, 1);
  int error;

  self->shared = shared;
  self->wake_fd = wake_fd;
  self->poke_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  pthread_mutex_init (&self->lock, NULL);
  error = self->poke_fd < 0 ? errno : pthread_create (&self->thread, NULL, watch, self);
  if (error == 0)
    return self;
  if (self->poke_fd >= 0)
    close (self->poke_fd);
  g_free (self);
  errno = error;
  return NULL;
}

void
ov_watcher_free (OvWatcher *self)
{
  pthread_mutex_lock (&self->lock);
  self->ending = TRUE;
  pthread_mutex_unlock (&self->lock);
  poke (self->poke_fd);
  pthread_join (self->thread, NULL);
  close (self->poke_fd);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

void
ov_watcher_set_strategy (OvWatcher *self, const OvStrategy *strategy, void *state)
{
  pthread_mutex_lock (&self->lock);
  self->strategy = strategy;
  self->state = state;
  self->aborted = FALSE;
  pthread_mutex_unlock (&self->lock);
  if (strategy != NULL && ov_shared_stopped (self->shared))
    poke (self->poke_fd);
}

gboolean
ov_watcher_forget_limit (OvWatcher *self)
{
  guint32 limit = OV_STOP_TIME_LIMIT;
  gboolean forgotten;

  pthread_mutex_lock (&self->lock);
  self->deadline_ns = 0;
  forgotten = __atomic_compare_exchange_n (&self->shared->stop, &limit, OV_STOP_NO, FALSE,
                                           __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (forgotten)
    {
      guint64 count;

      if (read (self->wake_fd, &count, sizeof count) < 0)
        g_debug ("An event counter cannot be read: %s", g_strerror (errno));
      /* An abort between the two wrote into the counter that was just emptied. */
      if (ov_shared_stopped (self->shared))
        poke (self->wake_fd);
    }
  pthread_mutex_unlock (&self->lock);
  poke (self->poke_fd);
  return forgotten;
}

void
ov_watcher_set_limit (OvWatcher *self, gint64 deadline_ns)
{
  pthread_mutex_lock (&self->lock);
  self->deadline_ns = deadline_ns;
  pthread_mutex_unlock (&self->lock);
  poke (self->poke_fd);
}
