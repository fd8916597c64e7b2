/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker that breaks, for the tests of the engine, and nothing else: it keeps to the protocol
 * until the point that its mode names, and what it "measures" is made up.  The mode is its first
 * argument, else FAKE_WORKER.  Every process that it starts writes its number to the file that
 * FAKE_PIDS names.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/ov-machine.h"
#include "model/ov-message.h"
#include "model/ov-run.h"

static const char *mode;

static gboolean
is_mode (const char *name)
{
  return strcmp (mode, name) == 0;
}

static void
note_pid (void)
{
  const char *path = g_getenv ("FAKE_PIDS");
  FILE *file = path != NULL ? fopen (path, "a") : NULL;

  if (file == NULL)
    return;
  fprintf (file, "%d\n", (int)getpid ());
  fclose (file);
}

/* Ends only by SIGKILL. */
G_NORETURN static void
hang (void)
{
  signal (SIGTERM, SIG_IGN);
  while (TRUE)
    pause ();
}

static void
write_all (const char *text, gsize bytes)
{
  while (bytes > 0)
    {
      gssize n = write (STDOUT_FILENO, text, bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        exit (1);
      text += n;
      bytes -= (gsize)n;
    }
}

static void
say (const char *text)
{
  write_all (text, strlen (text));
}

static void
say_node (JsonNode *node)
{
  g_autofree char *line = ov_message_line (node);

  say (line);
  json_node_unref (node);
}

/* {"event": event, "id": id}, and a member if there is one. */
static JsonNode *
make_event (const char *event, gint64 id, const char *name, JsonNode *member)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "event", event);
  if (id > 0)
    json_object_set_int_member (object, "id", id);
  if (member != NULL)
    json_object_set_member (object, name, member);
  json_node_take_object (node, object);
  return node;
}

static void
say_hello (int version)
{
  g_autoptr (OvMachine) machine = ov_machine_new ();
  JsonNode *node;

  machine->host = g_strdup ("fake");
  machine->cores = 2;
  node = make_event ("hello", 0, "machine", ov_machine_to_json (machine));
  json_object_set_int_member (json_node_get_object (node), "overlap-protocol", version);
  json_object_set_int_member (json_node_get_object (node), "pid", getpid ());
  say_node (node);
}

static void
answer_preflight (gint64 id, const char *target)
{
  g_autoptr (OvTargetInfo) info = ov_target_info_new ();

  if (is_mode ("silent-preflight"))
    hang ();
  if (is_mode ("bad-preflight"))
    {
      say_node (make_event ("preflight", id, "target",
                            json_node_init_string (json_node_alloc (), "odd")));
      return;
    }
  info->path = g_strdup (target);
  info->kind = is_mode ("refused") ? OV_TARGET_REFUSED : OV_TARGET_FOLDER;
  if (is_mode ("refused"))
    info->cause = g_strdup ("It is a FIFO");
  say_node (make_event ("preflight", id, "target", ov_target_info_to_json (info)));
}

static void
answer_layout (gint64 id, const char *file)
{
  JsonNode *node;

  if (is_mode ("killed-layout"))
    raise (SIGKILL);
  if (is_mode ("silent-layout"))
    return; /* it goes on taking commands */
  if (is_mode ("no-space"))
    {
      node = make_event ("error", id, NULL, NULL);
      json_object_set_string_member (json_node_get_object (node), "code", "no-space");
      json_object_set_string_member (json_node_get_object (node), "message", "The disk is full");
    }
  else
    {
      node = make_event ("laid-out", id, NULL, NULL);
      json_object_set_string_member (json_node_get_object (node), "file", file);
    }
  say_node (node);
}

static void
say_phase (gint64 id, const char *phase, gint64 t)
{
  JsonNode *node = make_event ("phase", id, NULL, NULL);

  json_object_set_string_member (json_node_get_object (node), "phase", phase);
  json_object_set_int_member (json_node_get_object (node), "t", t);
  say_node (node);
}

static void
say_snapshot (guint run, gint64 tick)
{
  OvSnapshot snapshot = { .run = run,
                          .phase = OV_PHASE_RUN,
                          .t_ns = tick * 50000000,
                          .run_ns = tick * 50000000,
                          .fraction = 0.5,
                          .bytes = tick * 1000000,
                          .submitted = tick * 10 + 2,
                          .completed = tick * 10,
                          .cpu_ns = tick * 25000000,
                          .user_ns = tick * 20000000,
                          .system_ns = tick * 5000000,
                          .machine_busy_ns = tick * 50000000,
                          .machine_total_ns = tick * 100000000,
                          .resident = 1 };

  say_node (ov_snapshot_to_json (&snapshot));
}

