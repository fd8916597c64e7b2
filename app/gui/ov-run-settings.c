// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunSettings: a field at its zero value (-1 for conditions, works and neighbours) is the
 * experiment's own; a setter that is given the experiment's own value goes back to that.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "base/ov-error.h"

#include "gui/ov-run-settings.h"

/* Who repeats until it is decided repeats at most so many times as often. */
#define UNTIL_TIMES 10

struct _OvRunSettings
{
  GObject parent_instance;

  OvExperiment *experiment;
  char *target;
  char *preset;
  guint repetitions;
  double until_percent;
  double until_minutes;
  guint64 block;
  guint depth;
  int condition;
  int work;
  int timing;
  int neighbour;
  int order;
  guint64 stride;
  int profile;
  int durability;
  int verify;
  GPtrArray *more;     /* of char*: folders beside the target */
  GHashTable *chosen;  /* char* label or id -> gboolean, where it differs from the experiment */
  GHashTable *options; /* "strategy:option" -> char* */
};

G_DEFINE_FINAL_TYPE (OvRunSettings, ov_run_settings, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  SIGNAL_TARGET_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
ov_run_settings_finalize (GObject *object)
{
  OvRunSettings *self = OV_RUN_SETTINGS (object);

  ov_experiment_unref (self->experiment);
  g_free (self->target);
  g_ptr_array_unref (self->more);
  g_free (self->preset);
  g_hash_table_unref (self->chosen);
  g_hash_table_unref (self->options);
  G_OBJECT_CLASS (ov_run_settings_parent_class)->finalize (object);
}

static void
ov_run_settings_class_init (OvRunSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_run_settings_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", OV_TYPE_RUN_SETTINGS, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_TARGET_CHANGED]
      = g_signal_new ("target-changed", OV_TYPE_RUN_SETTINGS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 0);
}

static void
ov_run_settings_init (OvRunSettings *self)
{
  self->target = g_strdup (g_get_home_dir ());
  self->condition = self->work = self->timing = self->neighbour = -1;
  self->durability = self->verify = self->profile = self->order = -1;
  self->more = g_ptr_array_new_with_free_func (g_free);
  self->chosen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

OvRunSettings *
ov_run_settings_new (OvExperiment *experiment)
{
  OvRunSettings *self = g_object_new (OV_TYPE_RUN_SETTINGS, NULL);

  self->experiment = ov_experiment_ref (experiment);
  return self;
}

static void
changed (OvRunSettings *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

OvExperiment *
ov_run_settings_get_experiment (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  return self->experiment;
}

const char *
ov_run_settings_get_target (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  return self->target;
}

void
ov_run_settings_set_target (OvRunSettings *self, const char *path)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && path != NULL);

  if (g_strcmp0 (path, self->target) == 0)
    return;
  /* A job without a file has no other place than the machine. */
  if (ov_target_is_machine (path) != ((self->experiment->job & OV_HARDWARE_JOBS) != 0))
    return;
  g_free (self->target);
  self->target = g_strdup (path);
  g_signal_emit (self, signals[SIGNAL_TARGET_CHANGED], 0);
  changed (self);
}

static const OvPreset *
current_preset (OvRunSettings *self)
{
  const OvPreset *preset = ov_experiment_find_preset (self->experiment, self->preset);

  return preset != NULL ? preset : ov_experiment_find_preset (self->experiment, NULL);
}

const char *
ov_run_settings_get_preset (OvRunSettings *self)
{
  const OvPreset *preset;

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  preset = current_preset (self);
  return preset != NULL ? preset->id : NULL;
}

void
ov_run_settings_set_preset (OvRunSettings *self, const char *id)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (g_strcmp0 (id, ov_run_settings_get_preset (self)) == 0)
    return;
  g_free (self->preset);
  self->preset = g_strdup (id);
  changed (self);
}

