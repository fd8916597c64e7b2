/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue of lines; the first one may be partly written.
 */
#include "worker/ov-output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "model/ov-message.h"

struct _OvOutput
{
  int fd;
  GQueue lines;  /**< of char*, owned */
  gsize written; /**< of the first line */
};

OvOutput *
ov_output_new (int fd)
{
  OvOutput *self = g_new0 (OvOutput, 1);

  self->fd = fd;
  g_queue_init (&self->lines);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
  return self;
}

void
ov_output_free (OvOutput *self)
{
  g_queue_clear_full (&self->lines, g_free);
  g_free (self);
}

void
ov_output_send (OvOutput *self, JsonObject *object)
{
  JsonNode *node = json_node_alloc ();

  json_node_init_object (node, object);
  json_object_unref (object);
  g_queue_push_tail (&self->lines, ov_message_line (node));
  json_node_free (node);
}

void
ov_output_send_droppable (OvOutput *self, JsonObject *object)
{
  if (ov_output_is_empty (self))
    ov_output_send (self, object);
  else
    json_object_unref (object);
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
