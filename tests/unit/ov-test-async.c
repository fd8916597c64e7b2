// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What only asynchronous strategies can get wrong: requests in flight when a run is stopped or
 * fails, completions that come out of order, short or failed, and the system's limits.
 *
 * The bodies run over every strategy of OVERLAP_PLUGIN_DIR that says that it is asynchronous; those
 * about faults over those that learn of completions by POSIX AIO, libaio or io_uring. What
 * changes this process for good (limits, filters, ids) happens in a child.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"

#include "../support/ov-test-child.h"
#include "../support/ov-test-completions.h"
#include "../support/ov-test-host.h"

#define K ((guint64)1024)
#define M (K * K)

#define FILE_SIZE (4 * M + 1234)

static GPtrArray *strategies;
static OvTestHost *host;
static char *folder;
static char *path;  /* of a file of FILE_SIZE bytes */
static char *bytes; /* what is in it */

/* ---- Tasks -------------------------------------------------------------------------------- */

static OvTask
count_task (guint64 block, guint depth)
{
  return (OvTask){
    .job = OV_JOB_COUNT,
    .path = path,
    .flags = O_RDONLY | O_CLOEXEC,
    .align = 1,
    .file_size = FILE_SIZE,
    .length = FILE_SIZE,
    .block = block,
    .depth = depth,
    .work = OV_WORK_CRC32C,
    .letter = 'A',
    .seed = 42,
  };
}

static OvTask
blocks_task (guint64 block, guint depth, guint64 requests)
{
  OvTask task = count_task (block, depth);

  task.job = OV_JOB_BLOCKS;
  task.order = OV_ORDER_RANDOM;
  task.requests = requests;
  task.work = OV_WORK_PLAIN;
  return task;
}

/* All of the file by a strategy that counts; by one that only reads blocks, its blocks in order. */
static OvTask
whole_task (const OvStrategy *strategy, guint64 block, guint depth)
{
  OvTask task = count_task (block, depth);

  if ((strategy->jobs & OV_JOB_COUNT) == 0)
    {
      task = blocks_task (block, depth, FILE_SIZE / block);
      task.order = OV_ORDER_SEQUENTIAL;
    }
  return task;
}

/* Letters in the blocks of a `blocks` task. */
static guint64
count_blocks (const OvTask *task)
{
  OvPositions positions;
  guint64 count = 0;

  ov_positions_init (&positions, task);
  for (guint64 i = 0; i < task->requests; i++)
    count += ov_count_plain (bytes + ov_position (&positions), task->block, 'A');
  return count;
}

static gboolean
make_direct (OvTask *task)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_DIRECT);

  if (fd < 0)
    return FALSE;
  close (fd);
  task->flags |= O_DIRECT;
  task->align = 4096;
  return TRUE;
}

static void
check_sum (const OvTask *task, const OvTestOutcome *outcome)
{
  if (outcome->explained != NULL)
    g_test_message ("explained: %s", outcome->explained);
  g_assert_cmpint (outcome->result, ==, 0);
  if (task->job == OV_JOB_BLOCKS)
    {
      g_assert_cmpuint (outcome->live.consumed, ==, task->requests);
      g_assert_cmpuint (outcome->live.count, ==, count_blocks (task));
      return;
    }
  g_assert_cmpuint (outcome->live.consumed_bytes, ==, FILE_SIZE);
  g_assert_cmphex (outcome->crc, ==, ov_crc32c (0, bytes, FILE_SIZE));
}

/* ---- Stopping ----------------------------------------------------------------------------- */

