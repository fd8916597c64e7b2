/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The connection against workers that break: it says why, once, and leaves nothing behind.
 */
#include "config.h"

#include <signal.h>

#include "base/ov-error.h"
#include "engine/ov-catalog.h"
#include "engine/ov-connection.h"
#include "engine/ov-patience-private.h"
#include "tests/support/ov-engine-fixture.h"

typedef struct
{
  OvConnection *connection;
  guint n_messages;
  guint n_closed;
  gboolean closed;
  gboolean greeted;
  GError *error;
} Line;

static void
on_message (OvConnection *connection, JsonObject *message, Line *line)
{
  g_assert_cmpuint (line->n_closed, ==, 0);
  line->n_messages++;
  line->greeted = TRUE;
}

static void
on_closed (OvConnection *connection, const GError *error, Line *line)
{
  line->n_closed++;
  line->closed = TRUE;
  if (error != NULL)
    line->error = g_error_copy (error);
}

static void
line_open (Line *line, const char *mode, gboolean prefix)
{
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher (mode, prefix);
  g_autoptr (GError) error = NULL;

  *line = (Line){ 0 };
  line->connection = ov_connection_new (launcher, "test", &error);
  g_assert_no_error (error);
  g_signal_connect (line->connection, "message", G_CALLBACK (on_message), line);
  g_signal_connect (line->connection, "closed", G_CALLBACK (on_closed), line);
}

static void
line_clear (Line *line)
{
  ov_fixture_run (50);
  g_assert_cmpuint (line->n_closed, ==, 1);
  g_clear_object (&line->connection);
  g_clear_error (&line->error);
}

/* ---- Workers that end by themselves or say nonsense ----------------------------------------- */

typedef struct
{
  const char *mode;
  OvErrorCode code;
  const char *words;   /* in the message */
  const char *command; /* sent at once, or NULL */
  gboolean kill;       /* it does not end by itself */
} Broken;

static const Broken broken[] = {
  { "exit", OV_ERROR_WORKER, "exit status 3", NULL, FALSE },
  { "exit", OV_ERROR_WORKER, "fake-worker: cannot go on", NULL, FALSE },
  { "version", OV_ERROR_PROTOCOL, "version 99", NULL, FALSE },
  { "banner", OV_ERROR_PROTOCOL, "Welcome to host.example", NULL, FALSE },
  { "no-hello", OV_ERROR_PROTOCOL, "does not greet", NULL, FALSE },
  { "killed-describe", OV_ERROR_WORKER, "signal 9", "describe", FALSE },
  { "silent", OV_ERROR_CANCELLED, "ended", NULL, TRUE },
  { "deaf", OV_ERROR_CANCELLED, "ended", NULL, TRUE },
  { "slow-hello", OV_ERROR_CANCELLED, "ended", NULL, TRUE },
};

static void
test_broken (gconstpointer data)
{
  const Broken *b = data;
  Line line;

  ov_fixture_begin ();
  line_open (&line, b->mode, FALSE);
  if (b->command != NULL)
    ov_connection_send (line.connection, b->command, NULL);
  if (b->kill)
    {
      ov_fixture_run (150);
      g_assert_false (line.closed);
      ov_connection_kill (line.connection);
    }
  ov_fixture_wait (&line.closed, 10);
  g_assert_error (line.error, OV_ERROR, (int)b->code);
  g_test_message ("%s", line.error->message);
  g_assert_nonnull (strstr (line.error->message, b->words));
  line_clear (&line);
  ov_fixture_end ();
}

/* ---- Ending --------------------------------------------------------------------------------- */

static void
test_bye (void)
{
  Line line;

  ov_fixture_begin ();
  line_open (&line, "good", FALSE);
  ov_fixture_wait (&line.greeted, 10);
  ov_connection_close (line.connection, 5000);
  ov_connection_close (line.connection, 5000);
  ov_fixture_wait (&line.closed, 4);
  g_assert_no_error (line.error);
  line_clear (&line);
  ov_fixture_end ();
}

/* It ignores bye, end of input and SIGTERM. */
static void
test_stays (void)
{
  Line line;

  ov_fixture_begin ();
  line_open (&line, "stays", FALSE);
  ov_fixture_wait (&line.greeted, 10);
  ov_connection_close (line.connection, 100);
  ov_fixture_wait (&line.closed, 10);
  g_assert_no_error (line.error);
  line_clear (&line);
  ov_fixture_end ();
}

