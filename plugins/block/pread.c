/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.pread and block.pread-direct: one call for each block.
 *
 * Each call says everything anew: which file, where, how much, into which memory.  The kernel looks
 * the file up, checks the range and the right to read, and, where the page cache is bypassed, finds
 * and pins the pages of the buffer, maps them for the device, and lets them go again.  Nothing is
 * remembered until the next call.
 */
#include "blocks.h"

OV_EMBED_SOURCE (pread_source);

static int
pread_run (void *state)
{
  Blocks *self = state;
  const OvTask *task = self->task;
  OvPositions positions;
  int result = blocks_open (self);

  if (result < 0)
    return result;
  ov_positions_init (&positions, task);
  for (uint64_t i = 0; i < task->requests && result == 0; i++)
    {
      result = blocks_read (self, ov_position (&positions), 0);
      if (result == 0)
        ov_consume (self->host, 0, self->buffer, task->block);
    }
  close (self->fd);
  return result;
}

const OvStrategy block_pread = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.pread",
  .title = OV_TR ("pread() from the page cache"),
  .summary = OV_TR ("One call for each block, answered from the page cache: the kernel checks "
                    "everything on each call and copies the bytes; hard to beat for small blocks "
                    "that are in memory already."),
  .family = "block",
  .article = "5.1",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_POSITIONS,
  .prepare = blocks_prepare,
  .run = pread_run,
  .release = free,
  .source = pread_source,
  .source_end = pread_source_end,
};

const OvStrategy block_pread_direct = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.pread-direct",
  .title = OV_TR ("pread() around the page cache"),
  .summary = OV_TR ("One call for each block with O_DIRECT: for each of them the kernel pins the "
                    "pages of the buffer, asks the device, sleeps, and lets the pages go, as the "
                    "article's $QIOW did."),
  .family = "block",
  .article = "5.1",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DIRECT | OV_CAP_DIRECT_ONLY | OV_CAP_POSITIONS,
  .prepare = blocks_prepare,
  .run = pread_run,
  .release = free,
  .source = pread_source,
  .source_end = pread_source_end,
};
