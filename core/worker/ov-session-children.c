/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each child's data is made before the fork and lives on both sides of it.
 */
#include "config.h"

#include "worker/ov-session-children.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "model/ov-machine.h"
#include "model/ov-message.h"
#include "worker/ov-neighbour-child.h"
#include "worker/ov-privilege.h"
#include "worker/ov-run-child.h"
#include "worker/ov-scratch.h"
#include "worker/ov-target.h"

#define LOOK_LIMIT_NS (5000 * 1000000LL)
/** How long a run that follows a clock may take beyond twice its time limit, until the watchdog
 * ends it; also its limit where it has none. */
#define CLOCKED_LIMIT_NS (5 * 1000000000LL)

/** Answers of the children that look at something: one line of JSON. */
static void
put_object (OvChild *child, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_alloc ();
  g_autofree char *line = NULL;

  json_node_init_object (node, object);
  json_object_unref (object);
  line = ov_message_line (node);
  ov_child_put_text (child, line);
}

/** The answer as an object, or NULL.  Transfer full. */
static JsonObject *
get_object (const OvChild *child)
{
  g_autofree char *text = ov_child_get_text (child);
  g_autoptr (JsonNode) node
      = text != NULL && text[0] != '\0' ? ov_message_parse (text, NULL) : NULL;

  return node != NULL ? json_node_dup_object (node) : NULL;
}

/* ---- describe ----------------------------------------------------------------------------- */

static void
describe (OvChild *child, gpointer data)
{
  const char *path = data;
  g_autoptr (GError) error = NULL;
  JsonObject *object = json_object_new ();
  OvModule *module;
  JsonArray *strategies;

  /* Its strategies look whether they could work. */
  ov_privilege_take (OV_HARDWARE_JOBS, NULL);
  module = ov_module_load (path, &error);
  if (module == NULL)
    {
      json_object_set_string_member (object, "fault", error->message);
      put_object (child, object);
      return;
    }
  strategies = json_array_new ();
  for (guint i = 0; i < module->strategies->len; i++)
    {
      g_autoptr (OvStrategyInfo) info
          = ov_module_describe (g_ptr_array_index (module->strategies, i), path);

      json_array_add_element (strategies, ov_strategy_info_to_json (info));
    }
  json_object_set_array_member (object, "strategies", strategies);
  put_object (child, object);
}

OvChild *
ov_describe_spawn (guint id, const char *module)
{
  OvChild *child
      = ov_child_spawn (OV_CHILD_DESCRIBE, id, 0, TRUE, describe, g_strdup (module), g_free);

  if (child != NULL)
    child->kill_ns = child->born_ns + LOOK_LIMIT_NS;
  return child;
}

static char *
describe_fault (const OvChild *child, const char *path)
{
  if (child->killed_ns != 0)
    return g_strdup_printf (_ ("%s: it does not answer"), path);
  if (WIFSIGNALED (child->status))
    return g_strdup_printf (_ ("%s: it crashed while it was loaded (%s)"), path,
                            strsignal (WTERMSIG (child->status)));
  return g_strdup_printf (_ ("%s: it ended the process that loaded it"), path);
}

/** An id of this module that another one has, or NULL; else all are entered. */
static char *
taken_id (JsonArray *strategies, GHashTable *known, const char *path)
{
  for (guint i = 0; i < json_array_get_length (strategies); i++)
    {
      JsonObject *strategy = json_array_get_object_element (strategies, i);
      const char *id = json_object_get_string_member_with_default (strategy, "id", "");
      const char *owner = g_hash_table_lookup (known, id);

      if (owner != NULL)
        return g_strdup_printf (_ ("%s: the id %s is taken by %s"), path, id, owner);
    }
  for (guint i = 0; i < json_array_get_length (strategies); i++)
    {
      JsonObject *strategy = json_array_get_object_element (strategies, i);

      g_hash_table_insert (
          known, g_strdup (json_object_get_string_member_with_default (strategy, "id", "")),
          g_strdup (path));
    }
  return NULL;
}

