/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The counter family: reading hardware that every program may read, directly and through the
 * kernel.
 */
#include "overlap-strategy.h"

extern const OvStrategy counter_tsc;
extern const OvStrategy counter_vdso;
extern const OvStrategy counter_syscall;
extern const OvStrategy counter_rdpmc;
extern const OvStrategy counter_perf_read;

OV_STRATEGIES (&counter_tsc, &counter_vdso, &counter_syscall, &counter_rdpmc, &counter_perf_read);
