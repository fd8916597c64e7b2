/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser: recursive descent over RFC 8259, at most OV_JSON_DEPTH deep.  It never reads beyond
 * the text's end, whatever the text holds.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "model/ov-json-private.h"

typedef struct
{
  const char *begin;
  const char *at;
  const char *end;
  guint depth;
  const char *stream_key; /* or NULL */
  OvJsonElementFunc func;
  OvJsonRawFunc raw; /* or NULL */
  gpointer data;
  GError *error;
} Parser;

static JsonNode *parse_value (Parser *p);

/* Sets the first error, with the place where the parser stands. */
static void
fail_text (Parser *p, const char *what)
{
  guint line = 1;
  const char *start = p->begin;
  const char *c;

  if (p->error != NULL)
    return;
  for (c = p->begin; c < p->at; c++)
    if (*c == '\n')
      {
        line++;
        start = c + 1;
      }
  g_set_error (&p->error, OV_ERROR, OV_ERROR_INVALID, _ ("line %u, column %u: %s"), line,
               (guint)(p->at - start) + 1, what);
}

/* As fail_text(); `what` is translated here, so that what does not fail looks nothing up. */
static void
fail (Parser *p, const char *what)
{
  fail_text (p, _ (what));
}

static void
skip_space (Parser *p)
{
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
    p->at++;
}

/* Skips space; FALSE with an error at the text's end. */
static gboolean
more (Parser *p)
{
  skip_space (p);
  if (p->at < p->end)
    return TRUE;
  fail (p, N_ ("the text ends too early"));
  return FALSE;
}

static gboolean
expect (Parser *p, char c, const char *what)
{
  if (!more (p))
    return FALSE;
  if (*p->at != c)
    {
      fail (p, what);
      return FALSE;
    }
  p->at++;
  return TRUE;
}

/* Four hexadecimal digits, or -1. */
static int
parse_hex4 (Parser *p)
{
  int value = 0;
  int i;

  for (i = 0; i < 4; i++)
    {
      int digit = p->at + i < p->end ? g_ascii_xdigit_value (p->at[i]) : -1;

      if (digit < 0)
        return -1;
      value = value * 16 + digit;
    }
  p->at += 4;
  return value;
}

/* After "\u". */
static gboolean
parse_unicode_escape (Parser *p, GString *out)
{
  int code = parse_hex4 (p);

  if (code <= 0)
    {
      fail (p, code == 0 ? N_ ("a text must not hold the character NUL")
                         : N_ ("\\u wants four hexadecimal digits"));
      return FALSE;
    }
  if (code >= 0xdc80 && code <= 0xdcff)
    {
      g_string_append_c (out, (char)(code - 0xdc00)); /* a byte of a path that is no UTF-8 */
      return TRUE;
    }
  if (code >= 0xd800 && code <= 0xdbff && p->end - p->at >= 6 && p->at[0] == '\\'
      && p->at[1] == 'u')
    {
      int low;

      p->at += 2;
      low = parse_hex4 (p);
      if (low >= 0xdc00 && low <= 0xdfff)
        {
          g_string_append_unichar (out, 0x10000 + ((gunichar)(code - 0xd800) << 10)
                                            + (gunichar)(low - 0xdc00));
          return TRUE;
        }
      code = 0xd800;
    }
  if (code >= 0xd800 && code <= 0xdfff)
    {
      fail (p, N_ ("half of a surrogate pair"));
      return FALSE;
    }
  g_string_append_unichar (out, (gunichar)code);
  return TRUE;
}

static gboolean
parse_escape (Parser *p, GString *out)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  const char *found;

  if (p->at < p->end && *p->at == 'u')
    {
      p->at++;
      return parse_unicode_escape (p, out);
    }
  found = p->at < p->end && *p->at != '\0' ? strchr (from, *p->at) : NULL;
  if (found == NULL)
    {
      fail (p, N_ ("unknown escape in a text"));
      return FALSE;
    }
  g_string_append_c (out, to[found - from]);
  p->at++;
  return TRUE;
}

