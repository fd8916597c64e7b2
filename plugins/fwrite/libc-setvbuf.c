/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.libc-setvbuf: the C library's own fwrite(), with a larger buffer given by setvbuf().
 *
 * One line in a program, before the first byte is written: fewer calls, and as large as the file
 * system likes them, whatever the library does inside.
 */
#include <stdio.h>

#include "stream.h"

OV_EMBED_SOURCE (libc_setvbuf_source);

enum
{
  OPTION_BUFFER,
  OPTION_START
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
  char *buffer;
} Libc;

static void
libc_setvbuf_release (void *state)
{
  free (state);
}

static int
libc_setvbuf_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Libc *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  self->buffer = host->buffer (host, (size_t)task->options[OPTION_BUFFER]);
  if (self->buffer == NULL)
    {
      libc_setvbuf_release (self);
      return -ENOMEM;
    }
  *state = self;
  return 0;
}

/* The caller: `start` bytes first, then calls of one block each. */
static int
libc_setvbuf_calls (Libc *self, FILE *file)
{
  const OvTask *task = self->task;
  const uint64_t end = task->offset + task->length;
  uint64_t at = task->offset, told = at, bytes = (uint64_t)task->options[OPTION_START];

  if (bytes == 0 || bytes > task->block)
    bytes = task->block;
  for (; at < end; bytes = task->block)
    {
      if (bytes > end - at)
        bytes = end - at;
      if (ov_stopped (self->host))
        return -ECANCELED;
      errno = 0;
      if (fwrite (ov_content (task, at), 1, (size_t)bytes, file) != bytes)
        {
          /* The library goes on after a signal by itself; where in the file it was is its secret.
           */
          self->host->explain (self->host, UINT64_MAX, OV_TR ("The file cannot be written on"));
          return errno != 0 ? -errno : -EIO;
        }
      at += bytes;
      if (at - told >= 4096)
        {
          ov_written (self->host, at - told);
          told = at;
        }
    }
  ov_written (self->host, at - told);
  return 0;
}

static int
libc_setvbuf_run (void *state)
{
  Libc *self = state;
  int error = 0, fd = open (self->task->path, self->task->flags);
  FILE *file = fd >= 0 ? fdopen (fd, "w") : NULL;

  if (file == NULL)
    {
      error = -errno;
      if (fd >= 0)
        close (fd);
      return error;
    }
  if (setvbuf (file, self->buffer, _IOFBF, (size_t)self->task->options[OPTION_BUFFER]) != 0)
    error = -EINVAL;
  if (error == 0 && fseeko (file, (off_t)self->task->offset, SEEK_SET) != 0)
    error = -errno;
  if (error == 0)
    error = libc_setvbuf_calls (self, file);
  /* What the library still holds is written now, and errors come to light. */
  errno = 0;
  if (fclose (file) != 0 && error == 0)
    {
      self->host->explain (self->host, UINT64_MAX, OV_TR ("The file cannot be written on"));
      error = errno != 0 ? -errno : -EIO;
    }
  return error;
}

static const OvOption option_buffer = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_SIZE,
  .name = "buffer",
  .title = OV_TR ("Buffer of the stream"),
  .help = OV_TR ("Bytes of the buffer that setvbuf() gives to the stream."),
  .minimum = 16,
  .maximum = 64 << 20,
  .standard = 32768,
};

static const OvOption *const options[] = { &option_buffer, &stream_option_start, NULL };

const OvStrategy fwrite_libc_setvbuf = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.libc-setvbuf",
  .title = OV_TR ("fwrite() after setvbuf()"),
  .summary = OV_TR ("Gives the stream a larger buffer, 32K unless told otherwise, before the "
                    "first byte: fewer calls for one line of program."),
  .family = "fwrite",
  .article = "2.5",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = libc_setvbuf_prepare,
  .run = libc_setvbuf_run,
  .release = libc_setvbuf_release,
  .source = libc_setvbuf_source,
  .source_end = libc_setvbuf_source_end,
};
