/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which variants run, whether they can, and with which options.  Every mistake of the user becomes
 * a sentence that names what was meant.
 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-plan-private.h"
#include "model/ov-types-private.h"

const OvStrategyInfo *
ov_plan_find_strategy (GPtrArray *strategies, const char *id)
{
  guint i;

  for (i = 0; strategies != NULL && i < strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (strategies, i);

      if (g_strcmp0 (info->id, id) == 0)
        return info;
    }
  return NULL;
}

static gboolean
names_strategy (const OvExperiment *experiment, const char *id)
{
  guint i;

  for (i = 0; i < experiment->variants->len; i++)
    if (g_strcmp0 (((OvVariant *)experiment->variants->pdata[i])->strategy, id) == 0)
      return TRUE;
  return FALSE;
}

GPtrArray *
ov_plan_variants (const OvExperiment *experiment, GPtrArray *strategies)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_variant_free);
  guint i;

  g_return_val_if_fail (experiment != NULL, NULL);
  for (i = 0; i < experiment->variants->len; i++)
    g_ptr_array_add (all, ov_variant_copy (experiment->variants->pdata[i]));
  for (i = 0; experiment->others && strategies != NULL && i < strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (strategies, i);
      OvVariant *variant;

      if (!(info->jobs & experiment->job) || names_strategy (experiment, info->id))
        continue;
      variant = ov_variant_new (info->id);
      variant->off = TRUE;
      g_ptr_array_add (all, variant);
    }
  return all;
}

OvDurability
ov_plan_durability (const OvExperiment *experiment, const OvVariant *variant,
                    const OvPlanChoice *choice)
{
  if (variant->durability >= 0)
    return (OvDurability)variant->durability;
  if (choice != NULL && choice->durability >= 0)
    return (OvDurability)choice->durability;
  return experiment->durability;
}

OvCondition
ov_plan_condition (const OvExperiment *experiment, const OvVariant *variant,
                   const OvPlanChoice *choice)
{
  if (experiment->job & OV_HARDWARE_JOBS)
    return OV_CONDITION_WARM; /* nothing goes through the page cache */
  if (variant->condition >= 0)
    return (OvCondition)variant->condition;
  if (choice != NULL && choice->condition >= 0)
    return (OvCondition)choice->condition;
  return experiment->condition;
}

guint
ov_plan_work (const OvExperiment *experiment, const OvVariant *variant, const OvPlanChoice *choice)
{
  if (experiment->job & OV_HARDWARE_JOBS)
    return OV_WORK_NONE;
  if (variant->work >= 0)
    return (guint)variant->work;
  if (choice != NULL && choice->work >= 0)
    return (guint)choice->work;
  return experiment->work;
}

gboolean
ov_plan_can_order (const OvStrategyInfo *info, guint job, guint order)
{
  if ((info->caps & OV_CAP_POSITIONS) != 0 || order == OV_ORDER_SEQUENTIAL)
    return TRUE;
  return job == OV_JOB_BLOCKS && order == OV_ORDER_RANDOM; /* of old: every strategy of that job */
}

/* Why the strategy cannot go through the file as is wanted, or NULL.  Where an axis walks through
 * orders, those that it cannot do are left out. */
static char *
order_cause (const OvExperiment *experiment, const OvStrategyInfo *info, guint work,
             const OvPlanChoice *choice)
{
  const OvPreset *preset
      = ov_experiment_find_preset (experiment, choice != NULL ? choice->preset : NULL);
  guint order = preset != NULL && preset->order >= 0 ? (guint)preset->order : experiment->order;

  if (!(experiment->job & OV_POSITION_JOBS))
    return NULL;
  if (choice != NULL && choice->order >= 0)
    order = (guint)choice->order;
  else if (preset != NULL && ov_preset_find_axis (preset, OV_AXIS_POSITIONS) != NULL)
    return NULL;
  if (!ov_plan_can_order (info, experiment->job, order))
    return g_strdup_printf (_ ("cannot read a file in the order “%s”"), ov_order_nick (order));
  if (experiment->job == OV_JOB_COUNT && order != OV_ORDER_SEQUENTIAL
      && (work == OV_WORK_CRC32C || work == OV_WORK_SHA256))
    return g_strdup_printf (_ ("the work “%s” wants the bytes in the order of the file"),
                            ov_work_nick (work));
  return NULL;
}

