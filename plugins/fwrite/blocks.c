/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.blocks: whole blocks go to the system one by one, from the caller's memory.
 *
 * As fwrite.bulk, but with one call for each block.  A block is the stream's own buffer, not what
 * the caller gave: nothing is copied, yet there are as many calls as with putc().
 */
#include "stream.h"

OV_EMBED_SOURCE (blocks_source);

static int
put (Stream *self, const char *data, size_t bytes)
{
  size_t first = self->used > 0 ? self->room - self->used : 0;
  int error;

  if (first > bytes)
    first = bytes;
  error = stream_put_bytes (self, data, first); /* align */
  for (data += first, bytes -= first; error == 0 && bytes >= self->room; bytes -= self->room)
    {
      error = stream_write (self, data, self->room); /* one block */
      data += self->room;
    }
  return error == 0 ? stream_put_bytes (self, data, bytes) : error;
}

static int
blocks_run (void *state)
{
  return stream_run (state, put);
}

static const OvOption *const options[] = { STREAM_OPTIONS, NULL };

const OvStrategy fwrite_blocks = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.blocks",
  .title = OV_TR ("One call for each whole block"),
  .summary = OV_TR ("Fills up the buffer, hands whole blocks to the system one by one from the "
                    "caller's memory, and keeps the rest in the buffer."),
  .family = "fwrite",
  .article = "2.3",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = stream_prepare,
  .run = blocks_run,
  .release = stream_release,
  .source = blocks_source,
  .source_end = blocks_source_end,
};
