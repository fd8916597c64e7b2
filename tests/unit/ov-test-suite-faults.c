/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suite against workers that break in every way that could be thought of, and against callers
 * that stop, force and let go at any moment.
 */
#include "config.h"

#include <math.h>

#include "base/ov-error.h"
#include "tests/support/ov-engine-fixture.h"
#include "tests/support/ov-suite-fixture.h"

#define N_RUNS 6

static OvSuite *
make_suite (const char *mode, guint n_runs, const char *const *targets, gboolean prefix)
{
  static const char *const one[] = { "/nowhere/a", NULL };
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher (mode, prefix);
  g_autoptr (OvExperiment) experiment
      = ov_fixture_experiment ("[{\"strategy\":\"fake.read\"}]", "1M", n_runs);
  g_autoptr (GPtrArray) infos
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);

  g_ptr_array_add (infos, ov_fixture_strategy ("fake.read"));
  return ov_suite_new (
      experiment, ov_fixture_plan (experiment, targets != NULL ? targets : one, infos), launcher);
}

/* ---- Left to themselves --------------------------------------------------------------------- */

typedef struct
{
  const char *mode;
  guint n_runs;
  guint n_ended;
  OvState state;     /* of all that ended */
  const char *cause; /* words in the first run's, or NULL */
  const char *error; /* words in the suite's, or NULL: none */
} Fault;

