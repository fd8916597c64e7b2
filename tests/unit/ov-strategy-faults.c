// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Every strategy sees a stop, reports faults and leaves nothing behind; and large files.
 */
#include "config.h"

#include <errno.h>

#include "base/ov-kernels.h"

#include "../support/ov-test-inject.h"

#include "ov-strategy-bodies.h"

static void
test_stop_before (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K), 64 * OV_K, 4);
  OvTask task = ov_case_task (&c);

  if (!ov_can (strategy))
    return;
  ov_test_host_set_stop (ov_test_host, 0);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  if ((strategy->jobs & OV_JOB_BLOCKS) != 0)
    {
      task.job = OV_JOB_BLOCKS;
      task.requests = 1000;
      ov_test_host_run (ov_test_host, strategy, &task, &outcome);
      g_assert_cmpint (outcome.result, ==, -ECANCELED);
      g_assert_cmpuint (outcome.live.submitted, ==, 0);
    }
  ov_test_outcome_clear (&outcome);
}

/* Strategies that count inline can be over before the other thread gets its turn: then again. */
static void
stop_in_the_middle (const OvStrategy *strategy, const OvTask *task, guint64 bytes)
{
  guint attempts = ov_has (strategy, OV_CAP_BY_CHARACTER) ? 100 : 1;
  OvTestOutcome outcome = { 0 };

  ov_test_host_set_stop (ov_test_host, 40000);
  for (guint i = 0; i < attempts && (i == 0 || outcome.result == 0); i++)
    ov_test_host_run (ov_test_host, strategy, task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.consumed_bytes, <, bytes);
  ov_test_outcome_clear (&outcome);
}

static void
test_stop_in_the_middle (const OvStrategy *strategy)
{
  static const guint64 blocks[] = { 4 * OV_K, 64 * OV_K, OV_M };
  static const guint depths[] = { 1, 2, 32 };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    for (guint j = 0; j < (ov_has (strategy, OV_CAP_DEPTH) ? G_N_ELEMENTS (depths) : 1); j++)
      for (guint direct = 0; direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
        {
          OvTestCase c
              = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K), blocks[i], depths[j]);
          OvTask task;

          c.direct = direct != 0;
          task = ov_case_task (&c);
          stop_in_the_middle (strategy, &task, 5000 * OV_K);
          if ((strategy->jobs & OV_JOB_BLOCKS) == 0)
            continue;
          task.job = OV_JOB_BLOCKS;
          task.order = OV_ORDER_RANDOM;
          task.requests = 5000 * OV_K / blocks[i];
          stop_in_the_middle (strategy, &task, 5000 * OV_K);
        }
}

/* ---- Faults ------------------------------------------------------------------------------- */

/* The file is shorter than the task says, as when somebody cuts it off meanwhile. */
static void
test_truncated (const OvStrategy *strategy)
{
  static const guint64 sizes[] = { 0, 1000, 8192, 8193, 100 * OV_K };

  if (!ov_can (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && !ov_is_control (strategy); i++)
    for (guint direct = 0; direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
      for (guint depth = 1; depth <= (ov_has (strategy, OV_CAP_DEPTH) ? 9 : 1); depth += 4)
        {
          OvTestOutcome outcome = { 0 };
          OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, sizes[i]), 4 * OV_K, depth);
          OvTask task;

          c.direct = direct != 0;
          task = ov_case_task (&c);
          task.file_size = task.length = sizes[i] + 77777;
          ov_test_host_run (ov_test_host, strategy, &task, &outcome);
          g_assert_cmpint (outcome.result, <, 0);
          g_assert_cmpint (outcome.result, !=, -ECANCELED);
          g_assert_nonnull (outcome.explained);
          g_assert_cmpuint (outcome.live.consumed_bytes, <=, sizes[i]);
          ov_test_outcome_clear (&outcome);
        }
}

static void
test_no_file (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_TEXT, 65536), 4 * OV_K, 2);
  OvTask task = ov_case_task (&c);
  g_autofree char *missing = g_build_filename (g_get_tmp_dir (), "overlap-no-such-file", NULL);

  if (!ov_can (strategy))
    return;
  if (ov_is_control (strategy)) /* opens none */
    return;
  task.path = missing;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ENOENT);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  task.path = g_get_tmp_dir ();
  task.length = 4096;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, <, 0);
  g_assert_cmpint (outcome.result, !=, -ECANCELED);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, 0);
  ov_test_outcome_clear (&outcome);
}

