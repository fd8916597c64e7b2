/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that the session shares with one child.  It outlives the child's death, whatever
 * kills it, and is all that the session believes about a run.  Plain data without pointers; each
 * field is written by one side only: those marked S by the session, all others by the child.
 */
#pragma once

#include "base/ov-clock.h"
#include "metrics/ov-histogram.h"
#include "metrics/ov-request-log.h"
#include "model/ov-types.h"
#include "sampler/ov-process.h"

G_BEGIN_DECLS

/** Values of OvShared.stop. */
enum
{
  OV_STOP_NO = 0,
  OV_STOP_ABORT = 1,      /**< S: the user */
  OV_STOP_TIME_LIMIT = 2, /**< the run's own time limit */
};

/** What the neighbour tells: written by its process, but for the two marks. */
typedef struct
{
  gint32 ready;         /**< 1: the machine without the strategy was seen */
  gint32 processor;     /**< the one that is shared, or -1 */
  guint64 work;         /**< units done since it was born */
  gint64 seen_ns;       /**< moments before this one are recorded */
  double base_rate;     /**< units a second without the strategy */
  guint64 work_begin;   /**< by the run's child: units when the run began */
  guint64 work_end;     /**< and when it ended */
  OvHistogram base;     /**< lateness without the strategy */
  OvHistogram lateness; /**< of the moments in the run */
} OvNeighbourShared;

typedef struct
{
  guint32 stop;  /**< S and the child's watcher; read by the strategy on its hot path */
  guint32 phase; /**< OvPhase */
  guint32 pad0[14];

  OvLive live; /**< written by the strategy's threads; cache lines of its own */

  gint64 press_ns;   /**< S: CLOCK_MONOTONIC when the abort came, 0 before */
  gint64 phase_done; /**< of phase_total, for a progress bar */
  gint64 phase_total;
  gint64 phase_ns[OV_PHASE_ENDED + 1]; /**< CLOCK_MONOTONIC at each phase's begin, 0 before */

  /* The run phase. */
  gint64 begin_ns;  /**< CLOCK_MONOTONIC */
  gint64 end_ns;    /**< 0 while it runs */
  gint64 synced_ns; /**< jobs that write: how long the fdatasync behind the run, and the one between
                       its parts, took; -1: not made */
  gint64 between_ns; /**< how long the latter took */
  gint64 slept_ns;   /**< how long the machine was suspended meanwhile */
  OvProcessCounters begin;
  OvProcessCounters end;
  gint64 middle_ns; /**< where the run has two parts: when the second one began, else 0 */
  OvProcessCounters middle;
  gint64 resume_ns; /**< when it went on, where something was done in between that does not count */
  OvProcessCounters resume;
  gint64 resident_base; /**< memory before prepare */
  gint64 peak_memory;   /**< above it, or -1 */
  double resident_before;
  double resident_after;
  OvTsc tsc;

  gint64 done_ns;        /**< CLOCK_MONOTONIC when the last phase before the release ended */
  gint32 finished;       /**< 1: `error` is the child's own word */
  gint32 error;          /**< 0 or -errno */
  gint32 skipped;        /**< 1: it cannot run here; `cause` says why */
  guint32 sequence_lost; /**< completions with a slot beyond the depth: a strategy's fault */
  guint64 error_offset;
  char cause[768];
  char effective[1024];
  char check[160];

  /* Layout. */
  gint32 holder_fd; /**< the scratch file's descriptor in the holder */
  gint32 ready;     /**< 1: laid out, the child goes on as the file's holder */
  guint64 file_size;
  guint64 file_count; /**< letters in it */

  OvNeighbourShared neighbour;
  OvHistogram latency;        /**< from submission to completion */
  OvHistogram submit_latency; /**< in the call that submits, where it is told */
  gsize log_bytes;            /**< S: bytes of the log that follows, 0 without */
} OvShared;

/** Maps it, zeroed, with room for a log of `log_capacity` requests.  NULL with errno on failure.
 *  Free with ov_shared_free(). */
OvShared *ov_shared_new (gsize log_capacity, gsize *bytes);
void ov_shared_free (OvShared *shared, gsize bytes);
/** Where the log lies, or NULL. */
void *ov_shared_log (OvShared *shared);

/** Begins a phase and stamps it. */
void ov_shared_enter (OvShared *shared, OvPhase phase);
static inline gboolean
ov_shared_stopped (const OvShared *shared)
{
  return __atomic_load_n (&shared->stop, __ATOMIC_RELAXED) != OV_STOP_NO;
}
/** Sets `cause`, cut to its room at a character's border; returns `error`. */
int ov_shared_fail (OvShared *shared, int error, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
