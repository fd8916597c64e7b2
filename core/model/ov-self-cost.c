/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of measuring: its JSON (docs/result-format.md) and its place.
 */
#include "config.h"

#include "model/ov-self-cost.h"

#include <errno.h>
#include <math.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "model/ov-file.h"
#include "model/ov-self-cost-private.h"

#define FILE_LIMIT (64 * 1024)

static const struct
{
  const char *nick;
  const char *label;
  double aim;
} kinds[OV_COST_SIZE] = {
  [OV_COST_COUNTERS] = { "counters", N_ ("counting requests and bytes"), 0.01 },
  [OV_COST_LATENCY] = { "latency", N_ ("latency of each request"), 0.03 },
  [OV_COST_TIMELINE] = { "timeline", N_ ("log of each request"), 0.05 },
  [OV_COST_SAMPLER] = { "sampler", N_ ("looking at the run every 50 ms"), 0.01 },
  [OV_COST_PROFILE] = { "profile", N_ ("profile of the CPU time"), 0.03 },
  [OV_COST_WINDOW] = { "window", N_ ("window that shows the run"), 0.05 },
};

OvSelfCost *
ov_self_cost_new (void)
{
  OvSelfCost *cost = g_new0 (OvSelfCost, 1);

  for (guint i = 0; i < OV_COST_SIZE; i++)
    cost->costs[i].cost = cost->costs[i].lo = cost->costs[i].hi = NAN;
  return cost;
}

OvSelfCost *
ov_self_cost_copy (const OvSelfCost *cost)
{
  OvSelfCost *copy;

  g_return_val_if_fail (cost != NULL, NULL);
  copy = g_memdup2 (cost, sizeof *cost);
  copy->host = g_strdup (cost->host);
  copy->kernel = g_strdup (cost->kernel);
  for (guint i = 0; i < OV_COST_SIZE; i++)
    copy->costs[i].cause = g_strdup (cost->costs[i].cause);
  return copy;
}

void
ov_self_cost_free (OvSelfCost *cost)
{
  if (cost == NULL)
    return;
  g_free (cost->host);
  g_free (cost->kernel);
  for (guint i = 0; i < OV_COST_SIZE; i++)
    g_free (cost->costs[i].cause);
  g_free (cost);
}

const char *
ov_cost_nick (OvCostKind kind)
{
  g_return_val_if_fail (kind < OV_COST_SIZE, NULL);
  return kinds[kind].nick;
}

const char *
ov_cost_label (OvCostKind kind)
{
  g_return_val_if_fail (kind < OV_COST_SIZE, NULL);
  return _ (kinds[kind].label);
}

double
ov_cost_aim (OvCostKind kind)
{
  g_return_val_if_fail (kind < OV_COST_SIZE, NAN);
  return kinds[kind].aim;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static JsonNode *
cost_to_json (const OvCost *cost)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "pairs", cost->n);
  ov_json_set_double (object, "cost", cost->cost);
  ov_json_set_double (object, "lo", cost->lo);
  ov_json_set_double (object, "hi", cost->hi);
  ov_json_set_string (object, "cause", cost->cause);
  return ov_json_take_object (object);
}

JsonNode *
ov_self_cost_to_json (const OvSelfCost *cost)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (cost != NULL, NULL);
  json_object_set_int_member (object, "date", cost->date);
  ov_json_set_string (object, "host", cost->host);
  ov_json_set_string (object, "kernel", cost->kernel);
  for (guint i = 0; i < OV_COST_SIZE; i++)
    json_object_set_member (object, kinds[i].nick, cost_to_json (&cost->costs[i]));
  return ov_json_take_object (object);
}

static void
read_cost (OvJsonReader *parent, const char *key, OvCost *cost)
{
  JsonNode *node = ov_json_member (parent, key);
  OvJsonReader r;

  if (node == NULL)
    return;
  ov_json_begin_child (&r, parent, node, key, -1);
  cost->n = (guint)ov_json_int (&r, "pairs", 0, G_MAXUINT, 0);
  cost->cost = ov_json_double (&r, "cost", -1, INFINITY, NAN);
  cost->lo = ov_json_double (&r, "lo", -1, INFINITY, NAN);
  cost->hi = ov_json_double (&r, "hi", -1, INFINITY, NAN);
  cost->cause = ov_json_string (&r, "cause");
  ov_json_end_child (&r, parent);
}

static void
read_self_cost (OvJsonReader *r, OvSelfCost *cost)
{
  cost->date = ov_json_int (r, "date", G_MININT64, G_MAXINT64, 0);
  cost->host = ov_json_string (r, "host");
  cost->kernel = ov_json_string (r, "kernel");
  for (guint i = 0; i < OV_COST_SIZE; i++)
    read_cost (r, kinds[i].nick, &cost->costs[i]);
}

OvSelfCost *
ov_self_cost_read (OvJsonReader *parent, const char *key)
{
  JsonNode *node = ov_json_member (parent, key);
  g_autoptr (OvSelfCost) cost = NULL;
  OvJsonReader r;

  if (node == NULL)
    return NULL;
  cost = ov_self_cost_new ();
  ov_json_begin_child (&r, parent, node, key, -1);
  read_self_cost (&r, cost);
  return ov_json_end_child (&r, parent) ? g_steal_pointer (&cost) : NULL;
}

OvSelfCost *
ov_self_cost_from_json (JsonNode *node, GError **error)
{
  g_autoptr (OvSelfCost) cost = ov_self_cost_new ();
  OvJsonReader r;

  ov_json_begin (&r, node, FALSE);
  read_self_cost (&r, cost);
  return ov_json_end (&r, error) ? g_steal_pointer (&cost) : NULL;
}

/* ---- The last measurement ------------------------------------------------------------------- */

char *
ov_self_cost_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "overlap", "self-cost.json", NULL);
}

static gboolean
make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  ov_set_error_errno (error, OV_ERROR_FAILED, errno, _ ("Cannot make the folder %s"), folder);
  return FALSE;
}

gboolean
ov_self_cost_can_save (GError **error)
{
  g_autofree char *path = ov_self_cost_path ();
  g_autoptr (OvFileSaver) saver = NULL;

  if (!make_folder (path, error))
    return FALSE;
  saver = ov_file_saver_new (path, error); /* gone again at once */
  return saver != NULL;
}

gboolean
ov_self_cost_save (const OvSelfCost *cost, GError **error)
{
  g_autofree char *path = ov_self_cost_path ();
  g_autoptr (JsonNode) node = ov_self_cost_to_json (cost);
  g_autoptr (GString) text = g_string_new (NULL);

  if (!make_folder (path, error))
    return FALSE;
  ov_json_write (text, node, 1);
  g_string_append_c (text, '\n');
  return ov_file_save (path, text->str, text->len, error);
}

OvSelfCost *
ov_self_cost_load (const char *host)
{
  g_autofree char *path = ov_self_cost_path ();
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (OvSelfCost) cost = NULL;
  gsize length;

  if (host == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  text = ov_file_read (path, FILE_LIMIT, &length, NULL);
  node = text != NULL ? ov_json_parse (text, (gssize)length, NULL) : NULL;
  cost = node != NULL ? ov_self_cost_from_json (node, NULL) : NULL;
  if (cost == NULL || g_strcmp0 (cost->host, host) != 0)
    return NULL;
  return g_steal_pointer (&cost);
}
