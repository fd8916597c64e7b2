/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.stdio: fwrite() and fread() of the C library, with the buffer that it chooses itself.
 */
#include <stdio.h>

#include "copy.h"

OV_EMBED_SOURCE (stdio_source);

static int
stdio_failed (Copy *self, uint64_t offset, const char *text)
{
  const int error = errno != 0 ? -errno : -EIO;

  self->host->explain (self->host, offset, text);
  return error;
}

static int
stdio_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  errno = 0;
  if (self->task->order != OV_ORDER_SEQUENTIAL && fseeko (self->own, (off_t)offset, SEEK_SET) != 0)
    return -errno;
  if (fwrite (data, 1, bytes, self->own) != bytes)
    return stdio_failed (self, offset, OV_TR ("The file cannot be written on"));
  return 0;
}

static int
stdio_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  errno = 0;
  /* Between writing and reading a stream wants to be told where. */
  if ((self->task->order != OV_ORDER_SEQUENTIAL || offset == self->task->offset)
      && fseeko (self->own, (off_t)offset, SEEK_SET) != 0)
    return stdio_failed (self, offset, OV_TR ("The file cannot be written on"));
  if (fread (data, 1, bytes, self->own) != bytes)
    return stdio_failed (self, offset, OV_TR ("The file cannot be read on"));
  return 0;
}

static int
stdio_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return copy_new (host, task, false, (Copy **)state);
}

static int
stdio_run (void *state)
{
  Copy *self = state;
  int error = copy_open (self, 0);
  int fd = error == 0 ? dup (self->fd) : -1;
  FILE *file = fd >= 0 ? fdopen (fd, "r+") : NULL;

  if (error != 0)
    return error;
  if (file == NULL || fseeko (file, (off_t)self->task->offset, SEEK_SET) != 0)
    error = -errno;
  self->own = file;
  if (error == 0)
    error = copy_both (self, stdio_write, stdio_read);
  else
    close (self->fd);
  if (file != NULL && fclose (file) != 0 && error == 0)
    error = -errno;
  else if (file == NULL && fd >= 0)
    close (fd);
  self->own = NULL;
  return error;
}

const OvStrategy strategy_stdio = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.stdio",
  .title = OV_TR ("fwrite() and fread()"),
  .summary = OV_TR ("The C library's streams with the buffer that the library chooses: large "
                    "chunks go past it, small ones are copied."),
  .family = "copy",
  .article = "4.2",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = stdio_prepare,
  .run = stdio_run,
  .release = copy_free,
  .source = stdio_source,
  .source_end = stdio_source_end,
};
