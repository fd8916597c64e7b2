/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mounted tests/support/ov-hang-fs, whose server can be stopped: then its file hangs all who use
 * it, for good.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *folder; /**< the mount point */
  char *file;   /**< the one file in it, 64 MiB of the letter 'e' */
  GPid server;
} OvHangMount;

/** Mounts; NULL, or the reason why it cannot.  Free the reason with g_free(). */
char *ov_hang_mount_init (OvHangMount *mount);
/** Unmounts what was mounted and removes the folder. */
void ov_hang_mount_clear (OvHangMount *mount);
