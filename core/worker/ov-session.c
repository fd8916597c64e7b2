/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One loop over poll(2): input, output, the pidfds of the children, and a tick of 50 ms while
 * something is going on.  No GLib main loop: its signal and child watches start a thread.
 */
#include "config.h"

#include "worker/ov-session.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-machine.h"
#include "sampler/ov-machine-probe.h"
#include "sampler/ov-system.h"
#include "worker/ov-child.h"
#include "worker/ov-guard.h"
#include "worker/ov-output.h"
#include "worker/ov-privilege.h"
#include "worker/ov-run-report.h"
#include "worker/ov-session-children.h"
#include "worker/ov-simulated.h"
#include "worker/ov-target.h"
#include "worker/ov-tell.h"

#define TICK_NS          (50 * 1000000LL)
#define CALIBRATE_MIN_NS (20 * 1000000LL)
#define REPORT_MOST_NS                                                                             \
  (5000 * 1000000LL) /* an engine gives up a session that is silent for 15 s                       \
                      */
#define GOODBYE_NS (2500 * 1000000LL)
/** A privileged session that nobody wants anything of ends by itself. */
#define UNWANTED_NS (180 * 1000000000LL)

typedef struct
{
  int in_fd;
  int out_fd;
  OvOutput *out;
  OvLineReader *in;
  GPtrArray *children; /**< of OvChild */
  GPtrArray *modules;  /**< paths that are still to be described */
  guint describe_id;   /**< 0: nobody asked */
  GHashTable *known;   /**< strategy id -> module path */
  OvTsc origin;        /**< begun when the session began */
  gint64 last_tick_ns;
  gint64 heard_ns;  /**< when the last command came */
  gboolean greeted; /**< the engine said its version */
  gboolean ending;
  int status;
} Session;

static const char *
code_name (const GError *error)
{
  static const char *const names[]
      = { "invalid",  "not-found", "permission", "no-space", "unsupported",
          "protocol", "failed",    "cancelled",  "failed",   "busy" };

  if (error->domain == OV_ERROR && error->code >= 0 && error->code < (int)G_N_ELEMENTS (names))
    return names[error->code];
  return "invalid";
}

static const char *
code_of_errno (int error)
{
  GError *made = NULL;
  const char *name;

  if (error == -ECANCELED)
    return "cancelled";
  ov_set_error_errno (&made, OV_ERROR_FAILED, -error, "x");
  name = code_name (made);
  g_error_free (made);
  return name;
}

/** Is a run or a layout going on? */
static gboolean
is_busy (const Session *self)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      const OvChild *child = g_ptr_array_index (self->children, i);

      if (!child->answered && (child->kind == OV_CHILD_RUN || child->kind == OV_CHILD_SCRATCH))
        return TRUE;
    }
  return FALSE;
}

static void
add_child (Session *self, OvChild *child, guint id)
{
  if (child != NULL)
    g_ptr_array_add (self->children, child);
  else
    {
      g_autofree char *text
          = g_strdup_printf (_ ("No process could be started: %s"), g_strerror (errno));

      ov_output_error (self->out, id, "failed", text);
    }
}

/** The process that holds the scratch file `file`, as long as it lives, or NULL.  Borrowed. */
static OvChild *
find_holder (const Session *self, const char *file)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      OvChild *child = g_ptr_array_index (self->children, i);

      if (child->kind == OV_CHILD_SCRATCH && child->shared->ready != 0 && !child->forgetting
          && strcmp (ov_scratch_data_get_name (child->data), file) == 0 && ov_holder_lives (child))
        return child;
    }
  return NULL;
}

static void
tell_no_file (Session *self, guint id, const char *file)
{
  g_autofree char *text
      = g_strdup_printf (_ ("There is no scratch file called \"%s\": it was not laid out, or the "
                            "process that held it has ended"),
                         file);

  ov_output_error (self->out, id, "not-found", text);
}

