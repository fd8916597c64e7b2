/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.port: polls a port, without the kernel.
 *
 * The article's way: the port is opened to this thread (ioperm), then a look is one `in`, and the
 * processor's counter tells when it was.  That the port is closed again is proved after every run.
 * The bus decides how often a port can be looked at: an access takes about a microsecond, as it did
 * then.
 */
#include <errno.h>
#include <stdlib.h>

#include "../port/port.h"
#include "tsc.h"

#if PORT_HERE
#include <sys/io.h>
#endif

OV_EMBED_SOURCE (port_source);

typedef struct
{
  Sample sample;
  Port port;
} PortSample;

/* Gives this thread the privilege, or takes it back. */
static int
grant (const Port *port, bool give)
{
#if PORT_HERE
  return ioperm (port->port, port->width, give) == 0 ? 0 : -errno;
#else
  (void)port;
  (void)give;
  return -ENOSYS;
#endif
}

static int
port_probe (const OvHost *host, char *why, size_t why_size)
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
port_release (void *state)
{
  PortSample *self = state;

  port_clear (&self->port);
  free (self);
}

static int
port_prepare (const OvHost *host, const OvTask *task, void **state)
{
  PortSample *self = calloc (1, sizeof *self);
  double unit_ns;
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->port.claimed = -1;
  error = tsc_unit (host, &unit_ns);
  if (error == 0)
    {
      sample_init (&self->sample, host, task, unit_ns);
      error = port_init_reading (&self->port, host, task);
    }
  if (error != 0)
    {
      port_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static inline uint64_t
look (Sample *sample)
{
#if PORT_HERE
  Port *port = &((PortSample *)sample)->port;

  port->sum += inb ((unsigned short)port->port);
#endif
  return tsc_read ();
}

static int
port_run (void *state)
{
  PortSample *self = state;
  int error = grant (&self->port, true);
  int result;

  if (error != 0)
    return error;
  result = sample_loop (&self->sample, look);
  error = grant (&self->port, false);
  return result != 0 ? result : error;
}

static int
port_verify (void *state)
{
  PortSample *self = state;

  return port_prove (&self->port, grant);
}

const OvStrategy sample_port = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.port",
  .title = OV_TR ("Polling a port"),
  .summary = OV_TR ("Opens one port to the thread and reads it in a loop with the processor's own "
                    "instruction, as the article's program did."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .caps = OV_CAP_PRIVILEGE,
  .probe = port_probe,
  .prepare = port_prepare,
  .run = port_run,
  .release = port_release,
  .source = port_source,
  .source_end = port_source_end,
  .verify = port_verify,
};
