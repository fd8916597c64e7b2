/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  /* What a careless module does; it must not reach the protocol. */
  puts ("{\"event\":\"result\",\"run\":null}");
  fflush (stdout);
  fprintf (stderr, "a word on standard error\n");
  return faulty_run (self);
}

FAULTY (.id = "prints.x", .family = "prints", .run = run);
