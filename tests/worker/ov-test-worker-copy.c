/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The copy family and the profile, through the worker: bytes exact whatever the size, both parts
 * timed, calls counted, a limit on locked memory named, and the copy on top of the profile.
 */
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "support/ov-worker-client.h"

#define BLOCK 65536

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

static const char *const strategies[]
    = { "copy.direct",     "copy.bytes",   "copy.memcpy", "copy.pinned",
        "copy.registered", "copy.odirect", "copy.stdio" };
static char *folder;
static OvWorkerClient *client;

static void
lay_out (const char *name, guint64 size)
{
  g_autofree char *json = g_strdup_printf ("{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"%s\","
                                           "\"size\":%" G_GUINT64_FORMAT ",\"empty\":true}",
                                           folder, name, size);

  ov_worker_client_send (client, json);
  json_object_unref (ov_worker_client_wait (client, "laid-out"));
}

/** The run of a `result` event; owned by the caller. */
static JsonObject *
transfer (const char *strategy, const char *file, guint64 size, guint64 block, const char *more)
{
  g_autofree char *json = g_strdup_printf (
      "{\"cmd\":\"run\",\"spec\":{\"strategy\":\"%s\",\"job\":\"transfer\",\"target\":\"%s\","
      "\"file\":\"%s\",\"size\":%" G_GUINT64_FORMAT ",\"block\":%" G_GUINT64_FORMAT
      ",\"discard\":false,\"seed\":7%s}}",
      strategy, folder, file, size, block, more);

  return ov_worker_client_run (client, json, NULL, 0);
}

/** FALSE where the strategy cannot work here, which must have been said. */
static gboolean
is_done (JsonObject *run, const char *strategy)
{
  const char *state = json_object_get_string_member (run, "state");

  if (strcmp (state, "skipped") == 0
      || (strcmp (strategy, "copy.odirect") == 0 && strcmp (state, "failed") == 0))
    {
      g_assert_cmpstr (ov_run_cause (run), !=, "");
      g_test_message ("%s: %s", strategy, ov_run_cause (run));
      return FALSE;
    }
  if (strcmp (state, "done") != 0)
    g_test_message ("%s: %s: %s", strategy, state, ov_run_cause (run));
  g_assert_cmpstr (state, ==, "done");
  return TRUE;
}

/** What was written is what is read, by the strategy and by the worker, at every border of a
 *  chunk, in order and at random places. */
static void
test_exact (void)
{
  static const guint64 sizes[]
      = { 0, 1, 4096, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 4097 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", s);
      g_autofree char *check = NULL;

      lay_out (name, sizes[s]);
      for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
        for (guint random = 0; random < 2; random++)
          {
            JsonObject *run = transfer (strategies[i], name, sizes[s], BLOCK,
                                        random ? ",\"verify\":true,\"work\":\"none\","
                                                 "\"order\":\"random\""
                                               : ",\"verify\":true,\"work\":\"crc32c\"");

            if (is_done (run, strategies[i]))
              {
                const char *effective = json_object_get_null_member (run, "effective")
                                            ? ""
                                            : json_object_get_string_member (run, "effective");

                /* What did not go past the cache after all is said, and nothing else is. */
                g_assert_cmpint (strstr (effective, "tail=cached") != NULL, ==,
                                 strcmp (strategies[i], "copy.odirect") == 0
                                     && sizes[s] % 4096 != 0);
                if (check == NULL)
                  check = g_strdup (json_object_get_string_member (run, "check"));
                g_assert_cmpstr (json_object_get_string_member (run, "check"), ==, check);
                g_assert_cmpint (json_object_get_int_member (run, "bytes"), ==,
                                 (gint64)(2 * sizes[s]));
                g_assert_cmpint (json_object_get_int_member (run, "write-elapsed")
                                     + json_object_get_int_member (run, "read-elapsed"),
                                 ==, json_object_get_int_member (run, "elapsed"));
              }
            json_object_unref (run);
          }
    }
}

/** Under "cold" the bytes come back from the device, where there is one, and what that takes in
 *  between counts in neither part. */
static void
test_cold (void)
{
  const guint64 size = 64 * BLOCK;

  lay_out ("cold", size);
  for (guint i = 0; i < 2; i++)
    {
      JsonObject *run = transfer ("copy.memcpy", "cold", size, BLOCK,
                                  i == 0 ? ",\"condition\":\"warm\",\"work\":\"none\""
                                         : ",\"condition\":\"cold\",\"work\":\"none\"");
      const char *effective = json_object_get_string_member (run, "effective");

      g_assert_true (is_done (run, "copy.memcpy"));
      g_assert_cmpint (json_object_get_int_member (run, "write-elapsed")
                           + json_object_get_int_member (run, "read-elapsed"),
                       ==, json_object_get_int_member (run, "elapsed"));
      g_assert_cmpint (json_object_get_int_member (run, "write-cpu")
                           + json_object_get_int_member (run, "read-cpu"),
                       ==, json_object_get_int_member (run, "cpu"));
      if (i == 0 || effective == NULL)
        g_assert_true (effective == NULL || strstr (effective, "read-part") == NULL);
      else if (strstr (effective, "read-part=device") != NULL)
        {
          g_assert_cmpint (json_object_get_int_member (run, "device-bytes"), >=, (gint64)size);
          g_assert_cmpint (json_object_get_int_member (run, "stable"), >,
                           json_object_get_int_member (run, "elapsed"));
        }
      else
        g_test_message ("nothing is read from a device here: %s", effective);
      json_object_unref (run);
    }
}

