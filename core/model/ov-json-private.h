/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON as this program reads and writes it, over json-glib's nodes.  The library's own parser is
 * not used: it takes comments and trailing text, lets 2^63 become negative and a second key win
 * silently, and a line of a million '[' overflows its stack.  Its generator writes "inf".  These
 * two know RFC 8259 and nothing else.
 *
 * What always holds: an integer node holds exactly what the text said; a number that fits no
 * 64 bits is a double; no text that was read holds a NUL; NaN and infinity are written as null.
 * Bytes of a path that are no UTF-8 travel as lone surrogates, "\udc80" to "\udcff" (as Python
 * does), and only ov_json_path() lets them in.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** Objects and arrays within each other, at most. */
#define OV_JSON_DEPTH 64

/** Called with each element of the streamed array; `so_far` is the outermost object as far as it
 *  was read.  FALSE with an error ends the parsing. */
typedef gboolean (*OvJsonElementFunc) (JsonNode *element, guint index, JsonObject *so_far,
                                       gpointer data, GError **error);

/** Parses one JSON text, which need not end with a NUL.  `length` -1: up to the NUL.
 *  OV_ERROR_INVALID with line and column.  Transfer full. */
JsonNode *ov_json_parse (const char *text, gssize length, GError **error);
/** The place behind the object that begins at `text`, of which nothing is looked at but where texts
 *  and brackets are; NULL where none begins there or ends before `end`. */
const char *ov_json_skip_object (const char *text, const char *end);

/** Takes the text of one element of an array, from its first bracket to the one that closes it;
 *  what stands between is not looked at. */
typedef void (*OvJsonRawFunc) (const char *text, gsize length, gpointer data);
/** Parses all but the elements, which must be objects, of the array under `key` of the outermost
 *  object: their texts go to `func`, so that others can parse them.  In the result the array is
 *  empty. */
JsonNode *ov_json_parse_around (const char *text, gssize length, const char *key,
                                OvJsonRawFunc func, gpointer data, GError **error);
/** As ov_json_parse(), but the elements of the array under `key` of the outermost object are
 *  handed to `func` one after the other and not kept, so that memory does not grow with them. */
JsonNode *ov_json_parse_streaming (const char *text, gssize length, const char *key,
                                   OvJsonElementFunc func, gpointer data, GError **error);

/** Appends `node`; the outer `levels` levels are spread over lines, deeper ones stay on one. */
void ov_json_write (GString *out, JsonNode *node, guint levels);
void ov_json_write_string (GString *out, const char *text);

/* ---- Members; -1 and NaN become null ------------------------------------------------------ */

void ov_json_set_string (JsonObject *object, const char *key, const char *text);
/** Keeps bytes that are no UTF-8. */
void ov_json_set_path (JsonObject *object, const char *key, const char *path);
/** A figure: null where it is negative. */
void ov_json_set_figure (JsonObject *object, const char *key, gint64 value);
void ov_json_set_double (JsonObject *object, const char *key, double value);
JsonNode *ov_json_take_object (JsonObject *object);

/* ---- The same straight into a text, inside an object whose first bracket is there --------------
 */

/** A comma where one is needed, the key and a colon. */
void ov_json_put_key (GString *out, const char *key);
/** A number without a key. */
void ov_json_put_number (GString *out, gint64 value);
void ov_json_put_int (GString *out, const char *key, gint64 value);
void ov_json_put_figure (GString *out, const char *key, gint64 value);
void ov_json_put_double (GString *out, const char *key, double value);
void ov_json_put_bool (GString *out, const char *key, gboolean value);
/** NULL becomes null. */
void ov_json_put_string (GString *out, const char *key, const char *text);
void ov_json_put_path (GString *out, const char *key, const char *path);
void ov_json_put_letter (GString *out, const char *key, char letter);

/* ---- Reading an object -------------------------------------------------------------------- */

/** Walks over one object.  The first fault is kept and every later call gives its fallback, so
 *  that a reader is written without a test after each member.  Lives on the stack; what it
 *  borrows must outlive it.  End it with ov_json_end(). */
typedef struct _OvJsonReader OvJsonReader;
struct _OvJsonReader
{
  const OvJsonReader *parent; /* the object that this one is a member of, or NULL */
  const char *key;            /* under this key of the parent, or the name of the whole, or NULL */
  int index;                  /* in the array under that key, or -1 */
  gboolean strict;            /* complain about keys that nobody asked for */
  JsonObject *object;
  const char *known[64]; /* keys that were asked for, as far as there is room */
  guint n_known;
  GError *error;
};

/** Begins with the outermost object; not an object is the first fault. */
void ov_json_begin (OvJsonReader *reader, JsonNode *node, gboolean strict);
/** Begins with the object under `key` of `parent` (index -1) or in the array there. */
void ov_json_begin_child (OvJsonReader *reader, OvJsonReader *parent, JsonNode *node,
                          const char *key, int index);
/** Looks for keys nobody asked for, if strict, and hands the first fault to `error`.  TRUE
 *  without one. */
gboolean ov_json_end (OvJsonReader *reader, GError **error);
/** As ov_json_end(), the fault becoming the parent's. */
gboolean ov_json_end_child (OvJsonReader *reader, OvJsonReader *parent);

/** A fault of the member `key` (NULL: of the object itself): "strategies[2].block: …". */
void ov_json_fail (OvJsonReader *reader, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/** As ov_json_fail() for the element `index` of the array under `key`. */
void ov_json_fail_at (OvJsonReader *reader, const char *key, guint index, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/** Fault when `key` is missing or null. */
void ov_json_require (OvJsonReader *reader, const char *key);

/* A missing member and null give the fallback; a wrong type or range is a fault. */
JsonNode *ov_json_member (OvJsonReader *reader, const char *key); /**< borrowed; NULL for null */
gint64 ov_json_int (OvJsonReader *reader, const char *key, gint64 min, gint64 max, gint64 fallback);
/** A figure: 0 or more, -1 where it is null or missing. */
gint64 ov_json_figure (OvJsonReader *reader, const char *key);
double ov_json_double (OvJsonReader *reader, const char *key, double min, double max,
                       double fallback);
gboolean ov_json_bool (OvJsonReader *reader, const char *key, gboolean fallback);
/** Whole bytes, a number or a text such as "64K". */
guint64 ov_json_size (OvJsonReader *reader, const char *key, guint64 min, guint64 max,
                      guint64 fallback);
/** As ov_json_size() for an element of the array under `key`. */
guint64 ov_json_size_at (OvJsonReader *reader, const char *key, guint index, JsonNode *node,
                         guint64 min, guint64 max);
char *ov_json_string (OvJsonReader *reader, const char *key); /**< UTF-8; g_free() */
char *ov_json_path (OvJsonReader *reader, const char *key);   /**< any bytes; g_free() */
/** Index in a table of nicks. */
int ov_json_nick (OvJsonReader *reader, const char *key, const char *const *nicks, int fallback);
JsonArray *ov_json_array (OvJsonReader *reader, const char *key);   /**< borrowed, or NULL */
JsonObject *ov_json_object (OvJsonReader *reader, const char *key); /**< borrowed, or NULL */
/** An array of texts; NULL when missing.  Free with g_strfreev(). */
char **ov_json_strings (OvJsonReader *reader, const char *key);
/** A character of its own: a text of one character (ASCII), or a number from 0 to 255. */
char ov_json_letter (OvJsonReader *reader, const char *key, char fallback);
void ov_json_set_letter (JsonObject *object, const char *key, char letter);

G_END_DECLS
