// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The clocks that measure, and the cheap stamp for each request.
 *
 * All times are whole nanoseconds. No function here reads the wall clock, so no result jumps when
 * the date is set. A stamp (ov_stamp()) has no unit of its own: it means something only together
 * with the OvTsc that was begun before it was taken and ended after it.
 */
#pragma once

#include <time.h>

#include <glib.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

G_BEGIN_DECLS

/* CLOCK_MONOTONIC: stands still while the machine sleeps. */
gint64 ov_clock_now_ns (void);

/* How long the machine has slept since it was started: CLOCK_BOOTTIME, which goes on meanwhile, less
 * CLOCK_MONOTONIC. The two are read closely together, or the processor's being given to another
 * program in between would look like a sleep: of 20 tries the closest, or the first within 10 µs. */
gint64 ov_clock_asleep_ns (void);

/* CPU time of the calling process, all its threads (user and system together). Exact for the
 * calling thread; another running thread is counted up to its last switch or tick. */
gint64 ov_clock_process_cpu_ns (void);

/* What one reading of `clock` costs now: the smallest mean of several batches, so that a batch that
 * was interrupted does not count. At least 1. -1 if the clock does not exist. Takes about 1 ms. */
gint64 ov_clock_cost_ns (clockid_t clock);

/* Whether the time-stamp counter runs evenly and alike on all processors, by the only signs there
 * are: the kernel keeps time by it, or by a hypervisor's clock that is computed from it and read
 * without a system call. Always FALSE where there is no such counter. Reads two files and takes
 * about a millisecond. */
gboolean ov_tsc_usable (void);

/*
 * The relation of stamps and nanoseconds during one run: a pair (stamp, CLOCK_MONOTONIC) at each
 * end. A plain struct that can live in shared memory.
 *
 * Each pair is the tightest of several tries (clock, stamp, clock); the stamp lies within
 * `uncertainty_…_ns` of the middle of its two clock readings. With pairs T apart the rate is wrong
 * by at most (u_begin + u_end) / T, so a stamp between them is wrong by at most u_begin + u_end.
 */
typedef struct
{
  guint64 stamp_begin;
  gint64 clock_begin_ns; /* CLOCK_MONOTONIC */
  guint64 stamp_end;     /* equal to stamp_begin until ov_tsc_end() */
  gint64 clock_end_ns;
  gint64 uncertainty_begin_ns;
  gint64 uncertainty_end_ns;
} OvTsc;

void ov_tsc_begin (OvTsc *tsc);

/* Takes the second pair. May be called again: the later pair replaces the earlier, and a live view
 * may do so on a copy of its own. */
void ov_tsc_end (OvTsc *tsc);

/* Nanoseconds from the begin pair to `stamp`, negative for a stamp before it. Beyond the end pair
 * the rate is extrapolated. 0 while ov_tsc_end() has not been called. */
gint64 ov_tsc_to_ns (const OvTsc *tsc, guint64 stamp);

/* Whether ov_stamp() reads the time-stamp counter. Set by ov_stamp_init() only. */
extern int ov_stamp_is_tsc;

/* Decides once for the process what ov_stamp() reads: the time-stamp counter if ov_tsc_usable(),
 * else CLOCK_MONOTONIC. Call it before the first thread; before it, stamps are CLOCK_MONOTONIC.
 * Returns whether it is the counter. */
gboolean ov_stamp_init (void);

/* The cheapest time there is, for each request. Not serialising: instructions around it may move
 * by some tens of cycles. */
static inline guint64
ov_stamp (void)
{
  struct timespec t;
#if defined(__x86_64__) || defined(__i386__)
  if (G_LIKELY (ov_stamp_is_tsc))
    return __rdtsc ();
#endif
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (guint64)t.tv_sec * 1000000000u + (guint64)t.tv_nsec;
}

G_END_DECLS
