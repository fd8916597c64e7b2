/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walker over an object, which knows its place.  Keys are borrowed: callers pass literals.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-json-private.h"
#include "model/ov-strategy-info.h"
#include "model/ov-types-private.h"

static void
append_place (GString *out, const OvJsonReader *reader)
{
  if (reader->parent != NULL)
    append_place (out, reader->parent);
  if (reader->key == NULL)
    return;
  if (out->len > 0)
    g_string_append_c (out, '.');
  g_string_append (out, reader->key);
  if (reader->index >= 0)
    g_string_append_printf (out, "[%d]", reader->index);
}

/* Keeps the first fault.  `index` -1: the member itself. */
static void
set_fault (OvJsonReader *reader, const char *key, int index, const char *text)
{
  GString *place = g_string_new (NULL);

  append_place (place, reader);
  if (key != NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (key, -1);

      if (place->len > 0)
        g_string_append_c (place, '.');
      g_string_append (place, valid);
    }
  if (index >= 0)
    g_string_append_printf (place, "[%d]", index);
  if (place->len > 0)
    g_set_error (&reader->error, OV_ERROR, OV_ERROR_INVALID, "%s: %s", place->str, text);
  else
    g_set_error_literal (&reader->error, OV_ERROR, OV_ERROR_INVALID, text);
  g_string_free (place, TRUE);
}