/* Repetitions where the user set none. */
static guint
own_repetitions (OvRunSettings *self)
{
  const OvPreset *preset = current_preset (self);

  return preset != NULL && preset->repetitions > 0 ? preset->repetitions
                                                   : self->experiment->repetitions;
}

guint
ov_run_settings_get_repetitions (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->repetitions > 0 ? self->repetitions : own_repetitions (self);
}

void
ov_run_settings_set_repetitions (OvRunSettings *self, guint repetitions)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (repetitions == ov_run_settings_get_repetitions (self))
    return;
  self->repetitions = repetitions == own_repetitions (self) ? 0 : repetitions;
  changed (self);
}

double
ov_run_settings_get_until_percent (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->until_percent;
}

void
ov_run_settings_set_until_percent (OvRunSettings *self, double percent)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (percent == self->until_percent)
    return;
  self->until_percent = percent;
  changed (self);
}

double
ov_run_settings_get_until_minutes (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->until_minutes;
}

void
ov_run_settings_set_until_minutes (OvRunSettings *self, double minutes)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (minutes == self->until_minutes)
    return;
  self->until_minutes = minutes;
  changed (self);
}

guint64
ov_run_settings_get_block (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->block;
}

void
ov_run_settings_set_block (OvRunSettings *self, guint64 block)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (block == ov_run_settings_get_block (self))
    return;
  self->block = block;
  changed (self);
}

guint
ov_run_settings_get_depth (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->depth;
}

void
ov_run_settings_set_depth (OvRunSettings *self, guint depth)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (depth == ov_run_settings_get_depth (self))
    return;
  self->depth = depth;
  changed (self);
}

OvCondition
ov_run_settings_get_condition (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), OV_CONDITION_WARM);
  return self->condition >= 0 ? (OvCondition)self->condition : self->experiment->condition;
}

void
ov_run_settings_set_condition (OvRunSettings *self, OvCondition condition)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (condition == ov_run_settings_get_condition (self))
    return;
  self->condition = condition == self->experiment->condition ? -1 : (int)condition;
  changed (self);
}

guint
ov_run_settings_get_work (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->work >= 0 ? (guint)self->work : self->experiment->work;
}

void
ov_run_settings_set_work (OvRunSettings *self, guint work)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (work == ov_run_settings_get_work (self))
    return;
  self->work = work == self->experiment->work ? -1 : (int)work;
  changed (self);
}

guint
ov_run_settings_get_timing (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->timing >= 0 ? (guint)self->timing : self->experiment->timing;
}

void
ov_run_settings_set_timing (OvRunSettings *self, guint timing)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (timing == ov_run_settings_get_timing (self))
    return;
  self->timing = timing == self->experiment->timing ? -1 : (int)timing;
  changed (self);
}

OvDurability
ov_run_settings_get_durability (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), OV_DURABILITY_NONE);
  return self->durability >= 0 ? (OvDurability)self->durability : self->experiment->durability;
}

void
ov_run_settings_set_durability (OvRunSettings *self, OvDurability durability)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (durability == ov_run_settings_get_durability (self))
    return;
  self->durability = durability == self->experiment->durability ? -1 : (int)durability;
  changed (self);
}

gboolean
ov_run_settings_get_verify (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), FALSE);
  return self->verify >= 0 ? self->verify != 0 : self->experiment->verify;
}

void
ov_run_settings_set_verify (OvRunSettings *self, gboolean verify)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (!!verify == ov_run_settings_get_verify (self))
    return;
  self->verify = !!verify == self->experiment->verify ? -1 : !!verify;
  changed (self);
}

const GPtrArray *
ov_run_settings_get_more_targets (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  return self->more;
}

void
ov_run_settings_add_target (OvRunSettings *self, const char *path)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && path != NULL);

  if (g_strcmp0 (path, self->target) == 0 || (self->experiment->job & OV_HARDWARE_JOBS) != 0
      || g_ptr_array_find_with_equal_func (self->more, path, g_str_equal, NULL))
    return;
  g_ptr_array_add (self->more, g_strdup (path));
  g_signal_emit (self, signals[SIGNAL_TARGET_CHANGED], 0);
  changed (self);
}

