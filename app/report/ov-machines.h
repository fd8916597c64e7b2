// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two machines' results of one experiment as one result, whose lines are named by machine.
 */
#pragma once

#include "model/ov-result.h"

G_BEGIN_DECLS

/** For charts and tables alone: runs of both, "posix.read, HOST"; where both were made on one
 * machine, "HOST (A)" and "HOST (B)".  Experiment, x and date are those of `a`, and there is no
 * verdict over machines in it.  NULL where a run cannot be copied.  The caller owns it. */
OvResult *ov_machines_join (const OvResult *a, const OvResult *b);

G_END_DECLS
