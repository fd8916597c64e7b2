/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Members of objects, errors and other text from a worker, taken with suspicion.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "engine/ov-fields-private.h"

static JsonNode *
field (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

const char *
ov_field_text (JsonObject *object, const char *name)
{
  JsonNode *node = field (object, name, JSON_NODE_VALUE);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

gint64
ov_node_int (JsonNode *node, gint64 fallback)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return json_node_get_int (node);
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE)
    {
      double value = json_node_get_double (node);

      if (value > -9e18 && value < 9e18)
        return (gint64)value;
    }
  return fallback;
}

gint64
ov_field_int (JsonObject *object, const char *name, gint64 fallback)
{
  return ov_node_int (json_object_get_member (object, name), fallback);
}

double
ov_field_double (JsonObject *object, const char *name)
{
  JsonNode *node = field (object, name, JSON_NODE_VALUE);
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return NAN;
  return json_node_get_double (node);
}

JsonArray *
ov_field_array (JsonObject *object, const char *name)
{
  JsonNode *node = field (object, name, JSON_NODE_ARRAY);

  return node != NULL ? json_node_get_array (node) : NULL;
}

GError *
ov_error_from_event (JsonObject *object)
{
  static const struct
  {
    const char *nick;
    OvErrorCode code;
  } codes[] = {
    { "invalid", OV_ERROR_INVALID },
    { "not-found", OV_ERROR_NOT_FOUND },
    { "permission", OV_ERROR_PERMISSION },
    { "no-space", OV_ERROR_NO_SPACE },
    { "unsupported", OV_ERROR_UNSUPPORTED },
    { "protocol", OV_ERROR_PROTOCOL },
    { "busy", OV_ERROR_BUSY },
    { "cancelled", OV_ERROR_CANCELLED },
    { "failed", OV_ERROR_FAILED },
  };
  const char *nick = ov_field_text (object, "code");
  const char *message = ov_field_text (object, "message");
  OvErrorCode code = OV_ERROR_FAILED;

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_strcmp0 (nick, codes[i].nick) == 0)
      code = codes[i].code;
  return g_error_new_literal (OV_ERROR, (int)code,
                              message != NULL && *message != '\0'
                                  ? message
                                  : _ ("The worker met an error that it did not explain."));
}

char *
ov_text_for_show (const char *text, gsize bytes, glong limit)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize)bytes);
  GString *shown = g_string_new (NULL);
  gboolean was_space = TRUE;

  for (const char *p = valid; *p != '\0' && limit > 0; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      gboolean is_space = g_unichar_isspace (c) || !g_unichar_isprint (c);

      if (is_space && was_space)
        continue;
      g_string_append_unichar (shown, is_space ? ' ' : c);
      was_space = is_space;
      if (--limit == 0 && *g_utf8_next_char (p) != '\0')
        g_string_append (shown, "…");
    }
  g_strchomp (shown->str);
  return g_string_free (shown, FALSE);
}
