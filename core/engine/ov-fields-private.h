/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading members of an object that a worker sent.  Nothing in it can be trusted: a member that is
 * missing, null or of another type gives the fallback, never a warning.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/** Text borrowed from the object, or NULL. */
const char *ov_field_text (JsonObject *object, const char *name);
gint64 ov_field_int (JsonObject *object, const char *name, gint64 fallback);
/** NaN where there is none. */
double ov_field_double (JsonObject *object, const char *name);
/** Borrowed, or NULL. */
JsonArray *ov_field_array (JsonObject *object, const char *name);
/** Whole number in a node; `fallback` for null and everything else. */
gint64 ov_node_int (JsonNode *node, gint64 fallback);

/** The error that an `error` event tells, code and message. */
GError *ov_error_from_event (JsonObject *object);
/** The first `limit` characters of what somebody wrote, safe to show.  Free with g_free(). */
char *ov_text_for_show (const char *text, gsize bytes, glong limit);

G_END_DECLS
