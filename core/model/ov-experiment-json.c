/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments as JSON (docs/experiments.md).
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-disk.h"
#include "model/ov-experiment-private.h"
#include "model/ov-machine.h"
#include "model/ov-types-private.h"

/* ---- Reading ------------------------------------------------------------------------------ */

static GHashTable *
read_options (OvJsonReader *r)
{
  JsonObject *object = ov_json_object (r, "options");
  GHashTable *options;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (object == NULL)
    return NULL;
  options
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)json_node_unref);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      GType type = json_node_get_value_type (node);

      if (type != G_TYPE_INT64 && type != G_TYPE_BOOLEAN && type != G_TYPE_STRING)
        ov_json_fail (r, "options",
                      _ ("the value of “%s” must be a text, a whole number, true or "
                         "false"),
                      name);
      g_hash_table_insert (options, g_strdup (name), json_node_copy (node));
    }
  return options;
}

static OvVariant *
read_variant (OvJsonReader *parent, JsonNode *node, guint index)
{
  OvVariant *variant = ov_variant_new (NULL);
  OvJsonReader r;

  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      variant->strategy = json_node_dup_string (node);
      variant->label = g_strdup (variant->strategy);
      if (variant->strategy[0] == '\0' || !g_utf8_validate (variant->strategy, -1, NULL))
        ov_json_fail_at (parent, "strategies", index, _ ("must not be empty"));
      return variant;
    }
  ov_json_begin_child (&r, parent, node, "strategies", (int)index);
  ov_json_require (&r, "strategy");
  variant->strategy = ov_json_string (&r, "strategy");
  variant->label = ov_json_string (&r, "label");
  if (variant->label == NULL)
    variant->label = g_strdup (variant->strategy);
  if (variant->strategy != NULL && variant->strategy[0] == '\0')
    ov_json_fail (&r, "strategy", _ ("must not be empty"));
  if (variant->label != NULL && variant->label[0] == '\0')
    ov_json_fail (&r, "label", _ ("must not be empty"));
  variant->block = ov_json_size (&r, "block", OV_BLOCK_MIN, OV_BLOCK_MAX, 0);
  variant->depth = (guint)ov_json_int (&r, "depth", OV_DEPTH_MIN, OV_DEPTH_MAX, 0);
  variant->condition = ov_json_nick (&r, "condition", ov_condition_nicks, -1);
  variant->durability = ov_json_nick (&r, "durability", ov_durability_nicks, -1);
  variant->work = ov_json_nick (&r, "work", ov_work_nicks, -1);
  variant->options = read_options (&r);
  variant->off = ov_json_bool (&r, "off", FALSE);
  ov_json_end_child (&r, parent);
  return variant;
}

static void
read_variants (OvJsonReader *r, OvExperiment *experiment)
{
  JsonArray *array = ov_json_array (r, "strategies");
  g_autoptr (GHashTable) labels = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = array != NULL ? json_array_get_length (array) : 0;
  guint i;

  for (i = 0; i < n && r->error == NULL; i++)
    {
      OvVariant *variant = read_variant (r, json_array_get_element (array, i), i);

      g_ptr_array_add (experiment->variants, variant);
      if (r->error == NULL && !g_hash_table_add (labels, variant->label))
        ov_json_fail_at (r, "strategies", i,
                         _ ("the label “%s” stands twice; give one of them another “label”"),
                         variant->label);
    }
  if (n == 0 && !experiment->others)
    ov_json_fail (r, NULL, _ ("“strategies” names none, nor does “others” let any in"));
}

static gboolean
has_value (const GArray *values, guint64 value)
{
  guint i;

  for (i = 0; i < values->len; i++)
    if (g_array_index (values, guint64, i) == value)
      return TRUE;
  return FALSE;
}

/* The order that a value of an axis names. */
static guint64
read_order (OvJsonReader *r, guint index, JsonNode *node)
{
  const gboolean is_text = json_node_get_value_type (node) == G_TYPE_STRING;
  const int order = is_text ? ov_nick_index (ov_order_nicks, json_node_get_string (node)) : -1;
  g_autofree char *all = g_strjoinv (", ", (char **)ov_order_nicks);

  if (order < 0)
    ov_json_fail_at (r, "values", index, _ ("must be one of %s"), all);
  return (guint64)MAX (order, 0);
}

