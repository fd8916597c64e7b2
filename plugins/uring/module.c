/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The uring family: io_uring, told apart by how a program learns of a completion.
 */
#include "overlap-strategy.h"

extern const OvStrategy uring_spin, uring_wait, uring_eventloop;

OV_STRATEGIES (&uring_spin, &uring_wait, &uring_eventloop);
