/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run gave.  Figures that were not measured are -1 (integers) or NaN (doubles), never 0,
 * and `null` in files.
 */
#pragma once

#include "metrics/ov-histogram.h"
#include "model/ov-neighbour.h"
#include "model/ov-profile.h"
#include "model/ov-run-spec.h"

G_BEGIN_DECLS

/** One request of the log; times are nanoseconds since the run's start, -1 where there is none. */
typedef struct
{
  gint64 submit_ns;
  gint64 handed_ns; /**< the call that submitted it returned; -1: it does not tell, or waits too */
  gint64 complete_ns;
  gint64 consume_start_ns;
  gint64 consume_end_ns;
  guint64 offset;
  gint64 result; /**< bytes, or -errno */
  guint32 slot;
} OvRequest;

typedef struct
{
  OvRunSpec *spec;
  OvState state;
  char *cause;         /**< for failed, skipped, abandoned, and how a stop ended; or NULL */
  gint64 error_offset; /**< where in the file, or -1 */

  gint64 started_ns;   /**< when the run phase began, since the suite's start */
  gint64 elapsed_ns;   /**< CLOCK_MONOTONIC over the run phase */
  gint64 stable_ns;    /**< jobs that write: elapsed_ns, and what an fdatasync right behind it took;
                            -1 where there is no stable storage (a file system in memory) */
  gint64 cpu_ns;       /**< all threads of the child, nanosecond clocks */
  gint64 write_ns;     /**< job transfer: elapsed time of its writing */
  gint64 read_ns;      /**< and of its reading back */
  gint64 write_cpu_ns; /**< CPU time of the writing, all threads */
  gint64 read_cpu_ns;
  gint64 user_ns; /**< from 4 ms ticks: see split_uncertain */
  gint64 system_ns;
  gboolean split_uncertain; /**< the run was too short for user and system apart */
  double machine_busy;      /**< whole machine, cores busy (0 to n), libgtop; NaN below 250 ms */

  gint64 bytes;     /**< moved and used */
  gint64 submitted; /**< requests */
  gint64 completed;
  gint64 cancelled;
  gint64 short_io;
  gint64 missed;         /**< jobs that follow a clock: events or samples that never came, */
  gint64 late;           /**< and those that came more than half a period late */
  gint64 gaps;           /**< rows of missed ones, */
  gint64 longest_gap_ns; /**< and how long nothing came in the longest; 0 without a gap */
  gint64 system_writes;  /**< write system calls (syscw) */
  gint64 system_reads;   /**< read system calls of the process (/proc/self/io syscr) */
  gint64 device_bytes;   /**< bytes charged to the process as read from a device (read_bytes) */
  gint64 written_bytes;  /**< write_bytes */
  gint64 minor_faults;
  gint64 major_faults;
  gint64 voluntary_switches;
  gint64 involuntary_switches;
  gint64 peak_memory;     /**< bytes resident at most, above what the child had before prepare */
  double resident_before; /**< part of the range in the page cache before the run, 0 to 1 */
  double resident_after;

  char *check;     /**< "count=21904", "crc32c=…", "sha256=…", or NULL */
  char *effective; /**< "key=value; key=value": what was really used; or NULL */

  gint64 prepare_ns;
  gint64 condition_ns;
  gint64 discard_ns;
  gint64 restore_ns;      /**< jobs that write: making the file anew, before the measured pass */
  gint64 stop_latency_ns; /**< from the press to the last completion; -1: was not stopped */
  gint64 teardown_ns;     /**< release, and until the child was gone */

  OvHistogram *latency;   /**< submit to complete; jobs that follow a clock: how long after it was
                               due each event came; or NULL.  Runs of a loaded result keep it
                               packed: read it by ov_run_get_latency() */
  GBytes *latency_packed; /**< the same in little memory, or NULL */
  OvHistogram *submit_latency;   /**< time in the call that submits, or NULL: not told apart */
  GBytes *submit_latency_packed; /**< as latency_packed */
  OvProfile *profile;            /**< where its CPU time went, or NULL: was not asked for */
  OvNeighbourFigures *neighbour; /**< what a neighbour saw of it, or NULL */
  GArray *log;                   /**< of OvRequest, or NULL */
  guint64 log_dropped;           /**< requests that had no room in the log */
  GArray *device;         /**< of OvRequest: what a simulated disk did, or NULL.  Submitted when a
                               request arrived, consumed while it was served, completed at the
                               end of that; the slot is free while no request holds it */
  guint64 device_dropped; /**< requests that had no room in the device's log */
} OvRun;

OvRun *ov_run_new (OvRunSpec *spec); /**< takes `spec`; all figures unmeasured, WAITING */
OvRun *ov_run_ref (OvRun *run);
void ov_run_unref (OvRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvRun, ov_run_unref)

/** Bytes a second, bytes by time; NaN when there is none. */
double ov_run_rate (const OvRun *run);
/** CPU seconds for each GB (10^9 bytes); NaN when there is none. */
double ov_run_cpu_per_gb (const OvRun *run);

/** Jobs without a file: accesses made, events delivered or samples taken, a second; else NaN. */
double ov_run_per_second (const OvRun *run);

/** The histogram of the run, unpacked where need be (it stays so), or NULL.  Borrowed. */
const OvHistogram *ov_run_get_latency (OvRun *run);
/** The same for the time in the call that submits.  NULL where the strategy does not tell it apart:
 * a blocking call, or one that also waits. */
const OvHistogram *ov_run_get_submit_latency (OvRun *run);
/** Copies of the same, for whoever must leave the run as it is, since another thread may look at it
 * as well.  The caller owns them (g_free). */
OvHistogram *ov_run_dup_latency (const OvRun *run);
OvHistogram *ov_run_dup_submit_latency (const OvRun *run);
/** Keeps the histograms in little memory: 18 KB become what its buckets need. */
void ov_run_pack_latency (OvRun *run);

/** Without the log (which travels and is stored apart) unless `with_log`. */
JsonNode *ov_run_to_json (const OvRun *run, gboolean with_log);
OvRun *ov_run_from_json (JsonNode *node, GError **error);

/** Adds the log's columns ("submit", "handed", "complete", "consume-start", "consume-end",
 * "offset", "result", "slot") to `object`: those of a `log` event and of the log in a file. */
void ov_requests_to_json (JsonObject *object, const OvRequest *requests, gsize n);
/** Appends the rows of `object`'s columns to `log` (of OvRequest).  OV_ERROR_INVALID, and nothing
 *  appended, where a column is missing ("handed" may be: older files lack it), of another length or
 *  holds what is no such number. */
gboolean ov_requests_from_json (JsonObject *object, GArray *log, GError **error);

G_END_DECLS
