/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading machine and targets as parts of something larger, so that a fault names the place in
 * the whole.
 */
#pragma once

#include "model/ov-json-private.h"
#include "model/ov-machine.h"

G_BEGIN_DECLS

void ov_machine_read (OvJsonReader *reader, OvMachine *machine);
void ov_target_info_read (OvJsonReader *reader, OvTargetInfo *info);

G_END_DECLS
