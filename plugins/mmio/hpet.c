/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmio.hpet: the event timer's counter, read from the device itself.
 *
 * The registers of the high precision event timer are mapped into the process, for reading; after
 * that a reading is one load instruction, which goes out to the device, without the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "registers.h"

OV_EMBED_SOURCE (hpet_source);

#define DEVICE  "/dev/hpet"
#define BYTES   4096u
#define COUNTER 0xf0u /* offset of the main counter: IA-PC HPET specification, 2.3.7 */

typedef struct
{
  Registers common;
  const volatile uint32_t *counter; /* its lower half: the upper one may be missing */
} Hpet;

/* The mapped registers, or NULL with errno. */
static void *
map (const OvHost *host)
{
  const int fd = ov_device (host, DEVICE, O_RDONLY);
  void *memory;

  errno = -fd;
  if (fd < 0)
    return NULL;
  memory = mmap (NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
  close (fd);
  return memory != MAP_FAILED ? memory : NULL;
}

static int
hpet_probe (const OvHost *host, char *why, size_t why_size)
{
  void *memory = map (host);
  const int error = errno;

  if (memory != NULL)
    {
      munmap (memory, BYTES);
      return 0;
    }
  if (error == EACCES || error == EPERM)
    snprintf (why, why_size,
              OV_TR ("Only root may map the registers of %s: use \"sudo overlap-cli\"."), DEVICE);
  else if (error == EBUSY)
    snprintf (why, why_size, OV_TR ("%s is in use by another program."), DEVICE);
  else if (error == ENOENT)
    snprintf (why, why_size, OV_TR ("This machine has no event timer (%s)."), DEVICE);
  else
    snprintf (why, why_size,
              OV_TR ("The kernel does not let %s be mapped; the boot parameter hpet_mmap=1 lifts "
                     "that."),
              DEVICE);
  return -error;
}

static void
hpet_release (void *state)
{
  Hpet *self = state;

  free (self->common.ring);
  free (self);
}

static int
hpet_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Hpet *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = registers_init (&self->common, host, task);
  if (error != 0)
    {
      hpet_release (self);
      return error;
    }
  self->common.counts = true;
  *state = self;
  return 0;
}

static inline uint64_t
read_counter (const Registers *common)
{
  return *((const Hpet *)common)->counter;
}

static int
hpet_run (void *state)
{
  Hpet *self = state;
  char *memory = map (self->common.host);
  int result;

  if (memory == NULL)
    return -errno;
  self->counter = (const volatile uint32_t *)(const void *)(memory + COUNTER);
  result = registers_loop (&self->common, read_counter);
  munmap (memory, BYTES);
  return result;
}

static int
hpet_verify (void *state)
{
  Hpet *self = state;
  uint64_t upper = 0;

  /* The lower half starts again after a few minutes. */
  for (uint32_t i = 1; i < self->common.used; i++)
    {
      if ((uint32_t)self->common.ring[i] < (uint32_t)self->common.ring[i - 1]
          && self->common.ring[i - 1] - (upper << 32) > 0xf0000000u)
        upper++;
      self->common.ring[i] += upper << 32;
    }
  return registers_verify (&self->common, UINT64_MAX);
}

const OvStrategy mmio_hpet = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "mmio.hpet",
  .title = OV_TR ("Event timer, mapped"),
  .summary
  = OV_TR ("Maps the registers of the machine's event timer and reads its counter with one "
           "instruction: direct, where the device itself is slow to answer."),
  .family = "mmio",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = hpet_probe,
  .prepare = hpet_prepare,
  .run = hpet_run,
  .release = hpet_release,
  .source = hpet_source,
  .source_end = hpet_source_end,
  .verify = hpet_verify,
};
