/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  ov_submitted (self->host, 0, 0, 4096);
  return faulty_run (self);
}

FAULTY (.id = "leaves-requests.x", .family = "leaves-requests", .run = run);
