/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The write family: what the system offers besides a plain write(2) through the page cache.
 */
#include "overlap-strategy.h"

extern const OvStrategy write_direct;
extern const OvStrategy write_uring;

OV_STRATEGIES (&write_direct, &write_uring);
