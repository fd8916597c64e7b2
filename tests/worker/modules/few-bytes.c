/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  ov_counted (self->host, self->task->length / 2, 0);
  return 0;
}

FAULTY (.id = "few-bytes.x", .family = "few-bytes", .run = run);
