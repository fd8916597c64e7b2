/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * write.direct: write(2) past the page cache (O_DIRECT), from the caller's memory.
 *
 * Each call waits until the device has the bytes.  The device wants whole sectors: where the end of
 * the range is none, the last sector is filled up with zeroes in a buffer, and the file is cut to
 * its length afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "overlap-strategy.h"

OV_EMBED_SOURCE (direct_source);

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *tail; /* one sector */
} Direct;

static void
direct_release (void *state)
{
  free (state);
}

static int
direct_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Direct *self;

  if ((task->flags & O_DIRECT) == 0)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("This strategy works past the page cache only: it wants the condition "
                            "\"bypassed\""));
      return -ENOTSUP;
    }
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  *self = (Direct){ host, task, host->buffer (host, task->align) };
  if (self->tail == NULL)
    {
      direct_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* Writes `bytes` bytes, whole sectors, at `position`; `useful` of them belong to the range. */
static int
write_sectors (Direct *self, int fd, const char *data, uint64_t position, uint64_t bytes,
               uint64_t useful)
{
  const OvHost *host = self->host;
  uint32_t tries = 0;

  while (bytes > 0)
    {
      int64_t n;
      int error;

      if (ov_stopped (host))
        return -ECANCELED;
      ov_submitted (host, 0, position, bytes);
      n = pwrite (fd, data, bytes, (off_t)position);
      if (n < 0)
        n = -errno;
      ov_completed (host, 0, n);
      if (n >= 0 && (uint64_t)n < bytes)
        {
          ov_short_io (host);
          n -= n % self->task->align; /* not on from within a sector */
        }
      if (n <= 0)
        {
          error = ov_retry (host, n < 0 ? n : -EIO, &tries);
          if (error != 0 && error != -ECANCELED)
            host->explain (host, position, OV_TR ("The file cannot be written on"));
          if (error != 0)
            return error;
          continue;
        }
      tries = 0;
      ov_written (host, (uint64_t)n < useful ? (uint64_t)n : useful);
      useful -= (uint64_t)n < useful ? (uint64_t)n : useful;
      data += n;
      position += (uint64_t)n;
      bytes -= (uint64_t)n;
    }
  return 0;
}

static int
write_range (Direct *self, int fd)
{
  const OvTask *task = self->task;
  uint64_t at = task->offset, end = at + task->length, whole = task->length % task->align;
  int error = 0;

  for (end -= whole; at < end && error == 0;)
    {
      uint64_t n = end - at < task->block ? end - at : task->block;

      error = write_sectors (self, fd, ov_content (task, at), at, n, n);
      at += n;
    }
  if (error != 0 || whole == 0)
    return error;
  memset (self->tail, 0, task->align);
  memcpy (self->tail, ov_content (task, at), whole);
  error = write_sectors (self, fd, self->tail, at, task->align, whole);
  if (error == 0 && ftruncate (fd, (off_t)(at + whole)) != 0)
    error = -errno;
  return error;
}

static int
direct_run (void *state)
{
  Direct *self = state;
  int fd = open (self->task->path, self->task->flags), result;

  if (fd < 0)
    return -errno;
  result = write_range (self, fd);
  if (close (fd) != 0 && result == 0)
    result = -errno;
  return result;
}

const OvStrategy write_direct = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "write.direct",
  .title = OV_TR ("write() past the page cache"),
  .summary = OV_TR ("Writes from the caller's memory with O_DIRECT: nothing is copied, and each "
                    "call waits for the device."),
  .family = "write",
  .article = "2.7 2.9",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_DIRECT | OV_CAP_DIRECT_ONLY | OV_CAP_WRITES,
  .prepare = direct_prepare,
  .run = direct_run,
  .release = direct_release,
  .source = direct_source,
  .source_end = direct_source_end,
};
