// SPDX-License-Identifier: GPL-3.0-or-later
/* CRC-32C by instruction where the processor has one, else by tables, eight bytes at a time. */
#include "config.h"

#include "base/ov-kernels.h"
#include "base/ov-kernels-private.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#define HAVE_INSTRUCTION 1
#define INSTRUCTION_NAME "sse4.2"
#define CRC_TARGET       __attribute__ ((target ("sse4.2")))
#define CRC_EIGHT(c, x)  ((guint32)_mm_crc32_u64 (c, x))
#define CRC_ONE(c, x)    _mm_crc32_u8 (c, x)
#include <immintrin.h>
#elif defined(__aarch64__)
#define HAVE_INSTRUCTION 1
#define INSTRUCTION_NAME "armv8-crc"
#define CRC_TARGET
/* The compilers disagree on how a single function may use <arm_acle.h>; the assemblers agree. */
#define CRC_EIGHT(c, x) crc_eight (c, x)
#define CRC_ONE(c, x)   crc_one (c, x)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#else
#define HAVE_INSTRUCTION 0
#endif

#define POLYNOMIAL 0x82f63b78u /* 0x1edc6f41, bits reversed */

/* tables[k][b]: what byte b, followed by k zero bytes, leaves in the register. */
static guint32 tables[8][256];

static void
build_tables (void)
{
  for (guint32 b = 0; b < 256; b++)
    {
      guint32 c = b;

      for (int bit = 0; bit < 8; bit++)
        c = (c >> 1) ^ (c & 1 ? POLYNOMIAL : 0);
      tables[0][b] = c;
    }
  for (int k = 1; k < 8; k++)
    for (guint32 b = 0; b < 256; b++)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
}

guint32
ov_crc32c_table (guint32 crc, const void *data, gsize bytes)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const guint8 *p = data;
  guint32 c = ~crc;

  pthread_once (&once, build_tables);
  for (; bytes >= 8; bytes -= 8, p += 8)
    {
      guint64 x;

      memcpy (&x, p, 8);
      x = GUINT64_FROM_LE (x) ^ c;
      c = 0;
      for (int k = 0; k < 8; k++)
        c ^= tables[7 - k][(x >> (8 * k)) & 0xff];
    }
  for (; bytes > 0; bytes--, p++)
    c = (c >> 8) ^ tables[0][(c ^ *p) & 0xff];
  return ~c;
}

#if defined(__aarch64__)

static inline guint32
crc_eight (guint32 crc, guint64 x)
{
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(x));
  return crc;
}

static inline guint32
crc_one (guint32 crc, guint8 x)
{
  __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"((guint32)x));
  return crc;
}

#endif

#if HAVE_INSTRUCTION

CRC_TARGET static guint32
crc32c_instruction (guint32 crc, const guint8 *p, gsize bytes)
{
  guint32 c = ~crc;

  for (; bytes >= 8; bytes -= 8, p += 8)
    {
      guint64 x;

      memcpy (&x, p, 8);
      c = CRC_EIGHT (c, GUINT64_FROM_LE (x));
    }
  for (; bytes > 0; bytes--, p++)
    c = CRC_ONE (c, *p);
  return ~c;
}

static gboolean
has_instruction (void)
{
#if defined(__x86_64__)
  return __builtin_cpu_supports ("sse4.2") != 0;
#else
  return (getauxval (AT_HWCAP) & HWCAP_CRC32) != 0;
#endif
}

guint32
ov_crc32c (guint32 crc, const void *data, gsize bytes)
{
  return has_instruction () ? crc32c_instruction (crc, data, bytes)
                            : ov_crc32c_table (crc, data, bytes);
}

const char *
ov_crc32c_name (void)
{
  return has_instruction () ? INSTRUCTION_NAME : "table";
}

#else

guint32
ov_crc32c (guint32 crc, const void *data, gsize bytes)
{
  return ov_crc32c_table (crc, data, bytes);
}

const char *
ov_crc32c_name (void)
{
  return "table";
}

#endif
