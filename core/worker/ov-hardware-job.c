/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a job of hardware must be, and what must have come of it, by the figures of the run alone.
 */
#include "config.h"

#include "worker/ov-hardware-job.h"

#include <errno.h>
#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "model/ov-machine.h"
#include "worker/ov-guard.h"

int
ov_hardware_job_check (const OvRunSpec *spec, OvShared *shared)
{
  if (!ov_target_is_machine (spec->target) || spec->file != NULL)
    return ov_shared_fail (shared, -EINVAL, _ ("%s: the job “%s” has no file"),
                           spec->target != NULL ? spec->target : "", ov_job_nick (spec->job));
  if (spec->requests < 1 || spec->requests > OV_REQUESTS_MAX
      || ((spec->job & OV_CLOCKED_JOBS) != 0 && !(spec->rate > 0)))
    return ov_shared_fail (shared, -EINVAL, _ ("The job “%s” does not say how often"),
                           ov_job_nick (spec->job));
  /* Root may reach every port, without the privileged worker, too. */
  if (!ov_guard_ports_are_harmless (spec->address, spec->width, spec->access))
    return ov_shared_fail (
        shared, -EPERM, _ ("Only ports of which is known that they are harmless may be reached"));
  return 0;
}

int
ov_hardware_job_account (const OvRunSpec *spec, OvShared *shared)
{
  const guint64 found = shared->live.completed + shared->live.missed;

  if (found != spec->requests)
    return ov_shared_fail (shared, -EPROTO,
                           _ ("The strategy accounted for %" PRIu64 " of %" PRIu64 " (%s)"), found,
                           spec->requests, ov_job_nick (spec->job));
  g_snprintf (shared->check, sizeof shared->check, "%s=%" PRIu64,
              spec->job == OV_JOB_PORT    ? "accesses"
              : spec->job == OV_JOB_TICKS ? "events"
                                          : "samples",
              found);
  return 0;
}