/** One call for each chunk each way, copied or not. */
static void
test_calls (void)
{
  const guint64 size = 16 * BLOCK;

  lay_out ("calls", size);
  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    {
      JsonObject *run = transfer (strategies[i], "calls", size, BLOCK, ",\"work\":\"none\"");

      if (is_done (run, strategies[i]) && strcmp (strategies[i], "copy.stdio") != 0)
        {
          g_assert_cmpint (json_object_get_int_member (run, "submitted"), ==, 32);
          g_assert_cmpint (json_object_get_int_member (run, "completed"), ==, 32);
          if (strcmp (strategies[i], "copy.registered") != 0)
            g_assert_cmpint (json_object_get_int_member (run, "system-writes"), ==, 16);
        }
      json_object_unref (run);
    }
}

/** The copy is the first symbol of the program's own in the profile. */
static void
test_profile (void)
{
  const guint64 size = 64 * 1024 * 1024;
  JsonObject *run, *profile;
  JsonArray *symbols;
  const char *first = NULL;

  lay_out ("profile", size);
  run = transfer ("copy.bytes", "profile", size, 1024 * 1024,
                  ",\"work\":\"none\",\"profile\":true");
  g_assert_true (is_done (run, "copy.bytes"));
  profile = json_object_get_object_member (run, "profile");
  g_assert_nonnull (profile);
  if (json_object_get_null_member (profile, "event"))
    {
      g_test_skip (json_object_get_string_member (profile, "note"));
      json_object_unref (run);
      return;
    }
  symbols = json_object_get_array_member (profile, "symbols");
  for (guint i = 0; i < json_array_get_length (symbols) && first == NULL; i++)
    {
      JsonObject *symbol = json_array_get_object_element (symbols, i);

      if (strcmp (json_object_get_string_member (symbol, "module"), "kernel") != 0)
        first = json_object_get_string_member (symbol, "symbol");
    }
  if (!json_object_get_null_member (profile, "note"))
    g_test_message ("%s", json_object_get_string_member (profile, "note"));
  g_assert_cmpint (json_object_get_int_member (profile, "samples"), >, 0);
  /* Without libdw only exported functions have names. */
  if (json_object_get_null_member (profile, "note")
      || strstr (json_object_get_string_member (profile, "note"), "libdw") == NULL)
    g_assert_cmpstr (first, ==, "copy_bytes");
  json_object_unref (run);
  run = transfer ("copy.bytes", "profile", size, 1024 * 1024, ",\"work\":\"none\"");
  g_assert_false (json_object_has_member (run, "profile")
                  && !json_object_get_null_member (run, "profile"));
  json_object_unref (run);
}

/** An ordinary user, who may lock 64K: what cannot be locked is said with both figures, and the
 *  others work. */
static void
test_memlock (void)
{
  const struct rlimit limit = { 65536, 65536 };
  const guint64 size = 4 * 1024 * 1024;

  ov_worker_client_end (client);
  /* A superuser's process takes no notice of the limit; its children shall. */
  prctl (PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0);
  g_assert_cmpint (setrlimit (RLIMIT_MEMLOCK, &limit), ==, 0);
  client = ov_worker_client_new (NULL, TRUE);
  lay_out ("locked", size);
  for (guint i = 0; i < G_N_ELEMENTS (strategies); i++)
    {
      JsonObject *run = transfer (strategies[i], "locked", size, 1024 * 1024, ",\"work\":\"none\"");

      if (SANITIZED && strcmp (strategies[i], "copy.pinned") == 0)
        g_test_message ("the sanitizer turns mlock() into nothing");
      else if (strcmp (strategies[i], "copy.pinned") == 0)
        {
          g_assert_cmpstr (json_object_get_string_member (run, "state"), ==, "skipped");
          g_assert_nonnull (strstr (ov_run_cause (run), "65536"));
          g_assert_nonnull (strstr (ov_run_cause (run), "1048576"));
        }
      else if (strcmp (strategies[i], "copy.registered") == 0)
        g_assert_cmpstr (json_object_get_string_member (run, "state"), ==, "skipped");
      else
        is_done (run, strategies[i]);
      json_object_unref (run);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("overlap-XXXXXX", NULL);
  client = ov_worker_client_new (NULL, TRUE);
  g_test_add_func ("/copy/exact", test_exact);
  g_test_add_func ("/copy/cold", test_cold);
  g_test_add_func ("/copy/calls", test_calls);
  g_test_add_func ("/copy/profile", test_profile);
  g_test_add_func ("/copy/memlock", test_memlock);
  status = g_test_run ();
  ov_worker_client_end (client);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
