/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The filter of system calls of a privileged session.
 */
#pragma once

/** From now on, for this process and its children: what is not on the list fails with EPERM.
 *  Nothing is opened for writing, no program started, no other port opened than the harmless
 *  ones.  0, or -1 with errno (ENOSYS: not for this processor). */
int ov_seccomp_install (void);
