/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.direct: pwrite() and pread() of the caller's own memory; nothing is copied in the program.
 */
#include "copy.h"

OV_EMBED_SOURCE (direct_source);

static int
direct_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return copy_pwrite (self, data, bytes, offset);
}

static int
direct_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return copy_new (host, task, false, (Copy **)state);
}

static int
direct_run (void *state)
{
  const int error = copy_open (state, 0);

  return error != 0 ? error : copy_both (state, direct_write, copy_pread);
}

const OvStrategy strategy_direct = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.direct",
  .title = OV_TR ("From the caller's memory"),
  .summary = OV_TR ("The system takes the bytes from the caller's memory and puts them there: one "
                    "copy, the kernel's own."),
  .family = "copy",
  .article = "4.1",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = direct_prepare,
  .run = direct_run,
  .release = copy_free,
  .source = direct_source,
  .source_end = direct_source_end,
};