void
ov_plan_set_access (const OvExperiment *experiment, const OvPreset *preset, OvRunSpec *spec)
{
  if (experiment->job != OV_JOB_PORT)
    return;
  spec->access = preset->access >= 0 ? (guint)preset->access : experiment->access;
  spec->width = preset->width > 0 ? preset->width : experiment->width;
  spec->address = experiment->address;
}

char *
ov_plan_variant_cause (const OvExperiment *experiment, const OvVariant *variant,
                       const OvPlanChoice *choice, GPtrArray *strategies)
{
  const OvStrategyInfo *info;
  guint work;

  g_return_val_if_fail (experiment != NULL && variant != NULL, NULL);
  info = ov_plan_find_strategy (strategies, variant->strategy);
  work = ov_plan_work (experiment, variant, choice);
  if (info == NULL)
    return g_strdup_printf (_ ("no module that was found has the strategy “%s”"),
                            variant->strategy);
  if (!(info->jobs & experiment->job))
    return g_strdup_printf (_ ("does not serve the job “%s”"), ov_job_nick (experiment->job));
  if (!info->available)
    return g_strdup (info->cause != NULL ? info->cause : _ ("cannot run on this machine"));
  if (ov_plan_condition (experiment, variant, choice) == OV_CONDITION_BYPASSED
      && !(info->caps & OV_CAP_DIRECT))
    return g_strdup (_ ("cannot bypass the page cache: it does not work with O_DIRECT"));
  if (ov_plan_condition (experiment, variant, choice) != OV_CONDITION_BYPASSED
      && (info->caps & OV_CAP_DIRECT_ONLY))
    return g_strdup (_ ("works with the page cache bypassed only (O_DIRECT)"));
  if ((info->caps & OV_CAP_BY_CHARACTER) && work > OV_WORK_FAST)
    return g_strdup_printf (
        _ ("takes one character at a time and counts it; it cannot do the work “%s”"),
        ov_work_nick (work));
  return order_cause (experiment, info, work, choice);
}

/* ---- Choosing ----------------------------------------------------------------------------- */

static gboolean
fail_unknown (const char *name, GPtrArray *all, GPtrArray *strategies, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *near = NULL;
  guint i;

  for (i = 0; i < all->len; i++)
    g_ptr_array_add (names, ((OvVariant *)all->pdata[i])->label);
  for (i = 0; strategies != NULL && i < strategies->len; i++)
    g_ptr_array_add (names, ((OvStrategyInfo *)strategies->pdata[i])->id);
  g_ptr_array_add (names, NULL);
  near = ov_nearest_names (name, (const char *const *)names->pdata);
  if (near != NULL)
    g_set_error (error, OV_ERROR, OV_ERROR_NOT_FOUND, _ ("no strategy “%s”; perhaps %s?"), name,
                 near);
  else
    g_set_error (error, OV_ERROR, OV_ERROR_NOT_FOUND, _ ("no strategy “%s”"), name);
  return FALSE;
}

/* Marks what `name` means: the variant with that label, else every variant of that strategy.  FALSE
 * when there is none. */
static gboolean
mark_named (GPtrArray *all, const char *name, gboolean *chosen)
{
  gboolean found = FALSE;
  guint i;

  for (i = 0; i < all->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (all, i);

      if (g_strcmp0 (variant->label, name) == 0
          || g_strcmp0 (dgettext (GETTEXT_PACKAGE, variant->label), name) == 0)
        return chosen[i] = TRUE;
    }
  for (i = 0; i < all->len; i++)
    if (g_strcmp0 (((OvVariant *)all->pdata[i])->strategy, name) == 0)
      found = chosen[i] = TRUE;
  return found;
}

