/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suite with the real worker, real modules and real files: what a user's run goes through, and
 * what is left when it is stopped, killed or let go in the middle.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "engine/ov-catalog.h"
#include "engine/ov-patience-private.h"
#include "tests/support/ov-engine-fixture.h"
#include "tests/support/ov-suite-fixture.h"

/* By character: slow enough to be met in the middle, 32M take about 0.3 s. */
#define SLOW "[{\"strategy\":\"stdio.getc\"}]"

static char *folder;
static OvCatalog *catalog;

/* ---- Processes ------------------------------------------------------------------------------ */

/* Fields 3, 4 and 5 of /proc/PID/stat. */
static gboolean
look_at (int pid, char *state, int *parent, int *group)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  end = strrchr (text, ')');
  return end != NULL && sscanf (end + 1, " %c %d %d", state, parent, group) == 3;
}

/* Living processes whose parent is `parent` (or any, 0) and whose group is `group` (or any, 0). */
static GArray *
find_processes (int parent, int group)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (int));
  GDir *dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      int pid = atoi (name);
      int its_parent, its_group;
      char state;

      if (pid > 0 && look_at (pid, &state, &its_parent, &its_group) && state != 'Z'
          && (parent == 0 || its_parent == parent) && (group == 0 || its_group == group))
        g_array_append_val (found, pid);
    }
  g_dir_close (dir);
  return found;
}

/* The worker of the suite that is going on. */
static int
find_worker (void)
{
  g_autoptr (GArray) found = find_processes (getpid (), 0);

  g_assert_cmpuint (found->len, ==, 1);
  return g_array_index (found, int, 0);
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void
assert_empty (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);

  g_assert_nonnull (dir);
  g_assert_cmpstr (g_dir_read_name (dir), ==, NULL);
  g_dir_close (dir);
}

/* ---- Suites --------------------------------------------------------------------------------- */

static void
on_catalog (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  catalog = ov_catalog_load_finish (result, &error);
  g_assert_no_error (error);
  *(gboolean *)data = TRUE;
}

static void
load_catalog (void)
{
  g_autoptr (OvLauncher) launcher = ov_launcher_new (NULL);
  gboolean done = FALSE;

  if (catalog != NULL)
    return;
  ov_catalog_load_async (launcher, NULL, on_catalog, &done);
  ov_fixture_wait (&done, 60);
}

static OvSuite *
make_suite (const char *strategies, const char *size, guint repetitions, const char *const *targets)
{
  const char *one[] = { folder, NULL };
  g_autoptr (OvLauncher) launcher = ov_launcher_new (NULL);
  g_autoptr (OvExperiment) experiment = NULL;

  load_catalog ();
  experiment = ov_fixture_experiment (strategies, size, repetitions);
  experiment->timing = OV_TIMING_TIMELINE;
  return ov_suite_new (
      experiment,
      ov_fixture_plan (experiment, targets != NULL ? targets : one, catalog->strategies), launcher);
}

/* Long waits: these tests are not about a worker that is slow on a loaded machine. */
static void
be_patient (void)
{
  ov_patience = (OvPatience){
    .greet = 30000,
    .greet_remote = 30000,
    .describe = 30000,
    .preflight = 30000,
    .silence = 30000,
    .abort = 20000,
    .abort_total = 30000,
    .force = 20000,
    .close = 10000,
    .term = 2000,
    .kill = 10000,
    .park = 300,
  };
}

static void
begin (OvSuiteWatch *watch, OvSuite *suite)
{
  be_patient ();
  ov_fixture_begin ();
  ov_suite_watch_init (watch, suite);
  ov_suite_start (watch->suite);
}

static void
end (OvSuiteWatch *watch)
{
  ov_suite_watch_clear (watch);
  ov_fixture_end ();
  assert_empty (folder);
}

