/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is left is looked up in the system: children by waitpid(2), descriptors in /proc/self/fd,
 * grandchildren by the numbers that the fake worker wrote down.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "engine/ov-connection.h"
#include "engine/ov-patience-private.h"

#include "ov-engine-fixture.h"

#define BEAT_MS 10

/* With sanitizers a fork alone can take long. */
#if defined(__SANITIZE_ADDRESS__)
#define GAP_LIMIT_US (5 * G_USEC_PER_SEC)
#else
#define GAP_LIMIT_US G_USEC_PER_SEC
#endif

static struct
{
  char *folder;
  char *pids;
  GHashTable *open; /* what the descriptors were */
  int ignored;      /* a child that does not count, or 0 */
  guint beat;
  gint64 last_us;
  gint64 last_delay_us;
  gint64 gap_us; /* longest time between two beats, without waiting for a processor */
} fixture;

static void
remove_folder (void)
{
  g_unlink (fixture.pids);
  g_rmdir (fixture.folder);
}

void
ov_fixture_init (void)
{
  /* GLib's own thread, which tasks start, keeps a descriptor. */
  g_type_class_unref (g_type_class_ref (G_TYPE_TASK));
  fixture.folder = g_dir_make_tmp ("overlap-engine-XXXXXX", NULL);
  g_assert_nonnull (fixture.folder);
  fixture.pids = g_build_filename (fixture.folder, "pids", NULL);
  atexit (remove_folder);
  g_setenv ("FAKE_PIDS", fixture.pids, TRUE);
}

/* Waits for what a mode never does are short, all others long: a loaded machine must not look like
 * a broken worker. */
static void
set_patience (const char *mode)
{
  static const struct
  {
    const char *mode;
    gsize field;
  } hurries[] = {
    { "silent", G_STRUCT_OFFSET (OvPatience, greet) },
    { "slow-hello", G_STRUCT_OFFSET (OvPatience, greet) },
    { "deaf", G_STRUCT_OFFSET (OvPatience, preflight) },
    { "silent-preflight", G_STRUCT_OFFSET (OvPatience, preflight) },
    { "silent-describe", G_STRUCT_OFFSET (OvPatience, describe) },
    { "silent-run", G_STRUCT_OFFSET (OvPatience, silence) },
    { "dribble", G_STRUCT_OFFSET (OvPatience, silence) },
    { "busy-fsync", G_STRUCT_OFFSET (OvPatience, silence) },
    { "silent-layout", G_STRUCT_OFFSET (OvPatience, silence) },
    { "silent-run", G_STRUCT_OFFSET (OvPatience, abort) },
    { "dribble", G_STRUCT_OFFSET (OvPatience, abort) },
    { "busy-fsync", G_STRUCT_OFFSET (OvPatience, abort) },
    { "silent-layout", G_STRUCT_OFFSET (OvPatience, abort) },
    { "silent-abort", G_STRUCT_OFFSET (OvPatience, abort) },
    { "chatter", G_STRUCT_OFFSET (OvPatience, force) },
  };

  ov_patience = (OvPatience){
    .greet = 20000,
    .greet_remote = 20000,
    .describe = 20000,
    .preflight = 20000,
    .silence = 20000,
    .abort = 20000,
    .abort_total = 1500,
    .force = 20000,
    .close = 600,
    .term = 200,
    .kill = 5000,
    .park = 20000,
  };
  for (gsize i = 0; i < G_N_ELEMENTS (hurries); i++)
    if (g_str_equal (mode, hurries[i].mode))
      G_STRUCT_MEMBER (guint, &ov_patience, hurries[i].field) = 700;
}

OvLauncher *
ov_fixture_launcher (const char *mode, gboolean prefix)
{
  const char *fake = g_getenv ("OVERLAP_FAKE_WORKER");
  const char *words[] = { fake, mode, NULL };
  OvLauncher *launcher;

  g_assert_nonnull (fake);
  set_patience (mode);
  g_setenv ("FAKE_WORKER", mode, TRUE);
  launcher = ov_launcher_new (prefix ? words : NULL);
  g_free (launcher->worker);
  launcher->worker = g_strdup (fake);
  return launcher;
}

/* Number -> what it is, of every descriptor. */
static GHashTable *
list_open (void)
{
  GHashTable *open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GDir *dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      char *what = g_file_read_link (path, NULL);

      if (what == NULL) /* the folder itself, when asked again */
        continue;
      if (g_str_has_prefix (what, "/proc/") && g_str_has_suffix (what, "/fd"))
        g_free (what);
      else
        g_hash_table_insert (open, g_strdup (name), what);
    }
  g_dir_close (dir);
  return open;
}

