// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Counting with vectors, in the forms that processors have, and the choice among them.
 *
 * The vector forms share one idea: comparing gives -1 in each byte that matches; subtracting it
 * counts in 8-bit lanes, which are added up before the 255th step, where a lane could overflow.
 */
#include "config.h"

#include "base/ov-kernels.h"
#include "base/ov-kernels-private.h"

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define HAVE_X86 1
#include <immintrin.h>
#else
#define HAVE_X86 0
#endif

#if defined(__ARM_NEON) && defined(__aarch64__)
#define HAVE_NEON 1
#include <arm_neon.h>
#else
#define HAVE_NEON 0
#endif

#define LANE_STEPS 255
/* From so many bytes on, vectors are read from four places at once, a quarter of the data apart:
 * so many streams keep more of the memory's reads going than one (0.93 against 0.82 of the best sum
 * loop in tests/bench/kernels). */
#define FOUR_STREAMS ((gsize)1 << 16)
#define EIGHT(byte)  (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))
#define LOW_SEVEN    EIGHT (0x7f)
#define EVEN_LANES   G_GUINT64_CONSTANT (0x00ff00ff00ff00ff)
#define WORD_OF_ONES G_GUINT64_CONSTANT (0x0001000100010001)

typedef guint64 (*CountFunc) (const guint8 *p, gsize bytes, guint8 letter);

static guint64
count_tail (const guint8 *p, gsize bytes, guint8 letter)
{
  guint64 count = 0;

  for (gsize i = 0; i < bytes; i++)
    count += p[i] == letter;
  return count;
}

static guint64
count_portable (const guint8 *p, gsize bytes, guint8 letter)
{
  guint64 pattern = EIGHT (letter);
  guint64 total = 0;

  while (bytes >= 8)
    {
      gsize steps = MIN (bytes / 8, LANE_STEPS);
      guint64 lanes = 0;

      for (gsize i = 0; i < steps; i++, p += 8)
        {
          guint64 x;

          memcpy (&x, p, 8);
          x ^= pattern;
          /* Bit 7 of each byte: set where the byte is not 0. No carry leaves its byte. */
          x = ((x & LOW_SEVEN) + LOW_SEVEN) | x;
          lanes += (~x >> 7) & EIGHT (1);
        }
      bytes -= steps * 8;
      lanes = (lanes & EVEN_LANES) + ((lanes >> 8) & EVEN_LANES);
      total += (lanes * WORD_OF_ONES) >> 48;
    }
  return total + count_tail (p, bytes, letter);
}

#if HAVE_X86

/* How four vectors are read in each of `steps` steps: `distance` bytes apart, `step` bytes further
 * with each, and then `rest` bytes to the end of what was read. */
typedef struct
{
  gsize distance;
  gsize step;
  gsize steps;
  gsize rest;
} FourWays;

/* @bytes: at least four vectors. */
static FourWays
four_ways (gsize bytes, gsize vector)
{
  gsize quarter = bytes / 4 / vector * vector;

  if (bytes >= FOUR_STREAMS)
    return (FourWays){ quarter, vector, quarter / vector, 3 * quarter };
  return (FourWays){ vector, 4 * vector, bytes / 4 / vector, 0 };
}

__attribute__ ((target ("sse2"))) static guint64
count_sse2 (const guint8 *p, gsize bytes, guint8 letter)
{
  const __m128i pattern = _mm_set1_epi8 ((char)letter), zero = _mm_setzero_si128 ();
  __m128i total = zero;
  guint64 halves[2];

  while (bytes >= 32)
    {
      gsize steps = MIN (bytes / 32, LANE_STEPS);
      __m128i a = zero, b = zero;

      for (gsize i = 0; i < steps; i++, p += 32)
        {
          __m128i x = _mm_loadu_si128 ((const void *)p);
          __m128i y = _mm_loadu_si128 ((const void *)(p + 16));

          a = _mm_sub_epi8 (a, _mm_cmpeq_epi8 (x, pattern));
          b = _mm_sub_epi8 (b, _mm_cmpeq_epi8 (y, pattern));
        }
      bytes -= steps * 32;
      total = _mm_add_epi64 (total, _mm_add_epi64 (_mm_sad_epu8 (a, zero), _mm_sad_epu8 (b, zero)));
    }
  _mm_storeu_si128 ((void *)halves, total);
  return halves[0] + halves[1] + count_tail (p, bytes, letter);
}

__attribute__ ((target ("avx2"))) static guint64
count_avx2 (const guint8 *p, gsize bytes, guint8 letter)
{
  const __m256i pattern = _mm256_set1_epi8 ((char)letter), zero = _mm256_setzero_si256 ();
  __m256i total = zero;
  guint64 quarters[4];

  while (bytes >= 128)
    {
      const FourWays ways = four_ways (bytes, 32);

      for (gsize done = 0, steps; done < ways.steps; done += steps)
        {
          __m256i lanes[4] = { zero, zero, zero, zero };

          steps = MIN (ways.steps - done, LANE_STEPS);
          for (gsize i = 0; i < steps; i++, p += ways.step)
            for (int k = 0; k < 4; k++)
              {
                __m256i x = _mm256_loadu_si256 ((const void *)(p + ways.distance * k));

                lanes[k] = _mm256_sub_epi8 (lanes[k], _mm256_cmpeq_epi8 (x, pattern));
              }
          for (int k = 0; k < 4; k++)
            total = _mm256_add_epi64 (total, _mm256_sad_epu8 (lanes[k], zero));
        }
      p += ways.rest;
      bytes -= 4 * 32 * ways.steps;
    }
  _mm256_storeu_si256 ((void *)quarters, total);
  return quarters[0] + quarters[1] + quarters[2] + quarters[3] + count_sse2 (p, bytes, letter);
}

