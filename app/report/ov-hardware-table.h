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

G_END_DECLS
