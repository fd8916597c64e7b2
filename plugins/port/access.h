/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the strategies that reach a port with the processor's own instruction.
 */
#pragma once

#include "port.h"

#if PORT_HERE

#include <sys/io.h>

/** `requests` accesses by `in` or `out`; width and direction are looked at outside of the loop. */
static inline int
port_access (Port *self)
{
  const uint64_t requests = self->task->requests;
  const unsigned short port = (unsigned short)self->port;
  const bool writes = self->task->access == OV_ACCESS_WRITE;

  for (uint64_t done = 0; done < requests;)
    {
      const uint32_t n = requests - done < PORT_BATCH ? (uint32_t)(requests - done) : PORT_BATCH;
      uint32_t sum = 0;

      if (ov_stopped (self->host))
        return -ECANCELED;
      if (writes)
        for (uint32_t i = 0; i < n; i++)
          outb ((unsigned char)self->value, port);
      else if (self->width == 1)
        for (uint32_t i = 0; i < n; i++)
          sum += inb (port);
      else
        for (uint32_t i = 0; i < n; i++)
          sum += inw (port);
      self->sum += sum;
      done += n;
      ov_accessed (self->host, n);
    }
  return 0;
}

#else

static inline int
port_access (Port *self)
{
  (void)self;
  return -ENOSYS;
}

#endif
