/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The protocol between the engine and the worker (docs/protocol.md): JSON objects, one a line,
 * version first.  This file owns framing (splitting a byte stream into lines, with a limit) and
 * the building of lines; both sides use it.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define OV_PROTOCOL_VERSION 1
/** Longest line either side accepts; a longer one is a protocol error. */
#define OV_MESSAGE_MAX (4 * 1024 * 1024)

/** Cumulative figures of a running run, since its start. */
typedef struct
{
  guint run;       /**< OvRunSpec.index */
  int phase;       /**< OvPhase */
  gint64 t_ns;     /**< since the worker got the `run` command */
  gint64 run_ns;   /**< since the run phase began, or -1 before */
  double fraction; /**< of the phase, 0 to 1, or NaN */
  gint64 bytes;    /**< used in the run phase */
  gint64 submitted;
  gint64 completed;
  gint64 cpu_ns;  /**< of the child, since it was born */
  gint64 user_ns; /**< same, by libgtop's ticks */
  gint64 system_ns;
  gint64 machine_busy_ns; /**< all cores, by libgtop's ticks, since the machine's start */
  gint64 machine_total_ns;
  gint64 resident; /**< bytes of the child */
} OvSnapshot;

JsonNode *ov_snapshot_to_json (const OvSnapshot *snapshot);
/** Fast and lenient: missing fields are -1 or NaN. */
gboolean ov_snapshot_from_json (JsonObject *object, OvSnapshot *snapshot);

/** Splits a stream into lines without ever holding more than OV_MESSAGE_MAX. */
typedef struct _OvLineReader OvLineReader;
OvLineReader *ov_line_reader_new (void);
void ov_line_reader_free (OvLineReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvLineReader, ov_line_reader_free)
/** Adds bytes.  OV_ERROR_PROTOCOL when a line grows over the limit. */
gboolean ov_line_reader_push (OvLineReader *reader, const char *data, gsize bytes, GError **error);
/** The next whole line without its newline, or NULL.  Free with g_free(). */
char *ov_line_reader_pop (OvLineReader *reader);

/** Parses a line that must be one JSON object; OV_ERROR_PROTOCOL otherwise.  Transfer full. */
JsonNode *ov_message_parse (const char *line, GError **error);
/** One line with its newline; numbers are locale independent, NaN and infinity become null.
 *  Takes nothing.  Free with g_free(). */
char *ov_message_line (JsonNode *node);

G_END_DECLS