/* Far more than a pipe holds to a worker that does not read: neither blocks nor SIGPIPE. */
static void
test_full_pipe (void)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  Line line;

  ov_fixture_begin ();
  line_open (&line, "deaf", FALSE);
  ov_fixture_wait (&line.greeted, 10);
  for (int i = 0; i < 20; i++)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "file", text);
      ov_connection_send (line.connection, "forget", object);
    }
  ov_fixture_run (50);
  ov_connection_close (line.connection, 100);
  ov_fixture_wait (&line.closed, 10);
  g_assert_no_error (line.error);
  line_clear (&line);
  ov_fixture_end ();
}

/* Writing to a worker that is gone, SIGPIPE being what it is by default. */
static void
test_write_after_death (void)
{
  Line line;

  ov_fixture_begin ();
  signal (SIGPIPE, SIG_DFL);
  line_open (&line, "exit", FALSE);
  g_usleep (300000);
  for (int i = 0; i < 10; i++)
    ov_connection_send (line.connection, "describe", NULL);
  ov_fixture_wait (&line.closed, 10);
  g_assert_error (line.error, OV_ERROR, OV_ERROR_WORKER);
  ov_connection_send (line.connection, "describe", NULL);
  ov_connection_close (line.connection, 10);
  ov_connection_kill (line.connection);
  line_clear (&line);
  ov_fixture_end ();
}

/* The last reference goes while the worker lives, and while "closed" is on its way. */
static void
test_unref (void)
{
  static const char *const modes[] = { "good", "silent", "deaf", "stays", "exit" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint ms = 0; ms <= 120; ms += 40)
      {
        Line line;

        ov_fixture_begin ();
        line_open (&line, modes[i], i % 2 == 0);
        if (ms > 0)
          ov_fixture_run (ms);
        g_clear_object (&line.connection);
        g_clear_error (&line.error);
        ov_fixture_end ();
      }
}

static void
unref_in_handler (OvConnection *connection, JsonObject *message, OvConnection **own)
{
  g_clear_object (own);
}

static void
test_unref_in_handler (void)
{
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher ("good", FALSE);
  OvConnection *connection;

  ov_fixture_begin ();
  connection = ov_connection_new (launcher, "test", NULL);
  g_signal_connect (connection, "message", G_CALLBACK (unref_in_handler), &connection);
  ov_fixture_run (500);
  g_assert_null (connection);
  ov_fixture_end ();
}

static void
test_no_program (void)
{
  g_autoptr (OvLauncher) launcher = ov_launcher_new (NULL);
  g_autoptr (OvConnection) connection = NULL;
  g_autoptr (GError) error = NULL;

  ov_fixture_begin ();
  g_free (launcher->worker);
  launcher->worker = g_strdup ("/nowhere/overlap-worker");
  connection = ov_connection_new (launcher, "test", &error);
  g_assert_null (connection);
  g_assert_error (error, OV_ERROR, OV_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "/nowhere/overlap-worker"));
  g_clear_error (&error);

  g_free (launcher->worker);
  launcher->worker = g_strdup ("/etc/passwd");
  connection = ov_connection_new (launcher, "test", &error);
  g_assert_null (connection);
  g_assert_error (error, OV_ERROR, OV_ERROR_PERMISSION);
  ov_fixture_end ();
}

/* ---- The launcher --------------------------------------------------------------------------- */

static void
test_launcher (void)
{
  static const char *const words[] = { "ssh", "host", NULL };
  g_autofree char *before = g_strdup (g_getenv ("OVERLAP_WORKER"));
  g_autoptr (OvLauncher) launcher = NULL;
  g_autoptr (OvLauncher) copy = NULL;

  g_setenv ("OVERLAP_WORKER", "/some/where", TRUE);
  launcher = ov_launcher_new (words);
  copy = ov_launcher_copy (launcher);
  g_assert_cmpstr (copy->worker, ==, "/some/where");
  g_assert_cmpstr (copy->prefix[1], ==, "host");
  g_assert_null (copy->prefix[2]);
  g_clear_pointer (&copy, ov_launcher_free);

  g_unsetenv ("OVERLAP_WORKER");
  copy = ov_launcher_new (NULL);
  g_assert_true (g_str_has_suffix (copy->worker, "overlap-worker"));
  g_assert_null (copy->prefix[0]);
  if (before != NULL)
    g_setenv ("OVERLAP_WORKER", before, TRUE);
}