static void
check_stop (const OvStrategy *strategy, const OvTask *task, gint64 after)
{
  OvTestOutcome outcome = { 0 };

  ov_test_host_set_stop (host, after);
  ov_test_host_run (host, strategy, task, &outcome);
  ov_test_host_set_stop (host, -1);
  if (outcome.result != -ECANCELED)
    g_test_message ("block %" G_GUINT64_FORMAT " depth %u after %" G_GINT64_FORMAT, task->block,
                    task->depth, after);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.consumed_bytes, <, (guint64)after + 2 * task->block);
  /* Others were in flight, and came back: the host has compared.  (The reader of a thread makes one
   * after the other; and so does whoever makes a call for each block, where they come at once.) */
  if (!g_str_equal (strategy->family, "thread") && !g_str_equal (strategy->family, "block"))
    g_assert_cmpuint (outcome.live.submitted, >, outcome.live.consumed);
  g_assert_cmpuint (outcome.live.cancelled, <=, outcome.live.submitted - outcome.live.consumed);
  ov_test_outcome_clear (&outcome);
}

static void
test_cancel (const OvStrategy *strategy)
{
  static const guint64 blocks[] = { 4 * K, 64 * K };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint direct = 0; direct < 2; direct++)
      {
        OvTask task = whole_task (strategy, blocks[i], 32);

        if (direct != 0 && !make_direct (&task))
          continue;
        check_stop (strategy, &task, (gint64)M);
        if ((strategy->jobs & OV_JOB_BLOCKS) == 0)
          continue;
        task = blocks_task (blocks[i], 32, G_MAXUINT32);
        if (direct != 0)
          make_direct (&task);
        check_stop (strategy, &task, (gint64)M);
      }
}

/* At every place once: whatever the strategy is about to do when Stop comes, it does not sleep over
 * it.  (If it did, this would never end.) */
static void
test_stop_anywhere (const OvStrategy *strategy)
{
  for (gint64 after = 1; after < (gint64)(40 * 4 * K); after += 4 * K)
    for (guint depth = 1; depth <= 16; depth *= 4)
      {
        OvTask task = whole_task (strategy, 4 * K, depth);
        OvTestOutcome outcome = { 0 };

        ov_test_host_set_stop (host, after);
        ov_test_host_run (host, strategy, &task, &outcome);
        g_assert_cmpint (outcome.result, ==, -ECANCELED);
        ov_test_outcome_clear (&outcome);
      }
  ov_test_host_set_stop (host, -1);
}

/* Presses Stop after a while, when run's thread has long fallen asleep. */
static gpointer
stop_later (gpointer data)
{
  const OvHost *offered = data;
  guint64 one = 1;

  g_usleep (30000);
  __atomic_store_n ((guint32 *)offered->stop, 1, __ATOMIC_RELEASE);
  g_assert_cmpint (write (offered->wake_fd, &one, sizeof one), ==, sizeof one);
  return NULL;
}

/* The strategy of test_stop_asleep(), and who will stop it. */
static const OvStrategy *sleeper;
static GThread *stopper;

static int
sleeper_prepare (const OvHost *offered, const OvTask *task, void **state)
{
  int result = sleeper->prepare (offered, task, state);

  stopper = g_thread_new ("stopper", stop_later, (gpointer)offered);
  return result;
}

/* Requests that never end, for a pipe into which nobody writes: Stop must wake run's thread, and
 * all of them can be cancelled. */
static void
test_stop_asleep (const OvStrategy *strategy)
{
  OvTask all = whole_task (strategy, 64 * K, 8);
  OvTestOutcome after = { 0 };
  OvStrategy stopped = *strategy;
  g_autofree char *name = NULL;
  int ends[2];

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  name = g_strdup_printf ("/proc/self/fd/%d", ends[0]);
  stopped.prepare = sleeper_prepare;
  sleeper = strategy;
  for (gint64 batch = 0; batch <= 4; batch += 2)
    {
      OvTask task = whole_task (strategy, 64 * K, 8);
      OvTestOutcome outcome = { 0 };

      task.path = name;
      ov_test_host_set_option (host, "batch", batch);
      ov_test_host_run (host, &stopped, &task, &outcome);
      g_thread_join (stopper);
      g_assert_cmpint (outcome.result, ==, -ECANCELED);
      g_assert_cmpuint (outcome.live.cancelled, ==, outcome.live.submitted);
      g_assert_cmpuint (outcome.live.cancelled, >, 0);
      ov_test_outcome_clear (&outcome);
    }
  close (ends[0]);
  close (ends[1]);

  ov_test_host_set_option (host, NULL, 0);
  ov_test_host_run (host, strategy, &all, &after);
  check_sum (&all, &after);
  ov_test_outcome_clear (&after);
}