/* One run with faults. Returns how many there were. */
static guint
run_with_fault (const OvStrategy *strategy, OvTestFault fault, gboolean direct,
                OvTestOutcome *outcome)
{
  OvTestCase c = ov_case_of (ov_test_file (OV_CONTENT_LINES, 400 * OV_K + 123), 16 * OV_K, 3);
  OvTask task;

  c.direct = direct;
  task = ov_case_task (&c);
  ov_test_inject (fault, c.file->path, direct ? 12 * OV_K : 16);
  ov_test_host_run (ov_test_host, strategy, &task, outcome);
  return ov_test_inject_end ();
}

static void
check_survives (const OvStrategy *strategy, OvTestFault fault, gboolean direct)
{
  const OvTestFile *file = ov_test_file (OV_CONTENT_LINES, 400 * OV_K + 123);
  OvTestOutcome outcome = { 0 };
  guint n = run_with_fault (strategy, fault, direct, &outcome);

  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, file->size);
  g_assert_cmpuint (outcome.live.count, ==, ov_count_plain (file->bytes, file->size, 'A'));
  g_assert_cmpuint (outcome.live.short_io, ==, fault == OV_TEST_FAULT_SHORT ? n : 0);
  ov_test_outcome_clear (&outcome);
}

/* A strategy that does not call read() or pread() itself meets none of the faults: then there is
 * only to see that it came through. */
static void
test_faults (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  gboolean meets;

  if (!ov_can (strategy))
    return;
  meets = run_with_fault (strategy, OV_TEST_FAULT_INTERRUPTED, FALSE, &outcome) > 0;
  g_assert_cmpint (outcome.result, ==, 0);
  ov_test_outcome_clear (&outcome);
  if (!meets)
    g_test_message ("%s is out of reach of the faults", strategy->id);
  for (guint direct = 0; meets && direct < (ov_can_direct (strategy) ? 2 : 1); direct++)
    {
      check_survives (strategy, OV_TEST_FAULT_SHORT, direct != 0);
      check_survives (strategy, OV_TEST_FAULT_INTERRUPTED, direct != 0);
      check_survives (strategy, OV_TEST_FAULT_AGAIN, direct != 0);
    }
}

/* An error in the middle (at the fifth call, which not every strategy makes) ends the run with that
 * error, after all that is in flight has come. */
static void
test_io_error (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };

  if (!ov_can (strategy))
    return;
  if (run_with_fault (strategy, OV_TEST_FAULT_IO, FALSE, &outcome) == 0)
    g_assert_cmpint (outcome.result, ==, 0);
  else
    {
      g_assert_cmpint (outcome.result, ==, -EIO);
      g_assert_cmpuint (outcome.live.consumed_bytes, <, 400 * OV_K);
    }
  ov_test_outcome_clear (&outcome);
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static OvTask
blocks_task (const OvTestFile *file, guint64 block, guint depth, guint64 requests)
{
  OvTestCase c = ov_case_of (file, block, depth);
  OvTask task = ov_case_task (&c);

  task.job = OV_JOB_BLOCKS;
  task.requests = requests;
  return task;
}

static void
test_blocks_stop (const OvStrategy *strategy)
{
  const OvTestFile *file = ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K);
  OvTestOutcome outcome = { 0 };
  OvTask task = blocks_task (file, 4 * OV_K, 4, 1000);

  if (!ov_can (strategy))
    return;
  ov_test_host_set_stop (ov_test_host, 0);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ECANCELED);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  for (guint depth = 1; depth <= (ov_has (strategy, OV_CAP_DEPTH) ? 32 : 1); depth += 31)
    for (guint order = OV_ORDER_SEQUENTIAL; order <= OV_ORDER_STRIDED; order++)
      {
        task.depth = depth;
        task.order = order;
        ov_test_host_set_stop (ov_test_host, 40000);
        ov_test_host_run (ov_test_host, strategy, &task, &outcome);
        g_assert_cmpint (outcome.result, ==, -ECANCELED);
        g_assert_cmpuint (outcome.live.consumed, <, 1000);
      }
  ov_test_outcome_clear (&outcome);
}

static void
test_blocks_truncated (const OvStrategy *strategy)
{
  OvTestOutcome outcome = { 0 };
  OvTask task = blocks_task (ov_test_file (OV_CONTENT_TEXT, 8193), 4 * OV_K, 2, 20);
  g_autofree char *missing = g_build_filename (g_get_tmp_dir (), "overlap-no-such-file", NULL);

  if (!ov_can (strategy) || ov_is_control (strategy))
    return;
  task.file_size = task.length = 20 * 4 * OV_K;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, <, 0);
  g_assert_cmpint (outcome.result, !=, -ECANCELED);
  g_assert_nonnull (outcome.explained);
  g_assert_cmpuint (outcome.live.consumed_bytes, <=, 8193);
  task.path = missing;
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  g_assert_cmpint (outcome.result, ==, -ENOENT);
  g_assert_cmpuint (outcome.live.submitted, ==, 0);
  ov_test_outcome_clear (&outcome);
}

