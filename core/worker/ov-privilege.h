/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session that was started as root for hardware, and gives up all that it does not need before it
 * reads its first byte.
 *
 * What holds after ov_privilege_enter(): the process is the caller's user, in no group but the
 * caller's own, with an environment of its own; it may regain three capabilities and no others
 * (raw ports, clock rates, real time), none of which it uses itself; it can open nothing for
 * writing and start no program.  The devices that strategies need are open already.  A child
 * takes the one or two capabilities of its job, and loses the rest.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** For root only, and at the very start: see above.  OV_ERROR_PERMISSION where somebody who is not
 *  root could have had a hand in it; then the program must end. */
gboolean ov_privilege_enter (GError **error);

/** Is this such a session (or a child of it)? */
gboolean ov_privilege_is_entered (void);

/** In a child: keeps the devices of `jobs` (of enum OvJobFlags; 0: nothing) and the capabilities
 *  that `strategy` uses (NULL: that any strategy does), and drops the rest for good. */
void ov_privilege_take (guint jobs, const char *strategy);

/** In the session, after a run: whatever became of its child, the clock interrupts no more and
 *  has the rate that it had. */
void ov_privilege_settle (void);

/** A new descriptor of one of the devices that were opened before, close-on-exec, or -1 with errno:
 *  why it could not be opened then. */
int ov_privilege_device (const char *path);

/** Descriptors that a child must keep: this many, from OV_PRIVILEGE_FIRST_FD on. */
#define OV_PRIVILEGE_FIRST_FD 5
guint ov_privilege_n_devices (void);

G_END_DECLS
