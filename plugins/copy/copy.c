/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk through the file.
 */
#include "copy.h"

#include <stdio.h>
#include <sys/resource.h>

int
copy_new (const OvHost *host, const OvTask *task, bool bounce, Copy **out)
{
  Copy *self = calloc (1, sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  self->host = host;
  self->task = task;
  self->fd = -1;
  self->target = host->buffer (host, (size_t)task->block);
  self->bounce = bounce ? host->buffer (host, (size_t)task->block) : NULL;
  if (self->target == NULL || (bounce && self->bounce == NULL))
    {
      free (self);
      return -ENOMEM;
    }
  *out = self;
  return 0;
}

void
copy_free (void *state)
{
  free (state);
}

int
copy_open (Copy *self, int flags)
{
  self->fd = open (self->task->path, self->task->flags | flags);
  return self->fd >= 0 ? 0 : -errno;
}

static int
walk (Copy *self, CopyMove move, bool writes)
{
  const OvTask *task = self->task;
  OvPositions positions;
  uint64_t bytes, left = task->length;

  ov_positions_init (&positions, task);
  for (; left > 0; left -= bytes)
    {
      const uint64_t offset = ov_piece (&positions, &bytes);
      /* Only read from; strategies that write share the type with those that read. */
      char *data = writes ? (char *)(uintptr_t)ov_content (task, offset) : self->target;
      int error;

      if (ov_stopped (self->host))
        return -ECANCELED;
      error = move (self, data, (size_t)bytes, offset);
      if (error != 0)
        return error;
      if (writes)
        ov_written (self->host, bytes);
      else
        ov_consume (self->host, 0, data, (size_t)bytes);
    }
  return 0;
}

int
copy_both (Copy *self, CopyMove write_chunk, CopyMove read_chunk)
{
  int error = walk (self, write_chunk, true);

  if (error == 0)
    {
      ov_second_part (self->host);
      error = walk (self, read_chunk, false);
    }
  /* Errors of writing back come to light here at the latest. */
  if (close (self->fd) != 0 && error == 0)
    error = -errno;
  self->fd = -1;
  return error;
}

int
copy_pwrite (Copy *self, const char *data, size_t bytes, uint64_t offset)
{
  uint32_t tries = 0;

  while (bytes > 0)
    {
      ssize_t n;

      ov_submitted (self->host, 0, offset, bytes);
      n = pwrite (self->fd, data, bytes, (off_t)offset);
      n = n < 0 ? -errno : n;
      ov_completed (self->host, 0, n);
      if (n < 0)
        {
          const int error = ov_retry (self->host, n, &tries);

          if (error != 0)
            {
              self->host->explain (self->host, offset, OV_TR ("The file cannot be written on"));
              return error;
            }
          continue;
        }
      tries = 0;
      data += n;
      bytes -= (size_t)n;
      offset += (uint64_t)n;
      if (bytes > 0)
        ov_short_io (self->host);
    }
  return 0;
}

int
copy_pread (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  uint32_t tries = 0;

  while (bytes > 0)
    {
      ssize_t n;

      ov_submitted (self->host, 0, offset, bytes);
      n = pread (self->fd, data, bytes, (off_t)offset);
      n = n < 0 ? -errno : n;
      ov_completed (self->host, 0, n);
      if (n < 0)
        {
          const int error = ov_retry (self->host, n, &tries);

          if (error != 0)
            return error;
          continue;
        }
      if (n == 0)
        {
          self->host->explain (self->host, offset, OV_TR ("The file ended too early"));
          return -EIO;
        }
      tries = 0;
      data += n;
      bytes -= (size_t)n;
      offset += (uint64_t)n;
      if (bytes > 0)
        ov_short_io (self->host);
    }
  return 0;
}

int
copy_explain_memlock (const OvHost *host, uint64_t bytes)
{
  struct rlimit limit = { 0, 0 };
  char text[256];

  getrlimit (RLIMIT_MEMLOCK, &limit);
  snprintf (text, sizeof text,
            OV_TR ("%llu bytes of memory are to be locked, and the limit of this user is %llu "
                   "(\"ulimit -l\" in K; LimitMEMLOCK= of systemd, or /etc/security/limits.conf, "
                   "raises it)"),
            (unsigned long long)bytes, (unsigned long long)limit.rlim_cur);
  host->explain (host, UINT64_MAX, text);
  return -ENOTSUP;
}