static OvExperimentAxis *
read_axis (OvJsonReader *parent, JsonNode *node, guint index)
{
  /* by OvAxisParameter */
  static const guint64 least[] = { 0, OV_BLOCK_MIN, OV_DEPTH_MIN, 1, 1, 0 };
  static const guint64 most[]
      = { G_MAXINT64, OV_BLOCK_MAX, OV_DEPTH_MAX, OV_REQUESTS_MAX, (guint64)OV_RATE_MAX, 0 };
  OvExperimentAxis *axis = ov_experiment_axis_new ();
  JsonArray *values;
  OvJsonReader r;
  guint i;

  ov_json_begin_child (&r, parent, node, "axes", (int)index);
  ov_json_require (&r, "parameter");
  axis->parameter
      = (OvAxisParameter)ov_json_nick (&r, "parameter", ov_axis_parameter_nicks, OV_AXIS_SIZE);
  values = ov_json_array (&r, "values");
  if (values == NULL || json_array_get_length (values) < 1
      || json_array_get_length (values) > OV_VALUES_MAX)
    ov_json_fail (&r, "values", _ ("must hold 1 to %d values"), OV_VALUES_MAX);
  for (i = 0; values != NULL && i < json_array_get_length (values) && r.error == NULL; i++)
    {
      JsonNode *element = json_array_get_element (values, i);
      guint64 value = axis->parameter == OV_AXIS_POSITIONS
                          ? read_order (&r, i, element)
                          : ov_json_size_at (&r, "values", i, element, least[axis->parameter],
                                             most[axis->parameter]);

      if (has_value (axis->values, value))
        ov_json_fail_at (&r, "values", i, _ ("stands twice"));
      g_array_append_val (axis->values, value);
    }
  ov_json_end_child (&r, parent);
  return axis;
}

/* Bytes of one access, or `standard`. */
static guint
read_width (OvJsonReader *r, guint standard)
{
  const guint width = (guint)ov_json_int (r, "width", 1, 8, standard);

  if ((width & (width - 1)) != 0)
    ov_json_fail (r, "width", _ ("must be 1, 2, 4 or 8 bytes"));
  return width;
}

static OvPreset *
read_preset (OvJsonReader *parent, JsonNode *node, guint index)
{
  OvPreset *preset = ov_preset_new ();
  JsonArray *axes;
  OvJsonReader r;
  guint i;

  ov_json_begin_child (&r, parent, node, "presets", (int)index);
  ov_json_require (&r, "id");
  preset->id = ov_json_string (&r, "id");
  preset->title = ov_json_string (&r, "title");
  if (preset->title == NULL)
    preset->title = g_strdup (preset->id);
  axes = ov_json_array (&r, "axes");
  if (axes == NULL || json_array_get_length (axes) < 1 || json_array_get_length (axes) > 2)
    ov_json_fail (&r, "axes", _ ("must hold one or two axes"));
  for (i = 0; axes != NULL && i < json_array_get_length (axes) && r.error == NULL; i++)
    g_ptr_array_add (preset->axes, read_axis (&r, json_array_get_element (axes, i), i));
  if (r.error == NULL && preset->axes->len == 2
      && ((OvExperimentAxis *)preset->axes->pdata[0])->parameter
             == ((OvExperimentAxis *)preset->axes->pdata[1])->parameter)
    ov_json_fail_at (&r, "axes", 1, _ ("walks through the same parameter as the first one"));
  preset->repetitions = (guint)ov_json_int (&r, "repetitions", 1, OV_REPETITIONS_MAX, 0);
  preset->size = ov_json_size (&r, "size", 1, G_MAXINT64, 0);
  preset->block = ov_json_size (&r, "block", OV_BLOCK_MIN, OV_BLOCK_MAX, 0);
  preset->depth = (guint)ov_json_int (&r, "depth", OV_DEPTH_MIN, OV_DEPTH_MAX, 0);
  preset->order = ov_json_nick (&r, "positions", ov_order_nicks, -1);
  preset->access = ov_json_nick (&r, "access", ov_access_nicks, -1);
  preset->width = read_width (&r, 0);
  preset->overlap = ov_json_bool (&r, "overlap", FALSE);
  ov_json_end_child (&r, parent);
  return preset;
}

