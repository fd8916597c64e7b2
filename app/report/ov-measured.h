// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What was measured beside the runs, as tables that the window and the command line show alike.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-result.h"

G_BEGIN_DECLS

/** What the neighbour saw of each strategy: how late it was woken, how much of its work it lost;
 * NULL where no run had a neighbour. The caller owns the table. */
OvTable *ov_measured_neighbour (const OvResult *result);

/** Where the CPU time of each strategy went, as the article has it: samples, percent, symbol; in a
 * row of its own what is missing. NULL where no profile was asked for. The caller owns the table.
 */
OvTable *ov_measured_profile (const OvResult *result);

G_END_DECLS
