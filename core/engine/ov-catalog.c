/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue of strategies and the look at one target: two questions to a worker.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "engine/ov-catalog.h"
#include "engine/ov-fields-private.h"
#include "engine/ov-patience-private.h"
#include "engine/ov-query-private.h"

void
ov_catalog_free (OvCatalog *catalog)
{
  if (catalog == NULL)
    return;
  g_ptr_array_unref (catalog->strategies);
  g_ptr_array_unref (catalog->faults);
  ov_machine_free (catalog->machine);
  g_free (catalog);
}

static OvCatalog *
catalog_new (void)
{
  OvCatalog *catalog = g_new0 (OvCatalog, 1);

  catalog->strategies = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  catalog->faults = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_module_fault_free);
  return catalog;
}

/* One module: its strategies, or what is wrong with it.  A strategy that cannot be read is a fault
 * of its module, not of the catalogue. */
static void
take_module (OvCatalog *catalog, JsonObject *message)
{
  const char *module = ov_field_text (message, "module");
  const char *fault = ov_field_text (message, "fault");
  JsonArray *strategies = ov_field_array (message, "strategies");

  if (module == NULL)
    module = "?";
  if (fault != NULL)
    g_ptr_array_add (catalog->faults, ov_module_fault_new (module, fault));
  for (guint i = 0; strategies != NULL && i < json_array_get_length (strategies); i++)
    {
      g_autoptr (GError) error = NULL;
      OvStrategyInfo *info
          = ov_strategy_info_from_json (json_array_get_element (strategies, i), &error);

      if (info != NULL)
        g_ptr_array_add (catalog->strategies, info);
      else
        g_ptr_array_add (catalog->faults, ov_module_fault_new (module, error->message));
    }
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const OvStrategyInfo *const *left = a;
  const OvStrategyInfo *const *right = b;

  return g_strcmp0 ((*left)->id, (*right)->id);
}

static OvQueryState
take_description (gpointer answer, JsonObject *message, GError **error)
{
  OvCatalog *catalog = answer;
  const char *event = ov_field_text (message, "event");

  if (g_strcmp0 (event, "hello") == 0)
    {
      ov_machine_free (catalog->machine);
      catalog->machine = ov_machine_from_json (json_object_get_member (message, "machine"), error);
      return catalog->machine != NULL ? OV_QUERY_MORE : OV_QUERY_FAILED;
    }
  if (g_strcmp0 (event, "module") == 0)
    take_module (catalog, message);
  if (g_strcmp0 (event, "described") != 0)
    return OV_QUERY_MORE;
  g_ptr_array_sort (catalog->strategies, compare_ids);
  return OV_QUERY_DONE;
}

void
ov_catalog_load_async (const OvLauncher *launcher, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer data)
{
  static OvQueryKind kind = {
    .command = "describe",
    .take = take_description,
    .free_answer = (GDestroyNotify)ov_catalog_free,
  };
  GTask *task;

  g_return_if_fail (launcher != NULL);

  kind.silence_ms = ov_patience.describe;
  task = g_task_new (NULL, cancellable, callback, data);
  g_task_set_source_tag (task, ov_catalog_load_async);
  ov_query_run (task, launcher, &kind, NULL, catalog_new (), _ ("The worker"));
}

OvCatalog *
ov_catalog_load_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ov_catalog_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- One target ----------------------------------------------------------------------------- */

typedef struct
{
  OvTargetInfo *info;
} Preflight;

static void
preflight_free (Preflight *preflight)
{
  ov_target_info_free (preflight->info);
  g_free (preflight);
}

static OvQueryState
take_preflight (gpointer answer, JsonObject *message, GError **error)
{
  Preflight *preflight = answer;

  if (g_strcmp0 (ov_field_text (message, "event"), "preflight") != 0)
    return OV_QUERY_MORE;
  preflight->info = ov_target_info_from_json (json_object_get_member (message, "target"), error);
  return preflight->info != NULL ? OV_QUERY_DONE : OV_QUERY_FAILED;
}

void
ov_preflight_async (const OvLauncher *launcher, const char *target, GCancellable *cancellable,
                    GAsyncReadyCallback callback, gpointer data)
{
  static OvQueryKind kind = {
    .command = "preflight",
    .take = take_preflight,
    .free_answer = (GDestroyNotify)preflight_free,
  };
  g_autofree char *subject = NULL;
  JsonObject *object;
  GTask *task;

  g_return_if_fail (launcher != NULL);
  g_return_if_fail (target != NULL);

  kind.silence_ms = ov_patience.preflight;
  subject = g_strdup_printf ("“%s”", target);
  object = json_object_new ();
  json_object_set_string_member (object, "target", target);
  task = g_task_new (NULL, cancellable, callback, data);
  g_task_set_source_tag (task, ov_preflight_async);
  ov_query_run (task, launcher, &kind, object, g_new0 (Preflight, 1), subject);
}

OvTargetInfo *
ov_preflight_finish (GAsyncResult *result, GError **error)
{
  g_autofree Preflight *preflight = NULL;

  g_return_val_if_fail (g_async_result_is_tagged (result, ov_preflight_async), NULL);

  preflight = g_task_propagate_pointer (G_TASK (result), error);
  return preflight != NULL ? preflight->info : NULL;
}
