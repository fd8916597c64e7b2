/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Targets as users give them: what cannot be used is refused with path and reason, and a user's own
 * file is only ever read.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "support/ov-worker-client.h"

static char *folder;
static OvWorkerClient *client;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static JsonObject *
preflight (const char *path, JsonObject **target)
{
  g_autofree char *json = g_strdup_printf ("{\"cmd\":\"preflight\",\"target\":\"%s\"}", path);
  JsonObject *event;

  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "preflight");
  *target = json_object_get_object_member (event, "target");
  return event;
}

static void
expect_refused (const char *path, const char *words)
{
  JsonObject *target;
  JsonObject *event = preflight (path, &target);
  const char *cause = json_object_get_string_member_with_default (target, "cause", "");

  g_test_message ("%s", cause);
  g_assert_cmpstr (json_object_get_string_member (target, "kind"), ==, "refused");
  g_assert_nonnull (strstr (cause, path));
  g_assert_nonnull (strstr (cause, words));
  json_object_unref (event);
}

static void
test_preflight (void)
{
  g_autofree char *fifo = in_folder ("fifo");
  g_autofree char *missing = in_folder ("missing");
  g_autofree char *link = in_folder ("link");
  g_autofree char *file = in_folder ("file");
  JsonObject *target, *event;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink (missing, link), ==, 0);
  g_assert_true (g_file_set_contents (file, "eel", 3, NULL));
  expect_refused (fifo, "FIFO");
  expect_refused (missing, "No such file");
  expect_refused (link, "No such file");
  expect_refused ("/dev/zero", "character device");
  event = preflight (file, &target);
  g_assert_cmpstr (json_object_get_string_member (target, "kind"), ==, "file");
  g_assert_cmpint (json_object_get_int_member (target, "size"), ==, 3);
  json_object_unref (event);
  event = preflight (folder, &target);
  g_assert_cmpstr (json_object_get_string_member (target, "kind"), ==, "folder");
  g_assert_true (json_object_get_boolean_member (target, "writable"));
  g_assert_cmpint (json_object_get_int_member (target, "free"), >, 0);
  g_assert_nonnull (json_object_get_string_member (target, "fs-type"));
  json_object_unref (event);
  g_unlink (fifo);
  g_unlink (link);
  g_unlink (file);
}

/** Runs posix.read over a file of the user's and returns the event. */
static JsonObject *
run_over (const char *path, guint64 size, const char *strategy, JsonObject **found)
{
  g_autofree char *json
      = ov_worker_client_run_json (strategy, path, NULL, size, 4096, 2, "warm", NULL);
  JsonObject *event;

  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "result");
  *found = json_object_get_object_member (event, "run");
  return event;
}

static void
expect_failed (const char *path, guint64 size, const char *words)
{
  JsonObject *found;
  JsonObject *event = run_over (path, size, "posix.read", &found);
  const char *cause = json_object_get_string_member_with_default (found, "cause", "");

  g_test_message ("%s", cause);
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "failed");
  g_assert_nonnull (strstr (cause, words));
  json_object_unref (event);
}

static void
test_run_over_no_file (void)
{
  g_autofree char *fifo = in_folder ("fifo");
  g_autofree char *missing = in_folder ("missing");
  g_autofree char *file = in_folder ("file");

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_true (g_file_set_contents (file, "eel", 3, NULL));
  expect_failed (fifo, 10, "a FIFO");
  expect_failed (folder, 10, "a folder");
  expect_failed ("/dev/zero", 10, "a character device");
  expect_failed ("/dev/null", 10, "a character device");
  expect_failed ("/proc/self/status", 10, "has only 0 bytes");
  expect_failed (missing, 10, "No such file");
  expect_failed (file, 4, "has only 3 bytes");
  g_unlink (fifo);
  g_unlink (file);
}