/* The text behind the opening quote; free with g_free(), NULL with an error. */
static char *
parse_string (Parser *p)
{
  GString *out = NULL;
  const char *run = p->at;

  for (;;)
    {
      guchar c;

      if (p->at >= p->end)
        {
          fail (p, N_ ("the text ends too early"));
          break;
        }
      c = (guchar)*p->at;
      if (c == '"')
        {
          char *text;

          if (out == NULL)
            text = g_strndup (run, (gsize)(p->at - run));
          else
            text = g_string_free (g_string_append_len (out, run, p->at - run), FALSE);
          p->at++;
          return text;
        }
      if (c < 0x20)
        {
          fail (p, N_ ("a control character in a text"));
          break;
        }
      p->at++;
      if (c != '\\')
        continue;
      if (out == NULL)
        out = g_string_new (NULL);
      g_string_append_len (out, run, p->at - 1 - run);
      if (!parse_escape (p, out))
        break;
      run = p->at;
    }
  if (out != NULL)
    g_string_free (out, TRUE);
  return NULL;
}

static gboolean
skip_digits (Parser *p)
{
  const char *start = p->at;

  while (p->at < p->end && g_ascii_isdigit (*p->at))
    p->at++;
  return p->at > start;
}

/* Moves behind a number; *whole tells whether it has neither fraction nor exponent. */
static gboolean
scan_number (Parser *p, gboolean *whole)
{
  *whole = TRUE;
  if (*p->at == '-')
    p->at++;
  if (p->at < p->end && *p->at == '0')
    p->at++;
  else if (!skip_digits (p))
    return FALSE;
  if (p->at < p->end && *p->at == '.')
    {
      p->at++;
      *whole = FALSE;
      if (!skip_digits (p))
        return FALSE;
    }
  if (p->at < p->end && (*p->at == 'e' || *p->at == 'E'))
    {
      p->at++;
      *whole = FALSE;
      if (p->at < p->end && (*p->at == '+' || *p->at == '-'))
        p->at++;
      if (!skip_digits (p))
        return FALSE;
    }
  return p->at >= p->end || (!g_ascii_isalnum (*p->at) && *p->at != '.');
}

static JsonNode *
parse_number (Parser *p)
{
  const char *start = p->at;
  gboolean whole;
  g_autofree char *text = NULL;
  double value;

  if (!scan_number (p, &whole))
    {
      fail (p, N_ ("not a number"));
      return NULL;
    }
  text = g_strndup (start, (gsize)(p->at - start));
  if (whole)
    {
      gint64 integer;

      errno = 0;
      integer = g_ascii_strtoll (text, NULL, 10);
      if (errno == 0)
        return json_node_init_int (json_node_alloc (), integer);
    }
  value = g_ascii_strtod (text, NULL);
  if (!isfinite (value))
    {
      fail (p, N_ ("the number is too large"));
      return NULL;
    }
  return json_node_init_double (json_node_alloc (), value);
}

static gboolean
take_word (Parser *p, const char *word)
{
  gsize n = strlen (word);

  if ((gsize)(p->end - p->at) < n || memcmp (p->at, word, n) != 0)
    return FALSE;
  p->at += n;
  return TRUE;
}

const char *
ov_json_skip_object (const char *text, const char *end)
{
  const char *at = text;
  guint depth = 0;

  if (at >= end || *at != '{')
    return NULL;
  while (at < end)
    {
      char c = *at++;

      if (c == '"')
        {
          while (at < end && *at != '"')
            at += *at == '\\' && end - at > 1 ? 2 : 1;
          at += at < end ? 1 : 0;
        }
      else if (c == '{' || c == '[')
        depth++;
      else if ((c == '}' || c == ']') && --depth == 0)
        return at;
    }
  return NULL;
}

