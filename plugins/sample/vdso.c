/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample.vdso: polls the clock that the program computes by itself.
 *
 * A sample is a function call of some twenty nanoseconds, so that a moment is met within that.
 */
#include "sample.h"

OV_EMBED_SOURCE (vdso_source);

static int
vdso_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return sample_prepare (host, task, 1, state);
}

static inline uint64_t
read_clock (Sample *self)
{
  (void)self;
  return sample_clock_ns ();
}

static int
vdso_run (void *state)
{
  return sample_loop (state, read_clock);
}

static void
vdso_release (void *state)
{
  free (state);
}

const OvStrategy sample_vdso = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "sample.vdso",
  .title = OV_TR ("Polling the clock by the vDSO"),
  .summary = OV_TR ("Reads the clock of the C library in a loop: each look is a function call, "
                    "without the kernel."),
  .family = "sample",
  .article = "3.6",
  .jobs = OV_JOB_SAMPLES,
  .prepare = vdso_prepare,
  .run = vdso_run,
  .release = vdso_release,
  .source = vdso_source,
  .source_end = vdso_source_end,
};
