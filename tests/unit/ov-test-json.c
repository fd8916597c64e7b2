/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser, the writer and the walker that knows its place.
 */
#include "config.h"

#include <locale.h>
#include <math.h>

#include "base/ov-random.h"
#include "ov-test-model.h"

/* What is read is written as the second text. */
static const struct
{
  const char *in;
  const char *out;
} good[] = {
  { "{}", "{}" },
  { " [ ] ", "[]" },
  { "\xef\xbb\xbf{}", "{}" },
  { "null", "null" },
  { "[true,false,null]", "[true,false,null]" },
  { "[0,-0,1,-1]", "[0,0,1,-1]" },
  { "[9007199254740993]", "[9007199254740993]" },
  { "[9223372036854775807,-9223372036854775808]", "[9223372036854775807,-9223372036854775808]" },
  { "[0.1,1.5e3,-2E-2]", "[0.1,1500,-0.02]" },
  { "[9223372036854775808]", "[9.223372036854776e+18]" },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\"" },
  { "\"\\u00e4\\ud83d\\ude00\"", "\"ä😀\"" },
  { "\"ä😀\"", "\"ä😀\"" },
  { "\"a\\udcff\\udc80b\"", "\"a\\udcff\\udc80b\"" },
  { "\"\x7f\"", "\"\\u007f\"" },
  { "{\"b\":{\"c\":[1,[2,{}]]},\"a\":\"\"}", "{\"b\":{\"c\":[1,[2,{}]]},\"a\":\"\"}" },
};

static const struct
{
  const char *text;
  const char *place;
} bad[] = {
  { "", "line 1, column 1: the text ends too early" },
  { "  ", "line 1, column 3" },
  { "{", "column 2: the text ends too early" },
  { "[1,\n2,\n  x]", "line 3, column 3: not a JSON value" },
  { "{\"a\":1,\"a\":2}", "the key “a” stands twice" },
  { "{\"a\":1,}", "column 8: a key in quotes" },
  { "[1,]", "column 4" },
  { "[1 2]", "column 4: “,” or “]” is missing" },
  { "{\"a\" 1}", "“:” is missing" },
  { "{\"a\":1 \"b\":2}", "“,” or “}” is missing" },
  { "{a:1}", "a key in quotes" },
  { "{'a':1}", "a key in quotes" },
  { "/* x */ {}", "not a JSON value" },
  { "{} x", "something follows" },
  { "{}{}", "something follows" },
  { "var x = {};", "not a JSON value" },
  { "NaN", "not a JSON value" },
  { "[Infinity]", "not a JSON value" },
  { "[-Infinity]", "not a number" },
  { "[01]", "not a number" },
  { "[1.]", "not a number" },
  { "[.5]", "not a JSON value" },
  { "[+1]", "not a JSON value" },
  { "[1e]", "not a number" },
  { "[0x10]", "not a number" },
  { "[1_000]", "missing" },
  { "[-]", "not a number" },
  { "[1e999]", "too large" },
  { "[tru]", "not a JSON value" },
  { "[trueish]", "missing" },
  { "\"abc", "ends too early" },
  { "\"a\nb\"", "control character" },
  { "\"\\x\"", "unknown escape" },
  { "\"\\u12g4\"", "hexadecimal" },
  { "\"\\u0000\"", "NUL" },
  { "\"\\ud800\"", "surrogate" },
  { "\"\\ud800\\u0041\"", "surrogate" },
  { "\"\\ude00\"", "surrogate" },
  { "\"\\", "unknown escape" },
  { "\"\xff\"", "column 2: the text is not UTF-8" },
  { "\"\xc0\x80\"", "not UTF-8" },
  { "{\"\\udcff\":1}", "no text" },
};

static void
test_good (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *text = test_text (test_node (good[i].in));
      g_autofree char *again = NULL;

      g_assert_cmpstr (text, ==, good[i].out);
      again = test_text (test_node (text));
      g_assert_cmpstr (again, ==, text);
    }
}

static void
test_bad (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ov_json_parse (bad[i].text, -1, &error));
      test_error (error, OV_ERROR_INVALID, bad[i].place);
    }
}

/* A NUL within the given length is a byte like any other. */
static void
test_nul (void)
{
  static const char text[] = "{}\0x";
  g_autoptr (GError) error = NULL;

  g_assert_null (ov_json_parse (text, sizeof text - 1, &error));
  test_error (error, OV_ERROR_INVALID, "");
}

static void
test_depth (void)
{
  gsize n = 4 * 1024 * 1024;
  g_autofree char *text = g_malloc (n);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;

  memset (text, '[', n);
  g_assert_null (ov_json_parse (text, (gssize)n, &error));
  test_error (error, OV_ERROR_INVALID, "nested too deeply");
  memset (text + OV_JSON_DEPTH, ']', OV_JSON_DEPTH);
  node = ov_json_parse (text, 2 * OV_JSON_DEPTH, NULL);
  g_assert_nonnull (node);
}