static void
read_presets (OvJsonReader *r, OvExperiment *experiment)
{
  JsonArray *array = ov_json_array (r, "presets");
  guint n = array != NULL ? json_array_get_length (array) : 0;
  guint i;

  if (n == 0)
    ov_json_fail (r, "presets", _ ("must hold at least one preset"));
  for (i = 0; i < n && r->error == NULL; i++)
    {
      OvPreset *preset = read_preset (r, json_array_get_element (array, i), i);

      if (preset->id != NULL && ov_experiment_find_preset (experiment, preset->id) != NULL)
        ov_json_fail_at (r, "presets", i, _ ("the id “%s” stands twice"), preset->id);
      g_ptr_array_add (experiment->presets, preset);
    }
}

static GPtrArray *
take_strings (char **strings)
{
  GPtrArray *array = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; strings != NULL && strings[i] != NULL; i++)
    g_ptr_array_add (array, strings[i]);
  g_free (strings);
  return array;
}

/* Texts of which there are none, or one for each column. */
static GPtrArray *
read_for_columns (OvJsonReader *r, const OvOverlay *overlay, const char *key)
{
  GPtrArray *texts = take_strings (ov_json_strings (r, key));

  if (texts->len > 0 && texts->len != overlay->columns->len)
    ov_json_fail (r, key, _ ("must hold one text for each of the columns"));
  return texts;
}

static OvOverlay *
read_overlay (OvJsonReader *parent)
{
  JsonNode *node = ov_json_member (parent, "overlay");
  OvOverlay *overlay;
  OvJsonReader r;

  if (node == NULL)
    return NULL;
  overlay = g_new0 (OvOverlay, 1);
  ov_json_begin_child (&r, parent, node, "overlay", -1);
  ov_json_require (&r, "file");
  ov_json_require (&r, "x-column");
  overlay->file = ov_json_path (&r, "file");
  overlay->title = ov_json_string (&r, "title");
  if (overlay->title == NULL)
    overlay->title = g_strdup (overlay->file);
  overlay->x_column = ov_json_string (&r, "x-column");
  overlay->x_scale = ov_json_double (&r, "x-scale", G_MINDOUBLE, INFINITY, 1);
  overlay->y_scale = ov_json_double (&r, "y-scale", G_MINDOUBLE, INFINITY, 1);
  overlay->columns = take_strings (ov_json_strings (&r, "columns"));
  overlay->labels = take_strings (ov_json_strings (&r, "labels"));
  overlay->filter_column = ov_json_string (&r, "filter-column");
  overlay->filters = take_strings (ov_json_strings (&r, "filters"));
  if (overlay->filters->len != (overlay->filter_column != NULL ? overlay->columns->len : 0))
    ov_json_fail (&r, "filters",
                  _ ("must hold one text for each column, and go with a "
                     "“filter-column”"));
  overlay->cpu_columns = read_for_columns (&r, overlay, "cpu-columns");
  overlay->user_columns = read_for_columns (&r, overlay, "user-columns");
  overlay->system_columns = read_for_columns (&r, overlay, "system-columns");
  overlay->groups = read_for_columns (&r, overlay, "groups");
  overlay->lines = read_for_columns (&r, overlay, "lines");
  if ((overlay->user_columns->len > 0) != (overlay->system_columns->len > 0))
    ov_json_fail (&r, "system-columns", _ ("user-columns and system-columns go together"));
  if ((overlay->groups->len > 0) != (overlay->lines->len > 0))
    ov_json_fail (&r, "lines", _ ("groups and lines go together"));
  if (overlay->columns->len < 1 || overlay->columns->len > OV_OVERLAY_COLUMNS)
    ov_json_fail (&r, "columns", _ ("must hold 1 to %d columns"), OV_OVERLAY_COLUMNS);
  if (overlay->labels->len != overlay->columns->len)
    ov_json_fail (&r, "labels", _ ("must hold one label for each column"));
  ov_json_end_child (&r, parent);
  return overlay;
}

