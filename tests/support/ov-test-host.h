// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A plugin host in the test's own process: loads modules, runs a strategy on a task, and watches
 * that the strategy keeps its side of the interface.
 *
 * It offers all of OvHost. What a strategy does against the interface (a slot beyond the depth or
 * submitted twice, a completion without a submission, a buffer overrun, a descriptor left open)
 * fails the test at once by an assertion.
 */
#pragma once

#include <glib.h>
#include <overlap-strategy.h>

G_BEGIN_DECLS

typedef struct _OvTestHost OvTestHost;

/* What became of one run. Owned by whoever declares it; ov_test_outcome_clear() frees what is in
 * it. Begin with all zeroes. */
typedef struct
{
  int result;        /* of `prepare` if that failed, else of `run` */
  gboolean prepared; /* `prepare` succeeded */
  OvLive live;       /* the totals at the end */
  guint32 crc;       /* for OV_WORK_CRC32C */
  char *sha;         /* for OV_WORK_SHA256, hexadecimal; else NULL */
  char *explained;   /* last text given to explain(), or NULL */
  guint64 explained_offset;
  char *effective; /* "key=value" pairs, each followed by a blank; maybe empty */
} OvTestOutcome;

void ov_test_outcome_clear (OvTestOutcome *outcome);

/* Loads every module of `folder` and returns all strategies (const OvStrategy *), modules in
 * order of their names. A module that cannot be loaded fails the test. The modules stay loaded. */
GPtrArray *ov_test_host_load (const char *folder);

OvTestHost *ov_test_host_new (void);
void ov_test_host_free (OvTestHost *self);

/* How much the following runs record; enum OvTiming. Everything but OV_TIMING_COUNTERS also checks
 * the order of the strategy's calls. At first OV_TIMING_TIMELINE. */
void ov_test_host_set_timing (OvTestHost *self, guint32 timing);

/* Stops the following runs: -1 (at first) not at all; 0 before `run` begins; otherwise from another
 * thread, once `bytes` bytes were consumed, which the strategy cannot outrun where it uses
 * ov_consume(). */
void ov_test_host_set_stop (OvTestHost *self, gint64 bytes);

/* Appends the offset (guint64) of each request of the following runs to `offsets`, where the timing
 * is not OV_TIMING_COUNTERS; NULL: no more. Borrowed. */
void ov_test_host_record (OvTestHost *self, GArray *offsets);

/* Gives the option `name` another value than its standard in the following runs; NULL: all options
 * back to their standard. */
void ov_test_host_set_option (OvTestHost *self, const char *name, gint64 value);

/* prepare, run and release, with `task` (its size and options are filled in). Clears `outcome`
 * first. */
void ov_test_host_run (OvTestHost *self, const OvStrategy *strategy, const OvTask *task,
                       OvTestOutcome *outcome);

/* Whether the strategy can work here; if not, why. */
gboolean ov_test_host_probe (OvTestHost *self, const OvStrategy *strategy, char **why);

/* Threads of this process. */
guint ov_test_count_threads (void);

G_END_DECLS
