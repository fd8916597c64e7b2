/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run, in a child of its own: loads the module, opens the target, brings the page cache into
 * the condition, measures, verifies.  Everything it finds goes into the shared memory.
 */
#pragma once

#include "model/ov-run-spec.h"
#include "worker/ov-shared.h"
#include "worker/ov-simulated.h"

G_BEGIN_DECLS

typedef struct
{
  const OvRunSpec *spec;
  const char *module;       /**< that has the strategy, or NULL: look for it */
  const char *path;         /**< of the file: the user's, or a holder's descriptor */
  gint64 expected_count;    /**< letters in the whole file where that is known, else -1 */
  int processor;            /**< the neighbour's, to be shared; -1: none is */
  guint64 ns_per_stamp_q32; /**< see ov_host_context_set_scale() */
  OvSimulated *disk;        /**< the simulated disk that the file lies on, or NULL */
} OvRunOrder;

/** With a profile, that is written to `text_fd` as JSON.  Returns when the run is over; the caller
 * ends the process.  May be ended by a signal at any moment. */
void ov_run_child (const OvRunOrder *order, OvShared *shared, int wake_fd, int text_fd);

G_END_DECLS
