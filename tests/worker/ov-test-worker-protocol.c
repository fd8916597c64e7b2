/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worker's side of docs/protocol.md: versions, garbage, order, the end of input.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/ov-message.h"
#include "support/ov-worker-client.h"

static char *folder;

static void
test_hello (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, FALSE);
  JsonObject *hello = ov_worker_client_next (client);
  JsonObject *machine;
  int status;

  g_assert_cmpstr (json_object_get_string_member (hello, "event"), ==, "hello");
  g_assert_cmpint (json_object_get_int_member (hello, "pid"), ==,
                   ov_worker_client_get_pid (client));
  machine = json_object_get_object_member (hello, "machine");
  g_assert_cmpint (json_object_get_int_member (machine, "cores"), >, 0);
  g_assert_cmpint (json_object_get_int_member (machine, "memory"), >, 1 << 20);
  g_assert_cmpint (json_object_get_int_member (machine, "clock-cost"), >, 0);
  json_object_unref (hello);
  status = ov_worker_client_end (client);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

/** Sends `text` as the first bytes and expects a session error and the end. */
static void
expect_refusal (const char *text)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, FALSE);
  JsonObject *event = ov_worker_client_next (client);
  int status;

  json_object_unref (event); /* hello */
  ov_worker_client_send_text (client, text);
  event = ov_worker_client_next (client);
  g_assert_nonnull (event);
  g_assert_cmpstr (json_object_get_string_member (event, "event"), ==, "error");
  g_assert_cmpstr (json_object_get_string_member (event, "code"), ==, "protocol");
  g_assert_false (json_object_has_member (event, "id"));
  json_object_unref (event);
  g_assert_null (ov_worker_client_next (client));
  status = ov_worker_client_end (client);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 1);
}

static void
test_garbage (void)
{
  g_autofree char *endless = g_strnfill (OV_MESSAGE_MAX + 10, 'a');

  expect_refusal ("hello\n");
  expect_refusal ("[1,2,3]\n");
  expect_refusal ("{\"overlap-protocol\":2}\n");
  expect_refusal ("{\"cmd\":\"describe\",\"id\":1}\n");
  expect_refusal ("{\"overlap-protocol\":1}\n{\"cmd\":\n");
  expect_refusal ("{\"overlap-protocol\":1}\n\xff\xfe\n");
  expect_refusal (endless);
}

static void
expect_error (OvWorkerClient *client, const char *json, const char *code)
{
  const guint id = ov_worker_client_send (client, json);
  JsonObject *event = ov_worker_client_wait (client, "error");

  g_assert_cmpstr (json_object_get_string_member (event, "code"), ==, code);
  g_assert_cmpint (json_object_get_int_member (event, "id"), ==, id);
  g_assert_cmpint (strlen (json_object_get_string_member (event, "message")), >, 5);
  json_object_unref (event);
}

/** A wrong command is answered, and the session goes on. */
static void
test_wrong_commands (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *no_file
      = ov_worker_client_run_json ("posix.read", folder, "nothing", 10, 4096, 1, "cold", NULL);
  g_autofree char *missing = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s/missing\",\"file\":\"a\",\"size\":10}", folder);
  g_autofree char *huge = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"a\",\"size\":4611686018427387904}", folder);

  expect_error (client, "{\"cmd\":\"dance\"}", "invalid");
  expect_error (client, "{\"cmd\":\"run\"}", "invalid");
  expect_error (client, "{\"cmd\":\"run\",\"spec\":7}", "invalid");
  expect_error (client, "{\"cmd\":\"run\",\"spec\":{\"strategy\":9}}", "invalid");
  expect_error (client, no_file, "not-found");
  expect_error (client, "{\"cmd\":\"forget\",\"file\":\"x\"}", "not-found");
  expect_error (client, missing, "not-found");
  expect_error (client, huge, "no-space");
  json_object_unref ((ov_worker_client_send (client, "{\"cmd\":\"describe\"}"),
                      ov_worker_client_wait (client, "described")));
  ov_worker_client_end (client);
}

