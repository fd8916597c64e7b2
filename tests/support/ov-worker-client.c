/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "support/ov-worker-client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/ov-message.h"

#define LIMIT_MS 30000

struct _OvWorkerClient
{
  pid_t pid;
  int in_fd;  /**< its input */
  int out_fd; /**< its output */
  OvLineReader *reader;
  guint last_id;
};

OvWorkerClient *
ov_worker_client_new (const char *const *environment, gboolean greet)
{
  OvWorkerClient *self = g_new0 (OvWorkerClient, 1);
  const char *worker = g_getenv ("OVERLAP_WORKER");
  int in[2], out[2];

  g_assert_nonnull (worker);
  signal (SIGPIPE, SIG_IGN);
  g_assert_cmpint (pipe (in), ==, 0);
  g_assert_cmpint (pipe (out), ==, 0);
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    {
      dup2 (in[0], 0);
      dup2 (out[1], 1);
      close (in[0]);
      close (in[1]);
      close (out[0]);
      close (out[1]);
      for (guint i = 0; environment != NULL && environment[i] != NULL; i++)
        putenv ((char *)environment[i]);
      execl (worker, worker, NULL);
      _exit (127);
    }
  close (in[0]);
  close (out[1]);
  self->in_fd = in[1];
  self->out_fd = out[0];
  self->reader = ov_line_reader_new ();
  if (greet)
    {
      JsonObject *hello;

      ov_worker_client_send_text (self, "{\"overlap-protocol\":1,\"program\":\"test\"}\n");
      hello = ov_worker_client_wait (self, "hello");
      g_assert_cmpint (json_object_get_int_member (hello, "overlap-protocol"), ==, 1);
      json_object_unref (hello);
    }
  return self;
}

GArray *
ov_children_of (pid_t pid)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (pid_t));
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (proc)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL);
      g_autofree char *text = NULL;
      const char *behind;
      int parent = 0;
      pid_t child = atoi (name);

      if (child <= 0 || !g_file_get_contents (path, &text, NULL, NULL))
        continue;
      behind = strrchr (text, ')');
      if (behind != NULL && sscanf (behind + 1, " %*c %d", &parent) == 1 && parent == (int)pid)
        g_array_append_val (found, child);
    }
  return found;
}

int
ov_worker_client_end (OvWorkerClient *self)
{
  g_autoptr (GArray) children = ov_children_of (self->pid);
  int status = -1;
  pid_t ended = 0;

  if (self->in_fd >= 0)
    close (self->in_fd);
  close (self->out_fd);
  for (guint i = 0; i < LIMIT_MS / 10 && ended == 0; i++)
    {
      ended = waitpid (self->pid, &status, WNOHANG);
      if (ended == 0)
        g_usleep (10000);
    }
  g_assert_cmpint (ended, ==, self->pid);
  for (guint i = 0; i < children->len; i++)
    {
      const pid_t child = g_array_index (children, pid_t, i);

      /* Killed by the parent's death signal at the latest. */
      for (guint n = 0; n < LIMIT_MS / 10 && kill (child, 0) == 0; n++)
        g_usleep (10000);
      g_assert_cmpint (kill (child, 0), ==, -1);
    }
  ov_line_reader_free (self->reader);
  g_free (self);
  return status;
}

pid_t
ov_worker_client_get_pid (OvWorkerClient *self)
{
  return self->pid;
}

void
ov_worker_client_close_input (OvWorkerClient *self)
{
  close (self->in_fd);
  self->in_fd = -1;
}

void
ov_worker_client_send_text (OvWorkerClient *self, const char *text)
{
  gsize left = strlen (text);

  while (left > 0)
    {
      ssize_t n = write (self->in_fd, text, left);

      /* A worker that ended itself does not read the rest. */
      if (n < 0 && errno == EPIPE)
        return;
      g_assert_cmpint (n, >, 0);
      text += n;
      left -= (gsize)n;
    }
}

guint
ov_worker_client_send (OvWorkerClient *self, const char *json)
{
  g_autofree char *line = NULL;

  g_assert_cmpint (json[0], ==, '{');
  self->last_id++;
  line = g_strdup_printf ("{\"id\":%u,%s\n", self->last_id, json + 1);
  ov_worker_client_send_text (self, line);
  return self->last_id;
}

JsonObject *
ov_worker_client_next (OvWorkerClient *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *line = NULL;

  while ((line = ov_line_reader_pop (self->reader)) == NULL)
    {
      struct pollfd fd = { self->out_fd, POLLIN, 0 };
      char buffer[65536];
      ssize_t n;

      if (poll (&fd, 1, LIMIT_MS) <= 0)
        g_error ("The worker was silent for %d s", LIMIT_MS / 1000);
      n = read (self->out_fd, buffer, sizeof buffer);
      if (n <= 0)
        return NULL;
      g_assert_true (ov_line_reader_push (self->reader, buffer, (gsize)n, &error));
    }
  node = ov_message_parse (line, &error);
  g_assert_no_error (error);
  return json_node_dup_object (node);
}

