/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * null.memory: the work without the I/O, and so the control of every other strategy.
 *
 * What a run of it takes is the time of the counting (T_cpu) and of Overlap's own book-keeping for
 * each request.  Nothing is read: the same megabyte of text, made before the clock starts, is
 * counted over and over.  Its count is therefore not the file's, and never passes for it.
 */
#include <errno.h>
#include <stdlib.h>

#include "overlap-strategy.h"

#define BUFFER_SIZE ((uint64_t)1 << 20)
#define LINE_LENGTH 72

OV_EMBED_SOURCE (memory_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer;
} Memory;

/* Fills the buffer with seeded printable characters in lines. */
static void
fill (char *buffer, uint64_t seed)
{
  uint64_t x = seed | 1;

  for (uint64_t i = 0; i < BUFFER_SIZE; i++)
    {
      x ^= x << 13; /* xorshift64, Marsaglia 2003 */
      x ^= x >> 7;
      x ^= x << 17;
      buffer[i] = i % LINE_LENGTH == LINE_LENGTH - 1 ? '\n' : (char)(' ' + (x >> 32) % 95);
    }
}

static void
memory_release (void *state)
{
  free (state);
}

static int
memory_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Memory *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  *self = (Memory){ host, task, host->buffer (host, BUFFER_SIZE) };
  if (self->buffer == NULL)
    {
      memory_release (self);
      return -ENOMEM;
    }
  fill (self->buffer, task->seed);
  if (task->block > BUFFER_SIZE)
    host->effective (host, "block", "1M");
  *state = self;
  return 0;
}

/* Takes `length` bytes from the buffer, round and round. */
static int
memory_run (void *state)
{
  Memory *self = state;
  const OvHost *host = self->host;
  const OvTask *task = self->task;
  uint64_t block = task->block < BUFFER_SIZE ? task->block : BUFFER_SIZE;
  uint64_t length = task->job == OV_JOB_BLOCKS ? task->requests * task->block : task->length;
  uint64_t at = 0;

  for (uint64_t done = 0; done < length; done += block)
    {
      uint64_t bytes = length - done < block ? length - done : block;

      if (ov_stopped (host))
        return -ECANCELED;
      if (at + bytes > BUFFER_SIZE)
        at = 0;
      ov_submitted (host, 0, task->offset + done, bytes);
      ov_completed (host, 0, (int64_t)bytes);
      ov_consume (host, 0, self->buffer + at, bytes);
      at += bytes;
    }
  return 0;
}

static const OvStrategy memory = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "null.memory",
  .title = OV_TR ("No I/O at all"),
  .summary = OV_TR ("Counts the same megabyte of memory again and again and reads nothing: shows "
                    "what the counting alone takes, below which no strategy can get."),
  .family = "null",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_CONTROL | OV_CAP_POSITIONS,
  .prepare = memory_prepare,
  .run = memory_run,
  .release = memory_release,
  .source = memory_source,
  .source_end = memory_source_end,
};

OV_STRATEGIES (&memory);
