/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Built against a later, longer descriptor: it must work here all the same.
 */
#include "faulty.h"

typedef struct
{
  OvStrategy now;
  void *later[4];
} LongStrategy;

static int
run (void *state)
{
  return faulty_run (state);
}

static const LongStrategy later = { .now = { .size = sizeof (LongStrategy),
                                             .abi = OV_STRATEGY_ABI,
                                             .id = "future-size.x",
                                             .title = "Later",
                                             .summary = "A longer descriptor.",
                                             .family = "future-size",
                                             .jobs = OV_JOB_COUNT,
                                             .prepare = faulty_prepare,
                                             .run = run,
                                             .release = faulty_release } };

OV_STRATEGIES (&later.now);
