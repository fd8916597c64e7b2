/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples where this process spends its CPU time, with the threads that it starts after
 * ov_profiler_new().  perf_event_open(2) takes the samples, libdw (elfutils) finds the names.
 */
#pragma once

#include "model/ov-profile.h"

G_BEGIN_DECLS

typedef struct _OvProfiler OvProfiler;

/** Opens the counters of the calling thread and of the threads that it will start; nothing is
 *  sampled yet.  Never NULL: what could not be opened is said by the profile. */
OvProfiler *ov_profiler_new (void);
void ov_profiler_begin (OvProfiler *profiler);
void ov_profiler_end (OvProfiler *profiler);
/** What was sampled, with names.  Reads the files of the program and its libraries, and
 *  /proc/kallsyms: some tens of milliseconds.  Transfer full. */
OvProfile *ov_profiler_finish (OvProfiler *profiler);
void ov_profiler_free (OvProfiler *profiler);

G_END_DECLS