static const Fault faults[] = {
  { "good", 6, 6, OV_STATE_DONE, NULL, NULL },
  { "log", 6, 6, OV_STATE_DONE, NULL, NULL },
  { "types-run", 6, 6, OV_STATE_DONE, NULL, NULL },
  { "flood", 1, 1, OV_STATE_DONE, NULL, NULL },
  { "stays", 6, 6, OV_STATE_DONE, NULL, NULL },
  /* No session comes to be: nothing is tried twice. */
  { "exit", 6, 0, OV_STATE_DONE, NULL, "cannot go on" },
  { "silent", 6, 0, OV_STATE_DONE, NULL, "not ready after" },
  { "slow-hello", 6, 0, OV_STATE_DONE, NULL, "not ready after" },
  { "version", 6, 0, OV_STATE_DONE, NULL, "version 99" },
  { "banner", 6, 0, OV_STATE_DONE, NULL, "Welcome to host.example" },
  { "no-hello", 6, 0, OV_STATE_DONE, NULL, "does not greet" },
  /* The target or its file cannot be had: its runs do not happen. */
  { "refused", 6, 6, OV_STATE_SKIPPED, "It is a FIFO", NULL },
  { "silent-preflight", 6, 6, OV_STATE_SKIPPED, "“/nowhere/a” does not answer", NULL },
  { "deaf", 6, 6, OV_STATE_SKIPPED, "“/nowhere/a” does not answer", NULL },
  { "bad-preflight", 6, 6, OV_STATE_SKIPPED, "answer about the target", NULL },
  { "no-space", 6, 6, OV_STATE_FAILED, "The disk is full", NULL },
  { "run-error", 6, 6, OV_STATE_FAILED, "Another run is going on", NULL },
  /* The session breaks: the run has failed, three more sessions are tried. */
  { "killed-layout", 6, 0, OV_STATE_DONE, NULL, "broke 4 times" },
  { "killed-run", 6, 4, OV_STATE_FAILED, "signal 9", "broke 4 times" },
  { "exit-run", 6, 4, OV_STATE_FAILED, "exit status 0", "broke 4 times" },
  { "orphan", 6, 4, OV_STATE_FAILED, "signal 9", "broke 4 times" },
  { "half-line", 6, 4, OV_STATE_FAILED, "exit status 4", "broke 4 times" },
  { "garbage-run", 6, 4, OV_STATE_FAILED, "Segmentation fault", "broke 4 times" },
  { "binary-run", 6, 4, OV_STATE_FAILED, "breaks the protocol", "broke 4 times" },
  { "array-run", 6, 4, OV_STATE_FAILED, "[1,2,3]", "broke 4 times" },
  { "oversize", 6, 4, OV_STATE_FAILED, "longer than 4 MiB", "broke 4 times" },
  { "closed-output", 6, 4, OV_STATE_FAILED, "closed its output", "broke 4 times" },
  { "silent-run", 6, 4, OV_STATE_FAILED, "said nothing for", "broke 4 times" },
  { "dribble", 6, 4, OV_STATE_FAILED, "said nothing for", "broke 4 times" },
  { "session-error", 6, 4, OV_STATE_FAILED, "lost its mind", "broke 4 times" },
  { "other-result", 6, 4, OV_STATE_FAILED, "that of another run", "broke 4 times" },
  { "waiting-result", 6, 4, OV_STATE_FAILED, "that of another run", "broke 4 times" },
  { "bad-result", 6, 4, OV_STATE_FAILED, "result cannot be read", "broke 4 times" },
  { "log-gap", 6, 4, OV_STATE_FAILED, "request log has a gap", "broke 4 times" },
  { "log-uneven", 6, 4, OV_STATE_FAILED, "request log cannot be read", "broke 4 times" },
};

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  OvSuiteWatch watch;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite (fault->mode, fault->n_runs, NULL, FALSE));
  ov_suite_start (watch.suite);
  ov_suite_start (watch.suite);
  ov_suite_watch_wait (&watch, 60);

  g_assert_cmpuint (watch.ended->len, ==, fault->n_ended);
  g_assert_cmpuint (ov_suite_get_n_ended (watch.suite), ==, fault->n_ended);
  for (guint i = 0; i < watch.ended->len; i++)
    {
      const OvRun *run = watch.ended->pdata[i];

      if (run->cause != NULL && i == 0)
        g_test_message ("%s", run->cause);
      g_assert_cmpint (run->state, ==, fault->state);
      if (fault->cause != NULL)
        g_assert_nonnull (strstr (run->cause, fault->cause));
    }
  if (watch.error != NULL)
    g_test_message ("%s", watch.error->message);
  g_assert_true ((watch.error != NULL) == (fault->error != NULL));
  if (fault->error != NULL)
    g_assert_nonnull (strstr (watch.error->message, fault->error));
  g_assert_true (ov_suite_get_result (watch.suite)->partial == (fault->error != NULL));
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* What a good worker tells is there: machine, target, figures, samples that add up, the log. */
static void
test_content (void)
{
  const OvRun *run;
  const OvRequest *request;
  OvSuiteWatch watch;
  OvResult *result;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite ("log", 3, NULL, TRUE));
  g_assert_cmpint (ov_suite_get_state (watch.suite), ==, OV_SUITE_IDLE);
  g_assert_cmpint (ov_suite_get_seconds_left (watch.suite), ==, -1);
  g_assert_cmpfloat (ov_suite_get_seconds (watch.suite), ==, 0);
  ov_suite_start (watch.suite);
  g_assert_cmpint (ov_suite_get_state (watch.suite), ==, OV_SUITE_RUNNING);
  ov_suite_watch_wait (&watch, 20);

  result = ov_suite_get_result (watch.suite);
  g_assert_cmpstr (result->machine->host, ==, "fake");
  g_assert_cmpuint (result->targets->len, ==, 1);
  g_assert_cmpstr (((OvTargetInfo *)result->targets->pdata[0])->path, ==, "/nowhere/a");
  g_assert_cmpint (result->date, >, 0);
  g_assert_cmpuint (watch.started->len, ==, 3);
  g_assert_cmpuint (watch.n_samples, ==, 9);
  g_assert_cmpuint (watch.n_throughputs, ==, 9);
  g_assert_cmphex (watch.phases & (1u << OV_PHASE_LAYOUT | 1u << OV_PHASE_RUN), ==,
                   1u << OV_PHASE_LAYOUT | 1u << OV_PHASE_RUN);
  run = result->runs->pdata[2];
  g_assert_cmpuint (run->spec->index, ==, 2);
  g_assert_cmpint (run->bytes, ==, 3000000);
  g_assert_cmpint (run->stop_latency_ns, ==, -1);
  g_assert_cmpint (run->started_ns, >, ((OvRun *)result->runs->pdata[1])->started_ns);
  g_assert_cmpuint (run->log->len, ==, 4);
  request = &g_array_index (run->log, OvRequest, 1);
  g_assert_cmpint (request->submit_ns, ==, 2);
  g_assert_cmpint (request->complete_ns, ==, -1);
  g_assert_cmpint (request->result, ==, -5);
  g_assert_cmpint (g_array_index (run->log, OvRequest, 2).submit_ns, ==, -1);
  g_assert_cmpint (ov_suite_get_stop_latency_ns (watch.suite), ==, -1);
  g_assert_cmpfloat (ov_suite_get_seconds (watch.suite), >, 0);
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* Two targets, two sessions; the plan's order is kept. */
static void
test_two_targets (void)
{
  static const char *const two[] = { "/nowhere/a", "/nowhere/b", NULL };
  OvSuiteWatch watch;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite ("good", 2, two, FALSE));
  ov_suite_start (watch.suite);
  ov_suite_watch_wait (&watch, 20);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (((OvRun *)watch.ended->pdata[i])->spec->index, ==, i);
  g_assert_cmpuint (ov_suite_get_result (watch.suite)->targets->len, ==, 2);
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* Behind a prefix the same worker serves one suite after the other, and one that was stopped. */
static void
test_parked (void)
{
  OvSuiteWatch watch;

  ov_fixture_begin ();
  for (guint i = 0; i < 3; i++)
    {
      ov_suite_watch_init (&watch, make_suite ("good", 2, NULL, TRUE));
      ov_suite_start (watch.suite);
      if (i == 1)
        {
          while (watch.ended->len == 0)
            g_main_context_iteration (NULL, TRUE);
          ov_suite_stop (watch.suite);
        }
      ov_fixture_wait (&watch.finished, 20);
      g_assert_no_error (watch.error);
      g_assert_cmpuint (watch.ended->len, >, 0);
      g_assert_nonnull (ov_suite_get_result (watch.suite)->machine);
      ov_suite_watch_clear (&watch);
    }
  g_assert_cmpuint (ov_fixture_count_processes (), ==, 1);
  ov_fixture_end ();
}

