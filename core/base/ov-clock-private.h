// SPDX-License-Identifier: GPL-3.0-or-later
/* What the tests of the clocks need and nobody else may use. */
#pragma once

#include <glib.h>

/* Whether stamps may come from the time-stamp counter: the kernel keeps time by it ("tsc" in
 * current_clocksource), or by a hypervisor's clock that is computed from it (kvm-clock, Hyper-V's
 * page) on a processor whose counter runs evenly and never stops, and without a system call, which
 * the hypervisor allows only where the counters of all processors agree. `cpu_flags` is the line of
 * /proc/cpuinfo. */
gboolean ov_tsc_is_trusted (const char *current_clocksource, const char *cpu_flags,
                            gboolean clock_is_cheap);
