/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.uring-batched: one call for many blocks.
 *
 * All buffers that are free become requests in the ring, and one system call hands all of them over
 * and fetches what is done: what a crossing into the kernel costs is divided by the number of
 * requests.  With one request in flight there is nothing to divide.
 */
#include "../uring/ring.h"

OV_EMBED_SOURCE (uring_batched_source);

enum
{
  OPTION_BATCH,
  OPTION_REGISTERED
};

static int
uring_batched_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const RingSetup setup = { .kind = RING_SLEEPS,
                            .batch = (uint64_t)task->options[OPTION_BATCH],
                            .buffers = task->options[OPTION_REGISTERED] != 0,
                            .file = task->options[OPTION_REGISTERED] != 0 };

  return ring_prepare (&setup, host, task, (Ring **)state);
}

static int
uring_batched_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;

  if (ring_open (ring) == 0)
    {
      ring_watch_stop (ring);
      while (slots_active (slots))
        {
          ring_fill (ring); /* a batch */
          if (slots_ending (slots))
            ring_cancel (ring);
          ring_submit (ring, slots_to_wait_for (slots)); /* one call for all of it */
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
};

static const OvOption option_registered = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "registered",
  .title = OV_TR ("Registered buffers and file"),
  .help = OV_TR ("Makes buffers and file known to the kernel once, before the run."),
  .maximum = 1,
};

static const OvOption *const options[] = { &option_batch, &option_registered, NULL };

const OvStrategy block_uring_batched = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.uring-batched",
  .title = OV_TR ("io_uring, in batches"),
  .summary = OV_TR ("Hands over a batch of blocks with one system call, which also fetches what is "
                    "done: the crossing into the kernel is paid for once in a batch; needs a depth "
                    "above 1."),
  .family = "block",
  .article = "5.2 5.5",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe,
  .prepare = uring_batched_prepare,
  .run = uring_batched_run,
  .release = ring_release,
  .source = uring_batched_source,
  .source_end = uring_batched_source_end,
};
