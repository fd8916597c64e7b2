/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli run: looks at the targets, makes the plan, runs it, writes what was asked for.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "cli/ov-cli-output.h"
#include "cli/ov-cli-progress.h"
#include "cli/ov-cli-run-options.h"
#include "cli/ov-cli.h"
#include "engine/ov-elevation.h"
#include "engine/ov-suite.h"
#include "model/ov-disk.h"
#include "model/ov-machine.h"

typedef struct
{
  GMainLoop *loop;
  OvSuite *suite;
  GError *error;
  gboolean stopped;
} Runner;

static void
on_finished (OvSuite *suite, const GError *error, Runner *runner)
{
  if (error != NULL)
    runner->error = g_error_copy (error);
  g_main_loop_quit (runner->loop);
}

static gboolean
on_signal (gpointer data)
{
  Runner *runner = data;

  /* Before the suite there is nothing to keep; what looks around ends, and we with it. */
  if (runner->suite == NULL && runner->stopped)
    exit (OV_EXIT_STOPPED);
  if (runner->suite == NULL)
    ov_cli_cancel ();
  else
    ov_suite_stop (runner->suite);
  runner->stopped = TRUE;
  return G_SOURCE_CONTINUE;
}

/** Looks at the targets and makes the plan.  NULL after a complaint.  `told`, where a strategy in
 * it works only with more privilege than the worker has: what that worker told of all strategies
 * (of OvStrategyInfo, transfer full).  `others`: of what it told before, or NULL. */
static OvPlan *
make_plan (OvExperiment *experiment, const OvRunOptions *options, const OvLauncher *launcher,
           GPtrArray *others, int *status, GPtrArray **told)
{
  const char *const here[] = { experiment->target != NULL ? experiment->target : ".", NULL };
  const char *const *targets
      = options->targets != NULL ? (const char *const *)options->targets : here;
  const guint n_targets = g_strv_length ((char **)targets);
  g_auto (GStrv) paths = g_new0 (char *, n_targets + 1);
  g_autofree guint64 *sizes = g_new0 (guint64, n_targets);
  g_autofree gboolean *are_files = g_new0 (gboolean, n_targets);
  g_autoptr (OvCatalog) catalog = NULL;
  g_autoptr (GError) error = NULL;
  OvPlanChoice choice;
  OvPlan *plan;

  *status = OV_EXIT_FAILED;
  for (guint i = 0; i < n_targets; i++)
    {
      g_autoptr (OvTargetInfo) info = NULL;

      /* On another machine a path is that machine's business. */
      paths[i] = options->through != NULL || ov_disk_is_target (targets[i])
                         || ov_target_is_machine (targets[i])
                     ? g_strdup (targets[i])
                     : g_canonicalize_filename (targets[i], NULL);
      info = ov_cli_look_at (launcher, paths[i]);
      if (info == NULL)
        return NULL;
      are_files[i] = info->kind == OV_TARGET_FILE;
      sizes[i] = are_files[i] ? info->size : 0;
    }
  catalog = ov_cli_load_catalog (launcher);
  if (catalog == NULL)
    return NULL;
  if (others != NULL)
    ov_elevation_add_others (catalog->strategies, others);
  ov_run_options_choose (options, &choice);
  choice.targets = (const char *const *)paths;
  choice.target_sizes = sizes;
  choice.target_is_file = are_files;
  plan = ov_plan_new (experiment, &choice, catalog->strategies, &error);
  if (told != NULL && (plan != NULL || g_error_matches (error, OV_ERROR, OV_ERROR_UNSUPPORTED))
      && ov_elevation_helps (experiment, plan, catalog->strategies, launcher))
    *told = g_ptr_array_ref (catalog->strategies);
  if (plan == NULL)
    {
      ov_cli_complain ("%s", error->message);
      if (!g_error_matches (error, OV_ERROR, OV_ERROR_UNSUPPORTED))
        *status = OV_EXIT_USAGE;
    }
  return plan;
}

/** The plan anew, with the worker that has the privilege.  Where that is not to be had, the old
 * one: what works without goes on. */
static OvPlan *
make_privileged_plan (OvExperiment *experiment, const OvRunOptions *options, GPtrArray *others,
                      OvPlan *plan, OvLauncher **launcher)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvLauncher) privileged = ov_launcher_new_privileged (&error);
  OvPlan *anew = NULL;
  int status;

  if (privileged == NULL)
    ov_cli_complain (_ ("Some strategies need privilege and are left out: %s"), error->message);
  else
    {
      anew = make_plan (experiment, options, privileged, others, &status, NULL);
      if (anew == NULL)
        ov_cli_complain ("%s", _ ("Strategies that need privilege are left out."));
    }
  if (anew == NULL)
    return plan;
  ov_plan_free (plan);
  ov_launcher_free (*launcher);
  *launcher = g_steal_pointer (&privileged);
  return anew;
}

static int
status_of (const OvResult *result, const Runner *runner)
{
  g_autoptr (GPtrArray) cells = NULL;

  if (runner->stopped)
    return OV_EXIT_STOPPED;
  if (runner->error != NULL)
    return OV_EXIT_FAILED;
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->state == OV_STATE_FAILED || run->state == OV_STATE_ABANDONED)
        return OV_EXIT_RUNS;
    }
  cells = ov_result_cells (result);
  for (guint i = 0; i < cells->len; i++)
    if (((const OvCell *)cells->pdata[i])->n_wrong > 0)
      return OV_EXIT_RUNS;
  return OV_EXIT_OK;
}

