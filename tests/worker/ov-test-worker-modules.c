/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plugin host with modules that are wrong on purpose: each is listed with its fault, or its run
 * fails with a clear cause, and the session goes on.
 */
#include <string.h>
#include <unistd.h>

#include "support/ov-worker-client.h"

static char *folder;
static OvWorkerClient *client;

/** What `describe` says of each module: file name without ".so" -> event. */
static GHashTable *modules;

static void
describe (void)
{
  JsonObject *event;

  modules
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)json_object_unref);
  ov_worker_client_send (client, "{\"cmd\":\"describe\"}");
  while ((event = ov_worker_client_next (client)) != NULL
         && strcmp (json_object_get_string_member (event, "event"), "described") != 0)
    {
      char *name = g_path_get_basename (json_object_get_string_member (event, "module"));

      g_assert_cmpstr (json_object_get_string_member (event, "event"), ==, "module");
      *strrchr (name, '.') = '\0';
      g_hash_table_insert (modules, name, event);
    }
  g_assert_nonnull (event);
  json_object_unref (event);
}

static void
test_faults (void)
{
  static const struct
  {
    const char *module;
    const char *words;
  } cases[] = {
    { "no-symbol", "does not export" },
    { "wrong-abi", "another version" },
    { "empty", "no strategies" },
    { "bad-id", "family.name" },
    { "wrong-family", "first part of the id" },
    { "no-run", "run or release is missing" },
    { "short-size", "size is too small" },
    { "bad-option", "out of its range" },
    { "crash-load", "crashed" },
    { "exit-load", "ended the process" },
    { "hang-load", "does not answer" },
    { "taken-id", "taken by" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JsonObject *event = g_hash_table_lookup (modules, cases[i].module);
      const char *fault;

      g_assert_nonnull (event);
      fault = json_object_get_string_member_with_default (event, "fault", "");
      g_test_message ("%s", fault);
      g_assert_nonnull (strstr (fault, cases[i].words));
      g_assert_nonnull (strstr (fault, cases[i].module));
      g_assert_false (json_object_has_member (event, "strategies"));
    }
}

static JsonObject *
only_strategy (const char *module)
{
  JsonObject *event = g_hash_table_lookup (modules, module);

  g_assert_nonnull (event);
  g_assert_false (json_object_has_member (event, "fault"));
  return json_array_get_object_element (json_object_get_array_member (event, "strategies"), 0);
}

static void
test_probe (void)
{
  JsonObject *strategy = only_strategy ("not-here");

  g_assert_false (json_object_get_boolean_member (strategy, "available"));
  g_assert_cmpstr (json_object_get_string_member (strategy, "cause"), ==,
                   "There is no such thing here; buy one.");
  g_assert_true (json_object_get_boolean_member (only_strategy ("future-size"), "available"));
}

/** Runs a strategy over 1 MiB; returns the event, and its run in *run. */
static JsonObject *
run (const char *strategy, JsonObject **out)
{
  g_autofree char *json
      = ov_worker_client_run_json (strategy, folder, "a", 1 << 20, 4096, 1, "warm", NULL);
  JsonObject *event;

  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "result");
  *out = json_object_get_object_member (event, "run");
  return event;
}

static void
test_runs (void)
{
  static const struct
  {
    const char *strategy;
    const char *state;
    const char *words;
  } cases[] = {
    { "crash-run.x", "failed", "crashed" },
    { "leaves-requests.x", "failed", "left 1 requests behind" },
    { "wrong-count.x", "failed", "counted 0 letters" },
    { "future-size.x", "failed", "counted 0 letters" },
    { "prints.x", "failed", "counted 0 letters" },
    { "few-bytes.x", "failed", "524288 bytes instead of 1048576" },
    { "positive.x", "failed", "it returned 77, and an error is a negative number" },
    { "not-here.x", "skipped", "buy one" },
    { "explains.x", "failed", "The block at 8192 cannot be read: Input/output error" },
    { "nobody.x", "failed", "No module has" },
    /* The session still works. */
    { "posix.read", "done", NULL },
  };

  ov_worker_client_lay_out (client, folder, "a", 1 << 20);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JsonObject *found;
      JsonObject *event = run (cases[i].strategy, &found);
      const char *cause = json_object_get_string_member_with_default (found, "cause", "");

      g_test_message ("%s: %s", cases[i].strategy, cause);
      g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, cases[i].state);
      if (cases[i].words != NULL)
        g_assert_nonnull (strstr (cause, cases[i].words));
      if (strcmp (cases[i].strategy, "explains.x") == 0)
        g_assert_cmpint (json_object_get_int_member (found, "error-offset"), ==, 8192);
      json_object_unref (event);
    }
}