void
ov_describe_answer (const OvChild *child, GHashTable *known, OvOutput *output)
{
  const char *path = child->data;
  JsonObject *event = ov_output_event ("module", child->id);
  JsonObject *found = get_object (child);
  g_autofree char *fault = NULL;

  json_object_set_string_member (event, "module", path);
  if (found == NULL)
    fault = describe_fault (child, path);
  else if (!json_object_has_member (found, "strategies"))
    fault = g_strdup (json_object_get_string_member_with_default (found, "fault", ""));
  else
    fault = taken_id (json_object_get_array_member (found, "strategies"), known, path);
  if (fault != NULL)
    json_object_set_string_member (event, "fault", fault);
  else
    json_object_set_member (event, "strategies", json_object_dup_member (found, "strategies"));
  g_clear_pointer (&found, json_object_unref);
  ov_output_send (output, event);
}

/* ---- preflight ---------------------------------------------------------------------------- */

typedef struct
{
  char *target;
  OvSimulated *disk;
} LookData;

static void
look_data_free (gpointer data)
{
  LookData *look = data;

  g_free (look->target);
  ov_simulated_unref (look->disk);
  g_free (look);
}

static void
preflight (OvChild *child, gpointer data)
{
  const LookData *look = data;
  g_autoptr (OvTargetInfo) info = NULL;
  g_autoptr (JsonNode) node = NULL;

  ov_privilege_take (0, NULL);
  if (look->disk != NULL)
    info = ov_target_look_at_disk (look->disk);
  else if (ov_target_is_machine (look->target))
    info = ov_target_look_at_machine (look->target);
  else
    info = ov_target_look (look->target);
  node = ov_target_info_to_json (info);
  put_object (child, json_node_dup_object (node));
}

OvChild *
ov_preflight_spawn (guint id, const char *target, OvSimulated *disk)
{
  LookData *data = g_new0 (LookData, 1);
  OvChild *child;

  data->target = g_strdup (target);
  data->disk = disk != NULL ? ov_simulated_ref (disk) : NULL;
  child = ov_child_spawn (OV_CHILD_PREFLIGHT, id, 0, TRUE, preflight, data, look_data_free);

  if (child != NULL)
    child->kill_ns = child->born_ns + LOOK_LIMIT_NS;
  return child;
}

void
ov_preflight_answer (const OvChild *child, OvOutput *output)
{
  JsonObject *found = child->killed_ns == 0 ? get_object (child) : NULL;
  JsonObject *event;

  if (found == NULL)
    {
      g_autofree char *text
          = g_strdup_printf (_ ("%s does not answer"), ((const LookData *)child->data)->target);

      ov_output_error (output, child->id, "failed", text);
      return;
    }
  event = ov_output_event ("preflight", child->id);
  json_object_set_object_member (event, "target", found);
  ov_output_send (output, event);
}

/* ---- layout ------------------------------------------------------------------------------- */

typedef struct
{
  char *name;
  char *folder;
  OvSimulated *disk;
  OvScratchOrder order;
} ScratchData;

static void
scratch_data_free (gpointer data)
{
  ScratchData *scratch = data;

  g_free (scratch->name);
  g_free (scratch->folder);
  ov_simulated_unref (scratch->disk);
  g_free (scratch);
}

const char *
ov_scratch_data_get_name (gconstpointer data)
{
  return ((const ScratchData *)data)->name;
}

static void
lay_out (OvChild *child, gpointer data)
{
  ScratchData *scratch = data;

  if (scratch->disk != NULL)
    {
      scratch->order.folder = ov_simulated_wait (scratch->disk, &child->shared->stop);
      if (scratch->order.folder == NULL)
        {
          g_autofree char *cause = ov_simulated_dup_cause (scratch->disk);

          child->shared->error = ov_shared_fail (child->shared, -ENODEV, "%s", cause);
          __atomic_store_n (&child->shared->finished, 1, __ATOMIC_RELEASE);
          return;
        }
    }
  ov_scratch_child (&scratch->order, child->shared);
}

OvChild *
ov_layout_spawn (guint id, JsonObject *command, OvSimulated *disk)
{
  ScratchData *data = g_new0 (ScratchData, 1);
  const char *letter = json_object_get_string_member_with_default (command, "letter", "e");

  data->name = g_strdup (json_object_get_string_member_with_default (command, "file", "scratch"));
  data->folder = g_strdup (json_object_get_string_member_with_default (command, "target", ""));
  data->order.folder = data->folder;
  data->disk = disk != NULL ? ov_simulated_ref (disk) : NULL;
  data->order.size = (guint64)MAX (json_object_get_int_member_with_default (command, "size", 0), 0);
  data->order.seed = (guint64)json_object_get_int_member_with_default (command, "seed", 1);
  data->order.letter = letter[0];
  data->order.density
      = CLAMP (json_object_get_double_member_with_default (command, "density", 0.02), 0, 1);
  data->order.empty = json_object_get_boolean_member_with_default (command, "empty", FALSE);
  return ov_child_spawn (OV_CHILD_SCRATCH, id, 0, FALSE, lay_out, data, scratch_data_free);
}

