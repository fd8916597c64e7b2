/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stop, for every strategy that writes or transfers, in every phase of such a run: it ends, says
 * so, leaves no process and no file, and the next run finds its file in order.
 */
#include <string.h>
#include <unistd.h>

#include "support/ov-worker-client.h"

#define SIZE  (8u << 20)
#define BLOCK 65536

typedef struct
{
  char *id;
  const char *job;
  gboolean only_direct;
} Strategy;

static char *folder;
static OvWorkerClient *client;
static GArray *strategies; /**< of Strategy: a row for each job of each that can run here */
static guint n_stopped;

static void
add_strategy (JsonObject *strategy, gpointer data)
{
  static const char *const jobs[] = { "write", "transfer" };

  for (guint j = 0; j < G_N_ELEMENTS (jobs); j++)
    {
      Strategy row = { .job = jobs[j] };

      if (!ov_json_has_text (strategy, "jobs", jobs[j])
          || !json_object_get_boolean_member (strategy, "available"))
        continue;
      row.id = g_strdup (json_object_get_string_member (strategy, "id"));
      row.only_direct = ov_json_has_text (strategy, "caps", "direct-only");
      g_array_append_val (strategies, row);
    }
}

/** Starts a run; with a phase, aborts it `delay_us` after that was reported ("" is at once). */
static JsonObject *
run_and_abort (const Strategy *strategy, guint64 size, const char *more, const char *phase,
               gulong delay_us)
{
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"run\",\"spec\":{\"strategy\":\"%s\",\"job\":\"%s\",\"target\":\"%s\",\"file\":"
      "\"a\",\"size\":%" G_GUINT64_FORMAT
      ",\"block\":%u,\"depth\":4,\"condition\":\"%s\",\"seed\":7,"
      "\"verify\":true,\"work\":\"none\",\"discard\":true%s}}",
      strategy->id, strategy->job, folder, size, BLOCK, strategy->only_direct ? "bypassed" : "warm",
      more);

  return ov_worker_client_run (client, json, phase, delay_us);
}

static void
abort_at (const Strategy *strategy, const char *more, const char *phase, gulong delay_us)
{
  JsonObject *run = run_and_abort (strategy, SIZE, more, phase, delay_us);
  const char *state = json_object_get_string_member (run, "state");

  g_test_message ("%s, %s%s at %s: %s %s", strategy->id, strategy->job, more,
                  *phase != '\0' ? phase : "start", state, ov_run_cause (run));
  /* What memory may not be locked, or O_DIRECT not done here, is said. */
  if (strcmp (state, "skipped") == 0 || strcmp (state, "failed") == 0)
    g_assert_cmpstr (ov_run_cause (run), !=, "");
  else
    g_assert_true (strcmp (state, "stopped") == 0 || strcmp (state, "done") == 0);
  if (strcmp (state, "failed") == 0)
    g_assert_cmpstr (strategy->id, ==, "copy.odirect");
  if (strcmp (state, "stopped") == 0)
    {
      n_stopped++;
      ov_assert_stopped (run);
    }
  json_object_unref (run);
  ov_worker_client_assert_only_holder (client);
}

/** After a stop at any moment the file is made anew, and the right bytes are in it. */
static void
assert_next_run (const Strategy *strategy)
{
  JsonObject *run = run_and_abort (strategy, 5 * BLOCK + 4096, "", NULL, 0);
  const char *state = json_object_get_string_member (run, "state");

  if (strcmp (state, "done") != 0)
    {
      g_test_message ("%s: %s", strategy->id, ov_run_cause (run));
      g_assert_cmpstr (ov_run_cause (run), !=, "");
    }
  else
    g_assert_true (g_str_has_prefix (json_object_get_string_member (run, "check"), "crc32c="));
  json_object_unref (run);
}

static void
test_every_strategy (void)
{
  n_stopped = 0;
  for (guint i = 0; i < strategies->len; i++)
    {
      const Strategy *strategy = &g_array_index (strategies, Strategy, i);

      abort_at (strategy, "", i % 2 == 0 ? "" : "discard", 0);
      abort_at (strategy, "", "run", 0);
      assert_next_run (strategy);
    }
  /* At the start nothing can have been over. */
  g_assert_cmpuint (n_stopped, >=, strategies->len / 2 - 1);
}

static const Strategy *
find (const char *id, const char *job)
{
  for (guint i = 0; i < strategies->len; i++)
    if (strcmp (g_array_index (strategies, Strategy, i).id, id) == 0
        && strcmp (g_array_index (strategies, Strategy, i).job, job) == 0)
      return &g_array_index (strategies, Strategy, i);
  g_test_message ("%s cannot run here", id);
  return NULL;
}

/** Each named phase of a run that writes, at each of its durability points. */
static void
test_phases (void)
{
  static const char *const phases[] = { "probe", "restore", "discard", "condition", "prepare",
                                        "run",   "sync",    "verify",  "release" };
  static const char *const durabilities[]
      = { "", ",\"durability\":\"fdatasync\"", ",\"durability\":\"dsync\"" };
  const Strategy *const rows[]
      = { find ("fwrite.blocks", "write"), find ("copy.memcpy", "transfer") };

  n_stopped = 0;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint k = 0; rows[i] != NULL && k < G_N_ELEMENTS (phases); k++)
      abort_at (rows[i], durabilities[(i + k) % 3], phases[k], 0);
  g_assert_cmpuint (n_stopped, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i] != NULL)
      assert_next_run (rows[i]);
}

/** The layout of an empty file stops or is done; a file is there to be used, or none. */
static void
test_layout (void)
{
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"b\",\"size\":1073741824,\"empty\":true}",
      folder);
  JsonObject *event;
  const char *name;

  ov_worker_client_send (client, json);
  ov_worker_client_send (client, "{\"cmd\":\"abort\"}");
  do
    {
      event = ov_worker_client_next (client);
      g_assert_nonnull (event);
      name = g_intern_string (json_object_get_string_member (event, "event"));
      if (strcmp (name, "error") == 0)
        g_assert_cmpstr (json_object_get_string_member (event, "code"), ==, "cancelled");
      json_object_unref (event);
    }
  while (strcmp (name, "error") != 0 && strcmp (name, "laid-out") != 0);
  if (strcmp (name, "laid-out") == 0)
    ov_worker_client_send (client, "{\"cmd\":\"forget\",\"file\":\"b\"}");
  ov_worker_client_assert_only_holder (client);
}

static void
lay_out (void)
{
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"a\",\"size\":%u,\"empty\":true}", folder,
      SIZE);

  ov_worker_client_send (client, json);
  json_object_unref (ov_worker_client_wait (client, "laid-out"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  client = ov_worker_client_new (NULL, TRUE);
  strategies = g_array_new (FALSE, FALSE, sizeof (Strategy));
  ov_worker_client_describe (client, add_strategy, NULL);
  g_assert_cmpuint (strategies->len, >=, 12);
  lay_out ();
  g_test_add_func ("/worker/write-abort/strategies", test_every_strategy);
  g_test_add_func ("/worker/write-abort/phases", test_phases);
  g_test_add_func ("/worker/write-abort/layout", test_layout);
  status = g_test_run ();
  for (guint i = 0; i < strategies->len; i++)
    g_free (g_array_index (strategies, Strategy, i).id);
  g_array_unref (strategies);
  ov_worker_client_end (client);
  g_assert_cmpint (rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
