/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <unistd.h>

#include "faulty.h"

/* Looks at no flag and cannot be woken. */
static int
run (void *state)
{
  Faulty *self = state;

  ov_counted (self->host, 4096, 5);
  while (pause () == -1)
    continue;
  return 0;
}

FAULTY (.id = "hang-run.x", .family = "hang-run", .run = run);
