/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.nanosleep: asks for each wake-up by itself.
 *
 * clock_nanosleep() with an absolute time cannot drift, whatever the program did meanwhile.  The
 * kernel has no memory of events: what became due while the program was late is only seen by
 * looking at the clock, and is missed.
 */
#include <stdlib.h>

#include "tick.h"

OV_EMBED_SOURCE (nanosleep_source);

/* Longer sleeps are made of pieces, so that Stop is seen. */
#define PIECE_NS 50000000u

static void
nanosleep_release (void *state)
{
  tick_leave (state);
  free (state);
}

static int
nanosleep_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Tick *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = tick_enter (self, host, task);
  if (error != 0)
    {
      nanosleep_release (self);
      return error;
    }
  *state = self;
  return 0;
}

/* Sleeps until `due`: when it woke up, or 0 once the run is stopped. */
static uint64_t
sleep_until (const Tick *self, uint64_t due)
{
  uint64_t now = due > PIECE_NS && self->period > PIECE_NS ? tick_now () : due;

  do
    {
      const uint64_t until = due > now + PIECE_NS ? now + PIECE_NS : due;
      const struct timespec moment = tick_timespec (until);

      if (ov_stopped (self->host))
        return 0;
      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
      now = tick_now ();
    }
  while (now < due);
  return now;
}

static int
nanosleep_run (void *state)
{
  Tick *self = state;
  uint64_t now;

  self->start = tick_now ();
  do
    {
      now = sleep_until (self, tick_due (self));
      if (now == 0)
        return -ECANCELED;
    }
  while (tick_woken (self, now, tick_merged (self, now)));
  tick_report (self);
  return 0;
}

const OvStrategy tick_nanosleep = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.nanosleep",
  .title = OV_TR ("Absolute sleep"),
  .summary = OV_TR ("Sleeps until the moment that is due, again and again: one system call for "
                    "each event, and no drift."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .options = tick_options,
  .prepare = nanosleep_prepare,
  .run = nanosleep_run,
  .release = nanosleep_release,
  .source = nanosleep_source,
  .source_end = nanosleep_source_end,
};
