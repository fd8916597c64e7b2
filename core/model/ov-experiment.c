/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments in memory, and finding their files.
 */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-experiment-private.h"
#include "model/ov-file.h"

/* Far beyond any experiment that a person wrote. */
#define FILE_LIMIT (16 * 1024 * 1024)

const char *const ov_axis_parameter_nicks[]
    = { "size", "block", "depth", "requests", "rate", "positions", NULL };

const char *
ov_axis_parameter_label (OvAxisParameter parameter)
{
  switch (parameter)
    {
    case OV_AXIS_SIZE:
      return _ ("file size");
    case OV_AXIS_BLOCK:
      return _ ("block size");
    case OV_AXIS_DEPTH:
      return _ ("depth");
    case OV_AXIS_REQUESTS:
      return _ ("number");
    case OV_AXIS_RATE:
      return _ ("rate");
    case OV_AXIS_POSITIONS:
      return _ ("positions");
    default:
      return "";
    }
}

const char *
ov_axis_parameter_nick (OvAxisParameter parameter)
{
  g_return_val_if_fail (parameter <= OV_AXIS_POSITIONS, NULL);
  return ov_axis_parameter_nicks[parameter];
}

OvVariant *
ov_variant_new (const char *strategy)
{
  OvVariant *variant = g_new0 (OvVariant, 1);

  variant->strategy = g_strdup (strategy);
  variant->label = g_strdup (strategy);
  variant->condition = -1;
  variant->durability = -1;
  variant->work = -1;
  return variant;
}

OvVariant *
ov_variant_copy (const OvVariant *variant)
{
  OvVariant *copy;

  g_return_val_if_fail (variant != NULL, NULL);
  copy = g_memdup2 (variant, sizeof *variant);
  copy->strategy = g_strdup (variant->strategy);
  copy->label = g_strdup (variant->label);
  if (variant->options != NULL)
    g_hash_table_ref (copy->options);
  return copy;
}

void
ov_variant_free (OvVariant *variant)
{
  if (variant == NULL)
    return;
  g_free (variant->strategy);
  g_free (variant->label);
  g_clear_pointer (&variant->options, g_hash_table_unref);
  g_free (variant);
}

OvExperimentAxis *
ov_experiment_axis_new (void)
{
  OvExperimentAxis *axis = g_new0 (OvExperimentAxis, 1);

  axis->values = g_array_new (FALSE, FALSE, sizeof (guint64));
  return axis;
}

void
ov_experiment_axis_free (OvExperimentAxis *axis)
{
  if (axis == NULL)
    return;
  g_array_unref (axis->values);
  g_free (axis);
}

OvPreset *
ov_preset_new (void)
{
  OvPreset *preset = g_new0 (OvPreset, 1);

  preset->order = preset->access = -1;
  preset->axes = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_experiment_axis_free);
  return preset;
}

void
ov_preset_free (OvPreset *preset)
{
  if (preset == NULL)
    return;
  g_free (preset->id);
  g_free (preset->title);
  g_ptr_array_unref (preset->axes);
  g_free (preset);
}

const OvExperimentAxis *
ov_preset_find_axis (const OvPreset *preset, OvAxisParameter parameter)
{
  guint i;

  g_return_val_if_fail (preset != NULL, NULL);
  for (i = 0; i < preset->axes->len; i++)
    {
      const OvExperimentAxis *axis = g_ptr_array_index (preset->axes, i);

      if (axis->parameter == parameter)
        return axis;
    }
  return NULL;
}

