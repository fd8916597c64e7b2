/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uring.spin: io_uring, looking at the completion queue again and again.
 *
 * The queue lies in our own memory, so looking needs no system call and no wake-up: nobody learns
 * of a completion sooner.  The price is a processor that does nothing else, just as when a program
 * looks at the result field of its parameter block until it changes.
 */
#include <sched.h>

#include "ring.h"

OV_EMBED_SOURCE (spin_source);

static int
spin_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return ring_prepare_as_told (RING_LOOKS, host, task, (Ring **)state);
}

/* Nothing has come yet. */
static void
spin_once (Ring *ring, bool yield)
{
  /* The kernel may put off work of ours until we come to it; it says so by a flag beside the
   * queue.  Then only going there brings the completion. */
  unsigned flags = IO_URING_READ_ONCE (*ring->ring.sq.kflags);

  if ((flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0)
    io_uring_get_events (&ring->ring);
  else if (yield)
    sched_yield ();
  else
    slots_relax ();
}

static int
spin_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;
  bool yield = slots->task->options[RING_OPTION_YIELD] != 0;

  if (ring_open (ring) == 0)
    while (slots_active (slots))
      {
        ring_fill (ring);
        if (slots_ending (slots))
          ring_cancel (ring);
        ring_submit (ring, 0);
        if (!ring_reap (ring))
          spin_once (ring, yield);
        slots_consume (slots);
      }
  return ring_close (ring);
}

static const OvOption option_yield = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "yield",
  .title = OV_TR ("Give time away"),
  .help = OV_TR ("Lets other programs run between two looks at the completion queue."),
  .maximum = 1,
};

static const OvOption *const options[] = { RING_OPTIONS, &option_yield, NULL };

const OvStrategy uring_spin = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "uring.spin",
  .title = OV_TR ("io_uring, spinning"),
  .summary = OV_TR ("Looks at the completion queue, which lies in its own memory, until something "
                    "is there: learns of it at once and without a system call, and keeps one "
                    "processor busy all the time."),
  .family = "uring",
  .article = "1.6 1.7 1.8 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe,
  .prepare = spin_prepare,
  .run = spin_run,
  .release = ring_release,
  .source = spin_source,
  .source_end = spin_source_end,
};
