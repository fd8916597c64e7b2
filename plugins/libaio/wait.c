/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libaio.wait: the kernel's older asynchronous interface, io_submit() and io_getevents().
 *
 * It is asynchronous for direct I/O only.  On a file that goes through the page cache io_submit()
 * reads at once, and returns when the bytes are there: then nothing overlaps.  Compare the time
 * taken by submitting with the time until completion.
 */
#include <unistd.h>

#include "context.h"

OV_EMBED_SOURCE (wait_source);

static int
wait_prepare (const OvHost *host, const OvTask *task, void **state)
{
  return context_prepare (host, task, (uint64_t)task->options[0], (Context **)state);
}

static int
wait_run (void *state)
{
  Context *self = state;
  Slots *slots = &self->slots;

  self->fd = slots_open (slots);
  if (self->fd < 0)
    return slots->error;
  context_watch_stop (self);
  while (slots_active (slots))
    {
      context_fill (self);
      context_submit (self);
      if (slots_ending (slots))
        context_cancel (self);
      context_reap (self);
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
};

static const OvOption *const options[] = { &option_batch, NULL };

static const OvStrategy libaio_wait = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "libaio.wait",
  .title = OV_TR ("Linux native AIO"),
  .summary = OV_TR ("Hands requests to the kernel with io_submit() and sleeps in io_getevents() "
                    "until one is done: asynchronous for direct I/O, while reading through the "
                    "page cache blocks when it is handed over."),
  .family = "libaio",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = context_probe,
  .prepare = wait_prepare,
  .run = wait_run,
  .release = context_release,
  .source = wait_source,
  .source_end = wait_source_end,
};

OV_STRATEGIES (&libaio_wait);
