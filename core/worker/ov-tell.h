/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session tells of a child while it goes on: which phase it is in, and its figures of the
 * moment.  Both events may be dropped where nobody reads; the first of each phase is not.
 */
#pragma once

#include "worker/ov-child.h"
#include "worker/ov-output.h"

G_BEGIN_DECLS

/** Sends a `phase` event, if the phase or how far it is has changed since the last one. */
void ov_tell_phase (OvChild *child, OvOutput *output);
/** Sends a `snapshot` event of a run child. */
void ov_tell_snapshot (OvChild *child, OvOutput *output);

G_END_DECLS
