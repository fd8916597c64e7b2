/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.syscall: polls through the gate.
 *
 * Each look is a system call.  The highest rate is the number of calls that fit into a second: what
 * the article's gate did to sampling.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "sample.h"

OV_EMBED_SOURCE (syscall_source);

#ifdef SYS_clock_gettime
#define GETTIME SYS_clock_gettime
typedef struct timespec Time;
#else
#define GETTIME SYS_clock_gettime64
typedef struct
{
  int64_t tv_sec;
  int64_t tv_nsec;
} Time;
#endif

static inline uint64_t
read_clock (Sample *self)
{
  Time now;

  (void)self;
  syscall (GETTIME, CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int
syscall_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return sample_prepare (host, task, 1, state);
}

static int
syscall_run (void *state)
{
  return sample_loop (state, read_clock);
}

static void
syscall_release (void *state)
{
  free (state);
}

const OvStrategy sample_syscall = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.syscall",
  .title = OV_TR ("Polling by system calls"),
  .summary = OV_TR ("Reads the clock by a system call in a loop: the gate into the kernel decides "
                    "how often it can look."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .prepare = syscall_prepare,
  .run = syscall_run,
  .release = syscall_release,
  .source = syscall_source,
  .source_end = syscall_source_end,
};
