// SPDX-License-Identifier: GPL-3.0-or-later
/* Each form of the fast kernels by itself, so that a test can reach those that the dispatch would
 * not choose on its machine. */
#pragma once

#include <glib.h>

typedef enum
{
  OV_COUNT_PORTABLE,
  OV_COUNT_SSE2,
  OV_COUNT_AVX2,
  OV_COUNT_AVX512BW,
  OV_COUNT_NEON,
  OV_COUNT_N_LEVELS,
} OvCountLevel;

/* Whether this processor can run that form. */
gboolean ov_count_fast_has_level (OvCountLevel level);

const char *ov_count_fast_level_name (OvCountLevel level);

/* ov_count_fast() in that form, which this processor must have. */
guint64 ov_count_fast_level (OvCountLevel level, const void *data, gsize bytes, char letter);

/* ov_crc32c() without special instructions. */
guint32 ov_crc32c_table (guint32 crc, const void *data, gsize bytes);
