/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stream.c: see stream.h.
 */
#include "stream.h"

const OvOption stream_option_buffer = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_SIZE,
  .name = "buffer",
  .title = OV_TR ("Buffer of the stream"),
  .help = OV_TR ("Bytes of the stream's own buffer, which is also what one block is."),
  .minimum = 16,
  .maximum = 64 << 20,
  .standard = 4096,
};

const OvOption stream_option_start = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_INT,
  .name = "start",
  .title = OV_TR ("Bytes written first"),
  .help = OV_TR ("A first call with so few bytes puts all others at an odd place in the file and "
                 "in the buffer."),
  .maximum = 4095,
};

void
stream_release (void *state)
{
  free (state);
}

int
stream_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Stream *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  self->fd = -1;
  self->room = (size_t)task->options[STREAM_OPTION_BUFFER];
  self->buffer = host->buffer (host, self->room);
  if (self->buffer == NULL)
    {
      stream_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

int
stream_write (Stream *self, const char *data, size_t bytes)
{
  const OvHost *host = self->host;
  uint32_t tries = 0;

  while (bytes > 0)
    {
      int64_t n;
      int error;

      if (ov_stopped (host))
        return -ECANCELED;
      ov_submitted (host, 0, self->position, bytes);
      n = write (self->fd, data, bytes);
      if (n < 0)
        n = -errno;
      ov_completed (host, 0, n);
      if (n <= 0)
        {
          error = ov_retry (host, n < 0 ? n : -EIO, &tries);
          if (error != 0 && error != -ECANCELED)
            host->explain (host, self->position, OV_TR ("The file cannot be written on"));
          if (error != 0)
            return error;
          continue;
        }
      if ((size_t)n < bytes)
        ov_short_io (host);
      ov_written (host, (uint64_t)n);
      tries = 0;
      data += n;
      bytes -= (size_t)n;
      self->position += (uint64_t)n;
    }
  return 0;
}

/* The caller: `start` bytes first, then calls of one block each. */
static int
stream_calls (Stream *self, StreamPut put)
{
  const OvTask *task = self->task;
  const uint64_t end = task->offset + task->length;
  uint64_t at = task->offset, bytes = (uint64_t)task->options[STREAM_OPTION_START];
  int error = 0;

  if (bytes > task->block) /* one call gives no more than a block */
    bytes = task->block;
  if (bytes == 0)
    bytes = task->block;
  for (; at < end && error == 0; bytes = task->block)
    {
      if (bytes > end - at)
        bytes = end - at;
      error
          = ov_stopped (self->host) ? -ECANCELED : put (self, ov_content (task, at), (size_t)bytes);
      at += bytes;
    }
  return error;
}

int
stream_run (Stream *self, StreamPut put)
{
  const OvTask *task = self->task;
  int error = 0;

  self->fd = open (task->path, task->flags);
  if (self->fd < 0)
    return -errno;
  self->used = 0;
  self->position = task->offset;
  if (lseek (self->fd, (off_t)task->offset, SEEK_SET) < 0)
    error = -errno;
  if (error == 0)
    error = stream_calls (self, put);
  if (error == 0)
    error = stream_flush (self);
  if (close (self->fd) != 0 && error == 0)
    error = -errno;
  return error;
}
