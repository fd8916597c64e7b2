/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.port-gate: polls a port through the kernel.
 *
 * Each look is a pread() of /dev/port, in which the kernel does the one instruction; the
 * processor's counter tells when it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../port/port.h"
#include "tsc.h"

OV_EMBED_SOURCE (port_gate_source);

#define GATE "/dev/port"

typedef struct
{
  Sample sample;
  Port port;
  int fd;
  int error; /* of the first look that failed */
} GateSample;

static int
port_gate_probe (const OvHost *host, char *why, size_t why_size)
{
  const int fd = ov_device (host, GATE, O_RDONLY);

  if (fd < 0)
    return port_explain (fd, GATE, why, why_size);
  close (fd);
  return 0;
}

static void
port_gate_release (void *state)
{
  GateSample *self = state;

  port_clear (&self->port);
  free (self);
}

static int
port_gate_prepare (const OvHost *host, const OvTask *task, void **state)
{
  GateSample *self = calloc (1, sizeof *self);
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
      port_gate_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static inline uint64_t
look (Sample *sample)
{
  GateSample *self = (GateSample *)sample;
  unsigned char value = 0;

  if (pread (self->fd, &value, sizeof value, self->port.port) != sizeof value && self->error == 0)
    self->error = errno != 0 ? -errno : -EIO;
  self->port.sum += value;
  return tsc_read ();
}

static int
port_gate_run (void *state)
{
  GateSample *self = state;
  int result;

  self->fd = ov_device (self->sample.host, GATE, O_RDONLY);
  if (self->fd < 0)
    return self->fd;
  errno = 0;
  result = sample_loop (&self->sample, look);
  close (self->fd);
  return result != 0 ? result : self->error;
}

const OvStrategy sample_port_gate = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.port-gate",
  .title = OV_TR ("Polling a port through the kernel"),
  .summary = OV_TR ("Has the kernel read the port in a loop, by a pread() of /dev/port for each "
                    "look: what the gate takes from the rate."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .caps = OV_CAP_PRIVILEGE,
  .probe = port_gate_probe,
  .prepare = port_gate_prepare,
  .run = port_gate_run,
  .release = port_gate_release,
  .source = port_gate_source,
  .source_end = port_gate_source_end,
};