/* ---- The catalogue -------------------------------------------------------------------------- */

typedef struct
{
  gboolean done;
  OvCatalog *catalog;
  OvTargetInfo *info;
  GError *error;
} Answer;

static void
on_catalog (GObject *source, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  g_assert_false (answer->done);
  answer->done = TRUE;
  answer->catalog = ov_catalog_load_finish (result, &answer->error);
  g_assert_true ((answer->catalog == NULL) == (answer->error != NULL));
}

static void
on_info (GObject *source, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  g_assert_false (answer->done);
  answer->done = TRUE;
  answer->info = ov_preflight_finish (result, &answer->error);
  g_assert_true ((answer->info == NULL) == (answer->error != NULL));
}

static void
answer_clear (Answer *answer)
{
  ov_catalog_free (answer->catalog);
  ov_target_info_free (answer->info);
  g_clear_error (&answer->error);
}

static void
test_catalog (void)
{
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher ("odd-describe", FALSE);
  Answer answer = { 0 };

  ov_fixture_begin ();
  ov_catalog_load_async (launcher, NULL, on_catalog, &answer);
  ov_fixture_wait (&answer.done, 10);
  g_assert_no_error (answer.error);
  g_assert_cmpstr (answer.catalog->machine->host, ==, "fake");
  g_assert_cmpuint (answer.catalog->strategies->len, ==, 0);
  g_assert_cmpuint (answer.catalog->faults->len, ==, 3);
  answer_clear (&answer);
  ov_fixture_end ();
}

static const Broken broken_catalogs[] = {
  { "exit", OV_ERROR_WORKER, "cannot go on", NULL, FALSE },
  { "silent", OV_ERROR_WORKER, "not ready after", NULL, FALSE },
  { "slow-hello", OV_ERROR_WORKER, "not ready after", NULL, FALSE },
  { "silent-describe", OV_ERROR_WORKER, "does not answer", NULL, FALSE },
  { "killed-describe", OV_ERROR_WORKER, "signal 9", NULL, FALSE },
  { "error-describe", OV_ERROR_PERMISSION, "Not for you", NULL, FALSE },
  { "version", OV_ERROR_PROTOCOL, "version 99", NULL, FALSE },
  { "banner", OV_ERROR_PROTOCOL, "Welcome", NULL, FALSE },
};

static void
test_broken_catalog (gconstpointer data)
{
  const Broken *b = data;
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher (b->mode, FALSE);
  Answer answer = { 0 };

  ov_fixture_begin ();
  ov_catalog_load_async (launcher, NULL, on_catalog, &answer);
  ov_fixture_wait (&answer.done, 10);
  g_assert_error (answer.error, OV_ERROR, (int)b->code);
  g_test_message ("%s", answer.error->message);
  g_assert_nonnull (strstr (answer.error->message, b->words));
  answer_clear (&answer);
  ov_fixture_end ();
}

