/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copy.bytes: each chunk is copied byte by byte through a fixed buffer, on its way out and on its
 * way in.
 */
#include "copy.h"

OV_EMBED_SOURCE (bytes_source);

/* A symbol of its own, so that a profile shows it; and really byte by byte. */
__attribute__ ((noinline,
                optimize ("no-tree-vectorize", "no-tree-loop-distribute-patterns"))) static void
copy_bytes (char *to, const char *from, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    {
      to[i] = from[i];
      /* The compiler may not put several bytes into one step. */
      __asm__ volatile("" ::: "memory");
    }
}

static int
bytes_write (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  copy_bytes (self->bounce, data, bytes);
  return copy_pwrite (self, self->bounce, bytes, offset);
}

static int
bytes_read (Copy *self, char *data, size_t bytes, uint64_t offset)
{
  const int error = copy_pread (self, self->bounce, bytes, offset);

  if (error == 0)
    copy_bytes (data, self->bounce, bytes);
  return error;
}

static int
bytes_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return copy_new (host, task, true, (Copy **)state);
}

static int
bytes_run (void *state)
{
  const int error = copy_open (state, 0);

  return error != 0 ? error : copy_both (state, bytes_write, bytes_read);
}

const OvStrategy strategy_bytes = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "copy.bytes",
  .title = OV_TR ("Copied byte by byte"),
  .summary = OV_TR ("Every chunk goes through a fixed buffer, byte by byte, as the article's Lisp "
                    "did: a copy each way."),
  .family = "copy",
  .article = "4.2",
  .jobs = OV_JOB_TRANSFER,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES | OV_CAP_POSITIONS,
  .prepare = bytes_prepare,
  .run = bytes_run,
  .release = copy_free,
  .source = bytes_source,
  .source_end = bytes_source_end,
};
