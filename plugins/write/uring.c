/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * write.uring: blocks written in parallel through io_uring, from the caller's memory.
 *
 * What the article's network file system did inside one large call, the program does itself: up to
 * `depth` blocks are under way at once.  The file gets its length first, for file systems take only
 * one write at a time that makes a file longer.  The last sector of a direct write is filled up
 * with zeroes in a buffer, and the file is cut to its length at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (uring_source);

#define WAKE UINT64_MAX

typedef struct
{
  const char *data;
  uint64_t offset;
  uint64_t bytes;  /* still to be written, whole sectors of a direct write */
  uint64_t useful; /* of them belong to the range */
  uint32_t tries;
} Block;

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  struct io_uring ring;
  Block *block;   /* of `depth` */
  uint32_t *free; /* a stack of numbers of blocks */
  uint32_t n_free;
  uint64_t at; /* of the next block */
  uint64_t end;
  char *tail; /* one sector */
  int fd;
  int error;
  bool refused; /* the kernel takes no more requests */
} Uring;

static int
uring_probe (const OvHost *host, char *why, size_t why_size)
{
  struct io_uring ring;
  int error = io_uring_queue_init (2, &ring, 0);

  (void)host;
  if (error == 0)
    io_uring_queue_exit (&ring);
  else
    snprintf (why, why_size,
              OV_TR ("io_uring cannot be used here (%s): a filter of a container "
                     "or kernel.io_uring_disabled may forbid it."),
              strerror (-error));
  return error;
}

static void
uring_release (void *state)
{
  Uring *self = state;

  io_uring_queue_exit (&self->ring);
  free (self->block);
  free (self->free);
  free (self);
}

/* Whoever sleeps in the kernel runs the ends of its requests there itself, instead of being
 * interrupted for each; older kernels cannot do that. */
static int
make_ring (Uring *self, unsigned entries)
{
  static const struct
  {
    unsigned flags;
    const char *name;
  } ways[] = { { IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                 "single-issuer, defer-taskrun" },
               { IORING_SETUP_COOP_TASKRUN, "coop-taskrun" },
               { 0, "plain" } };
  int error = -EINVAL;

  for (unsigned i = 0; i < 3 && error == -EINVAL; i++)
    {
      error = io_uring_queue_init (entries, &self->ring, ways[i].flags);
      if (error == 0)
        self->host->effective (self->host, "ring", ways[i].name);
    }
  return error;
}

static int
uring_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Uring *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  self->block = calloc (task->depth, sizeof *self->block);
  self->free = calloc (task->depth, sizeof *self->free);
  self->tail = host->buffer (host, task->align);
  error = self->block == NULL || self->free == NULL || self->tail == NULL ? -ENOMEM : 0;
  if (error == 0)
    error = make_ring (self, task->depth + 1);
  if (error != 0)
    {
      host->explain (host, UINT64_MAX, OV_TR ("A ring cannot be made"));
      free (self->block);
      free (self->free);
      free (self);
      return error;
    }
  for (uint32_t i = 0; i < task->depth; i++)
    self->free[i] = i;
  self->n_free = task->depth;
  *state = self;
  return 0;
}

static void
fail (Uring *self, int error, uint64_t offset)
{
  if (self->error != 0)
    return;
  self->error = error;
  if (error != -ECANCELED)
    self->host->explain (self->host, offset, OV_TR ("The file cannot be written on"));
}

/* Puts what is left of a block into the queue. */
static void
queue (Uring *self, uint32_t number)
{
  const Block *block = &self->block[number];
  struct io_uring_sqe *sqe = io_uring_get_sqe (&self->ring);

  ov_submitted (self->host, number, block->offset, block->bytes);
  io_uring_prep_write (sqe, self->fd, block->data, (unsigned)block->bytes, block->offset);
  io_uring_sqe_set_data64 (sqe, number);
}

/* The next block of the range: whole sectors first, what is left of the last one by itself. */
static void
queue_next (Uring *self)
{
  const OvTask *task = self->task;
  const uint64_t left = self->end - self->at, odd = left % task->align;
  uint32_t number = self->free[--self->n_free];
  Block *block = &self->block[number];

  *block = (Block){ .data = ov_content (task, self->at), .offset = self->at };
  block->useful = block->bytes = left - odd < task->block ? left - odd : task->block;
  if (block->bytes == 0)
    {
      memset (self->tail, 0, task->align);
      memcpy (self->tail, block->data, odd);
      block->data = self->tail;
      block->bytes = task->align;
      block->useful = odd;
    }
  self->at += block->useful;
  queue (self, number);
}

