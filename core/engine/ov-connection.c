/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One worker and the line to it: framing, the hello and its version, the way down.
 *
 * What always holds: after "closed" nothing is emitted, every descriptor is closed and no source is
 * left but the one that reaps a process which could not be ended.  Input is read below the
 * priority of redrawing and never for longer than a few milliseconds at a time.  Nothing waits.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "engine/ov-subprocess-private.h"
#include "engine/ov-connection.h"
#include "engine/ov-fields-private.h"
#include "engine/ov-patience-private.h"
#include "engine/ov-source-private.h"
#include "model/ov-message.h"

#define READ_BYTES     (64 * 1024)
#define TURN_US        5000 /* longest time in one dispatch; one long line may exceed it */
#define ERROR_TAIL     4096 /* of standard error is kept */
#define ERROR_SHOWN    300  /* characters of it in a message */
#define DRAIN_MS       250  /* for the output, after the end of the process */
#define PRIORITY_INPUT G_PRIORITY_DEFAULT_IDLE

/* On the way down, each stage gives the worker some time. */
typedef enum
{
  STAGE_OPEN,
  STAGE_LEAVING, /* end of input was or will be given */
  STAGE_TERM,    /* SIGTERM was sent */
  STAGE_KILL,    /* SIGKILL was sent */
  STAGE_CLOSED,
} Stage;

struct _OvConnection
{
  GObject parent_instance;

  GMainContext *context;
  OvSubprocess *child; /* NULL once it was reaped or left behind */
  GPid pid;
  OvSubprocessPipes pipes; /* each -1 once closed */
  GSource *writing;        /* while the queue is not empty */
  GSource *reading;
  GSource *reading_error;
  GSource *timer;

  OvLineReader *lines;
  GByteArray *queue; /* bytes to write */
  gboolean end_after_queue;
  GString *error_tail;

  Stage stage;
  gboolean greeted;
  gboolean said_bye;   /* we asked it to end */
  gboolean lines_left; /* the reader holds lines, for the next turn */
  int status;          /* of the ended child */
  GError *cause;       /* why it ends, or NULL */

  char *key; /* its command line, for parking; NULL without a prefix */
  gboolean parked;
  JsonObject *hello;
  GSource *hello_again; /* while it waits to be emitted */

