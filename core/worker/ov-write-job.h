/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the worker does around a strategy that writes: the content to be written, the file made
 * anew before each pass, stable storage, and reading back.  Belongs to the child of one run; every
 * function returns 0 or -errno with the cause set, and looks at the abort flag between calls of at
 * most 1 MiB (an fdatasync or a truncation is one call, and ends by SIGKILL).
 */
#pragma once

#include "model/ov-run-spec.h"
#include "worker/ov-host.h"
#include "worker/ov-shared.h"

G_BEGIN_DECLS

typedef struct _OvWriteJob OvWriteJob;

/** `fd`, of a scratch file and open for reading and writing, `spec` and `shared` are borrowed. */
OvWriteJob *ov_write_job_new (int fd, gboolean memory_fs, const OvRunSpec *spec, OvShared *shared);
/** Frees the content too: the strategy must have been released. */
void ov_write_job_free (OvWriteJob *job);

/** Makes the bytes to be written, random ones of the spec's seed, and puts them into `task`.  Where
 *  the range is longer than 64 MiB they repeat after so many. */
int ov_write_job_make_content (OvWriteJob *job, OvTask *task);

/** Makes the file empty, on stable storage too, so that each pass finds the same: a new file. */
int ov_write_job_restore (OvWriteJob *job);

/** fdatasync.  `apart`: it is not part of the run, and its time goes into shared->synced_ns; where
 *  the run had one already, or there is no stable storage, nothing is done. */
int ov_write_job_sync (OvWriteJob *job, gboolean apart);

/** Brings the file to stable storage and drops it from the page cache, so that what comes next is
 *  read from the device.  Says in `context` where it will come from; how long the fdatasync took
 *  goes into shared->between_ns. */
void ov_write_job_cool_down (OvWriteJob *job, OvHostContext *context);

/** The file must be as long as what was to be written and, where the spec wants it verified, hold
 *  the same bytes.  Sets the check value: "crc32c=…" of what was read back, else "length=…"; and
 *  says in `context` where it was read from. */
int ov_write_job_verify (OvWriteJob *job, OvHostContext *context);

/** After a failure or a stop: the file's space is given back at once. */
void ov_write_job_give_back (OvWriteJob *job);

G_END_DECLS
