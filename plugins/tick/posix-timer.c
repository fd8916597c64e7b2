/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.posix-timer: a timer that sends a signal.
 *
 * The kernel queues at most one signal for a timer.  What expires while it is still on its way is
 * counted and comes with it as its overrun.  The signal is waited for with sigwaitinfo(), so that
 * no handler interrupts anything.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tick.h"

OV_EMBED_SOURCE (posix_timer_source);

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

typedef struct
{
  Tick tick;
  timer_t timer;
  bool has_timer;
  int number;      /* of the signal */
  sigset_t set;    /* with it alone */
  sigset_t before; /* the thread's mask */
  pid_t thread;
} Timer;

static void
posix_timer_release (void *state)
{
  Timer *self = state;
  const struct timespec none = { 0 };

  if (self->has_timer)
    timer_delete (self->timer);
  while (sigtimedwait (&self->set, NULL, &none) > 0)
    ; /* what was on its way must not meet the mask from before */
  pthread_sigmask (SIG_SETMASK, &self->before, NULL);
  tick_leave (&self->tick);
  free (self);
}

static int
posix_timer_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Timer *self = calloc (1, sizeof *self);
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID };
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->number = SIGRTMIN + 3;
  self->thread = (pid_t)syscall (SYS_gettid);
  sigemptyset (&self->set);
  sigaddset (&self->set, self->number);
  pthread_sigmask (SIG_BLOCK, &self->set, &self->before);
  error = tick_enter (&self->tick, host, task);
  if (error == 0)
    {
      event.sigev_signo = self->number;
      event.sigev_notify_thread_id = self->thread;
      self->has_timer = timer_create (CLOCK_MONOTONIC, &event, &self->timer) == 0;
      error = self->has_timer ? 0 : -errno;
    }
  if (error != 0)
    {
      posix_timer_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
posix_timer_run (void *state)
{
  Timer *self = state;
  Tick *tick = &self->tick;
  struct itimerspec setting;
  bool more = true;

  tick->start = tick_now ();
  setting.it_interval = tick_timespec (tick->period);
  setting.it_value = tick_timespec (tick->start + tick->period);
  if (timer_settime (self->timer, TIMER_ABSTIME, &setting, NULL) != 0)
    return -errno;
  while (more)
    {
      siginfo_t info;

      if (ov_stopped (tick->host))
        return -ECANCELED;
      if (sigwaitinfo (&self->set, &info) < 0)
        {
          if (errno == EINTR)
            continue;
          return -errno;
        }
      if (info.si_code == SI_TIMER)
        more
            = tick_woken (tick, tick_now (), (uint64_t)(info.si_overrun > 0 ? info.si_overrun : 0));
    }
  tick_report (tick);
  return 0;
}

/* The same signal, but not from the timer. */
static void
posix_timer_abort (void *state)
{
  Timer *self = state;

  syscall (SYS_tgkill, getpid (), self->thread, self->number);
}

const OvStrategy tick_posix_timer = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.posix-timer",
  .title = OV_TR ("POSIX timer with a signal"),
  .summary = OV_TR ("Has a timer send a signal and waits for it; what expires meanwhile is counted "
                    "by the kernel as an overrun."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .options = tick_options,
  .prepare = posix_timer_prepare,
  .run = posix_timer_run,
  .abort = posix_timer_abort,
  .release = posix_timer_release,
  .source = posix_timer_source,
  .source_end = posix_timer_source_end,
};
