/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asserts on every signal of a suite: "run-started" before "run-ended", each once for a run, time
 * that never goes back, "finished" once and last.
 */
#include "config.h"

#include <math.h>

#include "model/ov-message.h"

#include "ov-engine-fixture.h"
#include "ov-suite-fixture.h"

OvExperiment *
ov_fixture_experiment (const char *strategies, const char *size, guint repetitions)
{
  g_autofree char *text = g_strdup_printf (
      "{\"overlap-experiment\":1,\"title\":\"Test\",\"job\":\"count\",\"repetitions\":%u,"
      "\"strategies\":%s,\"presets\":[{\"id\":\"p\",\"title\":\"P\",\"axes\":[{\"parameter\":"
      "\"size\",\"values\":[\"%s\"]}]}]}",
      repetitions, strategies, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = ov_message_parse (text, &error);
  OvExperiment *experiment;

  g_assert_no_error (error);
  experiment = ov_experiment_from_json (node, "test", &error);
  g_assert_no_error (error);
  return experiment;
}

OvStrategyInfo *
ov_fixture_strategy (const char *id)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup (id);
  info->title = g_strdup (id);
  info->summary = g_strdup (id);
  info->family = g_strdup ("fake");
  info->jobs = OV_JOB_COUNT;
  info->caps = OV_CAP_BLOCK | OV_CAP_DIRECT;
  info->available = TRUE;
  return info;
}

OvPlan *
ov_fixture_plan (OvExperiment *experiment, const char *const *targets, GPtrArray *strategies)
{
  g_autoptr (GError) error = NULL;
  OvPlanChoice choice;
  OvPlan *plan;

  ov_plan_choice_init (&choice);
  choice.targets = targets;
  plan = ov_plan_new (experiment, &choice, strategies, &error);
  g_assert_no_error (error);
  return plan;
}

static void
on_phase (OvSuite *suite, OvRun *run, guint phase, double fraction, OvSuiteWatch *watch)
{
  g_assert_false (watch->finished);
  g_assert_cmpuint (phase, <=, OV_PHASE_ENDED);
  g_assert_true (isnan (fraction) || (fraction >= 0 && fraction <= 1));
  g_assert_true (run != NULL || phase == OV_PHASE_LAYOUT);
  watch->phases |= 1u << phase;
}

static void
on_sample (OvSuite *suite, const OvSample *sample, OvSuiteWatch *watch)
{
  g_assert_false (watch->finished);
  g_assert_cmpint (sample->t_ns, >=, watch->last_t_ns);
  g_assert_false (g_ptr_array_find (watch->ended, sample->run, NULL));
  g_assert_false (sample->throughput < 0 || sample->requests < 0 || sample->user < 0
                  || sample->system < 0 || sample->rest < 0 || sample->in_flight < 0);
  watch->last_t_ns = sample->t_ns;
  watch->n_samples++;
  if (!isnan (sample->throughput))
    watch->n_throughputs++;
}

static void
on_started (OvSuite *suite, OvRun *run, OvSuiteWatch *watch)
{
  g_assert_false (watch->finished);
  g_assert_false (g_ptr_array_find (watch->started, run, NULL));
  g_assert_false (g_ptr_array_find (watch->ended, run, NULL));
  g_assert_cmpint (run->started_ns, >=, 0);
  g_ptr_array_add (watch->started, run);
}

static void
on_ended (OvSuite *suite, OvRun *run, OvSuiteWatch *watch)
{
  g_assert_false (watch->finished);
  g_assert_false (g_ptr_array_find (watch->ended, run, NULL));
  g_assert_cmpint (run->state, >=, OV_STATE_DONE);
  if (run->state == OV_STATE_DONE)
    g_assert_true (g_ptr_array_find (watch->started, run, NULL));
  else if (run->state != OV_STATE_STOPPED)
    g_assert_nonnull (run->cause);
  g_ptr_array_add (watch->ended, run);
}

static void
on_finished (OvSuite *suite, const GError *error, OvSuiteWatch *watch)
{
  watch->n_finished++;
  watch->finished = TRUE;
  g_assert_cmpint (ov_suite_get_state (suite), ==, OV_SUITE_ENDED);
  if (error != NULL)
    watch->error = g_error_copy (error);
}

void
ov_suite_watch_init (OvSuiteWatch *watch, OvSuite *suite)
{
  *watch = (OvSuiteWatch){ .suite = suite };
  watch->started = g_ptr_array_new ();
  watch->ended = g_ptr_array_new ();
  g_signal_connect (suite, "phase", G_CALLBACK (on_phase), watch);
  g_signal_connect (suite, "sample", G_CALLBACK (on_sample), watch);
  g_signal_connect (suite, "run-started", G_CALLBACK (on_started), watch);
  g_signal_connect (suite, "run-ended", G_CALLBACK (on_ended), watch);
  g_signal_connect (suite, "finished", G_CALLBACK (on_finished), watch);
}

void
ov_suite_watch_wait (OvSuiteWatch *watch, guint seconds)
{
  OvResult *result = ov_suite_get_result (watch->suite);

  ov_fixture_wait (&watch->finished, seconds);
  ov_fixture_run (150); /* nothing comes afterwards */
  g_assert_cmpuint (watch->n_finished, ==, 1);
  g_assert_cmpuint (result->runs->len, ==, watch->ended->len);
  for (guint i = 0; i < result->runs->len; i++)
    g_assert_true (result->runs->pdata[i] == watch->ended->pdata[i]);
  if (ov_suite_get_n_ended (watch->suite) < ov_suite_get_n_runs (watch->suite))
    g_assert_true (result->partial);
  g_assert_cmpint (ov_suite_get_seconds_left (watch->suite), ==, 0);
}

void
ov_suite_watch_clear (OvSuiteWatch *watch)
{
  g_clear_object (&watch->suite);
  g_clear_pointer (&watch->started, g_ptr_array_unref);
  g_clear_pointer (&watch->ended, g_ptr_array_unref);
  g_clear_error (&watch->error);
}
