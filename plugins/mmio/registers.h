/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies for registers in memory share: the loop, and the proof that what was read
 * is a register.
 *
 * The last readings are kept in a ring, which keeps the compiler from leaving the reading out and
 * is looked at after the run.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "overlap-strategy.h"

/** Readings between two looks at the flag, and two reports. */
#define REGISTER_RING 1024u

/** Begins every state. */
typedef struct
{
  const OvHost *host;
  const OvTask *task;
  uint64_t *ring;
  uint32_t used; /**< readings in the ring */
  bool counts;   /**< the register is a counter, else it never changes */
} Registers;

/** What each of them refuses, and the ring.  0, or -errno with the cause explained. */
static inline int
registers_init (Registers *self, const OvHost *host, const OvTask *task)
{
  self->host = host;
  self->task = task;
  if (task->access != OV_ACCESS_READ || task->address != 0)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("Registers in memory are only read, and only the strategy's own."));
      return -EPERM;
    }
  self->ring = calloc (REGISTER_RING, sizeof *self->ring);
  return self->ring != NULL ? 0 : -ENOMEM;
}

/** `requests` readings.  `read_register` is inlined, so that nothing but the access is in the loop.
 */
static inline __attribute__ ((always_inline)) int
registers_loop (Registers *self, uint64_t (*read_register) (const Registers *))
{
  const uint64_t requests = self->task->requests;

  for (uint64_t done = 0; done < requests;)
    {
      const uint32_t n
          = requests - done < REGISTER_RING ? (uint32_t)(requests - done) : REGISTER_RING;

      if (ov_stopped (self->host))
        return -ECANCELED;
      for (uint32_t i = 0; i < n; i++)
        self->ring[i] = read_register (self);
      self->used = n;
      done += n;
      ov_accessed (self->host, n);
    }
  return 0;
}

/** A counter goes on and never back; another register stays as it is, and is not all ones, which is
 *  what is read where no device answers. */
static inline int
registers_verify (const Registers *self, uint64_t nobody)
{
  const char *fault = NULL;

  for (uint32_t i = 0; i < self->used && fault == NULL; i++)
    {
      const uint64_t before = i > 0 ? self->ring[i - 1] : self->ring[0];

      if (self->ring[i] == nobody)
        fault = OV_TR ("No device answered.");
      else if (self->counts ? self->ring[i] < before : self->ring[i] != before)
        fault = self->counts ? OV_TR ("The counter went back.") : OV_TR ("The register changed.");
    }
  if (fault == NULL && self->counts && self->used > 1
      && self->ring[self->used - 1] == self->ring[0])
    fault = OV_TR ("The counter does not count.");
  if (fault == NULL)
    return 0;
  self->host->explain (self->host, UINT64_MAX, fault);
  return -EPROTO;
}
