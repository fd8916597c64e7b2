/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A strategy to be spoiled: each faulty module includes this and breaks one thing.
 */
#pragma once

#include <stdlib.h>

#include "overlap-strategy.h"

typedef struct
{
  const OvHost *host;
  const OvTask *task;
} Faulty;

static inline int
faulty_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Faulty *self = malloc (sizeof *self);

  self->host = host;
  self->task = task;
  *state = self;
  return 0;
}

/** Claims to have used every byte and to have found no letter. */
static inline int
faulty_run (void *state)
{
  Faulty *self = state;

  ov_counted (self->host, self->task->length, 0);
  return 0;
}

static inline void
faulty_release (void *state)
{
  free (state);
}

#define FAULTY(...)                                                                                \
  static const OvStrategy faulty = { .size = sizeof (OvStrategy),                                  \
                                     .abi = OV_STRATEGY_ABI,                                       \
                                     .title = "Faulty",                                            \
                                     .summary = "Wrong on purpose.",                               \
                                     .jobs = OV_JOB_COUNT,                                         \
                                     .prepare = faulty_prepare,                                    \
                                     .run = faulty_run,                                            \
                                     .release = faulty_release,                                    \
                                     __VA_ARGS__ };                                                \
  OV_STRATEGIES (&faulty)
