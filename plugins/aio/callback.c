/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * aio.callback: POSIX AIO, told by a function that the C library calls (SIGEV_THREAD).
 *
 * The library starts a new thread for each request that is done, only to call the function: the
 * most comfortable way, and the dearest.  The function does no more than pass the news on to run's
 * thread, which sleeps until then.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "posted.h"

OV_EMBED_SOURCE (callback_source);

/* Runs in a thread of its own. */
static void
callback_done (union sigval value)
{
  Notice *notice = value.sival_ptr;

  notice_tell (notice);
  eventfd_write (notice->posted->event_fd, 1);
  notice_end (notice);
}

static int
callback_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Posted *posted;
  int error = posted_prepare (host, task, state);

  if (error < 0)
    return error;
  posted = *state;
  posted->how.sigev_notify = SIGEV_THREAD;
  posted->how.sigev_notify_function = callback_done;
  posted->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (posted->event_fd < 0)
    {
      error = -errno;
      posted_release (posted);
    }
  return error;
}

/* Sleeps until there is news, or Stop.  If no thread could be started for a notice, it never
 * comes; so we look for ourselves after a while. */
static void
callback_sleep (Posted *posted)
{
  int wake_fd = slots_ending (&posted->slots) ? -1 : posted->slots.host->wake_fd;
  struct pollfd sources[] = { { posted->event_fd, POLLIN, 0 }, { wake_fd, POLLIN, 0 } };
  eventfd_t news;

  if (poll (sources, 2, POSTED_LOOK_NS / 1000000) == 0)
    posted_take_finished (posted);
  eventfd_read (posted->event_fd, &news);
}

static int
callback_run (void *state)
{
  Posted *posted = state;
  Slots *slots = &posted->slots;

  if (posted_open (posted) == 0)
    while (slots_active (slots))
      {
        posted_fill (posted);
        if (slots_to_wait_for (slots) > 0)
          callback_sleep (posted);
        if (posted_has_news (posted))
          posted_take_told (posted);
        slots_consume (slots);
      }
  return posted_close (posted);
}

const OvStrategy aio_callback = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "aio.callback",
  .title = OV_TR ("POSIX AIO, callback thread"),
  .summary = OV_TR ("Posts requests with aio_read() and has the C library start a thread for each "
                    "one that is done, which tells the program: a completion routine without the "
                    "restrictions of a signal, for the price of a thread each time."),
  .family = "aio",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .prepare = callback_prepare,
  .run = callback_run,
  .release = posted_release,
  .source = callback_source,
  .source_end = callback_source_end,
};
