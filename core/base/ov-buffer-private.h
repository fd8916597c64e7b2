// SPDX-License-Identifier: GPL-3.0-or-later
/* What ov_buffer_alloc() reads back, for a test that changes the pages under a buffer. */
#pragma once

#include <glib.h>

/* The huge page's size if all `size` bytes of the buffer at `start` lie on huge pages now, else the
 * ordinary page's. `size` is a multiple of OV_BUFFER_ALIGNMENT. */
gsize ov_buffer_read_page_size (const void *start, gsize size);
