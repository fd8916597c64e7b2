/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers and the writer of runs share: the tables of their members, and a run as a part
 * of something larger.
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-run.h"

G_BEGIN_DECLS

typedef enum
{
  OV_RUN_SPEC,
  OV_RUN_STATE,
  OV_RUN_TEXT,   /**< char *, or NULL */
  OV_RUN_FIGURE, /**< gint64, -1: not measured */
  OV_RUN_BOOL,
  OV_RUN_DOUBLE, /**< NaN: not measured */
  OV_RUN_HISTOGRAM,
  OV_RUN_PROFILE,
  OV_RUN_NEIGHBOUR,
  OV_RUN_COUNT, /**< guint64 */
  OV_RUN_LOG,   /**< GArray of OvRequest, or NULL */
} OvRunMemberKind;

/** A member of a run's JSON object. */
typedef struct
{
  const char *key;
  OvRunMemberKind kind;
  gsize field;    /**< offset in OvRun; of a histogram: of what is packed */
  gsize unpacked; /**< of a histogram: of the OvHistogram */
} OvRunMember;

/** All of them in the order in which they are written; the last one has no key. */
extern const OvRunMember ov_run_members[];

/** Places in ov_run_members of those that must be there. */
enum
{
  OV_RUN_MEMBER_SPEC,
  OV_RUN_MEMBER_STATE,
};

/** A column of a log. */
typedef struct
{
  const char *key;
  gsize field; /**< offset in OvRequest */
  gint64 min;
  gint64 max;
  gboolean nullable; /**< null is -1 */
  gboolean is_32;    /**< the field is a guint32, else 64 bits */
} OvLogColumn;

#define OV_LOG_N_COLUMNS 8
#define OV_LOG_HANDED    1 /**< the column that older files lack */
#define OV_LOG_OFFSET    5 /**< the first column that knows no null */
extern const OvLogColumn ov_log_columns[OV_LOG_N_COLUMNS];

/** Fills a new run from the reader's object; faults stay in the reader. */
void ov_run_read (OvJsonReader *reader, OvRun *run);

/** The run whose whole text this is, its histograms packed; the text must be UTF-8.  NULL: not
 *  recognised; what it is, ov_run_from_json() says.  Transfer full. */
OvRun *ov_run_scan (const char *text, gsize length);

/** Appends the run as JSON on one line. */
void ov_run_write (GString *out, const OvRun *run, gboolean with_log);
/** Appends its specification likewise. */
void ov_run_spec_write (GString *out, const OvRunSpec *spec);

G_END_DECLS
