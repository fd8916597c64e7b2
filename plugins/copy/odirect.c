/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.odirect: the caller's memory with O_DIRECT; a tail that is no multiple of 4096 bytes goes
 * through the cache.
 */
#include "copy.h"

OV_EMBED_SOURCE (odirect_source);

/* Every disk of today takes these; smaller ones would be refused by some. */
#define ALIGN 4096

typedef struct
{
  int direct;
  int cached;
} Descriptors;

/* The aligned part directly, what is left through the page cache. */
static int
odirect_move (Copy *self, char *data, size_t bytes, uint64_t offset, bool writes)
{
  const Descriptors *fds = self->own;
  const size_t whole = offset % ALIGN == 0 ? bytes / ALIGN * ALIGN : 0;
  int error;

  self->fd = fds->direct;
  error = writes ? copy_pwrite (self, data, whole, offset) : copy_pread (self, data, whole, offset);
  if (error != 0 || whole == bytes)
    return error;
  self->fd = fds->cached;
  error = writes ? copy_pwrite (self, data + whole, bytes - whole, offset + whole)
                 : copy_pread (self, data + whole, bytes - whole, offset + whole);
  self->fd = fds->direct;
  return error;
}

static int
odirect_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return odirect_move (self, data, bytes, offset, true);
}

static int
odirect_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return odirect_move (self, data, bytes, offset, false);
}

static int
odirect_prepare (const OvHost *host, const OvTask *task, void **state)
{
  if (task->block % ALIGN != 0)
    {
      host->explain (host, UINT64_MAX, OV_TR ("O_DIRECT wants chunks of whole 4K"));
      return -ENOTSUP;
    }
  if (task->length % ALIGN != 0)
    host->effective (host, "tail", "cached");
  return copy_new (host, task, false, (Copy **)state);
}

static int
odirect_run (void *state)
{
  Copy *self = state;
  Descriptors fds = { -1, -1 };
  int error = copy_open (self, O_DIRECT);

  if (error != 0)
    {
      self->host->explain (self->host, UINT64_MAX,
                           OV_TR ("This file system does not offer direct I/O"));
      return error;
    }
  fds.direct = self->fd;
  fds.cached = open (self->task->path, self->task->flags & ~O_DIRECT);
  if (fds.cached < 0)
    {
      error = -errno;
      close (fds.direct);
      return error;
    }
  self->own = &fds;
  error = copy_both (self, odirect_write, odirect_read);
  self->own = NULL;
  if (close (fds.cached) != 0 && error == 0)
    error = -errno;
  return error;
}

const OvStrategy strategy_odirect = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.odirect",
  .title = OV_TR ("Past the page cache"),
  .summary = OV_TR ("O_DIRECT: the device takes the bytes from the caller's memory itself, and no "
                    "processor copies anything."),
  .family = "copy",
  .article = "4.1",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = odirect_prepare,
  .run = odirect_run,
  .release = copy_free,
  .source = odirect_source,
  .source_end = odirect_source_end,
};
