// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Every strategy gives the right count, however the file and the work are cut up.
 */
#include "config.h"

#include <errno.h>

#include "base/ov-kernels.h"

#include "ov-strategy-bodies.h"

static void
test_sizes (const OvStrategy *strategy)
{
  static const OvTestShape shapes[]
      = { { 512, 1 },   { 4 * OV_K, 2 },  { 64 * OV_K, 3 },   { OV_M, 1 }, { 64 * OV_M, 1 },
          { 512, 256 }, { 4 * OV_K, 16 }, { 64 * OV_K, 256 }, { 0, 0 } };
  static const guint64 sizes[] = { 0, 1, 511, 512, 513, 4095, 4096, 4097, 65535, 65536, 65537 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, sizes[i]), 0, 0);

      ov_check_shapes (strategy, c, shapes);
      c.file = ov_test_file (OV_CONTENT_BINARY, sizes[i]);
      c.letter = '\n';
      ov_check_shapes (strategy, c, &shapes[5]);
    }
}

/* The article's sizes, and a byte more or less than a whole number of blocks. */
static void
test_article_sizes (const OvStrategy *strategy)
{
  static const OvTestShape shapes[] = { { 64 * OV_K, 4 }, { OV_M, 2 }, { 4 * OV_K, 16 }, { 0, 0 } };
  static const guint64 sizes[] = { 1000 * OV_K, 2000 * OV_K, 3000 * OV_K, 4000 * OV_K,
                                   5000 * OV_K, OV_M - 1,    OV_M,        OV_M + 1 };

  if (!ov_can (strategy))
    return;
  ov_test_host_set_timing (ov_test_host, OV_TIMING_COUNTERS);
  for (guint direct = 0; direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, sizes[i]), 0, 0);

        c.direct = direct != 0;
        ov_check_shapes (strategy, c, &shapes[sizes[i] <= OV_M + 1 ? 0 : 1]);
      }
}

static void
test_contents (const OvStrategy *strategy)
{
  static const OvTestShape shapes[] = { { 4 * OV_K, 3 }, { 64 * OV_K, 2 }, { 0, 0 } };
  static const guint letters[] = { 'A', '\n', 0, 255 };

  if (!ov_can (strategy))
    return;
  for (int content = 0; content < OV_CONTENT_N; content++)
    for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
      for (guint direct = 0; direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
        {
          OvTestCase c = ov_case_of (ov_test_file ((OvTestContent)content, 100 * OV_K + 3), 0, 0);

          c.letter = letters[i];
          c.direct = direct != 0;
          ov_check_shapes (strategy, c, shapes);
        }
}

/* Ranges that begin and end inside the file. */
static void
test_ranges (const OvStrategy *strategy)
{
  static const OvTestShape shapes[] = { { 4 * OV_K, 3 }, { 0, 0 } };
  static const guint64 offsets[] = { 0, 1, 511, 4096, 5000, 65536, 99999 };
  static const guint64 lengths[] = { 0, 1, 512, 4097, 20000 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    for (guint j = 0; j < G_N_ELEMENTS (lengths); j++)
      {
        OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_LINES, 128 * OV_K + 5), 0, 0);

        c.offset = offsets[i];
        c.length = lengths[j];
        ov_check_shapes (strategy, c, shapes);
      }
}

/* Every kind of work, and with it that blocks are consumed in order. */
static void
test_works (const OvStrategy *strategy)
{
  static const OvTestShape shapes[]
      = { { 4 * OV_K, 1 }, { 64 * OV_K, 2 }, { 4 * OV_K, 5 }, { 0, 0 } };

  if (!ov_can (strategy))
    return;
  for (guint32 work = OV_WORK_NONE; work <= OV_WORK_SHA256; work++)
    {
      OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_BINARY, 300 * OV_K + 7), 4 * OV_K, 1);

      c.work = work;
      if (work > OV_WORK_FAST && ov_has (strategy, OV_CAP_BY_CHARACTER))
        {
          OvTestOutcome outcome = { 0 };
          OvTask task = ov_case_task (&c);

          ov_test_host_run (ov_test_host, strategy, &task, &outcome);
          g_assert_false (outcome.prepared);
          g_assert_cmpint (outcome.result, ==, -ENOTSUP);
          g_assert_nonnull (outcome.explained);
          ov_test_outcome_clear (&outcome);
        }
      else
        ov_check_shapes (strategy, c, shapes);
    }
}

