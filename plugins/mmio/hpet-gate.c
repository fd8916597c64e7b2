/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmio.hpet-gate: the same counter, read by the kernel.
 *
 * Where the event timer is the kernel's clock source, asking the kernel for the time makes it read
 * that very counter.  The system call is made for real, past the vDSO.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "registers.h"

OV_EMBED_SOURCE (gate_source);

#define SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static int
gate_probe (const OvHost *host, char *why, size_t why_size)
{
  FILE *file = fopen (SOURCE, "re");
  char name[32] = "?";

  (void)host;
  if (file != NULL)
    {
      if (fscanf (file, "%31s", name) != 1)
        name[0] = '\0';
      fclose (file);
    }
  if (strcmp (name, "hpet") == 0)
    return 0;
  snprintf (why, why_size,
            OV_TR ("The kernel takes the time from \"%s\" here, not from the event timer (boot "
                   "parameter clocksource=hpet)."),
            name);
  return -ENOTSUP;
}

static void
gate_release (void *state)
{
  Registers *self = state;

  free (self->ring);
  free (self);
}

static int
gate_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Registers *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = registers_init (self, host, task);
  if (error != 0)
    {
      gate_release (self);
      return error;
    }
  self->counts = true;
  *state = self;
  return 0;
}

static inline uint64_t
read_clock (const Registers *self)
{
#ifdef SYS_clock_gettime
  struct timespec now = { 0, 0 };

  (void)self;
  syscall (SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#else
  (void)self;
  return 0;
#endif
}

static int
gate_run (void *state)
{
  return registers_loop (state, read_clock);
}

static int
gate_verify (void *state)
{
  return registers_verify (state, UINT64_MAX);
}

const OvStrategy mmio_hpet_gate = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "mmio.hpet-gate",
  .title = OV_TR ("Event timer, through the kernel"),
  .summary
  = OV_TR ("Asks the kernel for the time where it takes it from the machine's event timer: "
           "the same counter, with the gate on top."),
  .family = "mmio",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .probe = gate_probe,
  .prepare = gate_prepare,
  .run = gate_run,
  .release = gate_release,
  .source = gate_source,
  .source_end = gate_source_end,
  .verify = gate_verify,
};