void
ov_overlay_free (OvOverlay *overlay)
{
  if (overlay == NULL)
    return;
  g_free (overlay->file);
  g_free (overlay->title);
  g_free (overlay->x_column);
  g_clear_pointer (&overlay->columns, g_ptr_array_unref);
  g_clear_pointer (&overlay->labels, g_ptr_array_unref);
  g_free (overlay->filter_column);
  g_clear_pointer (&overlay->filters, g_ptr_array_unref);
  g_clear_pointer (&overlay->cpu_columns, g_ptr_array_unref);
  g_clear_pointer (&overlay->user_columns, g_ptr_array_unref);
  g_clear_pointer (&overlay->system_columns, g_ptr_array_unref);
  g_clear_pointer (&overlay->groups, g_ptr_array_unref);
  g_clear_pointer (&overlay->lines, g_ptr_array_unref);
  g_free (overlay);
}

OvExperiment *
ov_experiment_new (void)
{
  OvExperiment *experiment = g_atomic_rc_box_new0 (OvExperiment);

  experiment->number = 1000;
  experiment->job = OV_JOB_COUNT;
  experiment->variants = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_variant_free);
  experiment->presets = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_preset_free);
  experiment->repetitions = 10;
  experiment->size = 64 * 1024 * 1024;
  experiment->block = 64 * 1024;
  experiment->depth = 2;
  experiment->condition = OV_CONDITION_COLD;
  experiment->work = OV_WORK_PLAIN;
  experiment->order = OV_ORDER_SEQUENTIAL;
  experiment->stride = 1024 * 1024;
  experiment->requests = 10000;
  experiment->rate = 1000;
  experiment->duration = 1;
  experiment->width = 1;
  experiment->letter = 'e';
  experiment->density = 0.02;
  experiment->seed = 1;
  experiment->timing = OV_TIMING_LATENCY;
  return experiment;
}

OvExperiment *
ov_experiment_ref (OvExperiment *experiment)
{
  return g_atomic_rc_box_acquire (experiment);
}

static void
clear_experiment (gpointer data)
{
  OvExperiment *experiment = data;

  g_free (experiment->id);
  g_free (experiment->path);
  g_free (experiment->title);
  g_free (experiment->summary);
  g_free (experiment->target);
  g_strfreev (experiment->learn);
  g_ptr_array_unref (experiment->variants);
  g_ptr_array_unref (experiment->presets);
  ov_overlay_free (experiment->overlay);
}

void
ov_experiment_unref (OvExperiment *experiment)
{
  if (experiment != NULL)
    g_atomic_rc_box_release_full (experiment, clear_experiment);
}

const OvPreset *
ov_experiment_find_preset (const OvExperiment *experiment, const char *id)
{
  guint i;

  g_return_val_if_fail (experiment != NULL, NULL);
  for (i = 0; i < experiment->presets->len; i++)
    {
      const OvPreset *preset = g_ptr_array_index (experiment->presets, i);

      if (id == NULL || g_strcmp0 (preset->id, id) == 0)
        return preset;
    }
  return NULL;
}

/* ---- Files -------------------------------------------------------------------------------- */

static void
cut_ending (char *name, const char *ending)
{
  if (g_str_has_suffix (name, ending) && strlen (name) > strlen (ending))
    name[strlen (name) - strlen (ending)] = '\0';
}

OvExperiment *
ov_experiment_load (const char *path, GError **error)
{
  g_autofree char *data = NULL;
  g_autofree char *id = NULL;
  g_autofree char *shown = NULL;
  g_autoptr (JsonNode) node = NULL;
  OvExperiment *experiment;
  gsize length;

  g_return_val_if_fail (path != NULL, NULL);
  data = ov_file_read (path, FILE_LIMIT, &length, error);
  if (data == NULL)
    return NULL;
  shown = g_filename_display_name (path);
  id = g_filename_display_basename (path);
  cut_ending (id, ".json");
  cut_ending (id, ".overlap");
  node = ov_json_parse (data, (gssize)length, error);
  experiment = node != NULL ? ov_experiment_from_json (node, id, error) : NULL;
  if (experiment == NULL)
    {
      g_prefix_error (error, "%s: ", shown);
      return NULL;
    }
  experiment->path = g_strdup (path);
  return experiment;
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* Paths of the folder's experiments, sorted; a folder that is not there has none. */
static GPtrArray *
list_folder (const char *folder, void (*on_error) (const GError *error, gpointer data),
             gpointer data)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  const char *name;

  if (dir == NULL && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) && on_error != NULL)
    {
      g_autoptr (GError) ours = g_error_new_literal (OV_ERROR, OV_ERROR_PERMISSION, error->message);

      on_error (ours, data);
    }
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json") && name[0] != '.')
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_strings);
  return paths;
}