static void
test_no_worker (void)
{
  OvSuiteWatch watch;

  ov_fixture_begin ();
  g_setenv ("OVERLAP_FAKE_WORKER_SAVED", g_getenv ("OVERLAP_FAKE_WORKER"), TRUE);
  g_setenv ("OVERLAP_FAKE_WORKER", "/nowhere/overlap-worker", TRUE);
  ov_suite_watch_init (&watch, make_suite ("good", 2, NULL, FALSE));
  g_setenv ("OVERLAP_FAKE_WORKER", g_getenv ("OVERLAP_FAKE_WORKER_SAVED"), TRUE);
  ov_suite_start (watch.suite);
  g_assert_false (watch.finished);
  ov_suite_watch_wait (&watch, 10);
  g_assert_error (watch.error, OV_ERROR, OV_ERROR_NOT_FOUND);
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* ---- Stop ----------------------------------------------------------------------------------- */

typedef struct
{
  const char *mode;
  guint first_ms; /* after the first run began */
  int second_ms;  /* after the first press, -1: none */
  int third_ms;   /* after the second, -1: none */
  const char *cause;
} Press;

static const Press presses[] = {
  { "until-abort", 50, -1, -1, NULL },
  { "until-abort", 50, 0, 0, NULL },
  { "until-abort", 50, 0, -1, NULL },
  { "die-on-abort", 50, -1, -1, "signal 9" },
  { "silent-abort", 50, -1, -1, "said nothing for" },
  { "silent-abort", 50, 50, -1, "said nothing for" },
  { "silent-abort", 50, 50, 50, "was ended" },
  { "silent-run", 50, -1, -1, "said nothing for" },
  { "silent-run", 50, 10, 10, "was ended" },
  { "dribble", 50, -1, -1, "said nothing for" },
  { "chatter", 50, -1, -1, "did not end the run within" },
  { "chatter", 50, 100, -1, "did not end the run within" },
  { "chatter", 50, 100, 50, "was ended" },
  { "busy-fsync", 50, -1, -1, "said nothing for" },
  { "closed-output", 0, -1, -1, "closed its output" },
};

static void
test_press (gconstpointer data)
{
  const Press *press = data;
  const OvRun *run;
  OvSuiteWatch watch;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite (press->mode, N_RUNS, NULL, FALSE));
  ov_suite_start (watch.suite);
  while (watch.started->len == 0)
    g_main_context_iteration (NULL, TRUE);
  if (press->first_ms > 0)
    ov_fixture_run (press->first_ms);
  ov_suite_stop (watch.suite);
  g_assert_cmpint (ov_suite_get_state (watch.suite), ==, OV_SUITE_STOPPING);
  if (press->second_ms >= 0)
    {
      if (press->second_ms > 0)
        ov_fixture_run ((guint)press->second_ms);
      ov_suite_stop (watch.suite);
      g_assert_cmpint (ov_suite_get_state (watch.suite), ==, OV_SUITE_FORCING);
    }
  if (press->third_ms >= 0)
    {
      if (press->third_ms > 0)
        ov_fixture_run ((guint)press->third_ms);
      ov_suite_stop (watch.suite);
    }
  ov_suite_watch_wait (&watch, 20);
  ov_suite_stop (watch.suite);

  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 1);
  run = watch.ended->pdata[0];
  g_assert_cmpint (run->state, ==, OV_STATE_STOPPED);
  if (run->cause != NULL)
    g_test_message ("%s", run->cause);
  g_assert_true (press->cause == NULL || press->third_ms >= 0
                 || strstr (run->cause, press->cause) != NULL);
  g_assert_cmpint (ov_suite_get_stop_latency_ns (watch.suite), >, 0);
  if (g_str_equal (press->mode, "until-abort") && run->stop_latency_ns >= 0)
    {
      /* The worker says 1 ms; the way there is added. */
      g_assert_cmpint (run->stop_latency_ns, >=, 1000000);
      g_assert_cmpint (run->bytes, ==, 3000000);
    }
  g_assert_true (ov_suite_get_result (watch.suite)->partial);
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* Stop, and stop twice, at any moment from the start on. */
static void
test_stop_any_time (void)
{
  static const char *const modes[] = { "good", "until-abort", "silent", "deaf", "silent-layout" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint ms = 0; ms <= 90; ms += 30)
      for (guint n = 1; n <= 2; n++)
        {
          OvSuiteWatch watch;

          ov_fixture_begin ();
          ov_suite_watch_init (&watch, make_suite (modes[i], 50, NULL, FALSE));
          ov_suite_start (watch.suite);
          if (ms > 0)
            ov_fixture_run (ms);
          for (guint k = 0; k < n; k++)
            ov_suite_stop (watch.suite);
          ov_suite_watch_wait (&watch, 20);
          g_assert_no_error (watch.error);
          ov_suite_watch_clear (&watch);
          ov_fixture_end ();
        }
}

