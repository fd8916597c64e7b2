// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunModel, its target and plan: the plan is made anew, once, after whatever changed.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "base/ov-error.h"
#include "engine/ov-catalog.h"
#include "engine/ov-elevation.h"

#include "gui/ov-run-model-private.h"

/* ---- Target and plan ------------------------------------------------------------------------ */

static void
replan (OvRunModel *self)
{
  g_clear_pointer (&self->plan, ov_plan_free);
  g_clear_error (&self->plan_error);
  if (self->strategies != NULL && self->target != NULL && self->target->kind != OV_TARGET_REFUSED)
    self->plan = ov_run_settings_make_plan (self->settings, self->strategies, self->target,
                                            &self->plan_error);
  /* What was measured stays on view until the next run begins. */
  if (self->plan != NULL && self->result == NULL)
    {
      ov_results_model_set_plan (self->results, self->plan);
      ov_run_model_make_charts (self);
    }
  ov_run_model_emit (self, OV_RUN_MODEL_PLAN_CHANGED);
}

static gboolean
on_replan (gpointer data)
{
  OvRunModel *self = data;

  self->replan_id = 0;
  replan (self);
  return G_SOURCE_REMOVE;
}

void
ov_run_model_queue_replan (OvRunModel *self)
{
  if (self->replan_id == 0)
    self->replan_id = g_idle_add (on_replan, self);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  OvTargetInfo *target = ov_preflight_finish (result, &error);
  OvRunModel *self = data;

  if (target == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_object_unref (self);
      return;
    }
  g_clear_object (&self->looking);
  self->target = target;
  self->target_error = g_steal_pointer (&error);
  ov_run_model_queue_replan (self);
  g_object_unref (self);
}

static void
on_looked_at_more (GObject *source, GAsyncResult *result, gpointer data)
{
  OvTargetInfo *info = ov_preflight_finish (result, NULL);
  g_autoptr (OvRunModel) self = data;

  if (info == NULL || self->more == NULL)
    {
      ov_target_info_free (info);
      return;
    }
  g_hash_table_replace (self->more, g_strdup (info->path), info);
  ov_run_model_emit (self, OV_RUN_MODEL_PLAN_CHANGED);
}

/* Further folders: what there is to show of them. Whether they can be used is the suite's to say.
 */
static void
look_at_more (OvRunModel *self)
{
  const GPtrArray *more = ov_run_settings_get_more_targets (self->settings);

  if (self->more == NULL)
    self->more = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify)ov_target_info_free);
  for (guint i = 0; i < more->len; i++)
    if (!g_hash_table_contains (self->more, g_ptr_array_index (more, i)))
      ov_preflight_async (self->launcher, g_ptr_array_index (more, i), NULL, on_looked_at_more,
                          g_object_ref (self));
}

const OvTargetInfo *
ov_run_model_find_target (OvRunModel *self, const char *path)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self) && path != NULL, NULL);
  return self->more != NULL ? g_hash_table_lookup (self->more, path) : NULL;
}

void
ov_run_model_look (OvRunModel *self)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->target, ov_target_info_free);
  g_clear_error (&self->target_error);
  if (self->launcher != NULL)
    {
      look_at_more (self);
      self->looking = g_cancellable_new ();
      ov_preflight_async (self->launcher, ov_run_settings_get_target (self->settings),
                          self->looking, on_looked, g_object_ref (self));
    }
  ov_run_model_queue_replan (self);
}

void
ov_run_model_set_worker (OvRunModel *self, const OvLauncher *launcher, GPtrArray *strategies)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  g_clear_pointer (&self->launcher, ov_launcher_free);
  if (launcher != NULL)
    self->launcher = ov_launcher_copy (launcher);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  if (strategies != NULL)
    self->strategies = g_ptr_array_ref (strategies);
  if (self->target == NULL && self->looking == NULL)
    ov_run_model_look (self);
  else
    ov_run_model_queue_replan (self);
}

gint64
ov_run_model_estimate (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), -1);

  if (self->plan == NULL)
    return -1;
  return ov_forecast_seconds (self->forecast, self->plan);
}

void
ov_run_model_take_forecast (OvRunModel *self, OvForecast *forecast)
{
  g_return_if_fail (OV_IS_RUN_MODEL (self));

  if (self->forecast != NULL) /* of a run that ended since */
    {
      ov_forecast_free (forecast);
      return;
    }
  self->forecast = forecast;
  ov_run_model_emit (self, OV_RUN_MODEL_PLAN_CHANGED);
}

gboolean
ov_run_model_needs_privilege (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), FALSE);

  if (self->launcher == NULL || self->strategies == NULL)
    return FALSE;
  /* Where nothing can run, the plan is an error. */
  return (self->plan != NULL || g_error_matches (self->plan_error, OV_ERROR, OV_ERROR_UNSUPPORTED))
         && ov_elevation_helps (self->experiment, self->plan, self->strategies, self->launcher);
}

char *
ov_run_model_why_not (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);

  if (self->target_error != NULL)
    return g_strdup (self->target_error->message);
  if (self->target != NULL && self->target->kind == OV_TARGET_REFUSED)
    return g_strdup (self->target->cause);
  if (ov_run_model_needs_privilege (self))
    return NULL;
  if (self->plan_error != NULL)
    return g_strdup (self->plan_error->message);
  if (self->strategies == NULL)
    return g_strdup (_ ("The strategies are not known yet."));
  if (self->target == NULL || self->plan == NULL)
    return g_strdup (_ ("The target is still being looked at."));
  if (self->plan->specs->len == 0)
    return g_strdup (_ ("None of the chosen strategies can run here."));
  return NULL;
}

const OvPlan *
ov_run_model_get_plan (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->plan;
}

const GError *
ov_run_model_get_plan_error (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->plan_error;
}

const OvTargetInfo *
ov_run_model_get_target (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->target;
}

const GError *
ov_run_model_get_target_error (OvRunModel *self)
{
  g_return_val_if_fail (OV_IS_RUN_MODEL (self), NULL);
  return self->target_error;
}