/* Only a simulated disk: a file may not choose a place on the user's disks. */
static char *
read_target (OvJsonReader *r)
{
  g_autofree char *target = ov_json_string (r, "target");
  g_autoptr (GError) error = NULL;
  OvDisk disk;

  if (target == NULL)
    return NULL;
  if (!ov_disk_is_target (target))
    ov_json_fail (r, "target", _ ("must be a simulated disk, such as \"simulated:disk-1995\""));
  else if (!ov_disk_parse (target, &disk, &error))
    ov_json_fail (r, "target", "%s", error->message);
  return g_steal_pointer (&target);
}

static void
read_texts (OvJsonReader *r, OvExperiment *experiment, const char *id)
{
  ov_json_require (r, "title");
  experiment->id = ov_json_string (r, "id");
  if (experiment->id == NULL)
    experiment->id = g_strdup (id != NULL ? id : "");
  experiment->title = ov_json_string (r, "title");
  experiment->summary = ov_json_string (r, "summary");
  if (experiment->summary == NULL)
    experiment->summary = g_strdup ("");
  experiment->learn = ov_json_strings (r, "learn");
  experiment->target = read_target (r);
  experiment->number = (int)ov_json_int (r, "order", 0, G_MAXINT, experiment->number);
}

static void
read_parameters (OvJsonReader *r, OvExperiment *e)
{
  e->job = 1u << ov_json_nick (r, "job", ov_job_nicks, 0);
  e->repetitions
      = (guint)ov_json_int (r, "repetitions", 1, OV_REPETITIONS_MAX, (gint64)e->repetitions);
  e->size = ov_json_size (r, "size", 1, G_MAXINT64, e->size);
  e->block = ov_json_size (r, "block", OV_BLOCK_MIN, OV_BLOCK_MAX, e->block);
  e->depth = (guint)ov_json_int (r, "depth", OV_DEPTH_MIN, OV_DEPTH_MAX, e->depth);
  e->condition = (OvCondition)ov_json_nick (r, "condition", ov_condition_nicks, (int)e->condition);
  e->work = (guint)ov_json_nick (r, "work", ov_work_nicks, (int)e->work);
  e->order = (guint)ov_json_nick (r, "positions", ov_order_nicks, (int)e->order);
  e->stride = ov_json_size (r, "stride", 1, G_MAXINT64, e->stride);
  e->requests = (guint64)ov_json_int (r, "requests", 1, G_MAXINT64, (gint64)e->requests);
  e->rate = ov_json_double (r, "rate", G_MINDOUBLE, OV_RATE_MAX, e->rate);
  e->duration = ov_json_double (r, "duration", 1e-3, 3600, e->duration);
  e->access = (guint)ov_json_nick (r, "access", ov_access_nicks, (int)e->access);
  e->width = read_width (r, e->width);
  e->address = (guint64)ov_json_int (r, "address", 0, G_MAXINT64, 0);
  e->letter = ov_json_letter (r, "letter", e->letter);
  if (!g_ascii_isprint (e->letter))
    ov_json_fail (r, "letter", _ ("must be a printable ASCII character"));
  e->density = ov_json_double (r, "density", 0, 1, e->density);
  e->seed = (guint64)ov_json_int (r, "seed", G_MININT64, G_MAXINT64, (gint64)e->seed);
  e->timing = (guint)ov_json_nick (r, "timing", ov_timing_nicks, (int)e->timing);
  e->durability
      = (OvDurability)ov_json_nick (r, "durability", ov_durability_nicks, (int)e->durability);
  e->verify = ov_json_bool (r, "verify", e->verify);
  e->time_limit_ns = llround (ov_json_double (r, "time-limit", 0, 1e6, 0) * 1e9);
  e->neighbour = (OvNeighbour)ov_json_nick (r, "neighbour", ov_neighbour_nicks, 0);
  e->stop_after_ns = llround (ov_json_double (r, "stop-after", 0, 1e6, 0) * 1e9);
  e->profile = ov_json_bool (r, "profile", FALSE);
  e->figure = (OvFigure)ov_json_nick (r, "chart", ov_figure_nicks, 0);
}