/* ---- Completions -------------------------------------------------------------------------- */

static guint
run_with_fault (const OvStrategy *strategy, OvTestCompletion fault, gsize unit, const OvTask *task,
                OvTestOutcome *outcome)
{
  ov_test_completions (fault, unit);
  ov_test_host_run (host, strategy, task, outcome);
  return ov_test_completions_end ();
}

/* The bytes are right, and in file order, whatever the completions are like.  (Whoever looks into
 * the ring may see direct requests' completions before we do: then there may be no fault.) */
static void
check_survives (const OvStrategy *strategy, OvTestCompletion fault)
{
  for (guint direct = 0; direct < 2; direct++)
    {
      OvTask task = whole_task (strategy, 16 * K, 12);
      OvTestOutcome outcome = { 0 };
      guint n;

      if (direct != 0 && !make_direct (&task))
        continue;
      n = run_with_fault (strategy, fault, direct != 0 ? 4096 : 7, &task, &outcome);
      if (direct == 0)
        g_assert_cmpuint (n, >, 0);
      check_sum (&task, &outcome);
      g_assert_cmpuint (outcome.live.short_io, ==, fault == OV_TEST_COMPLETION_SHORT ? n : 0);
      g_assert_cmpuint (outcome.live.cancelled, ==, 0);
      ov_test_outcome_clear (&outcome);

      if ((strategy->jobs & OV_JOB_BLOCKS) == 0)
        continue;
      task = blocks_task (16 * K, 12, 500);
      if (direct != 0)
        make_direct (&task);
      n = run_with_fault (strategy, fault, direct != 0 ? 4096 : 7, &task, &outcome);
      if (direct == 0)
        g_assert_cmpuint (n, >, 0);
      g_assert_cmpint (outcome.result, ==, 0);
      g_assert_cmpuint (outcome.live.consumed, ==, 500);
      g_assert_cmpuint (outcome.live.count, ==, count_blocks (&task));
      ov_test_outcome_clear (&outcome);
    }
}

static void
test_short (const OvStrategy *strategy)
{
  check_survives (strategy, OV_TEST_COMPLETION_SHORT);
}

static void
test_interrupted (const OvStrategy *strategy)
{
  check_survives (strategy, OV_TEST_COMPLETION_INTERRUPTED);
}

static void
test_again (const OvStrategy *strategy)
{
  OvTask task = whole_task (strategy, 64 * K, 4);
  OvTestOutcome outcome = { 0 };

  g_assert_cmpuint (run_with_fault (strategy, OV_TEST_COMPLETION_AGAIN, 7, &task, &outcome), >, 0);
  check_sum (&task, &outcome);
  ov_test_outcome_clear (&outcome);
}

static void
test_always_again (const OvStrategy *strategy)
{
  OvTask task = whole_task (strategy, 64 * K, 1);
  OvTestOutcome outcome = { 0 };

  g_assert_cmpuint (run_with_fault (strategy, OV_TEST_COMPLETION_ALWAYS_AGAIN, 7, &task, &outcome),
                    ==, 101);
  g_assert_cmpint (outcome.result, ==, -EAGAIN);
  g_assert_cmpuint (outcome.live.completed, ==, 101);
  g_assert_cmpuint (outcome.live.consumed, ==, 0);
  ov_test_outcome_clear (&outcome);
}

