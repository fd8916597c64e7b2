/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.tsc: polls the processor's counter.
 *
 * One instruction is a sample, so the loop looks a hundred million times a second, and what it
 * misses it misses because the system took the processor away.  How many nanoseconds a unit of the
 * counter has is measured against the clock before the run.
 */
#include <stdio.h>
#ifdef __x86_64__
#include <sys/prctl.h>
#endif

#include "tsc.h"

OV_EMBED_SOURCE (tsc_source);

static int
tsc_probe (const OvHost *host, char *why, size_t why_size)
{
  (void)host;
#if defined(__x86_64__)
  int state = PR_TSC_ENABLE;

  if (prctl (PR_GET_TSC, &state) == 0 && state == PR_TSC_SIGSEGV)
    {
      snprintf (why, why_size, "%s",
                OV_TR ("Reading the time-stamp counter is forbidden for this process "
                       "(prctl PR_SET_TSC); start Overlap from a process that may."));
      return -EPERM;
    }
  return 0;
#elif defined(__aarch64__)
  (void)why, (void)why_size;
  return 0;
#else
  snprintf (why, why_size, "%s",
            OV_TR ("This strategy knows the counters of x86 (64 bit) and Arm (64 bit) only."));
  return -ENOTSUP;
#endif
}

static int
tsc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  double unit_ns;
  const int error = tsc_unit (host, &unit_ns);

  return error != 0 ? error : sample_prepare (host, task, unit_ns, state);
}

static inline uint64_t
read_counter (Sample *self)
{
  (void)self;
  return tsc_read ();
}

static int
tsc_run (void *state)
{
  return sample_loop (state, read_counter);
}

static void
tsc_release (void *state)
{
  free (state);
}

const OvStrategy sample_tsc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.tsc",
  .title = OV_TR ("Polling the time-stamp counter"),
  .summary = OV_TR ("Reads the processor's counter in a loop and takes the reading that is due: a "
                    "sample is one instruction."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .probe = tsc_probe,
  .prepare = tsc_prepare,
  .run = tsc_run,
  .release = tsc_release,
  .source = tsc_source,
  .source_end = tsc_source_end,
};
