/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nicks and labels.  The tables are in the order of the enums; for jobs, which are flags, entry n
 * belongs to the flag 1 << n.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "model/ov-types-private.h"

const char *const ov_state_nicks[]
    = { "waiting", "running", "done", "stopped", "failed", "skipped", "abandoned", NULL };
static const char *const state_labels[]
    = { N_ ("Waiting"), N_ ("Running"), N_ ("Done"),     N_ ("Stopped"),
        N_ ("Failed"),  N_ ("Skipped"), N_ ("Abandoned") };

const char *const ov_condition_nicks[] = { "warm", "cold", "bypassed", NULL };
static const char *const condition_labels[]
    = { N_ ("Warm cache"), N_ ("Cold cache"), N_ ("Cache bypassed") };

const char *const ov_durability_nicks[] = { "none", "fdatasync", "dsync", NULL };
static const char *const durability_labels[]
    = { N_ ("Until the last call returns"), N_ ("With fdatasync at the end"),
        N_ ("Each write durable (O_DSYNC)") };

const char *const ov_phase_nicks[]
    = { "probe", "layout", "restore", "discard", "condition", "prepare",
        "run",   "sync",   "verify",  "release", "ended",     NULL };
static const char *const phase_labels[] = { N_ ("Looking whether it can run"),
                                            N_ ("Laying out the file"),
                                            N_ ("Restoring the file"),
                                            N_ ("Discarded pass"),
                                            N_ ("Setting the cache"),
                                            N_ ("Preparing"),
                                            N_ ("Running"),
                                            N_ ("Bringing it to stable storage"),
                                            N_ ("Verifying"),
                                            N_ ("Releasing"),
                                            N_ ("Ended") };

const char *const ov_job_nicks[]
    = { "count", "write", "blocks", "transfer", "port", "ticks", "samples", NULL };
const char *const ov_work_nicks[] = { "none", "plain", "fast", "crc32c", "sha256", "slow", NULL };
const char *const ov_timing_nicks[] = { "counters", "latency", "timeline", NULL };
const char *const ov_order_nicks[] = { "sequential", "random", "backward", "strided", NULL };
static const char *const order_labels[]
    = { N_ ("one behind the other"), N_ ("anywhere"), N_ ("backward"), N_ ("in strides") };
const char *const ov_access_nicks[] = { "read", "write", NULL };
const char *const ov_neighbour_nicks[] = { "none", "free", "shared", NULL };
static const char *const neighbour_labels[]
    = { N_ ("None"), N_ ("On any processor"), N_ ("On the strategy's processor") };
const char *const ov_figure_nicks[]
    = { "elapsed", "lateness", "lost",       "parts",      "stop",       "delivered",
        "jitter",  "cpu",      "throughput", "latency-50", "latency-99", NULL };

const char *const ov_part_nicks[] = { "whole", "io", "compute", NULL };

int
ov_nick_index (const char *const *nicks, const char *nick)
{
  int i;

  for (i = 0; nick != NULL && nicks[i] != NULL; i++)
    if (g_str_equal (nicks[i], nick))
      return i;
  return -1;
}

const char *
ov_state_nick (OvState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (ov_state_nicks) - 1, NULL);
  return ov_state_nicks[state];
}

gboolean
ov_state_from_nick (const char *nick, OvState *out)
{
  int index = ov_nick_index (ov_state_nicks, nick);

  if (index >= 0)
    *out = (OvState)index;
  return index >= 0;
}

const char *
ov_state_label (OvState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (state_labels), NULL);
  return _ (state_labels[state]);
}

const char *
ov_condition_nick (OvCondition condition)
{
  g_return_val_if_fail (condition < G_N_ELEMENTS (ov_condition_nicks) - 1, NULL);
  return ov_condition_nicks[condition];
}

gboolean
ov_condition_from_nick (const char *nick, OvCondition *out)
{
  int index = ov_nick_index (ov_condition_nicks, nick);

  if (index >= 0)
    *out = (OvCondition)index;
  return index >= 0;
}

const char *
ov_condition_label (OvCondition condition)
{
  g_return_val_if_fail (condition < G_N_ELEMENTS (condition_labels), NULL);
  return _ (condition_labels[condition]);
}

const char *
ov_durability_nick (OvDurability durability)
{
  g_return_val_if_fail (durability < G_N_ELEMENTS (ov_durability_nicks) - 1, NULL);
  return ov_durability_nicks[durability];
}

gboolean
ov_durability_from_nick (const char *nick, OvDurability *out)
{
  int index = ov_nick_index (ov_durability_nicks, nick);

  if (index >= 0)
    *out = (OvDurability)index;
  return index >= 0;
}

