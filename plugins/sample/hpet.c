/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.hpet: polls a register that is mapped into the process.
 *
 * The event timer's counter is both what is sampled and the clock: its own register says how long a
 * unit is.  A look is one load instruction, which goes out to the device and waits for it.
 */
#include <stdlib.h>

#include "../mmio/event-timer.h"
#include "sample.h"

OV_EMBED_SOURCE (hpet_source);

/* The longest unit that the specification allows (2.3.4), in femtoseconds. */
#define PERIOD_MOST 100000000u

typedef struct
{
  Sample sample;
  char *registers;
  uint64_t upper; /* what the lower half has carried over */
  uint32_t last;
} Hpet;

static int
hpet_probe (const OvHost *host, char *why, size_t why_size)
{
  return event_timer_probe (host, why, why_size);
}

static void
hpet_release (void *state)
{
  Hpet *self = state;

  if (self->registers != NULL)
    event_timer_unmap (self->registers);
  free (self);
}

static int
hpet_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Hpet *self = calloc (1, sizeof *self);
  char *registers = NULL;
  uint32_t period;
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = event_timer_map (host, &registers);
  if (error != 0)
    {
      free (self);
      return error;
    }
  self->registers = registers;
  period = event_timer_read (registers, EVENT_TIMER_PERIOD);
  if (period == 0 || period > PERIOD_MOST)
    {
      host->explain (host, UINT64_MAX, OV_TR ("The event timer does not say how fast it counts."));
      hpet_release (self);
      return -ENOTSUP;
    }
  sample_init (&self->sample, host, task, period / 1e6);
  *state = self;
  return 0;
}

/* The lower half starts again after minutes; the upper one may be missing. */
static inline uint64_t
look (Sample *sample)
{
  Hpet *self = (Hpet *)sample;
  const uint32_t now = event_timer_read (self->registers, EVENT_TIMER_COUNTER);

  if (now < self->last)
    self->upper += (uint64_t)1 << 32;
  self->last = now;
  return self->upper + now;
}

static int
hpet_run (void *state)
{
  Hpet *self = state;

  return sample_loop (&self->sample, look);
}

const OvStrategy sample_hpet = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.hpet",
  .title = OV_TR ("Polling the event timer, mapped"),
  .summary = OV_TR ("Maps the registers of the machine's event timer and reads its counter in a "
                    "loop: one instruction, which waits for the device."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .caps = OV_CAP_PRIVILEGE,
  .probe = hpet_probe,
  .prepare = hpet_prepare,
  .run = hpet_run,
  .release = hpet_release,
  .source = hpet_source,
  .source_end = hpet_source_end,
};