static void
say_result (gint64 id, const OvRunSpec *spec, OvState state, guint index)
{
  g_autoptr (OvRun) run = ov_run_new (ov_run_spec_copy (spec));

  run->spec->index = index;
  run->state = state;
  run->started_ns = 0;
  run->elapsed_ns = 150000000;
  run->bytes = 3000000;
  run->submitted = run->completed = 30;
  if (state == OV_STATE_STOPPED)
    run->stop_latency_ns = 1000000;
  say_node (make_event ("result", id, "run", ov_run_to_json (run, FALSE)));
}

/* Snapshots every 20 ms for as long as nothing but `abort` comes (or for ever, if deaf). */
static void
snapshots_until_told (guint run, gboolean deaf)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  gint64 tick = 3;

  while (deaf || poll (&input, 1, 0) == 0)
    {
      say_snapshot (run, ++tick);
      g_usleep (20000);
    }
}

static void
flood (guint run)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < 200000; i++)
    {
      g_string_append_printf (lines,
                              "{\"event\":\"snapshot\",\"run\":%u,\"phase\":\"run\",\"t\":%u,"
                              "\"run-t\":%u,\"fraction\":null,\"bytes\":%u,\"submitted\":%u,"
                              "\"completed\":%u,\"cpu\":%u,\"user\":%u,\"system\":0}\n",
                              run, i * 1000 + 200000000, i * 1000, i, i, i, i, i);
      if (lines->len > 60000)
        {
          write_all (lines->str, lines->len);
          g_string_truncate (lines, 0);
        }
    }
  write_all (lines->str, lines->len);
}

static void
say_log (gint64 id, guint run, gint64 first, const char *submits)
{
  g_autofree char *line = g_strdup_printf (
      "{\"event\":\"log\",\"id\":%d,\"run\":%u,\"first\":%d,\"submit\":%s,\"complete\":[10,null],"
      "\"consume-start\":[null,null],\"consume-end\":[null,null],\"offset\":[0,4096],"
      "\"result\":[4096,-5],\"slot\":[0,1]}\n",
      (int)id, run, (int)first, submits);

  say (line);
}

/* Dies, and leaves a child that holds our output. */
G_NORETURN static void
die_before_child (void)
{
  if (fork () == 0)
    {
      note_pid ();
      signal (SIGTERM, SIG_IGN);
      sleep (60);
      _exit (0);
    }
  g_usleep (50000);
  kill (getpid (), SIGKILL);
  _exit (1);
}

static void
break_in_run (gint64 id, const OvRunSpec *spec)
{
  if (is_mode ("killed-run"))
    kill (getpid (), SIGKILL);
  else if (is_mode ("orphan"))
    die_before_child ();
  else if (is_mode ("exit-run"))
    exit (0);
  else if (is_mode ("half-line"))
    {
      say ("{\"event\":\"snap");
      exit (4);
    }
  else if (is_mode ("garbage-run"))
    say ("Segmentation fault (core dumped)\n");
  else if (is_mode ("binary-run"))
    write_all ("\0\377\376\n\0\0\n", 8);
  else if (is_mode ("array-run"))
    say ("[1,2,3]\n");
  else if (is_mode ("types-run"))
    say ("{\"event\":7,\"id\":\"x\"}\n{\"event\":\"phase\",\"phase\":[],\"t\":{},\"fraction\":\"\"}"
         "\n"
         "{\"event\":\"snapshot\",\"run\":{},\"t\":[]}\n{\"event\":\"error\",\"code\":[],\"id\":77}"
         "\n"
         "{\"event\":\"log\",\"run\":null,\"first\":\"\"}\n{}\n");
  else if (is_mode ("closed-output"))
    {
      close (STDOUT_FILENO);
      hang ();
    }
  else if (is_mode ("silent-run"))
    hang ();
  else if (is_mode ("busy-fsync"))
    g_usleep (100000); /* goes on reading: it answers */
  else if (is_mode ("oversize"))
    {
      g_autofree char *text = g_strnfill (5 * 1024 * 1024, 'x');

      say (text);
      say ("\n");
    }
  else if (is_mode ("dribble"))
    for (int i = 0; i < 10000; i++)
      {
        say (" ");
        g_usleep (10000);
      }
  else if (is_mode ("session-error"))
    {
      say ("{\"event\":\"error\",\"code\":\"failed\",\"message\":\"The worker lost its mind\"}\n");
      exit (1);
    }
  else if (is_mode ("run-error"))
    {
      JsonNode *node = make_event ("error", id, NULL, NULL);

      json_object_set_string_member (json_node_get_object (node), "code", "busy");
      json_object_set_string_member (json_node_get_object (node), "message",
                                     "Another run is going on");
      say_node (node);
    }
  else if (is_mode ("other-result"))
    say_result (id, spec, OV_STATE_DONE, spec->index + 1000);
  else if (is_mode ("waiting-result"))
    say_result (id, spec, OV_STATE_WAITING, spec->index);
  else if (is_mode ("bad-result"))
    say_node (make_event ("result", id, "run", json_node_init_string (json_node_alloc (), "odd")));
  else if (is_mode ("log-gap"))
    say_log (id, spec->index, 17, "[1,2]");
  else if (is_mode ("log-uneven"))
    say_log (id, spec->index, 0, "[1,2,3]");
}

