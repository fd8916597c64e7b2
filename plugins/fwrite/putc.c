/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.putc: each byte goes through the stream's buffer, one after the other.
 *
 * The shortest way to write an fwrite(): call putc() for each byte.  However much the caller has,
 * the system is asked to write one buffer at a time, and every byte is copied on its own.
 */
#include "stream.h"

OV_EMBED_SOURCE (putc_source);

static int
put (Stream *self, const char *data, size_t bytes)
{
  return stream_put_bytes (self, data, bytes);
}

static int
putc_run (void *state)
{
  return stream_run (state, put);
}

static const OvOption *const options[] = { STREAM_OPTIONS, NULL };

const OvStrategy fwrite_putc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.putc",
  .title = OV_TR ("putc() for each byte"),
  .summary = OV_TR ("Copies every byte through the stream's buffer on its own and writes a "
                    "buffer at a time, however much the caller has."),
  .family = "fwrite",
  .article = "2.1",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = stream_prepare,
  .run = putc_run,
  .release = stream_release,
  .source = putc_source,
  .source_end = putc_source_end,
};
