/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stop, for every strategy of every module at every phase: it ends, says so, leaves nothing.
 */
#include <string.h>
#include <unistd.h>

#include "support/ov-worker-client.h"

#define SIZE (96u << 20)

static char *folder;
static OvWorkerClient *client;
static GPtrArray *strategies; /**< of char*: those that serve `count` and can run here */

static void
add_strategy (JsonObject *strategy, gpointer data)
{
  const char *id = json_object_get_string_member (strategy, "id");

  if (!ov_json_has_text (strategy, "jobs", "count"))
    return;
  if (json_object_get_boolean_member (strategy, "available"))
    g_ptr_array_add (strategies, g_strdup (id));
  else
    g_test_message ("%s: %s", id, json_object_get_string_member (strategy, "cause"));
}

/** Starts a run, aborts it `delay_us` after the phase was reported (or after it was sent, for NULL)
 *  and looks at what comes. */
static void
abort_at (const char *strategy, const char *condition, const char *phase, gulong delay_us)
{
  g_autofree char *json = ov_worker_client_run_json (strategy, folder, "a", SIZE, 65536, 4,
                                                     condition, ",\"timing\":\"latency\"");
  JsonObject *run = ov_worker_client_run (client, json, phase != NULL ? phase : "", delay_us);
  const char *state = json_object_get_string_member (run, "state");

  g_test_message ("%s %s at %s: %s, %" G_GINT64_FORMAT " us", strategy, condition,
                  phase != NULL ? phase : "start", state,
                  json_object_has_member (run, "stop-latency")
                          && !json_object_get_null_member (run, "stop-latency")
                      ? json_object_get_int_member (run, "stop-latency") / 1000
                      : -1);
  /* A run that was over in the meantime is done; whatever else is wrong. */
  g_assert_true (strcmp (state, "stopped") == 0 || strcmp (state, "done") == 0
                 || (strcmp (state, "skipped") == 0 && strcmp (condition, "bypassed") == 0));
  if (strcmp (state, "stopped") == 0)
    ov_assert_stopped (run);
  json_object_unref (run);
  ov_worker_client_assert_only_holder (client);
}

static void
test_every_strategy (gconstpointer condition)
{
  for (guint i = 0; i < strategies->len; i++)
    {
      abort_at (strategies->pdata[i], condition, NULL, 0);
      abort_at (strategies->pdata[i], condition, "discard", 1000);
      abort_at (strategies->pdata[i], condition, "run", 1000);
    }
}

static void
test_other_phases (void)
{
  static const char *const phases[]
      = { "probe", "discard", "condition", "prepare", "run", "verify", "release" };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      abort_at ("posix.read", "cold", phases[i], 0);
      abort_at ("uring.wait", "bypassed", phases[i], 0);
      abort_at ("stdio.getc", "warm", phases[i], 0);
    }
}

/** Laying out stops too, and its space comes back: no holder is left. */
static void
test_layout (void)
{
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"big\",\"size\":2147483648}", folder);
  JsonObject *event;

  for (guint i = 0; i < 2; i++)
    {
      ov_worker_client_send (client, json);
      json_object_unref (ov_worker_client_wait (client, "phase"));
      g_usleep (i * 100000);
      ov_worker_client_send (client,
                             i == 0 ? "{\"cmd\":\"abort\"}" : "{\"cmd\":\"abort\",\"force\":true}");
      event = ov_worker_client_wait (client, "error");
      g_assert_cmpstr (json_object_get_string_member (event, "code"), ==, "cancelled");
      json_object_unref (event);
      ov_worker_client_assert_only_holder (client);
    }
}

/** A time limit ends a run of blocks, which counts all the same; nobody pressed anything. */
static void
test_time_limit (void)
{
  g_autofree char *json = ov_worker_client_run_json (
      "posix.pread", folder, "a", SIZE, 4096, 1, "warm",
      ",\"time-limit\":50000000,\"order\":\"random\",\"requests\":1000000000");
  g_autofree char *blocks = NULL;
  g_auto (GStrv) parts = g_strsplit (json, "\"job\":\"count\"", 2);
  JsonObject *event, *found;

  blocks = g_strjoinv ("\"job\":\"blocks\"", parts);
  ov_worker_client_send (client, blocks);
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  /* The limit is set just before the run's own clock begins. */
  g_assert_cmpint (json_object_get_int_member (found, "elapsed"), >=, 40000000);
  g_assert_cmpint (json_object_get_int_member (found, "completed"), >, 100);
  g_assert_cmpint (json_object_get_int_member (found, "bytes"), ==,
                   json_object_get_int_member (found, "completed") * 4096);
  g_assert_true (json_object_get_null_member (found, "stop-latency"));
  json_object_unref (event);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  client = ov_worker_client_new (NULL, TRUE);
  strategies = g_ptr_array_new_with_free_func (g_free);
  ov_worker_client_describe (client, add_strategy, NULL);
  g_assert_cmpint (strategies->len, >=, 18);
  ov_worker_client_lay_out (client, folder, "a", SIZE);
  g_test_add_data_func ("/worker/abort/warm", "warm", test_every_strategy);
  g_test_add_data_func ("/worker/abort/cold", "cold", test_every_strategy);
  g_test_add_data_func ("/worker/abort/bypassed", "bypassed", test_every_strategy);
  g_test_add_func ("/worker/abort/phases", test_other_phases);
  g_test_add_func ("/worker/abort/layout", test_layout);
  g_test_add_func ("/worker/abort/time-limit", test_time_limit);
  status = g_test_run ();
  g_ptr_array_unref (strategies);
  ov_worker_client_end (client);
  g_assert_cmpint (rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
