// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a strategy does instead when the system refuses what it wanted: the work is done all the
 * same, and the result says what was really used.
 *
 * Each refusal is real: a filter of system calls that looks at one argument, a limit, or a set of
 * processors, in a child of the test, which runs the strategy and says what became of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"

#include "../support/ov-test-host.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

#define K         ((guint64)1024)
#define M         (K * K)
#define FILE_SIZE (4 * M + 1234)

static OvTestHost *host;
static GPtrArray *strategies;
static char *path;      /* of a file of FILE_SIZE bytes */
static guint64 letters; /* in it */

/* A case: what is wanted, what refuses it, and what the result must say. */
typedef struct
{
  const char *name;
  const char *strategy;
  const char *option; /* that is set to 1, or NULL */
  guint call;         /* system call that fails, */
  guint argument;     /* where this argument */
  guint value;        /* has this value, */
  guint error;        /* with this error; 0: no filter */
  gboolean one_cpu;
  guint32 work; /* enum OvWork */
  guint64 block;
  const char *said; /* "key=value", or its beginning */
} Case;

static const Case cases[] = {
  { "file-table", "uring.wait", "registered-file", SYS_io_uring_register, 1, IORING_REGISTER_FILES,
    EPERM, FALSE, OV_WORK_PLAIN, 64 * K, "registered-file=no (Operation not permitted)" },
  { "file-update", "uring.wait", "registered-file", SYS_io_uring_register, 1,
    IORING_REGISTER_FILES_UPDATE, EINVAL, FALSE, OV_WORK_PLAIN, 64 * K,
    "registered-file=no (Invalid argument)" },
  { "file-batched", "block.uring-batched", "registered", SYS_io_uring_register, 1,
    IORING_REGISTER_FILES, EPERM, FALSE, OV_WORK_PLAIN, 64 * K,
    "registered-file=no (Operation not permitted)" },
  { "buffers", "uring.wait", "registered-buffers", SYS_io_uring_register, 1,
    IORING_REGISTER_BUFFERS, EPERM, FALSE, OV_WORK_PLAIN, 64 * K,
    "registered-buffers=no (Operation not permitted)" },
  { "populate", "mmap.scan", "populate", SYS_madvise, 2, MADV_POPULATE_READ, EINVAL, FALSE,
    OV_WORK_PLAIN, 64 * K, "populate=no: " },
  { "huge-map", "mmap.scan", "huge-pages", SYS_madvise, 2, MADV_HUGEPAGE, EINVAL, FALSE,
    OV_WORK_PLAIN, 64 * K, "huge-pages=refused by the kernel" },
  { "huge-file", "posix.whole-file", "huge-pages", SYS_madvise, 2, MADV_HUGEPAGE, EINVAL, FALSE,
    OV_WORK_PLAIN, 64 * K, "huge-pages=refused by the kernel" },
  { "large-piece", "mmap.scan", NULL, 0, 0, 0, 0, FALSE, OV_WORK_PLAIN, 2 * M, "block=1M" },
  { "by-character", "stdio.getc", NULL, 0, 0, 0, 0, FALSE, OV_WORK_FAST, 64 * K, "work=plain" },
  { "by-character-unlocked", "stdio.getc-unlocked", NULL, 0, 0, 0, 0, FALSE, OV_WORK_FAST, 64 * K,
    "work=plain" },
  { "by-line", "stdio.getline", NULL, 0, 0, 0, 0, FALSE, OV_WORK_FAST, 64 * K, "work=plain" },
  { "formatted", "stdio.fscanf", NULL, 0, 0, 0, 0, FALSE, OV_WORK_FAST, 64 * K, "work=plain" },
  { "one-processor", "block.uring-sqpoll", NULL, 0, 0, 0, 0, TRUE, OV_WORK_PLAIN, 64 * K,
    "processors=one" },
};