/** The simulated disk `target`, as long as it lives, or NULL.  Borrowed. */
static OvChild *
find_disk (const Session *self, const char *target)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      OvChild *child = g_ptr_array_index (self->children, i);

      if (child->kind == OV_CHILD_DISK && child->gone_ns == 0 && child->killed_ns == 0
          && strcmp (((OvSimulated *)child->data)->target, target) == 0
          && ov_simulated_is_alive (child->data))
        return child;
    }
  return NULL;
}

/** FALSE after an error was sent; else `disk` (borrowed) is the simulated disk that `target` names,
 *  started where it was not yet, or NULL: a real target. */
static gboolean
want_disk (Session *self, guint id, const char *target, OvSimulated **disk)
{
  g_autoptr (GError) error = NULL;
  OvChild *child;

  *disk = NULL;
  if (!ov_disk_is_target (target))
    return TRUE;
  child = find_disk (self, target);
  if (child == NULL)
    {
      child = ov_simulated_spawn (target, &error);
      if (child != NULL)
        g_ptr_array_add (self->children, child);
    }
  if (child == NULL)
    {
      ov_output_error (self->out, id, code_name (error), error->message);
      return FALSE;
    }
  *disk = child->data;
  return TRUE;
}

/* ---- Commands ----------------------------------------------------------------------------- */

static void
describe_next (Session *self)
{
  if (self->describe_id == 0)
    return;
  if (self->modules->len == 0)
    {
      ov_output_send (self->out, ov_output_event ("described", self->describe_id));
      self->describe_id = 0;
      return;
    }
  add_child (self, ov_describe_spawn (self->describe_id, g_ptr_array_index (self->modules, 0)),
             self->describe_id);
  g_ptr_array_remove_index (self->modules, 0);
}

static void
command_describe (Session *self, guint id)
{
  if (self->describe_id != 0)
    {
      ov_output_error (self->out, id, "busy", _ ("The modules are being described already"));
      return;
    }
  g_ptr_array_unref (self->modules);
  self->modules = ov_module_find_all ();
  g_hash_table_remove_all (self->known);
  self->describe_id = id;
  describe_next (self);
}

static guint64
ns_per_stamp (Session *self)
{
  OvTsc tsc = self->origin;
  gint64 age = ov_clock_now_ns () - tsc.clock_begin_ns;

  if (!ov_stamp_is_tsc)
    return G_GUINT64_CONSTANT (1) << 32;
  if (age < CALIBRATE_MIN_NS)
    g_usleep ((gulong)((CALIBRATE_MIN_NS - age) / 1000));
  ov_tsc_end (&tsc);
  return (guint64)(((unsigned __int128)(tsc.clock_end_ns - tsc.clock_begin_ns) << 32)
                   / (tsc.stamp_end - tsc.stamp_begin));
}

static void
command_run (Session *self, guint id, JsonObject *object)
{
  g_autoptr (GError) error = NULL;
  const char *module = NULL;
  OvRunSpec *spec = NULL;
  OvChild *holder = NULL, *disk = NULL;
  OvChild *child;
  OvChild *neighbour;

  if (json_object_has_member (object, "spec"))
    spec = ov_run_spec_from_json (json_object_get_member (object, "spec"), &error);
  if (spec == NULL)
    {
      ov_output_error (self->out, id, "invalid",
                       error != NULL ? error->message : _ ("A run needs its spec"));
      return;
    }
  if (ov_disk_is_target (spec->target))
    {
      disk = find_disk (self, spec->target);
      if (disk == NULL)
        {
          ov_output_error (self->out, id, "failed",
                           _ ("The simulated disk has ended, and its files with it"));
          ov_run_spec_free (spec);
          return;
        }
    }
  if (spec->file != NULL)
    holder = find_holder (self, spec->file);
  if (spec->file != NULL && holder == NULL)
    {
      tell_no_file (self, id, spec->file);
      ov_run_spec_free (spec);
      return;
    }
  /* Once the modules are described, no module is loaded but the one that is meant. */
  if (g_hash_table_size (self->known) > 0)
    module = g_hash_table_lookup (self->known, spec->strategy);
  if (g_hash_table_size (self->known) > 0 && module == NULL)
    module = "";
  child = ov_run_spawn (id, spec, holder, module, ns_per_stamp (self),
                        disk != NULL ? disk->data : NULL);
  add_child (self, child, id);
  neighbour = child != NULL ? ov_neighbour_spawn (child) : NULL;
  if (neighbour != NULL)
    g_ptr_array_add (self->children, neighbour);
}