static int
compare_experiments (gconstpointer a, gconstpointer b)
{
  const OvExperiment *one = *(OvExperiment *const *)a;
  const OvExperiment *other = *(OvExperiment *const *)b;
  g_autofree char *one_key = NULL;
  g_autofree char *other_key = NULL;

  if (one->number != other->number)
    return one->number < other->number ? -1 : 1;
  one_key = g_utf8_collate_key (one->title, -1);
  other_key = g_utf8_collate_key (other->title, -1);
  return strcmp (one_key, other_key);
}

/* Adds the folder's experiments to `all`, but for those whose id an earlier folder has. */
static void
load_folder (const char *folder, GPtrArray *all, GHashTable *earlier,
             void (*on_error) (const GError *error, gpointer data), gpointer data)
{
  g_autoptr (GPtrArray) paths = list_folder (folder, on_error, data);
  g_autoptr (GHashTable) here = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer id;
  guint i;

  for (i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (OvExperiment) experiment
          = ov_experiment_load (g_ptr_array_index (paths, i), &error);

      if (experiment != NULL && g_hash_table_contains (earlier, experiment->id))
        continue;
      if (experiment != NULL && g_hash_table_contains (here, experiment->id))
        g_set_error (&error, OV_ERROR, OV_ERROR_INVALID,
                     _ ("%s: another experiment in this folder has the id “%s” too"),
                     experiment->path, experiment->id);
      if (error == NULL)
        {
          g_hash_table_add (here, experiment->id);
          g_ptr_array_add (all, g_steal_pointer (&experiment));
        }
      else if (on_error != NULL)
        on_error (error, data);
    }
  g_hash_table_iter_init (&iter, here);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_hash_table_add (earlier, id);
}

GPtrArray *
ov_experiment_load_all (const char *const *folders,
                        void (*on_error) (const GError *error, gpointer data), gpointer data)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_experiment_unref);
  g_autoptr (GHashTable) earlier = g_hash_table_new (g_str_hash, g_str_equal);
  guint f;

  for (f = 0; folders != NULL && folders[f] != NULL; f++)
    load_folder (folders[f], all, earlier, on_error, data);
  g_ptr_array_sort (all, compare_experiments);
  return all;
}

char *
ov_experiment_file_stem (const OvExperiment *experiment)
{
  g_autofree char *valid = g_utf8_make_valid (experiment->id, -1);
  GString *stem = g_string_new (NULL);
  guint n = 0;

  for (const char *p = valid; *p != '\0' && n < 64; p = g_utf8_next_char (p), n++)
    {
      const gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (stem, g_unichar_isalnum (c) || c == '_' ? c : '-');
    }
  if (stem->len == 0)
    g_string_append (stem, "experiment");
  return g_string_free (stem, FALSE);
}

/* The folder `name` of the program's data. */
static char *
data_folder (const char *name)
{
  const char *data = g_getenv ("OVERLAP_DATA_DIR");

  return g_build_filename (data != NULL && *data != '\0' ? data : OV_PKGDATADIR, name, NULL);
}

char **
ov_experiment_folders (void)
{
  char **folders = g_new0 (char *, 3);

  folders[0] = g_build_filename (g_get_user_data_dir (), "overlap", "experiments", NULL);
  folders[1] = data_folder ("experiments");
  return folders;
}

char *
ov_articles_folder (void)
{
  return data_folder ("articles");
}
