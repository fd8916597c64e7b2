/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of what is allowed, never of what is not: a command, a member or a value that nobody
 * thought of is refused.
 */
#include "config.h"

#include "worker/ov-guard.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "model/ov-machine.h"
#include "model/ov-run-spec.h"

#define REQUESTS_MOST   G_GUINT64_CONSTANT (1000000000)
#define SECONDS_MOST    600
#define TIME_LIMIT_MOST (SECONDS_MOST * G_GINT64_CONSTANT (1000000000))

static const char *const commands[]
    = { "describe", "preflight", "run", "report", "abort", "bye", NULL };

/** Families whose strategies reach hardware, and whose modules are the program's own. */
static const char *const families[] = { "port", "mmio", "counter", "tick", "sample", NULL };

/** "port.direct": a known family, then letters, digits, '-' and '.'; nothing of a path. */
static gboolean
is_hardware_strategy (const char *id)
{
  const char *dot = id != NULL ? strchr (id, '.') : NULL;
  g_autofree char *family = dot != NULL ? g_strndup (id, (gsize)(dot - id)) : NULL;

  if (family == NULL || !g_strv_contains (families, family) || dot[1] == '\0' || strlen (id) > 60
      || strstr (id, "..") != NULL)
    return FALSE;
  return strspn (dot, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen (dot);
}

gboolean
ov_guard_is_hardware_module (const char *name)
{
  g_autofree char *family
      = g_str_has_suffix (name, ".so") ? g_strndup (name, strlen (name) - 3) : NULL;

  return family != NULL && g_strv_contains (families, family);
}

/* The parallel port: data, status and control, one byte each. */
#define PARALLEL_FIRST 0x378
#define PARALLEL_LAST  0x37a
/* The diagnostic port, one byte. */
#define DIAGNOSTIC 0x80

gboolean
ov_guard_ports_are_harmless (guint64 address, guint width, guint access)
{
  if (address == 0)
    return TRUE;
  if (width != 1 && width != 2 && width != 4)
    return FALSE;
  if (address == DIAGNOSTIC)
    return width == 1;
  if (address < PARALLEL_FIRST || address > PARALLEL_LAST || address + width - 1 > PARALLEL_LAST)
    return FALSE;
  return access == OV_ACCESS_READ || (address == PARALLEL_FIRST && width == 1);
}

static char *
refuse_run (JsonObject *object)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvRunSpec) spec = NULL;
  JsonNode *node = json_object_get_member (object, "spec");

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    spec = ov_run_spec_from_json (node, &error);
  if (spec == NULL)
    return g_strdup (error != NULL ? error->message : _ ("A run needs a spec"));
  if ((spec->job & OV_HARDWARE_JOBS) == 0)
    return g_strdup (_ ("It does jobs of hardware only"));
  if (g_strcmp0 (spec->target, OV_MACHINE_TARGET) != 0 || spec->file != NULL)
    return g_strdup (_ ("It takes no path"));
  if (!is_hardware_strategy (spec->strategy))
    return g_strdup (_ ("It has no such strategy"));
  if (!ov_guard_ports_are_harmless (spec->address, spec->width, spec->access)
      || (spec->job != OV_JOB_PORT && spec->address != 0))
    return g_strdup (_ ("Only ports of which is known that they are harmless may be reached"));
  if (spec->requests < 1 || spec->requests > REQUESTS_MOST)
    return g_strdup (_ ("It does 1 to 1000000000 requests"));
  if ((spec->job & OV_CLOCKED_JOBS) != 0
      && (!(spec->rate > 0) || (double)spec->requests / spec->rate > SECONDS_MOST))
    return g_strdup (_ ("A run that follows a clock has a rate and lasts at most 600 s"));
  if (spec->time_limit_ns > TIME_LIMIT_MOST || spec->depth > 256 || spec->block > 1 << 30
      || spec->log_capacity > 4000000)
    return g_strdup (_ ("A figure is too large"));
  if (spec->profile || spec->neighbour != OV_NEIGHBOUR_NONE || spec->timing == OV_TIMING_TIMELINE)
    return g_strdup (_ ("It runs nothing beside the strategy"));
  return NULL;
}

char *
ov_guard_refuses (const char *command, JsonObject *object)
{
  if (!g_strv_contains (commands, command))
    return g_strdup (_ ("It does not do that"));
  if (strcmp (command, "preflight") == 0
      && strcmp (json_object_get_string_member_with_default (object, "target", ""),
                 OV_MACHINE_TARGET)
             != 0)
    return g_strdup (_ ("It takes no path"));
  if (strcmp (command, "run") == 0)
    return refuse_run (object);
  return NULL;
}