static void
test_not_finite (void)
{
  JsonObject *object = json_object_new ();
  g_autofree char *text = NULL;

  json_object_set_double_member (object, "a", NAN);
  json_object_set_double_member (object, "b", -INFINITY);
  ov_json_set_double (object, "c", INFINITY);
  ov_json_set_figure (object, "d", -1);
  ov_json_set_string (object, "e", "a\xff");
  ov_json_set_string (object, "f", NULL);
  text = test_text (ov_json_take_object (object));
  g_assert_cmpstr (
      text, ==, "{\"a\":null,\"b\":null,\"c\":null,\"d\":null,\"e\":\"a\xef\xbf\xbd\",\"f\":null}");
}

/* With a decimal comma around. */
static void
test_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  g_autofree char *text = NULL;

  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed");
      return;
    }
  text = test_text (test_node ("[0.5,1234567.25]"));
  setlocale (LC_ALL, before);
  g_assert_cmpstr (text, ==, "[0.5,1234567.25]");
}

static void
test_levels (void)
{
  GString *out = g_string_new (NULL);
  g_autoptr (JsonNode) node = test_node ("{\"a\":[1,2],\"b\":{}}");

  ov_json_write (out, node, 1);
  g_assert_cmpstr (out->str, ==, "{\n  \"a\": [1,2],\n  \"b\": {}\n}");
  g_string_free (out, TRUE);
}

static gboolean
read_text (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, &error);

  g_assert_true ((node == NULL) == (error != NULL));
  return node != NULL;
}

static void
test_damaged (void)
{
  test_damage (
      "{\"a\":[1,-2.5e3,\"x\\n\\u00e4\\ud83d\\ude00\\udcff\",true,false,null],\"ä\":{\"b\":[]}}",
      read_text);
}

/* Bytes at random, and pieces of JSON at random. */
static void
test_random (void)
{
  static const char *const pieces[]
      = { "{",   "}",    "[",    "]", ",",     ":",    "\"a\"", "\"b\"", "1",        "-1",  "0.5",
          "1e9", "true", "null", " ", "\"\\u", "\\ud", "800\"", "\"",    "\xc3\xa4", "\xff" };
  OvRandom random;
  guint round;

  ov_random_init (&random, 1);
  for (round = 0; round < 20000; round++)
    {
      GString *text = g_string_new (NULL);
      guint64 n = ov_random_below (&random, 20);
      g_autofree char *exact = NULL;

      while (n-- > 0)
        if (round % 2 == 0)
          g_string_append (text, pieces[ov_random_below (&random, G_N_ELEMENTS (pieces))]);
        else
          g_string_append_c (text, (char)ov_random_below (&random, 256));
      exact = g_memdup2 (text->str, text->len);
      read_text (text->len > 0 ? exact : "", text->len);
      g_string_free (text, TRUE);
    }
}

/* ---- The walker --------------------------------------------------------------------------- */

static const char *const colours[] = { "red", "green", NULL };

/* Reads an object of known shape; hands on the message of the first fault, or NULL. */
static char *
walk (const char *text)
{
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *name = NULL;
  JsonArray *parts;
  OvJsonReader r;
  guint i;

  ov_json_begin (&r, node, TRUE);
  ov_json_int (&r, "n", -5, 5, 0);
  ov_json_int (&r, "big", 0, G_MAXINT64, 0);
  ov_json_double (&r, "d", 0, 1, NAN);
  ov_json_bool (&r, "flag", FALSE);
  ov_json_size (&r, "block", 1, 1 << 30, 1);
  ov_json_size (&r, "size", 0, G_MAXINT64, 1);
  ov_json_nick (&r, "colour", colours, 0);
  ov_json_letter (&r, "letter", 'e');
  name = ov_json_string (&r, "name");
  words = ov_json_strings (&r, "words");
  parts = ov_json_array (&r, "parts");
  for (i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      OvJsonReader child;
      JsonObject *inner;

      ov_json_begin_child (&child, &r, json_array_get_element (parts, i), "parts", (int)i);
      ov_json_require (&child, "id");
      ov_json_int (&child, "id", 0, 9, 0);
      inner = ov_json_object (&child, "inner");
      if (inner != NULL)
        {
          OvJsonReader grandchild;

          ov_json_begin_child (&grandchild, &child, json_object_get_member (child.object, "inner"),
                               "inner", -1);
          ov_json_size (&grandchild, "depth", 1, 9, 1);
          ov_json_end_child (&grandchild, &child);
        }
      ov_json_end_child (&child, &r);
    }
  if (ov_json_end (&r, &error))
    return NULL;
  g_assert_true (error->domain == OV_ERROR && error->code == OV_ERROR_INVALID);
  return g_strdup (error->message);
}

