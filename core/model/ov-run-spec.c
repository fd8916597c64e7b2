/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one run is, and the reading of its JSON; ov-run-write.c writes it.
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "model/ov-json-private.h"
#include "model/ov-run-spec.h"
#include "model/ov-types-private.h"

OvRunSpec *
ov_run_spec_new (void)
{
  OvRunSpec *spec = g_new0 (OvRunSpec, 1);

  spec->variant = g_strdup ("");
  spec->job = OV_JOB_COUNT;
  spec->block = 64 * 1024;
  spec->depth = 2;
  spec->condition = OV_CONDITION_COLD;
  spec->work = OV_WORK_PLAIN;
  spec->letter = 'e';
  spec->timing = OV_TIMING_LATENCY;
  spec->discard = TRUE;
  spec->width = 1;
  return spec;
}

static GHashTable *
copy_options (GHashTable *options)
{
  GHashTable *copy;
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  if (options == NULL)
    return NULL;
  copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_iter_init (&iter, options);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy, g_strdup (name), g_memdup2 (value, sizeof (gint64)));
  return copy;
}

OvRunSpec *
ov_run_spec_copy (const OvRunSpec *spec)
{
  OvRunSpec *copy;

  g_return_val_if_fail (spec != NULL, NULL);
  copy = g_memdup2 (spec, sizeof *spec);
  copy->strategy = g_strdup (spec->strategy);
  copy->variant = g_strdup (spec->variant);
  copy->target = g_strdup (spec->target);
  copy->file = g_strdup (spec->file);
  copy->options = copy_options (spec->options);
  return copy;
}

void
ov_run_spec_free (OvRunSpec *spec)
{
  if (spec == NULL)
    return;
  g_free (spec->strategy);
  g_free (spec->variant);
  g_free (spec->target);
  g_free (spec->file);
  g_clear_pointer (&spec->options, g_hash_table_unref);
  g_free (spec);
}

void
ov_run_spec_set_option (OvRunSpec *spec, const char *name, gint64 value)
{
  g_return_if_fail (spec != NULL && name != NULL);
  if (spec->options == NULL)
    spec->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (spec->options, g_strdup (name), g_memdup2 (&value, sizeof value));
}

static void
read_options (OvJsonReader *r, OvRunSpec *spec)
{
  JsonObject *values = ov_json_object (r, "options");
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (values == NULL)
    return;
  json_object_iter_init_ordered (&iter, values);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (json_node_get_value_type (node) == G_TYPE_INT64)
      ov_run_spec_set_option (spec, name, json_node_get_int (node));
    else
      ov_json_fail (r, "options", _ ("the value of “%s” must be a whole number"), name);
}

OvRunSpec *
ov_run_spec_from_json (JsonNode *node, GError **error)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvJsonReader r;
  char *text;

  ov_json_begin (&r, node, FALSE);
  ov_json_require (&r, "strategy");
  ov_json_require (&r, "job");
  ov_json_require (&r, "target");
  spec->index = (guint)ov_json_int (&r, "index", 0, G_MAXUINT, 0);
  spec->strategy = ov_json_string (&r, "strategy");
  text = ov_json_string (&r, "variant");
  g_free (spec->variant);
  spec->variant = text != NULL ? text : g_strdup (spec->strategy != NULL ? spec->strategy : "");
  spec->job = 1u << ov_json_nick (&r, "job", ov_job_nicks, 0);
  spec->target = ov_json_path (&r, "target");
  spec->file = ov_json_path (&r, "file");
  spec->size = (guint64)ov_json_int (&r, "size", 0, G_MAXINT64, 0);
  spec->offset = (guint64)ov_json_int (&r, "offset", 0, G_MAXINT64, 0);
  spec->block = (guint64)ov_json_int (&r, "block", 0, G_MAXINT64, (gint64)spec->block);
  spec->depth = (guint)ov_json_int (&r, "depth", 0, G_MAXUINT, spec->depth);
  spec->condition
      = (OvCondition)ov_json_nick (&r, "condition", ov_condition_nicks, (int)spec->condition);
  spec->work = (guint)ov_json_nick (&r, "work", ov_work_nicks, (int)spec->work);
  spec->letter = ov_json_letter (&r, "letter", spec->letter);
  spec->requests = (guint64)ov_json_int (&r, "requests", 0, G_MAXINT64, 0);
  spec->order = (guint)ov_json_nick (&r, "order", ov_order_nicks, (int)spec->order);
  spec->seed = (guint64)ov_json_int (&r, "seed", G_MININT64, G_MAXINT64, 0);
  spec->timing = (guint)ov_json_nick (&r, "timing", ov_timing_nicks, (int)spec->timing);
  spec->repetition = (guint)ov_json_int (&r, "repetition", 0, G_MAXUINT, 0);
  spec->discard = ov_json_bool (&r, "discard", spec->discard);
  spec->time_limit_ns = ov_json_int (&r, "time-limit", 0, G_MAXINT64, 0);
  spec->profile = ov_json_bool (&r, "profile", FALSE);
  spec->stop_after_ns = ov_json_int (&r, "stop-after", 0, G_MAXINT64, 0);
  spec->neighbour
      = (OvNeighbour)ov_json_nick (&r, "neighbour", ov_neighbour_nicks, OV_NEIGHBOUR_NONE);
  spec->log_capacity = (guint64)ov_json_int (&r, "log-capacity", 0, G_MAXINT64, 0);
  spec->durability
      = (OvDurability)ov_json_nick (&r, "durability", ov_durability_nicks, OV_DURABILITY_NONE);
  spec->verify = ov_json_bool (&r, "verify", FALSE);
  spec->quiet = ov_json_bool (&r, "quiet", FALSE);
  read_options (&r, spec);
  spec->part = (OvPart)ov_json_nick (&r, "part", ov_part_nicks, OV_PART_WHOLE);
  spec->rate = ov_json_double (&r, "rate", 0, OV_RATE_MAX, 0);
  spec->access = (guint)ov_json_nick (&r, "access", ov_access_nicks, OV_ACCESS_READ);
  spec->width = (guint)ov_json_int (&r, "width", 1, 8, spec->width);
  spec->address = (guint64)ov_json_int (&r, "address", 0, G_MAXINT64, 0);
  spec->stride = (guint64)ov_json_int (&r, "stride", 0, G_MAXINT64, 0);
  spec->x = ov_json_double (&r, "x", -INFINITY, INFINITY, NAN);
  if (ov_json_end (&r, error))
    return spec;
  ov_run_spec_free (spec);
  return NULL;
}
