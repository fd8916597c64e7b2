/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbour of a run, and runs that are stopped on purpose: what is recorded, that it can be
 * true, and that no process is left.  No figure is a proof of anything else.
 */
#include <string.h>

#include <glib/gstdio.h>

#include "support/ov-worker-client.h"

#define SIZE (32 * 1024 * 1024)

static char *folder;
static OvWorkerClient *client;

/** The run of a `result` event; owned by the caller. */
static JsonObject *
run (const char *strategy, const char *more)
{
  g_autofree char *json
      = ov_worker_client_run_json (strategy, folder, "a", SIZE, 65536, 2, "warm", more);
  JsonObject *event;
  JsonObject *found;

  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "result");
  found = json_object_ref (json_object_get_object_member (event, "run"));
  json_object_unref (event);
  return found;
}

/** No process but the session and the holder of the file. */
static void
assert_only_holder (void)
{
  g_autoptr (GArray) children = NULL;

  for (guint i = 0; i < 2000; i++)
    {
      g_clear_pointer (&children, g_array_unref);
      children = ov_children_of (ov_worker_client_get_pid (client));
      if (children->len == 1)
        return;
      g_usleep (5000);
    }
  g_assert_cmpint (children->len, ==, 1);
}

static void
check_neighbour (const char *mode)
{
  g_autofree char *more = g_strdup_printf (",\"neighbour\":\"%s\"", mode);
  JsonObject *found = run ("posix.read", more);
  JsonObject *seen = json_object_get_object_member (found, "neighbour");
  JsonObject *lateness;
  gint64 elapsed, count;

  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  g_assert_nonnull (seen);
  g_assert_cmpstr (json_object_get_string_member (seen, "mode"), ==, mode);
  g_assert_true (json_object_get_null_member (seen, "processor") == (strcmp (mode, "free") == 0));
  elapsed = json_object_get_int_member (found, "elapsed");
  lateness = json_object_get_object_member (seen, "lateness");
  count = json_object_get_int_member (lateness, "count");
  /* Every whole millisecond of the run is a moment, late or not. */
  g_assert_cmpint (ABS (count - elapsed / 1000000), <=, 2);
  /* 200 ms were seen alone. */
  g_assert_cmpint (
      json_object_get_int_member (json_object_get_object_member (seen, "base"), "count"), >=, 199);
  g_assert_cmpfloat (json_object_get_double_member (seen, "base-rate"), >, 0);
  if (elapsed >= 20000000)
    g_assert_cmpfloat (json_object_get_double_member (seen, "rate"), >=, 0);
  else
    g_assert_true (json_object_get_null_member (seen, "rate"));
  json_object_unref (found);
  assert_only_holder ();
}

static void
test_free (void)
{
  check_neighbour ("free");
}

static void
test_shared (void)
{
  check_neighbour ("shared");
}

static void
test_none (void)
{
  JsonObject *found = run ("posix.read", "");

  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  g_assert_false (json_object_has_member (found, "neighbour")
                  && !json_object_get_null_member (found, "neighbour"));
  json_object_unref (found);
  assert_only_holder ();
}

/** The neighbour is no part of the strategy's process: stdio.getc takes no lock with it. */
static void
test_one_thread (void)
{
  JsonObject *found = run ("stdio.getc", ",\"neighbour\":\"free\"");

  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  /* Were there a thread, its waking each millisecond would be among the child's switches. */
  g_assert_cmpint (json_object_get_int_member (found, "voluntary-switches"), <,
                   json_object_get_int_member (found, "elapsed") / 1000000 / 2 + 20);
  json_object_unref (found);
  assert_only_holder ();
}

/** The neighbour ends with a run that is stopped, and with one that fails before it began. */
static void
test_ends (void)
{
  JsonObject *found = run ("posix.nothing", ",\"neighbour\":\"shared\"");

  g_assert_cmpstr (json_object_get_string_member (found, "state"), !=, "done");
  json_object_unref (found);
  assert_only_holder ();
  found = run ("stdio.getc", ",\"neighbour\":\"shared\",\"stop-after\":1000000");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), !=, "done");
  json_object_unref (found);
  assert_only_holder ();
}

/** A run is stopped by the session itself, and the time that took is the figure. */
static void
test_stop_after (void)
{
  JsonObject *found = run ("stdio.getc", ",\"stop-after\":1000000");
  const char *state = json_object_get_string_member (found, "state");

  g_assert_cmpstr (state, ==, "stopped");
  g_assert_cmpint (json_object_get_int_member (found, "stop-latency"), >=, 0);
  g_assert_cmpint (json_object_get_int_member (found, "elapsed"), >=, 1000000);
  g_assert_cmpint (json_object_get_int_member (found, "bytes"), <, SIZE);
  json_object_unref (found);
  /* One that is over before is just done. */
  found = run ("posix.read", ",\"stop-after\":900000000000");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  g_assert_true (json_object_get_null_member (found, "stop-latency"));
  json_object_unref (found);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-XXXXXX", NULL);
  client = ov_worker_client_new (NULL, TRUE);
  ov_worker_client_lay_out (client, folder, "a", SIZE);
  g_test_add_func ("/neighbour/none", test_none);
  g_test_add_func ("/neighbour/free", test_free);
  g_test_add_func ("/neighbour/shared", test_shared);
  g_test_add_func ("/neighbour/one-thread", test_one_thread);
  g_test_add_func ("/neighbour/ends", test_ends);
  g_test_add_func ("/stop-after", test_stop_after);
  status = g_test_run ();
  ov_worker_client_end (client);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
