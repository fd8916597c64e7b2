/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.vdso: the kernel's clock without going to the kernel.
 *
 * clock_gettime() of the C library calls code that the kernel maps into every process (the vDSO).
 * It reads the processor's counter and computes the time with figures that the kernel keeps up to
 * date in a page that is mapped too.  Where the clock source is a device, such as the HPET, the
 * same call goes into the kernel after all, and the figures show it.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "counter.h"

OV_EMBED_SOURCE (vdso_source);

static inline uint64_t
read_clock (const Counter *self)
{
  struct timespec now;

  (void)self;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What the time is computed from: "tsc", "kvm-clock", "hpet". */
static void
tell_source (const OvHost *host)
{
  FILE *file = fopen ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
  char name[64] = "";

  if (file == NULL)
    return;
  if (fgets (name, sizeof name, file) != NULL)
    {
      name[strcspn (name, "\n")] = '\0';
      host->effective (host, "clock-source", name);
    }
  fclose (file);
}

static void
vdso_release (void *state)
{
  Counter *self = state;

  free (self->ring);
  free (self);
}

static int
vdso_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Counter *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = counter_init (self, host, task);
  if (error != 0)
    {
      vdso_release (self);
      return error;
    }
  tell_source (host);
  *state = self;
  return 0;
}

static int
vdso_run (void *state)
{
  return counter_loop (state, read_clock);
}

static int
vdso_verify (void *state)
{
  return counter_verify (state);
}

const OvStrategy counter_vdso = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.vdso",
  .title = OV_TR ("Clock by the vDSO"),
  .summary = OV_TR ("Asks the C library for the time, which the kernel lets every process compute "
                    "from the counter by itself: a function call, and no change to the kernel."),
  .family = "counter",
  .article = "3.4",
  .jobs = OV_JOB_PORT,
  .prepare = vdso_prepare,
  .run = vdso_run,
  .release = vdso_release,
  .source = vdso_source,
  .source_end = vdso_source_end,
  .verify = vdso_verify,
};
