/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ring.c: makes, feeds and closes the ring of the io_uring strategies; see ring.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ring.h"

#define LONGEST_WAIT_NS 20000000 /* 20 ms */
#define POLLER_IDLE_MS  1000     /* a polling thread sleeps when there was nothing for so long */

/* How a ring is set up, the newest way first; the first that this kernel knows is taken.  The lists
 * end with one that has no name. */
typedef struct RingFlags
{
  unsigned flags;
  const char *name;
} RingFlags;

/* Whoever sleeps in the kernel runs the ends of its requests there itself, all at one go, instead
 * of being interrupted for each (DEFER_TASKRUN). */
static const RingFlags ring_sleeps[] = {
  { IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, "single-issuer, defer-taskrun" },
  { IORING_SETUP_COOP_TASKRUN, "coop-taskrun" },
  { 0, "plain" },
  { 0, NULL },
};

/* Whoever only looks never comes there, and must be called by a flag (TASKRUN_FLAG). */
static const RingFlags ring_looks[] = {
  { IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
    "single-issuer, coop-taskrun, taskrun-flag" },
  { IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG, "coop-taskrun, taskrun-flag" },
  { 0, "plain" },
  { 0, NULL },
};

/* Where a thread of the kernel takes the requests, none of the others' flags is allowed. */
static const RingFlags ring_polled[] = {
  { IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER, "sqpoll, single-issuer" },
  { IORING_SETUP_SQPOLL, "sqpoll" },
  { 0, NULL },
};

static const RingFlags *const ring_ways[]
    = { [RING_SLEEPS] = ring_sleeps, [RING_LOOKS] = ring_looks, [RING_POLLED] = ring_polled };

const OvOption ring_option_buffers = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "registered-buffers",
  .title = OV_TR ("Registered buffers"),
  .help = OV_TR ("Makes the buffers known to the kernel once, so that it need not find and pin "
                 "their pages for each direct request."),
  .maximum = 1,
};

const OvOption ring_option_file = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "registered-file",
  .title = OV_TR ("Registered file"),
  .help = OV_TR ("Makes the file known to the kernel once, so that it need not be looked up for "
                 "each request."),
  .maximum = 1,
};

const OvOption ring_option_batch = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_INT,
  .name = "batch",
  .title = OV_TR ("Requests at a time"),
  .help = OV_TR ("How many requests one system call hands over and waits for; 0 chooses by the "
                 "size of the blocks."),
  .maximum = 256,
};

/* ---- Whether it works here ---------------------------------------------------------------- */

/* Says into `why` what `error` means when a ring is made, and how to lift it. */
static void
ring_tell_why (int error, char *why, size_t size)
{
  FILE *file = fopen ("/proc/sys/kernel/io_uring_disabled", "re");
  int disabled = 0;

  if (file != NULL)
    {
      if (fscanf (file, "%d", &disabled) != 1)
        disabled = 0;
      fclose (file);
    }
  if (error == -EPERM && disabled > 0)
    snprintf (why, size,
              OV_TR ("io_uring is switched off here (kernel.io_uring_disabled is %d); an "
                     "administrator allows it by: sysctl kernel.io_uring_disabled=0"),
              disabled);
  else if (error == -EPERM || error == -EACCES)
    snprintf (why, size, "%s",
              OV_TR ("A security filter forbids io_uring, as containers' filters usually do; start "
                     "the container with a seccomp profile that allows io_uring_setup, "
                     "io_uring_enter and io_uring_register."));
  else if (error == -ENOSYS)
    snprintf (why, size, "%s",
              OV_TR ("This kernel has no io_uring, or a container hides it; it takes Linux 5.6 or "
                     "later, built with CONFIG_IO_URING."));
  else if (error == -ENOMEM)
    snprintf (why, size, "%s",
              OV_TR ("There is not enough memory that may be locked for a ring; raise the limit "
                     "\"memlock\" (ulimit -l)."));
  else
    snprintf (why, size, OV_TR ("A ring cannot be made: %s."), strerror (-error));
}

