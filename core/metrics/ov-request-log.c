// SPDX-License-Identifier: GPL-3.0-or-later
/* Laying out a request log in given memory, and reading one that may be broken. */
#include "config.h"

#include "metrics/ov-request-log.h"

#include <string.h>

#define LOG_MAGIC 0x4f765271u /* "OvRq" */

gsize
ov_request_log_bytes (gsize capacity)
{
  g_return_val_if_fail (capacity <= (G_MAXSIZE - sizeof (OvRequestLog)) / sizeof (OvRequestRecord),
                        0);
  return sizeof (OvRequestLog) + capacity * sizeof (OvRequestRecord);
}

OvRequestLog *
ov_request_log_init (void *mem, gsize capacity)
{
  OvRequestLog *log = mem;

  g_return_val_if_fail (mem != NULL && (gsize)mem % G_ALIGNOF (OvRequestLog) == 0, NULL);
  memset (log, 0, ov_request_log_bytes (capacity));
  log->magic = LOG_MAGIC;
  log->record_bytes = sizeof (OvRequestRecord);
  log->capacity = capacity;
  return log;
}

guint64
ov_request_log_used (const OvRequestLog *log)
{
  return MIN (__atomic_load_n (&log->taken, __ATOMIC_ACQUIRE), log->capacity);
}

guint64
ov_request_log_dropped (const OvRequestLog *log)
{
  return __atomic_load_n (&log->taken, __ATOMIC_ACQUIRE) - ov_request_log_used (log);
}

void
ov_request_log_reset (OvRequestLog *log)
{
  memset (log->records, 0, ov_request_log_used (log) * sizeof (OvRequestRecord));
  __atomic_store_n (&log->taken, 0, __ATOMIC_RELEASE);
}

const OvRequestRecord *
ov_request_log_view (const void *mem, gsize bytes, gsize *n_records, guint64 *dropped)
{
  const OvRequestLog *log = mem;
  gsize fitting;
  guint64 capacity, taken;

  *n_records = 0;
  if (dropped != NULL)
    *dropped = 0;
  if (mem == NULL || bytes < sizeof (OvRequestLog))
    return NULL;
  if (log->magic != LOG_MAGIC || log->record_bytes != sizeof (OvRequestRecord))
    return NULL;
  /* Each figure is read once: the writer may change it between two looks. */
  capacity = __atomic_load_n (&log->capacity, __ATOMIC_RELAXED);
  taken = __atomic_load_n (&log->taken, __ATOMIC_ACQUIRE);
  fitting = (bytes - sizeof (OvRequestLog)) / sizeof (OvRequestRecord);
  if (capacity > fitting)
    return NULL;
  *n_records = (gsize)MIN (taken, capacity);
  if (dropped != NULL)
    *dropped = taken - *n_records;
  return log->records;
}
