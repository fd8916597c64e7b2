/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  ov_counted (self->host, 4096, 5);
  abort ();
}

FAULTY (.id = "crash-run.x", .family = "crash-run", .run = run);
