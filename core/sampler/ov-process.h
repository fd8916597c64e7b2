/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact clocks and counters of this process, for the ends of a run.
 */
#pragma once

#include <sys/types.h>

#include <glib.h>

G_BEGIN_DECLS

/** Cumulative figures of the calling process; -1 where the kernel has none. */
typedef struct
{
  gint64 cpu_ns;  /**< all threads, ended ones too */
  gint64 user_ns; /**< getrusage: sampled by ticks */
  gint64 system_ns;
  gint64 minor_faults;
  gint64 major_faults;
  gint64 voluntary_switches;
  gint64 involuntary_switches;
  gint64 writes;        /**< write system calls, syscw */
  gint64 reads;         /**< read system calls, /proc/self/io syscr */
  gint64 device_bytes;  /**< read_bytes */
  gint64 written_bytes; /**< write_bytes */
} OvProcessCounters;

/** CPU time of all threads of this process.
 *
 *  The process clock adds what each thread had when it was last accounted: exact for the calling
 *  thread, up to one tick (4 ms) old for one that runs on another core.  Reading a thread's own
 *  clock brings its account up to date, so every thread is read first. */
gint64 ov_process_cpu_ns (void);

/** Fills all of it; the CPU clock is read last, so that a run may start right after. */
void ov_process_counters_begin (OvProcessCounters *counters);
/** Fills all of it; the CPU clock is read first. */
void ov_process_counters_end (OvProcessCounters *counters);

/** CPU time of another process by its clock (4 ms steps while it runs), or -1 when it is gone. */
gint64 ov_process_cpu_of (pid_t pid);

/** Forgets the peak of resident memory, then ov_process_peak() gives the peak since.  Bytes; -1
 *  where the kernel does not tell. */
void ov_process_reset_peak (void);
gint64 ov_process_peak (void);
gint64 ov_process_resident (void);

/** Where the threads of `pid` sleep in the kernel, such as "fuse_direct_io", or NULL.  Free with
 *  g_free(). */
char *ov_process_wchan (pid_t pid);

G_END_DECLS
