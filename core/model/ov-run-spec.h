/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one run is: strategy, job, target, parameters.  The plan is an array of these; the worker
 * gets one with each `run` command.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "model/ov-types.h"

G_BEGIN_DECLS

typedef struct
{
  guint index;    /**< place in the plan; also the protocol's id of the run */
  char *strategy; /**< id */
  char *variant;  /**< label of the line in charts and tables; never NULL */
  guint job;      /**< one of enum OvJobFlags */
  char *target;   /**< path of a folder or of an existing file */
  char *file;     /**< name of the laid-out scratch file, or NULL: the target is the file */
  guint64 size;   /**< bytes of the range; for a user's file: its size */
  guint64 offset; /**< first byte of the range */
  guint64 block;  /**< bytes of one call */
  guint depth;    /**< buffers, requests in flight */
  OvCondition condition;
  guint work; /**< enum OvWork */
  char letter;
  guint64 requests; /**< blocks, accesses, events or samples: how many */
  guint order;      /**< enum OvOrder */
  guint64 seed;
  guint timing;         /**< enum OvTiming */
  guint repetition;     /**< from 0 */
  gboolean discard;     /**< do the discarded pass first */
  gint64 time_limit_ns; /**< of the run phase; 0: none.  At its end the run is stopped and counts
                             as done for rates */
  gint64 stop_after_ns; /**< the run is stopped that long after its start; 0: it is not */
  OvNeighbour neighbour;
  gboolean profile;        /**< sample where its CPU time goes */
  guint64 log_capacity;    /**< most requests in the log, with OV_TIMING_TIMELINE */
  GHashTable *options;     /**< char* name -> gint64* value, those given; or NULL */
  OvDurability durability; /**< jobs that write */
  gboolean verify;         /**< jobs that write: read back and compare after the run */
  gboolean quiet;          /**< nobody looks at the run while it goes on: no snapshots */
  OvPart part;             /**< whole, unless it is there for the overlap of another run */
  double rate;             /**< OV_CLOCKED_JOBS: events or samples a second */
  guint access;            /**< `port` jobs: enum OvAccess, */
  guint width;             /**< bytes of one access, */
  guint64 address;         /**< and the register; 0: the strategy's own */
  guint64 stride;          /**< OV_ORDER_STRIDED: bytes from one block to the next; else 0 */
  double x;                /**< value on the experiment's first axis (bytes, depth, …) */
} OvRunSpec;

OvRunSpec *ov_run_spec_new (void); /**< defaults: count, 64K, depth 2, cold, plain, 'e', discard */
OvRunSpec *ov_run_spec_copy (const OvRunSpec *spec);
void ov_run_spec_free (OvRunSpec *spec);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvRunSpec, ov_run_spec_free)

void ov_run_spec_set_option (OvRunSpec *spec, const char *name, gint64 value);

JsonNode *ov_run_spec_to_json (const OvRunSpec *spec);
OvRunSpec *ov_run_spec_from_json (JsonNode *node, GError **error);

G_END_DECLS
