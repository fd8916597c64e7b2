/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies that are woken at a rate share: when each event is due, what became of it,
 * and under which scheduling they wait.
 *
 * Event n (from 1) is due n periods after the start.  Whoever wakes up has got the oldest event
 * that was due and not dealt with; events that became due since then are missed: they never get a
 * wake-up of their own.
 */
#pragma once

#include <stdbool.h>
#include <time.h>

#include "overlap-strategy.h"

/** Places in the option table of all that sleep. */
enum
{
  TICK_OPTION_SCHEDULING,
  TICK_OPTION_SLACK
};

/** Begins every state. */
typedef struct
{
  const OvHost *host;
  const OvTask *task;
  uint64_t period; /**< nanoseconds */
  uint64_t start;  /**< CLOCK_MONOTONIC */
  uint64_t done;   /**< events delivered or missed */
  bool realtime;   /**< scheduling was changed and must be changed back */
} Tick;

extern const OvOption *const tick_options[];

/** Sets scheduling and timer slack as the options say, and tells what they are.  0, or -errno with
 *  the cause explained. */
int tick_enter (Tick *self, const OvHost *host, const OvTask *task);
/** Tells whether real-time scheduling had to be taken back.  At the end of a run. */
void tick_report (const Tick *self);
/** Ordinary scheduling again. */
void tick_leave (Tick *self);

static inline uint64_t
tick_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline struct timespec
tick_timespec (uint64_t ns)
{
  return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u) };
}

/** When the next event is due. */
static inline uint64_t
tick_due (const Tick *self)
{
  return self->start + (self->done + 1) * self->period;
}

/** A wake-up at `now` for the next event, and `merged` further ones with it.  True while more are
 *  to come. */
static inline bool
tick_woken (Tick *self, uint64_t now, uint64_t merged)
{
  const uint64_t due = tick_due (self);
  uint64_t left;

  ov_event (self->host, now > due ? now - due : 0, self->period);
  self->done++;
  left = self->task->requests - self->done;
  if (merged > left)
    merged = left;
  if (merged > 0)
    ov_missed (self->host, merged);
  self->done += merged;
  return self->done < self->task->requests;
}

/** How many events besides the next one are due at `now`. */
static inline uint64_t
tick_merged (const Tick *self, uint64_t now)
{
  const uint64_t due = tick_due (self);

  return now > due ? (now - due) / self->period : 0;
}
