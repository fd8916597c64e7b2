// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One run of a strategy on a file: see ov-test-case.h.
 */
#include "config.h"

#include <fcntl.h>

#include "base/ov-kernels.h"

#include "ov-test-case.h"

OvTestHost *ov_test_host;

static const char *const order_names[] = { "sequential", "random", "backward", "strided" };

OvTask
ov_case_task (const OvTestCase *c)
{
  return (OvTask){
    .size = sizeof (OvTask),
    .job = OV_JOB_COUNT,
    .path = c->file->path,
    .flags = O_RDONLY | O_CLOEXEC | (c->direct ? O_DIRECT : 0),
    .align = c->direct ? ov_test_files_direct_align () : 1,
    .file_size = c->file->size,
    .offset = c->offset,
    .length = c->length,
    .block = c->block,
    .depth = c->depth,
    .work = c->work,
    .letter = c->letter,
    .order = c->order,
    .seed = 42,
    .stride = 10 * c->block,
  };
}

OvTestCase
ov_case_of (const OvTestFile *file, guint64 block, guint depth)
{
  return (OvTestCase){ file, 0,     file->size,         block, depth, OV_WORK_PLAIN,
                       'A',  FALSE, OV_ORDER_SEQUENTIAL };
}

void
ov_case_say (const OvStrategy *strategy, const OvTestCase *c)
{
  g_test_message ("%s: %s, offset %" G_GUINT64_FORMAT ", length %" G_GUINT64_FORMAT
                  ", block %" G_GUINT64_FORMAT ", depth %u, work %u, letter %u, order %s%s",
                  strategy->id, c->file->path, c->offset, c->length, c->block, c->depth, c->work,
                  c->letter, order_names[c->order], c->direct ? ", direct" : "");
}

static void
check_work (const OvTestCase *c, const OvTestOutcome *outcome)
{
  const char *bytes = c->file->bytes + c->offset;
  guint64 count = 0;

  if (c->work == OV_WORK_PLAIN || c->work == OV_WORK_FAST)
    for (guint64 i = 0; i < c->length; i++)
      count += (guchar)bytes[i] == c->letter;
  g_assert_cmpuint (outcome->live.count, ==, count);
  if (c->work == OV_WORK_CRC32C)
    g_assert_cmphex (outcome->crc, ==, ov_crc32c (0, bytes, c->length));
  if (c->work == OV_WORK_SHA256)
    {
      g_autofree char *sha
          = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, c->length);

      g_assert_cmpstr (outcome->sha, ==, sha);
    }
}

void
ov_check (const OvStrategy *strategy, const OvTestCase *c)
{
  OvTestOutcome outcome = { 0 };
  OvTask task = ov_case_task (c);

  ov_test_host_run (ov_test_host, strategy, &task, &outcome);
  if (outcome.result != 0 || outcome.live.consumed_bytes != c->length)
    ov_case_say (strategy, c);
  if (outcome.explained != NULL)
    g_test_message ("explained: %s", outcome.explained);
  g_assert_cmpint (outcome.result, ==, 0);
  g_assert_cmpuint (outcome.live.consumed_bytes, ==, c->length);
  if (!ov_is_control (strategy))
    check_work (c, &outcome);
  if (outcome.live.submitted > 0)
    g_assert_cmpuint (outcome.live.completed_bytes, >=, c->length);
  g_assert_cmpuint (outcome.live.cancelled, ==, 0);
  ov_test_outcome_clear (&outcome);
}

void
ov_check_shapes (const OvStrategy *strategy, OvTestCase c, const OvTestShape *shapes)
{
  for (guint i = 0; shapes[i].block != 0; i++)
    {
      if (c.direct && shapes[i].block % ov_test_files_direct_align () != 0)
        continue;
      if (i > 0 && !ov_has (strategy, OV_CAP_BLOCK))
        continue;
      c.block = shapes[i].block;
      c.depth = ov_has (strategy, OV_CAP_DEPTH) ? shapes[i].depth : 1;
      ov_check (strategy, &c);
    }
}

gboolean
ov_can (const OvStrategy *strategy)
{
  g_autofree char *why = NULL;

  ov_test_host_set_option (ov_test_host, NULL, 0);
  ov_test_host_set_stop (ov_test_host, -1);
  ov_test_host_set_timing (ov_test_host, OV_TIMING_TIMELINE);
  if (ov_test_host_probe (ov_test_host, strategy, &why))
    return TRUE;
  g_test_skip (why);
  return FALSE;
}
