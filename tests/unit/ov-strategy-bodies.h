// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The bodies that the strategies' test runs over every strategy; each skips what a strategy does
 * not offer.
 */
#pragma once

#include "../support/ov-test-case.h"

G_BEGIN_DECLS

/* A body, with the name of its test. Tables end with an empty one. */
typedef struct
{
  const char *name;
  void (*function) (const OvStrategy *strategy);
} OvStrategyBody;

extern const OvStrategyBody ov_read_bodies[];  /* counting, blocks, options: the right result */
extern const OvStrategyBody ov_fault_bodies[]; /* stops and faults: the right error, nothing left */
extern const OvStrategyBody ov_large_bodies[]; /* files of over 4 GiB: many seconds */

G_END_DECLS