static void
test_timings (const OvStrategy *strategy)
{
  static const OvTestShape shapes[]
      = { { 4 * OV_K, 1 }, { 64 * OV_K, 2 }, { 4 * OV_K, 7 }, { 0, 0 } };

  if (!ov_can (strategy))
    return;
  for (guint32 timing = OV_TIMING_COUNTERS; timing <= OV_TIMING_TIMELINE; timing++)
    {
      ov_test_host_set_timing (ov_test_host, timing);
      ov_check_shapes (strategy, ov_case_of (ov_test_file (OV_CONTENT_TEXT, 200 * OV_K + 1), 0, 0),
                       shapes);
    }
}

static void
test_direct (const OvStrategy *strategy)
{
  static const OvTestShape shapes[]
      = { { 512, 1 },  { 512, 16 },      { 4 * OV_K, 2 }, { 64 * OV_K, 3 },
          { OV_M, 2 }, { 64 * OV_M, 1 }, { 0, 0 } };
  static const guint64 sizes[]
      = { 0, 1, 511, 512, 513, 4095, 4096, 4097, 65535, 65536, 65537, 1000 * OV_K };
  OvTestCase inside;

  if (!ov_can (strategy))
    return;
  if (ov_test_files_direct_align () == 0)
    {
      g_test_skip ("the file system takes no O_DIRECT");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, sizes[i]), 0, 0);

      c.direct = TRUE;
      c.work = OV_WORK_CRC32C;
      ov_check_shapes (strategy, c, &shapes[sizes[i] < OV_M / 2 ? 0 : 2]);
    }
  inside = ov_case_of (ov_test_file (OV_CONTENT_LINES, 128 * OV_K + 5), 0, 0);
  inside.direct = TRUE;
  inside.offset = 4096;
  inside.length = 70001;
  ov_check_shapes (strategy, inside, shapes);
}

/* Every value of every option that differs from the standard. */
static void
test_options (const OvStrategy *strategy)
{
  static const OvTestShape shapes[] = { { 4 * OV_K, 4 }, { 64 * OV_K, 3 }, { 0, 0 } };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; strategy->options != NULL && strategy->options[i] != NULL; i++)
    {
      const OvOption *option = strategy->options[i];
      gint64 last = option->kind == OV_OPTION_CHOICE ? option->maximum : option->minimum + 1;

      for (gint64 value = option->minimum; value <= MIN (last, option->maximum); value++)
        {
          ov_test_host_set_option (ov_test_host, NULL, 0);
          ov_test_host_set_option (ov_test_host, option->name, value);
          g_test_message ("%s = %" G_GINT64_FORMAT, option->name, value);
          ov_check_shapes (
              strategy, ov_case_of (ov_test_file (OV_CONTENT_LINES, 100 * OV_K + 1), 0, 0), shapes);
        }
      ov_test_host_set_option (ov_test_host, option->name, option->maximum);
      g_test_message ("%s = %" G_GINT64_FORMAT, option->name, option->maximum);
      ov_check_shapes (strategy, ov_case_of (ov_test_file (OV_CONTENT_LINES, 100 * OV_K + 1), 0, 0),
                       shapes);
    }
}

/* ---- Positions ---------------------------------------------------------------------------- */

/* The requests were made where ov_piece() says, one after the other. */
static void
check_offsets (const OvTestCase *c, const GArray *offsets)
{
  const OvTask task = ov_case_task (c);
  OvPositions positions;
  guint64 bytes = 0;
  guint64 left = c->length;
  guint i;

  ov_positions_init (&positions, &task);
  for (i = 0; left > 0; i++, left -= bytes)
    {
      const guint64 offset = ov_piece (&positions, &bytes);

      g_assert_cmpuint (i, <, offsets->len);
      g_assert_cmpuint (g_array_index (offsets, guint64, i), ==, offset);
    }
  g_assert_cmpuint (offsets->len, ==, i);
}