  guint last_id;
  gint64 last_line_us;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_CLOSED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* Connections that wait for somebody, of this process; each is a reference. */
static GPtrArray *parked;

G_DEFINE_FINAL_TYPE (OvConnection, ov_connection, G_TYPE_OBJECT)

static void check_end (OvConnection *self);

static void
close_pipe (int *fd, GSource **source)
{
  ov_clear_source (source);
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
set_cause (OvConnection *self, GError *cause)
{
  if (self->cause == NULL)
    self->cause = cause;
  else
    g_error_free (cause);
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* write(2) without SIGPIPE, whatever the program does with that signal. */
static gssize
write_quietly (int fd, const void *data, gsize bytes)
{
  static const struct timespec now = { 0, 0 };
  sigset_t pipe_set, pending, old;
  gboolean was_pending;
  gssize n;
  int saved;

  sigemptyset (&pipe_set);
  sigaddset (&pipe_set, SIGPIPE);
  sigpending (&pending);
  was_pending = sigismember (&pending, SIGPIPE) == 1;
  pthread_sigmask (SIG_BLOCK, &pipe_set, &old);
  do
    n = write (fd, data, bytes);
  while (n < 0 && errno == EINTR);
  saved = errno;
  if (n < 0 && saved == EPIPE && !was_pending)
    while (sigtimedwait (&pipe_set, NULL, &now) < 0 && errno == EINTR)
      ;
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  errno = saved;
  return n;
}

static gboolean on_writable (gint fd, GIOCondition condition, gpointer data);

/* Writes what the pipe takes; the rest waits for on_writable().  A worker that is gone is noticed
 * by reading, where its last words are. */
static void
flush_queue (OvConnection *self)
{
  while (self->pipes.input >= 0 && self->queue->len > 0)
    {
      gssize n = write_quietly (self->pipes.input, self->queue->data, self->queue->len);

      if (n > 0)
        g_byte_array_remove_range (self->queue, 0, (guint)n);
      else if (n < 0 && errno == EAGAIN)
        break;
      else
        {
          g_byte_array_set_size (self->queue, 0);
          close_pipe (&self->pipes.input, &self->writing);
        }
    }
  if (self->queue->len == 0)
    {
      ov_clear_source (&self->writing);
      if (self->end_after_queue)
        close_pipe (&self->pipes.input, &self->writing);
    }
  else if (self->writing == NULL)
    {
      self->writing = g_unix_fd_source_new (self->pipes.input, G_IO_OUT);
      g_source_set_callback (self->writing, G_SOURCE_FUNC (on_writable), self, NULL);
      g_source_attach (self->writing, self->context);
    }
}

static gboolean
on_writable (gint fd, GIOCondition condition, gpointer data)
{
  OvConnection *self = data;

  flush_queue (self);
  return self->writing != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
queue_object (OvConnection *self, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *line = ov_message_line (node);

  if (self->pipes.input < 0 || self->end_after_queue)
    return;
  g_byte_array_append (self->queue, (const guint8 *)line, (guint)strlen (line));
  flush_queue (self);
}

static void
end_input (OvConnection *self)
{
  self->end_after_queue = TRUE;
  flush_queue (self);
}

/* ---- The way down --------------------------------------------------------------------------- */

static gboolean on_timer (gpointer data);

static void
set_timer (OvConnection *self, guint ms)
{
  ov_clear_source (&self->timer);
  self->timer = g_timeout_source_new (ms);
  g_source_set_callback (self->timer, on_timer, self, NULL);
  g_source_attach (self->timer, self->context);
}

/* Takes it from those that are parked; the caller holds a reference. */
static void
unpark (OvConnection *self)
{
  if (self->parked)
    g_ptr_array_remove (parked, self);
  self->parked = FALSE;
}

/* The last thing that happens, once. */
static void
finish (OvConnection *self)
{
  g_autoptr (GError) error = NULL;

  self->stage = STAGE_CLOSED;
  close_pipe (&self->pipes.input, &self->writing);
  close_pipe (&self->pipes.output, &self->reading);
  close_pipe (&self->pipes.error, &self->reading_error);
  ov_clear_source (&self->timer);
  ov_clear_source (&self->hello_again);
  g_clear_pointer (&self->child, ov_subprocess_release);
  unpark (self);
  error = g_steal_pointer (&self->cause);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0, error);
}

static void
leave_behind (OvConnection *self)
{
  g_clear_error (&self->cause);
  self->cause = g_error_new (OV_ERROR, OV_ERROR_WORKER,
                             _ ("The worker (process %d) could not be ended and was left behind. "
                                "It ends by itself when the system lets it go."),
                             (int)self->pid);
  finish (self);
}

static void
kill_now (OvConnection *self)
{
  self->stage = STAGE_KILL;
  close_pipe (&self->pipes.input, &self->writing);
  if (self->child != NULL)
    ov_subprocess_signal (self->child, SIGKILL);
  set_timer (self, ov_patience.kill);
}

static gboolean
on_timer (gpointer data)
{
  g_autoptr (OvConnection) self = g_object_ref (data);

  ov_clear_source (&self->timer);
  if (self->parked && self->stage == STAGE_OPEN) /* nobody wanted it */
    {
      ov_connection_close (self, ov_patience.close);
      return G_SOURCE_REMOVE;
    }
  if (self->child == NULL) /* ended; its output is held open by somebody else */
    {
      struct pollfd input = { .fd = self->pipes.output, .events = POLLIN };

      if (self->lines_left || (self->pipes.output >= 0 && poll (&input, 1, 0) > 0))
        set_timer (self, DRAIN_MS);
      else
        {
          close_pipe (&self->pipes.output, &self->reading);
          check_end (self);
        }
      return G_SOURCE_REMOVE;
    }
  switch (self->stage)
    {
    case STAGE_OPEN:
    case STAGE_LEAVING:
      if (!self->said_bye && self->pipes.output < 0)
        set_cause (self, g_error_new_literal (OV_ERROR, OV_ERROR_WORKER,
                                              _ ("The worker closed its output without ending.")));
      self->stage = STAGE_TERM;
      close_pipe (&self->pipes.input, &self->writing);
      ov_subprocess_signal (self->child, SIGTERM);
      set_timer (self, ov_patience.term);
      break;
    case STAGE_TERM:
      kill_now (self);
      break;
    case STAGE_KILL:
      leave_behind (self);
      break;
    case STAGE_CLOSED:
      break;
    }
  return G_SOURCE_REMOVE;
}

/* End of input now, without a word; the rest by the timer. */
static void
begin_leaving (OvConnection *self, guint grace_ms)
{
  if (self->stage != STAGE_OPEN)
    return;
  self->stage = STAGE_LEAVING;
  end_input (self);
  set_timer (self, grace_ms);
}

/* What happened to a worker that nobody asked to end. */
static void
set_cause_from_end (OvConnection *self)
{
  g_autofree char *status = ov_subprocess_describe_status (self->status);
  g_autofree char *words = NULL;
  const char *tail = self->error_tail->str;

  if (self->error_tail->len > ERROR_SHOWN) /* the end of it says most; from a whole line on */
    {
      const char *line;

      tail += self->error_tail->len - ERROR_SHOWN;
      line = strchr (tail, '\n');
      if (line != NULL && line[1] != '\0')
        tail = line + 1;
    }
  words = ov_text_for_show (tail, strlen (tail), ERROR_SHOWN);
  if (*words != '\0')
    set_cause (self,
               g_error_new (OV_ERROR, OV_ERROR_WORKER,
                            self->greeted ? _ ("The worker ended unexpectedly (%s): %s")
                                          : _ ("The worker ended before it was ready (%s): %s"),
                            status, words));
  else
    set_cause (self, g_error_new (OV_ERROR, OV_ERROR_WORKER,
                                  self->greeted ? _ ("The worker ended unexpectedly (%s).")
                                                : _ ("The worker ended before it was ready (%s)."),
                                  status));
}

/* It is over when the process was reaped and all that it wrote was read. */
static void
check_end (OvConnection *self)
{
  if (self->stage == STAGE_CLOSED || self->child != NULL || self->pipes.output >= 0)
    return;
  if (!self->said_bye)
    set_cause_from_end (self);
  finish (self);
}

static gboolean on_error_output (gint fd, GIOCondition condition, gpointer data);

static void
on_exited (int status, gpointer data)
{
  g_autoptr (OvConnection) self = g_object_ref (data);

  self->status = status;
  g_clear_pointer (&self->child, ov_subprocess_release);
  close_pipe (&self->pipes.input, &self->writing);
  if (self->pipes.error >= 0) /* its last words */
    on_error_output (self->pipes.error, G_IO_IN, self);
  set_timer (self, DRAIN_MS);
  check_end (self);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static void
break_off (OvConnection *self, GError *cause)
{
  set_cause (self, cause);
  self->said_bye = FALSE;
  begin_leaving (self, ov_patience.term);
}

/* The first line decides whether this is a worker that we understand. */
static gboolean
check_hello (OvConnection *self, JsonObject *object)
{
  gint64 version = ov_field_int (object, "overlap-protocol", -1);

  if (version == OV_PROTOCOL_VERSION && g_strcmp0 (ov_field_text (object, "event"), "hello") == 0)
    {
      self->greeted = TRUE;
      self->hello = json_object_ref (object);
      if (self->child != NULL)
        ov_subprocess_take_terminal (self->child);
      return TRUE;
    }
  if (version >= 0 && version != OV_PROTOCOL_VERSION)
    break_off (self, g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                                  _ ("The worker speaks version %d of the protocol, this program "
                                     "speaks version %d. Install the same version of both."),
                                  (int)CLAMP (version, 0, G_MAXINT), OV_PROTOCOL_VERSION));
  else if (g_strcmp0 (ov_field_text (object, "event"), "error") == 0)
    break_off (self, ov_error_from_event (object));
  else
    break_off (self, g_error_new_literal (OV_ERROR, OV_ERROR_PROTOCOL,
                                          _ ("What was started does not greet as an Overlap worker "
                                             "does.")));
  return FALSE;
}

static void
take_line (OvConnection *self, const char *line)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = ov_message_parse (line, &error);
  JsonObject *object;

  if (node == NULL)
    {
      g_autofree char *shown = ov_text_for_show (line, strlen (line), 80);

      break_off (self,
                 g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                              self->greeted
                                  ? _ ("The worker wrote a line that cannot be read: “%s”")
                                  : _ ("What was started is no Overlap worker; it wrote “%s”"),
                              shown));
      return;
    }
  object = json_node_get_object (node);
  if (!self->greeted && !check_hello (self, object))
    return;
  if (g_strcmp0 (ov_field_text (object, "event"), "error") == 0
      && !json_object_has_member (object, "id"))
    set_cause (self, ov_error_from_event (object));
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, object);
}

