/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the counters share: the loop around the reading, and the proof that what was read is a
 * clock.
 *
 * The loop keeps the last readings in a ring that fits into the first-level cache: a store for each
 * access, which keeps the compiler from leaving the reading out, and costs nothing beside it.  Once
 * in a ring's length it looks whether the clock went on; the readings of the last ring are looked
 * at one by one after the run.
 */
#pragma once

#include <stdlib.h>

#include "overlap-strategy.h"

/** Readings between two looks at the flag, and two reports. */
#define COUNTER_RING 2048u

/** Begins every counter's state. */
typedef struct
{
  const OvHost *host;
  const OvTask *task;
  uint64_t *ring;
  uint64_t last;  /**< reading of the ring before */
  uint64_t back;  /**< how often a ring began before the end of the one before it */
  uint64_t slack; /**< units by which a reading may lie before its neighbour */
  uint32_t used;  /**< readings in the ring */
} Counter;

/** What every counter refuses, and its ring.  0, or -errno with the cause explained. */
static inline int
counter_init (Counter *self, const OvHost *host, const OvTask *task)
{
  self->host = host;
  self->task = task;
  if (task->access != OV_ACCESS_READ)
    {
      host->explain (host, UINT64_MAX, OV_TR ("A counter can only be read."));
      return -ENOTSUP;
    }
  self->ring = calloc (COUNTER_RING, sizeof *self->ring);
  return self->ring != NULL ? 0 : -ENOMEM;
}

/** `requests` readings.  `read_counter` is inlined, so that nothing but the access is in the loop.
 */
static inline __attribute__ ((always_inline)) int
counter_loop (Counter *self, uint64_t (*read_counter) (const Counter *))
{
  const uint64_t requests = self->task->requests;
  uint64_t *const ring = self->ring;
  uint64_t done = 0;

  self->last = 0;
  while (done < requests)
    {
      const uint32_t n
          = requests - done < COUNTER_RING ? (uint32_t)(requests - done) : COUNTER_RING;

      if (ov_stopped (self->host))
        return -ECANCELED;
      for (uint32_t i = 0; i < n; i++)
        ring[i] = read_counter (self);
      self->back += ring[0] + self->slack < self->last;
      self->last = ring[n - 1];
      self->used = n;
      done += n;
      ov_accessed (self->host, n);
    }
  return 0;
}

/** A clock never goes back. */
static inline int
counter_verify (Counter *self)
{
  uint64_t back = self->back;

  for (uint32_t i = 1; i < self->used; i++)
    back += self->ring[i] + self->slack < self->ring[i - 1];
  if (back == 0 && (self->used < 2 || self->ring[self->used - 1] >= self->ring[0]))
    return 0;
  self->host->explain (self->host, UINT64_MAX, OV_TR ("The counter went back."));
  return -EPROTO;
}
