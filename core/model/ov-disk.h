/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulated disk as a target: "simulated:disk-1995", "simulated:rate=4MB,latency=1ms", or a
 * preset with some figures changed.  A plain value; its texts are static.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OV_DISK_PREFIX "simulated:"

typedef enum
{
  OV_DISK_SERIAL,  /**< one request at a time, all of its time */
  OV_DISK_NETWORK, /**< the latency of requests overlaps, their bytes go one after the other */
} OvDiskKind;

typedef struct
{
  const char *name;   /**< id of the preset, or NULL: own values alone */
  const char *title;  /**< untranslated; show with gettext() */
  const char *source; /**< untranslated: where the figures come from */
  OvDiskKind kind;
  gboolean changed;  /**< some figure is not the preset's */
  double rate;       /**< bytes a second */
  gint64 latency_ns; /**< of each request */
  gint64 near_ns;    /**< shortest seek, half a turn of the disk included */
  gint64 seek_ns;    /**< seek over a third of `span`, half a turn included; 0: no seeks */
  guint64 span;      /**< bytes from the first track to the last */
  guint64 readahead; /**< what the system reads ahead at most; 0: it does not, and keeps nothing */
} OvDisk;

/** Whether a target names a simulated disk.  NULL is none. */
gboolean ov_disk_is_target (const char *target);

/** Reads a target.  OV_ERROR_INVALID names what is wrong and what there is. */
gboolean ov_disk_parse (const char *target, OvDisk *disk, GError **error);

/** All presets; `n` of them, static. */
const OvDisk *ov_disk_presets (guint *n);

/** What people call it: "simulated: 1995 desktop disk".  Free with g_free(). */
char *ov_disk_title (const OvDisk *disk);

/** Its figures: "4.20 MB/s, 500 µs for each request, 17.6 ms to seek".  Free with g_free(). */
char *ov_disk_describe (const OvDisk *disk);

G_END_DECLS