/* Whether anybody still wants to hear what the worker says. */
static gboolean
is_listening (OvConnection *self)
{
  return self->stage == STAGE_OPEN || (self->stage == STAGE_LEAVING && self->said_bye);
}

/* Hands out the lines that are there.  Returns FALSE when the time of this turn was used up. */
static gboolean
take_lines (OvConnection *self)
{
  gint64 until = g_get_monotonic_time () + TURN_US;

  while (TRUE)
    {
      g_autofree char *line = ov_line_reader_pop (self->lines);

      if (line == NULL)
        return TRUE;
      self->last_line_us = g_get_monotonic_time ();
      if (is_listening (self))
        take_line (self, line);
      if (self->stage == STAGE_CLOSED)
        return TRUE;
      if (self->last_line_us >= until)
        return FALSE;
    }
}

/* The worker closed its output: it is ending, or it is broken. */
static void
take_end_of_output (OvConnection *self)
{
  close_pipe (&self->pipes.output, &self->reading);
  if (self->child != NULL)
    begin_leaving (self, ov_patience.term);
  check_end (self);
}

static gboolean
on_hello_again (gpointer data)
{
  g_autoptr (OvConnection) self = g_object_ref (data);

  ov_clear_source (&self->hello_again);
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, self->hello);
  return G_SOURCE_REMOVE;
}

