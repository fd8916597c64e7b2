/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue of lines; the first one may be partly written.  Behind it a second one of those that wait
 * for more: it is not looked at by whoever writes.
 */
#include "worker/ov-output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/ov-clock.h"
#include "model/ov-message.h"

#define HELD_MAX 256 /* lines; what comes then is dropped */

struct _OvOutput
{
  int fd;
  GQueue lines;  /**< of char*, owned */
  gsize written; /**< of the first line */
  GQueue held;   /**< of char*, owned */
  gint64 hold_ns;
  gint64 held_ns; /**< when the first of them came */
};

OvOutput *
ov_output_new (int fd)
{
  OvOutput *self = g_new0 (OvOutput, 1);

  self->fd = fd;
  g_queue_init (&self->lines);
  g_queue_init (&self->held);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
  return self;
}

void
ov_output_free (OvOutput *self)
{
  g_queue_clear_full (&self->lines, g_free);
  g_queue_clear_full (&self->held, g_free);
  g_free (self);
}

/* The line of `object`, which is taken. */
static char *
take_line (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  json_object_unref (object);
  return ov_message_line (node);
}

static void
release (OvOutput *self)
{
  char *line;

  while ((line = g_queue_pop_head (&self->held)) != NULL)
    g_queue_push_tail (&self->lines, line);
}

void
ov_output_send (OvOutput *self, JsonObject *object)
{
  release (self);
  g_queue_push_tail (&self->lines, take_line (object));
}

void
ov_output_send_droppable (OvOutput *self, JsonObject *object)
{
  const gboolean room
      = self->hold_ns > 0 ? self->held.length < HELD_MAX : ov_output_is_empty (self);

  if (!room)
    {
      json_object_unref (object);
      return;
    }
  if (self->hold_ns == 0)
    {
      ov_output_send (self, object);
      return;
    }
  if (self->held.length == 0)
    self->held_ns = ov_clock_now_ns ();
  g_queue_push_tail (&self->held, take_line (object));
}

void
ov_output_set_hold (OvOutput *self, gint64 ns)
{
  self->hold_ns = ns;
  if (ns == 0)
    release (self);
}

gboolean
ov_output_is_holding (const OvOutput *self)
{
  return self->hold_ns > 0;
}

void
ov_output_release_due (OvOutput *self, gint64 now_ns)
{
  if (self->held.length > 0 && ov_output_is_empty (self) && now_ns - self->held_ns >= self->hold_ns)
    release (self);
}

gboolean
ov_output_is_empty (const OvOutput *self)
{
  return self->lines.length == 0;
}

gboolean
ov_output_flush (OvOutput *self)
{
  char *line;

  while ((line = g_queue_peek_head (&self->lines)) != NULL)
    {
      const gsize left = strlen (line) - self->written;
      ssize_t n = write (self->fd, line + self->written, left);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno == EAGAIN;
      self->written += (gsize)n;
      if ((gsize)n == left)
        {
          g_free (g_queue_pop_head (&self->lines));
          self->written = 0;
        }
    }
  return TRUE;
}

JsonObject *
ov_output_event (const char *event, guint id)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "event", event);
  if (id != 0)
    json_object_set_int_member (object, "id", id);
  return object;
}

void
ov_output_error (OvOutput *self, guint id, const char *code, const char *message)
{
  JsonObject *object = ov_output_event ("error", id);

  json_object_set_string_member (object, "code", code);
  json_object_set_string_member (object, "message", message);
  ov_output_send (self, object);
}
