// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A bounded log of requests, for the timeline: a head and an array in memory that the caller
 * provides, shared memory above all, so that it outlives the process that wrote it.
 *
 * Any number of threads of one process write; nothing allocates or locks. A reader in another
 * process trusts nothing in it: it knows the size of the memory itself and reads through
 * ov_request_log_view().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Times are stamps (ov_stamp()); 0 means "has not happened". */
typedef struct
{
  guint64 submit;
  guint64 handed; /* the call that submitted it returned */
  guint64 complete;
  guint64 consume_start;
  guint64 consume_end;
  guint64 offset; /* in the target, bytes */
  gint64 result;  /* bytes moved, or a negative errno */
  guint32 slot;   /* which of the strategy's buffers or lanes */
  guint32 kind;   /* for the owner's use; 0 if unused */
} OvRequestRecord;

G_STATIC_ASSERT (sizeof (OvRequestRecord) == 64);

typedef struct
{
  guint32 magic;
  guint32 record_bytes;
  guint64 capacity; /* records */
  guint64 taken;    /* records asked for: those beyond capacity were dropped */
  guint64 reserved[5];
  OvRequestRecord records[];
} OvRequestLog;

G_STATIC_ASSERT (sizeof (OvRequestLog) == 64);

/* What a log of so many records needs, in bytes. */
gsize ov_request_log_bytes (gsize capacity);

/* Makes an empty log in `mem`, which must be aligned to 8 and hold ov_request_log_bytes (capacity)
 * bytes; the log is `mem` itself and owns nothing. All of it is written to, so that no page fault
 * falls into a run. */
OvRequestLog *ov_request_log_init (void *mem, gsize capacity);

/* The next record, zeroed but not stamped, or NULL when the log is full; then one more counts as
 * dropped. */
static inline OvRequestRecord *
ov_request_log_next (OvRequestLog *log)
{
  guint64 index = __atomic_fetch_add (&log->taken, 1, __ATOMIC_RELAXED);

  return index < log->capacity ? &log->records[index] : NULL;
}

/* The same for a log into which one thread at a time asks for records: without a locked
 * instruction, which costs as much as the record itself. */
static inline OvRequestRecord *
ov_request_log_next_alone (OvRequestLog *log)
{
  const guint64 index = __atomic_load_n (&log->taken, __ATOMIC_RELAXED);

  __atomic_store_n (&log->taken, index + 1, __ATOMIC_RELAXED);
  return index < log->capacity ? &log->records[index] : NULL;
}

/* Records in use and requests that found no room. */
guint64 ov_request_log_used (const OvRequestLog *log);
guint64 ov_request_log_dropped (const OvRequestLog *log);

/* Empties the log for another run with the same capacity. */
void ov_request_log_reset (OvRequestLog *log);

/*
 * For a reader that does not trust the writer: the records in `mem`, which is `bytes` long, and
 * their number; `dropped` may be NULL. Never reaches beyond `bytes`, whatever the head says.
 * NULL if there is no log in `mem`. The records belong to `mem` and may change while the writer
 * lives; the same record is read twice safely only from a copy.
 */
const OvRequestRecord *ov_request_log_view (const void *mem, gsize bytes, gsize *n_records,
                                            guint64 *dropped);

G_END_DECLS
