/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots to rates.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/ov-rates-private.h"

#define CPU_NS   G_GINT64_CONSTANT (100000000) /* shortest window of the CPU clock */
#define TICKS_NS G_GINT64_CONSTANT (250000000) /* shortest window of libgtop's ticks */
#define RUN_NS   G_GINT64_CONSTANT (10000000)  /* shortest window of throughput */

/* A child is born without any CPU time used; what the machine did is not known then. */
static const OvSnapshot birth = {
  .phase = -1,
  .run_ns = -1,
  .machine_busy_ns = -1,
  .machine_total_ns = -1,
  .resident = -1,
};

void
ov_rates_reset (OvRates *rates)
{
  memset (rates, 0, sizeof *rates);
  rates->kept[rates->n++] = birth;
  rates->last_run_ns = -1;
  rates->sample.throughput = NAN;
  rates->sample.requests = NAN;
}

/* The newest kept snapshot that is at least `ns` older than `now`; with `or_oldest` the oldest one
 * where none is so old, else NULL. */
static const OvSnapshot *
find_older (const OvRates *rates, const OvSnapshot *now, gint64 ns, gboolean or_oldest)
{
  guint kept = MIN (rates->n, OV_RATES_KEPT);
  const OvSnapshot *oldest = NULL;

  for (guint i = 1; i <= kept; i++)
    {
      oldest = &rates->kept[(rates->n - i) % OV_RATES_KEPT];
      if (now->t_ns - oldest->t_ns >= ns)
        return oldest;
    }
  return or_oldest ? oldest : NULL;
}

/* `later` minus `earlier` for each nanosecond between the snapshots, or NaN if one is not known. */
static double
slope (gint64 later, gint64 earlier, const OvSnapshot *now, const OvSnapshot *then)
{
  gint64 dt = now->t_ns - then->t_ns;

  if (later < 0 || earlier < 0 || dt <= 0)
    return NAN;
  return (double)MAX (later - earlier, 0) / (double)dt;
}

static double
cpu_slope (const OvSnapshot *now, const OvSnapshot *then)
{
  return slope (now->cpu_ns, then->cpu_ns, now, then);
}

/* User's part of the CPU time between two snapshots, or NaN while no tick fell. */
static double
user_part (gint64 user, gint64 system)
{
  return user >= 0 && system >= 0 && user + system > 0 ? (double)user / (double)(user + system)
                                                       : NAN;
}

static void
split_cpu (const OvRates *rates, const OvSnapshot *now, OvSample *sample)
{
  const OvSnapshot *then = find_older (rates, now, CPU_NS, TRUE);
  const OvSnapshot *before = find_older (rates, now, TICKS_NS, FALSE);
  double cores = cpu_slope (now, then);
  double part = NAN;

  if (before != NULL && now->user_ns >= 0 && before->user_ns >= 0)
    part = user_part (now->user_ns - before->user_ns, now->system_ns - before->system_ns);
  if (isnan (part))
    part = user_part (now->user_ns, now->system_ns);
  if (cores == 0)
    part = 0;
  sample->user = cores * part;
  sample->system = cores * (1 - part);
}

static double
rest_of_machine (const OvRates *rates, const OvSnapshot *now)
{
  const OvSnapshot *then = find_older (rates, now, TICKS_NS, FALSE);
  double busy;
  double own;

  if (then == NULL)
    return NAN;
  busy = slope (now->machine_busy_ns, then->machine_busy_ns, now, then);
  own = cpu_slope (now, then);
  return isnan (own) || isnan (busy) ? busy : MAX (busy - own, 0);
}

/* Throughput since the last time it was told; the run's own begin is the first such time. */
static gboolean
measure_work (OvRates *rates, gint64 run_ns, gint64 bytes, gint64 completed)
{
  gint64 dt;

  if (run_ns < 0)
    return FALSE;
  if (rates->last_run_ns < 0)
    rates->last_run_ns = 0;
  dt = run_ns - rates->last_run_ns;
  if (dt < RUN_NS)
    return FALSE;
  if (bytes >= 0)
    rates->sample.throughput = (double)MAX (bytes - rates->last_bytes, 0) * 1e9 / (double)dt;
  if (completed >= 0)
    rates->sample.requests = (double)MAX (completed - rates->last_completed, 0) * 1e9 / (double)dt;
  rates->last_run_ns = run_ns;
  rates->last_bytes = MAX (bytes, 0);
  rates->last_completed = MAX (completed, 0);
  return TRUE;
}

gboolean
ov_rates_push (OvRates *rates, const OvSnapshot *snapshot, OvSample *sample)
{
  const OvSnapshot *last = &rates->kept[(rates->n - 1) % OV_RATES_KEPT];
  OvSample *own = &rates->sample;

  if (snapshot->t_ns <= last->t_ns)
    return FALSE;
  if (snapshot->phase >= 0)
    own->phase = (OvPhase)snapshot->phase;
  if (own->phase == OV_PHASE_RUN)
    {
      measure_work (rates, snapshot->run_ns, snapshot->bytes, snapshot->completed);
      own->in_flight = snapshot->submitted >= 0 && snapshot->completed >= 0
                           ? (double)MAX (snapshot->submitted - snapshot->completed, 0)
                           : NAN;
    }
  else
    own->throughput = own->requests = own->in_flight = NAN;
  split_cpu (rates, snapshot, own);
  own->rest = rest_of_machine (rates, snapshot);
  rates->kept[rates->n++ % OV_RATES_KEPT] = *snapshot;
  *sample = *own;
  return TRUE;
}

gboolean
ov_rates_finish (OvRates *rates, const OvRun *run, OvSample *sample)
{
  if (rates->sample.phase != OV_PHASE_RUN || rates->last_run_ns < 0
      || !measure_work (rates, run->elapsed_ns, run->bytes, run->completed))
    return FALSE;
  rates->sample.in_flight = 0;
  *sample = rates->sample;
  return TRUE;
}
