/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session's children do, and how their answers become events: one spawn function for each
 * command, with the data that the child gets.
 */
#pragma once

#include "model/ov-run-spec.h"
#include "worker/ov-child.h"
#include "worker/ov-module.h"
#include "worker/ov-output.h"
#include "worker/ov-simulated.h"

G_BEGIN_DECLS

/** Describes the module at `module`; ended after 5 s. */
OvChild *ov_describe_spawn (guint id, const char *module);
/** Sends the `module` event.  `known` (strategy id -> module): an id that another module has is a
 *  fault. */
void ov_describe_answer (const OvChild *child, GHashTable *known, OvOutput *output);

/** Looks at a target; ended after 5 s.  `disk`: the simulated disk that it is, or NULL. */
OvChild *ov_preflight_spawn (guint id, const char *target, OvSimulated *disk);
void ov_preflight_answer (const OvChild *child, OvOutput *output);

/** Lays out a scratch file as the `layout` command says, on the simulated disk `disk` unless NULL.
 */
OvChild *ov_layout_spawn (guint id, JsonObject *command, OvSimulated *disk);
const char *ov_scratch_data_get_name (gconstpointer data);
/** Can runs still open its file?  A process that was killed closes its files before its end is
 *  seen. */
gboolean ov_holder_lives (OvChild *holder);

/** One run; takes `spec`.  `holder`: of its scratch file, or NULL.  `module`: that has the
 * strategy, or NULL: the child looks for it.  `disk`: the simulated disk that is the target, or
 * NULL. */
OvChild *ov_run_spawn (guint id, OvRunSpec *spec, const OvChild *holder, const char *module,
                       guint64 ns_per_stamp_q32, OvSimulated *disk);
const OvRunSpec *ov_run_data_get_spec (gconstpointer data);
OvSimulated *ov_run_data_get_disk (gconstpointer data); /**< borrowed, or NULL */

/** The neighbour of a run that wants one, or NULL; to be started right after it. */
OvChild *ov_neighbour_spawn (const OvChild *run);

G_END_DECLS