static void
command_preflight (Session *self, guint id, JsonObject *object)
{
  const char *target = json_object_get_string_member_with_default (object, "target", "");
  OvSimulated *disk;

  if (want_disk (self, id, target, &disk))
    add_child (self, ov_preflight_spawn (id, target, disk), id);
}

static void
command_layout (Session *self, guint id, JsonObject *object)
{
  const char *target = json_object_get_string_member_with_default (object, "target", "");
  OvSimulated *disk;

  if (want_disk (self, id, target, &disk))
    add_child (self, ov_layout_spawn (id, object, disk), id);
}

static void
command_forget (Session *self, guint id, JsonObject *object)
{
  const char *file = json_object_get_string_member_with_default (object, "file", "");
  OvChild *holder = find_holder (self, file);

  if (holder == NULL)
    {
      ov_output_error (self->out, id, "not-found", _ ("There is no such scratch file"));
      return;
    }
  holder->id = id;
  holder->forgetting = TRUE;
  ov_child_kill (holder);
}

static void
command_abort (Session *self, gboolean force)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      OvChild *child = g_ptr_array_index (self->children, i);

      if (child->answered || (child->kind != OV_CHILD_RUN && child->kind != OV_CHILD_SCRATCH))
        continue;
      ov_child_abort (child);
      if (force)
        ov_child_kill (child);
    }
}

/** Nobody looks, or somebody does again: what is told for looking at alone may wait. */
static void
command_report (Session *self, guint id, JsonObject *object)
{
  const gint64 every = json_object_get_int_member_with_default (object, "every", -1);

  if (every < 0 || every > REPORT_MOST_NS)
    ov_output_error (self->out, id, "invalid", _ ("A report's \"every\" is 0 to 5 seconds"));
  else
    ov_output_set_hold (self->out, every);
}

static void
fail_session (Session *self, const char *code, const char *message)
{
  ov_output_error (self->out, 0, code, message);
  self->ending = TRUE;
  self->status = 1;
}

static gboolean
check_greeting (Session *self, JsonObject *object)
{
  const gint64 version = json_object_get_int_member_with_default (object, "overlap-protocol", -1);

  if (self->greeted)
    return TRUE;
  self->greeted = TRUE;
  if (version == OV_PROTOCOL_VERSION)
    return FALSE; /* nothing more is in this line */
  fail_session (self, "protocol",
                version < 0 ? _ ("The first line must name the protocol's version")
                            : _ ("This worker speaks version 1 of the protocol only"));
  return FALSE;
}

/** TRUE after an error was sent: a privileged session does few things. */
static gboolean
refuse (Session *self, guint id, const char *command, JsonObject *object)
{
  g_autofree char *why = ov_privilege_is_entered () ? ov_guard_refuses (command, object) : NULL;
  g_autofree char *text = NULL;

  if (why == NULL)
    return FALSE;
  text = g_strdup_printf (_ ("The privileged worker refuses this: %s"), why);
  ov_output_error (self->out, id, "permission", text);
  return TRUE;
}