static void
test_busy (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *run
      = ov_worker_client_run_json ("stdio.getc", folder, "a", 64 << 20, 0, 1, "warm", NULL);
  JsonObject *event;

  ov_worker_client_lay_out (client, folder, "a", 64 << 20);
  ov_worker_client_send (client, run);
  expect_error (client, run, "busy");
  /* These are taken at any time. */
  ov_worker_client_send (client, "{\"cmd\":\"preflight\",\"target\":\"/\"}");
  json_object_unref (ov_worker_client_wait (client, "preflight"));
  ov_worker_client_send (client, "{\"cmd\":\"abort\"}");
  event = ov_worker_client_wait (client, "result");
  g_assert_cmpstr (
      json_object_get_string_member (json_object_get_object_member (event, "run"), "state"), ==,
      "stopped");
  json_object_unref (event);
  ov_worker_client_end (client);
}

/** The end of input in the middle of a run ends everything; `_end` looks for children. */
static void
test_end_of_input (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *run
      = ov_worker_client_run_json ("stdio.getc", folder, "a", 64 << 20, 0, 1, "warm", NULL);
  int status;

  ov_worker_client_lay_out (client, folder, "a", 64 << 20);
  ov_worker_client_send (client, run);
  json_object_unref (ov_worker_client_wait (client, "snapshot"));
  ov_worker_client_close_input (client);
  status = ov_worker_client_end (client);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

/** SIGKILL to the session: its children die with it, and the file's space comes back. */
static void
test_killed_session (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *run
      = ov_worker_client_run_json ("stdio.getc", folder, "a", 64 << 20, 0, 1, "warm", NULL);
  const char *name;
  GDir *dir;
  int status;

  ov_worker_client_lay_out (client, folder, "a", 64 << 20);
  ov_worker_client_send (client, run);
  json_object_unref (ov_worker_client_wait (client, "snapshot"));
  kill (ov_worker_client_get_pid (client), SIGKILL);
  status = ov_worker_client_end (client);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  dir = g_dir_open (folder, 0, NULL);
  name = g_dir_read_name (dir);
  g_assert_cmpstr (name, ==, NULL);
  g_dir_close (dir);
}

/** Snapshots of a run until its result, oldest first; what tells of requests comes in all of them,
 *  the requests themselves only `with_log`. */
static void
check_snapshots (OvWorkerClient *client, const char *run, gboolean with_log)
{
  gint64 last = -1;
  guint n = 0;

  ov_worker_client_send (client, run);
  while (TRUE)
    {
      g_autoptr (JsonObject) event = ov_worker_client_next (client);
      const char *name;

      g_assert_nonnull (event);
      name = json_object_get_string_member (event, "event");
      g_assert_cmpstr (name, !=, "error");
      if (g_str_equal (name, "result"))
        break;
      if (!g_str_equal (name, "snapshot"))
        continue;
      g_assert_cmpint (json_object_get_int_member (event, "t"), >, last);
      last = json_object_get_int_member (event, "t");
      if (!json_object_has_member (event, "latency"))
        continue;
      n++;
      g_assert_cmpint (json_object_has_member (event, "log"), ==, with_log);
    }
  g_assert_cmpuint (n, >, 0);
}

/** Who does not look is told less often, and no less but for the newest requests. */
static void
test_report (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *run
      = ov_worker_client_run_json ("posix.pread", folder, "a", 64 << 20, 512, 1, "warm",
                                   ",\"timing\":\"timeline\",\"log-capacity\":100");
  JsonObject *event;

  ov_worker_client_lay_out (client, folder, "a", 64 << 20);
  ov_worker_client_send (client, "{\"cmd\":\"report\",\"every\":1000000000}");
  check_snapshots (client, run, FALSE);
  ov_worker_client_send (client, "{\"cmd\":\"report\",\"every\":0}");
  check_snapshots (client, run, TRUE);
  ov_worker_client_send (client, "{\"cmd\":\"report\",\"every\":60000000000}");
  event = ov_worker_client_wait (client, "error");
  g_assert_cmpstr (json_object_get_string_member (event, "code"), ==, "invalid");
  json_object_unref (event);
  ov_worker_client_end (client);
}

/** Whole result: figures that must hold for any run. */
static void
test_figures (void)
{
  static const char *const conditions[] = { "warm", "cold", "bypassed" };
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  gint64 expected;
  JsonObject *event;

  ov_worker_client_send (client, "{\"cmd\":\"layout\",\"target\":\"/var/tmp\",\"file\":\"a\","
                                 "\"size\":8388608,\"seed\":7,\"letter\":\"e\"}");
  event = ov_worker_client_wait (client, "laid-out");
  expected = json_object_get_int_member (event, "count");
  g_assert_cmpint (expected, >, 8388608 / 100);
  json_object_unref (event);
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      g_autofree char *json = ov_worker_client_run_json (
          "posix.pread", "/var/tmp", "a", 8388608, 65536, 1, conditions[i],
          ",\"timing\":\"timeline\",\"log-capacity\":100");
      g_autofree char *check = g_strdup_printf ("count=%" G_GINT64_FORMAT, expected);
      JsonObject *run, *log;

      ov_worker_client_send (client, json);
      log = ov_worker_client_wait (client, "log");
      event = ov_worker_client_wait (client, "result");
      run = json_object_get_object_member (event, "run");
      if (i == 2 && strcmp (json_object_get_string_member (run, "state"), "skipped") == 0)
        g_test_message ("/var/tmp has no direct I/O: %s",
                        json_object_get_string_member (run, "cause"));
      else
        {
          JsonArray *submit = json_object_get_array_member (log, "submit");
          JsonArray *complete = json_object_get_array_member (log, "complete");

          g_assert_cmpstr (json_object_get_string_member (run, "state"), ==, "done");
          g_assert_cmpint (json_object_get_int_member (run, "bytes"), ==, 8388608);
          g_assert_cmpint (json_object_get_int_member (run, "submitted"), ==, 128);
          g_assert_cmpint (json_object_get_int_member (run, "completed"), ==, 128);
          g_assert_cmpint (json_object_get_int_member (run, "elapsed"), >, 100000);
          g_assert_cmpint (json_object_get_int_member (run, "cpu"), >, 0);
          g_assert_cmpstr (json_object_get_string_member (run, "check"), ==, check);
          /* The log holds 100 of the 128, in order, within the run. */
          g_assert_cmpint (json_array_get_length (submit), ==, 100);
          g_assert_cmpint (json_object_get_int_member (run, "log-dropped"), ==, 28);
          for (guint r = 0; r < 100; r++)
            {
              g_assert_cmpint (json_array_get_int_element (submit, r), <=,
                               json_array_get_int_element (complete, r));
              g_assert_cmpint (json_array_get_int_element (complete, r), <=,
                               json_object_get_int_member (run, "elapsed") + 100000);
            }
          g_assert_cmpfloat (json_object_get_double_member (run, "resident-before"), ==,
                             i == 0 ? 1 : 0);
        }
      json_object_unref (log);
      json_object_unref (event);
    }
  ov_worker_client_end (client);
}

