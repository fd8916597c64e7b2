/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.memcpy: each chunk is copied by memcpy() through a fixed buffer, on its way out and on its
 * way in.
 */
#include "copy.h"

OV_EMBED_SOURCE (memcpy_source);

/* A symbol of its own; the samples are in the C library's memcpy(), which it calls. */
__attribute__ ((noinline)) static void
copy_memcpy (char *to, const char *from, size_t bytes)
{
  memcpy (to, from, bytes);
  /* No tail call: the caller would be missing from a call chain. */
  __asm__ volatile("" ::: "memory");
}

static int
memcpy_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  copy_memcpy (self->bounce, data, bytes);
  return copy_pwrite (self, self->bounce, bytes, offset);
}

static int
memcpy_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  const int error = copy_pread (self, self->bounce, bytes, offset);

  if (error == 0)
    copy_memcpy (data, self->bounce, bytes);
  return error;
}

static int
memcpy_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return copy_new (host, task, true, (Copy **)state);
}

static int
memcpy_run (void *state)
{
  const int error = copy_open (state, 0);

  return error != 0 ? error : copy_both (state, memcpy_write, memcpy_read);
}

const OvStrategy strategy_memcpy = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.memcpy",
  .title = OV_TR ("Copied by memcpy()"),
  .summary = OV_TR ("Every chunk goes through a fixed buffer by memcpy(), which uses the widest "
                    "registers there are: what a copy costs at least."),
  .family = "copy",
  .article = "4.2",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = memcpy_prepare,
  .run = memcpy_run,
  .release = copy_free,
  .source = memcpy_source,
  .source_end = memcpy_source_end,
};