/* A strategy that the experiment does not know of, named by the user. */
static gboolean
add_new (const OvExperiment *experiment, const char *name, GPtrArray *all, GPtrArray *added,
         GPtrArray *strategies, GError **error)
{
  const OvStrategyInfo *info = ov_plan_find_strategy (strategies, name);
  guint i;

  if (info == NULL)
    return fail_unknown (name, all, strategies, error);
  if (!(info->jobs & experiment->job))
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("the strategy “%s” does not serve the job “%s” of this experiment"), name,
                   ov_job_nick (experiment->job));
      return FALSE;
    }
  for (i = 0; i < added->len; i++)
    if (g_strcmp0 (((OvVariant *)added->pdata[i])->strategy, name) == 0)
      return TRUE;
  g_ptr_array_add (added, ov_variant_new (name));
  return TRUE;
}

GPtrArray *
ov_plan_choose_variants (const OvExperiment *experiment, const OvPlanChoice *choice,
                         GPtrArray *strategies, GError **error)
{
  g_autoptr (GPtrArray) all = ov_plan_variants (experiment, strategies);
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_variant_free);
  g_autoptr (GPtrArray) result = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_variant_free);
  g_autofree gboolean *chosen = g_new0 (gboolean, all->len + 1);
  guint i;

  for (i = 0; choice->strategies == NULL && i < all->len; i++)
    chosen[i] = !((OvVariant *)all->pdata[i])->off;
  for (i = 0; choice->strategies != NULL && choice->strategies[i] != NULL; i++)
    if (!mark_named (all, choice->strategies[i], chosen)
        && !add_new (experiment, choice->strategies[i], all, added, strategies, error))
      return NULL;
  for (i = 0; i < all->len; i++)
    if (chosen[i])
      g_ptr_array_add (result, ov_variant_copy (all->pdata[i]));
  for (i = 0; i < added->len; i++)
    g_ptr_array_add (result, ov_variant_copy (added->pdata[i]));
  if (result->len == 0)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("no strategy was chosen"));
      return NULL;
    }
  return g_steal_pointer (&result);
}

/* ---- Options ------------------------------------------------------------------------------ */

static gboolean
fail_option (const OvStrategyInfo *info, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *near = NULL;
  guint i;

  for (i = 0; i < info->options->len; i++)
    g_ptr_array_add (names, ((OvOptionInfo *)info->options->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  near = ov_nearest_names (name, (const char *const *)names->pdata);
  if (near != NULL)
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                 _ ("the strategy “%s” has no option “%s”; perhaps %s?"), info->id, name, near);
  else
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("the strategy “%s” has no option “%s”"),
                 info->id, name);
  return FALSE;
}

static gboolean
set_option (GHashTable *values, const OvStrategyInfo *info, const char *name, const char *text,
            GError **error)
{
  const OvOptionInfo *option = ov_strategy_info_find_option (info, name, NULL);
  gint64 value;

  if (option == NULL)
    return fail_option (info, name, error);
  if (!ov_option_info_parse (option, text, &value, error))
    {
      g_prefix_error (error, "%s: ", info->id);
      return FALSE;
    }
  g_hash_table_insert (values, g_strdup (name), g_memdup2 (&value, sizeof value));
  return TRUE;
}

