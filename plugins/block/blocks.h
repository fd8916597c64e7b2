/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blocks.h: what the strategies of the family have in common that read with one call after the
 * other.  One buffer, one block at a time; the call is the strategy's own.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

typedef struct Blocks
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* of one block */
  int fd;
  uint64_t odd; /* calls that did not bring their whole block at once */
} Blocks;

/** Makes the buffer.  Returns 0 and the state, to be freed by free(), or -errno, explained. */
static inline int
blocks_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Blocks *self;

  if (task->requests > 0 && task->length < task->block)
    {
      host->explain (host, UINT64_MAX, OV_TR ("The file is smaller than one block."));
      return -EINVAL;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Blocks){ host, task, host->buffer (host, task->block), -1, 0 };
  if (self->buffer == NULL)
    {
      free (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/** Opens the file.  Returns 0 or -errno. */
static inline int
blocks_open (Blocks *self)
{
  self->fd = open (self->task->path, self->task->flags);
  if (self->fd < 0)
    return -errno;
  if (self->task->order == OV_ORDER_RANDOM)
    posix_fadvise (self->fd, 0, 0, POSIX_FADV_RANDOM); /* no reading ahead of what nobody wants */
  return 0;
}

/** What a call for the bytes of a block from `here` on brought: `n` bytes, or -errno.  Returns how
 *  much of the block is there now, or what `run` is to return.  `tries` as for ov_retry(). */
static inline int64_t
blocks_arrived (Blocks *self, uint64_t position, uint64_t here, int64_t n, uint32_t *tries)
{
  uint64_t got;

  if (n < 0)
    {
      int error = ov_retry (self->host, n, tries);

      return error < 0 ? error : (int64_t)here;
    }
  *tries = 0;
  if (here + (uint64_t)n >= self->task->block)
    return (int64_t)self->task->block;
  got = here + (uint64_t)n;
  got -= got % self->task->align; /* a direct read must not go on from an odd place */
  if (got > here)
    {
      ov_short_io (self->host);
      return (int64_t)got;
    }
  self->host->explain (self->host, position + here,
                       OV_TR ("The file ends before the end of the range."));
  return -ENODATA;
}

/** Reads what is missing of the block at `position`, of which `here` bytes are there, by pread().
 *  Returns 0 or what `run` is to return. */
static inline int
blocks_read (Blocks *self, uint64_t position, uint64_t here)
{
  const OvHost *host = self->host;
  uint64_t block = self->task->block;
  uint32_t tries = 0;

  while (here < block)
    {
      int64_t n;

      if (ov_stopped (host))
        return -ECANCELED;
      ov_submitted (host, 0, position + here, block - here);
      n = pread (self->fd, self->buffer + here, block - here, (off_t)(position + here));
      if (n < 0)
        n = -errno;
      ov_completed (host, 0, n);
      n = blocks_arrived (self, position, here, n, &tries);
      if (n < 0)
        return (int)n;
      here = (uint64_t)n;
    }
  return 0;
}