const char *
ov_durability_label (OvDurability durability)
{
  g_return_val_if_fail (durability < G_N_ELEMENTS (durability_labels), NULL);
  return _ (durability_labels[durability]);
}

const char *
ov_phase_nick (OvPhase phase)
{
  g_return_val_if_fail (phase < G_N_ELEMENTS (ov_phase_nicks) - 1, NULL);
  return ov_phase_nicks[phase];
}

gboolean
ov_phase_from_nick (const char *nick, OvPhase *out)
{
  int index = ov_nick_index (ov_phase_nicks, nick);

  if (index >= 0)
    *out = (OvPhase)index;
  return index >= 0;
}

const char *
ov_phase_label (OvPhase phase)
{
  g_return_val_if_fail (phase < G_N_ELEMENTS (phase_labels), NULL);
  return _ (phase_labels[phase]);
}

const char *
ov_job_nick (guint job)
{
  guint i;

  for (i = 0; ov_job_nicks[i] != NULL; i++)
    if (job == 1u << i)
      return ov_job_nicks[i];
  g_return_val_if_reached (NULL);
}

gboolean
ov_job_from_nick (const char *nick, guint *out)
{
  int index = ov_nick_index (ov_job_nicks, nick);

  if (index >= 0)
    *out = 1u << index;
  return index >= 0;
}

/* What the three kinds below share: enums that start at 0 and travel as guint. */
static const char *
plain_nick (const char *const *nicks, guint n, guint value)
{
  g_return_val_if_fail (value < n, NULL);
  return nicks[value];
}

static gboolean
plain_from_nick (const char *const *nicks, const char *nick, guint *out)
{
  int index = ov_nick_index (nicks, nick);

  if (index >= 0)
    *out = (guint)index;
  return index >= 0;
}

const char *
ov_work_nick (guint work)
{
  return plain_nick (ov_work_nicks, G_N_ELEMENTS (ov_work_nicks) - 1, work);
}

gboolean
ov_work_from_nick (const char *nick, guint *out)
{
  return plain_from_nick (ov_work_nicks, nick, out);
}

const char *
ov_timing_nick (guint timing)
{
  return plain_nick (ov_timing_nicks, G_N_ELEMENTS (ov_timing_nicks) - 1, timing);
}

gboolean
ov_timing_from_nick (const char *nick, guint *out)
{
  return plain_from_nick (ov_timing_nicks, nick, out);
}

const char *
ov_order_nick (guint order)
{
  return plain_nick (ov_order_nicks, G_N_ELEMENTS (ov_order_nicks) - 1, order);
}

gboolean
ov_order_from_nick (const char *nick, guint *out)
{
  return plain_from_nick (ov_order_nicks, nick, out);
}

const char *
ov_order_label (guint order)
{
  g_return_val_if_fail (order < G_N_ELEMENTS (order_labels), NULL);
  return _ (order_labels[order]);
}

const char *
ov_access_nick (guint access)
{
  return plain_nick (ov_access_nicks, G_N_ELEMENTS (ov_access_nicks) - 1, access);
}

gboolean
ov_access_from_nick (const char *nick, guint *out)
{
  return plain_from_nick (ov_access_nicks, nick, out);
}

const char *
ov_neighbour_nick (OvNeighbour neighbour)
{
  g_return_val_if_fail (neighbour < G_N_ELEMENTS (ov_neighbour_nicks) - 1, NULL);
  return ov_neighbour_nicks[neighbour];
}

gboolean
ov_neighbour_from_nick (const char *nick, OvNeighbour *out)
{
  int index = ov_nick_index (ov_neighbour_nicks, nick);

  if (index >= 0)
    *out = (OvNeighbour)index;
  return index >= 0;
}

const char *
ov_neighbour_label (OvNeighbour neighbour)
{
  g_return_val_if_fail (neighbour < G_N_ELEMENTS (neighbour_labels), NULL);
  return _ (neighbour_labels[neighbour]);
}

const char *
ov_figure_nick (OvFigure figure)
{
  g_return_val_if_fail (figure < G_N_ELEMENTS (ov_figure_nicks) - 1, NULL);
  return ov_figure_nicks[figure];
}

char *
ov_figure_names (void)
{
  return g_strjoinv (", ", (char **)ov_figure_nicks);
}

gboolean
ov_figure_from_nick (const char *nick, OvFigure *out)
{
  int index = ov_nick_index (ov_figure_nicks, nick);

  if (index >= 0)
    *out = (OvFigure)index;
  return index >= 0;
}
