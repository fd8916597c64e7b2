/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posix.read: one buffer, filled by read(2) again and again.
 *
 * The ordinary way: ask for the next block, wait until it is there, count, ask for the next.  The
 * program never computes while it waits.  On a buffered file the kernel reads ahead of it and so
 * overlaps by itself; with O_DIRECT nobody does.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (read_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* of one block */
} Read;

static void
read_release (void *state)
{
  free (state);
}

static int
read_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Read *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  *self = (Read){ host, task, host->buffer (host, task->block) };
  if (self->buffer == NULL)
    {
      read_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* Reads the next block into the buffer; `position` is where the file stands.  Returns how many
 * bytes of the range that gave, or -errno. */
static int64_t
read_block (Read *self, int fd, uint64_t position, uint64_t left)
{
  const OvHost *host = self->host;
  uint64_t useful = left < self->task->block ? left : self->task->block;
  uint64_t want = ov_round_up (useful, self->task->align); /* the tail of a direct read */
  int64_t n;

  ov_submitted (host, 0, position, want);
  n = read (fd, self->buffer, want);
  if (n < 0)
    n = -errno;
  ov_completed (host, 0, n);
  if (n < 0)
    return n;
  if ((uint64_t)n >= useful)
    return (int64_t)useful;
  if (n > 0)
    ov_short_io (host);
  if (n % self->task->align != 0) /* a direct read must not go on from an odd place */
    {
      n -= n % self->task->align;
      if (lseek (fd, (off_t)position + n, SEEK_SET) < 0)
        return -errno;
    }
  if (n == 0)
    {
      host->explain (host, position, OV_TR ("The file ends before the end of the range."));
      return -ENODATA;
    }
  return n;
}

static int
read_range (Read *self, int fd)
{
  uint64_t position = self->task->offset, end = position + self->task->length;
  uint32_t tries = 0;

  if (lseek (fd, (off_t)position, SEEK_SET) < 0)
    return -errno;
  while (position < end)
    {
      int64_t n
          = ov_stopped (self->host) ? -ECANCELED : read_block (self, fd, position, end - position);

      if (n < 0)
        {
          int error = ov_retry (self->host, n, &tries);

          if (error < 0)
            return error;
          continue;
        }
      tries = 0;
      ov_consume (self->host, 0, self->buffer, (size_t)n);
      position += (uint64_t)n;
    }
  return 0;
}

static int
read_run (void *state)
{
  Read *self = state;
  int fd = open (self->task->path, self->task->flags), result;

  if (fd < 0)
    return -errno;
  result = read_range (self, fd);
  close (fd);
  return result;
}

const OvStrategy posix_read = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "posix.read",
  .title = OV_TR ("read(), one buffer"),
  .summary = OV_TR ("Asks for a block, waits for it, counts it, asks for the next: simple, but "
                    "disk and processor take turns, unless the kernel reads ahead for you."),
  .family = "posix",
  .article = "1.3",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BLOCK | OV_CAP_DIRECT,
  .prepare = read_prepare,
  .run = read_run,
  .release = read_release,
  .source = read_source,
  .source_end = read_source_end,
};