static void
wait_for_start (OvSuiteWatch *watch, guint n)
{
  while (watch->started->len < n && !watch->finished)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (watch->finished);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void
test_catalog (void)
{
  gboolean found = FALSE;

  load_catalog ();
  g_assert_nonnull (catalog->machine->kernel);
  g_assert_cmpuint (catalog->machine->cores, >, 0);
  g_assert_cmpuint (catalog->faults->len, ==, 0);
  for (guint i = 0; i < catalog->strategies->len; i++)
    {
      const OvStrategyInfo *info = catalog->strategies->pdata[i];

      found |= g_str_equal (info->id, "posix.read");
      g_assert_true (info->available || info->cause != NULL);
      if (i > 0)
        g_assert_cmpstr (((OvStrategyInfo *)catalog->strategies->pdata[i - 1])->id, <, info->id);
    }
  g_assert_true (found);
}

static void
on_info (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  OvTargetInfo **info = data;

  *info = ov_preflight_finish (result, &error);
  g_assert_no_error (error);
}

static OvTargetInfo *
preflight (const char *target)
{
  g_autoptr (OvLauncher) launcher = ov_launcher_new (NULL);
  OvTargetInfo *info = NULL;

  ov_preflight_async (launcher, target, NULL, on_info, &info);
  while (info == NULL)
    g_main_context_iteration (NULL, TRUE);
  return info;
}

static void
test_preflight (void)
{
  g_autoptr (OvTargetInfo) good = NULL;
  g_autoptr (OvTargetInfo) bad = NULL;
  g_autoptr (OvTargetInfo) bytes = NULL;
  g_autofree char *odd = g_strconcat (folder, "/\377\376", NULL);

  be_patient ();
  ov_fixture_begin ();
  good = preflight (folder);
  g_assert_cmpint (good->kind, ==, OV_TARGET_FOLDER);
  g_assert_true (good->writable);
  g_assert_nonnull (good->fs_type);
  bad = preflight ("/nowhere/at all");
  g_assert_cmpint (bad->kind, ==, OV_TARGET_REFUSED);
  g_assert_nonnull (strstr (bad->cause, "/nowhere/at all"));
  g_assert_cmpint (g_mkdir (odd, 0700), ==, 0); /* a name that is no UTF-8 */
  bytes = preflight (odd);
  g_rmdir (odd);
  g_assert_cmpint (bytes->kind, ==, OV_TARGET_FOLDER);
  g_assert_cmpstr (bytes->path, ==, odd);
  ov_fixture_end ();
}

/* Every run reads the same bytes and finds the same; figures, samples and logs are there. */
static void
test_whole (void)
{
  static const char strategies[]
      = "[{\"strategy\":\"posix.read\",\"block\":\"64K\"},{\"strategy\":\"stdio.getc\"},"
        "{\"strategy\":\"mmap.scan\"},{\"strategy\":\"uring.wait\",\"block\":\"256K\"}]";
  const char *check = NULL;
  OvSuiteWatch watch;
  OvResult *result;
  guint n_done = 0;

  begin (&watch, make_suite (strategies, "32M", 2, NULL));
  ov_suite_watch_wait (&watch, 120);
  g_assert_no_error (watch.error);
  result = ov_suite_get_result (watch.suite);
  g_assert_false (result->partial);
  g_assert_cmpuint (result->targets->len, ==, 1);
  g_assert_nonnull (result->machine);
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = result->runs->pdata[i];

      if (run->state == OV_STATE_SKIPPED && run->cause != NULL)
        continue; /* no io_uring here */
      g_assert_cmpstr (run->cause, ==, NULL);
      g_assert_cmpint (run->state, ==, OV_STATE_DONE);
      n_done++;
      g_assert_cmpint (run->bytes, ==, 32 * 1024 * 1024);
      g_assert_cmpint (run->elapsed_ns, >, 0);
      g_assert_cmpint (run->cpu_ns, >, 0);
      g_assert_cmpint (run->stop_latency_ns, ==, -1);
      g_assert_nonnull (run->check);
      if (check == NULL)
        check = run->check;
      g_assert_cmpstr (run->check, ==, check);
      if (g_str_equal (run->spec->strategy, "posix.read"))
        {
          g_assert_nonnull (run->log);
          g_assert_cmpuint (run->log->len, >=, 512);
          g_assert_nonnull (ov_run_get_latency ((OvRun *)run));
        }
      if (i > 0) /* one after the other, on one clock */
        {
          const OvRun *before = result->runs->pdata[i - 1];

          if (before->elapsed_ns >= 0)
            g_assert_cmpint (run->started_ns, >=, before->started_ns + before->elapsed_ns);
        }
    }
  g_assert_cmpuint (n_done, >=, 6);
  g_assert_cmpuint (watch.n_samples, >, 0);
  g_assert_cmpuint (watch.n_throughputs, >, 0);
  end (&watch);
}

