// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLearnView: what an experiment is about, and what its strategies are: title, texts, and of the
 * chosen strategy its description and the very source that was compiled.
 */
#pragma once

#include <adwaita.h>

#include "model/ov-experiment.h"
#include "model/ov-strategy-info.h"

G_BEGIN_DECLS

#define OV_TYPE_LEARN_VIEW (ov_learn_view_get_type ())
G_DECLARE_FINAL_TYPE (OvLearnView, ov_learn_view, OV, LEARN_VIEW, GtkWidget)

/** Shows an experiment; NULL for none. */
void ov_learn_view_set_experiment (OvLearnView *self, OvExperiment *experiment);
/** What is known of strategies, of OvStrategyInfo; NULL while nothing is. */
void ov_learn_view_set_strategies (OvLearnView *self, GPtrArray *strategies);
/** Chooses the strategy `id` of the experiment shown. */
void ov_learn_view_show_strategy (OvLearnView *self, const char *id);

G_END_DECLS
