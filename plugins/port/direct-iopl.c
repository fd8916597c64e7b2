/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * port.direct-iopl: as port.direct, but every port is opened.
 *
 * iopl(2) at level 3 opens all ports to this thread: the older and coarser way.  Nothing but the
 * one port is touched.  Since Linux 5.5 it leaves interrupts to the kernel, and costs no more than
 * ioperm().
 */
#include <errno.h>
#include <stdlib.h>

#include "access.h"

OV_EMBED_SOURCE (iopl_source);

/* Gives this thread the privilege, or takes it back. */
static int
grant (const Port *self, bool give)
{
#if PORT_HERE
  return iopl (give ? 3 : 0) == 0 ? 0 : -errno;
#else
  (void)self;
  (void)give;
  return -ENOSYS;
#endif
}

static int
iopl_probe (const OvHost *host, char *why, size_t why_size)
{
  const Port any = { .port = PORT_DIAGNOSTIC, .width = 1 };
  int error;

  (void)host;
  if (!PORT_HERE)
    {
      snprintf (why, why_size, OV_TR ("Only processors of the x86 family have ports."));
      return -ENOSYS;
    }
  error = grant (&any, true);
  if (error != 0)
    return port_explain (error, "iopl()", why, why_size);
  return grant (&any, false);
}

static void
iopl_release (void *state)
{
  port_clear (state);
  free (state);
}

static int
iopl_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Port *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = port_init (self, host, task);
  if (error != 0)
    {
      iopl_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
iopl_run (void *state)
{
  Port *self = state;
  int error = grant (self, true);
  int result;

  if (error != 0)
    return error;
  result = port_access (self);
  error = grant (self, false);
  return result != 0 ? result : error;
}

static int
iopl_verify (void *state)
{
  return port_prove (state, grant);
}

const OvStrategy port_iopl = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "port.direct-iopl",
  .title = OV_TR ("Direct, all ports opened"),
  .summary = OV_TR ("Asks the kernel once to open every port to the thread (iopl), reaches the one "
                    "with the processor's own instruction, and gives the privilege back."),
  .family = "port",
  .article = "3.3",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = iopl_probe,
  .prepare = iopl_prepare,
  .run = iopl_run,
  .release = iopl_release,
  .source = iopl_source,
  .source_end = iopl_source_end,
  .verify = iopl_verify,
};
