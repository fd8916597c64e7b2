/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.pinned: mlock() and munlock() around each transfer from and to the caller's memory.
 */
#include <sys/mman.h>

#include "copy.h"

OV_EMBED_SOURCE (pinned_source);

static int
pinned_move (Copy *self, char *data, size_t bytes, uint64_t offset,
             int (*transfer) (Copy *self, char *data, size_t bytes, uint64_t offset))
{
  int error;

  if (mlock (data, bytes) != 0)
    return copy_explain_memlock (self->host, bytes);
  error = transfer (self, data, bytes, offset);
  if (munlock (data, bytes) != 0 && error == 0)
    error = -errno;
  return error;
}

static int
pinned_pwrite (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return copy_pwrite (self, data, bytes, offset);
}

static int
pinned_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return pinned_move (self, data, bytes, offset, pinned_pwrite);
}

static int
pinned_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  return pinned_move (self, data, bytes, offset, copy_pread);
}

static int
pinned_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Copy *self;
  const int error = copy_new (host, task, false, &self);

  if (error != 0)
    return error;
  /* Better now than in the middle. */
  if (mlock (self->target, (size_t)task->block) != 0)
    {
      copy_free (self);
      return copy_explain_memlock (host, task->block);
    }
  munlock (self->target, (size_t)task->block);
  *state = self;
  return 0;
}

static int
pinned_run (void *state)
{
  const int error = copy_open (state, 0);

  return error != 0 ? error : copy_both (state, pinned_write, pinned_read);
}

const OvStrategy strategy_pinned = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.pinned",
  .title = OV_TR ("Locked for each transfer"),
  .summary = OV_TR ("The caller's memory is locked before each transfer and unlocked behind it, as "
                    "one does to keep a collector away."),
  .family = "copy",
  .article = "4.3",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = pinned_prepare,
  .run = pinned_run,
  .release = copy_free,
  .source = pinned_source,
  .source_end = pinned_source_end,
};
