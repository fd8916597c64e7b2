/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results and their file (docs/result-format.md).  Runs are written and read one after the other,
 * so that neither the whole text's nodes nor the written text lie in memory at once.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-experiment-private.h"
#include "model/ov-file.h"
#include "model/ov-machine-private.h"
#include "model/ov-result.h"
#include "model/ov-run-private.h"
#include "model/ov-self-cost-private.h"
#include "model/ov-types-private.h"

#define FILE_LIMIT ((gsize)8 * 1024 * 1024 * 1024)
#define FLUSH      (1024 * 1024)

OvResult *
ov_result_new (OvExperiment *experiment)
{
  OvResult *result = g_atomic_rc_box_new0 (OvResult);

  result->experiment = experiment != NULL ? ov_experiment_ref (experiment) : NULL;
  result->targets = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_target_info_free);
  result->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
  return result;
}

OvResult *
ov_result_ref (OvResult *result)
{
  return g_atomic_rc_box_acquire (result);
}

static void
clear_result (gpointer data)
{
  OvResult *result = data;

  ov_experiment_unref (result->experiment);
  ov_machine_free (result->machine);
  ov_self_cost_free (result->self_cost);
  g_ptr_array_unref (result->targets);
  g_ptr_array_unref (result->runs);
  g_free (result->preset);
  g_clear_pointer (&result->summaries, g_hash_table_unref);
}

void
ov_result_unref (OvResult *result)
{
  if (result != NULL)
    g_atomic_rc_box_release_full (result, clear_result);
}

/* ---- Writing ------------------------------------------------------------------------------ */

static void
write_member (GString *out, const char *key, JsonNode *node)
{
  g_string_append (out, ",\n  ");
  ov_json_write_string (out, key);
  g_string_append (out, ": ");
  ov_json_write (out, node, 0);
  json_node_unref (node);
}

static JsonNode *
optional_string (const char *text)
{
  return text != NULL ? json_node_init_string (json_node_alloc (), text)
                      : json_node_init_null (json_node_alloc ());
}

static void
write_head (GString *out, const OvResult *result)
{
  guint i;

  g_string_append_printf (out, "{\n  \"overlap-result\": %d", OV_RESULT_VERSION);
  write_member (out, "program", optional_string ("overlap " OV_VERSION));
  write_member (out, "date", json_node_init_int (json_node_alloc (), result->date));
  write_member (out, "preset", optional_string (result->preset));
  write_member (out, "x", optional_string (ov_axis_parameter_nick (result->x)));
  write_member (out, "partial", json_node_init_boolean (json_node_alloc (), result->partial));
  write_member (out, "experiment",
                result->experiment != NULL ? ov_experiment_to_json (result->experiment)
                                           : optional_string (NULL));
  write_member (out, "machine",
                result->machine != NULL ? ov_machine_to_json (result->machine)
                                        : optional_string (NULL));
  write_member (out, "self-cost",
                result->self_cost != NULL ? ov_self_cost_to_json (result->self_cost)
                                          : optional_string (NULL));
  g_string_append (out, ",\n  \"targets\": [");
  for (i = 0; i < result->targets->len; i++)
    {
      g_autoptr (JsonNode) node = ov_target_info_to_json (result->targets->pdata[i]);

      g_string_append (out, i > 0 ? ",\n    " : "\n    ");
      ov_json_write (out, node, 0);
    }
  g_string_append (out, i > 0 ? "\n  ]" : "]");
}

/* Appends the whole to `out`; with a saver, hands over what is there every now and then. */
static gboolean
write_result (GString *out, const OvResult *result, gboolean with_logs, OvFileSaver *saver,
              GError **error)
{
  guint i;

  write_head (out, result);
  g_string_append (out, ",\n  \"runs\": [");
  for (i = 0; i < result->runs->len; i++)
    {
      g_string_append (out, i > 0 ? ",\n    " : "\n    ");
      ov_run_write (out, result->runs->pdata[i], with_logs);
      if (saver != NULL && out->len > FLUSH)
        {
          if (!ov_file_saver_write (saver, out->str, out->len, error))
            return FALSE;
          g_string_truncate (out, 0);
        }
    }
  g_string_append (out, i > 0 ? "\n  ]\n}\n" : "]\n}\n");
  return TRUE;
}

char *
ov_result_to_text (const OvResult *result, gboolean with_logs)
{
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (result != NULL, NULL);
  write_result (out, result, with_logs, NULL, NULL);
  return g_string_free (out, FALSE);
}

