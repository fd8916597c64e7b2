/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When more privilege would help an experiment with hardware, and asking for it: once, before
 * anything is timed, and for the worker of hardware alone.
 */
#pragma once

#include "engine/ov-catalog.h"
#include "model/ov-plan.h"

G_BEGIN_DECLS

/** Would the worker for hardware run what this one was denied?  `plan`: what is to be run now;
 *  NULL where none of what was chosen can run, and then any strategy for the job counts.
 *  Also for real-time scheduling, and rates of the real-time clock, that this user is refused.
 *  `strategies` (of OvStrategyInfo) is what the worker of `launcher` told.  FALSE behind a prefix,
 *  and for root, who has all that there is: unless sudo made him root, which is given up. */
gboolean ov_elevation_helps (const OvExperiment *experiment, const OvPlan *plan,
                             GPtrArray *strategies, const OvLauncher *launcher);

/** Starts the worker for hardware, which asks the user, and asks it what it can.  It is kept for a
 *  while, so that runs that follow ask nothing more. */
void ov_elevation_ask_async (GCancellable *cancellable, GAsyncReadyCallback callback,
                             gpointer data);
/** What it can, and how it is started (`launcher`, transfer full); or NULL: refused, dismissed, or
 *  nothing here gives privilege (OV_ERROR_NOT_FOUND). */
OvCatalog *ov_elevation_ask_finish (GAsyncResult *result, OvLauncher **launcher, GError **error);

/** Adds to what the worker for hardware can (`strategies`, of OvStrategyInfo) what only another one
 *  told (`others`): modules of the user's own are not loaded with privilege.  They cannot run, and
 *  say why. */
void ov_elevation_add_others (GPtrArray *strategies, GPtrArray *others);

G_END_DECLS