/** Writes everything that was asked for; what fails does not keep the rest from being written. */
static gboolean
write_outputs (const OvResult *result, const OvRunOptions *options)
{
  const gboolean taken = g_strcmp0 (options->json, "-") == 0 || g_strcmp0 (options->csv, "-") == 0
                         || g_strcmp0 (options->profile_csv, "-") == 0;
  FILE *to = taken ? stderr : stdout;
  gboolean good;

  /* Whoever reads the table may be gone, "| tee log" by the same Ctrl-C; files are written all the
   * same. */
  signal (SIGPIPE, SIG_IGN);
  good = ov_cli_print_table (result, to);
  if (options->json != NULL)
    good &= ov_cli_write_json (result, options->json,
                               options->with_logs || options->timing == OV_TIMING_TIMELINE);
  if (options->csv != NULL)
    good &= ov_cli_write_csv (result, options->csv);
  if (options->profile_csv != NULL)
    good &= ov_cli_write_profile_csv (result, options->profile_csv);
  if (options->charts != NULL)
    good &= ov_cli_write_charts (result, options->charts, to);
  return good;
}

static void
say_how_it_stopped (const Runner *runner)
{
  const gint64 latency = ov_suite_get_stop_latency_ns (runner->suite);
  g_autofree char *time = latency >= 0 ? ov_duration_format ((double)latency / 1e9) : NULL;

  if (runner->stopped && time != NULL)
    fprintf (stderr, _ ("Stopped in %s; what was measured until then is kept.\n"), time);
  else if (runner->stopped)
    fprintf (stderr, _ ("Stopped; what was measured until then is kept.\n"));
}

static int
run_plan (Runner *runner, OvExperiment *experiment, OvPlan *plan, const OvRunOptions *options,
          const OvLauncher *launcher)
{
  OvCliProgress *progress;
  int status;

  runner->loop = g_main_loop_new (NULL, FALSE);
  runner->suite = ov_suite_new (experiment, plan, launcher);
  ov_suite_set_until (runner->suite, options->until_width / 100, options->until_time);
  progress = ov_cli_progress_new (runner->suite, options->quiet);
  g_signal_connect (runner->suite, "finished", G_CALLBACK (on_finished), runner);
  ov_suite_start (runner->suite);
  if (ov_suite_get_state (runner->suite) != OV_SUITE_ENDED)
    g_main_loop_run (runner->loop);
  ov_cli_progress_free (progress);

  say_how_it_stopped (runner);
  if (runner->error != NULL && !runner->stopped)
    ov_cli_complain ("%s", runner->error->message);
  status = status_of (ov_suite_get_result (runner->suite), runner);
  if (!write_outputs (ov_suite_get_result (runner->suite), options) && status == OV_EXIT_OK)
    status = OV_EXIT_FAILED;
  g_clear_error (&runner->error);
  g_clear_object (&runner->suite);
  g_main_loop_unref (runner->loop);
  return status;
}

/** Whoever reaches hardware by sudo gives root up, also where root needs to ask nobody. */
static gboolean
is_by_sudo (const OvExperiment *experiment)
{
  const char *sudo = g_getenv ("SUDO_UID");

  return (experiment->job & OV_HARDWARE_JOBS) != 0 && geteuid () == 0 && sudo != NULL
         && !g_str_equal (sudo, "0");
}

/** NULL after a complaint. */
static OvLauncher *
choose_launcher (const OvExperiment *experiment, const OvRunOptions *options, int *status)
{
  g_autoptr (GError) error = NULL;
  OvLauncher *launcher;

  *status = OV_EXIT_USAGE;
  if (!options->virtual_machine && options->through == NULL && is_by_sudo (experiment))
    {
      *status = OV_EXIT_FAILED;
      launcher = ov_launcher_new_privileged (&error);
      if (launcher == NULL)
        ov_cli_complain (
            _ ("Below sudo, hardware is reached by the privileged worker or not at all. %s"),
            error->message);
      return launcher;
    }
  if (!options->virtual_machine)
    return ov_cli_launcher (options->through);
  if ((experiment->job & OV_HARDWARE_JOBS) == 0)
    {
      ov_cli_complain (_ ("--virtual is for experiments with hardware, such as port-or-gate"));
      return NULL;
    }
  *status = OV_EXIT_FAILED;
  launcher = ov_launcher_new_virtual (&error);
  if (launcher == NULL)
    ov_cli_complain ("--virtual: %s", error->message);
  return launcher;
}

static int
run_with (const OvRunOptions *options, const char *name)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
  static Runner runner; /* the signals' handlers outlive this call */
  g_autoptr (OvLauncher) launcher = NULL;
  g_autoptr (OvExperiment) experiment = NULL;
  g_autoptr (GPtrArray) told = NULL;
  OvPlan *plan;
  int status;

  /* Better now than when hours were measured. */
  if (!ov_cli_can_write (options->json, options->csv, options->profile_csv, options->charts))
    return OV_EXIT_FAILED;
  experiment = ov_cli_find_experiment (name);
  if (experiment == NULL)
    return OV_EXIT_FAILED;
  launcher = choose_launcher (experiment, options, &status);
  if (launcher == NULL)
    return status;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_unix_signal_add (signals[i], on_signal, &runner);
  plan = make_plan (experiment, options, launcher, NULL, &status, &told);
  if (told != NULL && !runner.stopped)
    plan = make_privileged_plan (experiment, options, told, plan, &launcher);
  if (runner.stopped)
    {
      ov_plan_free (plan);
      return OV_EXIT_STOPPED;
    }
  return plan != NULL ? run_plan (&runner, experiment, plan, options, launcher) : status;
}

int
ov_cli_run (int argc, char **argv)
{
  OvRunOptions options;
  int status = OV_EXIT_USAGE;

  if (ov_run_options_parse (&options, &argc, &argv))
    status = run_with (&options, argv[1]);
  ov_run_options_clear (&options);
  return status;
}