/* One request of many fails: the run ends with that error and its place, after all others have
 * come back. */
static void
test_io_error (const OvStrategy *strategy)
{
  for (guint depth = 1; depth <= 32; depth *= 2)
    {
      OvTask task = whole_task (strategy, 16 * K, depth);
      OvTestOutcome outcome = { 0 };

      g_assert_cmpuint (run_with_fault (strategy, OV_TEST_COMPLETION_IO, 7, &task, &outcome), ==,
                        1);
      g_assert_cmpint (outcome.result, ==, -EIO);
      g_assert_nonnull (outcome.explained);
      g_assert_cmpuint (outcome.explained_offset, <, FILE_SIZE);
      g_assert_cmpuint (outcome.explained_offset % (16 * K), ==, 0);
      g_assert_cmpuint (outcome.live.consumed_bytes, <=, outcome.explained_offset);
      ov_test_outcome_clear (&outcome);
    }
}

/* The system is too busy to take requests, again and again. */
static void
test_busy (const OvStrategy *strategy)
{
  for (guint depth = 1; depth <= 16; depth *= 4)
    {
      OvTask task = whole_task (strategy, 128 * K, depth);
      OvTestOutcome outcome = { 0 };

      g_assert_cmpuint (run_with_fault (strategy, OV_TEST_SUBMISSION_AGAIN, 0, &task, &outcome), >,
                        0);
      check_sum (&task, &outcome);
      ov_test_outcome_clear (&outcome);
    }
}

/* The system takes no more requests: the run ends with that error, after all that were taken have
 * come back. */
static void
test_refused (const OvStrategy *strategy)
{
  for (guint direct = 0; direct < 2; direct++)
    for (guint depth = 1; depth <= 32; depth *= 2)
      {
        OvTask task = whole_task (strategy, 16 * K, depth);
        OvTestOutcome outcome = { 0 };

        if (direct != 0 && !make_direct (&task))
          continue;
        g_assert_cmpuint (run_with_fault (strategy, OV_TEST_SUBMISSION_REFUSED, 0, &task, &outcome),
                          >, 0);
        g_assert_cmpint (outcome.result, ==, -ENXIO);
        g_assert_nonnull (outcome.explained);
        g_assert_cmpuint (outcome.live.consumed_bytes, <, FILE_SIZE);
        ov_test_outcome_clear (&outcome);
      }
}

/* Completions that come in another order than the requests were made are not wrong data. */
static void
test_out_of_order (const OvStrategy *strategy)
{
  ov_test_host_set_option (host, "batch", 0); /* else there is never more than one at a time */
  check_survives (strategy, OV_TEST_COMPLETION_REVERSED);
}

/* ---- What the system does not allow ------------------------------------------------------- */

typedef struct
{
  const OvStrategy *strategy;
  guint call;
  guint error;
} Forbidden;

/* In the child: the result of the probe, then why. */
static void
probe_forbidden (gconstpointer data, int fd)
{
  const Forbidden *forbidden = data;
  g_autofree char *why = NULL;

  ov_test_forbid (forbidden->call, -1, 0, forbidden->error);
  if (ov_test_host_probe (host, forbidden->strategy, &why))
    dprintf (fd, "works");
  else
    dprintf (fd, "%s", why);
}

typedef struct
{
  const OvStrategy *strategy;
  rlim_t bytes;
} Memlock;

/* In the child: the result of a run with registered buffers by an ordinary user who may lock only
 * so much memory; whether the check value was right; what was really used, and what was said. */
