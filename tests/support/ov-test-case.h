// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One run of a strategy on a file, compared with a count of our own.
 *
 * The family "null" is left out of the comparison, for by intent it reads nothing.
 */
#pragma once

#include "ov-test-file.h"
#include "ov-test-host.h"

G_BEGIN_DECLS

/* What one run is asked to do, and on what. */
typedef struct
{
  const OvTestFile *file;
  guint64 offset;
  guint64 length;
  guint64 block;
  guint depth;
  guint32 work;
  guint32 letter;
  gboolean direct;
  guint32 order; /* enum OvOrder; strides are ten blocks */
} OvTestCase;

/* How the work is cut up: bytes of a block, and buffers. */
typedef struct
{
  guint64 block;
  guint depth;
} OvTestShape;

/* The host of all tests; one, so that its buffers are used again. */
extern OvTestHost *ov_test_host;

/* All of a file: the case that most others are made from. */
OvTestCase ov_case_of (const OvTestFile *file, guint64 block, guint depth);

/* The task of a case, to count. */
OvTask ov_case_task (const OvTestCase *c);

/* Prints the case, before an assertion fails. */
void ov_case_say (const OvStrategy *strategy, const OvTestCase *c);

/* Runs the case, which must succeed and give the file's own count or checksum. */
void ov_check (const OvStrategy *strategy, const OvTestCase *c);

/* Calls ov_check() for each shape, up to one with no block, that means something to the strategy.
 */
void ov_check_shapes (const OvStrategy *strategy, OvTestCase c, const OvTestShape *shapes);

/* Sets the host back. FALSE, and the test is skipped, where the strategy cannot work here. */
gboolean ov_can (const OvStrategy *strategy);

static inline gboolean
ov_has (const OvStrategy *strategy, guint32 cap)
{
  return (strategy->caps & cap) != 0;
}

/* Reads no file: its count is not the file's. */
static inline gboolean
ov_is_control (const OvStrategy *strategy)
{
  return g_str_equal (strategy->family, "null");
}

/* Whether direct reads can be tried with the strategy, and here. */
static inline gboolean
ov_can_direct (const OvStrategy *strategy)
{
  return ov_has (strategy, OV_CAP_DIRECT) && ov_test_files_direct_align () > 0;
}

G_END_DECLS
