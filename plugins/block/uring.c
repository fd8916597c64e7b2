/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.uring: io_uring, one call for each block.
 *
 * The request is put into the ring and handed over by a system call of its own, which also fetches
 * what is done, or sleeps until something is.  Nothing but the ring is set up beforehand: the file
 * is looked up and the buffer's pages are pinned for each request, as for a pread().
 */
#include "../uring/ring.h"

OV_EMBED_SOURCE (uring_source);

static int
uring_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const RingSetup setup = { .kind = RING_SLEEPS, .batch = 1 };

  return ring_prepare (&setup, host, task, (Ring **)state);
}

static int
uring_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;

  if (ring_open (ring) == 0)
    {
      ring_watch_stop (ring);
      while (slots_active (slots))
        {
          ring_fill (ring); /* one request, where a buffer is free */
          if (slots_ending (slots))
            ring_cancel (ring);
          ring_submit (ring, slots_to_wait_for (slots)); /* the only system call */
          ring_reap (ring);
          slots_consume (slots); /* one block */
        }
    }
  return ring_close (ring);
}

const OvStrategy block_uring = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.uring",
  .title = OV_TR ("io_uring, block by block"),
  .summary
  = OV_TR ("One system call for each block hands it over and fetches what is done; file "
           "and buffer are looked up anew for each, so that only the ring is set up once."),
  .family = "block",
  .article = "5.1 5.2",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .probe = ring_probe,
  .prepare = uring_prepare,
  .run = uring_run,
  .release = ring_release,
  .source = uring_source,
  .source_end = uring_source_end,
};
