/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer.  What it writes, ov_json_parse() reads back as the same values, but for NaN and
 * infinities, which become null; a double that is whole comes back as an integer.  It knows no
 * locale.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/ov-units.h"
#include "model/ov-json-private.h"

static void
write_byte (GString *out, guchar c)
{
  switch (c)
    {
    case '"':
      g_string_append (out, "\\\"");
      break;
    case '\\':
      g_string_append (out, "\\\\");
      break;
    case '\n':
      g_string_append (out, "\\n");
      break;
    case '\r':
      g_string_append (out, "\\r");
      break;
    case '\t':
      g_string_append (out, "\\t");
      break;
    default:
      if (c >= 0x80)
        g_string_append_printf (out, "\\udc%02x", c);
      else
        g_string_append_printf (out, "\\u%04x", c);
    }
}

/* How many bytes from `text` on stand for themselves in a quoted text. */
static gsize
plain_span (const char *text, gsize n)
{
  gsize i;

  for (i = 0; i < n; i++)
    if ((guchar)text[i] < 0x20 || text[i] == '"' || text[i] == '\\' || text[i] == 0x7f)
      break;
  return i;
}

void
ov_json_write_string (GString *out, const char *text)
{
  const char *at = text;
  const char *end = text + strlen (text);
  const char *valid_end;

  g_utf8_validate_len (at, (gsize)(end - at), &valid_end);
  g_string_append_c (out, '"');
  while (at < end)
    {
      gsize n = plain_span (at, (gsize)(valid_end - at));

      g_string_append_len (out, at, (gssize)n);
      at += n;
      if (at >= end)
        break;
      write_byte (out, (guchar)*at);
      if (at == valid_end) /* this byte was no UTF-8: look on behind it */
        g_utf8_validate_len (at + 1, (gsize)(end - at - 1), &valid_end);
      at++;
    }
  g_string_append_c (out, '"');
}

static void
write_line (GString *out, guint levels, guint indent)
{
  if (levels == 0)
    return;
  g_string_append_c (out, '\n');
  while (indent-- > 0)
    g_string_append (out, "  ");
}

static void write_node (GString *out, JsonNode *node, guint levels, guint indent);

static void
write_object (GString *out, JsonObject *object, guint levels, guint indent)
{
  guint inner = levels > 0 ? levels - 1 : 0;
  gboolean first = TRUE;
  JsonObjectIter iter;
  const char *key;
  JsonNode *member;

  g_string_append_c (out, '{');
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &key, &member))
    {
      if (!first)
        g_string_append_c (out, ',');
      first = FALSE;
      write_line (out, levels, indent + 1);
      ov_json_write_string (out, key);
      g_string_append (out, levels > 0 ? ": " : ":");
      write_node (out, member, inner, indent + 1);
    }
  if (!first)
    write_line (out, levels, indent);
  g_string_append_c (out, '}');
}

static void
write_array (GString *out, JsonArray *array, guint levels, guint indent)
{
  guint n = json_array_get_length (array);
  guint inner = levels > 0 ? levels - 1 : 0;
  guint i;

  g_string_append_c (out, '[');
  for (i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      write_line (out, levels, indent + 1);
      write_node (out, json_array_get_element (array, i), inner, indent + 1);
    }
  if (n > 0)
    write_line (out, levels, indent);
  g_string_append_c (out, ']');
}

static void
write_value (GString *out, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_INT64)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, json_node_get_int (node));
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "true" : "false");
  else if (type == G_TYPE_DOUBLE)
    {
      g_autofree char *text = ov_double_format_json (json_node_get_double (node));

      g_string_append (out, text);
    }
  else if (type == G_TYPE_STRING && json_node_get_string (node) != NULL)
    ov_json_write_string (out, json_node_get_string (node));
  else
    g_string_append (out, "null");
}

