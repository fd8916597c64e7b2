/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * aio.wait: POSIX AIO, sleeping until the oldest request is done.
 *
 * aio_suspend() leaves the processor to others while there is nothing to do, for the price of
 * being woken.  It cannot wait for Stop as well; so Stop takes back what waits for its turn, which
 * wakes it.  What is being served cannot be taken back, and wakes it when it is done.  (A look
 * every 10 ms instead would set a timer for each request.)
 */
#include "posted.h"

OV_EMBED_SOURCE (wait_source);

static int
wait_run (void *state)
{
  Posted *posted = state;
  Slots *slots = &posted->slots;

  if (posted_open (posted) == 0)
    while (slots_active (slots))
      {
        posted_fill (posted);
        if (slots_to_wait_for (slots) > 0)
          {
            const struct aiocb *awaited[] = { posted_awaited (posted) };

            aio_suspend (awaited, 1, NULL);
          }
        posted_take_finished (posted);
        slots_consume (slots);
      }
  return posted_close (posted);
}

/* Wakes wait_run(); a request that it posts after this is alone, and so served at once. */
static void
wait_abort (void *state)
{
  Posted *posted = state;
  const int fd = posted->fd;

  if (fd >= 0)
    aio_cancel (fd, NULL);
}

const OvStrategy aio_wait = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "aio.wait",
  .title = OV_TR ("POSIX AIO, waiting"),
  .summary = OV_TR ("Posts requests with aio_read(), which the C library serves on a thread of its "
                    "own, and sleeps in aio_suspend() until the oldest is done."),
  .family = "aio",
  .article = "1.6 1.7 1.9",
  .jobs = OV_JOB_COUNT | OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .prepare = posted_prepare,
  .run = wait_run,
  .abort = wait_abort,
  .release = posted_release,
  .source = wait_source,
  .source_end = wait_source_end,
};
