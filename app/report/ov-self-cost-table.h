// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What measuring costs, as a table: the same in the window and on the command line.
 */
#pragma once

#include "chart/ov-table.h"
#include "model/ov-self-cost.h"

G_BEGIN_DECLS

/** A row for each kind of recording: its cost with interval, what is aimed at, and whether that was
 * missed or why it was not measured. The title says where and when. The caller owns it. */
OvTable *ov_self_cost_table_new (const OvSelfCost *cost);

G_END_DECLS
