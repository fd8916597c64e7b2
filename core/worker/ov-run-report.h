/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a run's result, its log and its snapshots from what the shared memory holds, whether the
 * child ended by itself, was killed or is stuck.  Trusts none of it.
 */
#pragma once

#include "model/ov-message.h"
#include "model/ov-run.h"
#include "worker/ov-child.h"
#include "worker/ov-output.h"
#include "slowdisk/ov-slowdisk-shared.h"

G_BEGIN_DECLS

/** The result of a run child that is gone or stuck.  `target_cause` (may be NULL): how the target
 *  can be freed, for a stuck one.  Transfer full. */
OvRun *ov_run_report (const OvChild *child, const OvRunSpec *spec, const char *target_cause);

/** Sends the log in `log` events. */
void ov_run_report_log (const OvChild *child, guint run, OvOutput *output);

/** Sends what a simulated disk logged in the run, in `device-log` events: a request's arrival is
 *  `submit`, its service `consume-start` to `consume-end`, its end `complete`.  Requests that had
 * no room in the log. */
guint64 ov_run_report_device_log (const OvChild *child, guint run, OvSlowdiskShared *disk,
                                  OvOutput *output);

/** Figures of the moment.  Asks libgtop. */
void ov_run_report_snapshot (OvChild *child, const OvRunSpec *spec, OvSnapshot *snapshot);
/** Adds to the event of a snapshot what is told of requests while the run goes on; the newest
 * requests themselves only `with_log`. */
void ov_run_report_live (OvChild *child, const OvRunSpec *spec, gboolean with_log,
                         JsonObject *event);

G_END_DECLS