static void
test_stop_before_start (void)
{
  OvSuiteWatch watch;

  ov_fixture_begin ();
  ov_suite_watch_init (&watch, make_suite ("good", N_RUNS, NULL, FALSE));
  ov_suite_stop (watch.suite);
  g_assert_false (watch.finished);
  ov_suite_start (watch.suite);
  ov_suite_watch_wait (&watch, 5);
  g_assert_no_error (watch.error);
  g_assert_cmpuint (watch.ended->len, ==, 0);
  ov_suite_watch_clear (&watch);
  ov_fixture_end ();
}

/* A worker that has nothing to tell but answers is not given up; Stop still ends it. */
static void
test_quiet_worker (void)
{
  static const char *const modes[] = { "silent-layout", "busy-fsync" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      OvSuiteWatch watch;

      ov_fixture_begin ();
      ov_suite_watch_init (&watch, make_suite (modes[i], N_RUNS, NULL, FALSE));
      ov_suite_start (watch.suite);
      ov_fixture_run (2500);
      g_assert_cmpint (ov_suite_get_state (watch.suite), ==, OV_SUITE_RUNNING);
      g_assert_cmpuint (watch.ended->len, ==, 0);
      ov_suite_stop (watch.suite);
      ov_suite_watch_wait (&watch, 20);
      g_assert_no_error (watch.error);
      ov_suite_watch_clear (&watch);
      ov_fixture_end ();
    }
}

