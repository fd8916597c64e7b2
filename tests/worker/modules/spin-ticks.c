/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

/* Waits for its next event in a loop that looks at nothing. */
static int
run (void *state)
{
  Faulty *self = state;
  volatile unsigned long spins = 0;

  ov_event (self->host, 0, 1000);
  for (;;)
    spins++;
  return 0;
}

FAULTY (.id = "spin-ticks.x", .family = "spin-ticks", .jobs = OV_JOB_TICKS, .run = run);
