/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question is the catalogue's, asked of another worker: pkexec (or sudo) stands in front of it.
 */
#include "config.h"

#include "engine/ov-elevation.h"

#include <linux/capability.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "model/ov-run.h"

/* What plugins/tick asks for. */
#define REALTIME_PRIORITY 10

/* Is this strategy among what the plan had to leave out? */
static gboolean
is_left_out (const OvPlan *plan, const char *strategy)
{
  for (guint i = 0; i < plan->skips->len; i++)
    if (strcmp (((const OvRun *)plan->skips->pdata[i])->spec->strategy, strategy) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_capability (guint capability)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

  return syscall (SYS_capget, &header, data) == 0 && (data[0].effective & (1u << capability)) != 0;
}

/* Real-time scheduling: the worker, started by us without a prefix, has our own limits. */
static gboolean
may_be_realtime (void)
{
  struct rlimit limit;

  return has_capability (CAP_SYS_NICE)
         || (getrlimit (RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur >= REALTIME_PRIORITY);
}

/* The rate up to which the real-time clock interrupts for everybody. */
static double
free_clock_rate (void)
{
  g_autofree char *text = NULL;

  if (has_capability (CAP_SYS_RESOURCE))
    return G_MAXDOUBLE;
  return g_file_get_contents ("/proc/sys/dev/rtc/max-user-freq", &text, NULL, NULL)
             ? g_ascii_strtod (text, NULL)
             : G_MAXDOUBLE;
}

/* Will a run of the plan be refused what its strategy alone, when it was looked at, was not? */
static gboolean
has_denied_run (const OvPlan *plan)
{
  const gboolean realtime = may_be_realtime ();
  const double rate = free_clock_rate ();

  for (guint i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);
      const gint64 *scheduling = spec->options != NULL && g_str_has_prefix (spec->strategy, "tick.")
                                     ? g_hash_table_lookup (spec->options, "scheduling")
                                     : NULL;

      if ((scheduling != NULL && *scheduling != 0 && !realtime)
          || (strcmp (spec->strategy, "tick.rtc") == 0 && spec->rate > rate))
        return TRUE;
    }
  return FALSE;
}

gboolean
ov_elevation_helps (const OvExperiment *experiment, const OvPlan *plan, GPtrArray *strategies,
                    const OvLauncher *launcher)
{
  g_return_val_if_fail (experiment != NULL && strategies != NULL && launcher != NULL, FALSE);

  if ((experiment->job & OV_HARDWARE_JOBS) == 0 || launcher->prefix[0] != NULL
      || (geteuid () == 0 && g_getenv ("SUDO_UID") == NULL))
    return FALSE;
  if (plan != NULL && has_denied_run (plan))
    return TRUE;
  for (guint i = 0; i < strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (strategies, i);

      if (info->denied && (info->caps & OV_CAP_PRIVILEGE) != 0
          && (info->jobs & experiment->job) != 0 && (plan == NULL || is_left_out (plan, info->id)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_known (GPtrArray *strategies, const char *id)
{
  for (guint i = 0; i < strategies->len; i++)
    if (strcmp (((const OvStrategyInfo *)strategies->pdata[i])->id, id) == 0)
      return TRUE;
  return FALSE;
}

void
ov_elevation_add_others (GPtrArray *strategies, GPtrArray *others)
{
  g_return_if_fail (strategies != NULL && others != NULL);

  for (guint i = 0; i < others->len; i++)
    {
      const OvStrategyInfo *other = g_ptr_array_index (others, i);
      g_autoptr (JsonNode) node = NULL;
      OvStrategyInfo *info;

      if (is_known (strategies, other->id))
        continue;
      node = ov_strategy_info_to_json (other);
      info = ov_strategy_info_from_json (node, NULL);
      if (info == NULL)
        continue;
      info->available = info->denied = FALSE;
      g_free (info->cause);
      info->cause = g_strdup (_ ("Modules of your own are not loaded with privilege: choose this "
                                 "strategy without those that need it, and it runs."));
      g_ptr_array_add (strategies, info);
    }
}

static void
on_catalog (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  OvCatalog *catalog = ov_catalog_load_finish (result, &error);

  if (catalog != NULL)
    g_task_return_pointer (task, catalog, (GDestroyNotify)ov_catalog_free);
  else
    g_task_return_error (task, error);
}

void
ov_elevation_ask_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  GError *error = NULL;
  OvLauncher *launcher = ov_launcher_new_privileged (&error);

  g_task_set_source_tag (task, ov_elevation_ask_async);
  if (launcher == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_set_task_data (task, launcher, (GDestroyNotify)ov_launcher_free);
  ov_catalog_load_async (launcher, cancellable, on_catalog, g_object_ref (task));
}

OvCatalog *
ov_elevation_ask_finish (GAsyncResult *result, OvLauncher **launcher, GError **error)
{
  OvCatalog *catalog;

  g_return_val_if_fail (g_async_result_is_tagged (result, ov_elevation_ask_async), NULL);

  catalog = g_task_propagate_pointer (G_TASK (result), error);
  if (catalog != NULL)
    *launcher = ov_launcher_copy (g_task_get_task_data (G_TASK (result)));
  return catalog;
}