static const OvStrategy *
find_strategy (const char *id)
{
  for (guint i = 0; i < strategies->len; i++)
    {
      const OvStrategy *strategy = strategies->pdata[i];

      if (g_str_equal (strategy->id, id))
        return strategy;
    }
  g_error ("there is no strategy %s", id);
}

/* In the child: has the call fail where one argument has that value.  All values are small, so that
 * the lower half of the argument tells them apart (little-endian, as every machine that Linux's
 * io_uring is tried on here). */
static gboolean
forbid (const Case *one)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, one->call, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[one->argument])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, one->value, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (one->error & SECCOMP_RET_DATA)),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static gboolean
keep_one_cpu (void)
{
  cpu_set_t all, one;
  int cpu = 0;

  if (sched_getaffinity (0, sizeof all, &all) != 0)
    return FALSE;
  while (cpu < CPU_SETSIZE && !CPU_ISSET (cpu, &all))
    cpu++;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  return sched_setaffinity (0, sizeof one, &one) == 0;
}

/* In the child: runs the strategy; writes its result, whether it did the work, and what it really
 * used. */
static int
child (const Case *one, int fd)
{
  const OvStrategy *strategy = find_strategy (one->strategy);
  OvTask task = { .path = path,
                  .flags = O_RDONLY | O_CLOEXEC,
                  .align = 1,
                  .file_size = FILE_SIZE,
                  .length = FILE_SIZE,
                  .block = one->block,
                  .depth = 4,
                  .work = one->work,
                  .letter = 'A',
                  .seed = 5 };
  OvTestOutcome outcome = { 0 };
  gboolean right;

  if ((one->error != 0 && !forbid (one)) || (one->one_cpu && !keep_one_cpu ()))
    return 77;
  task.job = (strategy->jobs & OV_JOB_COUNT) != 0 ? OV_JOB_COUNT : OV_JOB_BLOCKS;
  task.requests = FILE_SIZE / one->block;
  if (one->option != NULL)
    ov_test_host_set_option (host, one->option, 1);
  ov_test_host_run (host, strategy, &task, &outcome);
  right = task.job == OV_JOB_COUNT ? outcome.live.count == letters
                                   : outcome.live.consumed == task.requests;
  dprintf (fd, "%d %s %s%s", outcome.result, right ? "right" : "wrong", outcome.effective,
           outcome.explained != NULL ? outcome.explained : "");
  return 0;
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autoptr (GString) said = g_string_new (NULL);
  g_autofree char *why = NULL;
  char text[512];
  int ends[2], status;
  pid_t pid;
  ssize_t n;

  if (!ov_test_host_probe (host, find_strategy (one->strategy), &why))
    {
      g_test_skip (why);
      return;
    }
  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    _exit (child (one, ends[1]));
  close (ends[1]);
  while ((n = read (ends[0], text, sizeof text)) > 0)
    g_string_append_len (said, text, n);
  close (ends[0]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 77)
    {
      g_test_skip ("filters of system calls (seccomp) or sets of processors are not allowed here");
      return;
    }
  g_test_message ("%s", said->str);
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  g_assert_true (g_str_has_prefix (said->str, "0 right "));
  if (strstr (said->str, one->said) == NULL)
    g_error ("“%s” does not say “%s”", said->str, one->said);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = g_malloc (FILE_SIZE);
  g_autofree char *folder = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("OVERLAP_PLUGIN_DIR"));
  folder = g_dir_make_tmp ("overlap-fallbacks-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (folder, "text", NULL);
  ov_text_fill (bytes, 0, FILE_SIZE, 7, 'A', 0.02);
  letters = ov_count_plain (bytes, FILE_SIZE, 'A');
  g_file_set_contents (path, bytes, FILE_SIZE, &error);
  g_assert_no_error (error);
  host = ov_test_host_new ();
  strategies = ov_test_host_load (g_getenv ("OVERLAP_PLUGIN_DIR"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/fallbacks/%s", cases[i].name);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  result = g_test_run ();
  ov_test_host_free (host);
  g_ptr_array_unref (strategies);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
  return result;
}
