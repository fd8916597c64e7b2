/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  return 77;
}

FAULTY (.id = "positive.x", .family = "positive", .run = run);
