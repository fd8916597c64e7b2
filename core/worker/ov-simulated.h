/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session's simulated disk: a child that is the program overlap-slowdisk, and the memory shared
 * with it.  Whoever waits for the mount is a child; the session never does.
 */
#pragma once

#include "model/ov-disk.h"
#include "slowdisk/ov-slowdisk-shared.h"
#include "worker/ov-child.h"

G_BEGIN_DECLS

/** Counted; outlives the child, for reports of runs. */
typedef struct
{
  char *target;
  OvDisk disk;
  OvSlowdiskShared *shared;
} OvSimulated;

/** Starts the server of `target`; a child of kind OV_CHILD_DISK with an OvSimulated as its data.
 *  NULL with an error when the target is wrong or no process could be started. */
OvChild *ov_simulated_spawn (const char *target, GError **error);
OvSimulated *ov_simulated_ref (OvSimulated *simulated);
void ov_simulated_unref (OvSimulated *simulated);

/** Can it be used, or will it be? */
gboolean ov_simulated_is_alive (const OvSimulated *simulated);
/** Notes that the server's process has gone. */
void ov_simulated_note_end (OvSimulated *simulated);
/** Why it is not alive.  Free with g_free(). */
char *ov_simulated_dup_cause (const OvSimulated *simulated);

/** In a child: waits until it is mounted; the folder, borrowed, or NULL when it never will be, or
 *  when `stop` (may be NULL) became other than 0. */
const char *ov_simulated_wait (const OvSimulated *simulated, const guint32 *stop);

/** In the child that runs: how the disk behaves from now on. */
void ov_simulated_set (OvSlowdiskShared *shared, gboolean timed, gboolean uncached);
/** In the child that runs: empties log and counters. */
void ov_simulated_reset (OvSlowdiskShared *shared);

G_END_DECLS
