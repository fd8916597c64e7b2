/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.bulk: whole blocks go to the system in one call, from the caller's memory.
 *
 * What the buffer holds already is filled up and written out, so that the file stands at a block's
 * border again; then all whole blocks are written with one call, without being copied; what is left
 * over waits in the buffer.
 */
#include "stream.h"

OV_EMBED_SOURCE (bulk_source);

static int
put (Stream *self, const char *data, size_t bytes)
{
  size_t first = self->used > 0 ? self->room - self->used : 0, whole;
  int error;

  if (first > bytes)
    first = bytes;
  error = stream_put_bytes (self, data, first); /* align */
  whole = (bytes - first) / self->room * self->room;
  if (error == 0 && whole > 0)
    error = stream_write (self, data + first, whole); /* all whole blocks at once */
  if (error == 0)
    error = stream_put_bytes (self, data + first + whole, bytes - first - whole);
  return error;
}

static int
bulk_run (void *state)
{
  return stream_run (state, put);
}

static const OvOption *const options[] = { STREAM_OPTIONS, NULL };

const OvStrategy fwrite_bulk = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.bulk",
  .title = OV_TR ("All whole blocks in one call"),
  .summary = OV_TR ("Fills up the buffer, hands all whole blocks to the system with one call "
                    "from the caller's memory, and keeps the rest in the buffer."),
  .family = "fwrite",
  .article = "2.2",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = stream_prepare,
  .run = bulk_run,
  .release = stream_release,
  .source = bulk_source,
  .source_end = bulk_source_end,
};
