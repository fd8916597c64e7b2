/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.syscall: the same clock, through the gate.
 *
 * The system call clock_gettime is made for real, past the vDSO: the processor changes to the
 * kernel, which reads the same counter, and back.  The difference to counter.vdso is what the gate
 * costs.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

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
read_clock (const Counter *self)
{
  Time now;

  (void)self;
  syscall (GETTIME, CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
syscall_release (void *state)
{
  Counter *self = state;

  free (self->ring);
  free (self);
}

static int
syscall_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Counter *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = counter_init (self, host, task);
  if (error != 0)
    {
      syscall_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
syscall_run (void *state)
{
  return counter_loop (state, read_clock);
}

static int
syscall_verify (void *state)
{
  return counter_verify (state);
}

const OvStrategy counter_syscall = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.syscall",
  .title = OV_TR ("Clock by a system call"),
  .summary = OV_TR ("Reads the same clock by a real system call: the processor goes into the "
                    "kernel and back for every reading."),
  .family = "counter",
  .article = "3.2, 3.4",
  .jobs = OV_JOB_PORT,
  .prepare = syscall_prepare,
  .run = syscall_run,
  .release = syscall_release,
  .source = syscall_source,
  .source_end = syscall_source_end,
  .verify = syscall_verify,
};
