/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs without a file (OV_HARDWARE_JOBS), in a run's child: what is looked at before and after.
 */
#pragma once

#include "model/ov-run-spec.h"
#include "worker/ov-shared.h"

G_BEGIN_DECLS

/** Did nobody mean a file, does the run have an end, and is the port that it means on the list of
 *  harmless ones?  0, or -EINVAL or -EPERM with the cause set. */
int ov_hardware_job_check (const OvRunSpec *spec, OvShared *shared);

/** Is every access, event or sample accounted for, delivered or missed?  0 and the check value, or
 *  -EPROTO with the cause set. */
int ov_hardware_job_account (const OvRunSpec *spec, OvShared *shared);

G_END_DECLS
