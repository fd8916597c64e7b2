/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor's counter as a clock: how it is read, and how long a unit of it is.
 */
#pragma once

#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "sample.h"

#if defined(__x86_64__)

static inline uint64_t
tsc_read (void)
{
  return __rdtsc ();
}

#elif defined(__aarch64__)

static inline uint64_t
tsc_read (void)
{
  uint64_t value;

  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
}

#else

static inline uint64_t
tsc_read (void)
{
  return 0;
}

#endif

/** Nanoseconds of one unit of the counter, measured over 20 ms: 0, or -errno with the cause
 *  explained. */
static inline int
tsc_unit (const OvHost *host, double *unit_ns)
{
  const uint64_t clock = sample_clock_ns ();
  const uint64_t counter = tsc_read ();
  uint64_t ns, units;

  do
    ns = sample_clock_ns () - clock;
  while (ns < 20000000u);
  units = tsc_read () - counter;
  *unit_ns = units > 0 ? (double)ns / (double)units : 0;
  if (*unit_ns > 0 && *unit_ns <= 1000)
    return 0;
  host->explain (host, UINT64_MAX, OV_TR ("The counter stands still, or is too slow."));
  return -ENOTSUP;
}
