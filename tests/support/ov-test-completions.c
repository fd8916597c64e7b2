// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Faults in completions: see ov-test-completions.h.
 *
 * io_uring's completions lie in memory shared with the kernel and are changed there, after each
 * call that can bring some and before the strategy looks.
 */
#include "config.h"

#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <libaio.h>
#include <liburing.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ov-test-completions.h"
#include "ov-test-host.h"

#define EXPORTED __attribute__ ((visibility ("default")))

static OvTestCompletion active;
static gsize smallest;
static guint completions;
static guint submissions;
static guint faults;
static guint threads;
static int setup_error;
static int poller_error;
static guint ring_seen; /* completions of the ring that were dealt with */

void
ov_test_completions (OvTestCompletion fault, gsize unit)
{
  active = fault;
  smallest = unit;
  completions = submissions = faults = threads = ring_seen = 0;
}

guint
ov_test_completions_end (void)
{
  active = OV_TEST_COMPLETION_NONE;
  return faults;
}

guint
ov_test_completions_threads (void)
{
  return threads;
}

void
ov_test_fail_io_setup (int error)
{
  setup_error = error;
}

void
ov_test_refuse_poller (int error)
{
  poller_error = error;
}

/* What a request that came back with `result` is said to have come back with. */
static gint64
interfere (gint64 result)
{
  guint n = completions++;
  gint64 changed = result;

  if (result < (gint64)smallest)
    return result;
  if (active == OV_TEST_COMPLETION_SHORT && n % 3 == 0 && result >= (gint64)smallest * 3)
    changed = result / 3 / (gint64)smallest * (gint64)smallest;
  else if (active == OV_TEST_COMPLETION_INTERRUPTED && n % 3 == 0)
    changed = -EINTR;
  else if (active == OV_TEST_COMPLETION_AGAIN && n % 10 == 0)
    changed = -EAGAIN;
  else if (active == OV_TEST_COMPLETION_ALWAYS_AGAIN)
    changed = -EAGAIN;
  else if (active == OV_TEST_COMPLETION_IO && n == 4)
    changed = -EIO;
  if (changed != result)
    faults++;
  return changed;
}

/* The errno with which a call that hands requests over is to fail; or 0. */
static int
refuse (void)
{
  guint n = submissions++;
  int error = 0;

  if (active == OV_TEST_SUBMISSION_AGAIN)
    error = n % 2 == 1 ? EAGAIN : 0;
  else if (active == OV_TEST_SUBMISSION_REFUSED)
    error = n >= 2 ? ENXIO : 0;
  if (error != 0)
    faults++;
  return error;
}

/* ---- POSIX AIO ---------------------------------------------------------------------------- */

static gpointer
real (const char *library, const char *name)
{
  gpointer handle = library != NULL ? dlopen (library, RTLD_NOW | RTLD_NOLOAD) : RTLD_NEXT;
  gpointer function;

  g_assert_nonnull (handle);
  function = dlsym (handle, name);
  g_assert_nonnull (function);
  return function;
}

/* A strategy may ask about the same request more than once: the answer must not change. */
static const struct aiocb *asked;
static int answer;

EXPORTED int
aio_read (struct aiocb *request)
{
  static int (*function) (struct aiocb *);
  int error = refuse ();

  if (error != 0)
    {
      errno = error;
      return -1;
    }
  if (function == NULL)
    function = real (NULL, "aio_read64");
  if (asked == request)
    asked = NULL;
  return function (request);
}

EXPORTED int
aio_error (const struct aiocb *request)
{
  static int (*function) (const struct aiocb *);
  int error;

  if (function == NULL)
    function = real (NULL, "aio_error64");
  error = function (request);
  if (error != 0 || active == OV_TEST_COMPLETION_NONE || active == OV_TEST_COMPLETION_SHORT)
    return error;
  if (asked != request)
    {
      gint64 result = interfere ((gint64)request->aio_nbytes);

      asked = request;
      answer = result < 0 ? (int)-result : 0;
    }
  return answer;
}

EXPORTED ssize_t
aio_return (struct aiocb *request)
{
  static ssize_t (*function) (struct aiocb *);
  ssize_t result;

  if (function == NULL)
    function = real (NULL, "aio_return64");
  result = function (request);
  threads = MAX (threads, ov_test_count_threads ());
  return active == OV_TEST_COMPLETION_SHORT ? interfere (result) : result;
}

/* ---- libaio ------------------------------------------------------------------------------- */

EXPORTED int
io_setup (int n, io_context_t *context)
{
  if (setup_error != 0)
    return -setup_error;
  return syscall (SYS_io_setup, n, context) < 0 ? -errno : 0;
}

