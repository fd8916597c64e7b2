/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counting kernels against the rate at which the same memory can be read.
 *
 *     meson test -C build --benchmark kernels --verbose
 *
 * The yardstick is the best of several plain sum loops (64-bit words, vectorised by the compiler
 * for the widest vectors of this processor, one or four running sums).  All are run in turn over
 * the same buffer, on huge pages, so that a slow moment meets all alike; printed are medians of the
 * rates and of the paired ratios.  256 MiB lie in memory, 1 MiB in a cache.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/ov-buffer.h"
#include "base/ov-clock.h"
#include "base/ov-kernels.h"
#include "base/ov-random.h"
#include "metrics/ov-stats.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDEST __attribute__ ((target_clones ("avx512f", "avx2", "default"), optimize ("O3")))
#else
#define WIDEST
#endif

#define ROUNDS 21

static guint64 sink;

WIDEST static guint64
sum_one (const guint64 *words, gsize n)
{
  guint64 sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += words[i];
  return sum;
}

WIDEST static guint64
sum_four (const guint64 *words, gsize n)
{
  guint64 a = 0, b = 0, c = 0, d = 0;
  const gsize quarter = n / 4;

  for (gsize i = 0; i < quarter; i++)
    {
      a += words[i];
      b += words[i + quarter];
      c += words[i + 2 * quarter];
      d += words[i + 3 * quarter];
    }
  return a + b + c + d;
}

static void
run_sum_one (const void *data, gsize bytes)
{
  sink += sum_one (data, bytes / 8);
}

static void
run_sum_four (const void *data, gsize bytes)
{
  sink += sum_four (data, bytes / 8);
}

static void
run_fast (const void *data, gsize bytes)
{
  sink += ov_count_fast (data, bytes, 'e');
}

static void
run_plain (const void *data, gsize bytes)
{
  sink += ov_count_plain (data, bytes, 'e');
}

static const struct
{
  const char *name;
  void (*run) (const void *data, gsize bytes);
} kernels[] = { { "sum, one running sum", run_sum_one },
                { "sum, four running sums", run_sum_four },
                { "count fast", run_fast },
                { "count plain", run_plain } };

#define N G_N_ELEMENTS (kernels)

static void
measure (const void *data, gsize bytes, guint repeat)
{
  static double rates[N][ROUNDS];
  double ratios[ROUNDS];

  for (guint round = 0; round < ROUNDS; round++)
    for (guint i = 0; i < N; i++)
      {
        /* The order changes with the round. */
        const guint k = round % 2 == 0 ? i : N - 1 - i;
        const gint64 begin = ov_clock_now_ns ();

        for (guint r = 0; r < repeat; r++)
          kernels[k].run (data, bytes);
        rates[k][round] = (double)bytes * repeat / (double)(ov_clock_now_ns () - begin);
      }
  printf ("%" G_GSIZE_FORMAT " MiB\n", bytes >> 20);
  for (guint k = 0; k < N; k++)
    printf ("  %-24s %7.2f GB/s\n", kernels[k].name, ov_stats_median (rates[k], ROUNDS));
  for (guint round = 0; round < ROUNDS; round++)
    ratios[round] = rates[2][round] / MAX (rates[0][round], rates[1][round]);
  printf ("  count fast (%s) by the best sum: %.3f (aim: 0.9 in memory)\n", ov_count_fast_name (),
          ov_stats_median (ratios, ROUNDS));
}

int
main (void)
{
  const gsize large = 256 << 20, small = 1 << 20;
  gsize page_size = 0;
  char *buffer = ov_buffer_alloc (large, &page_size);

  if (buffer == NULL)
    {
      perror ("buffer");
      return 1;
    }
  printf ("pages of %" G_GSIZE_FORMAT " K\n", page_size >> 10);
  ov_text_fill (buffer, 0, large, 1, 'e', 0.02);
  measure (buffer, large, 1);
  measure (buffer, small, 200);
  ov_buffer_free (buffer, large);
  return sink == 1;
}