gboolean
ov_result_save (const OvResult *result, const char *path, gboolean with_logs, GError **error)
{
  g_autoptr (OvFileSaver) saver = NULL;
  GString *out;
  gboolean ok;

  g_return_val_if_fail (result != NULL && path != NULL, FALSE);
  saver = ov_file_saver_new (path, error);
  if (saver == NULL)
    return FALSE;
  out = g_string_sized_new (2 * FLUSH);
  ok = write_result (out, result, with_logs, saver, error)
       && ov_file_saver_write (saver, out->str, out->len, error)
       && ov_file_saver_finish (saver, error);
  g_string_free (out, TRUE);
  return ok;
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* Whether the text is a result, of a version that is known: looked at before the first run, too. */
static void
read_version (OvJsonReader *r)
{
  gint64 version;

  if (r->error == NULL && !json_object_has_member (r->object, "overlap-result"))
    {
      ov_json_fail (r, NULL, _ ("is not an Overlap result"));
      return;
    }
  version = ov_json_int (r, "overlap-result", 1, G_MAXINT64, 0);
  ov_json_require (r, "overlap-result");
  if (version > OV_RESULT_VERSION)
    ov_json_fail (r, "overlap-result",
                  _ ("written by a newer version of Overlap: this one knows up to %d"),
                  OV_RESULT_VERSION);
}

static gboolean
read_run (JsonNode *element, guint index, JsonObject *so_far, gpointer data, GError **error)
{
  GPtrArray *runs = data;
  g_autoptr (JsonNode) whole = NULL;
  OvJsonReader parent;
  OvJsonReader r;
  OvRun *run;

  whole = json_node_init_object (json_node_alloc (), so_far);
  ov_json_begin (&parent, whole, FALSE);
  if (index == 0 && json_object_has_member (so_far, "overlap-result"))
    read_version (&parent);
  run = ov_run_new (NULL);
  ov_json_begin_child (&r, &parent, element, "runs", (int)index);
  ov_run_read (&r, run);
  ov_json_end_child (&r, &parent);
  if (!ov_json_end (&parent, error))
    {
      ov_run_unref (run);
      return FALSE;
    }
  ov_run_pack_latency (run);
  g_ptr_array_add (runs, run);
  return TRUE;
}

/* ---- Reading runs apart from the rest ------------------------------------------------------- */

/* Fewer runs are read sooner than threads are started. */
#define RUNS_FOR_THREADS 2000
#define THREADS_MAX      8

/* The text of a run in the file, and what was read from it. */
typedef struct
{
  const char *text;
  gsize length;
  OvRun *run; /* NULL: it is wrong */
} RunText;

/* Some of the runs, for one thread. */
typedef struct
{
  RunText *runs;
  guint n;
} Share;

static void
note_run (const char *text, gsize length, gpointer data)
{
  RunText run = { text, length, NULL };

  g_array_append_val (data, run);
}

/* What the scanner does not know is read by way of nodes. */
static void
read_text (RunText *text)
{
  g_autoptr (JsonNode) node = NULL;

  text->run = ov_run_scan (text->text, text->length);
  if (text->run != NULL)
    return;
  node = ov_json_parse (text->text, (gssize)text->length, NULL);
  if (node != NULL)
    text->run = ov_run_from_json (node, NULL);
  if (text->run != NULL)
    ov_run_pack_latency (text->run);
}

static gpointer
read_share (gpointer data)
{
  Share *share = data;

  for (guint i = 0; i < share->n; i++)
    read_text (&share->runs[i]);
  return NULL;
}

/* Reads all of them, one share in this thread. */
static void
read_shares (GArray *texts)
{
  guint n = texts->len < RUNS_FOR_THREADS ? 1 : CLAMP (g_get_num_processors (), 1, THREADS_MAX);
  GThread *threads[THREADS_MAX] = { NULL };
  Share shares[THREADS_MAX];

  for (guint i = 0; i < n; i++)
    {
      guint from = (guint)((guint64)texts->len * i / n);
      guint to = (guint)((guint64)texts->len * (i + 1) / n);

      shares[i] = (Share){ &g_array_index (texts, RunText, 0) + from, to - from };
      if (i > 0)
        threads[i] = g_thread_try_new ("read-runs", read_share, &shares[i], NULL);
    }
  read_share (&shares[0]);
  for (guint i = 1; i < n; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
    else
      read_share (&shares[i]);
}

/* Reads a result: the head here, many runs in several threads.  NULL where something is wrong,
 * which whoever reads one after the other can name the place of. */
static JsonNode *
read_apart (const char *data, gsize length, GPtrArray *runs)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (RunText));
  g_autoptr (JsonNode) node
      = ov_json_parse_around (data, (gssize)length, "runs", note_run, texts, NULL);
  gboolean good = node != NULL;

  if (good && texts->len > 0)
    read_shares (texts);
  for (guint i = 0; i < texts->len; i++)
    good = good && g_array_index (texts, RunText, i).run != NULL;
  for (guint i = 0; i < texts->len; i++)
    {
      OvRun *run = g_array_index (texts, RunText, i).run;

      if (good)
        g_ptr_array_add (runs, run);
      else
        ov_run_unref (run);
    }
  return good ? g_steal_pointer (&node) : NULL;
}