/** A machine that was suspended during a run has not measured anything: BOOTTIME went on, MONOTONIC
 *  did not. */
static void
test_suspended (void)
{
  const char *environment[2] = { NULL, NULL };
  g_autofree char *preload = NULL;
  g_autofree char *run
      = ov_worker_client_run_json ("posix.read", folder, "a", 1 << 20, 65536, 1, "warm", NULL);
  OvWorkerClient *client;
  JsonObject *event, *found;

  if (g_getenv ("OVERLAP_SLEEPY_CLOCK") == NULL)
    {
      g_test_skip ("nothing can be loaded before the sanitizers");
      return;
    }
  preload = g_strdup_printf ("LD_PRELOAD=%s", g_getenv ("OVERLAP_SLEEPY_CLOCK"));
  environment[0] = preload;
  client = ov_worker_client_new (environment, TRUE);
  ov_worker_client_lay_out (client, folder, "a", 1 << 20);
  ov_worker_client_send (client, run);
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "failed");
  g_assert_cmpstr (json_object_get_string_member (found, "cause"), ==,
                   "The machine slept during the run");
  /* What was seen is kept. */
  g_assert_cmpint (json_object_get_int_member (found, "bytes"), ==, 1 << 20);
  json_object_unref (event);
  ov_worker_client_end (client);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/worker/protocol/hello", test_hello);
  g_test_add_func ("/worker/protocol/garbage", test_garbage);
  g_test_add_func ("/worker/protocol/wrong-commands", test_wrong_commands);
  g_test_add_func ("/worker/protocol/busy", test_busy);
  g_test_add_func ("/worker/protocol/end-of-input", test_end_of_input);
  g_test_add_func ("/worker/protocol/killed-session", test_killed_session);
  g_test_add_func ("/worker/protocol/report", test_report);
  g_test_add_func ("/worker/protocol/figures", test_figures);
  g_test_add_func ("/worker/protocol/suspended", test_suspended);
  status = g_test_run ();
  g_assert_cmpint (rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