static void
write_node (GString *out, JsonNode *node, guint levels, guint indent)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      write_object (out, json_node_get_object (node), levels, indent);
      break;
    case JSON_NODE_ARRAY:
      write_array (out, json_node_get_array (node), levels, indent);
      break;
    case JSON_NODE_VALUE:
      write_value (out, node);
      break;
    case JSON_NODE_NULL:
    default:
      g_string_append (out, "null");
    }
}

void
ov_json_write (GString *out, JsonNode *node, guint levels)
{
  write_node (out, node, levels, 0);
}

void
ov_json_set_string (JsonObject *object, const char *key, const char *text)
{
  if (text == NULL)
    json_object_set_null_member (object, key);
  else if (g_utf8_validate (text, -1, NULL))
    json_object_set_string_member (object, key, text);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);

      json_object_set_string_member (object, key, valid);
    }
}

void
ov_json_set_path (JsonObject *object, const char *key, const char *path)
{
  if (path == NULL)
    json_object_set_null_member (object, key);
  else
    json_object_set_string_member (object, key, path);
}

void
ov_json_set_figure (JsonObject *object, const char *key, gint64 value)
{
  if (value < 0)
    json_object_set_null_member (object, key);
  else
    json_object_set_int_member (object, key, value);
}

void
ov_json_set_double (JsonObject *object, const char *key, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, key, value);
  else
    json_object_set_null_member (object, key);
}

JsonNode *
ov_json_take_object (JsonObject *object)
{
  JsonNode *node = json_node_init_object (json_node_alloc (), object);

  json_object_unref (object);
  return node;
}

void
ov_json_set_letter (JsonObject *object, const char *key, char letter)
{
  char text[2] = { letter, '\0' };

  if (g_ascii_isprint (letter))
    json_object_set_string_member (object, key, text);
  else
    json_object_set_int_member (object, key, (guchar)letter);
}

void
ov_json_put_key (GString *out, const char *key)
{
  char last = out->len > 0 ? out->str[out->len - 1] : '{';

  if (last != '{')
    g_string_append_c (out, ',');
  ov_json_write_string (out, key);
  g_string_append_c (out, ':');
}

void
ov_json_put_number (GString *out, gint64 value)
{
  char digits[24];
  char *at = digits + sizeof digits;
  guint64 rest = value < 0 ? 0 - (guint64)value : (guint64)value;

  do
    *--at = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    *--at = '-';
  g_string_append_len (out, at, digits + sizeof digits - at);
}

void
ov_json_put_int (GString *out, const char *key, gint64 value)
{
  ov_json_put_key (out, key);
  ov_json_put_number (out, value);
}

void
ov_json_put_figure (GString *out, const char *key, gint64 value)
{
  ov_json_put_key (out, key);
  if (value < 0)
    g_string_append_len (out, "null", 4);
  else
    ov_json_put_number (out, value);
}

void
ov_json_put_double (GString *out, const char *key, double value)
{
  g_autofree char *text = ov_double_format_json (value);

  ov_json_put_key (out, key);
  g_string_append (out, text);
}

void
ov_json_put_bool (GString *out, const char *key, gboolean value)
{
  ov_json_put_key (out, key);
  g_string_append (out, value ? "true" : "false");
}

void
ov_json_put_path (GString *out, const char *key, const char *path)
{
  ov_json_put_key (out, key);
  if (path != NULL)
    ov_json_write_string (out, path);
  else
    g_string_append_len (out, "null", 4);
}

void
ov_json_put_string (GString *out, const char *key, const char *text)
{
  if (text == NULL || g_utf8_validate (text, -1, NULL))
    ov_json_put_path (out, key, text);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);

      ov_json_put_path (out, key, valid);
    }
}

void
ov_json_put_letter (GString *out, const char *key, char letter)
{
  char text[2] = { letter, '\0' };

  if (g_ascii_isprint (letter))
    ov_json_put_path (out, key, text);
  else
    ov_json_put_int (out, key, (guchar)letter);
}