/** A slot beyond the depth is the strategy's fault, and harms nothing. */
static void
test_wild_slot (void)
{
  g_autofree char *json = ov_worker_client_run_json ("wild-slot.x", folder, "a", 1 << 20, 4096, 1,
                                                     "warm", ",\"timing\":\"latency\"");
  JsonObject *event, *found;

  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "failed");
  g_assert_nonnull (strstr (json_object_get_string_member (found, "cause"), "beyond its depth"));
  json_object_unref (event);
}

/** A strategy that looks at no flag is killed, and what it did until then is kept. */
static void
test_deaf_strategy (void)
{
  g_autofree char *json = ov_worker_client_run_json ("hang-run.x", folder, "a", 1 << 20, 4096, 1,
                                                     "warm", ",\"discard\":false");
  JsonObject *event, *found;

  ov_worker_client_send (client, json);
  for (gboolean running = FALSE; !running;)
    {
      event = ov_worker_client_wait (client, "phase");
      running = strcmp (json_object_get_string_member (event, "phase"), "run") == 0;
      json_object_unref (event);
    }
  ov_worker_client_send (client, "{\"cmd\":\"abort\"}");
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "stopped");
  g_assert_nonnull (strstr (json_object_get_string_member (found, "cause"), "Killed"));
  g_assert_cmpint (json_object_get_int_member (found, "bytes"), ==, 4096);
  /* The ladder's first rung lasts 100 ms. */
  g_assert_cmpint (json_object_get_int_member (found, "stop-latency"), >=, 100000000);
  json_object_unref (event);

  /* With force it is killed at once: the second run proves that the session lives on, too. */
  ov_worker_client_send (client, json);
  json_object_unref (ov_worker_client_wait (client, "snapshot"));
  ov_worker_client_send (client, "{\"cmd\":\"abort\",\"force\":true}");
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "stopped");
  json_object_unref (event);
}

/** Jobs without a file. */
static void
test_hardware (void)
{
  static const struct
  {
    const char *strategy;
    const char *job;
    const char *target;
    const char *words;
  } cases[] = {
    { "lost-ticks.x", "ticks", "machine:", "accounted for 99 of 100 (ticks)" },
    { "wrong-access.x", "port", "machine:", "on fire" },
    { "wrong-access.x", "port", "/tmp", "has no file" },
    /* Looks neither at its limit nor at the flag: the watchdog ends it. */
    { "spin-ticks.x", "ticks", "machine:", "Ended by the watchdog" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json = g_strdup_printf (
          "{\"cmd\":\"run\",\"spec\":{\"strategy\":\"%s\",\"job\":\"%s\",\"target\":\"%s\","
          "\"requests\":100,\"rate\":1000,\"discard\":false,\"time-limit\":1000000}}",
          cases[i].strategy, cases[i].job, cases[i].target);
      JsonObject *event, *found;
      const char *cause;

      ov_worker_client_send (client, json);
      event = ov_worker_client_wait (client, "result");
      found = json_object_get_object_member (event, "run");
      cause = json_object_get_string_member_with_default (found, "cause", "");
      g_test_message ("%s: %s", cases[i].strategy, cause);
      g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "failed");
      g_assert_nonnull (strstr (cause, cases[i].words));
      json_object_unref (event);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  const char *environment[2] = { NULL, NULL };
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  path = g_strdup_printf ("OVERLAP_PLUGIN_PATH=%s:/nonexistent", g_getenv ("OVERLAP_FAULTY_DIR"));
  environment[0] = path;
  client = ov_worker_client_new (environment, TRUE);
  describe ();
  g_test_add_func ("/worker/modules/faults", test_faults);
  g_test_add_func ("/worker/modules/probe", test_probe);
  g_test_add_func ("/worker/modules/runs", test_runs);
  g_test_add_func ("/worker/modules/wild-slot", test_wild_slot);
  g_test_add_func ("/worker/modules/deaf", test_deaf_strategy);
  g_test_add_func ("/worker/modules/hardware", test_hardware);
  status = g_test_run ();
  g_hash_table_unref (modules);
  ov_worker_client_end (client);
  g_assert_cmpint (rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
