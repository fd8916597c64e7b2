/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Framing and snapshots.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-json-private.h"
#include "model/ov-message.h"
#include "model/ov-types-private.h"

typedef struct
{
  const char *key;
  gsize field;
} Figure;

static const Figure figures[] = {
  { "t", G_STRUCT_OFFSET (OvSnapshot, t_ns) },
  { "run-t", G_STRUCT_OFFSET (OvSnapshot, run_ns) },
  { "bytes", G_STRUCT_OFFSET (OvSnapshot, bytes) },
  { "submitted", G_STRUCT_OFFSET (OvSnapshot, submitted) },
  { "completed", G_STRUCT_OFFSET (OvSnapshot, completed) },
  { "cpu", G_STRUCT_OFFSET (OvSnapshot, cpu_ns) },
  { "user", G_STRUCT_OFFSET (OvSnapshot, user_ns) },
  { "system", G_STRUCT_OFFSET (OvSnapshot, system_ns) },
  { "machine-busy", G_STRUCT_OFFSET (OvSnapshot, machine_busy_ns) },
  { "machine-total", G_STRUCT_OFFSET (OvSnapshot, machine_total_ns) },
  { "resident", G_STRUCT_OFFSET (OvSnapshot, resident) },
};

#define INT_AT(base, figure) G_STRUCT_MEMBER (gint64, base, (figure).field)

JsonNode *
ov_snapshot_to_json (const OvSnapshot *snapshot)
{
  JsonObject *object = json_object_new ();
  gsize i;

  g_return_val_if_fail (snapshot != NULL, NULL);
  json_object_set_string_member (object, "event", "snapshot");
  json_object_set_int_member (object, "run", snapshot->run);
  if (snapshot->phase >= 0)
    json_object_set_string_member (object, "phase", ov_phase_nick ((OvPhase)snapshot->phase));
  else
    json_object_set_null_member (object, "phase");
  ov_json_set_double (object, "fraction", snapshot->fraction);
  for (i = 0; i < G_N_ELEMENTS (figures); i++)
    ov_json_set_figure (object, figures[i].key, INT_AT (snapshot, figures[i]));
  return ov_json_take_object (object);
}

/* The integer under `key`, -1 when missing, null, negative or something else. */
static gint64
lenient_int (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_INT64)
    return -1;
  return MAX (json_node_get_int (node), -1);
}

gboolean
ov_snapshot_from_json (JsonObject *object, OvSnapshot *snapshot)
{
  JsonNode *node;
  gint64 run;
  GType type;
  gsize i;

  g_return_val_if_fail (object != NULL && snapshot != NULL, FALSE);
  run = lenient_int (object, "run");
  if (run < 0 || run > G_MAXUINT)
    return FALSE;
  snapshot->run = (guint)run;
  node = json_object_get_member (object, "phase");
  snapshot->phase = node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
                        ? ov_nick_index (ov_phase_nicks, json_node_get_string (node))
                        : -1;
  node = json_object_get_member (object, "fraction");
  type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;
  snapshot->fraction
      = type == G_TYPE_DOUBLE || type == G_TYPE_INT64 ? json_node_get_double (node) : NAN;
  for (i = 0; i < G_N_ELEMENTS (figures); i++)
    INT_AT (snapshot, figures[i]) = lenient_int (object, figures[i].key);
  return TRUE;
}

/* ---- Lines -------------------------------------------------------------------------------- */

struct _OvLineReader
{
  GString *buffer;
  gsize start;   /* of the first line that was not popped */
  gsize scanned; /* no newline between start and here */
  gsize tail;    /* bytes behind the last newline */
  gboolean broken;
};

OvLineReader *
ov_line_reader_new (void)
{
  OvLineReader *reader = g_new0 (OvLineReader, 1);

  reader->buffer = g_string_new (NULL);
  return reader;
}

void
ov_line_reader_free (OvLineReader *reader)
{
  if (reader == NULL)
    return;
  g_string_free (reader->buffer, TRUE);
  g_free (reader);
}

/* The longest line that `data` ends or goes on with. */
static gsize
longest_line (OvLineReader *reader, const char *data, gsize bytes)
{
  const char *at = data;
  const char *end = data + bytes;
  gsize longest = reader->tail;

  while (at < end)
    {
      const char *newline = memchr (at, '\n', (gsize)(end - at));

      reader->tail += (gsize)((newline != NULL ? newline : end) - at);
      longest = MAX (longest, reader->tail);
      if (newline == NULL)
        break;
      reader->tail = 0;
      at = newline + 1;
    }
  return longest;
}

gboolean
ov_line_reader_push (OvLineReader *reader, const char *data, gsize bytes, GError **error)
{
  g_return_val_if_fail (reader != NULL && (data != NULL || bytes == 0), FALSE);
  if (!reader->broken && bytes > 0 && memchr (data, '\0', bytes) != NULL)
    {
      reader->broken = TRUE;
      g_set_error (error, OV_ERROR, OV_ERROR_PROTOCOL, _ ("a message holds a NUL byte"));
      return FALSE;
    }
  if (reader->broken || longest_line (reader, data, bytes) > OV_MESSAGE_MAX)
    {
      reader->broken = TRUE;
      g_set_error (error, OV_ERROR, OV_ERROR_PROTOCOL, _ ("a message is longer than %d MiB"),
                   OV_MESSAGE_MAX / (1024 * 1024));
      return FALSE;
    }
  if (reader->start > 0 && reader->start >= reader->buffer->len / 2)
    {
      g_string_erase (reader->buffer, 0, (gssize)reader->start);
      reader->scanned -= reader->start;
      reader->start = 0;
    }
  g_string_append_len (reader->buffer, data, (gssize)bytes);
  return TRUE;
}

char *
ov_line_reader_pop (OvLineReader *reader)
{
  const char *newline;
  char *line;

  g_return_val_if_fail (reader != NULL, NULL);
  newline
      = memchr (reader->buffer->str + reader->scanned, '\n', reader->buffer->len - reader->scanned);
  if (newline == NULL)
    {
      reader->scanned = reader->buffer->len;
      return NULL;
    }
  line = g_strndup (reader->buffer->str + reader->start,
                    (gsize)(newline - (reader->buffer->str + reader->start)));
  reader->start = (gsize)(newline - reader->buffer->str) + 1;
  reader->scanned = reader->start;
  return line;
}

JsonNode *
ov_message_parse (const char *line, GError **error)
{
  g_autoptr (GError) why = NULL;
  JsonNode *node;

  g_return_val_if_fail (line != NULL, NULL);
  node = ov_json_parse (line, -1, &why);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return node;
  g_clear_pointer (&node, json_node_unref);
  g_set_error (error, OV_ERROR, OV_ERROR_PROTOCOL, _ ("not a message: %s"),
               why != NULL ? why->message : _ ("must be an object"));
  return NULL;
}

char *
ov_message_line (JsonNode *node)
{
  GString *line = g_string_new (NULL);

  g_return_val_if_fail (node != NULL, NULL);
  ov_json_write (line, node, 0);
  g_string_append_c (line, '\n');
  return g_string_free (line, FALSE);
}
