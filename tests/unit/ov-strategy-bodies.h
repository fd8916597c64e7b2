// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The bodies that the strategies' test runs over every strategy that they concern.
 */
#pragma once

#include "../support/ov-test-case.h"

G_BEGIN_DECLS

/* A body, with the name of its test and what a strategy must have for it: all of `jobs` and of
 * `caps`. Tables end with an empty one. */
typedef struct
{
  const char *name;
  guint32 jobs;
  guint32 caps;
  void (*function) (const OvStrategy *strategy);
} OvStrategyBody;

extern const OvStrategyBody ov_read_bodies[];  /* counting, blocks, options: the right result */
extern const OvStrategyBody ov_fault_bodies[]; /* stops and faults: the right error, nothing left */
extern const OvStrategyBody ov_large_bodies[]; /* files of over 4 GiB: many seconds */

G_END_DECLS