/* How long this thread has waited for a processor so far: the machine's load, not our doing. */
static gint64
run_delay_us (void)
{
  g_autofree char *text = NULL;
  const char *second;

  if (!g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL))
    return 0;
  second = strchr (text, ' ');
  return second != NULL ? g_ascii_strtoll (second, NULL, 10) / 1000 : 0;
}

static gboolean
on_beat (gpointer data)
{
  gint64 now = g_get_monotonic_time ();
  gint64 delay = run_delay_us ();

  fixture.gap_us = MAX (fixture.gap_us, now - fixture.last_us - (delay - fixture.last_delay_us));
  fixture.last_us = now;
  fixture.last_delay_us = delay;
  return G_SOURCE_CONTINUE;
}

void
ov_fixture_run (guint ms)
{
  gint64 until = g_get_monotonic_time () + (gint64)ms * 1000;

  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
}

void
ov_fixture_begin (void)
{
  g_unlink (fixture.pids);
  fixture.gap_us = 0;
  fixture.last_us = g_get_monotonic_time ();
  fixture.last_delay_us = run_delay_us ();
  fixture.beat = g_timeout_add (BEAT_MS, on_beat, NULL);
  ov_fixture_run (2 * BEAT_MS); /* GLib opens what it needs */
  fixture.open = list_open ();
}

static gboolean
process_lives (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *state;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  state = strrchr (text, ')');
  return state != NULL && state[1] != '\0' && state[2] != 'Z' && state[2] != 'X';
}

/* The first number in the fake's list that still lives, or 0. */
static int
find_alive (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (fixture.pids, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && process_lives (atoi (lines[i])))
      return atoi (lines[i]);
  return 0;
}

guint
ov_fixture_count_processes (void)
{
  g_autofree char *text = NULL;
  guint n = 0;

  if (g_file_get_contents (fixture.pids, &text, NULL, NULL))
    for (const char *p = text; (p = strchr (p, '\n')) != NULL; p++)
      n++;
  return n;
}

void
ov_fixture_ignore_child (int pid)
{
  fixture.ignored = pid;
}

/* Where a child is ignored, the others have to be looked for. */
static gboolean
has_other_children (void)
{
  GDir *dir = g_dir_open ("/proc", 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (!found && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL);
      g_autofree char *text = NULL;
      const char *end;
      int parent;

      if (!g_ascii_isdigit (*name) || atoi (name) == fixture.ignored
          || !g_file_get_contents (path, &text, NULL, NULL) || (end = strrchr (text, ')')) == NULL)
        continue;
      found = sscanf (end + 1, " %*c %d", &parent) == 1 && parent == getpid ();
    }
  g_dir_close (dir);
  return found;
}

static gboolean
has_children (void)
{
  siginfo_t info;

  if (fixture.ignored != 0)
    return has_other_children ();
  /* Only looks, so that it is the engine that reaps. */
  return waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

void
ov_fixture_kill_all (void)
{
  int pid;

  while ((pid = find_alive ()) != 0)
    {
      kill (pid, SIGKILL);
      g_usleep (10000);
    }
}

void
ov_fixture_wait_for_children (guint seconds)
{
  gint64 until = g_get_monotonic_time () + (gint64)seconds * G_USEC_PER_SEC;

  while (has_children () && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (has_children ());
}

static void
assert_same_open (void)
{
  g_autoptr (GHashTable) now = list_open ();
  GHashTableIter iter;
  gpointer name, what;

  g_hash_table_iter_init (&iter, now);
  while (g_hash_table_iter_next (&iter, &name, &what))
    if (!g_hash_table_contains (fixture.open, name))
      g_error ("descriptor %s (%s) was left open", (char *)name, (char *)what);
}

void
ov_fixture_end (void)
{
  gint64 until = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  ov_connection_close_parked ();
  while ((has_children () || find_alive () != 0) && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (has_children ());
  g_assert_cmpint (find_alive (), ==, 0);
  ov_fixture_run (2 * BEAT_MS);
  assert_same_open ();
  g_source_remove (fixture.beat);
  g_clear_pointer (&fixture.open, g_hash_table_unref);
  g_test_message ("the main loop stood for %.1f ms at most", (double)fixture.gap_us / 1000);
  g_assert_cmpint (fixture.gap_us, <, GAP_LIMIT_US);
}

void
ov_fixture_wait (const gboolean *flag, guint seconds)
{
  gint64 until = g_get_monotonic_time () + (gint64)seconds * G_USEC_PER_SEC;

  while (!*flag && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (*flag);
}
