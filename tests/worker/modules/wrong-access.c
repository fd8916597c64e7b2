/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static int
run (void *state)
{
  Faulty *self = state;

  ov_accessed (self->host, self->task->requests);
  return 0;
}

/* Says itself that what it read cannot be. */
static int
verify (void *state)
{
  Faulty *self = state;

  self->host->explain (self->host, UINT64_MAX, "The register is on fire.");
  return -EPROTO;
}

FAULTY (.id = "wrong-access.x", .family = "wrong-access", .jobs = OV_JOB_PORT, .run = run,
        .verify = verify);