/* In whatever order, every byte is read once, and in that order. */
static void
test_positions (const OvStrategy *strategy)
{
  static const OvTestShape shapes[] = { { 4 * OV_K, 1 }, { 4 * OV_K, 7 }, { 64 * OV_K, 3 } };
  static const guint64 sizes[] = { 1, 4097, 300 * OV_K + 1 };
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (guint64));

  if (!ov_can (strategy) || ov_is_control (strategy))
    return;
  ov_test_host_record (ov_test_host, offsets);
  for (guint32 order = OV_ORDER_RANDOM; order <= OV_ORDER_STRIDED; order++)
    for (guint direct = 0; direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
      for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
        for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
          {
            OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_LINES, sizes[i]), shapes[k].block,
                                       ov_has (strategy, OV_CAP_DEPTH) ? shapes[k].depth : 1);

            c.direct = direct != 0;
            c.order = order;
            if (sizes[i] > OV_K * 64)
              {
                c.offset = 8 * OV_K;
                c.length -= c.offset;
              }
            g_array_set_size (offsets, 0);
            ov_check (strategy, &c);
            check_offsets (&c, offsets);
          }
  ov_test_host_record (ov_test_host, NULL);
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static void
check_blocks (const OvStrategy *strategy, OvTestCase c, guint32 order, guint64 requests)
{
  OvTestOutcome outcome = { 0 };
  OvTask task = ov_case_task (&c);
  OvPositions positions;
  guint64 count = 0;

  task.job = OV_JOB_BLOCKS;
  task.order = order;
  task.requests = requests;
  ov_positions_init (&positions, &task);
  for (guint64 i = 0; i < requests; i++)
    {
      guint64 position = ov_position (&positions);

      g_assert_cmpuint (position + task.block, <=, task.offset + task.length);
      count += ov_count_plain (c.file->bytes + position, task.block, 'A');
    }
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  if (outcome.result != 0)
    ov_case_say (strategy, &c);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, requests * task.block);
  g_assert_cmpuint (outcome.live.completed_bytes, ==, requests * task.block);
  if (!ov_is_control (strategy))
    g_assert_cmpuint (outcome.live.count, ==, c.work == OV_WORK_NONE ? 0 : count);
  ov_test_outcome_clear (&outcome);
}

static void
test_blocks (const OvStrategy *strategy)
{
  static const guint64 blocks[] = { 512, 4 * OV_K, 64 * OV_K, 2 * OV_M };
  static const guint depths[] = { 1, 2, 64 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint j = 0; j < (ov_has (strategy, OV_CAP_DEPTH) ? G_N_ELEMENTS (depths) : 1); j++)
      for (guint32 order = OV_ORDER_SEQUENTIAL; order <= OV_ORDER_STRIDED; order++)
        {
          OvTestCase c
              = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K), blocks[i], depths[j]);

          check_blocks (strategy, c, order, blocks[i] < OV_M ? 200 : 5);
          c.offset = 8 * OV_K;
          c.length = 3000 * OV_K - 100;
          c.work = OV_WORK_NONE;
          check_blocks (strategy, c, order, blocks[i] < OV_M ? 100 : 3);
          c.direct = ov_test_files_direct_align () != 0
                     && blocks[i] % ov_test_files_direct_align () == 0;
          c.work = OV_WORK_FAST;
          if (c.direct && ov_has (strategy, OV_CAP_DIRECT))
            check_blocks (strategy, c, order, blocks[i] < OV_M ? 50 : 3);
        }
}

/* A file that is smaller than one block has no blocks to read. */
static void
test_no_blocks (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 513), 4 * OV_K, 1);
  OvTask task = ov_case_task (&c);

  if (!ov_can (strategy))
    return;
  task.job = OV_JOB_BLOCKS;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  task.requests = 10;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  if (!ov_is_control (strategy))
    {
      g_assert_cmpint (outcome.result, <, 0);
      g_assert_cmpint (outcome.result, !=, -ECANCELED);
      g_assert_nonnull (outcome.explained);
    }
  ov_test_outcome_clear (&outcome);
}

const OvStrategyBody ov_read_bodies[] = {
  { "sizes", OV_JOB_COUNT, 0, test_sizes },
  { "article-sizes", OV_JOB_COUNT, 0, test_article_sizes },
  { "contents", OV_JOB_COUNT, 0, test_contents },
  { "ranges", OV_JOB_COUNT, 0, test_ranges },
  { "works", OV_JOB_COUNT, 0, test_works },
  { "timings", OV_JOB_COUNT, 0, test_timings },
  { "direct", OV_JOB_COUNT, OV_CAP_DIRECT, test_direct },
  { "options", OV_JOB_COUNT, 0, test_options },
  { "positions", OV_JOB_COUNT, OV_CAP_POSITIONS, test_positions },
  { "blocks", OV_JOB_BLOCKS, 0, test_blocks },
  { "no-blocks", OV_JOB_BLOCKS, 0, test_no_blocks },
  { NULL, 0, 0, NULL },
};
