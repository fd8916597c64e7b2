/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * context.c: makes, feeds and ends the context of the libaio strategies; see context.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "context.h"

#define LONGEST_WAIT_NS 20000000 /* 20 ms */

/* ---- Whether it works here ---------------------------------------------------------------- */

static uint64_t
context_read_figure (const char *path)
{
  FILE *file = fopen (path, "re");
  unsigned long long figure = 0;

  if (file != NULL)
    {
      if (fscanf (file, "%llu", &figure) != 1)
        figure = 0;
      fclose (file);
    }
  return figure;
}

/* Says into `why` what `error` of io_setup() means, and how to lift it. */
static void
context_tell_why (int error, char *why, size_t size)
{
  if (error == -EAGAIN)
    snprintf (why, size,
              OV_TR ("All programs together may have %llu requests (fs.aio-max-nr), of which %llu "
                     "are in use (fs.aio-nr); an administrator allows more by: "
                     "sysctl fs.aio-max-nr=1048576"),
              (unsigned long long)context_read_figure ("/proc/sys/fs/aio-max-nr"),
              (unsigned long long)context_read_figure ("/proc/sys/fs/aio-nr"));
  else if (error == -ENOSYS)
    snprintf (why, size, "%s",
              OV_TR ("This kernel has no asynchronous I/O, or a container hides it; it takes a "
                     "kernel built with CONFIG_AIO."));
  else if (error == -EPERM || error == -EACCES)
    snprintf (why, size, "%s",
              OV_TR ("A security filter forbids io_setup; start the container with a seccomp "
                     "profile that allows io_setup, io_submit, io_getevents and io_destroy."));
  else
    snprintf (why, size, OV_TR ("Asynchronous I/O cannot be set up: %s."), strerror (-error));
}

/* Reads one byte of this very program. */
static int
context_try (io_context_t context)
{
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC), result;
  struct io_event event;
  struct iocb request, *requests[] = { &request };
  char byte;

  if (fd < 0)
    return 0; /* no /proc: nothing to try it with */
  io_prep_pread (&request, fd, &byte, 1, 0);
  result = io_submit (context, 1, requests);
  if (result == 1)
    result = io_getevents (context, 1, 1, &event, NULL);
  close (fd);
  return result == 1 ? 0 : result;
}

/** OvStrategy::probe: makes a context and reads a byte. */
int
context_probe (const OvHost *host, char *why, size_t why_size)
{
  io_context_t context = NULL;
  int error = io_setup (1, &context);

  if (error == 0)
    {
      error = context_try (context);
      io_destroy (context);
    }
  if (error < 0)
    context_tell_why (error, why, why_size);
  return error;
}

/* ---- Once for each run -------------------------------------------------------------------- */

/** OvStrategy::release. */
void
context_release (void *state)
{
  Context *self = state;

  if (self->context != NULL)
    io_destroy (self->context); /* takes some 30 ms even if nothing is in flight */
  free (self->prepared);
  free (self->events);
  free (self->request);
  slots_free (&self->slots);
  free (self);
}

/** Makes buffers and context for `task`, for requests that are made `batch` at a time (0: as
 *  slots_init() says).  Returns 0 and the context, or -errno, explained. */
int
context_prepare (const OvHost *host, const OvTask *task, uint64_t batch, Context **context)
{
  Context *self = calloc (1, sizeof *self);
  char why[256];
  uint32_t n;
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = slots_init (&self->slots, host, task, batch);
  n = self->slots.n;
  if (error == 0)
    {
      self->request = calloc (n, sizeof *self->request);
      self->events = calloc (n + 1, sizeof *self->events);
      self->prepared = calloc (n + 1, sizeof *self->prepared);
      if (self->request == NULL || self->events == NULL || self->prepared == NULL)
        error = -ENOMEM;
    }
  if (error == 0)
    {
      error = io_setup ((int)n + 1, &self->context);
      if (error < 0)
        {
          context_tell_why (error, why, sizeof why);
          host->explain (host, UINT64_MAX, why);
        }
    }
  if (error < 0)
    context_release (self);
  else
    *context = self;
  return error;
}

/* ---- During the run ----------------------------------------------------------------------- */

/** Lets Stop wake a thread that waits for completions: its descriptor's becoming readable is a
 *  completion too.  (Kernels before 4.18 refuse; then we wake now and then to look for ourselves.)
 */
void
context_watch_stop (Context *self)
{
  struct iocb *requests[] = { &self->wake };

  if (self->slots.host->wake_fd < 0)
    return;
  io_prep_poll (&self->wake, self->slots.host->wake_fd, POLLIN);
  self->watching = io_submit (self->context, 1, requests) == 1;
}

/** Prepares as many requests as there are free buffers (or as the user wants at a time). */
void
context_fill (Context *self)
{
  Slots *slots = &self->slots;
  Slot *slot;

  for (uint32_t i = 0; i < slots->make && (slot = slots_next (slots)) != NULL; i++)
    {
      struct iocb *request = &self->request[slot->index];

      io_prep_pread (request, self->fd, slot->memory, slot->bytes, (long long)slot->offset);
      request->data = slot;
      self->prepared[self->n_prepared++] = request;
    }
}

/** Hands the prepared requests over.  What the kernel refuses comes back as failed. */
void
context_submit (Context *self)
{
  struct iocb **next = self->prepared, **end = next + self->n_prepared;

  while (next < end)
    {
      int n = io_submit (self->context, end - next, next);

      if (n > 0)
        for (struct iocb **taken = next + n; next < taken; next++)
          slots_handed (&self->slots, (*next)->data);
      else
        slots_arrived (&self->slots, (*next++)->data, n < 0 ? n : -EAGAIN, 0);
    }
  self->n_prepared = 0;
}

/** Cancels what can be cancelled.  Requests of a disk cannot; whether one was is only to be seen by
 *  its completion. */
void
context_cancel (Context *self)
{
  struct io_event event;

  if (self->cancelled)
    return;
  self->cancelled = true;
  for (uint32_t i = 0; i < self->slots.n; i++)
    io_cancel (self->context, &self->request[i], &event);
}

/** Waits for completions and takes all that are there. */
void
context_reap (Context *self)
{
  Slots *slots = &self->slots;
  uint32_t least = slots_to_wait_for (slots);
  struct timespec timeout = { .tv_nsec = least > 0 ? LONGEST_WAIT_NS : 0 };
  bool patient = self->watching && least == 1;
  int n;

  if (slots->in_flight == 0)
    return;
  n = io_getevents (self->context, least, slots->n + 1, self->events, patient ? NULL : &timeout);
  for (int i = 0; i < n; i++)
    if (self->events[i].obj != &self->wake)
      slots_arrived (slots, self->events[i].data, (int64_t)self->events[i].res, 0);
    else
      self->watching = false;
}
