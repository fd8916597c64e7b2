/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libaio.wait: the kernel's older asynchronous interface, io_submit() and io_getevents().
 *
 * It is asynchronous for direct I/O only.  On a file that goes through the page cache io_submit()
 * reads at once, and returns when the bytes are there: then nothing overlaps.  Compare the time
 * taken by submitting with the time until completion.
 */
#include <fcntl.h>
#include <libaio.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../slots.h"

#define LONGEST_WAIT_NS 20000000 /* 20 ms */

OV_EMBED_SOURCE (wait_source);

typedef struct Wait
{
  Slots slots;
  io_context_t context;
  int fd;
  struct iocb *request;    /* one for each slot */
  struct io_event *events; /* what io_getevents() fills in, */
  struct iocb **prepared;  /* what io_submit() is to take: */
  uint32_t n_prepared;     /* so many */
  struct iocb wake;        /* becomes complete when the run is stopped */
  bool watching;           /* the kernel took it */
  bool cancelled;
} Wait;

/* ---- Whether it works here ---------------------------------------------------------------- */

static uint64_t
wait_read_figure (const char *path)
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
wait_tell_why (int error, char *why, size_t size)
{
  if (error == -EAGAIN)
    snprintf (why, size,
              OV_TR ("All programs together may have %llu requests (fs.aio-max-nr), of which %llu "
                     "are in use (fs.aio-nr); an administrator allows more by: "
                     "sysctl fs.aio-max-nr=1048576"),
              (unsigned long long)wait_read_figure ("/proc/sys/fs/aio-max-nr"),
              (unsigned long long)wait_read_figure ("/proc/sys/fs/aio-nr"));
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
wait_try (io_context_t context)
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

static int
wait_probe (const OvHost *host, char *why, size_t why_size)
{
  io_context_t context = NULL;
  int error = io_setup (1, &context);

  if (error == 0)
    {
      error = wait_try (context);
      io_destroy (context);
    }
  if (error < 0)
    wait_tell_why (error, why, why_size);
  return error;
}

/* ---- Once for each run -------------------------------------------------------------------- */

static void
wait_release (void *state)
{
  Wait *self = state;

  if (self->context != NULL)
    io_destroy (self->context); /* takes some 30 ms even if nothing is in flight */
  free (self->prepared);
  free (self->events);
  free (self->request);
  slots_free (&self->slots);
  free (self);
}

static int
wait_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Wait *self = calloc (1, sizeof *self);
  char why[256];
  uint32_t n;
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = slots_init (&self->slots, host, task, (uint64_t)task->options[0]);
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
          wait_tell_why (error, why, sizeof why);
          host->explain (host, UINT64_MAX, why);
        }
    }
  if (error < 0)
    wait_release (self);
  else
    *state = self;
  return error;
}

/* ---- During the run ----------------------------------------------------------------------- */

/* Lets Stop wake a thread that waits for completions: its descriptor's becoming readable is a
 * completion too.  (Kernels before 4.18 refuse; then we wake now and then to look for ourselves.)
 */
static void
wait_watch_stop (Wait *self)
{
  struct iocb *requests[] = { &self->wake };

  if (self->slots.host->wake_fd < 0)
    return;
  io_prep_poll (&self->wake, self->slots.host->wake_fd, POLLIN);
  self->watching = io_submit (self->context, 1, requests) == 1;
}

/* Prepares as many requests as there are free buffers (or as the user wants at a time). */
static void
wait_fill (Wait *self)
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

/* Hands the prepared requests over.  What the kernel refuses comes back as failed. */
static void
wait_submit (Wait *self)
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

/* Cancels what can be cancelled.  Requests of a disk cannot; whether one was is only to be seen by
 * its completion. */
static void
wait_cancel (Wait *self)
{
  struct io_event event;

  if (self->cancelled)
    return;
  self->cancelled = true;
  for (uint32_t i = 0; i < self->slots.n; i++)
    io_cancel (self->context, &self->request[i], &event);
}

/* Waits for completions and takes all that are there. */
static void
wait_reap (Wait *self)
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

static int
wait_run (void *state)
{
  Wait *self = state;
  Slots *slots = &self->slots;

  self->fd = slots_open (slots);
  if (self->fd < 0)
    return slots->error;
  wait_watch_stop (self);
  while (slots_active (slots))
    {
      wait_fill (self);
      wait_submit (self);
      if (slots_ending (slots))
        wait_cancel (self);
      wait_reap (self);
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
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC,
  .options = options,
  .probe = wait_probe,
  .prepare = wait_prepare,
  .run = wait_run,
  .release = wait_release,
  .source = wait_source,
  .source_end = wait_source_end,
};

OV_STRATEGIES (&libaio_wait);
