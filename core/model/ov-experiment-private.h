/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the experiment share: its making, and reading it as a part of a result.
 */
#pragma once

#include "model/ov-experiment.h"
#include "model/ov-json-private.h"

G_BEGIN_DECLS

/* What a block and a depth may be, anywhere. */
#define OV_BLOCK_MIN       1
#define OV_BLOCK_MAX       (G_GUINT64_CONSTANT (1) << 30)
#define OV_DEPTH_MIN       1
#define OV_DEPTH_MAX       256
#define OV_REPETITIONS_MAX 10000
/* Values of an axis. */
#define OV_VALUES_MAX 1000

extern const char *const ov_axis_parameter_nicks[];

/** An experiment with every default and nothing in it. */
OvExperiment *ov_experiment_new (void);
OvPreset *ov_preset_new (void);
void ov_preset_free (OvPreset *preset);
OvExperimentAxis *ov_experiment_axis_new (void);
void ov_experiment_axis_free (OvExperimentAxis *axis);
void ov_overlay_free (OvOverlay *overlay);

/** As ov_experiment_from_json(); `parent` (may be NULL) is the object that has it as its member
 *  `name`, and says whether unknown keys are faults. */
OvExperiment *ov_experiment_read (JsonNode *node, const char *id, OvJsonReader *parent,
                                  const char *name, GError **error);

G_END_DECLS
