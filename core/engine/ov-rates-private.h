/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rates of the moment from cumulative snapshots of one run.  Plain data, no time of its own.
 *
 * Throughput and requests are differences of neighbouring snapshots (50 ms), each by its own time.
 * CPU is the difference of the exact clock over at least 100 ms (the clock of a foreign process
 * advances in steps of 4 ms: ±4 % then).  User and system are that, split as libgtop's ticks of
 * 10 ms split it over at least 250 ms, or over the whole run while it is younger.  The rest of the
 * machine is busy time minus the child's, over at least 250 ms (10 ms ticks: ±4 % of a core).
 */
#pragma once

#include "engine/ov-suite.h"

G_BEGIN_DECLS

/** Snapshots that are kept: 16 of 50 ms are 0.8 s. */
#define OV_RATES_KEPT 16

typedef struct
{
  OvSnapshot kept[OV_RATES_KEPT]; /* a ring */
  guint n;                        /* pushed since the reset */
  gint64 last_run_ns;             /* of the last sample with throughput, -1 before */
  gint64 last_bytes;
  gint64 last_completed;
  OvSample sample; /* the last one; its throughput NaN before the run phase */
} OvRates;

/** Before each run. */
void ov_rates_reset (OvRates *rates);
/** Takes the next snapshot of the run and fills in the figures of `sample` (not `run`, `t_ns`).
 *  FALSE if it is not later than the last one. */
gboolean ov_rates_push (OvRates *rates, const OvSnapshot *snapshot, OvSample *sample);
/** The run ended: what it did since the last snapshot, so that the samples add up to the run; CPU
 *  is that of the last sample.  FALSE for a run that had no snapshot in its run phase (it is drawn
 *  by its mean), or when another phase was told since, or when the rest is too short. */
gboolean ov_rates_finish (OvRates *rates, const OvRun *run, OvSample *sample);

G_END_DECLS