static void
test_two_targets (void)
{
  g_autofree char *a = g_build_filename (folder, "a", NULL);
  g_autofree char *b = g_build_filename (folder, "b", NULL);
  const char *targets[] = { a, b, "/nowhere/c", NULL };
  OvSuiteWatch watch;

  g_assert_cmpint (g_mkdir (a, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (b, 0700), ==, 0);
  begin (&watch, make_suite ("[{\"strategy\":\"posix.read\"}]", "1M", 2, targets));
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 6);
  for (guint i = 0; i < 6; i++)
    {
      const OvRun *run = watch.ended->pdata[i];

      g_assert_cmpuint (run->spec->index, ==, i);
      g_assert_cmpint (run->state, ==,
                       g_str_equal (run->spec->target, "/nowhere/c") ? OV_STATE_SKIPPED
                                                                     : OV_STATE_DONE);
    }
  assert_empty (a);
  assert_empty (b);
  g_rmdir (a);
  g_rmdir (b);
  end (&watch);
}

typedef struct
{
  guint phase;
  guint presses;
  gboolean met;
} StopAt;

static void
on_phase_stop (OvSuite *suite, OvRun *run, guint phase, double fraction, StopAt *at)
{
  if (phase != at->phase || at->met)
    return;
  at->met = TRUE;
  for (guint i = 0; i < at->presses; i++)
    ov_suite_stop (suite);
}

/* Stop, and stop twice, in each phase.  A phase may be over before it is told; those that last must
 * be met. */
static void
test_stop_in_phase (void)
{
  for (guint phase = OV_PHASE_PROBE; phase <= OV_PHASE_RELEASE; phase++)
    for (guint presses = 1; presses <= 2 && phase != OV_PHASE_RESTORE && phase != OV_PHASE_SYNC;
         presses++)
      {
        StopAt at = { .phase = phase, .presses = presses };
        OvSuiteWatch watch;

        be_patient ();
        ov_fixture_begin ();
        ov_suite_watch_init (&watch, make_suite (SLOW, "32M", 2, NULL));
        g_signal_connect (watch.suite, "phase", G_CALLBACK (on_phase_stop), &at);
        ov_suite_start (watch.suite);
        ov_suite_watch_wait (&watch, 60);
        g_assert_no_error (watch.error);
        if (phase == OV_PHASE_LAYOUT || phase == OV_PHASE_DISCARD || phase == OV_PHASE_RUN)
          g_assert_true (at.met);
        if (at.met)
          g_assert_true (ov_suite_get_result (watch.suite)->partial);
        if (at.met && phase == OV_PHASE_LAYOUT)
          g_assert_cmpuint (watch.ended->len, ==, 0);
        if (at.met)
          g_assert_cmpint (ov_suite_get_stop_latency_ns (watch.suite), >, 0);
        if (at.met && phase == OV_PHASE_RUN)
          {
            const OvRun *run = watch.ended->pdata[0];

            g_assert_cmpuint (watch.ended->len, ==, 1);
            g_assert_cmpint (run->state, ==, OV_STATE_STOPPED);
            g_assert_cmpint (run->stop_latency_ns, >=, 0);
            g_assert_cmpint (ov_suite_get_stop_latency_ns (watch.suite), >=, run->stop_latency_ns);
            g_assert_cmpint (run->bytes, <, 32 * 1024 * 1024);
            g_test_message ("phase %s: stopped after %.2f ms, by the engine's clock %.2f ms",
                            ov_phase_nick (phase), (double)run->stop_latency_ns / 1e6,
                            (double)ov_suite_get_stop_latency_ns (watch.suite) / 1e6);
          }
        end (&watch);
      }
}

