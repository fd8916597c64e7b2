/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What choosing the variants and making the plan share.
 */
#pragma once

#include "model/ov-plan.h"

G_BEGIN_DECLS

/** The strategy called `id` of an array of OvStrategyInfo, or NULL.  Borrowed. */
const OvStrategyInfo *ov_plan_find_strategy (GPtrArray *strategies, const char *id);

/** The variants that the user chose (those not off by default), in the experiment's order, then
 *  new ones in the order of their naming.  Array of OvVariant, transfer full. */
GPtrArray *ov_plan_choose_variants (const OvExperiment *experiment, const OvPlanChoice *choice,
                                    GPtrArray *strategies, GError **error);

OvDurability ov_plan_durability (const OvExperiment *experiment, const OvVariant *variant,
                                 const OvPlanChoice *choice);
OvCondition ov_plan_condition (const OvExperiment *experiment, const OvVariant *variant,
                               const OvPlanChoice *choice);
guint ov_plan_work (const OvExperiment *experiment, const OvVariant *variant,
                    const OvPlanChoice *choice);

/** Whether `info` can go through a file for `job` in that order (enum OvOrder). */
gboolean ov_plan_can_order (const OvStrategyInfo *info, guint job, guint order);
/** For `port` jobs: how the register is reached, as the preset or else the experiment says. */
void ov_plan_set_access (const OvExperiment *experiment, const OvPreset *preset, OvRunSpec *spec);

/** Values of the options of `variant`: the experiment's, then the user's.  `*used` counts those of
 *  the user's texts that were taken.  char* -> gint64*, transfer full; NULL and no error where
 *  there are none. */
GHashTable *ov_plan_options (const OvVariant *variant, const OvStrategyInfo *info,
                             const OvPlanChoice *choice, GHashTable *used, GError **error);
/** Complains about options that no chosen variant took. */
gboolean ov_plan_check_options (const OvPlanChoice *choice, GHashTable *used, GPtrArray *variants,
                                GPtrArray *strategies, GError **error);

G_END_DECLS
