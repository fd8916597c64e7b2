/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A device on the bus whose memory a privileged session opens, so that a register of it can be
 * read.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Opens the memory of the first PCI device of a list of harmless ones, for reading and mapping:
 *  the descriptor (close-on-exec) and its `path` (transfer full), or -1 with errno.  -1 and ENODEV:
 *  there is none. */
int ov_register_open (char **path);

G_END_DECLS
