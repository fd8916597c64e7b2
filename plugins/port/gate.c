/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * port.gate: the kernel reaches the port for us.
 *
 * /dev/port is a file whose offsets are the ports: each pread() or pwrite() of a byte is a call
 * into the kernel, which does the one instruction there.  The difference to port.direct is what the
 * gate costs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "port.h"

OV_EMBED_SOURCE (gate_source);

#define GATE "/dev/port"

static int
gate_probe (const OvHost *host, char *why, size_t why_size)
{
  const int fd = ov_device (host, GATE, O_RDWR);

  if (fd < 0)
    return port_explain (fd, GATE, why, why_size);
  close (fd);
  return 0;
}

static void
gate_release (void *state)
{
  port_clear (state);
  free (state);
}

static int
gate_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Port *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = port_init (self, host, task);
  if (error != 0)
    {
      gate_release (self);
      return error;
    }
  if (self->width > 1)
    host->effective (host, "access", "byte by byte");
  *state = self;
  return 0;
}

/* `n` accesses: 0 or -errno. */
static int
access_some (Port *self, int fd, uint32_t n)
{
  const bool writes = self->task->access == OV_ACCESS_WRITE;
  uint32_t value = self->value;

  for (uint32_t i = 0; i < n; i++)
    {
      const ssize_t got = writes ? pwrite (fd, &value, self->width, self->port)
                                 : pread (fd, &value, self->width, self->port);

      if (got != (ssize_t)self->width)
        return got < 0 ? -errno : -EIO;
      self->sum += value;
    }
  return 0;
}

static int
gate_run (void *state)
{
  Port *self = state;
  const uint64_t requests = self->task->requests;
  const int fd = ov_device (self->host, GATE, O_RDWR);
  int result = 0;

  if (fd < 0)
    return fd;
  for (uint64_t done = 0; done < requests && result == 0;)
    {
      const uint32_t n = requests - done < PORT_BATCH ? (uint32_t)(requests - done) : PORT_BATCH;

      result = ov_stopped (self->host) ? -ECANCELED : access_some (self, fd, n);
      if (result == 0)
        ov_accessed (self->host, n);
      done += n;
    }
  close (fd);
  return result;
}

const OvStrategy port_gate = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "port.gate",
  .title = OV_TR ("Through a gate into the kernel"),
  .summary = OV_TR ("Has the kernel reach the port, by a pread() or pwrite() of /dev/port for each "
                    "access: what the gate costs comes on top of the access."),
  .family = "port",
  .article = "3.2",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = gate_probe,
  .prepare = gate_prepare,
  .run = gate_run,
  .release = gate_release,
  .source = gate_source,
  .source_end = gate_source_end,
};
