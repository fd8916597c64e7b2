/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two strategies that reach no hardware: port.asks works for one user only, whom the tests drop to,
 * as if that were what privilege gives; port.free works for everybody.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define NOBODY 65534

typedef struct
{
  const OvHost *host;
  const OvTask *task;
} Asks;

static int
asks_probe (const OvHost *host, char *why, size_t why_size)
{
  (void)host;
  if (getuid () == NOBODY && access ("/proc/self/clear_refs", W_OK) != 0)
    return 0;
  snprintf (why, why_size, "It wants privilege");
  return -EPERM;
}

static int
asks_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Asks *self = malloc (sizeof *self);
  char text[16];

  if (self == NULL)
    return -ENOMEM;
  *self = (Asks){ host, task };
  snprintf (text, sizeof text, "%u", (unsigned)getuid ());
  host->effective (host, "user", text);
  *state = self;
  return 0;
}

static int
asks_run (void *state)
{
  const Asks *self = state;

  ov_accessed (self->host, self->task->requests);
  return 0;
}

static void
asks_release (void *state)
{
  free (state);
}

#define COMMON                                                                                     \
  .size = sizeof (OvStrategy), .abi = OV_STRATEGY_ABI, .summary = "For tests.", .family = "port",  \
  .jobs = OV_JOB_PORT, .prepare = asks_prepare, .run = asks_run, .release = asks_release

static const OvStrategy port_asks
    = { COMMON, .id = "port.asks", .title = "Asks", .caps = OV_CAP_PRIVILEGE, .probe = asks_probe };
static const OvStrategy port_free = { COMMON, .id = "port.free", .title = "Free" };

OV_STRATEGIES (&port_asks, &port_free);