static void
run_with_memlock (gconstpointer data, int fd)
{
  const Memlock *memlock = data;
  struct rlimit limit = { memlock->bytes, memlock->bytes };
  OvTask task = whole_task (memlock->strategy, 64 * K, 8);
  OvTestOutcome outcome = { 0 };
  gboolean right;

  if (setrlimit (RLIMIT_MEMLOCK, &limit) != 0
      || (geteuid () == 0 && setresuid (65534, 65534, 65534) != 0))
    ov_test_child_cannot ();
  ov_test_host_set_option (host, "registered-buffers", 1);
  ov_test_host_set_option (host, "registered", 1);
  ov_test_host_run (host, memlock->strategy, &task, &outcome);
  right = task.job == OV_JOB_BLOCKS ? outcome.live.count == count_blocks (&task)
                                    : outcome.crc == ov_crc32c (0, bytes, FILE_SIZE);
  dprintf (fd, "%d %s %s%s", outcome.result, right ? "right" : "wrong", outcome.effective,
           outcome.explained != NULL ? outcome.explained : "");
}

static void
check_forbidden (const OvStrategy *strategy, guint call, guint error, const char *word)
{
  Forbidden forbidden = { strategy, call, error };
  g_autofree char *said = ov_test_in_child (probe_forbidden, &forbidden);

  if (said == NULL)
    return;
  g_test_message ("%s", said);
  g_assert_nonnull (strstr (said, word));
}

static void
test_ring_forbidden (const OvStrategy *strategy)
{
  check_forbidden (strategy, SYS_io_uring_setup, EPERM, "seccomp");
  check_forbidden (strategy, SYS_io_uring_setup, ENOSYS, "CONFIG_IO_URING");
  check_forbidden (strategy, SYS_io_uring_enter, EPERM, "seccomp");
  check_forbidden (strategy, SYS_io_uring_setup, ENOMEM, "memlock");
}

static void
test_aio_forbidden (const OvStrategy *strategy)
{
  check_forbidden (strategy, SYS_io_submit, ENOSYS, "CONFIG_AIO");
  check_forbidden (strategy, SYS_io_submit, EPERM, "seccomp");
}

/* Buffers that may not be registered are used unregistered, and the result says so.  If not even
 * the ring may be locked (since Linux 6.14 it counts too), that is said. */
static void
test_memlock (const OvStrategy *strategy)
{
  Memlock memlock = { strategy, 128 * K };
  g_autofree char *little = NULL;
  g_autofree char *nothing = NULL;

  little = ov_test_in_child (run_with_memlock, &memlock);
  if (little == NULL)
    return;
  g_test_message ("%s", little);
  g_assert_true (g_str_has_prefix (little, "0 right "));
  g_assert_nonnull (strstr (little, "registered-buffers=no (the limit of locked memory is 128 K: "
                                    "raise it by ulimit -l)"));
  memlock.bytes = 0;
  nothing = ov_test_in_child (run_with_memlock, &memlock);
  g_test_message ("%s", nothing);
  if (g_str_has_prefix (nothing, "-"))
    g_assert_nonnull (strstr (nothing, "memlock"));
  else
    g_assert_nonnull (strstr (nothing, "registered-buffers=no"));
}

static void
test_aio_limit (const OvStrategy *strategy)
{
  OvTask task = whole_task (strategy, 64 * K, 8);
  OvTestOutcome outcome = { 0 };
  g_autofree char *most = NULL;
  g_autofree char *why = NULL;

  if (!g_file_get_contents ("/proc/sys/fs/aio-max-nr", &most, NULL, NULL))
    {
      g_test_skip ("no /proc/sys/fs/aio-max-nr");
      return;
    }
  g_strstrip (most);
  ov_test_fail_io_setup (EAGAIN);
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_false (ov_test_host_probe (host, strategy, &why));
  ov_test_fail_io_setup (0);
  g_assert_false (outcome.prepared);
  g_assert_cmpint (outcome.result, ==, -EAGAIN);
  g_assert_cmpstr (outcome.explained, ==, why);
  g_assert_nonnull (strstr (why, most));
  g_assert_nonnull (strstr (why, "fs.aio-max-nr"));
  g_assert_nonnull (strstr (why, "fs.aio-nr"));
  ov_test_outcome_clear (&outcome);
}