/* Memory that an earlier ring had locked is given back late: whether to try once more. */
static bool
ring_may_retry (const OvHost *host, int error, int *tries)
{
  return error == -ENOMEM && ++*tries <= 5 && host->wait (host, -1, 20) == 0;
}

static int
ring_init (struct io_uring *ring, unsigned entries, unsigned flags)
{
  struct io_uring_params params = { .flags = flags };

  if ((flags & IORING_SETUP_SQPOLL) != 0)
    params.sq_thread_idle = POLLER_IDLE_MS;
  return io_uring_queue_init_params (entries, ring, &params);
}

/* Makes the ring in the newest way that works. */
static int
ring_make (const OvHost *host, struct io_uring *ring, unsigned entries, RingKind kind,
           const char **name)
{
  const RingFlags *way = ring_ways[kind];
  int error, tries = 0;

  do
    while ((error = ring_init (ring, entries, way->flags)) == -EINVAL && way[1].name != NULL)
      way++;
  while (ring_may_retry (host, error, &tries));
  *name = way->name;
  return error;
}

/* Reads one byte from a pipe through `ring`: a real request that needs nothing from outside. */
static int
ring_try (struct io_uring *ring)
{
  struct io_uring_sqe *sqe = io_uring_get_sqe (ring);
  struct io_uring_cqe *cqe;
  int ends[2], result;
  char byte = 0;

  if (pipe2 (ends, O_CLOEXEC) < 0)
    return -errno;
  result = write (ends[1], "x", 1) == 1 ? 0 : -errno;
  io_uring_prep_read (sqe, ends[0], &byte, 1, 0);
  if (result == 0)
    result = io_uring_submit_and_wait (ring, 1);
  if (result >= 0)
    result = io_uring_wait_cqe (ring, &cqe);
  if (result == 0)
    {
      result = cqe->res == 1 && byte == 'x' ? 0 : cqe->res < 0 ? cqe->res : -EIO;
      io_uring_cqe_seen (ring, cqe);
    }
  close (ends[0]);
  close (ends[1]);
  return result;
}

static int
ring_probe_kind (RingKind kind, const OvHost *host, char *why, size_t why_size)
{
  struct io_uring ring;
  const char *name;
  int error = ring_make (host, &ring, 4, kind, &name);

  if (error == 0)
    {
      error = ring_try (&ring);
      io_uring_queue_exit (&ring);
    }
  if (error < 0)
    ring_tell_why (error, why, why_size);
  return error;
}

/** OvStrategy::probe: makes a ring and does one request. */
int
ring_probe (const OvHost *host, char *why, size_t why_size)
{
  return ring_probe_kind (RING_SLEEPS, host, why, why_size);
}

/* Whether an ordinary ring can be had, so that it is the polling thread that is refused. */
static bool
ring_poller_refused (const OvHost *host, int error)
{
  char why[256];

  return (error == -EPERM || error == -EACCES || error == -EINVAL)
         && ring_probe (host, why, sizeof why) == 0;
}

static void
ring_tell_why_not_polled (int error, char *why, size_t size)
{
  if (error == -EINVAL)
    snprintf (why, size, "%s",
              OV_TR ("This kernel has no polling thread for rings (IORING_SETUP_SQPOLL)."));
  else
    snprintf (why, size, "%s",
              OV_TR ("The kernel refuses a polling thread (IORING_SETUP_SQPOLL): before Linux 5.11 "
                     "only an administrator gets one; run it as root, or with a newer kernel."));
}

/** As ring_probe(), with a polling thread. */
int
ring_probe_polled (const OvHost *host, char *why, size_t why_size)
{
  int error = ring_probe_kind (RING_POLLED, host, why, why_size);

  if (error < 0 && ring_poller_refused (host, error))
    ring_tell_why_not_polled (error, why, why_size);
  return error;
}

/* ---- Once for each run -------------------------------------------------------------------- */

/* Registers each slot's buffer under the slot's number.  Where the limit of locked memory does not
 * allow it, the run goes on without, and says so. */