static void
handle (Session *self, const char *line)
{
  g_autoptr (GError) error = NULL;
  const gboolean huge = ov_privilege_is_entered () && strlen (line) > OV_GUARD_LINE_MAX;
  g_autoptr (JsonNode) node = huge ? NULL : ov_message_parse (line, &error);
  JsonObject *object;
  const char *command;
  gint64 id;

  if (node == NULL)
    {
      fail_session (self, "protocol", huge ? _ ("The request is too long") : error->message);
      return;
    }
  self->heard_ns = ov_clock_now_ns ();
  object = json_node_get_object (node);
  if (!check_greeting (self, object))
    return;
  command = json_object_get_string_member_with_default (object, "cmd", "");
  id = json_object_get_int_member_with_default (object, "id", 0);
  if (id < 1 || id > G_MAXINT)
    {
      ov_output_error (self->out, 0, "protocol", _ ("A command needs an id of 1 or more"));
      return;
    }
  if (refuse (self, (guint)id, command, object))
    return;
  if (is_busy (self) && (strcmp (command, "run") == 0 || strcmp (command, "layout") == 0))
    ov_output_error (self->out, (guint)id, "busy", _ ("Another run is going on"));
  else if (strcmp (command, "describe") == 0)
    command_describe (self, (guint)id);
  else if (strcmp (command, "preflight") == 0)
    command_preflight (self, (guint)id, object);
  else if (strcmp (command, "layout") == 0)
    command_layout (self, (guint)id, object);
  else if (strcmp (command, "run") == 0)
    command_run (self, (guint)id, object);
  else if (strcmp (command, "forget") == 0)
    command_forget (self, (guint)id, object);
  else if (strcmp (command, "abort") == 0)
    command_abort (self, json_object_get_boolean_member_with_default (object, "force", FALSE));
  else if (strcmp (command, "report") == 0)
    command_report (self, (guint)id, object);
  else if (strcmp (command, "bye") == 0)
    self->ending = TRUE;
  else
    {
      g_autofree char *text = g_strdup_printf (_ ("Unknown command \"%s\""), command);

      ov_output_error (self->out, (guint)id, "invalid", text);
    }
}

static void
read_input (Session *self)
{
  g_autoptr (GError) error = NULL;
  char buffer[65536];
  ssize_t n = read (self->in_fd, buffer, sizeof buffer);
  char *line;

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (n <= 0)
    {
      self->ending = TRUE;
      return;
    }
  if (!ov_line_reader_push (self->in, buffer, (gsize)n, &error))
    {
      fail_session (self, "protocol", error->message);
      return;
    }
  while (!self->ending && (line = ov_line_reader_pop (self->in)) != NULL)
    {
      handle (self, line);
      g_free (line);
    }
}

/* ---- Children ----------------------------------------------------------------------------- */

/** How a stuck target can be freed, or NULL.  Free with g_free(). */
static char *
way_to_free (const char *target)
{
  g_autoptr (OvMount) mount = NULL;

  if (ov_disk_is_target (target))
    return g_strdup (_ ("Overlap ends the simulated disk, which frees it."));
  mount = ov_target_is_machine (target) ? NULL : ov_mount_of (target);
  if (mount == NULL)
    return NULL;
  if (g_str_has_prefix (mount->fs_type, "fuse"))
    return g_strdup_printf (_ ("Writing 1 to /sys/fs/fuse/connections/%u/abort frees it."),
                            mount->minor);
  if (g_str_has_prefix (mount->fs_type, "nfs"))
    return g_strdup_printf (_ ("\"umount -f %s\" frees it."), mount->mount_point);
  return NULL;
}

/** The disk's clock stops with the run; a disk that a run is stuck on is ended, so that nothing
 *  stays behind. */
static void
end_run_on_disk (Session *self, const OvChild *child, OvSimulated *disk)
{
  OvChild *server = find_disk (self, disk->target);

  ov_simulated_set (disk->shared, FALSE, FALSE);
  if (child->gone_ns == 0 && server != NULL && server->data == disk)
    ov_child_kill (server);
}

