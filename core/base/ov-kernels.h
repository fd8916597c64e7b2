// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The work that is done for each byte read: counting a letter, slowly and fast, and a checksum.
 *
 * All kernels give the same result for the same bytes, on every machine; `data` needs no
 * alignment and may be NULL when `bytes` is 0. None allocates, locks or fails.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts byte by byte, as a plain loop in C does when no compiler vectorises it: about as long as a
 * good disk needs to deliver the byte. This is the work that asynchronous reading can hide. */
guint64 ov_count_plain (const void *data, gsize bytes, char letter);

/* Counts with the widest vectors of this processor, chosen at the first call. */
guint64 ov_count_fast (const void *data, gsize bytes, char letter);

/* What ov_count_fast() uses here: "avx512bw", "avx2", "sse2", "neon" or "portable". Static. */
const char *ov_count_fast_name (void);

/* CRC-32C (Castagnoli, reflected, RFC 3720 appendix B.4). Begin with 0; the result of one piece is
 * the `crc` of the next. "123456789" gives 0xE3069283. */
guint32 ov_crc32c (guint32 crc, const void *data, gsize bytes);

/* What ov_crc32c() uses here: "sse4.2", "armv8-crc" or "table". Static. */
const char *ov_crc32c_name (void);

G_END_DECLS