JsonObject *
ov_worker_client_wait (OvWorkerClient *self, const char *event)
{
  JsonObject *object;

  while ((object = ov_worker_client_next (self)) != NULL)
    {
      const char *found = json_object_get_string_member (object, "event");

      if (strcmp (found, event) == 0)
        return object;
      if (strcmp (found, "error") == 0)
        g_error ("Waiting for %s: %s", event, json_object_get_string_member (object, "message"));
      json_object_unref (object);
    }
  g_error ("The worker's output ended before %s", event);
}

void
ov_worker_client_lay_out (OvWorkerClient *self, const char *folder, const char *name, guint64 size)
{
  g_autofree char *json = g_strdup_printf ("{\"cmd\":\"layout\",\"target\":\"%s\",\"file\":\"%s\","
                                           "\"size\":%" G_GUINT64_FORMAT
                                           ",\"seed\":7,\"letter\":\"e\",\"density\":0.02}",
                                           folder, name, size);

  ov_worker_client_send (self, json);
  json_object_unref (ov_worker_client_wait (self, "laid-out"));
}

char *
ov_worker_client_run_json (const char *strategy, const char *target, const char *file, guint64 size,
                           guint64 block, guint depth, const char *condition, const char *more)
{
  g_autofree char *file_json = file != NULL ? g_strdup_printf ("\"%s\"", file) : g_strdup ("null");

  return g_strdup_printf (
      "{\"cmd\":\"run\",\"spec\":{\"index\":3,\"strategy\":\"%s\",\"variant\":\"%s\","
      "\"job\":\"count\",\"target\":\"%s\",\"file\":%s,\"size\":%" G_GUINT64_FORMAT
      ",\"block\":%" G_GUINT64_FORMAT
      ",\"depth\":%u,\"condition\":\"%s\",\"work\":\"plain\",\"letter\":\"e\"%s}}",
      strategy, strategy, target, file_json, size, block, depth, condition,
      more != NULL ? more : "");
}

gboolean
ov_json_has_text (JsonObject *object, const char *member, const char *text)
{
  JsonArray *list = json_object_has_member (object, member)
                        ? json_object_get_array_member (object, member)
                        : NULL;

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    if (strcmp (json_array_get_string_element (list, i), text) == 0)
      return TRUE;
  return FALSE;
}

void
ov_worker_client_describe (OvWorkerClient *self, void (*func) (JsonObject *strategy, gpointer data),
                           gpointer data)
{
  JsonObject *event;

  ov_worker_client_send (self, "{\"cmd\":\"describe\"}");
  while (strcmp (json_object_get_string_member ((event = ov_worker_client_next (self)), "event"),
                 "described")
         != 0)
    {
      JsonArray *list = json_object_get_array_member (event, "strategies");

      g_assert_nonnull (list);
      for (guint i = 0; i < json_array_get_length (list); i++)
        func (json_array_get_object_element (list, i), data);
      json_object_unref (event);
    }
  json_object_unref (event);
}

JsonObject *
ov_worker_client_run (OvWorkerClient *self, const char *json, const char *phase, gulong delay_us)
{
  JsonObject *event = NULL;
  JsonObject *run;
  gboolean ended = FALSE;

  ov_worker_client_send (self, json);
  for (gboolean there = phase == NULL || *phase == '\0'; !there && !ended;)
    {
      event = ov_worker_client_next (self);
      g_assert_nonnull (event);
      ended = strcmp (json_object_get_string_member (event, "event"), "result") == 0;
      there = strcmp (json_object_get_string_member (event, "event"), "phase") == 0
              && strcmp (json_object_get_string_member (event, "phase"), phase) == 0;
      if (!ended)
        json_object_unref (event);
    }
  if (phase != NULL)
    {
      g_usleep (delay_us);
      ov_worker_client_send (self, "{\"cmd\":\"abort\"}");
    }
  if (!ended)
    event = ov_worker_client_wait (self, "result");
  run = json_object_ref (json_object_get_object_member (event, "run"));
  json_object_unref (event);
  return run;
}

const char *
ov_run_cause (JsonObject *run)
{
  return json_object_get_null_member (run, "cause") ? ""
                                                    : json_object_get_string_member (run, "cause");
}

void
ov_assert_stopped (JsonObject *run)
{
  g_assert_cmpint (json_object_get_int_member (run, "stop-latency"), >=, 0);
  if (!json_object_get_null_member (run, "submitted") && *ov_run_cause (run) == '\0')
    g_assert_cmpint (json_object_get_int_member (run, "submitted"), ==,
                     json_object_get_int_member (run, "completed"));
}

void
ov_worker_client_assert_only_holder (OvWorkerClient *self)
{
  g_autoptr (GArray) children = NULL;

  for (guint i = 0; i < 2000; i++)
    {
      g_clear_pointer (&children, g_array_unref);
      children = ov_children_of (ov_worker_client_get_pid (self));
      if (children->len == 1)
        return;
      g_usleep (5000);
    }
  g_assert_cmpint (children->len, ==, 1);
}
