/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite under watch: what it emits is checked for order and counted.
 */
#pragma once

#include "engine/ov-suite.h"

typedef struct
{
  OvSuite *suite;
  gboolean finished;
  guint n_finished;
  GError *error;
  GPtrArray *started; /* of OvRun, borrowed */
  GPtrArray *ended;
  guint n_samples;     /* with a run */
  guint n_throughputs; /* of those, with a figure for throughput */
  guint phases;        /* bits of OvPhase that were told */
  gint64 last_t_ns;
} OvSuiteWatch;

/** An experiment that counts with `strategies` (JSON, an array), `size` bytes, `repetitions`. */
OvExperiment *ov_fixture_experiment (const char *strategies, const char *size, guint repetitions);
/** What the plan needs to know of `id`. */
OvStrategyInfo *ov_fixture_strategy (const char *id);
/** A plan of `experiment` over `targets` (folders). */
OvPlan *ov_fixture_plan (OvExperiment *experiment, const char *const *targets,
                         GPtrArray *strategies);

/** Watches `suite` (taken), which was not started. */
void ov_suite_watch_init (OvSuiteWatch *watch, OvSuite *suite);
/** Waits for the end and checks what always holds then. */
void ov_suite_watch_wait (OvSuiteWatch *watch, guint seconds);
void ov_suite_watch_clear (OvSuiteWatch *watch);