static void
ring_register_buffers (Ring *self)
{
  const OvHost *host = self->slots.host;
  uint32_t n = self->slots.n;
  struct iovec *vector = calloc (n, sizeof *vector);
  struct rlimit limit = { 0, 0 };
  char text[96];
  int error = -ENOMEM, tries = 0;

  if (vector != NULL)
    {
      for (uint32_t i = 0; i < n; i++)
        vector[i] = (struct iovec){ self->slots.slot[i].buffer,
                                    ov_round_up (self->slots.task->block, 512) };
      do
        error = io_uring_register_buffers (&self->ring, vector, n);
      while (ring_may_retry (host, error, &tries));
      free (vector);
    }
  self->fixed_buffers = error == 0;
  if (error == 0)
    {
      host->effective (host, "registered-buffers", "yes");
      return;
    }
  getrlimit (RLIMIT_MEMLOCK, &limit);
  if (error == -ENOMEM && limit.rlim_cur != RLIM_INFINITY)
    snprintf (text, sizeof text, "no (the limit of locked memory is %llu K: raise it by ulimit -l)",
              (unsigned long long)limit.rlim_cur / 1024);
  else
    snprintf (text, sizeof text, "no (%s)", strerror (-error));
  host->effective (host, "registered-buffers", text);
}

/* The run goes on with the file looked up for each request. */
static void
ring_tell_not_registered (const OvHost *host, int error)
{
  char text[96];

  snprintf (text, sizeof text, "no (%s)", strerror (error));
  host->effective (host, "registered-file", text);
}

/* Registers a table of one file, to be filled once it is open: what costs time is done here. */
static void
ring_register_file (Ring *self)
{
  int none = -1;
  int error = io_uring_register_files (&self->ring, &none, 1);

  self->fixed_file = error == 0;
  if (error < 0)
    ring_tell_not_registered (self->slots.host, -error);
}

/* Makes the ring; on an error there is none, and it is explained. */
static int
ring_set_up (Ring *self, RingKind kind)
{
  const OvHost *host = self->slots.host;
  const char *name;
  char why[256];
  int error;

  /* Two more than there are slots: one to wake us, one to cancel the others. */
  error = ring_make (host, &self->ring, self->slots.n + 2, kind, &name);
  if (error == 0)
    {
      host->effective (host, "ring", name);
      return 0;
    }
  if (kind == RING_POLLED && ring_poller_refused (host, error))
    ring_tell_why_not_polled (error, why, sizeof why);
  else
    ring_tell_why (error, why, sizeof why);
  host->explain (host, UINT64_MAX, why);
  return error;
}

/** Makes buffers and ring for `task`.  Returns 0 and the ring, or -errno, explained. */
int
ring_prepare (const RingSetup *setup, const OvHost *host, const OvTask *task, Ring **ring)
{
  Ring *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = slots_init (&self->slots, host, task, setup->batch);
  if (error == 0)
    {
      error = ring_set_up (self, setup->kind);
      if (error < 0)
        slots_free (&self->slots);
    }
  if (error < 0)
    {
      free (self);
      return error;
    }
  self->fd = self->event_fd = self->epoll_fd = -1;
  if (setup->buffers)
    ring_register_buffers (self);
  if (setup->file)
    ring_register_file (self);
  io_uring_register_ring_fd (&self->ring); /* a little faster; if it fails, it is not */
  *ring = self;
  return 0;
}

/** OvStrategy::release. */
void
ring_release (void *state)
{
  Ring *self = state;

  io_uring_queue_exit (&self->ring);
  if (self->epoll_fd >= 0)
    close (self->epoll_fd);
  if (self->event_fd >= 0)
    close (self->event_fd);
  slots_free (&self->slots);
  free (self);
}

/* ---- During the run ----------------------------------------------------------------------- */

