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

static gboolean
counts (JsonObject *strategy)
{
  JsonArray *jobs = json_object_get_array_member (strategy, "jobs");

  for (guint i = 0; i < json_array_get_length (jobs); i++)
    if (strcmp (json_array_get_string_element (jobs, i), "count") == 0)
      return TRUE;
  return FALSE;
}

static void
describe (void)
{
  JsonObject *event;

  strategies = g_ptr_array_new_with_free_func (g_free);
  ov_worker_client_send (client, "{\"cmd\":\"describe\"}");
  while (strcmp (json_object_get_string_member ((event = ov_worker_client_next (client)), "event"),
                 "described")
         != 0)
    {
      JsonArray *list = json_object_get_array_member (event, "strategies");

      g_assert_nonnull (list);
      for (guint i = 0; i < json_array_get_length (list); i++)
        {
          JsonObject *strategy = json_array_get_object_element (list, i);

          if (!counts (strategy))
            continue;
          if (json_object_get_boolean_member (strategy, "available"))
            g_ptr_array_add (strategies, g_strdup (json_object_get_string_member (strategy, "id")));
          else
            g_test_message ("%s: %s", json_object_get_string_member (strategy, "id"),
                            json_object_get_string_member (strategy, "cause"));
        }
      json_object_unref (event);
    }
  json_object_unref (event);
  g_assert_cmpint (strategies->len, >=, 18);
}

/** No process but the session and the holder of the file. */
static void
assert_only_holder (void)
{
  g_autoptr (GArray) children = NULL;

  for (guint i = 0; i < 1000; i++)
    {
      g_clear_pointer (&children, g_array_unref);
      children = ov_children_of (ov_worker_client_get_pid (client));
      if (children->len == 1)
        return;
      g_usleep (5000);
    }
  g_assert_cmpint (children->len, ==, 1);
}

/** Starts a run, aborts it `delay_us` after the phase was reported (or after it was sent, for NULL)
 *  and looks at what comes. */
static void
abort_at (const char *strategy, const char *condition, const char *phase, gulong delay_us)
{
  g_autofree char *json = ov_worker_client_run_json (strategy, folder, "a", SIZE, 65536, 4,
                                                     condition, ",\"timing\":\"latency\"");
  JsonObject *event = NULL, *found;
  const char *state;
  guint results = 0;

  ov_worker_client_send (client, json);
  for (gboolean there = phase == NULL; !there;)
    {
      event = ov_worker_client_next (client);
      g_assert_nonnull (event);
      /* Over before the phase was seen: nothing to stop, and nothing wrong. */
      if (strcmp (json_object_get_string_member (event, "event"), "result") == 0)
        {
          results++;
          break;
        }
      there = strcmp (json_object_get_string_member (event, "event"), "phase") == 0
              && strcmp (json_object_get_string_member (event, "phase"), phase) == 0;
      json_object_unref (event);
    }
  g_usleep (delay_us);
  ov_worker_client_send (client, "{\"cmd\":\"abort\"}");
  if (results == 0)
    event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  state = json_object_get_string_member (found, "state");
  g_test_message ("%s %s at %s: %s, %" G_GINT64_FORMAT " us", strategy, condition,
                  phase != NULL ? phase : "start", state,
                  json_object_has_member (found, "stop-latency")
                          && !json_object_get_null_member (found, "stop-latency")
                      ? json_object_get_int_member (found, "stop-latency") / 1000
                      : -1);
  /* A run that was over in the meantime is done; whatever else is wrong. */
  g_assert_true (strcmp (state, "stopped") == 0 || strcmp (state, "done") == 0
                 || (strcmp (state, "skipped") == 0 && strcmp (condition, "bypassed") == 0));
  if (strcmp (state, "stopped") == 0)
    {
      g_assert_cmpint (json_object_get_int_member (found, "stop-latency"), >=, 0);
      /* What was submitted came back, unless it was killed in a call that nothing interrupts. */
      if (!json_object_get_null_member (found, "submitted")
          && json_object_get_null_member (found, "cause"))
        g_assert_cmpint (json_object_get_int_member (found, "submitted"), ==,
                         json_object_get_int_member (found, "completed"));
    }
  json_object_unref (event);
  assert_only_holder ();
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
      assert_only_holder ();
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
  describe ();
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
