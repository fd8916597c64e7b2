/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uring.wait: io_uring, sleeping in the kernel until a request is done.
 *
 * One system call does two things: it hands over the requests that were put into the ring, and it
 * waits until the first of them has come back.  While one buffer is being worked on, the others
 * are being filled.
 */
#include "ring.h"

OV_EMBED_SOURCE (wait_source);

static int
wait_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return ring_prepare_as_told (RING_SLEEPS, host, task, (Ring **)state);
}

static int
wait_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;

  if (ring_open (ring) == 0)
    {
      ring_watch_stop (ring);
      while (slots_active (slots))
        {
          ring_fill (ring);
          if (slots_ending (slots))
            ring_cancel (ring);
          ring_submit (ring, slots_to_wait_for (slots)); /* hands over, and sleeps */
          ring_reap (ring);
          slots_consume (slots);
        }
    }
  return ring_close (ring);
}

static const OvOption *const options[] = { RING_OPTIONS, NULL };

const OvStrategy uring_wait = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "uring.wait",
  .title = OV_TR ("io_uring, waiting"),
  .summary = OV_TR ("Puts many requests into a ring shared with the kernel; one system call hands "
                    "them over and sleeps until one is done, so that a batch costs no more calls "
                    "than a single request."),
  .family = "uring",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe,
  .prepare = wait_prepare,
  .run = wait_run,
  .release = ring_release,
  .source = wait_source,
  .source_end = wait_source_end,
};