static const struct
{
  const char *text;
  const char *fault; /* NULL: none */
} walks[] = {
  { "{}", NULL },
  { "{\"n\":-5,\"big\":9223372036854775807,\"d\":1,\"flag\":true,\"block\":\"64K\",\"size\":0,"
    "\"colour\":\"green\",\"letter\":255,\"name\":\"x\",\"words\":[\"a\"],"
    "\"parts\":[{\"id\":1,\"inner\":{\"depth\":\"9\"}}]}",
    NULL },
  { "{\"n\":null,\"d\":null,\"block\":null,\"name\":null,\"parts\":null,\"words\":null}", NULL },
  { "[]", "must be an object" },
  { "{\"n\":6}", "n: must be from -5 to 5, not 6" },
  { "{\"n\":1.5}", "n: must be a whole number, not 1.5" },
  { "{\"n\":\"1\"}", "n: must be a whole number, not \"1\"" },
  { "{\"n\":[]}", "n: must be a whole number, not an array" },
  { "{\"n\":9223372036854775808}", "n: must be from -5 to 5" },
  { "{\"big\":9223372036854775808}", "big: must be at least 0 and below 2^63" },
  { "{\"big\":-1}", "big: must be at least 0 and below 2^63, not -1" },
  { "{\"d\":1.01}", "d: must be from 0 to 1, not 1.01" },
  { "{\"d\":\"0\"}", "d: must be a number" },
  { "{\"flag\":1}", "flag: must be true or false, not 1" },
  { "{\"block\":\"5X\"}", "block: " },
  { "{\"block\":-1}", "block: must be a whole number of bytes" },
  { "{\"block\":0}", "block: must be from 1 to 1G, not 0" },
  { "{\"block\":\"2G\"}", "block: must be from 1 to 1G, not \"2G\"" },
  { "{\"block\":true}", "block: must be a size such as" },
  { "{\"size\":9223372036854775808}", "size: must be a whole number of bytes" },
  { "{\"size\":\"9223372036854775808\"}", "size: " },
  { "{\"colour\":\"blue\"}", "colour: “blue” is unknown; allowed are red, green" },
  { "{\"letter\":\"ab\"}", "letter: " },
  { "{\"letter\":\"ä\"}", "letter: " },
  { "{\"letter\":256}", "letter: " },
  { "{\"name\":7}", "name: must be a text, not 7" },
  { "{\"name\":\"\\udcff\"}", "name: must be a text in UTF-8" },
  { "{\"words\":[\"a\",1]}", "words[1]: must be a text" },
  { "{\"parts\":{}}", "parts: must be an array, not an object" },
  { "{\"parts\":[{\"id\":1},7]}", "parts[1]: must be an object" },
  { "{\"parts\":[{}]}", "parts[0]: the key “id” is missing" },
  { "{\"parts\":[{\"id\":1},{\"id\":10}]}", "parts[1].id: must be from 0 to 9" },
  { "{\"parts\":[{\"id\":1,\"inner\":{\"dept\":2}}]}",
    "parts[0].inner.dept: unknown key; perhaps depth?" },
  { "{\"blok\":1}", "blok: unknown key; perhaps block?" },
  { "{\"zzzzzzzz\":1}", "zzzzzzzz: unknown key" },
};

static void
test_walks (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      g_autofree char *fault = walk (walks[i].text);

      if (walks[i].fault == NULL)
        g_assert_cmpstr (fault, ==, NULL);
      else
        {
          g_assert_nonnull (fault);
          if (!g_str_has_prefix (fault, walks[i].fault))
            g_error ("“%s” does not begin with “%s”", fault, walks[i].fault);
        }
    }
}

/* A text that is quoted in a fault is cut, and not within a character. */
static void
test_long_value (void)
{
  GString *text = g_string_new ("{\"n\":\"");
  g_autofree char *fault = NULL;
  guint i;

  for (i = 0; i < 10000; i++)
    g_string_append (text, "ä");
  g_string_append (text, "\"}");
  fault = walk (text->str);
  g_string_free (text, TRUE);
  g_assert_nonnull (fault);
  g_assert_true (g_utf8_validate (fault, -1, NULL));
  g_assert_cmpuint (strlen (fault), <, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/good", test_good);
  g_test_add_func ("/json/bad", test_bad);
  g_test_add_func ("/json/nul", test_nul);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/not-finite", test_not_finite);
  g_test_add_func ("/json/locale", test_locale);
  g_test_add_func ("/json/levels", test_levels);
  g_test_add_func ("/json/damaged", test_damaged);
  g_test_add_func ("/json/random", test_random);
  g_test_add_func ("/json/walks", test_walks);
  g_test_add_func ("/json/long-value", test_long_value);
  return g_test_run ();
}
