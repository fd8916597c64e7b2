// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How long a plan will take, from what the same variants took before.
 */
#pragma once

#include "model/ov-plan.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** Seconds, or -1 where `before` (may be NULL) has no runs of a variant of the plan, or none that
 * took time.  Runs that follow a clock take what their rate says. */
gint64 ov_forecast_seconds (const OvPlan *plan, const OvResult *before);

G_END_DECLS
