/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session: parses the protocol, starts children, watches them and reports.  It does no target
 * I/O, loads no module and has one thread, so nothing that a strategy or a target does can hang or
 * break it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Serves the protocol on two descriptors until the end of input.  Returns the exit status. */
int ov_session_serve (int in_fd, int out_fd);

G_END_DECLS
