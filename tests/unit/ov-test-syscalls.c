// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How many system calls a strategy makes, against what it claims: one for each block, one for each
 * batch, or none.
 *
 * The strategy runs in a child that is traced (ptrace); the calls between the beginning and the
 * end of its `run` are counted by their numbers.  A thread of the kernel that takes requests out of
 * a ring makes none.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ov-random.h"

#include "../support/ov-test-host.h"

#define K          ((guint64)1024)
#define FILE_SIZE  (1024 * K)
#define N_CALLS    1024
#define BEGIN_MARK 0x0B
#define END_MARK   0x0E

static GPtrArray *strategies;
static OvTestHost *host;
static char *folder;
static char *path;

/* What is counted. */
typedef struct
{
  guint calls[N_CALLS]; /* by number */
  guint all;
} Counts;

static const OvStrategy *
find_strategy (const char *id)
{
  for (guint i = 0; i < strategies->len; i++)
    if (g_str_equal (((const OvStrategy *)strategies->pdata[i])->id, id))
      return strategies->pdata[i];
  g_error ("no strategy %s", id);
}

/* ---- In the child ------------------------------------------------------------------------- */

/* The run that is traced, between two calls that only the tracer understands. */
static int (*traced_run) (void *state);

static int
marked_run (void *state)
{
  int result;

  syscall (SYS_close, -1, BEGIN_MARK);
  result = traced_run (state);
  syscall (SYS_close, -1, END_MARK);
  return result;
}

static void
run_traced (const OvStrategy *strategy, const OvTask *task)
{
  OvStrategy marked = *strategy;
  OvTestOutcome outcome = { 0 };

  if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
    _exit (77);
  raise (SIGSTOP);
  traced_run = strategy->run;
  marked.run = marked_run;
  ov_test_host_set_timing (host, OV_TIMING_COUNTERS);
  ov_test_host_run (host, &marked, task, &outcome);
  _exit (outcome.result == 0 && outcome.live.consumed == task->requests ? 0 : 1);
}

/* ---- The tracer --------------------------------------------------------------------------- */

/* Lets the child go on from one system call's entry to the next.  FALSE: it has ended, with
 * `status`. */
static gboolean
next_call (pid_t child, struct __ptrace_syscall_info *info, int *status)
{
  int signal_number = 0;

  for (;;)
    {
      g_assert_cmpint (ptrace (PTRACE_SYSCALL, child, NULL, (void *)(glong)signal_number), ==, 0);
      g_assert_cmpint (waitpid (child, status, __WALL), ==, child);
      if (!WIFSTOPPED (*status))
        return FALSE;
      signal_number = WSTOPSIG (*status);
      if (signal_number != (SIGTRAP | 0x80))
        continue;
      signal_number = 0;
      if (ptrace (PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof *info, info) > 0
          && info->op == PTRACE_SYSCALL_INFO_ENTRY)
        return TRUE;
    }
}

