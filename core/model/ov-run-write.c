/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes runs as JSON without a node for each figure, so that a log of a million requests needs no
 * more memory than its text.
 */
#include "config.h"

#include <string.h>

#include "model/ov-histogram-private.h"
#include "model/ov-neighbour-private.h"
#include "model/ov-profile-private.h"
#include "model/ov-run-private.h"
#include "model/ov-types-private.h"

/* ---- The specification ---------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

/* Sorted, so that the same options always make the same text. */
static void
put_options (GString *out, GHashTable *options)
{
  GList *names = options != NULL ? g_hash_table_get_keys (options) : NULL;

  names = g_list_sort (names, compare_names);
  ov_json_put_key (out, "options");
  g_string_append_c (out, '{');
  for (GList *l = names; l != NULL; l = l->next)
    ov_json_put_int (out, l->data, *(const gint64 *)g_hash_table_lookup (options, l->data));
  g_string_append_c (out, '}');
  g_list_free (names);
}

static void
put_uint (GString *out, const char *key, guint64 value)
{
  ov_json_put_int (out, key, (gint64)MIN (value, G_MAXINT64));
}

void
ov_run_spec_write (GString *out, const OvRunSpec *spec)
{
  g_string_append_c (out, '{');
  put_uint (out, "index", spec->index);
  ov_json_put_string (out, "strategy", spec->strategy);
  ov_json_put_string (out, "variant", spec->variant);
  ov_json_put_string (out, "job", ov_job_nick (spec->job));
  ov_json_put_path (out, "target", spec->target);
  ov_json_put_path (out, "file", spec->file);
  put_uint (out, "size", spec->size);
  put_uint (out, "offset", spec->offset);
  put_uint (out, "block", spec->block);
  put_uint (out, "depth", spec->depth);
  ov_json_put_string (out, "condition", ov_condition_nick (spec->condition));
  ov_json_put_string (out, "work", ov_work_nick (spec->work));
  ov_json_put_letter (out, "letter", spec->letter);
  put_uint (out, "requests", spec->requests);
  ov_json_put_string (out, "order", ov_order_nick (spec->order));
  ov_json_put_int (out, "seed", (gint64)spec->seed);
  ov_json_put_string (out, "timing", ov_timing_nick (spec->timing));
  put_uint (out, "repetition", spec->repetition);
  ov_json_put_bool (out, "discard", spec->discard);
  ov_json_put_int (out, "time-limit", MAX (spec->time_limit_ns, 0));
  ov_json_put_int (out, "stop-after", MAX (spec->stop_after_ns, 0));
  ov_json_put_bool (out, "profile", spec->profile);
  ov_json_put_string (out, "neighbour", ov_neighbour_nick (spec->neighbour));
  put_uint (out, "log-capacity", spec->log_capacity);
  ov_json_put_string (out, "durability", ov_durability_nick (spec->durability));
  ov_json_put_bool (out, "verify", spec->verify);
  if (spec->quiet)
    ov_json_put_bool (out, "quiet", TRUE);
  put_options (out, spec->options);
  if (spec->part != OV_PART_WHOLE)
    ov_json_put_string (out, "part", ov_part_nicks[spec->part]);
  if (spec->job & OV_CLOCKED_JOBS)
    ov_json_put_double (out, "rate", spec->rate);
  if (spec->job == OV_JOB_PORT)
    {
      ov_json_put_string (out, "access", ov_access_nick (spec->access));
      put_uint (out, "width", spec->width);
      put_uint (out, "address", spec->address);
    }
  if (spec->stride > 0)
    put_uint (out, "stride", spec->stride);
  ov_json_put_double (out, "x", spec->x);
  g_string_append_c (out, '}');
}

JsonNode *
ov_run_spec_to_json (const OvRunSpec *spec)
{
  GString *out;
  JsonNode *node;

  g_return_val_if_fail (spec != NULL, NULL);
  out = g_string_new (NULL);
  ov_run_spec_write (out, spec);
  node = ov_json_parse (out->str, (gssize)out->len, NULL);
  g_assert (node != NULL);
  g_string_free (out, TRUE);
  return node;
}

/* ---- The log --------------------------------------------------------------------------------- */

void
ov_requests_to_json (JsonObject *object, const OvRequest *requests, gsize n)
{
  for (guint c = 0; c < OV_LOG_N_COLUMNS; c++)
    {
      const OvLogColumn *column = &ov_log_columns[c];
      JsonArray *values = json_array_sized_new ((guint)n);

      for (gsize i = 0; i < n; i++)
        {
          gint64 value = column->is_32 ? G_STRUCT_MEMBER (guint32, &requests[i], column->field)
                                       : G_STRUCT_MEMBER (gint64, &requests[i], column->field);

          if (column->nullable && value < 0)
            json_array_add_null_element (values);
          else
            json_array_add_int_element (values, MAX (value, column->min));
        }
      json_object_set_array_member (object, column->key, values);
    }
}