/* The mask of what matches picks the lanes that are counted up: without the way of each mask
 * through a general register to a population count, which keeps the loop behind the memory. The
 * last, shorter steps read under a mask too. */
__attribute__ ((target ("avx512f,avx512bw,popcnt"))) static guint64
count_avx512bw (const guint8 *p, gsize bytes, guint8 letter)
{
  const __m512i pattern = _mm512_set1_epi8 ((char)letter), one = _mm512_set1_epi8 (1);
  const __m512i zero = _mm512_setzero_si512 ();
  __m512i total = zero;
  guint64 count;

  while (bytes >= 256)
    {
      const FourWays ways = four_ways (bytes, 64);

      for (gsize done = 0, steps; done < ways.steps; done += steps)
        {
          __m512i lanes[4] = { zero, zero, zero, zero };

          steps = MIN (ways.steps - done, LANE_STEPS);
          for (gsize i = 0; i < steps; i++, p += ways.step)
            for (int k = 0; k < 4; k++)
              {
                __m512i x = _mm512_loadu_si512 (p + ways.distance * k);
                __mmask64 equal = _mm512_cmpeq_epi8_mask (x, pattern);

                lanes[k] = _mm512_mask_add_epi8 (lanes[k], equal, lanes[k], one);
              }
          for (int k = 0; k < 4; k++)
            total = _mm512_add_epi64 (total, _mm512_sad_epu8 (lanes[k], zero));
        }
      p += ways.rest;
      bytes -= 4 * 64 * ways.steps;
    }
  count = (guint64)_mm512_reduce_add_epi64 (total);
  while (bytes > 0)
    {
      gsize part = MIN (bytes, 64);
      __mmask64 mask = part == 64 ? ~(__mmask64)0 : ((__mmask64)1 << part) - 1;
      __m512i x = _mm512_maskz_loadu_epi8 (mask, p);

      count += (guint64)__builtin_popcountll (_mm512_mask_cmpeq_epi8_mask (mask, x, pattern));
      bytes -= part;
      p += part;
    }
  return count;
}

#endif

#if HAVE_NEON

static guint64
count_neon (const guint8 *p, gsize bytes, guint8 letter)
{
  const uint8x16_t pattern = vdupq_n_u8 (letter);
  guint64 total = 0;

  while (bytes >= 32)
    {
      gsize steps = MIN (bytes / 32, LANE_STEPS);
      uint8x16_t a = vdupq_n_u8 (0), b = vdupq_n_u8 (0);

      for (gsize i = 0; i < steps; i++, p += 32)
        {
          a = vsubq_u8 (a, vceqq_u8 (vld1q_u8 (p), pattern));
          b = vsubq_u8 (b, vceqq_u8 (vld1q_u8 (p + 16), pattern));
        }
      bytes -= steps * 32;
      total += (guint64)vaddlvq_u8 (a) + vaddlvq_u8 (b);
    }
  return total + count_tail (p, bytes, letter);
}

#endif

static const struct
{
  const char *name;
  CountFunc func; /* NULL: not built for this kind of processor */
} levels[OV_COUNT_N_LEVELS] = {
  [OV_COUNT_PORTABLE] = { "portable", count_portable },
#if HAVE_X86
  [OV_COUNT_SSE2] = { "sse2", count_sse2 },
  [OV_COUNT_AVX2] = { "avx2", count_avx2 },
  [OV_COUNT_AVX512BW] = { "avx512bw", count_avx512bw },
#else
  [OV_COUNT_SSE2] = { "sse2", NULL },
  [OV_COUNT_AVX2] = { "avx2", NULL },
  [OV_COUNT_AVX512BW] = { "avx512bw", NULL },
#endif
#if HAVE_NEON
  [OV_COUNT_NEON] = { "neon", count_neon },
#else
  [OV_COUNT_NEON] = { "neon", NULL },
#endif
};

gboolean
ov_count_fast_has_level (OvCountLevel level)
{
  switch (level)
    {
    case OV_COUNT_PORTABLE:
      return TRUE;
#if HAVE_X86
    case OV_COUNT_SSE2:
      return __builtin_cpu_supports ("sse2") != 0;
    case OV_COUNT_AVX2:
      return __builtin_cpu_supports ("avx2") != 0;
    case OV_COUNT_AVX512BW:
      return __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("popcnt");
#endif
    default:
      return levels[level].func != NULL;
    }
}

const char *
ov_count_fast_level_name (OvCountLevel level)
{
  return levels[level].name;
}

guint64
ov_count_fast_level (OvCountLevel level, const void *data, gsize bytes, char letter)
{
  return levels[level].func (data, bytes, (guint8)letter);
}

/* The widest level; found anew until it is kept, which two threads may do at once: they agree. */
static OvCountLevel
chosen_level (void)
{
  static int chosen = -1;
  int level = __atomic_load_n (&chosen, __ATOMIC_RELAXED);

  if (G_LIKELY (level >= 0))
    return (OvCountLevel)level;
  level = OV_COUNT_N_LEVELS - 1;
  while (!ov_count_fast_has_level ((OvCountLevel)level))
    level--;
  __atomic_store_n (&chosen, level, __ATOMIC_RELAXED);
  return (OvCountLevel)level;
}

guint64
ov_count_fast (const void *data, gsize bytes, char letter)
{
  return levels[chosen_level ()].func (data, bytes, (guint8)letter);
}

const char *
ov_count_fast_name (void)
{
  return levels[chosen_level ()].name;
}
