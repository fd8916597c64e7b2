/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.timerfd: a timer of the kernel behind a file descriptor.
 *
 * The timer runs by itself; read() waits for it and returns how often it expired since the last
 * reading.  More than once means that wake-ups were missed, and the kernel says how many.
 */
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tick.h"

OV_EMBED_SOURCE (timerfd_source);

typedef struct
{
  Tick tick;
  int fd;
} Timer;

static void
timerfd_release (void *state)
{
  Timer *self = state;

  tick_leave (&self->tick);
  if (self->fd >= 0)
    close (self->fd);
  free (self);
}

static int
timerfd_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Timer *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = tick_enter (&self->tick, host, task);
  if (error == 0)
    {
      self->fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC);
      error = self->fd < 0 ? -errno : 0;
    }
  if (error != 0)
    {
      timerfd_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
timerfd_run (void *state)
{
  Timer *self = state;
  Tick *tick = &self->tick;
  struct itimerspec setting;
  uint64_t expired;
  bool more;

  tick->start = tick_now ();
  setting.it_interval = tick_timespec (tick->period);
  setting.it_value = tick_timespec (tick->start + tick->period);
  if (timerfd_settime (self->fd, TFD_TIMER_ABSTIME, &setting, NULL) != 0)
    return -errno;
  do
    {
      if (ov_stopped (tick->host))
        return -ECANCELED;
      if (read (self->fd, &expired, sizeof expired) != (ssize_t)sizeof expired)
        {
          if (errno == EINTR)
            {
              more = true;
              continue;
            }
          return -errno;
        }
      if (ov_stopped (tick->host))
        return -ECANCELED;
      more = tick_woken (tick, tick_now (), expired - 1);
    }
  while (more);
  tick_report (tick);
  return 0;
}

/* Lets the timer expire at once: the reading returns and sees the flag. */
static void
timerfd_abort (void *state)
{
  Timer *self = state;
  const struct itimerspec at_once = { .it_value = { .tv_nsec = 1 } };

  timerfd_settime (self->fd, 0, &at_once, NULL);
}

const OvStrategy tick_timerfd = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.timerfd",
  .title = OV_TR ("Timer descriptor"),
  .summary = OV_TR ("Reads from a timer of the kernel, which says how often it expired since the "
                    "last reading: fits into any loop that waits for descriptors."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .options = tick_options,
  .prepare = timerfd_prepare,
  .run = timerfd_run,
  .abort = timerfd_abort,
  .release = timerfd_release,
  .source = timerfd_source,
  .source_end = timerfd_source_end,
};