static gboolean
on_readable (gint fd, GIOCondition condition, gpointer data)
{
  g_autoptr (OvConnection) self = g_object_ref (data);
  g_autoptr (GError) error = NULL;
  char *buffer;
  gssize n = 0;

  g_source_set_ready_time (self->reading, -1);
  if (self->hello_again != NULL) /* it is the first thing that its new user hears */
    on_hello_again (self);
  self->lines_left = !take_lines (self);
  if (!self->lines_left && self->stage != STAGE_CLOSED)
    {
      buffer = g_malloc (READ_BYTES);
      n = read (fd, buffer, READ_BYTES);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        take_end_of_output (self);
      else if (n > 0 && is_listening (self)
               && !ov_line_reader_push (self->lines, buffer, (gsize)n, &error))
        break_off (self, g_error_new (OV_ERROR, OV_ERROR_PROTOCOL,
                                      _ ("The worker breaks the protocol: %s"), error->message));
      g_free (buffer);
      if (n > 0 && self->stage != STAGE_CLOSED)
        self->lines_left = !take_lines (self);
    }
  if (self->reading == NULL)
    return G_SOURCE_REMOVE;
  if (self->lines_left)
    g_source_set_ready_time (self->reading, 0);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_error_output (gint fd, GIOCondition condition, gpointer data)
{
  OvConnection *self = data;
  char buffer[8192];
  gssize n = read (fd, buffer, sizeof buffer);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return G_SOURCE_CONTINUE;
  if (n <= 0)
    {
      close_pipe (&self->pipes.error, &self->reading_error);
      return G_SOURCE_REMOVE;
    }
  g_debug ("worker %d: %.*s", (int)self->pid, (int)n, buffer);
  for (gssize i = 0; i < n; i++)
    if (buffer[i] == '\0')
      buffer[i] = ' ';
  g_string_append_len (self->error_tail, buffer, n);
  if (self->error_tail->len > ERROR_TAIL)
    g_string_erase (self->error_tail, 0, (gssize)(self->error_tail->len - ERROR_TAIL));
  return G_SOURCE_CONTINUE;
}

static GSource *
watch_input (OvConnection *self, int fd, GUnixFDSourceFunc func, const char *name)
{
  GSource *source = g_unix_fd_source_new (fd, G_IO_IN);

  g_source_set_callback (source, G_SOURCE_FUNC (func), self, NULL);
  g_source_set_priority (source, PRIORITY_INPUT);
  g_source_set_static_name (source, name);
  g_source_attach (source, self->context);
  return source;
}

/* ---- The object ----------------------------------------------------------------------------- */

static void
ov_connection_dispose (GObject *object)
{
  OvConnection *self = OV_CONNECTION (object);

  self->stage = STAGE_CLOSED;
  close_pipe (&self->pipes.input, &self->writing);
  close_pipe (&self->pipes.output, &self->reading);
  close_pipe (&self->pipes.error, &self->reading_error);
  ov_clear_source (&self->timer);
  ov_clear_source (&self->hello_again);
  if (self->child != NULL)
    ov_subprocess_signal (self->child, SIGKILL);
  g_clear_pointer (&self->child, ov_subprocess_release);
  G_OBJECT_CLASS (ov_connection_parent_class)->dispose (object);
}

static void
ov_connection_finalize (GObject *object)
{
  OvConnection *self = OV_CONNECTION (object);

  ov_line_reader_free (self->lines);
  g_byte_array_unref (self->queue);
  g_string_free (self->error_tail, TRUE);
  g_clear_error (&self->cause);
  g_clear_pointer (&self->hello, json_object_unref);
  g_free (self->key);
  g_main_context_unref (self->context);
  G_OBJECT_CLASS (ov_connection_parent_class)->finalize (object);
}

static void
ov_connection_class_init (OvConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ov_connection_dispose;
  object_class->finalize = ov_connection_finalize;
  signals[SIGNAL_MESSAGE] = g_signal_new ("message", OV_TYPE_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", OV_TYPE_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_connection_init (OvConnection *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->pipes = (OvSubprocessPipes){ -1, -1, -1 };
  self->lines = ov_line_reader_new ();
  self->queue = g_byte_array_new ();
  self->error_tail = g_string_new (NULL);
  self->status = -1;
  self->last_line_us = g_get_monotonic_time ();
}

static char **
worker_command (const OvLauncher *launcher)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_addv (words, (const char **)launcher->prefix);
  g_strv_builder_add (words, launcher->worker);
  return g_strv_builder_end (words);
}

/** Starts a worker and sends the first line, which names `program`.  Errors: as
 * ov_subprocess_spawn(): OV_ERROR_NOT_FOUND, _PERMISSION, _WORKER. */
OvConnection *
ov_connection_new (const OvLauncher *launcher, const char *program, GError **error)
{
  g_autoptr (OvConnection) self = NULL;
  g_autoptr (JsonObject) first = NULL;
  g_auto (GStrv) command = NULL;

  g_return_val_if_fail (launcher != NULL && program != NULL, NULL);

  self = g_object_new (OV_TYPE_CONNECTION, NULL);
  command = worker_command (launcher);
  self->child = ov_subprocess_spawn (command, launcher->prefix[0] != NULL, &self->pipes, on_exited,
                                     self, error);
  if (self->child == NULL)
    return NULL;
  self->pid = ov_subprocess_get_pid (self->child);
  if (launcher->prefix[0] != NULL)
    self->key = g_strjoinv ("\n", command);
  self->reading = watch_input (self, self->pipes.output, on_readable, "Overlap worker's output");
  self->reading_error
      = watch_input (self, self->pipes.error, on_error_output, "Overlap worker's errors");

  first = json_object_new ();
  json_object_set_int_member (first, "overlap-protocol", OV_PROTOCOL_VERSION);
  json_object_set_string_member (first, "program", program);
  queue_object (self, first);
  return g_steal_pointer (&self);
}

guint
ov_connection_send (OvConnection *self, const char *command, JsonObject *object)
{
  g_return_val_if_fail (OV_IS_CONNECTION (self), 0);
  g_return_val_if_fail (command != NULL, 0);

  if (object == NULL)
    object = json_object_new ();
  json_object_set_string_member (object, "cmd", command);
  json_object_set_int_member (object, "id", ++self->last_id);
  queue_object (self, object);
  json_object_unref (object);
  return self->last_id;
}

gint64
ov_connection_silent_ms (OvConnection *self)
{
  struct pollfd input;

  g_return_val_if_fail (OV_IS_CONNECTION (self), 0);

  /* What we did not come to read yet is not the worker's silence. */
  input = (struct pollfd){ .fd = self->pipes.output, .events = POLLIN };
  if (self->lines_left || (self->pipes.output >= 0 && poll (&input, 1, 0) > 0))
    return 0;
  return (g_get_monotonic_time () - self->last_line_us) / 1000;
}

void
ov_connection_close (OvConnection *self, guint grace_ms)
{
  g_return_if_fail (OV_IS_CONNECTION (self));

  if (self->stage == STAGE_OPEN)
    {
      self->said_bye = TRUE;
      ov_connection_send (self, "bye", NULL);
      begin_leaving (self, grace_ms);
    }
  else if (self->stage == STAGE_LEAVING && self->child != NULL)
    set_timer (self, grace_ms);
}

void
ov_connection_kill (OvConnection *self)
{
  g_return_if_fail (OV_IS_CONNECTION (self));

  if (self->stage >= STAGE_KILL)
    return;
  if (!self->said_bye)
    set_cause (self,
               g_error_new_literal (OV_ERROR, OV_ERROR_CANCELLED, _ ("The worker was ended.")));
  kill_now (self);
}

GPid
ov_connection_get_pid (OvConnection *self)
{
  g_return_val_if_fail (OV_IS_CONNECTION (self), 0);

  return self->pid;
}

/* ---- Parking -------------------------------------------------------------------------------- */

static OvConnection *
take_parked (const char *key)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  for (guint i = 0; parked != NULL && i < parked->len; i++)
    {
      OvConnection *self = parked->pdata[i];

      if (self->stage != STAGE_OPEN || self->child == NULL || self->context != context
          || g_strcmp0 (self->key, key) != 0)
        continue;
      g_object_ref (self);
      unpark (self);
      ov_clear_source (&self->timer);
      self->last_line_us = g_get_monotonic_time ();
      self->hello_again = g_idle_source_new ();
      g_source_set_callback (self->hello_again, on_hello_again, self, NULL);
      g_source_attach (self->hello_again, self->context);
      return self;
    }
  return NULL;
}

