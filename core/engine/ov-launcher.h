/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a worker is started: a command line in front of the worker's own ("ssh HOST", "pkexec"),
 * empty for this machine.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  char **prefix; /**< NULL-terminated words put before the worker, may be empty */
  char *worker;  /**< path or name of overlap-worker */
} OvLauncher;

/** The local worker: OVERLAP_WORKER, else the installed one.  `prefix` may be NULL. */
OvLauncher *ov_launcher_new (const char *const *prefix);
/** A worker in a virtual machine on this machine (overlap-virtual).  Looks whether everything for
 * it is here, which takes moments: OV_ERROR_NOT_FOUND, which says what is missing and how to get
 * it. */
OvLauncher *ov_launcher_new_virtual (GError **error);
/** The worker for hardware, as root, which gives that up itself: by sudo where that started us,
 * else by pkexec, which asks the user once it is started.  NULL where neither is here, or the
 * program is not installed: OV_ERROR_NOT_FOUND. */
OvLauncher *ov_launcher_new_privileged (GError **error);
OvLauncher *ov_launcher_copy (const OvLauncher *launcher);
void ov_launcher_free (OvLauncher *launcher);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvLauncher, ov_launcher_free)

G_END_DECLS
