/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * aio.spin: POSIX AIO, looking at the result again and again.
 *
 * The program posts several requests, works on the oldest buffer as soon as it is full, and posts
 * it anew.  While it is not full yet, the program asks for nothing else than just that.
 */
#include <sched.h>

#include "posted.h"

/* Each look takes the lock that the library's thread needs to go on; so let some time pass. */
#define LOOK_EVERY 16

OV_EMBED_SOURCE (spin_source);

/* Between two looks. */
static void
spin_once (bool yield)
{
  if (yield)
    sched_yield ();
  else
    for (int i = 0; i < LOOK_EVERY; i++)
      slots_relax ();
}

static int
spin_run (void *state)
{
  Posted *posted = state;
  Slots *slots = &posted->slots;
  bool yield = slots->task->options[0] != 0;

  if (posted_open (posted) == 0)
    while (slots_active (slots))
      {
        posted_fill (posted);
        if (slots_to_wait_for (slots) > 0 && aio_error (posted_awaited (posted)) == EINPROGRESS)
          {
            spin_once (yield);
            continue;
          }
        posted_take_finished (posted);
        slots_consume (slots);
      }
  return posted_close (posted);
}

static const OvOption option_yield = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "yield",
  .title = OV_TR ("Give time away"),
  .help = OV_TR ("Lets other programs run between two looks at the result."),
  .maximum = 1,
};

static const OvOption *const options[] = { &option_yield, NULL };

const OvStrategy aio_spin = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "aio.spin",
  .title = OV_TR ("POSIX AIO, spinning"),
  .summary = OV_TR ("Posts requests with aio_read() and looks at the oldest one's result until it "
                    "changes: learns of it at once, and takes the processor from everybody else "
                    "meanwhile."),
  .family = "aio",
  .article = "1.6 1.7 1.8 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .prepare = posted_prepare,
  .run = spin_run,
  .release = posted_release,
  .source = spin_source,
  .source_end = spin_source_end,
};
