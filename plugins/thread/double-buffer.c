/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * thread.double-buffer: one thread reads, another counts, and buffers go round between them.
 *
 * While one buffer is counted the next is being read: overlap with nothing but ordinary blocking
 * calls.  Two semaphores say how many buffers are full and how many are free; a thread that has
 * nothing to do sleeps.  The price is a second thread, usually on a second processor core, and a
 * wake-up for each block.  With one buffer the two only take turns.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (double_buffer_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffers;    /* `depth` of one block each */
  int64_t *results; /* what each of them holds: bytes of the range, or -errno as the last word */
  pthread_t reader;
  sem_t begin;  /* run: read the file; release: end */
  sem_t vacant; /* buffers to be filled */
  sem_t filled; /* buffers to be counted */
  bool ending;  /* no file will come any more */
  int fd;
} DoubleBuffer;

static void
take (sem_t *semaphore)
{
  while (sem_wait (semaphore) < 0) /* a signal came between */
    ;
}

/* Reads `useful` bytes at `position` into `slot`.  Returns how many came, or -errno. */
static int64_t
read_at (DoubleBuffer *self, uint32_t slot, uint64_t position, uint64_t useful)
{
  const OvHost *host = self->host;
  uint64_t want = ov_round_up (useful, self->task->align); /* the tail of a direct read */
  int64_t n;

  ov_submitted (host, slot, position, want);
  n = pread (self->fd, self->buffers + slot * self->task->block, want, (off_t)position);
  if (n < 0)
    n = -errno;
  ov_completed (host, slot, n);
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

/* The reader's side: fills one buffer after the other, until the end or an error. */
static void
read_range (DoubleBuffer *self)
{
  const OvTask *task = self->task;
  OvPositions positions;
  uint64_t position = 0, bytes = 0, left;
  uint32_t slot = 0, tries = 0;

  ov_positions_init (&positions, task);
  for (left = task->length; left > 0;)
    {
      int64_t n;

      if (bytes == 0) /* all of the last piece has come */
        position = ov_piece (&positions, &bytes);
      take (&self->vacant);
      do
        n = ov_stopped (self->host) ? -ECANCELED : read_at (self, slot, position, bytes);
      while (n < 0 && (n = ov_retry (self->host, n, &tries)) == 0);
      tries = 0;
      self->results[slot] = n;
      sem_post (&self->filled);
      if (n < 0)
        return;
      position += (uint64_t)n;
      bytes -= (uint64_t)n;
      left -= (uint64_t)n;
      slot = (slot + 1) % task->depth;
    }
}

static void *
reader_main (void *data)
{
  DoubleBuffer *self = data;

  for (;;)
    {
      take (&self->begin);
      if (self->ending)
        return NULL;
      read_range (self);
    }
}

/* The counting side.  It never returns before the reader has said its last word. */
static int
consume_range (DoubleBuffer *self)
{
  const OvTask *task = self->task;
  uint64_t done = 0;
  uint32_t slot = 0;
  int result = 0;

  while (done < task->length)
    {
      int64_t n;

      take (&self->filled);
      n = self->results[slot];
      if (n < 0)
        return (int)n;
      if (ov_stopped (self->host)) /* what is still being read comes to nothing */
        result = -ECANCELED;
      else
        ov_consume (self->host, slot, self->buffers + slot * task->block, (size_t)n);
      sem_post (&self->vacant);
      done += (uint64_t)n;
      slot = (slot + 1) % task->depth;
    }
  return result;
}

static int
double_buffer_run (void *state)
{
  DoubleBuffer *self = state;
  int result;

  self->fd = open (self->task->path, self->task->flags);
  if (self->fd < 0)
    return -errno;
  if (self->task->order == OV_ORDER_RANDOM) /* reading ahead would be in vain */
    posix_fadvise (self->fd, 0, 0, POSIX_FADV_RANDOM);
  sem_post (&self->begin);
  result = consume_range (self);
  close (self->fd);
  return result;
}

static void
free_all (DoubleBuffer *self)
{
  sem_destroy (&self->begin);
  sem_destroy (&self->vacant);
  sem_destroy (&self->filled);
  free (self->results);
  free (self);
}

static void
double_buffer_release (void *state)
{
  DoubleBuffer *self = state;

  if (self == NULL)
    return;
  self->ending = true;
  sem_post (&self->begin);
  pthread_join (self->reader, NULL);
  free_all (self);
}

static int
double_buffer_prepare (const OvHost *host, const OvTask *task, void **state)
{
  DoubleBuffer *self = calloc (1, sizeof *self);
  int error = ENOMEM;

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  sem_init (&self->begin, 0, 0);
  sem_init (&self->vacant, 0, task->depth);
  sem_init (&self->filled, 0, 0);
  self->results = calloc (task->depth, sizeof *self->results);
  self->buffers = host->buffer (host, task->depth * task->block);
  if (self->results != NULL && self->buffers != NULL)
    {
      error = pthread_create (&self->reader, NULL, reader_main, self);
      if (error != 0)
        host->explain (host, UINT64_MAX, OV_TR ("The reading thread could not be started."));
    }
  if (error != 0)
    {
      free_all (self);
      return -error;
    }
  *state = self;
  return 0;
}

static const OvStrategy double_buffer = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "thread.double-buffer",
  .title = OV_TR ("Reader thread"),
  .summary = OV_TR ("One thread reads the next block while another counts the last one: overlap "
                    "with ordinary calls, for the price of a second core and a wake-up for each "
                    "block."),
  .family = "thread",
  .article = "1.6",
  .jobs = OV_JOB_COUNT,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .prepare = double_buffer_prepare,
  .run = double_buffer_run,
  .release = double_buffer_release,
  .source = double_buffer_source,
  .source_end = double_buffer_source_end,
};

OV_STRATEGIES (&double_buffer);
