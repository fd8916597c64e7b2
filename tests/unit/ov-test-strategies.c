// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The same body over every strategy of every module in OVERLAP_PLUGIN_DIR: whatever a strategy does
 * inside, it must give the same count on the same file, see a stop, report faults and leave
 * nothing behind. A strategy that a module adds is tested without a line of change here.
 *
 * This file has the descriptors, what single families promise besides, and the registration.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/ov-kernels.h"

#include "../support/ov-test-inject.h"

#include "ov-strategy-bodies.h"

/* ---- Descriptors -------------------------------------------------------------------------- */

static gboolean
is_text (const char *text)
{
  return text != NULL && *text != '\0' && g_utf8_validate (text, -1, NULL);
}

static gboolean
is_name (const char *text, const char *more)
{
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_islower (*p) && !g_ascii_isdigit (*p) && strchr (more, *p) == NULL)
      return FALSE;
  return *text != '\0';
}

static void
check_choices (const OvOption *option)
{
  gint64 n = 0;

  g_assert_nonnull (option->choices);
  for (; option->choices[n] != NULL; n++)
    {
      g_assert_true (is_text (option->choices[n]));
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpstr (option->choices[i], !=, option->choices[n]);
    }
  g_assert_cmpint (n, >, 1);
  g_assert_cmpint (option->minimum, ==, 0);
  g_assert_cmpint (option->maximum, ==, n - 1);
}

static void
check_option (const OvOption *option)
{
  g_assert_cmpuint (option->size, ==, sizeof (OvOption));
  g_assert_cmpuint (option->kind, <=, OV_OPTION_CHOICE);
  g_assert_true (is_name (option->name, "-"));
  g_assert_true (is_text (option->title));
  g_assert_true (is_text (option->help) && g_str_has_suffix (option->help, "."));
  g_assert_cmpint (option->minimum, <, option->maximum);
  g_assert_cmpint (option->minimum, <=, option->standard);
  g_assert_cmpint (option->standard, <=, option->maximum);
  if (option->kind == OV_OPTION_BOOL)
    g_assert_true (option->minimum == 0 && option->maximum == 1);
  if (option->kind == OV_OPTION_SIZE)
    g_assert_cmpint (option->minimum, >=, 0);
  if (option->kind == OV_OPTION_CHOICE)
    check_choices (option);
}

static void
test_descriptor (const OvStrategy *strategy)
{
  const guint32 jobs = OV_JOB_COUNT | OV_JOB_WRITE | OV_JOB_BLOCKS | OV_JOB_TRANSFER | OV_JOB_PORT
                       | OV_JOB_TICKS | OV_JOB_SAMPLES;
  g_autofree char *family = g_strndup (strategy->id, strcspn (strategy->id, "."));

  g_assert_cmpuint (strategy->size, ==, sizeof (OvStrategy));
  g_assert_cmpuint (strategy->abi, ==, OV_STRATEGY_ABI);
  g_assert_true (is_name (strategy->id, "-.") && strchr (strategy->id, '.') != NULL);
  g_assert_false (g_str_has_suffix (strategy->id, "."));
  g_assert_cmpstr (strategy->family, ==, family);
  g_assert_true (is_text (strategy->title));
  g_assert_cmpint (g_utf8_strlen (strategy->title, -1), <=, 40);
  g_assert_true (is_text (strategy->summary) && g_str_has_suffix (strategy->summary, "."));
  g_assert_true (strategy->article == NULL || g_ascii_isdigit (*strategy->article));
  g_assert_cmpuint (strategy->jobs, !=, 0);
  g_assert_cmpuint (strategy->jobs & ~jobs, ==, 0);
  g_assert_true (strategy->prepare != NULL && strategy->run != NULL && strategy->release != NULL);
  if ((strategy->jobs & (OV_JOB_WRITE | OV_JOB_TRANSFER)) != 0)
    g_assert_true (ov_has (strategy, OV_CAP_WRITES));
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      check_option (strategy->options[i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (strategy->options[i]->name, !=, strategy->options[j]->name);
    }
}

/* Whether a file below `path` has exactly the text of `length` bytes at `text`. */
static gboolean
find_source (const char *path, const char *text, gsize length)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  gboolean found = FALSE;

  while (dir != NULL && !found && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *bytes = NULL;
      gsize size;

      if (g_file_test (file, G_FILE_TEST_IS_DIR))
        found = find_source (file, text, length);
      else if (g_str_has_suffix (name, ".c") && g_file_get_contents (file, &bytes, &size, NULL))
        found = size == length && memcmp (bytes, text, size) == 0;
    }
  return found;
}

