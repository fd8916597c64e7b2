/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a worker's process leaves behind of whoever started it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Before anything else: no signal is blocked, and those that children and limits send are not
 *  ignored, whatever the parent had set; without them no end of a child is seen, and no bound of
 *  real-time scheduling works.  FALSE where standard input, output or error is closed: the next
 *  file that is opened would take its place. */
gboolean ov_start_clean (void);

G_END_DECLS
