/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A disk that hangs for good, seen by the engine: Stop ends the suite with an abandoned run, the
 * main loop never stands, and a suite elsewhere works at once while the old child is still stuck.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "engine/ov-patience-private.h"
#include "support/ov-engine-fixture.h"
#include "support/ov-hang-mount.h"
#include "support/ov-suite-fixture.h"

static OvHangMount hang;
static char *healthy;

static OvSuite *
make_suite (const char *strategy, const char *target, guint64 file_size)
{
  g_autofree char *strategies = g_strdup_printf (
      "[{\"strategy\":\"%s\",\"block\":\"64K\",\"condition\":\"bypassed\"}]", strategy);
  const char *targets[] = { target, NULL };
  g_autoptr (OvLauncher) launcher = ov_launcher_new (NULL);
  g_autoptr (OvExperiment) experiment
      = ov_fixture_experiment (strategies, file_size > 0 ? "64M" : "1M", 2);
  g_autoptr (GPtrArray) infos
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  g_autoptr (GError) error = NULL;
  OvPlanChoice choice;
  OvPlan *plan;

  g_ptr_array_add (infos, ov_fixture_strategy (strategy));
  ov_plan_choice_init (&choice);
  choice.targets = targets;
  choice.target_sizes = &file_size;
  choice.no_discard = TRUE;
  plan = ov_plan_new (experiment, &choice, infos, &error);
  g_assert_no_error (error);
  return ov_suite_new (experiment, plan, launcher);
}

static void
test_strategy (gconstpointer data)
{
  const char *strategy = data;
  OvSuiteWatch watch;
  const OvRun *run;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite (strategy, hang.file, 64 << 20));
  ov_suite_start (watch.suite);
  while (watch.started->len == 0 && !watch.finished)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (watch.finished);
  ov_fixture_run (100);
  kill (hang.server, SIGSTOP);
  ov_fixture_run (100);
  ov_suite_stop (watch.suite);
  ov_suite_watch_wait (&watch, 30);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 1);
  run = watch.ended->pdata[0];
  g_test_message ("%s: %s after %.1f s: %s", strategy, ov_state_nick (run->state),
                  (double)ov_suite_get_stop_latency_ns (watch.suite) / 1e9,
                  run->cause != NULL ? run->cause : "");
  /* What waits interruptibly for the server can still be killed. */
  g_assert_true (run->state == OV_STATE_ABANDONED || run->state == OV_STATE_STOPPED);
  if (run->state == OV_STATE_ABANDONED)
    g_assert_nonnull (strstr (run->cause, "Stuck in the kernel"));
  g_assert_true (ov_suite_get_result (watch.suite)->partial);
  ov_suite_watch_clear (&watch);

  ov_suite_watch_init (&watch, make_suite ("posix.read", healthy, 0));
  ov_suite_start (watch.suite);
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 2);
  g_assert_cmpint (((OvRun *)watch.ended->pdata[1])->state, ==, OV_STATE_DONE);
  ov_suite_watch_clear (&watch);
  kill (hang.server, SIGCONT);
  ov_fixture_end ();
}

/* The target hangs before anything was begun. */
static void
test_preflight (void)
{
  g_autofree char *other = g_build_filename (hang.folder, "other", NULL);
  OvSuiteWatch watch;

  ov_fixture_begin ();
  kill (hang.server, SIGSTOP);
  ov_suite_watch_init (&watch, make_suite ("posix.read", other, 1 << 20));
  ov_suite_start (watch.suite);
  ov_suite_watch_wait (&watch, 60);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const OvRun *run = watch.ended->pdata[i];

      g_assert_cmpint (run->state, ==, OV_STATE_SKIPPED);
      g_assert_nonnull (strstr (run->cause, "does not answer"));
    }
  ov_suite_watch_clear (&watch);
  kill (hang.server, SIGCONT);
  ov_fixture_end ();
}

int
main (int argc, char **argv)
{
  static const char *const strategies[] = { "posix.read", "uring.wait", "aio.wait" };
  OvPatience patience = ov_patience;
  g_autofree char *reason = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  ov_fixture_init ();
  ov_patience = patience;
  healthy = g_dir_make_tmp ("overlap-healthy-XXXXXX", NULL);
  reason = ov_hang_mount_init (&hang);
  if (reason != NULL)
    {
      g_print ("1..0 # SKIP %s\n", reason);
      status = 0; /* TAP says it, not the exit status */
    }
  else
    {
      ov_fixture_ignore_child (hang.server);
      for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
        {
          g_autofree char *path = g_strdup_printf ("/suite/hang/%s", strategies[i]);

          g_test_add_data_func (path, strategies[i], test_strategy);
        }
      g_test_add_func ("/suite/hang/preflight", test_preflight);
      status = g_test_run ();
    }
  ov_hang_mount_clear (&hang);
  g_rmdir (healthy);
  g_free (healthy);
  return status;
}
