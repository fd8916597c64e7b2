/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A disk that hangs for good: a FUSE file system whose server is stopped in the middle of a run.
 * Stop ends, says where it is stuck and how to free it; a new run works at once.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "support/ov-hang-mount.h"
#include "support/ov-worker-client.h"

static OvHangMount hang;
static char *scratch; /**< on a healthy disk */

static void
wait_for_phase (OvWorkerClient *client, const char *phase)
{
  for (gboolean there = FALSE; !there;)
    {
      JsonObject *event = ov_worker_client_wait (client, "phase");

      there = strcmp (json_object_get_string_member (event, "phase"), phase) == 0;
      json_object_unref (event);
    }
}

static void
test_strategy (gconstpointer data)
{
  const char *strategy = data;
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *json = ov_worker_client_run_json (strategy, hang.file, NULL, 64 << 20, 65536, 2,
                                                     "cold", ",\"discard\":false");
  g_autofree char *healthy
      = ov_worker_client_run_json ("posix.read", scratch, "a", 1 << 20, 65536, 1, "warm", NULL);
  g_autofree char *look = g_strdup_printf ("{\"cmd\":\"preflight\",\"target\":\"%s\"}", hang.file);
  JsonObject *event, *run;
  const char *cause;

  ov_worker_client_send (client, json);
  wait_for_phase (client, "run");
  g_usleep (100000);
  kill (hang.server, SIGSTOP);
  g_usleep (100000);
  ov_worker_client_send (client, "{\"cmd\":\"abort\"}");
  event = ov_worker_client_wait (client, "result");
  run = json_object_get_object_member (event, "run");
  cause = json_object_get_string_member_with_default (run, "cause", "");
  g_test_message ("%s: %s: %s", strategy, json_object_get_string_member (run, "state"), cause);
  /* What waits interruptibly for the server can still be killed. */
  if (strcmp (json_object_get_string_member (run, "state"), "stopped") != 0)
    {
      g_assert_cmpstr (json_object_get_string_member (run, "state"), ==, "abandoned");
      g_assert_nonnull (strstr (cause, "Stuck in the kernel"));
      g_assert_nonnull (strstr (cause, "/sys/fs/fuse/connections/"));
      g_assert_cmpint (json_object_get_int_member (run, "stop-latency"), >, 1000000000);
    }
  /* What had been counted until then is kept; one big read had given nothing yet. */
  if (strcmp (strategy, "posix.whole-file") != 0)
    g_assert_cmpint (json_object_get_int_member (run, "bytes"), >, 0);
  json_object_unref (event);

  /* A look at the hung target hangs a child, not the session … */
  ov_worker_client_send (client, look);
  /* … which works on meanwhile. */
  ov_worker_client_lay_out (client, scratch, "a", 1 << 20);
  ov_worker_client_send (client, healthy);
  event = ov_worker_client_wait (client, "result");
  run = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (run, "state"), ==, "done");
  json_object_unref (event);
  kill (hang.server, SIGCONT);
  /* Nobody is left once the target lives again: asserted at the end of the client. */
  ov_worker_client_end (client);
}

/** A preflight of a hung target is answered. */
static void
test_preflight (void)
{
  OvWorkerClient *client = ov_worker_client_new (NULL, TRUE);
  g_autofree char *look
      = g_strdup_printf ("{\"cmd\":\"preflight\",\"target\":\"%s/other\"}", hang.folder);
  JsonObject *event;

  kill (hang.server, SIGSTOP);
  ov_worker_client_send (client, look);
  event = ov_worker_client_next (client);
  g_assert_cmpstr (json_object_get_string_member (event, "event"), ==, "error");
  g_assert_nonnull (strstr (json_object_get_string_member (event, "message"), "does not answer"));
  json_object_unref (event);
  kill (hang.server, SIGCONT);
  ov_worker_client_end (client);
}

int
main (int argc, char **argv)
{
  static const char *const strategies[]
      = { "posix.read", "posix.whole-file",     "mmap.scan", "uring.wait", "libaio.wait",
          "aio.wait",   "thread.double-buffer", "stdio.getc" };
  g_autofree char *reason = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  scratch = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  reason = ov_hang_mount_init (&hang);
  if (reason != NULL)
    {
      g_print ("1..0 # SKIP %s\n", reason);
      status = 0; /* TAP says it, not the exit status */
    }
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
        {
          g_autofree char *path = g_strdup_printf ("/worker/hang/%s", strategies[i]);

          g_test_add_data_func (path, strategies[i], test_strategy);
        }
      g_test_add_func ("/worker/hang/preflight", test_preflight);
      status = g_test_run ();
    }
  ov_hang_mount_clear (&hang);
  rmdir (scratch);
  g_free (scratch);
  return status;
}
