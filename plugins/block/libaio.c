/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.libaio: io_submit() for each block, io_getevents() for what is done.
 *
 * Two system calls where pread() takes one, so with a single request in flight it must lose; what
 * it buys is that others are in flight meanwhile.  Only direct I/O is asynchronous: through the
 * page cache io_submit() itself reads.
 */
#include "../libaio/context.h"

#include <unistd.h>

OV_EMBED_SOURCE (libaio_source);

static int
libaio_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return context_prepare (host, task, (uint64_t)task->options[0], (Context **)state);
}

static int
libaio_run (void *state)
{
  Context *self = state;
  Slots *slots = &self->slots;

  self->fd = slots_open (slots);
  if (self->fd < 0)
    return slots->error;
  context_watch_stop (self);
  while (slots_active (slots))
    {
      context_fill (self);   /* one request, where a buffer is free, */
      context_submit (self); /* is handed over: the first call */
      if (slots_ending (slots))
        context_cancel (self);
      context_reap (self); /* the second */
      slots_consume (slots);
    }
  close (self->fd);
  return slots->error;
}

static const OvOption option_batch = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_INT,
  .name = "batch",
  .title = OV_TR ("Requests at a time"),
  .help = OV_TR ("How many requests one system call hands over and waits for; 0 chooses by the "
                 "size of the blocks."),
  .maximum = 256,
  .standard = 1,
};

static const OvOption *const options[] = { &option_batch, NULL };

const OvStrategy block_libaio = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.libaio",
  .title = OV_TR ("Linux native AIO, block by block"),
  .summary = OV_TR ("Two system calls for each block, io_submit() and io_getevents(), so that "
                    "several blocks are on their way at once; every request is checked and its "
                    "buffer pinned anew."),
  .family = "block",
  .article = "5.1",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = context_probe,
  .prepare = libaio_prepare,
  .run = libaio_run,
  .release = context_release,
  .source = libaio_source,
  .source_end = libaio_source_end,
};
