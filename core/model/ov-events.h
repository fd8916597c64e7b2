/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What became of the events or samples of jobs that follow a clock, over the runs of a cell.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** Part of the events that may be missed at a rate that is held. */
#define OV_EVENTS_HELD 0.001

typedef struct
{
  guint64 asked; /**< delivered and missed */
  guint64 delivered;
  guint64 late;
  guint64 missed;
  guint64 gaps;
  gint64 longest_gap_ns; /**< of all runs; 0 without a gap */
  gint64 cpu_ns;
  gint64 elapsed_ns;
} OvEvents;

/** How late the events or samples of a run were: what was measured of those that came, and of a
 *  missed one the time until the next answer came, which was late for it as well
 *  (ov_histogram_add_missed()).  Without these a line would look the better the more it missed.
 *  NULL where nothing was measured.  Free with g_free(). */
OvHistogram *ov_run_lateness (const OvRun *run);

/** Sums over the runs that count; `lateness` (may be NULL, else initialised) gets their
 *  ov_run_lateness() merged.  FALSE where there is none, or they are of another job. */
gboolean ov_events_make (const OvCell *cell, OvEvents *sum, OvHistogram *lateness);

/** The highest rate of the line `variant` among `cells` such that at it and at all lower ones that
 *  were measured fewer than OV_EVENTS_HELD of the events were missed; NaN where that is none. */
double ov_events_sustained (const GPtrArray *cells, const char *variant);

G_END_DECLS
