// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunSettings: what the user chose for an experiment: where, which strategies with which
 * options, and how. Everything begins as the experiment has it.
 */
#pragma once

#include "model/ov-machine.h"
#include "model/ov-plan.h"

G_BEGIN_DECLS

#define OV_TYPE_RUN_SETTINGS (ov_run_settings_get_type ())
/** Signal "changed" (): the plan is another one now.
 *  Signal "target-changed" (): the target is another one; "changed" follows. */
G_DECLARE_FINAL_TYPE (OvRunSettings, ov_run_settings, OV, RUN_SETTINGS, GObject)

OvRunSettings *ov_run_settings_new (OvExperiment *experiment);
/** Borrowed. */
OvExperiment *ov_run_settings_get_experiment (OvRunSettings *self);

/** Path of a folder or file; a new object has the home folder. */
const char *ov_run_settings_get_target (OvRunSettings *self);
void ov_run_settings_set_target (OvRunSettings *self, const char *path);

/** Id of a preset; never NULL in an experiment that has presets. */
const char *ov_run_settings_get_preset (OvRunSettings *self);
void ov_run_settings_set_preset (OvRunSettings *self, const char *id);
/** Each getter gives the experiment's own where nothing was set; block and depth, of which each
 * strategy has its own, give 0 then. */
guint ov_run_settings_get_repetitions (OvRunSettings *self);
void ov_run_settings_set_repetitions (OvRunSettings *self, guint repetitions);
/** Repeat until every interval lies within so many per cent of the median, up or down, or until so
 * many minutes are over, at most ten times as often as ov_run_settings_get_repetitions() says; 0:
 * no such aim. Both are 0 at first. */
double ov_run_settings_get_until_percent (OvRunSettings *self);
void ov_run_settings_set_until_percent (OvRunSettings *self, double percent);
double ov_run_settings_get_until_minutes (OvRunSettings *self);
void ov_run_settings_set_until_minutes (OvRunSettings *self, double minutes);
guint64 ov_run_settings_get_block (OvRunSettings *self);
void ov_run_settings_set_block (OvRunSettings *self, guint64 block);
guint ov_run_settings_get_depth (OvRunSettings *self);
void ov_run_settings_set_depth (OvRunSettings *self, guint depth);
OvCondition ov_run_settings_get_condition (OvRunSettings *self);
void ov_run_settings_set_condition (OvRunSettings *self, OvCondition condition);
guint ov_run_settings_get_work (OvRunSettings *self);
void ov_run_settings_set_work (OvRunSettings *self, guint work);
/** What is recorded of requests: enum OvTiming. */
guint ov_run_settings_get_timing (OvRunSettings *self);
void ov_run_settings_set_timing (OvRunSettings *self, guint timing);
/** Of jobs that write: when the bytes must be stable, and whether they are read back. */
OvDurability ov_run_settings_get_durability (OvRunSettings *self);
void ov_run_settings_set_durability (OvRunSettings *self, OvDurability durability);
gboolean ov_run_settings_get_verify (OvRunSettings *self);
void ov_run_settings_set_verify (OvRunSettings *self, gboolean verify);

/** Folders beside the target, in which the same is run (of char*). Borrowed. */
const GPtrArray *ov_run_settings_get_more_targets (OvRunSettings *self);
/** Adds a folder; nothing happens if it is there already. */
void ov_run_settings_add_target (OvRunSettings *self, const char *path);
void ov_run_settings_remove_target (OvRunSettings *self, const char *path);
/** Runs in these and nowhere else: the first one is the target, the others stand beside it. At
 * least one; nothing happens in an experiment without files. */
void ov_run_settings_set_targets (OvRunSettings *self, const char *const *paths);

/** Whether it is sampled where the CPU time goes. */
gboolean ov_run_settings_get_profile (OvRunSettings *self);
void ov_run_settings_set_profile (OvRunSettings *self, gboolean profile);
/** Of the blocks, in jobs whose blocks have a place: enum OvOrder, -1: as the experiment, or an
 * axis of the preset, has it. */
int ov_run_settings_get_order (OvRunSettings *self);
void ov_run_settings_set_order (OvRunSettings *self, int order);
/** Of strided positions, in bytes; 0: the experiment's. */
guint64 ov_run_settings_get_stride (OvRunSettings *self);
void ov_run_settings_set_stride (OvRunSettings *self, guint64 stride);
OvNeighbour ov_run_settings_get_neighbour (OvRunSettings *self);
void ov_run_settings_set_neighbour (OvRunSettings *self, OvNeighbour neighbour);

/** Whether a variant (its label), or another strategy (its id), is to be run. */
gboolean ov_run_settings_get_chosen (OvRunSettings *self, const char *label);
void ov_run_settings_set_chosen (OvRunSettings *self, const char *label, gboolean chosen);
/** Labels of what is chosen and, where that differs from the experiment, TRUE. NULL-terminated, the
 * caller frees the array alone. `strategies` may be NULL. */
const char **ov_run_settings_list_chosen (OvRunSettings *self, GPtrArray *strategies,
                                          gboolean *changed);
/** Chooses exactly these. */
void ov_run_settings_choose (OvRunSettings *self, const char *const *labels);
/** The text of a strategy's option, or NULL: as the experiment or the strategy has it. */
const char *ov_run_settings_get_option (OvRunSettings *self, const char *strategy,
                                        const char *option);
void ov_run_settings_set_option (OvRunSettings *self, const char *strategy, const char *option,
                                 const char *text);
/** Whether anything but the target differs from the experiment. */
gboolean ov_run_settings_is_changed (OvRunSettings *self);
/** Puts everything but the target back. */
void ov_run_settings_reset (OvRunSettings *self);

/** All that can be chosen, of OvVariant: the experiment's, then others that it lets in. The caller
 * owns it. */
GPtrArray *ov_run_settings_list_variants (OvRunSettings *self, GPtrArray *strategies);
/** Why a variant cannot run here with what was chosen, or NULL. The caller owns the text. */
char *ov_run_settings_dup_cause (OvRunSettings *self, const OvVariant *variant,
                                 GPtrArray *strategies);
/** The plan of what was chosen; `target` is what is known of the target. Errors as ov_plan_new().
 */
OvPlan *ov_run_settings_make_plan (OvRunSettings *self, GPtrArray *strategies,
                                   const OvTargetInfo *target, GError **error);

G_END_DECLS
