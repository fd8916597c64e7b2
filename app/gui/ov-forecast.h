// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How long a plan will take, from what the same variants took before. What is needed of the runs
 * before is kept, not the runs: a forecast of a hundred thousand is as small as one of ten.
 */
#pragma once

#include "model/ov-plan.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

typedef struct _OvForecast OvForecast;

/** What the runs of `before` took. Plain data, which may be made in any thread. */
OvForecast *ov_forecast_new (const OvResult *before);
void ov_forecast_free (OvForecast *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvForecast, ov_forecast_free)

/** Seconds, or -1 where `self` (may be NULL) has no runs of a variant of the plan, or none that
 * took time.  Runs that follow a clock take what their rate says. */
gint64 ov_forecast_seconds (const OvForecast *self, const OvPlan *plan);

G_END_DECLS