static void
test_cancel_catalog (void)
{
  static const char *const modes[] = { "good", "silent", "silent-describe" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    for (guint ms = 0; ms <= 60; ms += 30)
      {
        g_autoptr (OvLauncher) launcher = ov_fixture_launcher (modes[i], FALSE);
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        Answer answer = { 0 };

        ov_fixture_begin ();
        ov_catalog_load_async (launcher, cancellable, on_catalog, &answer);
        if (ms > 0)
          ov_fixture_run (ms);
        g_cancellable_cancel (cancellable);
        ov_fixture_wait (&answer.done, 10);
        if (answer.error != NULL)
          g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        else /* it was faster than we */
          g_assert_true (i == 0 && ms > 0);
        answer_clear (&answer);
        ov_fixture_end ();
      }
}

static void
test_preflight (void)
{
  static const struct
  {
    const char *mode;
    const char *words; /* of the error, or NULL */
  } cases[] = {
    { "good", NULL },
    { "refused", NULL },
    { "silent-preflight", "“/some/\xc3\xa4 folder” does not answer" },
    { "bad-preflight", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (OvLauncher) launcher = ov_fixture_launcher (cases[i].mode, FALSE);
      Answer answer = { 0 };

      ov_fixture_begin ();
      ov_preflight_async (launcher, "/some/\xc3\xa4 folder", NULL, on_info, &answer);
      ov_fixture_wait (&answer.done, 10);
      if (cases[i].words != NULL)
        g_assert_nonnull (strstr (answer.error->message, cases[i].words));
      else
        {
          g_assert_no_error (answer.error);
          g_assert_cmpstr (answer.info->path, ==, "/some/\xc3\xa4 folder");
          g_assert_cmpint (answer.info->kind, ==, i == 0 ? OV_TARGET_FOLDER : OV_TARGET_REFUSED);
        }
      answer_clear (&answer);
      ov_fixture_end ();
    }
}

/* Behind a prefix, which may ask for a password, one worker serves all; not for ever. */
static void
test_parked (void)
{
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher ("good", TRUE);
  g_autoptr (OvLauncher) other = ov_fixture_launcher ("refused", TRUE);

  ov_fixture_begin ();
  for (guint i = 0; i < 4; i++)
    {
      Answer answer = { 0 };

      if (i % 2 == 0)
        ov_catalog_load_async (launcher, NULL, on_catalog, &answer);
      else
        ov_preflight_async (launcher, "/t", NULL, on_info, &answer);
      ov_fixture_wait (&answer.done, 10);
      g_assert_no_error (answer.error);
      if (i % 2 == 0)
        g_assert_cmpstr (answer.catalog->machine->host, ==, "fake");
      answer_clear (&answer);
    }
  g_assert_cmpuint (ov_fixture_count_processes (), ==, 1);
  {
    Answer first = { 0 };
    Answer second = { 0 };

    /* Another command line, and two at once, have workers of their own. */
    ov_preflight_async (other, "/t", NULL, on_info, &first);
    ov_preflight_async (other, "/t", NULL, on_info, &second);
    ov_fixture_wait (&first.done, 10);
    ov_fixture_wait (&second.done, 10);
    g_assert_cmpint (first.info->kind, ==, OV_TARGET_REFUSED);
    g_assert_cmpint (second.info->kind, ==, OV_TARGET_REFUSED);
    g_assert_cmpuint (ov_fixture_count_processes (), ==, 3);
    answer_clear (&first);
    answer_clear (&second);
  }
  ov_fixture_end ();
}

/* A parked worker that nobody wants ends by itself; one that died is not used again. */
static void
test_parked_end (void)
{
  g_autoptr (OvLauncher) launcher = ov_fixture_launcher ("good", TRUE);

  ov_patience.park = 300;
  for (guint i = 0; i < 2; i++)
    {
      Answer answer = { 0 };

      ov_fixture_begin ();
      ov_preflight_async (launcher, "/t", NULL, on_info, &answer);
      ov_fixture_wait (&answer.done, 10);
      g_assert_no_error (answer.error);
      answer_clear (&answer);
      if (i == 1)
        ov_fixture_kill_all ();
      ov_fixture_wait_for_children (10);

      answer = (Answer){ 0 };
      ov_preflight_async (launcher, "/t", NULL, on_info, &answer);
      ov_fixture_wait (&answer.done, 10);
      g_assert_no_error (answer.error);
      answer_clear (&answer);
      g_assert_cmpuint (ov_fixture_count_processes (), ==, 2);
      ov_fixture_end ();
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ov_fixture_init ();
  g_test_add_func ("/launcher/words", test_launcher);
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autofree char *path = g_strdup_printf ("/connection/broken/%s/%u", broken[i].mode, i);

      g_test_add_data_func (path, &broken[i], test_broken);
    }
  g_test_add_func ("/connection/bye", test_bye);
  g_test_add_func ("/connection/stays", test_stays);
  g_test_add_func ("/connection/full-pipe", test_full_pipe);
  g_test_add_func ("/connection/write-after-death", test_write_after_death);
  g_test_add_func ("/connection/unref", test_unref);
  g_test_add_func ("/connection/unref-in-handler", test_unref_in_handler);
  g_test_add_func ("/connection/no-program", test_no_program);
  g_test_add_func ("/catalog/odd", test_catalog);
  for (guint i = 0; i < G_N_ELEMENTS (broken_catalogs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/catalog/broken/%s", broken_catalogs[i].mode);

      g_test_add_data_func (path, &broken_catalogs[i], test_broken_catalog);
    }
  g_test_add_func ("/catalog/cancel", test_cancel_catalog);
  g_test_add_func ("/catalog/preflight", test_preflight);
  g_test_add_func ("/catalog/parked/one-worker", test_parked);
  g_test_add_func ("/catalog/parked/end", test_parked_end);
  return g_test_run ();
}
