/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of measuring as a part of something larger.
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-self-cost.h"

G_BEGIN_DECLS

/** The member `key`, or NULL where there is none or a fault, which stays in the reader. */
OvSelfCost *ov_self_cost_read (OvJsonReader *parent, const char *key);

G_END_DECLS