static void
tell_result (Session *self, OvChild *child, OvRun *run)
{
  const OvRunSpec *spec = ov_run_data_get_spec (child->data);
  OvSimulated *disk = ov_run_data_get_disk (child->data);
  JsonObject *event;

  if (spec->timing == OV_TIMING_TIMELINE && child->gone_ns != 0)
    ov_run_report_log (child, spec->index, self->out);
  if (spec->timing == OV_TIMING_TIMELINE && disk != NULL)
    run->device_dropped = ov_run_report_device_log (child, spec->index, disk->shared, self->out);
  ov_privilege_settle ();
  event = ov_output_event ("result", child->id);
  json_object_set_member (event, "run", ov_run_to_json (run, FALSE));
  ov_output_send (self->out, event);
}

static void
answer_run (Session *self, OvChild *child)
{
  const OvRunSpec *spec = ov_run_data_get_spec (child->data);
  g_autofree char *way = child->gone_ns == 0 ? way_to_free (spec->target) : NULL;
  g_autoptr (OvRun) run = ov_run_report (child, spec, way);
  OvSimulated *disk = ov_run_data_get_disk (child->data);

  /* A run that failed since its file had gone is not the strategy's failure. */
  if (run->state == OV_STATE_FAILED && spec->file != NULL && find_holder (self, spec->file) == NULL)
    tell_no_file (self, child->id, spec->file);
  else
    tell_result (self, child, run);
  /* Only one run at a time goes on, so that every neighbour is this one's. */
  for (guint i = 0; i < self->children->len; i++)
    if (((OvChild *)self->children->pdata[i])->kind == OV_CHILD_NEIGHBOUR)
      ov_child_kill (self->children->pdata[i]);
  if (disk != NULL)
    end_run_on_disk (self, child, disk);
}

static void
answer_layout (Session *self, OvChild *child)
{
  const OvShared *shared = child->shared;
  JsonObject *event;

  if (shared->ready != 0)
    {
      event = ov_output_event ("laid-out", child->id);
      json_object_set_string_member (event, "file", ov_scratch_data_get_name (child->data));
      json_object_set_int_member (event, "size", (gint64)shared->file_size);
      json_object_set_int_member (event, "count", (gint64)shared->file_count);
      json_object_set_double_member (event, "seconds",
                                     (double)(ov_clock_now_ns () - child->born_ns) / 1e9);
      ov_output_send (self->out, event);
    }
  else if (shared->press_ns != 0)
    ov_output_error (self->out, child->id, "cancelled",
                     child->gone_ns != 0 ? _ ("Laying out was stopped")
                                         : _ ("Laying out is stuck in the kernel"));
  else if (shared->finished != 0)
    {
      g_autofree char *cause = g_strndup (shared->cause, sizeof shared->cause - 1);
      g_autofree char *text = g_strdup_printf ("%s: %s", cause, g_strerror (-shared->error));

      ov_output_error (self->out, child->id, code_of_errno (shared->error), text);
    }
  else
    ov_output_error (self->out, child->id, "failed", _ ("Laying out ended without a word"));
}

/** The answer to whoever waits for this child, once there is one. */
static void
answer (Session *self, OvChild *child)
{
  child->answered = TRUE;
  switch (child->kind)
    {
    case OV_CHILD_RUN:
      answer_run (self, child);
      break;
    case OV_CHILD_SCRATCH:
      answer_layout (self, child);
      break;
    case OV_CHILD_PREFLIGHT:
      ov_preflight_answer (child, self->out);
      break;
    case OV_CHILD_DESCRIBE:
      ov_describe_answer (child, self->known, self->out);
      describe_next (self);
      break;
    case OV_CHILD_NEIGHBOUR:
      break;
    case OV_CHILD_DISK:
      break; /* nobody asked */
    }
}

