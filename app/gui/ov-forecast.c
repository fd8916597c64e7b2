// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The model: a run costs a fixed time (making the cache as the condition says, starting a process)
 * and, twice because of the discarded pass, its variant's seconds for each byte, up to its time
 * limit. The fixed time is what remains of the time between the first start and the last end of the
 * runs before.
 */
#include "config.h"

#include <math.h>

#include "gui/ov-forecast.h"

typedef struct
{
  double seconds;
  double bytes; /* or accesses */
} Rate;

struct _OvForecast
{
  GHashTable *rates;    /* char* variant -> Rate */
  double fixed_seconds; /* of a run, NaN: there were too few */
};

/* What runs that follow a clock take is known before. */
static gint64
clocked_seconds (const OvPlan *plan)
{
  double total = 0;

  for (guint i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);

      if (!(spec->job & OV_CLOCKED_JOBS) || !(spec->rate > 0))
        return -1;
      total += (double)spec->requests / spec->rate + 0.05;
    }
  return plan->specs->len > 0 && total < 1e7 ? (gint64)ceil (total) : -1;
}

OvForecast *
ov_forecast_new (const OvResult *before)
{
  OvForecast *self = g_new0 (OvForecast, 1);
  double first = INFINITY;
  double last = 0;
  double busy = 0;
  guint n = 0;

  self->rates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < before->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (before->runs, i);
      Rate *rate;

      if (run->state != OV_STATE_DONE || run->elapsed_ns < 0 || run->started_ns < 0)
        continue;
      rate = g_hash_table_lookup (self->rates, run->spec->variant);
      if (rate == NULL)
        {
          rate = g_new0 (Rate, 1);
          g_hash_table_insert (self->rates, g_strdup (run->spec->variant), rate);
        }
      rate->seconds += (double)run->elapsed_ns / 1e9;
      rate->bytes
          += (double)MAX (run->spec->job & OV_HARDWARE_JOBS ? run->completed : run->bytes, 0);
      first = MIN (first, (double)run->started_ns / 1e9);
      last = MAX (last, (double)(run->started_ns + run->elapsed_ns) / 1e9);
      busy += 2 * (double)run->elapsed_ns / 1e9;
      n++;
    }
  self->fixed_seconds = n < 2 ? NAN : MAX ((last - first - busy) / n, 0);
  return self;
}

void
ov_forecast_free (OvForecast *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->rates);
  g_free (self);
}

gint64
ov_forecast_seconds (const OvForecast *self, const OvPlan *plan)
{
  double total = 0;

  if (self == NULL || clocked_seconds (plan) >= 0)
    return clocked_seconds (plan);
  if (isnan (self->fixed_seconds) || plan->specs->len == 0)
    return -1;
  for (guint i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);
      const Rate *rate = g_hash_table_lookup (self->rates, spec->variant);
      double seconds;

      if (rate == NULL || rate->bytes <= 0)
        return -1;
      seconds = rate->seconds / rate->bytes
                * (double)(spec->job & OV_HARDWARE_JOBS ? spec->requests : spec->size);
      if (spec->time_limit_ns > 0)
        seconds = MIN (seconds, (double)spec->time_limit_ns / 1e9);
      total += self->fixed_seconds + 2 * seconds;
    }
  return isfinite (total) && total < 1e7 ? (gint64)ceil (total) : -1;
}
