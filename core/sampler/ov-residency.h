/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of a file is in the page cache, and dropping it from there.  Measured, never assumed:
 * dropping can fail without a word (dirty or mapped pages).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Part of [offset, offset + bytes) that is in the page cache, 0 to 1; NaN when the kernel does
 *  not tell the truth to us: it reports files that we neither own nor may write as all resident
 *  (since Linux 5.2), and an empty range. */
double ov_residency (int fd, guint64 offset, guint64 bytes);

/** Asks the kernel to drop the range's clean pages.  0 or -errno. */
int ov_residency_drop (int fd, guint64 offset, guint64 bytes);

G_END_DECLS