/** When the experiment wants this child stopped, 0: not, or not known yet. */
static gint64
planned_stop (const OvChild *child)
{
  const OvRunSpec *spec;
  gint64 begin;

  if (child->kind != OV_CHILD_RUN || child->shared->press_ns != 0 || child->gone_ns != 0)
    return 0;
  spec = ov_run_data_get_spec (child->data);
  begin = __atomic_load_n (&child->shared->begin_ns, __ATOMIC_ACQUIRE);
  if (spec->stop_after_ns == 0 || begin == 0
      || __atomic_load_n (&child->shared->end_ns, __ATOMIC_ACQUIRE) != 0)
    return 0;
  return begin + spec->stop_after_ns;
}

static void
stop_as_planned (OvChild *child)
{
  const gint64 moment = planned_stop (child);

  if (moment != 0 && ov_clock_now_ns () >= moment)
    ov_child_abort (child);
}

/** Watches one child.  FALSE when it is gone and nothing more is owed for it. */
static gboolean
look_after (Session *self, OvChild *child, gboolean tick)
{
  const gint64 now = ov_clock_now_ns ();
  const gboolean gone = ov_child_poll (child);

  if (!gone)
    stop_as_planned (child);
  if (!gone && child->kill_ns != 0 && now >= child->kill_ns)
    {
      child->overdue |= child->shared->press_ns == 0;
      ov_child_kill (child);
    }
  if (child->kind == OV_CHILD_DISK && gone)
    ov_simulated_note_end (child->data);
  if (child->kind == OV_CHILD_SCRATCH && child->answered)
    {
      if (child->forgetting && (gone || ov_child_is_stuck (child, now)))
        {
          ov_output_send (self->out, ov_output_event ("forgotten", child->id));
          child->forgetting = FALSE;
        }
      return !gone;
    }
  if (!child->answered)
    {
      const gboolean ready = child->kind == OV_CHILD_SCRATCH
                             && __atomic_load_n (&child->shared->ready, __ATOMIC_ACQUIRE) != 0;

      if (child->kind == OV_CHILD_RUN || child->kind == OV_CHILD_SCRATCH)
        ov_tell_phase (child, self->out);
      if (child->kind == OV_CHILD_RUN && tick && !gone
          && !ov_run_data_get_spec (child->data)->quiet)
        ov_tell_snapshot (child, self->out);
      if (gone || ready || ov_child_is_stuck (child, now)
          || (child->killed_ns != 0 && child->kind == OV_CHILD_PREFLIGHT))
        answer (self, child);
      /* A holder whose layout was ready just before the abort came. */
      if (ready && child->shared->press_ns != 0)
        ov_child_kill (child);
    }
  return !gone || !child->answered;
}

static void
look_after_all (Session *self)
{
  const gint64 now = ov_clock_now_ns ();
  const gboolean tick = now - self->last_tick_ns >= TICK_NS;

  if (tick)
    self->last_tick_ns = now;
  /* Answering may add children at the end. */
  for (guint i = 0; i < self->children->len;)
    if (look_after (self, g_ptr_array_index (self->children, i), tick))
      i++;
    else
      g_ptr_array_remove_index (self->children, i);
  ov_output_release_due (self->out, now);
}

/** Milliseconds until something has to be looked at, -1: only when something happens. */
static int
next_timeout (const Session *self)
{
  const gint64 now = ov_clock_now_ns ();
  gint64 next = G_MAXINT64;

  for (guint i = 0; i < self->children->len; i++)
    {
      const OvChild *child = g_ptr_array_index (self->children, i);

      if (child->gone_ns != 0)
        return 0;
      if (planned_stop (child) != 0)
        next = MIN (next, planned_stop (child));
      if (child->kill_ns != 0 && child->killed_ns == 0)
        next = MIN (next, child->kill_ns);
      if (child->killed_ns != 0 && (!child->answered || child->forgetting))
        next = MIN (next, child->killed_ns + OV_ABANDON_MS * 1000000LL + 1000000);
      if (!child->answered && (child->kind == OV_CHILD_RUN || child->kind == OV_CHILD_SCRATCH))
        next = MIN (next, MAX (self->last_tick_ns + TICK_NS, now));
    }
  if (ov_privilege_is_entered ())
    next = MIN (next, MAX (now, self->heard_ns) + UNWANTED_NS);
  if (next == G_MAXINT64)
    return -1;
  return next <= now ? 0 : (int)MIN ((next - now + 999999) / 1000000, G_MAXINT);
}