/* That the C library has one thread for all requests of a descriptor is what the strategies say
 * beside the result.  (Those that bring notices come on top of it.) */
static void
test_helpers (const OvStrategy *strategy)
{
  OvTask task = whole_task (strategy, 4 * K, 32);
  OvTestOutcome outcome = { 0 };
  guint before = ov_test_count_threads ();

  run_with_fault (strategy, OV_TEST_COMPLETION_SHORT, G_MAXSSIZE, &task, &outcome);
  check_sum (&task, &outcome);
  g_assert_cmpuint (ov_test_completions_threads (), >, before);
  if (!g_str_equal (strategy->id, "aio.callback"))
    g_assert_cmpuint (ov_test_completions_threads (), ==, before + 1);
  g_assert_nonnull (strstr (outcome.effective, "helpers=1 "));
  ov_test_outcome_clear (&outcome);
}

static gint64
clock_ns (clockid_t clock)
{
  struct timespec ts;

  g_assert_cmpint (clock_gettime (clock, &ts), ==, 0);
  return (gint64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* The polling thread does the reading, and its time is the process's: thousands of blocks through
 * the page cache cannot be copied in less. */
static void
test_poller (const OvStrategy *strategy)
{
  OvTask task = blocks_task (64 * K, 8, 2000);
  OvTestOutcome outcome = { 0 };
  gint64 process = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
  gint64 thread = clock_ns (CLOCK_THREAD_CPUTIME_ID);

  ov_test_host_run (host, strategy, &task, &outcome);
  process = clock_ns (CLOCK_PROCESS_CPUTIME_ID) - process;
  thread = clock_ns (CLOCK_THREAD_CPUTIME_ID) - thread;
  check_sum (&task, &outcome);
  g_test_message ("%" G_GINT64_FORMAT " us of the process, %" G_GINT64_FORMAT " us of run's thread",
                  process / 1000, thread / 1000);
  if (strstr (outcome.effective, "poller=a thread of the process") != NULL)
    g_assert_cmpint (process - thread, >, 2000 * G_GINT64_CONSTANT (1000));
  else
    g_assert_nonnull (strstr (outcome.effective, "poller=a process of the kernel"));
  g_assert_nonnull (strstr (outcome.effective, "ring=sqpoll"));
  ov_test_outcome_clear (&outcome);
}

/* A kernel that gives rings, but no polling thread: the strategy says so, and does not do another
 * one's work in its name. */
static void
test_poller_refused (const OvStrategy *strategy)
{
  OvTask task = blocks_task (64 * K, 8, 10);
  OvTestOutcome outcome = { 0 };
  g_autofree char *why = NULL;

  ov_test_refuse_poller (EPERM);
  ov_test_host_run (host, strategy, &task, &outcome);
  g_assert_false (ov_test_host_probe (host, strategy, &why));
  ov_test_refuse_poller (0);
  g_assert_false (outcome.prepared);
  g_assert_cmpint (outcome.result, ==, -EPERM);
  g_assert_cmpstr (outcome.explained, ==, why);
  g_assert_nonnull (strstr (why, "IORING_SETUP_SQPOLL"));
  g_assert_nonnull (strstr (why, "root"));
  ov_test_outcome_clear (&outcome);
}

/* ---- Registration ------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  void (*function) (const OvStrategy *strategy);
  const char *interfaces; /* that it is for; NULL: all */
} Body;

/* Which system interface a strategy uses, as the table below calls it. */
static const char *
interface_of (const OvStrategy *strategy)
{
  static const char *const known[][2] = {
    { "block.libaio", "libaio" },          { "block.uring", "uring-plain" },
    { "block.uring-registered", "uring" }, { "block.uring-batched", "uring" },
    { "block.uring-sqpoll", "polled" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (strategy->id, known[i][0]))
      return known[i][1];
  return strategy->family;
}

static const Body bodies[] = {
  { "cancel", test_cancel, NULL },
  { "stop-anywhere", test_stop_anywhere, NULL },
  { "stop-asleep", test_stop_asleep,
    "uring uring-plain polled" }, /* others cannot take a request back */
  { "short", test_short, "aio libaio uring uring-plain" },
  { "interrupted", test_interrupted, "aio libaio uring uring-plain" },
  { "again", test_again, "aio libaio uring uring-plain" },
  { "always-again", test_always_again, "aio libaio uring uring-plain" },
  { "io-error", test_io_error, "aio libaio uring uring-plain" },
  { "busy", test_busy, "aio libaio uring uring-plain" },
  { "refused", test_refused, "aio libaio uring uring-plain" },
  { "out-of-order", test_out_of_order, "libaio uring" }, /* POSIX AIO serves them in order */
  { "forbidden", test_ring_forbidden, "uring uring-plain polled" },
  { "forbidden", test_aio_forbidden, "libaio" },
  { "memlock", test_memlock, "uring polled" },
  { "limit", test_aio_limit, "libaio" },
  { "helpers", test_helpers, "aio" },
  { "poller", test_poller, "polled" },
  { "poller-refused", test_poller_refused, "polled" },
};

typedef struct
{
  const Body *body;
  const OvStrategy *strategy;
} Pair;

/* One body with one strategy; afterwards no thread may be left. (The C library's helpers wait for
 * a second whether there is more to do.) */
static void
run_pair (gconstpointer data)
{
  const Pair *pair = data;
  g_autofree char *why = NULL;

  ov_test_host_set_option (host, NULL, 0);
  if (!ov_test_host_probe (host, pair->strategy, &why))
    {
      g_test_skip (why);
      return;
    }
  pair->body->function (pair->strategy);
  for (guint i = 0; i < 500 && ov_test_count_threads () > 1; i++)
    g_usleep (10000);
  g_assert_cmpuint (ov_test_count_threads (), ==, 1);
}

static void
add_tests (const OvStrategy *strategy)
{
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autofree char *name = g_strdup_printf ("/async/%s/%s", strategy->id, bodies[i].name);
      g_auto (GStrv) interfaces
          = g_strsplit (bodies[i].interfaces != NULL ? bodies[i].interfaces : "", " ", -1);
      Pair *pair;

      if (bodies[i].interfaces != NULL
          && !g_strv_contains ((const char *const *)interfaces, interface_of (strategy)))
        continue;
      pair = g_new (Pair, 1);
      *pair = (Pair){ &bodies[i], strategy };
      g_test_add_data_func_full (name, pair, run_pair, g_free);
    }
}

/* The folder and the file can be read by the ordinary user of run_without_memlock() too. */
static void
make_file (void)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("overlap-async-XXXXXX", &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  path = g_build_filename (folder, "text", NULL);
  bytes = g_malloc (FILE_SIZE);
  ov_text_fill (bytes, 0, FILE_SIZE, 7, 'A', 0.02);
  g_file_set_contents_full (path, bytes, FILE_SIZE, G_FILE_SET_CONTENTS_NONE, 0644, &error);
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("OVERLAP_PLUGIN_DIR"));
  make_file ();
  host = ov_test_host_new ();
  strategies = ov_test_host_load (g_getenv ("OVERLAP_PLUGIN_DIR"));
  for (guint i = 0; i < strategies->len; i++)
    {
      const OvStrategy *strategy = strategies->pdata[i];

      if ((strategy->caps & OV_CAP_ASYNC) != 0
          && (strategy->jobs & (OV_JOB_COUNT | OV_JOB_BLOCKS)) != 0)
        add_tests (strategy);
    }
  result = g_test_run ();

  ov_test_host_free (host);
  g_ptr_array_unref (strategies);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (bytes);
  g_free (path);
  g_free (folder);
  return result;
}
