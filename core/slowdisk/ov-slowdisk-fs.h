/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulated disk as a FUSE file system.
 *
 * What a request of a program becomes at the device: reading and writing of contents is charged,
 * each FUSE request by itself, in the order of arrival; names, sizes and fsync (nothing is held
 * back that it could wait for) take no time.  A call of up to 1 MiB that bypasses the page cache is
 * one request; a longer one is cut into requests of 1 MiB, a blocking one's one after the other.
 * Calls through the page cache become what the kernel makes of them: readahead for reading; each
 * write goes to the device at once.
 */
#pragma once

#include "model/ov-disk.h"
#include "slowdisk/ov-slowdisk-shared.h"

G_BEGIN_DECLS

/** Mounts on `folder` and serves until SIGTERM, SIGINT, SIGHUP or an unmounting.  Tells
 *  shared->state and shared->cause.  0, or -1 when it could not be mounted. */
int ov_slowdisk_serve (const OvDisk *disk, const char *folder, OvSlowdiskShared *shared);

/** A program of FUSE that mounts for ordinary users: fusermount3's path, or NULL.  g_free(). */
char *ov_slowdisk_find_fusermount (void);

/** Takes the mount away, now, whoever still uses it; nothing happens where there is none. */
void ov_slowdisk_unmount (const char *folder);

G_END_DECLS