/* Counts the calls of one run.  FALSE, and the test is skipped, where nothing can be traced. */
static gboolean
count_calls (const OvStrategy *strategy, const OvTask *task, Counts *counts)
{
  struct __ptrace_syscall_info info = { 0 };
  gboolean counting = FALSE;
  int status;
  pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    run_traced (strategy, task);
  memset (counts, 0, sizeof *counts);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (!WIFSTOPPED (status)
      || ptrace (PTRACE_SETOPTIONS, child, NULL,
                 (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
             != 0)
    {
      if (WIFSTOPPED (status))
        {
          kill (child, SIGKILL);
          waitpid (child, &status, 0);
        }
      g_test_skip ("a process cannot be traced here (ptrace)");
      return FALSE;
    }
  while (next_call (child, &info, &status))
    {
      gboolean mark = info.entry.nr == SYS_close && (gint32)info.entry.args[0] == -1;

      if (mark)
        counting = info.entry.args[1] == BEGIN_MARK;
      else if (counting)
        {
          counts->all++;
          if (info.entry.nr < N_CALLS)
            counts->calls[info.entry.nr]++;
        }
    }
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  return TRUE;
}

/* ---- Claims ------------------------------------------------------------------------------- */

/* What a strategy claims about one of its calls: at least and at most so many. */
typedef struct
{
  const char *strategy;
  const char *name; /* of the test */
  guint depth;
  int number; /* of the call; -1: all together */
  guint least;
  guint most;
} Claim;

#define BLOCKS 256

static const Claim claims[] = {
  { "block.pread", "a-call-for-each-block", 1, SYS_pread64, BLOCKS, BLOCKS },
  { "block.pread", "little-else", 1, -1, BLOCKS, BLOCKS + 4 },
  { "block.preadv2-nowait", "a-call-for-each-block", 1, SYS_preadv2, BLOCKS, BLOCKS },
  { "block.preadv2-nowait", "no-second-call", 1, SYS_pread64, 0, 0 },
  /* One more for Stop, which is a request too. */
  { "block.libaio", "hands-over-each-block", 1, SYS_io_submit, BLOCKS, BLOCKS + 1 },
  { "block.libaio", "fetches-each-block", 1, SYS_io_getevents, BLOCKS, BLOCKS },
  { "block.uring", "a-call-for-each-block", 1, SYS_io_uring_enter, BLOCKS, BLOCKS },
  { "block.uring", "at-depth-too", 8, SYS_io_uring_enter, BLOCKS, BLOCKS + 8 },
  { "block.uring-registered", "a-call-for-each-block", 1, SYS_io_uring_enter, BLOCKS, BLOCKS },
  { "block.uring-batched", "a-call-for-a-batch", 32, SYS_io_uring_enter, BLOCKS / 32,
    BLOCKS / 16 + 2 },
  { "block.uring-batched", "alone-there-is-no-batch", 1, SYS_io_uring_enter, BLOCKS, BLOCKS },
  /* No call but where the polling thread fell asleep, because this one got no processor for some
   * milliseconds; on a busy machine that happens. */
  { "block.uring-sqpoll", "no-call", 1, SYS_io_uring_enter, 0, BLOCKS / 2 },
  { "block.uring-sqpoll", "no-call-at-depth", 32, SYS_io_uring_enter, 0, BLOCKS / 2 },
};

static void
test_claim (gconstpointer data)
{
  const Claim *claim = data;
  const OvStrategy *strategy = find_strategy (claim->strategy);
  const OvTask task = {
    .job = OV_JOB_BLOCKS,
    .path = path,
    .flags = O_RDONLY | O_CLOEXEC,
    .align = 1,
    .file_size = FILE_SIZE,
    .length = FILE_SIZE,
    .block = 4 * K,
    .depth = claim->depth,
    .order = OV_ORDER_RANDOM,
    .requests = BLOCKS,
    .seed = 42,
    .letter = 'e',
  };
  g_autofree char *why = NULL;
  Counts counts;
  guint n;

  if (!ov_test_host_probe (host, strategy, &why))
    {
      g_test_skip (why);
      return;
    }
  if (!count_calls (strategy, &task, &counts))
    return;
  n = claim->number < 0 ? counts.all : counts.calls[claim->number];
  if (claim->number == SYS_io_getevents) /* what libaio's io_getevents() has become by now */
    n += counts.calls[SYS_io_pgetevents];
  g_test_message ("%u calls, %u together", n, counts.all);
  g_assert_cmpuint (n, >=, claim->least);
  g_assert_cmpuint (n, <=, claim->most);
}

static void
make_file (void)
{
  g_autofree char *bytes = g_malloc (FILE_SIZE);
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("overlap-calls-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (folder, "text", NULL);
  ov_text_fill (bytes, 0, FILE_SIZE, 7, 'e', 0.02);
  g_file_set_contents (path, bytes, FILE_SIZE, &error);
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
  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      g_autofree char *name = g_strdup_printf ("/calls/%s/%s", claims[i].strategy, claims[i].name);

      g_test_add_data_func (name, &claims[i], test_claim);
    }
  result = g_test_run ();

  ov_test_host_free (host);
  g_ptr_array_unref (strategies);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
  g_free (folder);
  return result;
}
