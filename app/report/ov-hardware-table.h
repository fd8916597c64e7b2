// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figures of jobs that have no file: what one access costs, what became of the events that were
 * asked for.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** A row for each line and value of x, and for accesses the article's; NULL where the result is of
 *  another job, or nothing of it ran.  The caller owns it. */
OvTable *ov_hardware_table_new (const OvResult *result);

/** For each line of a sweep over rates the highest one at which fewer than 0.1 % were missed, a
 *  sentence a line; "" where there is no sweep.  `cells` are the result's.  The caller owns it. */
char *ov_hardware_sustained (const OvResult *result, const GPtrArray *cells);

G_END_DECLS