/* ---- The loop ----------------------------------------------------------------------------- */

static void
say_hello (Session *self)
{
  g_autoptr (OvMachine) machine = ov_machine_probe ();
  JsonObject *hello = ov_output_event ("hello", 0);

  json_object_set_int_member (hello, "overlap-protocol", OV_PROTOCOL_VERSION);
  json_object_set_int_member (hello, "pid", getpid ());
  json_object_set_member (hello, "machine", ov_machine_to_json (machine));
  ov_output_send (self->out, hello);
}

/** Waits for input, room for output, a child's end or the next tick. */
static void
wait_for_something (Session *self, int timeout, gboolean input)
{
  g_autofree struct pollfd *fds = g_new0 (struct pollfd, self->children->len + 2);
  nfds_t n = 2;

  fds[0] = (struct pollfd){ input ? self->in_fd : -1, POLLIN, 0 };
  fds[1] = (struct pollfd){ ov_output_is_empty (self->out) ? -1 : self->out_fd, POLLOUT, 0 };
  for (guint i = 0; i < self->children->len; i++)
    {
      const OvChild *child = g_ptr_array_index (self->children, i);

      if (child->gone_ns == 0)
        fds[n++] = (struct pollfd){ child->pidfd, POLLIN, 0 };
    }
  if (poll (fds, n, timeout) > 0 && (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
    read_input (self);
}

/** Kills what is left, and gives it a moment to go. */
static void
say_goodbye (Session *self)
{
  const gint64 end = ov_clock_now_ns () + GOODBYE_NS;
  gboolean writable = TRUE;

  for (guint i = 0; i < self->children->len; i++)
    ov_child_kill (g_ptr_array_index (self->children, i));
  while (ov_clock_now_ns () < end)
    {
      gboolean left = FALSE;

      for (guint i = 0; i < self->children->len; i++)
        left |= !ov_child_poll (g_ptr_array_index (self->children, i));
      writable = writable && ov_output_flush (self->out);
      if (!left && (!writable || ov_output_is_empty (self->out)))
        break;
      wait_for_something (self, left ? 20 : 100, FALSE);
    }
  ov_privilege_settle ();
}

int
ov_session_serve (int in_fd, int out_fd)
{
  Session self = { .in_fd = in_fd, .out_fd = out_fd };

  self.out = ov_output_new (out_fd);
  self.in = ov_line_reader_new ();
  self.children = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_child_free);
  self.modules = g_ptr_array_new_with_free_func (g_free);
  self.known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  ov_stamp_init ();
  ov_tsc_begin (&self.origin);
  self.heard_ns = ov_clock_now_ns ();
  ov_system_init ();
  say_hello (&self);
  while (!self.ending)
    {
      if (!ov_output_flush (self.out))
        break;
      wait_for_something (&self, next_timeout (&self), TRUE);
      look_after_all (&self);
      if (ov_privilege_is_entered () && self.children->len == 0
          && ov_clock_now_ns () - self.heard_ns >= UNWANTED_NS)
        self.ending = TRUE;
    }
  say_goodbye (&self);
  g_ptr_array_unref (self.children);
  g_ptr_array_unref (self.modules);
  g_hash_table_unref (self.known);
  ov_line_reader_free (self.in);
  ov_output_free (self.out);
  return self.status;
}