static void
read_experiment (OvJsonReader *r, OvResult *result)
{
  JsonNode *node = ov_json_member (r, "experiment");
  GError *error = NULL;

  ov_json_require (r, "experiment");
  if (node == NULL)
    return;
  result->experiment = ov_experiment_read (node, NULL, r, "experiment", &error);
  if (result->experiment != NULL)
    return;
  if (r->error == NULL)
    r->error = error;
  else
    g_error_free (error);
}

static void
read_machine (OvJsonReader *parent, OvResult *result)
{
  JsonNode *node = ov_json_member (parent, "machine");
  OvJsonReader r;

  if (node == NULL)
    return;
  result->machine = ov_machine_new ();
  ov_json_begin_child (&r, parent, node, "machine", -1);
  ov_machine_read (&r, result->machine);
  ov_json_end_child (&r, parent);
}

static void
read_targets (OvJsonReader *parent, OvResult *result)
{
  JsonArray *array = ov_json_array (parent, "targets");
  guint i;

  for (i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      OvTargetInfo *info = ov_target_info_new ();
      OvJsonReader r;

      g_ptr_array_add (result->targets, info);
      ov_json_begin_child (&r, parent, json_array_get_element (array, i), "targets", (int)i);
      ov_target_info_read (&r, info);
      ov_json_end_child (&r, parent);
    }
}

/* Whether a text that is wrong somewhere was meant as a result. */
static gboolean
looks_like_result (const char *data, gsize length)
{
  return length > 0 && data[0] == '{'
         && g_strstr_len (data, (gssize)MIN (length, 4096), "\"overlap-result\"") != NULL;
}

static OvResult *
parse_result (const char *data, gsize length, GError **error)
{
  g_autoptr (OvResult) result = ov_result_new (NULL);
  g_autoptr (JsonNode) node = read_apart (data, length, result->runs);
  OvJsonReader r;

  if (node == NULL)
    node = ov_json_parse_streaming (data, (gssize)length, "runs", read_run, result->runs, error);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      if (!looks_like_result (data, length))
        {
          g_clear_error (error);
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("is not an Overlap result"));
        }
      return NULL;
    }
  ov_json_begin (&r, node, FALSE);
  read_version (&r);
  read_experiment (&r, result);
  read_machine (&r, result);
  result->self_cost = ov_self_cost_read (&r, "self-cost");
  read_targets (&r, result);
  if (ov_json_array (&r, "runs") == NULL)
    ov_json_require (&r, "runs");
  result->date = ov_json_int (&r, "date", G_MININT64, G_MAXINT64, 0);
  result->preset = ov_json_string (&r, "preset");
  result->x = (OvAxisParameter)ov_json_nick (&r, "x", ov_axis_parameter_nicks, OV_AXIS_SIZE);
  result->partial = ov_json_bool (&r, "partial", FALSE);
  return ov_json_end (&r, error) ? g_steal_pointer (&result) : NULL;
}

OvResult *
ov_result_load (const char *path, GError **error)
{
  g_autofree char *shown = NULL;
  g_autofree char *data = NULL;
  OvResult *result;
  gsize length;

  g_return_val_if_fail (path != NULL, NULL);
  data = ov_file_read (path, FILE_LIMIT, &length, error);
  if (data == NULL)
    return NULL;
  shown = g_filename_display_name (path);
  result = parse_result (data, length, error);
  if (result == NULL)
    g_prefix_error (error, "%s: ", shown);
  return result;
}
