// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An experiment whose choice is its own has no entry.
 */
#include "config.h"

#include "model/ov-disk.h"

#include "gui/ov-choices.h"
#include "gui/ov-gsettings.h"

#define KEY_TARGET     "target"
#define KEY_STRATEGIES "strategies"
#define KEY_MORE       "more-targets"

char *
ov_choices_dup_own_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "overlap", NULL);
}

/* Where scratch files go unless the user chooses: the folder of last time, else this program's
 * folder for this user's cached data, else home. */
static char *
default_target (void)
{
  g_autofree char *target = g_settings_get_string (ov_gsettings_get (), KEY_TARGET);
  g_autofree char *own = ov_choices_dup_own_folder ();

  if (g_path_is_absolute (target) || ov_disk_is_target (target))
    return g_steal_pointer (&target);
  if (g_mkdir_with_parents (own, 0700) == 0)
    return g_steal_pointer (&own);
  return g_strdup (g_get_home_dir ());
}

/* The further folders of last time. Whether they are still there is for the worker to find out. */
static void
load_more (OvRunSettings *settings)
{
  const char *id = ov_run_settings_get_experiment (settings)->id;
  g_autoptr (GVariant) all = g_settings_get_value (ov_gsettings_get (), KEY_MORE);
  g_autofree const char **paths = NULL;

  if (!g_variant_lookup (all, id, "^a&s", &paths))
    return;
  for (guint i = 0; paths[i] != NULL; i++)
    if (g_path_is_absolute (paths[i]) || ov_disk_is_target (paths[i]))
      ov_run_settings_add_target (settings, paths[i]);
}

void
ov_choices_load (OvRunSettings *settings)
{
  const char *id = ov_run_settings_get_experiment (settings)->id;
  g_autoptr (GVariant) all = g_settings_get_value (ov_gsettings_get (), KEY_STRATEGIES);
  g_autofree char *target = default_target ();
  g_autofree const char **labels = NULL;

  if (ov_run_settings_get_experiment (settings)->target != NULL)
    ov_run_settings_set_target (settings, ov_run_settings_get_experiment (settings)->target);
  else
    ov_run_settings_set_target (settings, target);
  if (g_variant_lookup (all, id, "^a&s", &labels))
    ov_run_settings_choose (settings, labels);
  load_more (settings);
}

/* `all` with the entry of `id` replaced, or taken away where `labels` is NULL. */
static GVariant *
replace_entry (GVariant *all, const char *id, const char *const *labels)
{
  GVariantBuilder builder;
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sas}"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_loop (&iter, "{&s@as}", &key, &value))
    if (g_strcmp0 (key, id) != 0)
      g_variant_builder_add (&builder, "{s@as}", key, value);
  if (labels != NULL)
    g_variant_builder_add (&builder, "{s^as}", id, labels);
  return g_variant_builder_end (&builder);
}

static void
save_more (OvRunSettings *settings)
{
  const GPtrArray *more = ov_run_settings_get_more_targets (settings);
  g_autoptr (GVariant) all = g_settings_get_value (ov_gsettings_get (), KEY_MORE);
  g_autoptr (GVariant) changed = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  for (guint i = 0; i < more->len; i++)
    g_ptr_array_add (paths, g_ptr_array_index (more, i));
  g_ptr_array_add (paths, NULL);
  changed = g_variant_ref_sink (
      replace_entry (all, ov_run_settings_get_experiment (settings)->id,
                     more->len > 0 ? (const char *const *)paths->pdata : NULL));
  if (!g_variant_equal (all, changed))
    g_settings_set_value (ov_gsettings_get (), KEY_MORE, changed);
}

void
ov_choices_save (OvRunSettings *settings, GPtrArray *strategies)
{
  GSettings *kept = ov_gsettings_get ();
  const char *id = ov_run_settings_get_experiment (settings)->id;
  g_autoptr (GVariant) all = g_settings_get_value (kept, KEY_STRATEGIES);
  g_autoptr (GVariant) changed = NULL;
  g_autofree char *target = default_target ();
  g_autofree const char **labels = NULL;
  gboolean differs;

  /* Where an experiment has a place of its own, that is not the user's for the others. */
  if (ov_run_settings_get_experiment (settings)->target == NULL
      && g_strcmp0 (target, ov_run_settings_get_target (settings)) != 0)
    g_settings_set_string (kept, KEY_TARGET, ov_run_settings_get_target (settings));
  labels = ov_run_settings_list_chosen (settings, strategies, &differs);
  changed = g_variant_ref_sink (replace_entry (all, id, differs ? labels : NULL));
  if (!g_variant_equal (all, changed))
    g_settings_set_value (kept, KEY_STRATEGIES, changed);
  save_more (settings);
}
