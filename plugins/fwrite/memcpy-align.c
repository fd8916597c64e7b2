/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fwrite.memcpy-align: as fwrite.bulk or fwrite.blocks, but the buffer is filled by memcpy().
 *
 * The bytes before and after the whole blocks are few, so that it hardly matters how they come into
 * the buffer; where a call gives less than a block, they are all.
 */
#include "stream.h"

OV_EMBED_SOURCE (memcpy_align_source);

enum
{
  OPTION_WHOLE = STREAM_OPTION_OWN
};

/* Fills up the buffer, writes pieces of `piece` bytes (0: all at once), copies the rest. */
static int
put_pieces (Stream *self, const char *data, size_t bytes, size_t piece)
{
  size_t first = self->used > 0 ? self->room - self->used : 0, whole;
  int error;

  if (first > bytes)
    first = bytes;
  error = stream_put_copy (self, data, first);
  data += first;
  bytes -= first;
  whole = bytes / self->room * self->room;
  bytes -= whole;
  if (piece == 0)
    piece = whole;
  for (; error == 0 && whole > 0; whole -= piece, data += piece)
    error = stream_write (self, data, piece);
  return error == 0 ? stream_put_copy (self, data, bytes) : error;
}

static int
put_bulk (Stream *self, const char *data, size_t bytes)
{
  return put_pieces (self, data, bytes, 0);
}

static int
put_blocks (Stream *self, const char *data, size_t bytes)
{
  return put_pieces (self, data, bytes, self->room);
}

static int
memcpy_align_run (void *state)
{
  Stream *self = state;

  return stream_run (self, self->task->options[OPTION_WHOLE] == 0 ? put_bulk : put_blocks);
}

static const char *const whole_choices[] = { "bulk", "blocks", NULL };

static const OvOption option_whole = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_CHOICE,
  .name = "whole-blocks",
  .title = OV_TR ("Whole blocks"),
  .help = OV_TR ("Whether whole blocks are written with one call (bulk) or one by one (blocks)."),
  .maximum = 1,
  .choices = whole_choices,
};

static const OvOption *const options[] = { STREAM_OPTIONS, &option_whole, NULL };

const OvStrategy fwrite_memcpy_align = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "fwrite.memcpy-align",
  .title = OV_TR ("Buffer filled by memcpy()"),
  .summary = OV_TR ("Copies what comes before and after the whole blocks with memcpy(); the "
                    "whole blocks go to the system at once or one by one."),
  .family = "fwrite",
  .article = "2.4",
  .jobs = OV_JOB_WRITE,
  .caps = OV_CAP_BLOCK | OV_CAP_WRITES,
  .options = options,
  .prepare = stream_prepare,
  .run = memcpy_align_run,
  .release = stream_release,
  .source = memcpy_align_source,
  .source_end = memcpy_align_source_end,
};