/* Jobs without a file run on the machine itself, and their axes are their own. */
static void
check_job (OvJsonReader *r, OvExperiment *e)
{
  const gboolean hardware = (e->job & OV_HARDWARE_JOBS) != 0;

  if (hardware && e->target != NULL)
    ov_json_fail (r, "target", _ ("this job has no file, and so no disk"));
  if (hardware && e->target == NULL)
    e->target = g_strdup (OV_MACHINE_TARGET);
  for (guint i = 0; i < e->presets->len && r->error == NULL; i++)
    {
      const OvPreset *preset = g_ptr_array_index (e->presets, i);

      for (guint j = 0; j < preset->axes->len && r->error == NULL; j++)
        {
          const OvExperimentAxis *axis = g_ptr_array_index (preset->axes, j);
          const gboolean fits = axis->parameter == OV_AXIS_RATE ? (e->job & OV_CLOCKED_JOBS) != 0
                                : axis->parameter == OV_AXIS_REQUESTS
                                    ? (e->job & (OV_JOB_PORT | OV_JOB_BLOCKS)) != 0
                                : axis->parameter == OV_AXIS_POSITIONS
                                    ? (e->job & OV_POSITION_JOBS) != 0
                                    : !hardware;

          if (!fits)
            ov_json_fail_at (r, "presets", i, _ ("the job “%s” has no “%s” to walk through"),
                             ov_job_nick (e->job), ov_axis_parameter_nick (axis->parameter));
        }
    }
}

static const char *const shape_nicks[] = { "lines", "bars", NULL };

/* The version stands first, so that a newer file is refused as newer and not for its new keys. */
static void
read_version (OvJsonReader *r)
{
  gint64 version = ov_json_int (r, "overlap-experiment", 1, G_MAXINT64, 0);

  if (r->object != NULL && json_object_has_member (r->object, "overlap-result"))
    ov_json_fail (r, NULL, _ ("is a result, not an experiment"));
  else
    ov_json_require (r, "overlap-experiment");
  if (version > OV_EXPERIMENT_VERSION)
    ov_json_fail (r, "overlap-experiment",
                  _ ("written for a newer version of Overlap: this one knows up to %d"),
                  OV_EXPERIMENT_VERSION);
}

OvExperiment *
ov_experiment_read (JsonNode *node, const char *id, OvJsonReader *parent, const char *name,
                    GError **error)
{
  OvExperiment *experiment = ov_experiment_new ();
  OvJsonReader r;

  if (parent != NULL)
    ov_json_begin_child (&r, parent, node, name, -1);
  else
    ov_json_begin (&r, node, TRUE);
  read_version (&r);
  read_texts (&r, experiment, id);
  read_parameters (&r, experiment);
  experiment->others = ov_json_bool (&r, "others", FALSE);
  read_variants (&r, experiment);
  read_presets (&r, experiment);
  check_job (&r, experiment);
  experiment->bars = ov_json_nick (&r, "shape", shape_nicks, 0) != 0;
  experiment->overlay = read_overlay (&r);
  if (ov_json_end (&r, error))
    return experiment;
  ov_experiment_unref (experiment);
  return NULL;
}

OvExperiment *
ov_experiment_from_json (JsonNode *node, const char *name, GError **error)
{
  g_return_val_if_fail (node != NULL, NULL);
  return ov_experiment_read (node, name, NULL, NULL, error);
}

