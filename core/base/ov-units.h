// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Figures as text and text as figures.
 *
 * K, M, G, T are powers of 1024; kB, MB, GB are powers of 1000. Sizes that a user gives or a file
 * keeps go through ov_size_*() and ov_double_format_json(), which know no locale; the other
 * functions write for people, in their language and with their decimal sign.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A whole number of bytes from text: digits, at most one '.', then nothing or one unit:
 *   K M G T P or KiB MiB GiB TiB PiB   powers of 1024
 *   kB (or KB) MB GB TB PB             powers of 1000
 *   B                                  bytes
 * Spaces are allowed around it and before the unit; letters in any case, as no two units differ by
 * case alone.
 * Refused (OV_ERROR_INVALID, naming the text and what is allowed): an empty text, a sign, an
 * unknown unit, anything after it, a value that is not a whole number of bytes, 2^63 and above.
 * The arithmetic is exact: 1.5G is 1610612736, 1.3 is refused.
 */
gboolean ov_size_parse (const char *text, guint64 *out, GError **error);

/* The shortest exact text with a power of 1024: 1000K, 64M, 513. ov_size_parse() gives the same
 * number back (below 2^63). Owned by the caller. */
char *ov_size_format (guint64 bytes);

/* For people, three significant figures with a power of 1000: "21.9 MB"; whole bytes below 1000 as
 * they are: "513 B". "n/a" if not finite or negative. Owned by the caller, as all below. */
char *ov_bytes_format_si (double bytes);

/* "1.24 GB/s"; "n/a" if not finite or negative (no bytes in no time have no rate). */
char *ov_rate_format (double bytes_per_second);

/* Three significant figures with ns, µs, ms or s; from 1 min on "2 min 05 s", from 1 h on
 * "1 h 02 min", from 2 days on "2 d 03 h". A minus sign stands before the figure. "n/a" if not
 * finite or 10,000 days and more: no such time was measured or can be foretold. */
char *ov_duration_format (double seconds);

/* Digits in groups of three, with a thin space (U+2009) between. */
char *ov_count_format (guint64 count);

/* A number for JSON and CSV: the shortest text that reads back as the same double, with '.' as the
 * decimal sign whatever the locale; "null" for NaN and infinities. */
char *ov_double_format_json (double value);

G_END_DECLS
