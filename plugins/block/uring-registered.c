/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.uring-registered: set up once, use often.
 *
 * Before the run the kernel is told which memory will be read into and which file will be read: it
 * pins the pages and keeps a reference to the file until the ring goes.  Each request then only
 * names them by number.  The rest is block.uring, one call for each block, so that the difference
 * between the two is what registering is worth.
 */
#include "../uring/ring.h"

OV_EMBED_SOURCE (uring_registered_source);

enum
{
  OPTION_BATCH
};

static int
uring_registered_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const RingSetup setup = { .kind = RING_SLEEPS,
                            .batch = (uint64_t)task->options[OPTION_BATCH],
                            .buffers = true,
                            .file = true };

  return ring_prepare (&setup, host, task, (Ring **)state);
}

static int
uring_registered_run (void *state)
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
          ring_submit (ring, slots_to_wait_for (slots));
          ring_reap (ring);
          slots_consume (slots);
        }
    }
  return ring_close (ring);
}

static const OvOption option_batch = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_INT,
  .name = "batch",
  .title = OV_TR ("Requests at a time"),
  .help = OV_TR ("How many requests one system call hands over and waits for; 0 chooses by the "
                 "size of the blocks."),
  .maximum = 256,
  .standard = 1,
};

static const OvOption *const options[] = { &option_batch, NULL };

const OvStrategy block_uring_registered = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.uring-registered",
  .title = OV_TR ("io_uring, buffers and file registered"),
  .summary = OV_TR ("Makes buffers and file known to the kernel once, before the run, as the "
                    "article's $IO_PERFORMW did with its buffer object; each block still takes a "
                    "system call, but no pages are pinned and no file is looked up."),
  .family = "block",
  .article = "5.2 5.6",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe,
  .prepare = uring_registered_prepare,
  .run = uring_registered_run,
  .release = ring_release,
  .source = uring_registered_source,
  .source_end = uring_registered_source_end,
};
