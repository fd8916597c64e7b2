/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posted.c: posts requests with aio_read() and takes them back; see posted.h.
 */
#include <time.h>
#include <unistd.h>

#include "posted.h"

/* ---- Once for each run -------------------------------------------------------------------- */

/** Waits until the last notices have come, up to `limit_ms` milliseconds; false: not all came. */
bool
posted_settle (Posted *self, int limit_ms)
{
  struct timespec moment = { .tv_nsec = 1000000 };

  for (int i = 0; i < limit_ms; i++)
    {
      if (__atomic_load_n (&self->received, __ATOMIC_ACQUIRE) == self->expected)
        return true;
      nanosleep (&moment, NULL);
    }
  return false;
}

/** OvStrategy::release. */
void
posted_release (void *state)
{
  Posted *self = state;

  if (!posted_settle (self, 5000))
    return; /* somebody may still come to tell us: better to lose this little memory */
  if (self->event_fd >= 0)
    close (self->event_fd);
  free (self->flying);
  free (self->notice);
  free (self->request);
  slots_free (&self->slots);
  free (self);
}

/** OvStrategy::prepare. */
int
posted_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Posted *self = calloc (1, sizeof *self);
  uint32_t n;
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = self->event_fd = -1;
  self->how.sigev_notify = SIGEV_NONE;
  error = slots_init (&self->slots, host, task, 0);
  if (error == 0)
    {
      n = self->slots.n;
      self->request = calloc (n, sizeof *self->request);
      self->notice = calloc (n, sizeof *self->notice);
      self->flying = calloc (n, sizeof (Slot *));
      if (self->request == NULL || self->notice == NULL || self->flying == NULL)
        error = -ENOMEM;
    }
  if (error < 0)
    {
      posted_release (self);
      return error;
    }
  for (uint32_t i = 0; i < n; i++)
    self->notice[i].posted = self;
#ifdef __GLIBC__
  /* Whatever the depth: all requests of one descriptor go to one thread, one after the other. */
  host->effective (host, "helpers", "1");
#endif
  *state = self;
  return 0;
}

/* ---- During the run ----------------------------------------------------------------------- */

/** Opens the file of the task.  Returns 0 or -errno, which posted_close() will return. */
int
posted_open (Posted *self)
{
  self->fd = slots_open (&self->slots);
  return self->slots.error;
}

/** Closes the file and returns what `run` is to return. */
int
posted_close (Posted *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  return self->slots.error;
}

/* Posts the request of `slot`. */
static void
posted_read (Posted *self, Slot *slot)
{
  struct aiocb *request = &self->request[slot->index];
  Notice *notice = &self->notice[slot->index];

  *request = (struct aiocb){
    .aio_fildes = self->fd,
    .aio_buf = slot->memory,
    .aio_nbytes = slot->bytes,
    .aio_offset = (off_t)slot->offset,
    .aio_sigevent = self->how,
  };
  request->aio_sigevent.sigev_value.sival_ptr = notice;
  __atomic_store_n (&notice->told, 0, __ATOMIC_RELAXED);
  if (aio_read (request) < 0)
    {
      slots_arrived (&self->slots, slot, -errno, 0);
      return;
    }
  slots_handed (&self->slots, slot);
  self->flying[self->n_flying++] = slot;
  if (self->how.sigev_notify != SIGEV_NONE)
    self->expected++;
}

/** Posts as many requests as there are free buffers (or as the user wants at a time).  Once the run
 * is to end, cancels those whose turn has not come instead; they come back as failed. */
void
posted_fill (Posted *self)
{
  Slots *slots = &self->slots;
  Slot *slot;

  for (uint32_t i = 0; i < slots->make && (slot = slots_next (slots)) != NULL; i++)
    posted_read (self, slot);
  if (slots_ending (slots) && !self->cancelled)
    {
      self->cancelled = true;
      aio_cancel (self->fd, NULL);
    }
}

/* If the request of `slot` is done, takes its result. */
static bool
posted_take (Posted *self, Slot *slot, uint64_t stamp)
{
  struct aiocb *request = &self->request[slot->index];
  int error = aio_error (request);

  if (error == EINPROGRESS)
    return false;
  slots_arrived (&self->slots, slot, error != 0 ? -error : aio_return (request), stamp);
  return true;
}

/* Removes the first `taken` slots, NULL ones among the others too. */
static void
posted_close_ranks (Posted *self, uint32_t taken)
{
  uint32_t kept = 0;

  for (uint32_t i = taken; i < self->n_flying; i++)
    if (self->flying[i] != NULL)
      self->flying[kept++] = self->flying[i];
  self->n_flying = kept;
}

/** Takes the requests that are done, the oldest first, up to the first that is not.  (Requests of
 *  one descriptor are served in order, so there is no use in looking further.) */
void
posted_take_finished (Posted *self)
{
  uint32_t taken = 0;

  while (taken < self->n_flying && posted_take (self, self->flying[taken], 0))
    taken++;
  if (taken > 0)
    posted_close_ranks (self, taken);
}

/** Takes the requests of which we were told. */
void
posted_take_told (Posted *self)
{
  self->seen = __atomic_load_n (&self->received, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < self->n_flying; i++)
    {
      Slot *slot = self->flying[i];
      Notice *notice = &self->notice[slot->index];

      if (__atomic_exchange_n (&notice->told, 0, __ATOMIC_ACQUIRE) != 0
          && posted_take (self, slot, notice->stamp))
        self->flying[i] = NULL;
    }
  posted_close_ranks (self, 0);
}

extern const OvStrategy aio_spin, aio_wait, aio_callback, aio_signal;

OV_STRATEGIES (&aio_spin, &aio_wait, &aio_callback, &aio_signal);