/* Moves behind an object without looking at what is in it. */
static gboolean
skip_object (Parser *p)
{
  const char *end = ov_json_skip_object (p->at, p->end);

  if (end == NULL && *p->at != '{')
    fail (p, N_ ("an object is missing"));
  else if (end == NULL)
    {
      p->at = p->end;
      fail (p, N_ ("the text ends too early"));
    }
  else
    p->at = end;
  return end != NULL;
}

/* One element: into `array`, or to the stream's function with the outermost object. */
static gboolean
parse_element (Parser *p, JsonArray *array, JsonObject *outermost, guint index)
{
  JsonNode *element;
  gboolean go_on = TRUE;

  if (outermost != NULL && p->raw != NULL)
    {
      const char *start;

      if (!more (p))
        return FALSE;
      start = p->at;
      if (!skip_object (p))
        return FALSE;
      p->raw (start, (gsize)(p->at - start), p->data);
      return TRUE;
    }
  element = parse_value (p);
  if (element == NULL)
    return FALSE;
  if (outermost == NULL)
    json_array_add_element (array, element);
  else
    {
      go_on = p->func (element, index, outermost, p->data, &p->error);
      json_node_unref (element);
    }
  return go_on;
}

/* The elements behind '['.  They are handed to the stream's function, with the outermost object,
 * or added to `array`. */
static gboolean
parse_elements (Parser *p, JsonArray *array, JsonObject *outermost)
{
  guint index = 0;

  if (!more (p))
    return FALSE;
  if (*p->at == ']')
    {
      p->at++;
      return TRUE;
    }
  for (;; index++)
    {
      if (!parse_element (p, array, outermost, index) || !more (p))
        return FALSE;
      if (*p->at == ']')
        {
          p->at++;
          return TRUE;
        }
      if (!expect (p, ',', N_ ("“,” or “]” is missing")))
        return FALSE;
    }
}

/* An array, the parser standing behind '['. */
static JsonNode *
parse_array (Parser *p, JsonObject *outermost)
{
  JsonArray *array = json_array_new ();
  JsonNode *node = NULL;

  p->depth++;
  if (parse_elements (p, array, outermost))
    node = json_node_init_array (json_node_alloc (), array);
  p->depth--;
  json_array_unref (array);
  return node;
}

static gboolean
parse_member (Parser *p, JsonObject *object)
{
  g_autofree char *key = NULL;
  JsonNode *value;

  if (!expect (p, '"', N_ ("a key in quotes is missing")))
    return FALSE;
  key = parse_string (p);
  if (key == NULL)
    return FALSE;
  if (!g_utf8_validate (key, -1, NULL) || json_object_has_member (object, key))
    {
      g_autofree char *valid = g_utf8_make_valid (key, -1);
      g_autofree char *text = g_strdup_printf (_ ("the key “%s” stands twice here"), valid);

      fail_text (p, json_object_has_member (object, key) ? text : _ ("a key that is no text"));
      return FALSE;
    }
  if (!expect (p, ':', N_ ("“:” is missing")) || !more (p))
    return FALSE;
  if (p->depth == 1 && p->stream_key != NULL && *p->at == '[' && g_str_equal (key, p->stream_key))
    {
      p->at++;
      value = parse_array (p, object);
    }
  else
    value = parse_value (p);
  if (value == NULL)
    return FALSE;
  json_object_set_member (object, key, value);
  return TRUE;
}

/* The members behind '{'. */
static gboolean
parse_members (Parser *p, JsonObject *object)
{
  if (!more (p))
    return FALSE;
  if (*p->at == '}')
    {
      p->at++;
      return TRUE;
    }
  for (;;)
    {
      if (!parse_member (p, object) || !more (p))
        return FALSE;
      if (*p->at == '}')
        {
          p->at++;
          return TRUE;
        }
      if (!expect (p, ',', N_ ("“,” or “}” is missing")))
        return FALSE;
    }
}

