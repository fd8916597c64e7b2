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
#include <linux/io_uring.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ov-kernels.h"
#include "base/ov-random.h"

#include "../support/ov-test-child.h"
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
static void
run_case (gconstpointer data, int fd)
{
  const Case *one = data;
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

  if (one->error != 0)
    ov_test_forbid (one->call, (int)one->argument, one->value, one->error);
  if (one->one_cpu && !keep_one_cpu ())
    ov_test_child_cannot ();
  task.job = (strategy->jobs & OV_JOB_COUNT) != 0 ? OV_JOB_COUNT : OV_JOB_BLOCKS;
  task.requests = FILE_SIZE / one->block;
  if (one->option != NULL)
    ov_test_host_set_option (host, one->option, 1);
  ov_test_host_run (host, strategy, &task, &outcome);
  right = task.job == OV_JOB_COUNT ? outcome.live.count == letters
                                   : outcome.live.consumed == task.requests;
  dprintf (fd, "%d %s %s%s", outcome.result, right ? "right" : "wrong", outcome.effective,
           outcome.explained != NULL ? outcome.explained : "");
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autofree char *said = NULL;
  g_autofree char *why = NULL;

  if (!ov_test_host_probe (host, find_strategy (one->strategy), &why))
    {
      g_test_skip (why);
      return;
    }
  said = ov_test_in_child (run_case, one);
  if (said == NULL)
    return;
  g_test_message ("%s", said);
  g_assert_true (g_str_has_prefix (said, "0 right "));
  if (strstr (said, one->said) == NULL)
    g_error ("“%s” does not say “%s”", said, one->said);
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