/* Strategies with requests in flight, stopped while they run: the log of what was done can be read,
 * and the session does not break. */
static void
test_stop_in_flight (void)
{
  static const char *const strategies[] = {
    "[{\"strategy\":\"thread.double-buffer\",\"block\":\"64K\",\"depth\":8}]",
    "[{\"strategy\":\"uring.wait\",\"block\":\"64K\",\"depth\":8}]",
    "[{\"strategy\":\"aio.wait\",\"block\":\"64K\",\"depth\":8}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    for (guint presses = 1; presses <= 2; presses++)
      {
        StopAt at = { .phase = OV_PHASE_RUN, .presses = presses };
        const OvRun *run;
        OvSuiteWatch watch;

        be_patient ();
        ov_fixture_begin ();
        ov_suite_watch_init (&watch, make_suite (strategies[i], "128M", 2, NULL));
        g_signal_connect (watch.suite, "phase", G_CALLBACK (on_phase_stop), &at);
        ov_suite_start (watch.suite);
        ov_suite_watch_wait (&watch, 60);
        g_assert_no_error (watch.error);
        g_assert_cmpuint (watch.ended->len, >=, 1);
        run = watch.ended->pdata[0];
        if (run->state == OV_STATE_SKIPPED)
          g_test_message ("%s", run->cause);
        else
          {
            if (run->cause != NULL)
              g_test_message ("%s", run->cause);
            g_assert_true (run->state == OV_STATE_STOPPED || run->state == OV_STATE_DONE);
            g_assert_null (run->cause != NULL ? strstr (run->cause, "worker") : NULL);
          }
        end (&watch);
      }
}

/* SIGKILL to the worker in the middle of a run: that run has failed, another session lays out again
 * and does the rest, and the first one's child is gone. */
static void
test_worker_killed (void)
{
  g_autoptr (GArray) group = NULL;
  OvSuiteWatch watch;
  const OvRun *run;
  int worker;

  begin (&watch, make_suite (SLOW, "32M", 3, NULL));
  wait_for_start (&watch, 1);
  worker = find_worker ();
  group = find_processes (0, worker);
  g_assert_cmpuint (group->len, >=, 2); /* it and a child */
  g_assert_cmpint (kill (worker, SIGKILL), ==, 0);
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 3);
  run = watch.ended->pdata[0];
  g_assert_cmpint (run->state, ==, OV_STATE_FAILED);
  g_assert_nonnull (strstr (run->cause, "signal 9"));
  for (guint i = 1; i < 3; i++)
    g_assert_cmpint (((OvRun *)watch.ended->pdata[i])->state, ==, OV_STATE_DONE);
  g_assert_false (ov_suite_get_result (watch.suite)->partial);
  for (guint i = 0; i < group->len; i++)
    {
      int parent, its_group;
      char state;

      g_assert_false (look_at (g_array_index (group, int, i), &state, &parent, &its_group)
                      && state != 'Z' && its_group == worker);
    }
  end (&watch);
}