/* ---- Writing ------------------------------------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

static JsonNode *
options_to_json (GHashTable *options)
{
  JsonObject *object = json_object_new ();
  GList *names = g_list_sort (g_hash_table_get_keys (options), compare_names);
  GList *l;

  for (l = names; l != NULL; l = l->next)
    json_object_set_member (object, l->data,
                            json_node_copy (g_hash_table_lookup (options, l->data)));
  g_list_free (names);
  return ov_json_take_object (object);
}

static JsonNode *
variant_to_json (const OvVariant *variant)
{
  JsonObject *object = json_object_new ();

  ov_json_set_string (object, "strategy", variant->strategy);
  ov_json_set_string (object, "label", variant->label);
  if (variant->block > 0)
    json_object_set_int_member (object, "block", (gint64)variant->block);
  if (variant->depth > 0)
    json_object_set_int_member (object, "depth", variant->depth);
  if (variant->durability >= 0)
    json_object_set_string_member (object, "durability",
                                   ov_durability_nick ((OvDurability)variant->durability));
  if (variant->condition >= 0)
    json_object_set_string_member (object, "condition",
                                   ov_condition_nick ((OvCondition)variant->condition));
  if (variant->work >= 0)
    json_object_set_string_member (object, "work", ov_work_nick ((guint)variant->work));
  if (variant->options != NULL)
    json_object_set_member (object, "options", options_to_json (variant->options));
  if (variant->off)
    json_object_set_boolean_member (object, "off", TRUE);
  return ov_json_take_object (object);
}

static JsonNode *
axis_to_json (const OvExperimentAxis *axis)
{
  JsonObject *object = json_object_new ();
  JsonArray *values = json_array_new ();
  guint i;

  for (i = 0; i < axis->values->len; i++)
    {
      const guint64 value = g_array_index (axis->values, guint64, i);

      if (axis->parameter == OV_AXIS_POSITIONS)
        json_array_add_string_element (values, ov_order_nick ((guint)value));
      else
        json_array_add_int_element (values, (gint64)value);
    }
  json_object_set_string_member (object, "parameter", ov_axis_parameter_nick (axis->parameter));
  json_object_set_array_member (object, "values", values);
  return ov_json_take_object (object);
}

static JsonNode *
preset_to_json (const OvPreset *preset)
{
  JsonObject *object = json_object_new ();
  JsonArray *axes = json_array_new ();
  guint i;

  ov_json_set_string (object, "id", preset->id);
  ov_json_set_string (object, "title", preset->title);
  for (i = 0; i < preset->axes->len; i++)
    json_array_add_element (axes, axis_to_json (g_ptr_array_index (preset->axes, i)));
  json_object_set_array_member (object, "axes", axes);
  if (preset->repetitions > 0)
    json_object_set_int_member (object, "repetitions", preset->repetitions);
  if (preset->size > 0)
    json_object_set_int_member (object, "size", (gint64)preset->size);
  if (preset->block > 0)
    json_object_set_int_member (object, "block", (gint64)preset->block);
  if (preset->depth > 0)
    json_object_set_int_member (object, "depth", preset->depth);
  if (preset->order >= 0)
    json_object_set_string_member (object, "positions", ov_order_nick ((guint)preset->order));
  if (preset->access >= 0)
    json_object_set_string_member (object, "access", ov_access_nick ((guint)preset->access));
  if (preset->width > 0)
    json_object_set_int_member (object, "width", preset->width);
  if (preset->overlap)
    json_object_set_boolean_member (object, "overlap", TRUE);
  return ov_json_take_object (object);
}

static JsonArray *
strings_to_json (char *const *strings, gsize n)
{
  JsonArray *array = json_array_new ();
  gsize i;

  for (i = 0; i < n; i++)
    json_array_add_string_element (array, strings[i]);
  return array;
}

static void
for_columns_to_json (JsonObject *object, const char *key, const GPtrArray *texts)
{
  if (texts->len > 0)
    json_object_set_array_member (object, key,
                                  strings_to_json ((char *const *)texts->pdata, texts->len));
}

static JsonNode *
overlay_to_json (const OvOverlay *overlay)
{
  JsonObject *object = json_object_new ();

  ov_json_set_path (object, "file", overlay->file);
  ov_json_set_string (object, "title", overlay->title);
  ov_json_set_string (object, "x-column", overlay->x_column);
  ov_json_set_double (object, "x-scale", overlay->x_scale);
  json_object_set_array_member (
      object, "columns",
      strings_to_json ((char *const *)overlay->columns->pdata, overlay->columns->len));
  json_object_set_array_member (
      object, "labels",
      strings_to_json ((char *const *)overlay->labels->pdata, overlay->labels->len));
  ov_json_set_double (object, "y-scale", overlay->y_scale);
  if (overlay->filter_column != NULL)
    {
      ov_json_set_string (object, "filter-column", overlay->filter_column);
      json_object_set_array_member (
          object, "filters",
          strings_to_json ((char *const *)overlay->filters->pdata, overlay->filters->len));
    }
  for_columns_to_json (object, "cpu-columns", overlay->cpu_columns);
  for_columns_to_json (object, "user-columns", overlay->user_columns);
  for_columns_to_json (object, "system-columns", overlay->system_columns);
  for_columns_to_json (object, "groups", overlay->groups);
  for_columns_to_json (object, "lines", overlay->lines);
  return ov_json_take_object (object);
}

static void
set_parameters (JsonObject *object, const OvExperiment *e)
{
  json_object_set_string_member (object, "job", ov_job_nick (e->job));
  json_object_set_int_member (object, "repetitions", e->repetitions);
  json_object_set_int_member (object, "size", (gint64)e->size);
  json_object_set_int_member (object, "block", (gint64)e->block);
  json_object_set_int_member (object, "depth", e->depth);
  json_object_set_string_member (object, "condition", ov_condition_nick (e->condition));
  json_object_set_string_member (object, "work", ov_work_nick (e->work));
  json_object_set_string_member (object, "positions", ov_order_nick (e->order));
  json_object_set_int_member (object, "stride", (gint64)e->stride);
  json_object_set_int_member (object, "requests", (gint64)e->requests);
  if (e->job & OV_CLOCKED_JOBS)
    {
      ov_json_set_double (object, "rate", e->rate);
      ov_json_set_double (object, "duration", e->duration);
    }
  if (e->job == OV_JOB_PORT)
    {
      json_object_set_string_member (object, "access", ov_access_nick (e->access));
      json_object_set_int_member (object, "width", e->width);
      json_object_set_int_member (object, "address", (gint64)e->address);
    }
  ov_json_set_letter (object, "letter", e->letter);
  ov_json_set_double (object, "density", e->density);
  json_object_set_int_member (object, "seed", (gint64)e->seed);
  json_object_set_string_member (object, "durability", ov_durability_nick (e->durability));
  json_object_set_boolean_member (object, "verify", e->verify);
  json_object_set_string_member (object, "timing", ov_timing_nick (e->timing));
  ov_json_set_double (object, "time-limit", (double)e->time_limit_ns / 1e9);
  if (e->neighbour != OV_NEIGHBOUR_NONE)
    json_object_set_string_member (object, "neighbour", ov_neighbour_nick (e->neighbour));
  if (e->stop_after_ns > 0)
    ov_json_set_double (object, "stop-after", (double)e->stop_after_ns / 1e9);
  if (e->profile)
    json_object_set_boolean_member (object, "profile", TRUE);
  if (e->figure != OV_FIGURE_ELAPSED)
    json_object_set_string_member (object, "chart", ov_figure_nick (e->figure));
  json_object_set_boolean_member (object, "others", e->others);
  json_object_set_string_member (object, "shape", shape_nicks[e->bars ? 1 : 0]);
}

JsonNode *
ov_experiment_to_json (const OvExperiment *experiment)
{
  JsonObject *object = json_object_new ();
  JsonArray *variants = json_array_new ();
  JsonArray *presets = json_array_new ();
  guint i;

  g_return_val_if_fail (experiment != NULL, NULL);
  json_object_set_int_member (object, "overlap-experiment", OV_EXPERIMENT_VERSION);
  ov_json_set_string (object, "id", experiment->id);
  ov_json_set_string (object, "title", experiment->title);
  ov_json_set_string (object, "summary", experiment->summary);
  if (experiment->target != NULL && !ov_target_is_machine (experiment->target))
    json_object_set_string_member (object, "target", experiment->target);
  if (experiment->learn != NULL)
    json_object_set_array_member (
        object, "learn", strings_to_json (experiment->learn, g_strv_length (experiment->learn)));
  json_object_set_int_member (object, "order", experiment->number);
  set_parameters (object, experiment);
  for (i = 0; i < experiment->variants->len; i++)
    json_array_add_element (variants, variant_to_json (experiment->variants->pdata[i]));
  json_object_set_array_member (object, "strategies", variants);
  for (i = 0; i < experiment->presets->len; i++)
    json_array_add_element (presets, preset_to_json (experiment->presets->pdata[i]));
  json_object_set_array_member (object, "presets", presets);
  if (experiment->overlay != NULL)
    json_object_set_member (object, "overlay", overlay_to_json (experiment->overlay));
  return ov_json_take_object (object);
}
