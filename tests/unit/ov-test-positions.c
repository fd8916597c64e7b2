// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where the blocks of a job lie: every order goes through all of a range, each in its own way.
 */
#include "config.h"

#include <string.h>

#include <glib.h>

#include "overlap-strategy.h"

#define BLOCK 4096

static const guint64 counts[] = { 1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 1000, 4096, 4097 };

static OvTask
make_task (guint order, guint64 length, guint64 stride, guint64 seed)
{
  return (OvTask){ .size = sizeof (OvTask),
                   .job = OV_JOB_COUNT,
                   .offset = 10 * BLOCK,
                   .length = length,
                   .block = BLOCK,
                   .order = order,
                   .seed = seed,
                   .stride = stride };
}

/* All pieces once, the last one short where the range ends in a block. */
static void
check_pieces (const OvTask *task)
{
  const guint64 n = (task->length + BLOCK - 1) / BLOCK;
  g_autofree char *seen = g_malloc0 (n + 1);
  OvPositions positions;
  guint64 bytes;
  guint64 sum = 0;

  ov_positions_init (&positions, task);
  for (guint64 i = 0; i < n; i++)
    {
      const guint64 at = ov_piece (&positions, &bytes) - task->offset;

      g_assert_cmpuint (at % BLOCK, ==, 0);
      g_assert_cmpuint (at / BLOCK, <, n);
      g_assert_cmpint (seen[at / BLOCK]++, ==, 0);
      g_assert_cmpuint (bytes, ==, MIN (BLOCK, task->length - at));
      sum += bytes;
    }
  g_assert_cmpuint (sum, ==, task->length);
  ov_piece (&positions, &bytes);
  g_assert_cmpuint (bytes, ==, 0);
}

static void
test_each_once (void)
{
  static const guint64 strides[] = { 0, BLOCK, 2 * BLOCK, 3 * BLOCK + 1, 1000 * BLOCK };
  OvTask empty = make_task (OV_ORDER_BACKWARD, 0, 0, 1);

  for (guint order = OV_ORDER_SEQUENTIAL; order <= OV_ORDER_STRIDED; order++)
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
      for (guint k = 0; k < G_N_ELEMENTS (strides); k++)
        for (int odd = -1; odd <= 1; odd++)
          {
            OvTask task = make_task (order, counts[i] * BLOCK + (guint64)odd, strides[k], k);

            check_pieces (&task);
          }
  check_pieces (&empty);
}

/* The first `n` blocks of a `blocks` job, by number, as text. */
static void
assert_blocks (guint order, guint64 stride, guint64 blocks, const char *expected)
{
  OvTask task = make_task (order, blocks * BLOCK + 100, stride, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  OvPositions positions;

  task.job = OV_JOB_BLOCKS;
  ov_positions_init (&positions, &task);
  for (guint i = 0; i < 12; i++)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " ",
                            (ov_position (&positions) - task.offset) / BLOCK);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_blocks (void)
{
  assert_blocks (OV_ORDER_SEQUENTIAL, 0, 5, "0 1 2 3 4 0 1 2 3 4 0 1 ");
  assert_blocks (OV_ORDER_BACKWARD, 0, 5, "4 3 2 1 0 4 3 2 1 0 4 3 ");
  assert_blocks (OV_ORDER_STRIDED, 3 * BLOCK, 8, "0 3 6 1 4 7 2 5 0 3 6 1 ");
  /* Up to whole blocks; no stride is one of a block. */
  assert_blocks (OV_ORDER_STRIDED, 2 * BLOCK + 1, 8, "0 3 6 1 4 7 2 5 0 3 6 1 ");
  assert_blocks (OV_ORDER_STRIDED, 0, 5, "0 1 2 3 4 0 1 2 3 4 0 1 ");
}

/* A task of a host that knows of no strides. */
static void
test_old_host (void)
{
  OvTask task = make_task (OV_ORDER_STRIDED, 10 * BLOCK, 5 * BLOCK, 1);

  task.size = G_STRUCT_OFFSET (OvTask, stride);
  check_pieces (&task);
}

/* Another seed, another order; and not one that a stride would be. */
static void
test_random (void)
{
  enum
  {
    N = 1000
  };
  g_autofree guint64 *first = g_new (guint64, N);
  guint same = 0;
  guint most = 0;

  for (guint64 seed = 1; seed <= 2; seed++)
    {
      OvTask task = make_task (OV_ORDER_RANDOM, N * BLOCK, 0, seed);
      g_autoptr (GHashTable) steps
          = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      OvPositions positions;
      guint64 last = 0;
      guint64 bytes;

      ov_positions_init (&positions, &task);
      for (guint i = 0; i < N; i++)
        {
          const guint64 index = (ov_piece (&positions, &bytes) - task.offset) / BLOCK;
          const guint64 step = (index + N - last) % N;
          guint times = GPOINTER_TO_UINT (g_hash_table_lookup (steps, &step)) + 1;

          g_hash_table_replace (steps, g_memdup2 (&step, sizeof step), GUINT_TO_POINTER (times));
          most = MAX (most, times);
          if (seed == 1)
            first[i] = index;
          else
            same += first[i] == index;
          last = index;
        }
    }
  g_assert_cmpuint (same, <, N / 50);
  g_assert_cmpuint (most, <, N / 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/positions/each-once", test_each_once);
  g_test_add_func ("/positions/blocks", test_blocks);
  g_test_add_func ("/positions/old-host", test_old_host);
  g_test_add_func ("/positions/random", test_random);
  return g_test_run ();
}