OvConnection *
ov_connection_obtain (const OvLauncher *launcher, const char *program, GError **error)
{
  g_autofree char *key = NULL;
  g_auto (GStrv) command = NULL;
  OvConnection *self = NULL;

  g_return_val_if_fail (launcher != NULL && program != NULL, NULL);

  command = worker_command (launcher);
  key = g_strjoinv ("\n", command);
  if (launcher->prefix[0] != NULL)
    self = take_parked (key);
  return self != NULL ? self : ov_connection_new (launcher, program, error);
}

gboolean
ov_connection_park (OvConnection *self)
{
  g_return_val_if_fail (OV_IS_CONNECTION (self), FALSE);
  g_return_val_if_fail (!self->parked, FALSE);

  if (self->key == NULL || self->stage != STAGE_OPEN || !self->greeted || self->cause != NULL
      || self->child == NULL || self->pipes.input < 0 || self->pipes.output < 0)
    return FALSE;
  if (parked == NULL)
    parked = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (parked, g_object_ref (self));
  self->parked = TRUE;
  set_timer (self, ov_patience.park);
  return TRUE;
}

void
ov_connection_close_parked (void)
{
  for (guint i = 0; parked != NULL && i < parked->len; i++)
    ov_connection_close (parked->pdata[i], ov_patience.close);
}
