/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posix.lseek-read: move the file's position, then read from it.
 *
 * Two system calls where pread(2) takes one.  The position can be given from the start of the
 * file, from the mark (where the last read ended) or from the end; the kernel does the same sum
 * each time, so the three cost the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (lseek_read_source);

enum
{
  FROM_START,
  FROM_MARK,
  FROM_END
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* of one block */
  int fd;
  uint64_t mark; /* where the last read ended */
} LseekRead;

static void
lseek_read_release (void *state)
{
  free (state);
}

static int
lseek_read_prepare (const OvHost *host, const OvTask *task, void **state)
{
  LseekRead *self;

  if (task->job == OV_JOB_BLOCKS && task->requests > 0 && task->length < task->block)
    {
      host->explain (host, UINT64_MAX, OV_TR ("The file is smaller than one block."));
      return -EINVAL;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (LseekRead){ host, task, host->buffer (host, task->block), -1, 0 };
  if (self->buffer == NULL)
    {
      lseek_read_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* Moves to `position`, in the way that the option names.  Returns 0 or -errno. */
static int
move_to (LseekRead *self, uint64_t position)
{
  off_t at;

  switch (self->task->options[0])
    {
    case FROM_MARK:
      at = lseek (self->fd, (off_t)(position - self->mark), SEEK_CUR);
      break;
    case FROM_END:
      at = lseek (self->fd, (off_t)(position - self->task->file_size), SEEK_END);
      break;
    default:
      at = lseek (self->fd, (off_t)position, SEEK_SET);
    }
  if (at < 0)
    return -errno;
  if ((uint64_t)at != position)
    {
      self->host->explain (self->host, position,
                           OV_TR ("The file's length changed, so its end is no place to count "
                                  "from."));
      return -ENODATA;
    }
  return 0;
}

/* Reads once at `position`.  Returns how many of the `useful` bytes came, or -errno. */
static int64_t
read_at (LseekRead *self, uint64_t position, uint64_t useful)
{
  const OvHost *host = self->host;
  uint64_t want = ov_round_up (useful, self->task->align); /* the tail of a direct read */
  int64_t n;

  ov_submitted (host, 0, position, want);
  n = move_to (self, position);
  if (n == 0)
    {
      n = read (self->fd, self->buffer, want);
      if (n < 0)
        n = -errno;
    }
  ov_completed (host, 0, n);
  self->mark = n > 0 ? position + (uint64_t)n : position;
  if (n < 0)
    return n;
  if ((uint64_t)n >= useful)
    return (int64_t)useful;
  if (n > 0)
    ov_short_io (host);
  n -= n % self->task->align; /* a direct read must not go on from an odd place */
  if (n == 0)
    {
      host->explain (host, position, OV_TR ("The file ends before the end of the range."));
      return -ENODATA;
    }
  return n;
}

/* Reads and consumes the bytes from `position` to `end`, in blocks. */
static int
read_range (LseekRead *self, uint64_t position, uint64_t end)
{
  uint64_t block = self->task->block;
  uint32_t tries = 0;

  while (position < end)
    {
      uint64_t useful = end - position < block ? end - position : block;
      int64_t n = ov_stopped (self->host) ? -ECANCELED : read_at (self, position, useful);

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

/* `requests` blocks wherever ov_position() says. */
static int
read_blocks (LseekRead *self)
{
  OvPositions positions;
  int result = 0;

  ov_positions_init (&positions, self->task);
  for (uint64_t i = 0; i < self->task->requests && result == 0; i++)
    {
      uint64_t position = ov_position (&positions);

      result = read_range (self, position, position + self->task->block);
    }
  return result;
}

/* The whole range, piece by piece, wherever ov_piece() says. */
static int
read_pieces (LseekRead *self)
{
  OvPositions positions;
  uint64_t bytes, left = self->task->length;
  int result = 0;

  ov_positions_init (&positions, self->task);
  for (; left > 0 && result == 0; left -= bytes)
    {
      uint64_t position = ov_piece (&positions, &bytes);

      result = read_range (self, position, position + bytes);
    }
  return result;
}

static int
lseek_read_run (void *state)
{
  LseekRead *self = state;
  const OvTask *task = self->task;
  int result;

  self->fd = open (task->path, task->flags);
  if (self->fd < 0)
    return -errno;
  if (task->order == OV_ORDER_RANDOM) /* reading ahead would be in vain */
    {
      posix_fadvise (self->fd, 0, 0, POSIX_FADV_RANDOM);
      self->host->effective (self->host, "advice", "random");
    }
  result = task->job == OV_JOB_BLOCKS ? read_blocks (self) : read_pieces (self);
  close (self->fd);
  return result;
}

static const char *const from_names[] = { "start", "mark", "end", NULL };

static const OvOption option_from = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_CHOICE,
  .name = "from",
  .title = OV_TR ("Position counts from"),
  .help = OV_TR ("Give lseek() the distance from the start of the file, from the mark where the "
                 "last read ended, or from the end."),
  .minimum = FROM_START,
  .maximum = FROM_END,
  .standard = FROM_START,
  .choices = from_names,
};

static const OvOption *const lseek_read_options[] = { &option_from, NULL };

const OvStrategy posix_lseek_read = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "posix.lseek-read",
  .title = OV_TR ("lseek(), then read()"),
  .summary = OV_TR ("Moves the file's position before each read: the old way to read at random, "
                    "one system call more for each block than pread()."),
  .family = "posix",
  .article = "1.5",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DIRECT | OV_CAP_POSITIONS,
  .options = lseek_read_options,
  .prepare = lseek_read_prepare,
  .run = lseek_read_run,
  .release = lseek_read_release,
  .source = lseek_read_source,
  .source_end = lseek_read_source_end,
};
