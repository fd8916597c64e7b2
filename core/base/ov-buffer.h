// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Memory for I/O: aligned to 2 MiB, on huge pages where the kernel gives them, and populated, so
 * that no page fault falls into a measurement.
 *
 * Each buffer is a mapping of its own between two inaccessible pages: what the kernel says about
 * the mapping is about this buffer alone, and running over its end is caught. The size is rounded
 * up to 2 MiB, so many small buffers should be cut from one.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OV_BUFFER_ALIGNMENT ((gsize)2 * 1024 * 1024)

/*
 * At least `bytes` bytes of zeroes. `page_size` (may be NULL) receives the size of the pages got,
 * read back from /proc/self/smaps: the huge page's only if all of the buffer lies on huge pages,
 * else the ordinary one's.
 *
 * NULL with errno set (ENOMEM above all; EINVAL for 0 bytes) on failure. Free with
 * ov_buffer_free() and the same `bytes`.
 */
void *ov_buffer_alloc (gsize bytes, gsize *page_size);

/* NULL is ignored. */
void ov_buffer_free (void *buffer, gsize bytes);

G_END_DECLS