void
ov_json_fail (OvJsonReader *reader, const char *key, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (reader->error != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  set_fault (reader, key, -1, text);
}

void
ov_json_fail_at (OvJsonReader *reader, const char *key, guint index, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (reader->error != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  set_fault (reader, key, (int)index, text);
}

/* What a node is, for a person. */
static char *
describe (JsonNode *node)
{
  GString *text;

  if (JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (_ ("an object"));
  if (JSON_NODE_HOLDS_ARRAY (node))
    return g_strdup (_ ("an array"));
  text = g_string_new (NULL);
  ov_json_write (text, node, 0);
  if (text->len > 60)
    {
      const char *cut = g_utf8_find_prev_char (text->str, text->str + 60);

      g_string_truncate (text, (gsize)(cut - text->str));
      g_string_append (text, "…");
    }
  return g_string_free (text, FALSE);
}

static void
fail_type (OvJsonReader *reader, const char *key, JsonNode *node, const char *wanted)
{
  g_autofree char *what = describe (node);

  ov_json_fail (reader, key, _ ("must be %s, not %s"), wanted, what);
}

static void
fail_range (OvJsonReader *reader, const char *key, JsonNode *node, gint64 min, gint64 max)
{
  g_autofree char *what = describe (node);
  g_autofree char *from = g_strdup_printf ("%" G_GINT64_FORMAT, min);
  g_autofree char *to = g_strdup_printf ("%" G_GINT64_FORMAT, max);

  if (max == G_MAXINT64)
    ov_json_fail (reader, key, _ ("must be at least %s and below 2^63, not %s"), from, what);
  else
    ov_json_fail (reader, key, _ ("must be from %s to %s, not %s"), from, to, what);
}

static void
begin (OvJsonReader *reader, JsonNode *node)
{
  reader->n_known = 0;
  reader->error = NULL;
  reader->object = NULL;
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    reader->object = json_node_get_object (node);
  else
    ov_json_fail (reader, NULL, _ ("must be an object"));
}

void
ov_json_begin (OvJsonReader *reader, JsonNode *node, gboolean strict)
{
  reader->parent = NULL;
  reader->key = NULL;
  reader->index = -1;
  reader->strict = strict;
  begin (reader, node);
}

void
ov_json_begin_child (OvJsonReader *reader, OvJsonReader *parent, JsonNode *node, const char *key,
                     int index)
{
  reader->parent = parent;
  reader->key = key;
  reader->index = index;
  reader->strict = parent->strict;
  begin (reader, node);
}

static void
check_keys (OvJsonReader *reader)
{
  JsonObjectIter iter;
  const char *key;

  reader->known[reader->n_known] = NULL;
  json_object_iter_init_ordered (&iter, reader->object);
  while (reader->error == NULL && json_object_iter_next_ordered (&iter, &key, NULL))
    if (ov_nick_index (reader->known, key) < 0)
      {
        g_autofree char *near = ov_nearest_names (key, reader->known);

        if (near != NULL)
          ov_json_fail (reader, key, _ ("unknown key; perhaps %s?"), near);
        else
          ov_json_fail (reader, key, _ ("unknown key"));
      }
}

gboolean
ov_json_end (OvJsonReader *reader, GError **error)
{
  if (reader->strict && reader->error == NULL)
    check_keys (reader);
  if (reader->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return FALSE;
}

gboolean
ov_json_end_child (OvJsonReader *reader, OvJsonReader *parent)
{
  GError *error = NULL;

  if (ov_json_end (reader, &error))
    return TRUE;
  if (parent->error == NULL)
    parent->error = error;
  else
    g_error_free (error);
  return FALSE;
}

JsonNode *
ov_json_member (OvJsonReader *reader, const char *key)
{
  JsonNode *node;

  if (reader->strict)
    {
      g_assert (reader->n_known < G_N_ELEMENTS (reader->known) - 1);
      reader->known[reader->n_known++] = key;
    }
  if (reader->error != NULL)
    return NULL;
  node = json_object_get_member (reader->object, key);
  return node == NULL || JSON_NODE_HOLDS_NULL (node) ? NULL : node;
}

void
ov_json_require (OvJsonReader *reader, const char *key)
{
  JsonNode *node;

  if (reader->error != NULL)
    return;
  node = json_object_get_member (reader->object, key);
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    ov_json_fail (reader, NULL, _ ("the key “%s” is missing"), key);
}

gint64
ov_json_int (OvJsonReader *reader, const char *key, gint64 min, gint64 max, gint64 fallback)
{
  JsonNode *node = ov_json_member (reader, key);
  gint64 value;

  if (node == NULL)
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE
      && fabs (json_node_get_double (node)) >= 9223372036854775808.0)
    {
      fail_range (reader, key, node, min, max);
      return fallback;
    }
  if (json_node_get_value_type (node) != G_TYPE_INT64)
    {
      fail_type (reader, key, node, _ ("a whole number"));
      return fallback;
    }
  value = json_node_get_int (node);
  if (value < min || value > max)
    {
      fail_range (reader, key, node, min, max);
      return fallback;
    }
  return value;
}

gint64
ov_json_figure (OvJsonReader *reader, const char *key)
{
  return ov_json_int (reader, key, 0, G_MAXINT64, -1);
}

double
ov_json_double (OvJsonReader *reader, const char *key, double min, double max, double fallback)
{
  JsonNode *node = ov_json_member (reader, key);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;
  double value;

  if (node == NULL)
    return fallback;
  if (type != G_TYPE_DOUBLE && type != G_TYPE_INT64)
    {
      fail_type (reader, key, node, _ ("a number"));
      return fallback;
    }
  value = type == G_TYPE_INT64 ? (double)json_node_get_int (node) : json_node_get_double (node);
  if (value < min || value > max)
    {
      g_autofree char *what = describe (node);
      g_autofree char *from = ov_double_format_json (min);
      g_autofree char *to = ov_double_format_json (max);

      if (isinf (max))
        ov_json_fail (reader, key, _ ("must be at least %s, not %s"), from, what);
      else
        ov_json_fail (reader, key, _ ("must be from %s to %s, not %s"), from, to, what);
      return fallback;
    }
  return value;
}

gboolean
ov_json_bool (OvJsonReader *reader, const char *key, gboolean fallback)
{
  JsonNode *node = ov_json_member (reader, key);

  if (node == NULL)
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return json_node_get_boolean (node);
  fail_type (reader, key, node, _ ("true or false"));
  return fallback;
}

/* TRUE and the size, or FALSE and a sentence without the place; free it. */
static gboolean
size_from_node (JsonNode *node, guint64 min, guint64 max, guint64 *size, char **fault)
{
  g_autofree char *what = describe (node);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    {
      g_autoptr (GError) error = NULL;

      if (!ov_size_parse (json_node_get_string (node), size, &error))
        {
          *fault = g_strdup (error->message);
          return FALSE;
        }
    }
  else if (type == G_TYPE_INT64 && json_node_get_int (node) >= 0)
    *size = (guint64)json_node_get_int (node);
  else if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    {
      *fault = g_strdup_printf (_ ("must be a whole number of bytes, from 0 to 2^63 - 1, not %s"),
                                what);
      return FALSE;
    }
  else
    {
      *fault = g_strdup_printf (_ ("must be a size such as 65536 or \"64K\", not %s"), what);
      return FALSE;
    }
  if (*size >= min && *size <= max)
    return TRUE;
  from = ov_size_format (min);
  to = ov_size_format (max);
  *fault
      = max >= G_MAXINT64
            ? g_strdup_printf (_ ("must be at least %s and below 2^63 bytes, not %s"), from, what)
            : g_strdup_printf (_ ("must be from %s to %s, not %s"), from, to, what);
  return FALSE;
}

guint64
ov_json_size (OvJsonReader *reader, const char *key, guint64 min, guint64 max, guint64 fallback)
{
  JsonNode *node = ov_json_member (reader, key);
  g_autofree char *fault = NULL;
  guint64 size;

  if (node == NULL)
    return fallback;
  if (size_from_node (node, min, max, &size, &fault))
    return size;
  ov_json_fail (reader, key, "%s", fault);
  return fallback;
}

guint64
ov_json_size_at (OvJsonReader *reader, const char *key, guint index, JsonNode *node, guint64 min,
                 guint64 max)
{
  g_autofree char *fault = NULL;
  guint64 size;

  if (size_from_node (node, min, max, &size, &fault))
    return size;
  ov_json_fail_at (reader, key, index, "%s", fault);
  return min;
}

/* The text of a member, borrowed; NULL when missing or, with a fault, of another type. */
static const char *
text_member (OvJsonReader *reader, const char *key, gboolean any_bytes)
{
  JsonNode *node = ov_json_member (reader, key);
  const char *text;

  if (node == NULL)
    return NULL;
  if (json_node_get_value_type (node) != G_TYPE_STRING)
    {
      fail_type (reader, key, node, _ ("a text"));
      return NULL;
    }
  text = json_node_get_string (node);
  if (!any_bytes && !g_utf8_validate (text, -1, NULL))
    {
      ov_json_fail (reader, key, _ ("must be a text in UTF-8"));
      return NULL;
    }
  return text;
}

char *
ov_json_string (OvJsonReader *reader, const char *key)
{
  return g_strdup (text_member (reader, key, FALSE));
}

char *
ov_json_path (OvJsonReader *reader, const char *key)
{
  return g_strdup (text_member (reader, key, TRUE));
}

int
ov_json_nick (OvJsonReader *reader, const char *key, const char *const *nicks, int fallback)
{
  const char *text = text_member (reader, key, FALSE);
  g_autofree char *all = NULL;
  int index;

  if (text == NULL)
    return fallback;
  index = ov_nick_index (nicks, text);
  if (index >= 0)
    return index;
  all = g_strjoinv (", ", (char **)nicks);
  ov_json_fail (reader, key, _ ("“%s” is unknown; allowed are %s"), text, all);
  return fallback;
}

JsonArray *
ov_json_array (OvJsonReader *reader, const char *key)
{
  JsonNode *node = ov_json_member (reader, key);

  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return json_node_get_array (node);
  fail_type (reader, key, node, _ ("an array"));
  return NULL;
}

JsonObject *
ov_json_object (OvJsonReader *reader, const char *key)
{
  JsonNode *node = ov_json_member (reader, key);

  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  fail_type (reader, key, node, _ ("an object"));
  return NULL;
}

char **
ov_json_strings (OvJsonReader *reader, const char *key)
{
  JsonArray *array = ov_json_array (reader, key);
  GPtrArray *texts;
  guint i;

  if (array == NULL)
    return NULL;
  texts = g_ptr_array_new ();
  for (i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (json_node_get_value_type (node) != G_TYPE_STRING
          || !g_utf8_validate (json_node_get_string (node), -1, NULL))
        {
          ov_json_fail_at (reader, key, i, _ ("must be a text"));
          break;
        }
      g_ptr_array_add (texts, json_node_dup_string (node));
    }
  g_ptr_array_add (texts, NULL);
  return (char **)g_ptr_array_free (texts, FALSE);
}

char
ov_json_letter (OvJsonReader *reader, const char *key, char fallback)
{
  JsonNode *node = ov_json_member (reader, key);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (node == NULL)
    return fallback;
  if (type == G_TYPE_INT64 && json_node_get_int (node) >= 0 && json_node_get_int (node) <= 255)
    return (char)json_node_get_int (node);
  if (type == G_TYPE_STRING && strlen (json_node_get_string (node)) == 1)
    return json_node_get_string (node)[0];
  fail_type (reader, key, node, _ ("one ASCII character in quotes, or a number from 0 to 255"));
  return fallback;
}