/* ---- run ---------------------------------------------------------------------------------- */

typedef struct
{
  OvRunSpec *spec;
  char *path;
  char *module;
  OvSimulated *disk;
  OvRunOrder order;
} RunData;

static void
run_data_free (gpointer data)
{
  RunData *run = data;

  ov_run_spec_free (run->spec);
  g_free (run->path);
  g_free (run->module);
  ov_simulated_unref (run->disk);
  g_free (run);
}

const OvRunSpec *
ov_run_data_get_spec (gconstpointer data)
{
  return ((const RunData *)data)->spec;
}

OvSimulated *
ov_run_data_get_disk (gconstpointer data)
{
  return ((const RunData *)data)->disk;
}

static void
run (OvChild *child, gpointer data)
{
  const OvRunSpec *spec = ((RunData *)data)->spec;

  ov_privilege_take (spec->job, spec->strategy);
  ov_run_child (&((RunData *)data)->order, child->shared, child->wake_fd, child->text_fd);
}

/** The holder's descriptor of its file.  Free with g_free(). */
static char *
holder_path (const OvChild *holder)
{
  return g_strdup_printf ("/proc/%d/fd/%d", (int)holder->pid, holder->shared->holder_fd);
}

gboolean
ov_holder_lives (OvChild *holder)
{
  g_autofree char *path = holder_path (holder);

  return !ov_child_poll (holder) && access (path, F_OK) == 0;
}

OvChild *
ov_run_spawn (guint id, OvRunSpec *spec, const OvChild *holder, const char *module,
              guint64 ns_per_stamp_q32, OvSimulated *disk)
{
  RunData *data = g_new0 (RunData, 1);
  OvChild *child;
  const gsize log_capacity
      = spec->timing == OV_TIMING_TIMELINE ? (gsize)MIN (spec->log_capacity, 4000000) : 0;

  data->spec = spec;
  data->path = holder != NULL ? holder_path (holder) : g_strdup (spec->target);
  data->order.spec = spec;
  data->module = g_strdup (module);
  data->order.module = data->module;
  data->order.path = data->path;
  data->order.expected_count = holder != NULL ? (gint64)holder->shared->file_count : -1;
  data->order.ns_per_stamp_q32 = ns_per_stamp_q32;
  data->order.processor = spec->neighbour == OV_NEIGHBOUR_SHARED ? ov_neighbour_processor () : -1;
  data->disk = disk != NULL ? ov_simulated_ref (disk) : NULL;
  data->order.disk = disk;
  child = ov_child_spawn (OV_CHILD_RUN, id, log_capacity, spec->profile, run, data, run_data_free);
  /* A loop that waits for a clock and heeds neither flag nor limit would have a processor for
   * ever. */
  if (child != NULL && (spec->job & OV_CLOCKED_JOBS) != 0)
    child->kill_ns = child->born_ns + CLOCKED_LIMIT_NS
                     + 2
                           * MIN (spec->time_limit_ns > 0 ? spec->time_limit_ns : CLOCKED_LIMIT_NS,
                                  G_MAXINT64 / 8);
  return child;
}

/* ---- neighbour ---------------------------------------------------------------------------- */

typedef struct
{
  OvShared *shared; /**< the run's, which is mapped when the neighbour is born */
  int processor;
} NeighbourData;

static void
be_neighbour (OvChild *child, gpointer data)
{
  const NeighbourData *neighbour = data;

  ov_neighbour_child (neighbour->shared, neighbour->processor);
}

OvChild *
ov_neighbour_spawn (const OvChild *run_child)
{
  const RunData *run_data = run_child->data;
  NeighbourData *data;
  OvChild *child;

  if (run_data->spec->neighbour == OV_NEIGHBOUR_NONE)
    return NULL;
  data = g_new0 (NeighbourData, 1);
  data->shared = run_child->shared;
  data->processor = run_data->order.processor;
  child = ov_child_spawn (OV_CHILD_NEIGHBOUR, 0, 0, FALSE, be_neighbour, data, g_free);
  if (child != NULL)
    child->answered = TRUE;
  return child;
}
