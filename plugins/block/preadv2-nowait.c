/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.preadv2-nowait: take it if it is there, else say so.
 *
 * preadv2(2) with RWF_NOWAIT returns the bytes where they are in the page cache, and EAGAIN where
 * somebody would have to wait for the device.  A server asks so before it gives the request to
 * another thread.  Here the same thread then reads the block with pread(): a request that had to be
 * made twice is counted twice, and the result says that it happened.
 */
#include "blocks.h"

#include <sys/uio.h>

OV_EMBED_SOURCE (preadv2_nowait_source);

/* Reads the block at `position`, without waiting as far as that goes.  Sets `known` to false where
 * the file system does not know the flag. */
static inline int
read_block (Blocks *self, uint64_t position, bool *known)
{
  const OvHost *host = self->host;
  struct iovec vector = { self->buffer, self->task->block };
  uint32_t tries = 0;
  int64_t n;

  if (ov_stopped (host))
    return -ECANCELED;
  ov_submitted (host, 0, position, vector.iov_len);
  n = preadv2 (self->fd, &vector, 1, (off_t)position, RWF_NOWAIT);
  if (n < 0)
    n = -errno;
  ov_completed (host, 0, n);
  if (n == (int64_t)self->task->block)
    return 0;

  self->odd++;
  *known = n != -EOPNOTSUPP;
  if (n == -EAGAIN || n == -EOPNOTSUPP)
    n = 0; /* not in memory, or the file system cannot tell */
  else
    n = blocks_arrived (self, position, 0, n, &tries);
  return n < 0 ? (int)n : blocks_read (self, position, (uint64_t)n);
}

/* What became of not waiting, in a few words that are the same for the same kind of run; how many
 * blocks had to wait is the number of requests above that of the blocks. */
static void
tell (Blocks *self, bool known, uint64_t blocks)
{
  const char *text = "some blocks had to wait and were read by pread()";

  if (!known)
    text = "refused by the file system, all blocks were read by pread()";
  else if (self->odd == 0)
    text = "no block had to wait";
  else if (self->odd == blocks)
    text = "all blocks had to wait and were read by pread()";
  self->host->effective (self->host, "nowait", text);
}

static int
preadv2_nowait_run (void *state)
{
  Blocks *self = state;
  const OvTask *task = self->task;
  OvPositions positions;
  int result = blocks_open (self);
  uint64_t blocks = 0;
  bool known = true;

  if (result < 0)
    return result;
  ov_positions_init (&positions, task);
  for (; blocks < task->requests && result == 0; blocks++)
    {
      uint64_t position = ov_position (&positions);

      result = known ? read_block (self, position, &known) : blocks_read (self, position, 0);
      if (result == 0)
        ov_consume (self->host, 0, self->buffer, task->block);
    }
  close (self->fd);
  tell (self, known, blocks);
  return result;
}

const OvStrategy block_preadv2_nowait = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.preadv2-nowait",
  .title = OV_TR ("preadv2(), without waiting"),
  .summary = OV_TR ("Asks for each block with RWF_NOWAIT: bytes in the page cache come at once, "
                    "and where one would have to wait the kernel says so instead; such blocks are "
                    "read again by pread(), and counted as a second request."),
  .family = "block",
  .article = "5.1",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_POSITIONS,
  .prepare = blocks_prepare,
  .run = preadv2_nowait_run,
  .release = free,
  .source = preadv2_nowait_source,
  .source_end = preadv2_nowait_source_end,
};
