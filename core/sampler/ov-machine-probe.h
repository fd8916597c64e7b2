/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Describes the machine that this process runs on.
 */
#pragma once

#include "model/ov-machine.h"

G_BEGIN_DECLS

/** Takes a few milliseconds: measures what reading the clocks costs.  Transfer full. */
OvMachine *ov_machine_probe (void);

G_END_DECLS
