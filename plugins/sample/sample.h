/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies that poll share: the loop, and what is a gap.
 *
 * The source is read again and again; the first reading at or after the moment that is due is the
 * sample.  Sample n (from 1) is due n periods after the start.  If further moments have passed by
 * then, no sample was taken for them: a gap.  The loop never sleeps and so never gets real-time
 * priority.  It looks at the flag at every reading.
 */
#pragma once

#include <stdlib.h>
#include <time.h>

#include "overlap-strategy.h"

/** Fraction bits of a moment: ten million samples a second are no whole number of units. */
#define SAMPLE_FRACTION 16

/** Begins every state. */
typedef struct
{
  const OvHost *host;
  const OvTask *task;
  double unit_ns; /**< nanoseconds of one unit of the source */
} Sample;

static inline uint64_t
sample_clock_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** Samples until all have been taken or missed.  `read_source` looks at what is sampled and tells
 *  the time after that, in units; it is inlined. */
static inline __attribute__ ((always_inline)) int
sample_loop (Sample *self, uint64_t (*read_source) (Sample *))
{
  const OvHost *const host = self->host;
  const uint64_t samples = self->task->requests;
  const uint64_t period_ns = (uint64_t)(1e9 / self->task->rate + 0.5);
  const uint64_t period
      = (uint64_t)(1e9 / self->task->rate / self->unit_ns * (1 << SAMPLE_FRACTION) + 0.5);
  const uint64_t scale = (uint64_t)(self->unit_ns * 4294967296.0);
  const uint64_t start = read_source (self);
  uint64_t due = period;
  uint64_t done = 0;

  if (period == 0)
    return -ERANGE;
  while (done < samples)
    {
      const uint64_t moment = due >> SAMPLE_FRACTION;
      uint64_t late;

      do
        {
          if (ov_stopped (host))
            return -ECANCELED;
          late = read_source (self) - start;
        }
      while (late < moment);
      late -= moment;
      ov_event (host, (uint64_t)(((unsigned __int128)late * scale) >> 32), period_ns);
      done++;
      due += period;
      if (late << SAMPLE_FRACTION >= period && done < samples)
        {
          uint64_t missed = (late << SAMPLE_FRACTION) / period;

          if (missed > samples - done)
            missed = samples - done;
          ov_missed (host, missed);
          done += missed;
          due += missed * period;
        }
    }
  return 0;
}

/** Fills the beginning of a state. */
static inline void
sample_init (Sample *self, const OvHost *host, const OvTask *task, double unit_ns)
{
  *self = (Sample){ host, task, unit_ns };
  host->effective (host, "scheduling", "SCHED_OTHER");
}

static inline int
sample_prepare (const OvHost *host, const OvTask *task, double unit_ns, void **state)
{
  Sample *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  sample_init (self, host, task, unit_ns);
  *state = self;
  return 0;
}
