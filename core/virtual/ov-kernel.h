/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel on this machine that a virtual machine can start, and its modules for the hardware that
 * Overlap's strategies reach.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *image;   /**< path of a bzImage */
  char *modules; /**< its folder of modules, /lib/modules/VERSION; NULL: none is there */
} OvKernel;

/** The image OVERLAP_KERNEL, else one below the user's data folder (overlap/kernel/boot, unpacked
 *  from a package there), else that of the running kernel, else the newest one in /boot.  The one
 *  that is returned can be read.  Error: OV_ERROR_NOT_FOUND or _PERMISSION, which says how to get
 *  one. */
OvKernel *ov_kernel_find (GError **error);
void ov_kernel_free (OvKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvKernel, ov_kernel_free)

/** The kernel itself, unpacked: started so, it saves several seconds of emulated unpacking.  NULL
 *  where the program that unpacks it (xz, zstd, gzip) is not here, or QEMU could not start it. */
GBytes *ov_kernel_unpacked (const OvKernel *kernel);

/** The bytes of a module, such as "drivers/char/ppdev", unpacked; NULL without an error where the
 *  kernel has no such module (it may be built in).  Errors: unreadable, or what unpacks it is not
 *  installed. */
GBytes *ov_kernel_module (const OvKernel *kernel, const char *name, GError **error);

G_END_DECLS
