/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

/* Ends with one event that it neither delivered nor missed. */
static int
run (void *state)
{
  Faulty *self = state;

  ov_event (self->host, 0, 1000);
  ov_missed (self->host, self->task->requests - 2);
  return 0;
}

FAULTY (.id = "lost-ticks.x", .family = "lost-ticks", .jobs = OV_JOB_TICKS, .run = run);
