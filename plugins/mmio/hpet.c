/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mmio.hpet: the event timer's counter, read from the device itself.
 *
 * The registers of the high precision event timer are mapped into the process, for reading; after
 * that a reading is one load instruction, which goes out to the device, without the kernel.
 */
#include "event-timer.h"
#include "registers.h"

OV_EMBED_SOURCE (hpet_source);

typedef struct
{
  Registers common;
  char *registers;
} Hpet;

static int
hpet_probe (const OvHost *host, char *why, size_t why_size)
{
  return event_timer_probe (host, why, why_size);
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

/* Its lower half: the upper one may be missing. */
static inline uint64_t
read_counter (const Registers *common)
{
  return event_timer_read (((const Hpet *)common)->registers, EVENT_TIMER_COUNTER);
}

static int
hpet_run (void *state)
{
  Hpet *self = state;
  int result = event_timer_map (self->common.host, &self->registers);

  if (result != 0)
    return result;
  result = registers_loop (&self->common, read_counter);
  event_timer_unmap (self->registers);
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
