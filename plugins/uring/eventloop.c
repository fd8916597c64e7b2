/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uring.eventloop: io_uring in a main loop.
 *
 * A program that also serves a window or a network sleeps in one place for all its sources.  The
 * kernel makes a descriptor (an eventfd) readable when a completion is put into the ring, and the
 * main loop watches that beside its other sources; here the other source is the Stop button.
 */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ring.h"

OV_EMBED_SOURCE (eventloop_source);

/* Edge-triggered: told once for each change, so the descriptor need not be read to silence it. */
static int
eventloop_watch (const Ring *ring, int fd)
{
  struct epoll_event event = { .events = EPOLLIN | EPOLLET };

  return fd < 0 ? 0 : epoll_ctl (ring->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static int
eventloop_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Ring *ring;
  int error = ring_prepare_as_told (RING_SLEEPS, host, task, &ring);

  if (error < 0)
    return error;
  ring->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  ring->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  if (ring->event_fd < 0 || ring->epoll_fd < 0 || eventloop_watch (ring, ring->event_fd) < 0
      || eventloop_watch (ring, host->wake_fd) < 0)
    error = -errno;
  else
    error = io_uring_register_eventfd (&ring->ring, ring->event_fd);
  if (error < 0)
    {
      host->explain (host, UINT64_MAX, OV_TR ("The main loop cannot be set up."));
      ring_release (ring);
      return error;
    }
  *state = ring;
  return 0;
}

/* Sleeps until a source has something for us, then fetches what the kernel kept back. */
static void
eventloop_iterate (Ring *ring)
{
  struct epoll_event events[2];

  epoll_wait (ring->epoll_fd, events, 2, -1);
  io_uring_get_events (&ring->ring);
}

static int
eventloop_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;

  if (ring_open (ring) == 0)
    while (slots_active (slots))
      {
        ring_fill (ring);
        if (slots_ending (slots))
          ring_cancel (ring);
        ring_submit (ring, 0);
        if (!ring_reap (ring) && slots_to_wait_for (slots) > 0)
          {
            eventloop_iterate (ring);
            ring_reap (ring);
          }
        slots_consume (slots);
      }
  return ring_close (ring);
}

static const OvOption *const options[] = { RING_OPTIONS, NULL };

const OvStrategy uring_eventloop = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "uring.eventloop",
  .title = OV_TR ("io_uring in a main loop"),
  .summary = OV_TR ("Sleeps in a main loop that watches many sources and is told of completions by "
                    "a descriptor: the way of programs with a window or a network, for two more "
                    "system calls at each wake-up."),
  .family = "uring",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe,
  .prepare = eventloop_prepare,
  .run = eventloop_run,
  .release = ring_release,
  .source = eventloop_source,
  .source_end = eventloop_source_end,
};