static void
put_column (GString *out, const OvLogColumn *column, const OvRequest *requests, gsize n)
{
  ov_json_put_key (out, column->key);
  g_string_append_c (out, '[');
  for (gsize i = 0; i < n; i++)
    {
      gint64 value = column->is_32 ? G_STRUCT_MEMBER (guint32, &requests[i], column->field)
                                   : G_STRUCT_MEMBER (gint64, &requests[i], column->field);

      if (i > 0)
        g_string_append_c (out, ',');
      if (column->nullable && value < 0)
        g_string_append_len (out, "null", 4);
      else
        ov_json_put_number (out, MAX (value, column->min));
    }
  g_string_append_c (out, ']');
}

static void
put_log (GString *out, const char *key, const GArray *log)
{
  ov_json_put_key (out, key);
  g_string_append_c (out, '{');
  for (guint c = 0; c < OV_LOG_N_COLUMNS; c++)
    put_column (out, &ov_log_columns[c], (const OvRequest *)(gpointer)log->data, log->len);
  g_string_append_c (out, '}');
}

/* ---- The run --------------------------------------------------------------------------------- */

static void
put_node (GString *out, const char *key, JsonNode *node)
{
  ov_json_put_key (out, key);
  ov_json_write (out, node, 0);
  json_node_unref (node);
}

static void
put_histogram (GString *out, const OvRun *run, const OvRunMember *m)
{
  const OvHistogram *histogram = G_STRUCT_MEMBER (OvHistogram *, run, m->unpacked);
  GBytes *packed = G_STRUCT_MEMBER (GBytes *, run, m->field);
  g_autofree OvHistogram *unpacked = NULL;

  if (histogram == NULL && packed != NULL)
    histogram = unpacked = ov_histogram_unpack (packed);
  if (histogram != NULL)
    put_node (out, m->key, ov_histogram_to_json (histogram));
  else
    ov_json_put_string (out, m->key, NULL);
}

static void
put_member (GString *out, const OvRun *run, const OvRunMember *m, gboolean with_log)
{
  switch (m->kind)
    {
    case OV_RUN_SPEC:
      ov_json_put_key (out, m->key);
      ov_run_spec_write (out, run->spec);
      break;
    case OV_RUN_STATE:
      ov_json_put_string (out, m->key, ov_state_nick (run->state));
      break;
    case OV_RUN_TEXT:
      ov_json_put_string (out, m->key, G_STRUCT_MEMBER (char *, run, m->field));
      break;
    case OV_RUN_FIGURE:
      ov_json_put_figure (out, m->key, G_STRUCT_MEMBER (gint64, run, m->field));
      break;
    case OV_RUN_BOOL:
      ov_json_put_bool (out, m->key, G_STRUCT_MEMBER (gboolean, run, m->field));
      break;
    case OV_RUN_DOUBLE:
      ov_json_put_double (out, m->key, G_STRUCT_MEMBER (double, run, m->field));
      break;
    case OV_RUN_HISTOGRAM:
      put_histogram (out, run, m);
      break;
    case OV_RUN_PROFILE:
      if (run->profile != NULL)
        put_node (out, m->key, ov_profile_to_json (run->profile));
      break;
    case OV_RUN_NEIGHBOUR:
      if (run->neighbour != NULL)
        put_node (out, m->key, ov_neighbour_to_json (run->neighbour));
      break;
    case OV_RUN_COUNT:
      if (m->field != G_STRUCT_OFFSET (OvRun, device_dropped) || run->device_dropped > 0)
        put_uint (out, m->key, G_STRUCT_MEMBER (guint64, run, m->field));
      break;
    case OV_RUN_LOG:
      if (with_log && G_STRUCT_MEMBER (GArray *, run, m->field) != NULL)
        put_log (out, m->key, G_STRUCT_MEMBER (GArray *, run, m->field));
      break;
    default:
      g_assert_not_reached ();
    }
}

void
ov_run_write (GString *out, const OvRun *run, gboolean with_log)
{
  g_string_append_c (out, '{');
  for (const OvRunMember *m = ov_run_members; m->key != NULL; m++)
    put_member (out, run, m, with_log);
  g_string_append_c (out, '}');
}

JsonNode *
ov_run_to_json (const OvRun *run, gboolean with_log)
{
  GString *out;
  JsonNode *node;

  g_return_val_if_fail (run != NULL, NULL);
  out = g_string_new (NULL);
  ov_run_write (out, run, with_log);
  node = ov_json_parse (out->str, (gssize)out->len, NULL);
  g_assert (node != NULL);
  g_string_free (out, TRUE);
  return node;
}