/* A value as the experiment has it, as text. */
static char *
node_text (JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
  if (type == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  return g_strdup (type == G_TYPE_STRING ? json_node_get_string (node) : "");
}

static gboolean
set_own_options (GHashTable *values, const OvVariant *variant, const OvStrategyInfo *info,
                 GError **error)
{
  GHashTableIter iter;
  gpointer name;
  gpointer node;

  if (variant->options == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, variant->options);
  while (g_hash_table_iter_next (&iter, &name, &node))
    {
      g_autofree char *text = node_text (node);

      if (!set_option (values, info, name, text, error))
        return FALSE;
    }
  return TRUE;
}

/* Splits "strategy:option"; the strategy is NULL where only an option stands.  Free `*strategy`. */
static const char *
split_key (const char *key, char **strategy)
{
  const char *colon = strrchr (key, ':');

  *strategy = colon != NULL ? g_strndup (key, (gsize)(colon - key)) : NULL;
  return colon != NULL ? colon + 1 : key;
}

static gboolean
meant (const char *strategy, const OvVariant *variant)
{
  return g_strcmp0 (strategy, variant->strategy) == 0 || g_strcmp0 (strategy, variant->label) == 0;
}

GHashTable *
ov_plan_options (const OvVariant *variant, const OvStrategyInfo *info, const OvPlanChoice *choice,
                 GHashTable *used, GError **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key;
  gpointer text;
  gboolean general;

  if (!set_own_options (values, variant, info, error))
    return NULL;
  /* Two rounds, so that "strategy:option" wins over "option". */
  for (general = TRUE; choice->options != NULL; general = FALSE)
    {
      g_hash_table_iter_init (&iter, choice->options);
      while (g_hash_table_iter_next (&iter, &key, &text))
        {
          g_autofree char *strategy = NULL;
          const char *name = split_key (key, &strategy);

          if (general != (strategy == NULL))
            continue;
          if (general ? ov_strategy_info_find_option (info, name, NULL) == NULL
                      : !meant (strategy, variant))
            continue;
          if (!set_option (values, info, name, text, error))
            return NULL;
          g_hash_table_add (used, key);
        }
      if (!general)
        break;
    }
  return g_steal_pointer (&values);
}

/* An option without a strategy that nobody took. */
static gboolean
fail_nobody (const char *name, GPtrArray *variants, GPtrArray *strategies, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *near = NULL;
  guint i;
  guint j;

  for (i = 0; i < variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (variants, i);
      const OvStrategyInfo *info = ov_plan_find_strategy (strategies, variant->strategy);

      for (j = 0; info != NULL && j < info->options->len; j++)
        g_ptr_array_add (names, ((OvOptionInfo *)info->options->pdata[j])->name);
    }
  g_ptr_array_add (names, NULL);
  near = ov_nearest_names (name, (const char *const *)names->pdata);
  if (near != NULL)
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                 _ ("no strategy that was chosen has the option “%s”; perhaps %s?"), name, near);
  else
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                 _ ("no strategy that was chosen has the option “%s”"), name);
  return FALSE;
}

gboolean
ov_plan_check_options (const OvPlanChoice *choice, GHashTable *used, GPtrArray *variants,
                       GPtrArray *strategies, GError **error)
{
  GHashTableIter iter;
  gpointer key;
  guint i;

  if (choice->options == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, choice->options);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      g_autofree char *strategy = NULL;
      const char *name = split_key (key, &strategy);
      const OvStrategyInfo *info;

      if (g_hash_table_contains (used, key))
        continue;
      if (strategy == NULL)
        return fail_nobody (name, variants, strategies, error);
      info = ov_plan_find_strategy (strategies, strategy);
      for (i = 0; i < variants->len; i++)
        if (meant (strategy, variants->pdata[i]))
          break;
      if (info == NULL && i == variants->len)
        return fail_unknown (strategy, variants, strategies, error);
      if (info != NULL && ov_strategy_info_find_option (info, name, NULL) == NULL)
        return fail_option (info, name, error);
      if (i < variants->len)
        continue; /* chosen, but it cannot run here */
      g_set_error (error, OV_ERROR, OV_ERROR_INVALID,
                   _ ("the option “%s” is for a strategy that was not chosen"), (char *)key);
      return FALSE;
    }
  return TRUE;
}
