// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The table of a result of the job `blocks`: what each block took, of elapsed and of CPU time, by
 * how many percent that is more or less than the first line's, and what was set up once before.
 * The article's figures stand below, where the experiment has them.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** NULL: the result is of another job, or has no run that counts. The caller owns the reference. */
OvTable *ov_blocks_table_new (const OvResult *result);

G_END_DECLS