/** Opens the file of the task.  Returns 0 or -errno, which ring_close() will return. */
int
ring_open (Ring *self)
{
  const OvHost *host = self->slots.host;
  int error;

  self->fd = self->target = slots_open (&self->slots);
  if (self->fd < 0)
    return self->slots.error;
  if (self->fixed_file)
    {
      error = io_uring_register_files_update (&self->ring, 0, &self->fd, 1);
      if (error == 1)
        {
          self->target = 0; /* the first and only registered file */
          host->effective (host, "registered-file", "yes");
        }
      else
        {
          self->fixed_file = false;
          ring_tell_not_registered (host, error < 0 ? -error : EIO);
        }
    }
  return 0;
}

/** Closes the file and returns what `run` is to return. */
int
ring_close (Ring *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  return self->slots.error;
}

/** Lets Stop wake a thread that waits for completions: its descriptor's becoming readable is a
 *  completion too. */
void
ring_watch_stop (Ring *self)
{
  struct io_uring_sqe *sqe;

  if (self->slots.host->wake_fd < 0)
    return;
  sqe = io_uring_get_sqe (&self->ring);
  io_uring_prep_poll_add (sqe, self->slots.host->wake_fd, POLLIN);
  io_uring_sqe_set_data64 (sqe, RING_WAKE);
}

/* The kernel refuses the requests in the queue for good.  They come back with `error`. */
static void
ring_refused (Ring *self, int error)
{
  struct io_uring_sq *sq = &self->ring.sq;

  self->refused = true;
  slots_fail (&self->slots, error, UINT64_MAX,
              OV_TR ("The kernel does not take requests from the ring any more."));
  for (unsigned at = *sq->khead; at != sq->sqe_tail; at++)
    {
      uint64_t number = sq->sqes[at & *sq->kring_mask].user_data;

      if (number < self->slots.n)
        slots_arrived (&self->slots, &self->slots.slot[number], error, 0);
    }
}

/* A call that did not wait has handed over what was queued from `from` on. */
static void
ring_tell_handed (Ring *self, unsigned from)
{
  const struct io_uring_sq *sq = &self->ring.sq;

  for (unsigned at = from; at != sq->sqe_tail; at++)
    {
      uint64_t number = sq->sqes[at & *sq->kring_mask].user_data;

      if (number < self->slots.n)
        slots_handed (&self->slots, &self->slots.slot[number]);
    }
}

/** Hands the queued requests over and waits for `wait_for` completions (0: does not wait). */
void
ring_submit (Ring *self, uint32_t wait_for)
{
  struct __kernel_timespec timeout = { .tv_nsec = LONGEST_WAIT_NS };
  struct io_uring *ring = &self->ring;
  struct io_uring_cqe *cqe;
  int result;

  if (self->refused)
    result = wait_for > 0 ? io_uring_wait_cqe (ring, &cqe) : 0;
  else if (wait_for > 1) /* Stop is only one completion: look for it now and then */
    result = io_uring_submit_and_wait_timeout (ring, &cqe, wait_for, &timeout, NULL);
  else if (wait_for == 1)
    result = io_uring_submit_and_wait (ring, 1);
  else if (io_uring_sq_ready (ring) > 0)
    {
      const unsigned from = *ring->sq.khead;

      result = io_uring_submit_and_get_events (ring);
      if (result > 0 && self->slots.host->timing != OV_TIMING_COUNTERS)
        ring_tell_handed (self, from);
    }
  else
    return;

  if (result >= 0)
    self->tries = 0;
  else if (!self->refused && result != -ETIME && result != -EBUSY)
    {
      result = ov_retry (self->slots.host, result, &self->tries);
      if (result < 0 && result != -ECANCELED)
        ring_refused (self, result);
    }
}

/** Cancels all requests that can be: those still waiting for their turn.  Whether they were is
 *  only to be seen by their completions, for which the caller goes on waiting.  Once is enough. */
void
ring_cancel (Ring *self)
{
  struct io_uring_sqe *sqe;

  if (self->cancelled || self->refused || self->slots.in_flight == 0)
    return;
  self->cancelled = true;
  sqe = io_uring_get_sqe (&self->ring);
  io_uring_prep_cancel64 (sqe, 0, IORING_ASYNC_CANCEL_ALL | IORING_ASYNC_CANCEL_ANY);
  io_uring_sqe_set_data64 (sqe, RING_CANCEL);
}