void
ov_run_settings_remove_target (OvRunSettings *self, const char *path)
{
  guint place;

  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && path != NULL);

  if (!g_ptr_array_find_with_equal_func (self->more, path, g_str_equal, &place))
    return;
  g_ptr_array_remove_index (self->more, place);
  g_signal_emit (self, signals[SIGNAL_TARGET_CHANGED], 0);
  changed (self);
}

void
ov_run_settings_set_targets (OvRunSettings *self, const char *const *paths)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && paths != NULL && paths[0] != NULL);

  if ((self->experiment->job & OV_HARDWARE_JOBS) != 0)
    return;
  g_ptr_array_set_size (self->more, 0);
  g_free (self->target);
  self->target = g_strdup (paths[0]);
  for (guint i = 1; paths[i] != NULL; i++)
    if (!g_str_equal (paths[i], self->target)
        && !g_ptr_array_find_with_equal_func (self->more, paths[i], g_str_equal, NULL))
      g_ptr_array_add (self->more, g_strdup (paths[i]));
  g_signal_emit (self, signals[SIGNAL_TARGET_CHANGED], 0);
  changed (self);
}

gboolean
ov_run_settings_get_profile (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), FALSE);
  return self->profile >= 0 ? self->profile != 0 : self->experiment->profile;
}

void
ov_run_settings_set_profile (OvRunSettings *self, gboolean profile)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (!!profile == ov_run_settings_get_profile (self))
    return;
  self->profile = !!profile == self->experiment->profile ? -1 : !!profile;
  changed (self);
}

int
ov_run_settings_get_order (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), -1);
  return self->order;
}

void
ov_run_settings_set_order (OvRunSettings *self, int order)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (order == self->order)
    return;
  self->order = order;
  changed (self);
}

guint64
ov_run_settings_get_stride (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), 0);
  return self->stride;
}

void
ov_run_settings_set_stride (OvRunSettings *self, guint64 stride)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (stride == self->stride)
    return;
  self->stride = stride;
  changed (self);
}

OvNeighbour
ov_run_settings_get_neighbour (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), OV_NEIGHBOUR_NONE);
  return self->neighbour >= 0 ? (OvNeighbour)self->neighbour : self->experiment->neighbour;
}

void
ov_run_settings_set_neighbour (OvRunSettings *self, OvNeighbour neighbour)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (neighbour == ov_run_settings_get_neighbour (self))
    return;
  self->neighbour = neighbour == self->experiment->neighbour ? -1 : (int)neighbour;
  changed (self);
}

/* What the experiment has: its variants are run unless they are off, other strategies are not. */
static gboolean
own_chosen (OvRunSettings *self, const char *label)
{
  for (guint i = 0; i < self->experiment->variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (self->experiment->variants, i);

      if (g_strcmp0 (variant->label, label) == 0)
        return !variant->off;
    }
  return FALSE;
}

gboolean
ov_run_settings_get_chosen (OvRunSettings *self, const char *label)
{
  gpointer value;

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self) && label != NULL, FALSE);
  if (g_hash_table_lookup_extended (self->chosen, label, NULL, &value))
    return GPOINTER_TO_INT (value);
  return own_chosen (self, label);
}

void
ov_run_settings_set_chosen (OvRunSettings *self, const char *label, gboolean chosen)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && label != NULL);

  if (!!chosen == ov_run_settings_get_chosen (self, label))
    return;
  if (!!chosen == own_chosen (self, label))
    g_hash_table_remove (self->chosen, label);
  else
    g_hash_table_replace (self->chosen, g_strdup (label), GINT_TO_POINTER (!!chosen));
  changed (self);
}