static JsonNode *
parse_object (Parser *p)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = NULL;

  p->depth++;
  if (parse_members (p, object))
    node = json_node_init_object (json_node_alloc (), object);
  p->depth--;
  json_object_unref (object);
  return node;
}

static JsonNode *
parse_value (Parser *p)
{
  if (!more (p))
    return NULL;
  if ((*p->at == '{' || *p->at == '[') && p->depth >= OV_JSON_DEPTH)
    {
      fail (p, N_ ("objects and arrays are nested too deeply"));
      return NULL;
    }
  switch (*p->at)
    {
    case '{':
      p->at++;
      return parse_object (p);
    case '[':
      p->at++;
      return parse_array (p, NULL);
    case '"':
      {
        g_autofree char *text = NULL;

        p->at++;
        text = parse_string (p);
        return text != NULL ? json_node_init_string (json_node_alloc (), text) : NULL;
      }
    default:
      break;
    }
  if (*p->at == '-' || g_ascii_isdigit (*p->at))
    return parse_number (p);
  if (take_word (p, "true"))
    return json_node_init_boolean (json_node_alloc (), TRUE);
  if (take_word (p, "false"))
    return json_node_init_boolean (json_node_alloc (), FALSE);
  if (take_word (p, "null"))
    return json_node_init_null (json_node_alloc ());
  fail (p, N_ ("not a JSON value"));
  return NULL;
}

/* Whether there is neither a NUL nor a byte beyond ASCII among eight. */
static gboolean
is_ascii_word (const char *at)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 word;

  memcpy (&word, at, sizeof word);
  return ((word | (word - ones)) & ones << 7) == 0;
}

/* As g_utf8_validate_len(), most of the text being ASCII. */
static gboolean
is_utf8 (const char *at, const char *end, const char **bad)
{
  for (;;)
    {
      gsize n;

      while (end - at >= 8 && is_ascii_word (at))
        at += 8;
      n = (gsize)MIN (end - at, 64);
      if (g_utf8_validate_len (at, n, bad))
        at += n;
      else if (*bad > at && *bad < end) /* perhaps only cut: begin there again */
        at = *bad;
      else
        return FALSE;
      if (at >= end)
        return TRUE;
    }
}

static JsonNode *
parse_whole (Parser *p, GError **error)
{
  const char *bad;
  JsonNode *node;

  if (!is_utf8 (p->at, p->end, &bad))
    {
      p->at = bad;
      fail (p, N_ ("the text is not UTF-8"));
      g_propagate_error (error, p->error);
      return NULL;
    }
  if (p->end - p->at >= 3 && memcmp (p->at, "\xef\xbb\xbf", 3) == 0)
    p->at += 3;
  node = parse_value (p);
  skip_space (p);
  if (node != NULL && p->at < p->end)
    {
      fail (p, N_ ("something follows behind the end"));
      g_clear_pointer (&node, json_node_unref);
    }
  if (node == NULL)
    g_propagate_error (error, p->error);
  return node;
}

JsonNode *
ov_json_parse_streaming (const char *text, gssize length, const char *key, OvJsonElementFunc func,
                         gpointer data, GError **error)
{
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  Parser p = {
    .begin = text, .at = text, .end = text + n, .stream_key = key, .func = func, .data = data
  };

  return parse_whole (&p, error);
}

JsonNode *
ov_json_parse_around (const char *text, gssize length, const char *key, OvJsonRawFunc func,
                      gpointer data, GError **error)
{
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  Parser p = {
    .begin = text, .at = text, .end = text + n, .stream_key = key, .raw = func, .data = data
  };

  return parse_whole (&p, error);
}

JsonNode *
ov_json_parse (const char *text, gssize length, GError **error)
{
  return ov_json_parse_streaming (text, length, NULL, NULL, NULL, error);
}