static void
answer_run (gint64 id, const OvRunSpec *spec)
{
  say_phase (id, "prepare", 1000000);
  say_phase (id, "run", 2000000);
  for (int tick = 1; tick <= 3; tick++)
    say_snapshot (spec->index, tick);
  break_in_run (id, spec);
  if (is_mode ("chatter"))
    snapshots_until_told (spec->index, TRUE);
  if (is_mode ("silent-abort") || is_mode ("until-abort") || is_mode ("die-on-abort"))
    snapshots_until_told (spec->index, FALSE);
  if (is_mode ("silent-abort"))
    hang ();
  if (is_mode ("die-on-abort"))
    kill (getpid (), SIGKILL);
  if (is_mode ("flood"))
    flood (spec->index);
  if (is_mode ("log"))
    {
      say_log (id, spec->index, 0, "[1,2]");
      say_log (id, spec->index, 2, "[null,4]");
    }
  if (!is_mode ("busy-fsync"))
    say_result (id, spec, is_mode ("until-abort") ? OV_STATE_STOPPED : OV_STATE_DONE, spec->index);
}

static void
answer_describe (gint64 id)
{
  if (is_mode ("silent-describe"))
    hang ();
  if (is_mode ("killed-describe"))
    raise (SIGKILL);
  if (is_mode ("error-describe"))
    {
      say ("{\"event\":\"error\",\"id\":1,\"code\":\"permission\",\"message\":\"Not for you\"}\n");
      return;
    }
  if (is_mode ("odd-describe"))
    say ("{\"event\":\"module\",\"module\":\"/x/bad.so\",\"fault\":\"It is no module\"}\n"
         "{\"event\":\"module\",\"module\":\"/x/odd.so\",\"strategies\":[7,{\"id\":9}]}\n"
         "{\"event\":\"module\",\"module\":[],\"strategies\":{}}\n");
  say_node (make_event ("described", id, NULL, NULL));
}

static void
answer (JsonObject *command)
{
  const char *name = json_object_get_string_member_with_default (command, "cmd", "");
  gint64 id = json_object_get_int_member_with_default (command, "id", 0);

  if (strcmp (name, "bye") == 0)
    {
      if (is_mode ("stays"))
        return;
      exit (0);
    }
  if (strcmp (name, "describe") == 0)
    answer_describe (id);
  else if (strcmp (name, "preflight") == 0)
    answer_preflight (id, json_object_get_string_member_with_default (command, "target", ""));
  else if (strcmp (name, "layout") == 0)
    answer_layout (id, json_object_get_string_member_with_default (command, "file", ""));
  else if (strcmp (name, "forget") == 0)
    say_node (make_event ("forgotten", id, NULL, NULL));
  else if (strcmp (name, "run") == 0)
    {
      g_autoptr (OvRunSpec) spec
          = ov_run_spec_from_json (json_object_get_member (command, "spec"), NULL);

      answer_run (id, spec);
    }
}

static void
serve (void)
{
  g_autofree char *line = NULL;
  size_t room = 0;

  while (getline (&line, &room, stdin) > 0)
    {
      g_autoptr (JsonNode) node = ov_message_parse (g_strchomp (line), NULL);

      if (node == NULL)
        exit (9);
      answer (json_node_get_object (node));
    }
}

int
main (int argc, char **argv)
{
  mode = argc > 1 ? argv[1] : g_getenv ("FAKE_WORKER");
  if (mode == NULL)
    return 2;
  note_pid ();
  if (is_mode ("exit"))
    {
      fprintf (stderr, "fake-worker: cannot go on\n");
      return 3;
    }
  if (is_mode ("silent"))
    hang ();
  if (is_mode ("deaf")) /* never reads, greets, ignores everything */
    {
      say_hello (OV_PROTOCOL_VERSION);
      hang ();
    }
  if (is_mode ("version"))
    say_hello (99);
  else if (is_mode ("banner"))
    say ("Welcome to host.example, last login yesterday\n");
  else if (is_mode ("no-hello"))
    say ("{\"event\":\"described\"}\n");
  else if (is_mode ("slow-hello"))
    {
      const char *text = "{\"overlap-protocol\":1,";

      for (const char *p = text; *p != '\0'; p++)
        {
          write_all (p, 1);
          g_usleep (50000);
        }
      hang ();
    }
  else
    say_hello (OV_PROTOCOL_VERSION);
  serve ();
  if (is_mode ("stays"))
    hang ();
  return 0;
}