static void
test_source (const OvStrategy *strategy)
{
  g_autofree char *plugins = g_test_build_filename (G_TEST_DIST, "plugins", NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_nonnull (strategy->source);
  g_assert_true (strategy->source_end > strategy->source);
  length = (gsize)(strategy->source_end - strategy->source);
  text = g_strndup (strategy->source, length);
  g_assert_cmpuint (strlen (text), ==, length);
  g_assert_nonnull (strstr (text, "run"));
  g_assert_true (find_source (plugins, strategy->source, length));
}

/* ---- Special cases of single families ------------------------------------------------------ */

static const OvStrategy *
find_strategy (GPtrArray *strategies, const char *id)
{
  for (guint i = 0; i < strategies->len; i++)
    if (g_str_equal (((const OvStrategy *)strategies->pdata[i])->id, id))
      return strategies->pdata[i];
  g_error ("no strategy %s", id);
}

/* More than the machine has: refused before anything is read, with the figures. */
static void
test_whole_file_too_large (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "posix.whole-file");
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 65536), 4 * OV_K, 1);
  OvTask task = ov_case_task (&c);

  g_assert_true (ov_can (strategy));
  task.file_size = task.length = (guint64)1 << 46;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_false (outcome.prepared);
  g_assert_cmpint (outcome.result, ==, -ENOMEM);
  g_assert_nonnull (outcome.explained);
  g_assert_nonnull (strstr (outcome.explained, "67108864 M"));
  g_assert_nonnull (strstr (outcome.explained, "available"));
  g_assert_nonnull (strstr (outcome.explained, "control group"));
  ov_test_outcome_clear (&outcome);
}

/* A line of 64 MiB is taken, one of a byte more is refused, and not by reading to its end. */
static void
test_long_line (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "stdio.getline");
  g_autofree char *path = NULL;
  int fd = ov_test_file_create (&path);
  OvTestFile file = { .fd = fd, .path = path };
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (&file, 4 * OV_K, 1);
  OvTask task;

  g_assert_true (ov_can (strategy));
  g_assert_cmpint (pwrite (fd, "\nAA\n", 4, 0), ==, 4);
  g_assert_cmpint (pwrite (fd, "A\nA", 3, 4 + 64 * OV_M - 2), ==, 3);
  file.size = 4 + 64 * OV_M + 1;
  c.length = file.size;
  task = ov_case_task (&c);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.count, ==, 4);

  g_assert_cmpint (pwrite (fd, "AA", 2, 4 + 64 * OV_M - 2), ==, 2);
  g_assert_cmpint (ftruncate (fd, (off_t)(200 * OV_M)), ==, 0);
  c.length = file.size = 200 * OV_M;
  task = ov_case_task (&c);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -EOVERFLOW);
  g_assert_nonnull (outcome.explained);
  g_assert_cmpuint (outcome.explained_offset, ==, 4);
  g_assert_cmpuint (outcome.live.completed_bytes, <, 65 * OV_M);
  ov_test_outcome_clear (&outcome);
  close (fd);
}

/* EAGAIN without end is given up after a while. */
static void
test_again_is_bounded (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "posix.read");
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 65536), 4 * OV_K, 1);
  OvTask task = ov_case_task (&c);

  g_assert_true (ov_can (strategy));
  ov_test_inject (OV_TEST_FAULT_ALWAYS_AGAIN, c.file->path, 1);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpuint (ov_test_inject_end (), ==, 101);
  g_assert_cmpint (outcome.result, ==, -EAGAIN);
  ov_test_outcome_clear (&outcome);
}

/* What became of not waiting: whatever it was, the bytes are right, the result says it, and a
 * request that was made twice is counted twice. */
static void
check_nowait (const OvStrategy *strategy, OvTestFault fault, const char *label, guint expected)
{
  const guint64 blocks = 100;
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K), 4 * OV_K, 1);
  OvTask task = ov_case_task (&c);

  task.job = OV_JOB_BLOCKS;
  task.requests = blocks;
  ov_test_inject (fault, c.file->path, 1);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpuint (ov_test_inject_end (), ==, expected);
  g_test_message ("%s", outcome.effective);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_nonnull (strstr (outcome.effective, label));
  g_assert_cmpuint (outcome.live.submitted, ==, blocks + expected);
  g_assert_cmpuint (outcome.live.consumed, ==, blocks);
  g_assert_cmpuint (outcome.live.count, ==, ov_count_plain (c.file->bytes, blocks * 4 * OV_K, 'A'));
  ov_test_outcome_clear (&outcome);
}

