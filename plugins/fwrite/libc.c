/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.libc: the C library's own fwrite(), with the buffer that it chooses itself.
 *
 * The control.  glibc fills its buffer (4K as a rule), writes it out, and hands whole blocks of
 * what is left to the system at once; where what was given is no multiple of the buffer, each call
 * so becomes two, and the second one stands at an odd place in the caller's memory and in the file.
 */
#include <stdio.h>

#include "stream.h"

OV_EMBED_SOURCE (libc_source);

enum
{
  OPTION_START
};

typedef struct
{
  const OvHost *host;
  const OvTask *task;
} Libc;

static void
libc_release (void *state)
{
  free (state);
}

static int
libc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Libc *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  *state = self;
  return 0;
}

/* The caller: `start` bytes first, then calls of one block each. */
static int
libc_calls (Libc *self, FILE *file)
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
libc_run (void *state)
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
  if (fseeko (file, (off_t)self->task->offset, SEEK_SET) != 0)
    error = -errno;
  if (error == 0)
    error = libc_calls (self, file);
  /* What the library still holds is written now, and errors come to light. */
  errno = 0;
  if (fclose (file) != 0 && error == 0)
    {
      self->host->explain (self->host, UINT64_MAX, OV_TR ("The file cannot be written on"));
      error = errno != 0 ? -errno : -EIO;
    }
  return error;
}

static const OvOption *const options[] = { &stream_option_start, NULL };

const OvStrategy fwrite_libc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.libc",
  .title = OV_TR ("fwrite() of the C library"),
  .summary = OV_TR ("What the C library makes of it, with the buffer that it chooses itself: "
                    "the control."),
  .family = "fwrite",
  .article = "2.5",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = libc_prepare,
  .run = libc_run,
  .release = libc_release,
  .source = libc_source,
  .source_end = libc_source_end,
};