/** The user's file is the same afterwards: content, time of change, and it is still there. */
static void
test_own_file (void)
{
  g_autofree char *file = in_folder ("own");
  g_autofree char *text = g_strnfill (100000, 'e');
  g_autofree char *after = NULL;
  struct stat before, now;
  JsonObject *event, *found;

  text[70000] = 'x';
  g_assert_true (g_file_set_contents (file, text, 100000, NULL));
  g_assert_cmpint (chmod (file, 0400), ==, 0);
  g_assert_cmpint (stat (file, &before), ==, 0);
  event = run_over (file, 100000, "uring.wait", &found);
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  g_assert_cmpstr (json_object_get_string_member (found, "check"), ==, "count=99999");
  json_object_unref (event);
  g_assert_true (g_file_get_contents (file, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, text);
  g_assert_cmpint (stat (file, &now), ==, 0);
  g_assert_cmpint (now.st_mtim.tv_nsec, ==, before.st_mtim.tv_nsec);
  g_assert_cmpint (now.st_ino, ==, before.st_ino);
  g_unlink (file);
}

/** A file of 0 bytes is a valid target: nothing is read, nothing fails. */
static void
test_empty_file (void)
{
  static const char *const strategies[]
      = { "posix.read", "posix.whole-file", "mmap.scan", "stdio.getc",
          "uring.wait", "libaio.wait",      "aio.wait",  "thread.double-buffer" };
  g_autofree char *file = in_folder ("empty");

  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    {
      JsonObject *found;
      JsonObject *event = run_over (file, 0, strategies[i], &found);

      g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
      g_assert_cmpint (json_object_get_int_member (found, "bytes"), ==, 0);
      g_assert_cmpstr (json_object_get_string_member (found, "check"), ==, "count=0");
      json_object_unref (event);
    }
  g_unlink (file);
}

/** What somebody has mapped cannot be dropped from the cache: the result says that it was not cold.
 */
static void
test_mapped_file (void)
{
  g_autofree char *file = in_folder ("mapped");
  g_autofree char *text = g_strnfill (1 << 20, 'e');
  g_autofree char *json = NULL;
  g_autoptr (GMappedFile) mapped = NULL;
  JsonObject *event, *found;
  guint sum = 0;

  g_assert_true (g_file_set_contents (file, text, 1 << 20, NULL));
  mapped = g_mapped_file_new (file, FALSE, NULL);
  g_assert_nonnull (mapped);
  for (guint i = 0; i < 1 << 20; i += 512)
    sum += (guchar)g_mapped_file_get_contents (mapped)[i];
  g_assert_cmpuint (sum, ==, 2048 * 'e');
  json = ov_worker_client_run_json ("posix.read", file, NULL, 1 << 20, 4096, 2, "cold", NULL);
  ov_worker_client_send (client, json);
  event = ov_worker_client_wait (client, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  g_assert_cmpfloat (json_object_get_double_member (found, "resident-before"), >, 0.9);
  g_assert_nonnull (strstr (json_object_get_string_member (found, "effective"), "% resident"));
  json_object_unref (event);
  g_unlink (file);
}

/** A file system may take O_DIRECT and go through the page cache all the same: the result says so.
 */
static void
test_direct_is_cached (void)
{
  const char *environment[2] = { NULL, NULL };
  g_autofree char *preload = NULL;
  g_autofree char *json
      = ov_worker_client_run_json ("posix.pread", folder, "a", 4 << 20, 65536, 1, "bypassed", NULL);
  OvWorkerClient *cached;
  JsonObject *event, *found;
  const char *effective;

  if (g_getenv ("OVERLAP_CACHED_DIRECT") == NULL)
    {
      g_test_skip ("nothing can be loaded before the sanitizers");
      return;
    }
  preload = g_strdup_printf ("LD_PRELOAD=%s", g_getenv ("OVERLAP_CACHED_DIRECT"));
  environment[0] = preload;
  cached = ov_worker_client_new (environment, TRUE);
  ov_worker_client_lay_out (cached, folder, "a", 4 << 20);
  ov_worker_client_send (cached, json);
  event = ov_worker_client_wait (cached, "result");
  found = json_object_get_object_member (event, "run");
  g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "done");
  effective = json_object_get_string_member (found, "effective");
  if (strstr (effective, "direct=memory") != NULL)
    g_test_skip ("the temporary folder is in memory");
  else
    g_assert_nonnull (strstr (effective, "direct=buffered"));
  json_object_unref (event);
  ov_worker_client_end (cached);
}

/** RLIMIT_FSIZE: EFBIG instead of SIGXFSZ, a clear sentence, nothing left. */
static void
test_file_size_limit (void)
{
  struct rlimit old, small;
  OvWorkerClient *limited;
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"a\",\"size\":10000000}", folder);
  JsonObject *event;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 1 << 20;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  limited = ov_worker_client_new (NULL, TRUE);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  ov_worker_client_send (limited, json);
  event = ov_worker_client_wait (limited, "error");
  g_test_message ("%s", json_object_get_string_member (event, "message"));
  g_assert_nonnull (strstr (json_object_get_string_member (event, "message"), "File too large"));
  g_assert_nonnull (strstr (json_object_get_string_member (event, "message"), folder));
  json_object_unref (event);
  ov_worker_client_end (limited);
}

/** Options of a strategy: unknown ones and values out of range are refused in the worker too. */
static void
test_options (void)
{
  static const char *const wrong[]
      = { ",\"options\":{\"nonsense\":1}", ",\"options\":{\"batch\":99999999}" };
  g_autofree char *file = in_folder ("own");

  g_assert_true (g_file_set_contents (file, "eel", 3, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *json
          = ov_worker_client_run_json ("uring.wait", file, NULL, 3, 4096, 2, "warm", wrong[i]);
      JsonObject *event, *found;

      ov_worker_client_send (client, json);
      event = ov_worker_client_wait (client, "result");
      found = json_object_get_object_member (event, "run");
      g_assert_cmpstr (json_object_get_string_member (found, "state"), ==, "failed");
      g_test_message ("%s", json_object_get_string_member (found, "cause"));
      json_object_unref (event);
    }
  g_unlink (file);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-test-XXXXXX", NULL);
  client = ov_worker_client_new (NULL, TRUE);
  g_test_add_func ("/worker/input/preflight", test_preflight);
  g_test_add_func ("/worker/input/no-file", test_run_over_no_file);
  g_test_add_func ("/worker/input/own-file", test_own_file);
  g_test_add_func ("/worker/input/empty-file", test_empty_file);
  g_test_add_func ("/worker/input/mapped-file", test_mapped_file);
  g_test_add_func ("/worker/input/direct-is-cached", test_direct_is_cached);
  g_test_add_func ("/worker/input/file-size-limit", test_file_size_limit);
  g_test_add_func ("/worker/input/options", test_options);
  status = g_test_run ();
  ov_worker_client_end (client);
  g_assert_cmpint (rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
