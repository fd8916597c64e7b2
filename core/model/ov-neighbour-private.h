/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The neighbour's figures as JSON (docs/result-format.md).
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-neighbour.h"

G_BEGIN_DECLS

JsonNode *ov_neighbour_to_json (const OvNeighbourFigures *figures);
/** The member `key`, or NULL where there is none or a fault, which stays in the reader. */
OvNeighbourFigures *ov_neighbour_read (OvJsonReader *parent, const char *key);

G_END_DECLS