static char *
option_key (const char *strategy, const char *option)
{
  return g_strconcat (strategy, ":", option, NULL);
}

const char *
ov_run_settings_get_option (OvRunSettings *self, const char *strategy, const char *option)
{
  g_autofree char *key = option_key (strategy, option);

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  return g_hash_table_lookup (self->options, key);
}

void
ov_run_settings_set_option (OvRunSettings *self, const char *strategy, const char *option,
                            const char *text)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  if (g_strcmp0 (text, ov_run_settings_get_option (self, strategy, option)) == 0)
    return;
  if (text != NULL)
    g_hash_table_replace (self->options, option_key (strategy, option), g_strdup (text));
  else
    {
      g_autofree char *key = option_key (strategy, option);

      g_hash_table_remove (self->options, key);
    }
  changed (self);
}

gboolean
ov_run_settings_is_changed (OvRunSettings *self)
{
  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), FALSE);
  return current_preset (self) != ov_experiment_find_preset (self->experiment, NULL)
         || self->repetitions > 0 || self->until_percent > 0 || self->until_minutes > 0
         || self->block > 0 || self->depth > 0 || self->condition >= 0 || self->work >= 0
         || self->timing >= 0 || self->neighbour >= 0 || self->durability >= 0 || self->verify >= 0
         || self->profile >= 0 || self->order >= 0 || self->stride > 0
         || g_hash_table_size (self->chosen) > 0 || g_hash_table_size (self->options) > 0;
}

void
ov_run_settings_reset (OvRunSettings *self)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self));

  g_clear_pointer (&self->preset, g_free);
  self->repetitions = 0;
  self->until_percent = self->until_minutes = 0;
  self->block = self->stride = 0;
  self->depth = 0;
  self->condition = self->work = self->timing = self->neighbour = -1;
  self->durability = self->verify = self->profile = self->order = -1;
  g_hash_table_remove_all (self->chosen);
  g_hash_table_remove_all (self->options);
  changed (self);
}

GPtrArray *
ov_run_settings_list_variants (OvRunSettings *self, GPtrArray *strategies)
{
  g_autoptr (GPtrArray) none = NULL;

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  if (strategies == NULL)
    strategies = none = g_ptr_array_new ();
  return ov_plan_variants (self->experiment, strategies);
}

const char **
ov_run_settings_list_chosen (OvRunSettings *self, GPtrArray *strategies, gboolean *changed_out)
{
  g_autoptr (GPtrArray) variants = NULL;
  GPtrArray *labels = g_ptr_array_new ();

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  variants = ov_run_settings_list_variants (self, strategies);
  for (guint i = 0; i < variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (variants, i);

      /* The array holds what lives as long as the settings: labels of the experiment, and keys. */
      if (!ov_run_settings_get_chosen (self, variant->label))
        continue;
      if (i < self->experiment->variants->len)
        g_ptr_array_add (labels,
                         ((OvVariant *)g_ptr_array_index (self->experiment->variants, i))->label);
      else
        {
          gpointer key;

          if (g_hash_table_lookup_extended (self->chosen, variant->label, &key, NULL))
            g_ptr_array_add (labels, key);
        }
    }
  g_ptr_array_add (labels, NULL);
  if (changed_out != NULL)
    *changed_out = g_hash_table_size (self->chosen) > 0;
  return (const char **)(gpointer)g_ptr_array_free (labels, FALSE);
}

void
ov_run_settings_choose (OvRunSettings *self, const char *const *labels)
{
  g_return_if_fail (OV_IS_RUN_SETTINGS (self) && labels != NULL);

  g_hash_table_remove_all (self->chosen);
  for (guint i = 0; i < self->experiment->variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (self->experiment->variants, i);
      gboolean wanted = g_strv_contains (labels, variant->label);

      if (wanted == variant->off)
        g_hash_table_replace (self->chosen, g_strdup (variant->label), GINT_TO_POINTER (wanted));
    }
  for (guint i = 0; labels[i] != NULL; i++)
    if (!ov_run_settings_get_chosen (self, labels[i]))
      g_hash_table_replace (self->chosen, g_strdup (labels[i]), GINT_TO_POINTER (TRUE));
  changed (self);
}

