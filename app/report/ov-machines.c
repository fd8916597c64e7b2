// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A line's name followed by ", MACHINE" is drawn in the colour of the line, with another dash and
 * marker (ov_report_style()): so one machine is told from the other.
 */
#include "config.h"

#include "report/ov-machines.h"

static char *
machine_name (const OvResult *result, const OvResult *other, const char *letter)
{
  const char *host
      = result->machine != NULL && result->machine->host != NULL ? result->machine->host : letter;
  const char *theirs = other->machine != NULL ? other->machine->host : NULL;

  return g_strcmp0 (host, theirs) == 0 ? g_strdup_printf ("%s (%s)", host, letter)
                                       : g_strdup (host);
}

/* A copy of the runs, renamed; their places in the plan follow those that are there. */
static gboolean
add_runs (OvResult *joined, const OvResult *from, const char *machine)
{
  const guint first = joined->runs->len;

  for (guint i = 0; i < from->runs->len; i++)
    {
      g_autoptr (JsonNode) node = ov_run_to_json (g_ptr_array_index (from->runs, i), FALSE);
      OvRun *run = ov_run_from_json (node, NULL);
      char *variant;

      if (run == NULL)
        return FALSE;
      variant = g_strdup_printf ("%s, %s", run->spec->variant, machine);
      g_free (run->spec->variant);
      run->spec->variant = variant;
      run->spec->index += first;
      g_ptr_array_add (joined->runs, run);
    }
  for (guint i = 0; i < from->targets->len; i++)
    g_ptr_array_add (joined->targets, ov_target_info_copy (g_ptr_array_index (from->targets, i)));
  return TRUE;
}

OvResult *
ov_machines_join (const OvResult *a, const OvResult *b)
{
  g_autofree char *one = machine_name (a, b, "A");
  g_autofree char *other = machine_name (b, a, "B");
  g_autoptr (OvResult) joined = ov_result_new (a->experiment);

  joined->x = a->x;
  joined->date = a->date;
  joined->partial = a->partial || b->partial;
  if (!add_runs (joined, a, one) || !add_runs (joined, b, other))
    return NULL;
  return g_steal_pointer (&joined);
}