/* SIGKILL to what runs the strategy: the worker reports it and goes on itself. */
static void
test_child_killed (void)
{
  g_autoptr (GArray) children = NULL;
  OvSuiteWatch watch;
  const OvRun *run;
  int worker;

  begin (&watch, make_suite (SLOW, "32M", 3, NULL));
  wait_for_start (&watch, 2);
  worker = find_worker ();
  children = find_processes (worker, 0);
  g_assert_cmpuint (children->len, >=, 1);
  for (guint i = 0; i < children->len; i++) /* the youngest is the run's */
    if (i == children->len - 1)
      kill (g_array_index (children, int, i), SIGKILL);
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 3);
  run = watch.ended->pdata[1];
  g_assert_cmpint (run->state, ==, OV_STATE_FAILED);
  g_test_message ("%s", run->cause);
  g_assert_cmpint (((OvRun *)watch.ended->pdata[0])->state, ==, OV_STATE_DONE);
  g_assert_cmpint (((OvRun *)watch.ended->pdata[2])->state, ==, OV_STATE_DONE);
  end (&watch);
}

/* A worker that stands still is found out, ended and replaced. */
static void
test_worker_stopped (void)
{
  OvSuiteWatch watch;

  begin (&watch, make_suite (SLOW, "32M", 2, NULL));
  wait_for_start (&watch, 1);
  ov_patience.silence = 1500;
  g_assert_cmpint (kill (find_worker (), SIGSTOP), ==, 0);
  while (watch.ended->len == 0)
    g_main_context_iteration (NULL, TRUE);
  be_patient ();
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 2);
  g_assert_cmpint (((OvRun *)watch.ended->pdata[0])->state, ==, OV_STATE_FAILED);
  g_assert_nonnull (strstr (((OvRun *)watch.ended->pdata[0])->cause, "said nothing for"));
  g_assert_cmpint (((OvRun *)watch.ended->pdata[1])->state, ==, OV_STATE_DONE);
  end (&watch);
}

/* The last reference goes at any moment: no process, no file. */
static void
test_unref (void)
{
  static const guint at_ms[] = { 0, 30, 80, 150, 300, 600 };

  for (guint i = 0; i < G_N_ELEMENTS (at_ms); i++)
    {
      OvSuiteWatch watch;

      begin (&watch, make_suite (SLOW, "32M", 2, NULL));
      if (at_ms[i] > 0)
        ov_fixture_run (at_ms[i]);
      end (&watch);
    }
}

/* Unknown before the first run has ended and after Stop, an estimate in between. */
static void
test_time_left (void)
{
  OvSuiteWatch watch;

  begin (&watch, make_suite (SLOW, "32M", 4, NULL));
  g_assert_cmpint (ov_suite_get_seconds_left (watch.suite), ==, -1);
  wait_for_start (&watch, 2);
  g_assert_cmpint (ov_suite_get_seconds_left (watch.suite), >=, 0);
  g_assert_cmpint (ov_suite_get_seconds_left (watch.suite), <, 600);
  ov_suite_stop (watch.suite);
  g_assert_cmpint (ov_suite_get_seconds_left (watch.suite), ==, -1);
  ov_suite_watch_wait (&watch, 60);
  end (&watch);
}

int
main (int argc, char **argv)
{
  const char *worker = g_getenv ("OVERLAP_WORKER");
  int status;

  g_test_init (&argc, &argv, NULL);
  ov_fixture_init ();
  be_patient ();
  g_assert_true (worker != NULL && g_file_test (worker, G_FILE_TEST_IS_EXECUTABLE));
  folder = g_dir_make_tmp ("overlap-suite-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/real/catalog", test_catalog);
  g_test_add_func ("/real/preflight", test_preflight);
  g_test_add_func ("/real/whole", test_whole);
  g_test_add_func ("/real/two-targets", test_two_targets);
  g_test_add_func ("/real/stop-in-phase", test_stop_in_phase);
  g_test_add_func ("/real/stop-in-flight", test_stop_in_flight);
  g_test_add_func ("/real/worker-killed", test_worker_killed);
  g_test_add_func ("/real/child-killed", test_child_killed);
  g_test_add_func ("/real/worker-stopped", test_worker_stopped);
  g_test_add_func ("/real/unref", test_unref);
  g_test_add_func ("/real/time-left", test_time_left);
  status = g_test_run ();
  ov_catalog_free (catalog);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
