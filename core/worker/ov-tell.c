/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phases and snapshots of a child, as events.
 */
#include "config.h"

#include "worker/ov-tell.h"

#include "worker/ov-run-report.h"
#include "worker/ov-session-children.h"

void
ov_tell_phase (OvChild *child, OvOutput *output)
{
  const OvShared *shared = child->shared;
  const guint phase = MIN (__atomic_load_n (&shared->phase, __ATOMIC_ACQUIRE), OV_PHASE_ENDED);
  const gint64 begin = __atomic_load_n (&shared->begin_ns, __ATOMIC_ACQUIRE);
  JsonObject *event;

  if (phase + 1 == child->phase_told && shared->phase_done == child->done_told)
    return;
  event = ov_output_event ("phase", child->id);
  json_object_set_string_member (event, "phase", ov_phase_nick (phase));
  /* When the run began, not when it was seen, or runs would overlap in the chart over time. */
  json_object_set_int_member (event, "t",
                              (phase == OV_PHASE_RUN && begin != 0 ? begin : ov_clock_now_ns ())
                                  - child->born_ns);
  if (shared->phase_total > 0)
    json_object_set_double_member (event, "fraction",
                                   (double)shared->phase_done / (double)shared->phase_total);
  else
    json_object_set_null_member (event, "fraction");
  if (phase + 1 == child->phase_told)
    ov_output_send_droppable (output, event);
  else
    ov_output_send (output, event);
  child->phase_told = phase + 1;
  child->done_told = shared->phase_done;
}

void
ov_tell_snapshot (OvChild *child, OvOutput *output)
{
  const OvRunSpec *spec = ov_run_data_get_spec (child->data);
  OvSnapshot snapshot;
  JsonNode *node;
  JsonObject *event;

  ov_run_report_snapshot (child, spec, &snapshot);
  node = ov_snapshot_to_json (&snapshot);
  event = json_node_dup_object (node);
  json_node_unref (node);
  json_object_set_string_member (event, "event", "snapshot");
  json_object_set_int_member (event, "id", child->id);
  ov_run_report_live (child, spec, !ov_output_is_holding (output), event);
  ov_output_send_droppable (output, event);
}
