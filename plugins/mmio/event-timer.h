/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers of the machine's event timer, for the strategies that map them: for reading alone.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "overlap-strategy.h"

#define EVENT_TIMER       "/dev/hpet"
#define EVENT_TIMER_BYTES 4096u
/** Offsets in it: IA-PC HPET specification, 2.3.4 (upper half: femtoseconds of a unit) and 2.3.7.
 */
#define EVENT_TIMER_PERIOD  0x04u
#define EVENT_TIMER_COUNTER 0xf0u

/** Maps the registers: 0, or -errno; -ENOTSUP: the device is there, and the kernel keeps it from
 *  being mapped. */
static inline int
event_timer_map (const OvHost *host, char **registers)
{
  const int fd = ov_device (host, EVENT_TIMER, O_RDONLY);
  void *memory;

  if (fd < 0)
    return fd;
  memory = mmap (NULL, EVENT_TIMER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
  close (fd);
  *registers = memory;
  return memory != MAP_FAILED ? 0 : -ENOTSUP;
}

static inline void
event_timer_unmap (char *registers)
{
  munmap (registers, EVENT_TIMER_BYTES);
}

/** One of the registers, as it is now. */
static inline uint32_t
event_timer_read (const char *registers, unsigned offset)
{
  return *(const volatile uint32_t *)(const void *)(registers + offset);
}

/** Can they be mapped?  0, or -errno with the cause. */
static inline int
event_timer_probe (const OvHost *host, char *why, size_t why_size)
{
  char *registers;
  const int error = event_timer_map (host, &registers);

  if (error == 0)
    event_timer_unmap (registers);
  else if (error == -EACCES || error == -EPERM)
    snprintf (why, why_size,
              OV_TR ("Only root may open %s: \"sudo overlap-cli\" does, and gives up everything "
                     "else."),
              EVENT_TIMER);
  else if (error == -EBUSY)
    snprintf (why, why_size, OV_TR ("%s is in use by another program."), EVENT_TIMER);
  else if (error == -ENOTSUP)
    snprintf (why, why_size,
              OV_TR ("The kernel does not let %s be mapped; the boot parameter hpet_mmap=1 lifts "
                     "that."),
              EVENT_TIMER);
  else
    snprintf (why, why_size, OV_TR ("This machine has no event timer (%s)."), EVENT_TIMER);
  return error;
}
