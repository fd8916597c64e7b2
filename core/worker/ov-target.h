/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at a target, in a child: stat and statvfs hang on a dead mount.
 */
#pragma once

#include "model/ov-machine.h"
#include "worker/ov-simulated.h"

G_BEGIN_DECLS

/** Transfer full; what cannot be used has kind OV_TARGET_REFUSED and a cause. */
OvTargetInfo *ov_target_look (const char *path);
/** The same for a simulated disk, once it is mounted. */
OvTargetInfo *ov_target_look_at_disk (const OvSimulated *disk);
/** The machine itself (OV_MACHINE_TARGET): there is nothing to look at. */
OvTargetInfo *ov_target_look_at_machine (const char *path);

/** What /proc/self/mountinfo says about the mount that holds `path`, without touching it. */
typedef struct
{
  char *mount_point;
  char *fs_type;
  char *source;
  char *options;
  guint major;
  guint minor;
} OvMount;
OvMount *ov_mount_of (const char *path);
void ov_mount_free (OvMount *mount);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvMount, ov_mount_free)

G_END_DECLS