/* A strategy that does not read by itself meets none of the faults. */
static void
test_blocks_faults (const OvStrategy *strategy)
{
  static const OvTestFault faults[]
      = { OV_TEST_FAULT_SHORT, OV_TEST_FAULT_INTERRUPTED, OV_TEST_FAULT_AGAIN, OV_TEST_FAULT_IO };
  const OvTestFile *file = ov_test_file (OV_CONTENT_TEXT, 5000 * OV_K);

  if (!ov_can (strategy) || ov_is_control (strategy))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      OvTask task = blocks_task (file, 16 * OV_K, 3, 30);
      OvTestOutcome outcome = { 0 };
      guint n;

      ov_test_inject (faults[i], file->path, 16);
      ov_test_host_run (ov_test_host, strategy, &task, &outcome);
      n = ov_test_inject_end ();
      if (faults[i] == OV_TEST_FAULT_IO && n > 0)
        g_assert_cmpint (outcome.result, ==, -EIO);
      else
        {
          g_assert_cmpint (outcome.result, ==, 0);
          g_assert_cmpuint (outcome.live.count, ==,
                            ov_count_plain (file->bytes, 30 * 16 * OV_K, 'A'));
          g_assert_cmpuint (outcome.live.short_io, ==, faults[i] == OV_TEST_FAULT_SHORT ? n : 0);
        }
      ov_test_outcome_clear (&outcome);
    }
}

/* ---- Large files -------------------------------------------------------------------------- */

static void
check_large (const OvStrategy *strategy, guint64 offset, gboolean direct, guint64 letters)
{
  OvTestCase c = ov_case_of (ov_test_large_file (), 4 * OV_M, 2);
  OvTestOutcome outcome = { 0 };
  OvTask task;

  c.direct = direct;
  c.work = OV_WORK_FAST;
  c.offset = offset;
  c.length = OV_LARGE_SIZE - offset;
  task = ov_case_task (&c);
  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  if (outcome.result == -ENOMEM && outcome.explained != NULL)
    g_test_skip (outcome.explained);
  else
    {
      g_assert_cmpint (outcome.result, ==, 0);
      g_assert_cmpuint (outcome.live.consumed_bytes, ==, c.length);
      if (!ov_is_control (strategy))
        g_assert_cmpuint (outcome.live.count, ==, letters);
    }
  ov_test_outcome_clear (&outcome);
}

/* From the start: direct where it can be, since a hole then fills no page cache; huge pages, since
 * it is not they that are tested. Strategies that work by character, and all others once more
 * without O_DIRECT, begin just under 4 GiB and come to its other side. */
static void
test_large (const OvStrategy *strategy)
{
  const guint64 under = 4 * OV_M * OV_K - 300000;

  if (!ov_can (strategy))
    return;
  ov_test_host_set_timing (ov_test_host, OV_TIMING_COUNTERS);
  ov_test_host_set_option (ov_test_host, "huge-pages", 1);
  if (!ov_has (strategy, OV_CAP_BY_CHARACTER))
    check_large (strategy, 0, ov_can_direct (strategy), 8);
  if (ov_has (strategy, OV_CAP_BY_CHARACTER) || ov_can_direct (strategy))
    check_large (strategy, under, FALSE, 4);
}

const OvStrategyBody ov_fault_bodies[] = {
  { "stop-before", OV_JOB_COUNT, 0, test_stop_before },
  { "stop-in-the-middle", OV_JOB_COUNT, 0, test_stop_in_the_middle },
  { "truncated", OV_JOB_COUNT, 0, test_truncated },
  { "no-file", OV_JOB_COUNT, 0, test_no_file },
  { "faults", OV_JOB_COUNT, 0, test_faults },
  { "io-error", OV_JOB_COUNT, 0, test_io_error },
  { "blocks-stop", OV_JOB_BLOCKS, 0, test_blocks_stop },
  { "blocks-truncated", OV_JOB_BLOCKS, 0, test_blocks_truncated },
  { "blocks-faults", OV_JOB_BLOCKS, 0, test_blocks_faults },
  { NULL, 0, 0, NULL },
};

const OvStrategyBody ov_large_bodies[] = {
  { "large", OV_JOB_COUNT, 0, test_large },
  { NULL, 0, 0, NULL },
};
