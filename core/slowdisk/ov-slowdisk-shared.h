/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that a session, its children and a simulated disk's server share: a memory file that
 * the server gets as a descriptor.  Plain data; the session believes nothing in it but what the
 * readers of a request log check.
 */
#pragma once

#include "metrics/ov-request-log.h"

G_BEGIN_DECLS

/** Requests that the log holds: 3.7 MB. */
#define OV_SLOWDISK_LOG_CAPACITY 65536
/** Where the log (OvRequestLog) begins. */
#define OV_SLOWDISK_LOG_OFFSET 4096

/** Values of OvSlowdiskShared.state. */
enum
{
  OV_SLOWDISK_STARTING = 0,
  OV_SLOWDISK_MOUNTED = 1, /**< `folder` can be used */
  OV_SLOWDISK_ENDED = 2,   /**< it failed, or was ended; `cause` may say why */
};

typedef struct
{
  /* Written by the server's side. */
  guint32 state;
  gint32 server;    /**< process */
  char folder[512]; /**< mount point */
  char cause[1024]; /**< why it is not mounted, for a person */
  guint64 requests; /**< since `generation` changed, served in time */
  guint64 bytes;    /**< of these */
  gint64 busy_ns;   /**< that the disk, or the line, worked for them */
  guint32 pad0[16];

  /* Written by the session and the child that runs. */
  guint32 timed;      /**< 1: requests take the disk's time and are logged; 0: layout, clean-up */
  guint32 uncached;   /**< 1: files that are opened now are not kept in the page cache */
  guint32 generation; /**< another one: forget counters and the head's place */
} OvSlowdiskShared;

G_STATIC_ASSERT (sizeof (OvSlowdiskShared) <= OV_SLOWDISK_LOG_OFFSET);

/** Bytes of the whole memory. */
gsize ov_slowdisk_shared_bytes (void);
/** The log's memory and its length, for ov_request_log_view(). */
void *ov_slowdisk_shared_log (OvSlowdiskShared *shared, gsize *bytes);
/** Maps the memory file `fd`, making it as long as it has to be.  NULL with errno. */
OvSlowdiskShared *ov_slowdisk_shared_map (int fd);
void ov_slowdisk_shared_unmap (OvSlowdiskShared *shared);

G_END_DECLS
