/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  ov_submitted (self->host, 100000, 0, 4096);
  ov_completed (self->host, 100000, 4096);
  return faulty_run (self);
}

FAULTY (.id = "wild-slot.x", .family = "wild-slot", .run = run);
