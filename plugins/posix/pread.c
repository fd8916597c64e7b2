/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posix.pread: every call carries its own position.
 *
 * pread(2) reads at an offset and leaves the file's own position alone: one system call where
 * lseek() and read() take two, and threads may share the descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (pread_source);

enum
{
  ADVICE_AUTO, /* random for random positions, else none */
  ADVICE_NONE,
  ADVICE_SEQUENTIAL,
  ADVICE_RANDOM
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer; /* of one block */
  int fd;
} Pread;

static void
pread_release (void *state)
{
  free (state);
}

/* Says what is wrong with the task, or returns NULL. */
static const char *
find_fault (const OvTask *task)
{
  if (task->job == OV_JOB_BLOCKS && task->requests > 0 && task->length < task->block)
    return OV_TR ("The file is smaller than one block.");
  return NULL;
}

static int
pread_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const char *fault = find_fault (task);
  Pread *self;

  if (fault != NULL)
    {
      host->explain (host, UINT64_MAX, fault);
      return -EINVAL;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Pread){ host, task, host->buffer (host, task->block), -1 };
  if (self->buffer == NULL)
    {
      pread_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* Reads once at `position`.  Returns how many of the `useful` bytes came, or -errno. */
static inline int64_t
read_at (Pread *self, uint64_t position, uint64_t useful)
{
  const OvHost *host = self->host;
  uint64_t want = ov_round_up (useful, self->task->align); /* the tail of a direct read */
  int64_t n;

  ov_submitted (host, 0, position, want);
  n = pread (self->fd, self->buffer, want, (off_t)position);
  if (n < 0)
    n = -errno;
  ov_completed (host, 0, n);
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
static inline int
read_range (Pread *self, uint64_t position, uint64_t end)
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

/* The whole range, piece by piece, wherever ov_piece() says. */
static int
read_pieces (Pread *self)
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

/* `requests` blocks wherever ov_position() says. */
static int
read_blocks (Pread *self)
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

/* Tells the kernel in which order to expect the reads, which decides how far it reads ahead. */
static void
advise (Pread *self)
{
  const OvTask *task = self->task;
  int64_t advice = task->options[0];

  if (advice == ADVICE_AUTO && task->order == OV_ORDER_RANDOM)
    {
      advice = ADVICE_RANDOM;
      self->host->effective (self->host, "advice", "random");
    }
  if (advice == ADVICE_RANDOM)
    posix_fadvise (self->fd, 0, 0, POSIX_FADV_RANDOM);
  else if (advice == ADVICE_SEQUENTIAL)
    posix_fadvise (self->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

static int
pread_run (void *state)
{
  Pread *self = state;
  const OvTask *task = self->task;
  int result;

  self->fd = open (task->path, task->flags);
  if (self->fd < 0)
    return -errno;
  advise (self);
  result = task->job == OV_JOB_BLOCKS ? read_blocks (self) : read_pieces (self);
  close (self->fd);
  return result;
}

static const char *const advice_names[] = { "auto", "none", "sequential", "random", NULL };

static const OvOption option_advice = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_CHOICE,
  .name = "advice",
  .title = OV_TR ("Advice to the kernel"),
  .help = OV_TR ("The order of reading that posix_fadvise() announces; auto: random for random "
                 "positions, otherwise none."),
  .minimum = ADVICE_AUTO,
  .maximum = ADVICE_RANDOM,
  .standard = ADVICE_AUTO,
  .choices = advice_names,
};

static const OvOption *const pread_options[] = { &option_advice, NULL };

const OvStrategy posix_pread = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "posix.pread",
  .title = OV_TR ("pread(), own positions"),
  .summary = OV_TR ("Gives the position with each call, so that one system call moves and reads: "
                    "the plain way to read at random, and as fast as read() in order."),
  .family = "posix",
  .article = "1.5, 5.1",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DIRECT | OV_CAP_POSITIONS,
  .options = pread_options,
  .prepare = pread_prepare,
  .run = pread_run,
  .release = pread_release,
  .source = pread_source,
  .source_end = pread_source_end,
};
