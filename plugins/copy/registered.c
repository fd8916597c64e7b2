/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.registered: io_uring with registered buffers: pages are looked up and locked once, in
 * prepare.
 */
#include <liburing.h>

#include "copy.h"

OV_EMBED_SOURCE (registered_source);

typedef struct
{
  struct io_uring ring;
  struct iovec parts[2]; /* the content that is written, and what is read into */
} Registered;

static int
registered_move (Copy *self, char *data, size_t bytes, uint64_t offset, bool writes)
{
  Registered *own = self->own;
  uint32_t tries = 0;

  while (bytes > 0)
    {
      struct io_uring_sqe *sqe = io_uring_get_sqe (&own->ring);
      struct io_uring_cqe *cqe = NULL;
      int n;

      if (writes)
        io_uring_prep_write_fixed (sqe, self->fd, data, (unsigned)bytes, offset, 0);
      else
        io_uring_prep_read_fixed (sqe, self->fd, data, (unsigned)bytes, offset, 1);
      ov_submitted (self->host, 0, offset, bytes);
      do
        n = io_uring_submit_and_wait (&own->ring, 1);
      while (n == -EINTR);
      /* After a signal the request may be on its way: its completion is waited for. */
      while (n >= 0 && io_uring_wait_cqe (&own->ring, &cqe) == -EINTR)
        ;
      if (cqe != NULL)
        {
          n = cqe->res;
          io_uring_cqe_seen (&own->ring, cqe);
        }
      ov_completed (self->host, 0, n);
      if (n <= 0)
        {
          const int error = n == 0 ? -EIO : ov_retry (self->host, n, &tries);

          if (error == 0)
            continue;
          self->host->explain (self->host, offset,
                               writes ? OV_TR ("The file cannot be written on")
                                      : OV_TR ("The file cannot be read on"));
          return error;
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

static int
registered_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return registered_move (self, data, bytes, offset, true);
}

static int
registered_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return registered_move (self, data, bytes, offset, false);
}

static void
registered_release (void *state)
{
  Copy *self = state;
  Registered *own = self->own;

  io_uring_queue_exit (&own->ring);
  free (own);
  copy_free (self);
}

/* The content as ov_content() may hand it out: the period, and a block behind it. */
static uint64_t
content_bytes (const OvTask *task)
{
  const uint64_t behind = task->length - task->content_period;

  return task->content_period + (behind < task->block ? behind : task->block);
}

static int
registered_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Registered *own = calloc (1, sizeof *own);
  Copy *self = NULL;
  int error = own != NULL ? copy_new (host, task, false, &self) : -ENOMEM;

  if (error == 0)
    error = io_uring_queue_init (2, &own->ring, 0);
  if (error != 0)
    {
      if (error == -EPERM || error == -ENOSYS)
        {
          host->explain (host, UINT64_MAX, OV_TR ("io_uring is switched off on this system"));
          error = -ENOTSUP;
        }
      free (own);
      if (self != NULL)
        copy_free (self);
      return error;
    }
  self->own = own;
  own->parts[0].iov_base = (void *)(uintptr_t)task->content;
  own->parts[0].iov_len = (size_t)content_bytes (task);
  own->parts[1].iov_base = self->target;
  own->parts[1].iov_len = (size_t)task->block;
  error = task->length > 0 ? io_uring_register_buffers (&own->ring, own->parts, 2) : 0;
  if (error == -ENOMEM)
    error = copy_explain_memlock (host, own->parts[0].iov_len + own->parts[1].iov_len);
  if (error != 0)
    registered_release (self);
  else
    *state = self;
  return error;
}

static int
registered_run (void *state)
{
  const int error = copy_open (state, 0);

  return error != 0 ? error : copy_both (state, registered_write, registered_read);
}

const OvStrategy strategy_registered = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.registered",
  .title = OV_TR ("Registered with io_uring"),
  .summary = OV_TR ("Both memories are registered with io_uring once; no transfer has to look up "
                    "or lock pages any more."),
  .family = "copy",
  .article = "4.3",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = registered_prepare,
  .run = registered_run,
  .release = registered_release,
  .source = registered_source,
  .source_end = registered_source_end,
};