/* A request came back: what it did not write is asked for again. */
static void
arrived (Uring *self, uint32_t number, int64_t n)
{
  Block *block = &self->block[number];
  uint64_t useful;
  int error;

  ov_completed (self->host, number, n);
  if (n > 0)
    {
      if ((uint64_t)n < block->bytes)
        {
          ov_short_io (self->host);
          n -= n % self->task->align; /* not on from within a sector */
        }
      useful = (uint64_t)n < block->useful ? (uint64_t)n : block->useful;
      ov_written (self->host, useful);
      block->useful -= useful;
      block->bytes -= (uint64_t)n;
      block->data += n;
      block->offset += (uint64_t)n;
    }
  if (n <= 0)
    {
      error = ov_retry (self->host, n < 0 ? n : -EIO, &block->tries);
      if (error != 0)
        fail (self, error, block->offset);
    }
  else
    block->tries = 0;
  if (block->bytes > 0 && self->error == 0 && !ov_stopped (self->host))
    queue (self, number);
  else
    self->free[self->n_free++] = number;
}

static void
reap (Uring *self)
{
  struct io_uring_cqe *cqe;

  while (io_uring_peek_cqe (&self->ring, &cqe) == 0)
    {
      const uint64_t number = cqe->user_data;
      const int64_t result = cqe->res;

      io_uring_cqe_seen (&self->ring, cqe);
      if (number != WAKE)
        arrived (self, (uint32_t)number, result);
    }
}

/* The kernel refuses what is in the queue for good: those requests come back with `error`. */
static void
refuse (Uring *self, int error)
{
  struct io_uring_sq *sq = &self->ring.sq;

  self->refused = true;
  fail (self, error, UINT64_MAX);
  for (unsigned at = *sq->khead; at != sq->sqe_tail; at++)
    {
      const uint64_t number = sq->sqes[at & *sq->kring_mask].user_data;

      if (number != WAKE)
        arrived (self, (uint32_t)number, error);
    }
}

/* Stop is a completion, too. */
static void
watch_stop (Uring *self)
{
  struct io_uring_sqe *sqe = io_uring_get_sqe (&self->ring);

  if (self->host->wake_fd >= 0)
    io_uring_prep_poll_add (sqe, self->host->wake_fd, POLLIN);
  else
    io_uring_prep_nop (sqe);
  io_uring_sqe_set_data64 (sqe, WAKE);
}

static void
write_range (Uring *self)
{
  const uint32_t depth = self->task->depth;
  struct io_uring_cqe *cqe;
  uint32_t tries = 0;

  watch_stop (self);
  while (self->n_free < depth || (self->at < self->end && self->error == 0))
    {
      int result;

      if (ov_stopped (self->host))
        fail (self, -ECANCELED, UINT64_MAX);
      while (self->error == 0 && self->at < self->end && self->n_free > 0)
        queue_next (self);
      if (self->n_free == depth)
        break;
      result = self->refused ? io_uring_wait_cqe (&self->ring, &cqe)
                             : io_uring_submit_and_wait (&self->ring, 1);
      if (result >= 0)
        tries = 0;
      else if (result != -EBUSY && !self->refused)
        {
          result = ov_retry (self->host, result, &tries);
          if (result < 0 && result != -ECANCELED)
            refuse (self, result);
        }
      reap (self);
    }
}

static int
uring_run (void *state)
{
  Uring *self = state;
  const OvTask *task = self->task;

  self->at = task->offset;
  self->end = task->offset + task->length;
  self->fd = open (task->path, task->flags);
  if (self->fd < 0)
    return -errno;
  if (ov_stopped (self->host))
    self->error = -ECANCELED;
  else if (ftruncate (self->fd, (off_t)self->end) != 0)
    fail (self, -errno, UINT64_MAX);
  self->host->effective (self->host, "length", "set first");
  if (self->error == 0)
    write_range (self);
  if (self->error == 0 && task->align > 1 && ftruncate (self->fd, (off_t)self->end) != 0)
    fail (self, -errno, UINT64_MAX);
  if (close (self->fd) != 0 && self->error == 0)
    self->error = -errno;
  return self->error;
}

const OvStrategy write_uring = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "write.uring",
  .title = OV_TR ("Blocks in parallel, io_uring"),
  .summary = OV_TR ("Sets the file's length and writes several blocks at once from the caller's "
                    "memory: what a network file system does inside one large call."),
  .family = "write",
  .article = "2.8",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_WRITES,
  .probe = uring_probe,
  .prepare = uring_prepare,
  .run = uring_run,
  .release = uring_release,
  .source = uring_source,
  .source_end = uring_source_end,
};