static void
test_nowait (gconstpointer data)
{
  const OvStrategy *strategy = find_strategy ((GPtrArray *)data, "block.preadv2-nowait");

  g_assert_true (ov_can (strategy));
  check_nowait (strategy, OV_TEST_FAULT_WOULD_WAIT, "nowait=some blocks had to wait", 50);
  check_nowait (strategy, OV_TEST_FAULT_ALWAYS_WOULD_WAIT, "nowait=all blocks had to wait", 100);
  check_nowait (strategy, OV_TEST_FAULT_NO_NOWAIT, "nowait=refused by the file system", 1);
}

static void
test_ids (gconstpointer data)
{
  const GPtrArray *strategies = data;

  for (guint i = 0; i < strategies->len; i++)
    for (guint j = 0; j < i; j++)
      {
        const OvStrategy *a = strategies->pdata[i], *b = strategies->pdata[j];

        g_assert_cmpstr (a->id, !=, b->id);
        g_assert_cmpstr (a->title, !=, b->title);
        g_assert_cmpstr (a->summary, !=, b->summary);
      }
}

/* ---- Registration ------------------------------------------------------------------------- */

static const OvStrategyBody descriptor_bodies[] = {
  { "descriptor", 0, 0, test_descriptor },
  { "source", 0, 0, test_source },
  { NULL, 0, 0, NULL },
};

typedef struct
{
  const OvStrategyBody *body;
  const OvStrategy *strategy;
} Pair;

/* One body with one strategy; afterwards no thread may be left. Helpers of the C library (POSIX
 * AIO) and of the kernel (io_uring) may take a moment to end. */
static void
run_pair (gconstpointer data)
{
  const Pair *pair = data;
  guint threads = ov_test_count_threads ();

  pair->body->function (pair->strategy);
  for (guint i = 0; i < 300 && ov_test_count_threads () > threads; i++)
    g_usleep (10000);
  g_assert_cmpuint (ov_test_count_threads (), <=, threads);
}

static void
add_tests (const char *prefix, const OvStrategyBody *bodies, const OvStrategy *strategy)
{
  for (guint i = 0; bodies[i].name != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%s/%s/%s", prefix, strategy->id, bodies[i].name);
      Pair *pair;

      if ((bodies[i].jobs & ~strategy->jobs) != 0 || (bodies[i].caps & ~strategy->caps) != 0)
        continue;
      pair = g_new (Pair, 1);
      pair->strategy = strategy;
      pair->body = &bodies[i];
      g_test_add_data_func_full (path, pair, run_pair, g_free);
    }
}

/* With -m slow the large files, and nothing else. */
static void
add_tests_of (const OvStrategy *strategy)
{
  if (g_test_slow ())
    {
      add_tests ("large", ov_large_bodies, strategy);
      return;
    }
  add_tests ("strategies", descriptor_bodies, strategy);
  add_tests ("strategies", ov_read_bodies, strategy);
  add_tests ("strategies", ov_fault_bodies, strategy);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) strategies = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (g_getenv ("OVERLAP_PLUGIN_DIR"));
  ov_test_files_begin ();
  ov_test_host = ov_test_host_new ();
  strategies = ov_test_host_load (g_getenv ("OVERLAP_PLUGIN_DIR"));
  g_assert_cmpuint (strategies->len, >, 0);
  for (guint i = 0; i < strategies->len; i++)
    add_tests_of (strategies->pdata[i]);
  if (!g_test_slow ())
    {
      g_test_add_data_func ("/strategies/ids", strategies, test_ids);
      g_test_add_data_func ("/strategies/whole-file-too-large", strategies,
                            test_whole_file_too_large);
      g_test_add_data_func ("/strategies/long-line", strategies, test_long_line);
      g_test_add_data_func ("/strategies/nowait", strategies, test_nowait);
      g_test_add_data_func ("/strategies/again-is-bounded", strategies, test_again_is_bounded);
    }
  result = g_test_run ();

  ov_test_host_free (ov_test_host);
  ov_test_files_end ();
  return result;
}
