/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.spin: looks at the clock until the moment has come.
 *
 * Nothing has to be woken up, so nothing is late but for what the system takes the processor away
 * for.  It costs that processor, all of it.  There is no real-time scheduling here: a loop that
 * never waits would keep everybody else from the processor.
 */
#include <stdlib.h>

#include "tick.h"

OV_EMBED_SOURCE (spin_source);

static void
spin_release (void *state)
{
  free (state);
}

static int
spin_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Tick *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  *self = (Tick){ .host = host, .task = task, .period = (uint64_t)(1e9 / task->rate + 0.5) };
  host->effective (host, "scheduling", "SCHED_OTHER");
  *state = self;
  return 0;
}

static int
spin_run (void *state)
{
  Tick *self = state;
  uint64_t now = self->start = tick_now ();

  do
    {
      const uint64_t due = tick_due (self);

      while (now < due)
        {
          if (ov_stopped (self->host))
            return -ECANCELED;
          now = tick_now ();
        }
      if (ov_stopped (self->host))
        return -ECANCELED;
    }
  while (tick_woken (self, now, tick_merged (self, now)));
  return 0;
}

const OvStrategy tick_spin = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.spin",
  .title = OV_TR ("Busy loop on the clock"),
  .summary = OV_TR ("Reads the clock until the moment has come: the most punctual way, which keeps "
                    "a whole processor busy with nothing."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .prepare = spin_prepare,
  .run = spin_run,
  .release = spin_release,
  .source = spin_source,
  .source_end = spin_source_end,
};