/* ---- What callers do in signals ------------------------------------------------------------- */

static const char *const signals[]
    = { "state-changed", "phase", "sample", "run-started", "run-ended", "finished" };

static void
stop_it (gpointer suite)
{
  ov_suite_stop (suite);
}

static void
let_go (gpointer data)
{
  OvSuite **suite = data;

  g_clear_object (suite);
}

/* Stop in each signal. */
static void
test_stop_in_signal (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      OvSuiteWatch watch;

      ov_fixture_begin ();
      ov_suite_watch_init (&watch, make_suite ("good", N_RUNS, NULL, FALSE));
      g_signal_connect_swapped (watch.suite, signals[i], G_CALLBACK (stop_it), watch.suite);
      ov_suite_start (watch.suite);
      ov_suite_watch_wait (&watch, 20);
      g_assert_no_error (watch.error);
      ov_suite_watch_clear (&watch);
      ov_fixture_end ();
    }
}

/* The last reference goes in each signal: the worker is ended, nothing is left. */
static void
test_unref_in_signal (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      OvSuite *suite = make_suite ("good", N_RUNS, NULL, FALSE);
      g_autoptr (OvSuite) hold = g_object_ref (suite); /* start itself needs one */

      ov_fixture_begin ();
      g_signal_connect_swapped (suite, signals[i], G_CALLBACK (let_go), &suite);
      ov_suite_start (suite);
      g_clear_object (&hold);
      for (guint k = 0; k < 100 && suite != NULL; k++)
        ov_fixture_run (50);
      g_assert_null (suite);
      ov_fixture_end ();
    }
}

static void
test_unref_any_time (void)
{
  static const char *const modes[] = { "good", "until-abort", "silent", "deaf", "chatter" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint ms = 0; ms <= 120; ms += 40)
      for (guint stop = 0; stop < 2; stop++)
        {
          OvSuite *suite = make_suite (modes[i], N_RUNS, NULL, FALSE);

          ov_fixture_begin ();
          ov_suite_start (suite);
          if (ms > 0)
            ov_fixture_run (ms);
          if (stop)
            ov_suite_stop (suite);
          g_object_unref (suite);
          ov_fixture_end ();
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ov_fixture_init ();
  g_test_add_func ("/suite/content", test_content);
  g_test_add_func ("/suite/two-targets", test_two_targets);
  g_test_add_func ("/suite/parked", test_parked);
  g_test_add_func ("/suite/no-worker", test_no_worker);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strdup_printf ("/suite/fault/%s", faults[i].mode);

      g_test_add_data_func (path, &faults[i], test_fault);
    }
  for (guint i = 0; i < G_N_ELEMENTS (presses); i++)
    {
      g_autofree char *path = g_strdup_printf ("/suite/stop/%s/%u", presses[i].mode, i);

      g_test_add_data_func (path, &presses[i], test_press);
    }
  g_test_add_func ("/suite/stop/any-time", test_stop_any_time);
  g_test_add_func ("/suite/stop/before-start", test_stop_before_start);
  g_test_add_func ("/suite/quiet-worker", test_quiet_worker);
  g_test_add_func ("/suite/stop-in-signal", test_stop_in_signal);
  g_test_add_func ("/suite/unref/in-signal", test_unref_in_signal);
  g_test_add_func ("/suite/unref/any-time", test_unref_any_time);
  return g_test_run ();
}
