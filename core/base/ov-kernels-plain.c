// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The plain kernel, in a file of its own because this file is compiled without vectorising
 * (meson.build): at -O3 the loop would otherwise run several times faster and be another work.
 */
#include "config.h"

#include "base/ov-kernels.h"

guint64
ov_count_plain (const void *data, gsize bytes, char letter)
{
  const char *p = data;
  guint64 count = 0;

#if defined(__clang__)
#pragma clang loop vectorize(disable) interleave(disable) unroll(disable)
#endif
  for (gsize i = 0; i < bytes; i++)
    count += p[i] == letter;
  return count;
}