EXPORTED int
io_submit (io_context_t context, long n, struct iocb **requests)
{
  int error = n > 0 && requests[0]->data != NULL ? refuse () : 0;
  int taken;

  if (error != 0)
    return -error;
  taken = (int)syscall (SYS_io_submit, context, n, requests);
  return taken < 0 ? -errno : taken;
}

EXPORTED int
io_getevents (io_context_t context, long least, long most, struct io_event *events,
              struct timespec *timeout)
{
  int n = (int)syscall (SYS_io_getevents, context, least, most, events, timeout);

  if (n < 0)
    return -errno;
  if (active == OV_TEST_COMPLETION_REVERSED && n > 1)
    {
      for (int i = 0; i < n / 2; i++)
        {
          struct io_event event = events[i];

          events[i] = events[n - 1 - i];
          events[n - 1 - i] = event;
        }
      faults++;
    }
  for (int i = 0; i < n; i++)
    if (events[i].data != NULL)
      events[i].res = (unsigned long)interfere ((gint64)events[i].res);
  return n;
}

/* ---- io_uring ----------------------------------------------------------------------------- */

static struct io_uring_cqe *
ring_completion (struct io_uring *ring, guint at)
{
  return &ring->cq.cqes[at & *ring->cq.kring_mask];
}

/* Deals with what came since the last time and the strategy has not seen yet. */
static int
ring_interfere (struct io_uring *ring, int result)
{
  guint tail = io_uring_smp_load_acquire (ring->cq.ktail), first;

  if (active == OV_TEST_COMPLETION_NONE)
    return result;
  first = MAX (ring_seen, *ring->cq.khead);
  ring_seen = tail;
  if (active == OV_TEST_COMPLETION_REVERSED && tail - first > 1)
    {
      for (guint i = 0; i < (tail - first) / 2; i++)
        {
          struct io_uring_cqe *a = ring_completion (ring, first + i);
          struct io_uring_cqe *b = ring_completion (ring, tail - 1 - i);
          struct io_uring_cqe cqe = *a;

          *a = *b;
          *b = cqe;
        }
      faults++;
    }
  for (; first < tail; first++)
    if (ring_completion (ring, first)->user_data < 4096)
      ring_completion (ring, first)->res = (gint32)interfere (ring_completion (ring, first)->res);
  return result;
}

#define RING_LIBRARY "liburing.so.2"

EXPORTED int
io_uring_queue_init_params (unsigned entries, struct io_uring *ring, struct io_uring_params *params)
{
  static int (*function) (unsigned, struct io_uring *, struct io_uring_params *);

  if (poller_error != 0 && (params->flags & IORING_SETUP_SQPOLL) != 0)
    return -poller_error;
  if (function == NULL)
    function = real (RING_LIBRARY, "io_uring_queue_init_params");
  return function (entries, ring, params);
}

EXPORTED int
io_uring_submit_and_wait (struct io_uring *ring, unsigned least)
{
  static int (*function) (struct io_uring *, unsigned);
  int error = io_uring_sq_ready (ring) > 0 ? refuse () : 0;

  if (error != 0)
    return -error;
  if (function == NULL)
    function = real (RING_LIBRARY, "io_uring_submit_and_wait");
  return ring_interfere (ring, function (ring, least));
}

EXPORTED int
io_uring_submit_and_wait_timeout (struct io_uring *ring, struct io_uring_cqe **cqe, unsigned least,
                                  struct __kernel_timespec *timeout, sigset_t *mask)
{
  static int (*function) (struct io_uring *, struct io_uring_cqe **, unsigned,
                          struct __kernel_timespec *, sigset_t *);
  int error = io_uring_sq_ready (ring) > 0 ? refuse () : 0;

  if (error != 0)
    return -error;
  if (function == NULL)
    function = real (RING_LIBRARY, "io_uring_submit_and_wait_timeout");
  return ring_interfere (ring, function (ring, cqe, least, timeout, mask));
}

EXPORTED int
io_uring_submit_and_get_events (struct io_uring *ring)
{
  static int (*function) (struct io_uring *);
  int error = refuse ();

  if (error != 0)
    return -error;
  if (function == NULL)
    function = real (RING_LIBRARY, "io_uring_submit_and_get_events");
  return ring_interfere (ring, function (ring));
}

EXPORTED int
io_uring_get_events (struct io_uring *ring)
{
  static int (*function) (struct io_uring *);

  if (function == NULL)
    function = real (RING_LIBRARY, "io_uring_get_events");
  return ring_interfere (ring, function (ring));
}
