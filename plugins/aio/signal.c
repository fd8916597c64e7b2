/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * aio.signal: POSIX AIO with a completion routine: a real-time signal for each request.
 *
 * The handler runs between two instructions of whatever the program is doing, as a completion
 * routine did at interrupt time, and under the same restriction: it may do next to nothing, for
 * the program may be anywhere, even in the middle of aio_read().  So it notes the completion and
 * leaves the rest to the program.
 *
 * The hard part is going to sleep.  Between "nothing has come yet" and falling asleep the signal
 * may come, and would be slept over.  So it is blocked first; ppoll() lets it in and falls asleep
 * in one step.
 */
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "posted.h"

OV_EMBED_SOURCE (signal_source);

/* The signal, and what was there before. */
typedef struct Signal
{
  int number;
  struct sigaction old; /* what it did */
  sigset_t only;        /* itself alone, as a set */
  sigset_t mask;        /* the signals that were blocked, */
  sigset_t open;        /* and the same without it */
} Signal;

/* The completion routine. */
static void
signal_done (int number, siginfo_t *info, void *context)
{
  Notice *notice = info->si_value.sival_ptr;
  int saved = errno;

  (void)context;
  if (info->si_code != SI_ASYNCIO)
    return; /* not from the C library, and so not for us */
  if (gettid () == notice->posted->thread)
    {
      notice_tell (notice);
      notice_end (notice);
    }
  else /* a signal is for the whole process, and this is another thread of it: pass it on */
    syscall (SYS_rt_tgsigqueueinfo, getpid (), notice->posted->thread, number, info);
  errno = saved;
}

/* Takes a real-time signal that nobody uses: those queue, where of two ordinary ones one is lost.
 */
static int
signal_install (Signal *self)
{
  struct sigaction action = { .sa_sigaction = signal_done, .sa_flags = SA_SIGINFO | SA_RESTART };

  for (self->number = SIGRTMIN; self->number <= SIGRTMAX; self->number++)
    if (sigaction (self->number, NULL, &self->old) == 0 && self->old.sa_handler == SIG_DFL)
      break;
  if (self->number > SIGRTMAX)
    return -EBUSY;
  sigemptyset (&self->only);
  sigaddset (&self->only, self->number);
  sigaction (self->number, &action, NULL);
  pthread_sigmask (SIG_UNBLOCK, &self->only, &self->mask);
  self->open = self->mask;
  sigdelset (&self->open, self->number);
  return 0;
}

/* Puts everything back.  Where a signal is still missing, it is ignored from now on: if it came
 * after all, the default would be to end the process. */
static void
signal_remove (Signal *self, bool all_came)
{
  struct sigaction ignore = { .sa_handler = SIG_IGN };

  sigaction (self->number, all_came ? &self->old : &ignore, NULL);
  pthread_sigmask (SIG_SETMASK, &self->mask, NULL);
}

/* Sleeps until a completion was noted, or Stop.  A signal is lost if too many are queued in the
 * system; so we look for ourselves after a while. */
static void
signal_sleep (const Signal *self, Posted *posted)
{
  int wake_fd = slots_ending (&posted->slots) ? -1 : posted->slots.host->wake_fd;
  struct pollfd stop = { wake_fd, POLLIN, 0 };
  struct timespec timeout = { .tv_nsec = POSTED_LOOK_NS };

  pthread_sigmask (SIG_BLOCK, &self->only, NULL);
  if (!posted_has_news (posted) && ppoll (&stop, 1, &timeout, &self->open) == 0)
    posted_take_finished (posted);
  pthread_sigmask (SIG_UNBLOCK, &self->only, NULL);
}

static void
signal_read_all (const Signal *self, Posted *posted)
{
  Slots *slots = &posted->slots;

  if (posted_open (posted) == 0)
    while (slots_active (slots))
      {
        posted_fill (posted);
        if (slots_to_wait_for (slots) > 0)
          signal_sleep (self, posted);
        if (posted_has_news (posted))
          posted_take_told (posted);
        slots_consume (slots);
      }
}

static int
signal_run (void *state)
{
  Posted *posted = state;
  Signal self;
  int result = signal_install (&self);

  if (result < 0)
    {
      slots_fail (&posted->slots, result, UINT64_MAX,
                  OV_TR ("All real-time signals of the process are taken."));
      return result;
    }
  posted->thread = gettid ();
  posted->how.sigev_notify = SIGEV_SIGNAL;
  posted->how.sigev_signo = self.number;
  signal_read_all (&self, posted);
  result = posted_close (posted);
  signal_remove (&self, posted_settle (posted, 1000));
  return result;
}

const OvStrategy aio_signal = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "aio.signal",
  .title = OV_TR ("POSIX AIO, completion routine"),
  .summary = OV_TR ("Posts requests with aio_read() and is interrupted by a signal when one is "
                    "done: the completion routine at interrupt time, which may do next to nothing "
                    "because the program may be anywhere."),
  .family = "aio",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .prepare = posted_prepare,
  .run = signal_run,
  .release = posted_release,
  .source = signal_source,
  .source_end = signal_source_end,
};
