/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * port.direct: the port, without the kernel.
 *
 * ioperm(2) opens one port to this thread, for as long as it is in use; then `in` and `out` reach
 * it without a system call.  Giving and taking back are part of what is measured, once each.  That
 * the port is closed again, and was open to no other thread, is proved after every run.
 */
#include <errno.h>
#include <stdlib.h>

#include "access.h"

OV_EMBED_SOURCE (direct_source);

/* Gives this thread the privilege, or takes it back. */
static int
grant (const Port *self, bool give)
{
#if PORT_HERE
  return ioperm (self->port, self->width, give) == 0 ? 0 : -errno;
#else
  (void)self;
  (void)give;
  return -ENOSYS;
#endif
}

static int
direct_probe (const OvHost *host, char *why, size_t why_size)
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
    return port_explain (error, "ioperm()", why, why_size);
  return grant (&any, false);
}

static void
direct_release (void *state)
{
  port_clear (state);
  free (state);
}

static int
direct_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Port *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = port_init (self, host, task);
  if (error != 0)
    {
      direct_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
direct_run (void *state)
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
direct_verify (void *state)
{
  return port_prove (state, grant);
}

const OvStrategy port_direct = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "port.direct",
  .title = OV_TR ("Direct, one port opened"),
  .summary = OV_TR ("Asks the kernel once to open this one port to the thread (ioperm), reaches it "
                    "with the processor's own instruction, and gives the privilege back."),
  .family = "port",
  .article = "3.3",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = direct_probe,
  .prepare = direct_prepare,
  .run = direct_run,
  .release = direct_release,
  .source = direct_source,
  .source_end = direct_source_end,
  .verify = direct_verify,
};
