/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question is the catalogue's, asked of another worker: pkexec (or sudo) stands in front of it.
 */
#include "config.h"

#include "engine/ov-elevation.h"

#include <string.h>
#include <unistd.h>

#include "model/ov-run.h"

/* Is this strategy among what the plan had to leave out? */
static gboolean
is_left_out (const OvPlan *plan, const char *strategy)
{
  for (guint i = 0; i < plan->skips->len; i++)
    if (strcmp (((const OvRun *)plan->skips->pdata[i])->spec->strategy, strategy) == 0)
      return TRUE;
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
  for (guint i = 0; i < strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (strategies, i);

      if (info->denied && (info->caps & OV_CAP_PRIVILEGE) != 0
          && (info->jobs & experiment->job) != 0 && (plan == NULL || is_left_out (plan, info->id)))
        return TRUE;
    }
  return FALSE;
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
