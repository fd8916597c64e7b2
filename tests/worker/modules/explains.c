/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  self->host->explain (self->host, 8192, "The block at 8192 cannot be read");
  return -EIO;
}

FAULTY (.id = "explains.x", .family = "explains", .run = run);