/* Fills `choice` with what is borrowed from the settings; strategies and options are left out. */
static void
fill_choice (OvRunSettings *self, OvPlanChoice *choice)
{
  ov_plan_choice_init (choice);
  choice->preset = self->preset;
  choice->repetitions = self->repetitions;
  if (self->until_percent > 0 || self->until_minutes > 0)
    choice->repetitions = UNTIL_TIMES * ov_run_settings_get_repetitions (self);
  choice->block = self->block;
  choice->depth = self->depth;
  choice->condition = self->condition;
  choice->work = self->work;
  choice->timing = self->timing;
  choice->neighbour = self->neighbour;
  choice->order = self->order;
  choice->stride = self->stride;
  choice->durability = self->durability;
  choice->verify = self->verify;
  choice->profile = self->profile;
}

char *
ov_run_settings_dup_cause (OvRunSettings *self, const OvVariant *variant, GPtrArray *strategies)
{
  OvPlanChoice choice;

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);
  fill_choice (self, &choice);
  return ov_plan_variant_cause (self->experiment, variant, &choice, strategies);
}

/* The options that were set for strategies that are chosen: one for another strategy would be a
 * mistake on the command line, here it just waits. */
static GHashTable *
chosen_options (OvRunSettings *self, GPtrArray *variants)
{
  GHashTable *options = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer key, text;

  g_hash_table_iter_init (&iter, self->options);
  while (g_hash_table_iter_next (&iter, &key, &text))
    for (guint i = 0; i < variants->len; i++)
      {
        const OvVariant *variant = g_ptr_array_index (variants, i);
        gsize n = strlen (variant->strategy);

        if (ov_run_settings_get_chosen (self, variant->label)
            && g_str_has_prefix (key, variant->strategy) && ((const char *)key)[n] == ':')
          g_hash_table_insert (options, key, text);
      }
  return options;
}

OvPlan *
ov_run_settings_make_plan (OvRunSettings *self, GPtrArray *strategies, const OvTargetInfo *target,
                           GError **error)
{
  const guint n = self->more->len + 1;
  g_autofree const char **targets = g_new0 (const char *, n + 1);
  g_autofree gboolean *is_file = g_new0 (gboolean, n);
  g_autofree guint64 *sizes = g_new0 (guint64, n);
  g_autoptr (GPtrArray) variants = NULL;
  g_autofree const char **chosen = NULL;
  g_autoptr (GHashTable) options = NULL;
  OvPlanChoice choice;

  g_return_val_if_fail (OV_IS_RUN_SETTINGS (self), NULL);

  targets[0] = self->target;
  is_file[0] = target != NULL && target->kind == OV_TARGET_FILE;
  sizes[0] = is_file[0] ? target->size : 0;
  for (guint i = 0, at = 1; i < self->more->len; i++)
    if (g_strcmp0 (self->more->pdata[i], self->target) != 0) /* chosen as the target since */
      targets[at++] = self->more->pdata[i];
  variants = ov_run_settings_list_variants (self, strategies);
  options = chosen_options (self, variants);
  chosen = ov_run_settings_list_chosen (self, strategies, NULL);
  if (chosen[0] == NULL)
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_INVALID,
                           _ ("No strategy is chosen: choose some in the settings."));
      return NULL;
    }
  fill_choice (self, &choice);
  choice.strategies = chosen;
  choice.targets = targets;
  choice.target_is_file = is_file;
  choice.target_sizes = sizes;
  choice.options = g_hash_table_size (options) > 0 ? options : NULL;
  return ov_plan_new (self->experiment, &choice, strategies, error);
}
