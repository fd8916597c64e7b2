/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a performance counter, and saying in words why it cannot be.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** A counter of this thread's processor cycles in user mode, or with `software` where there are no
 *  such counters, of its CPU time.  `*is_software` says which.  The descriptor, or -errno. */
int perf_open (bool software, bool *is_software);

/** Why perf_open() failed with `error` (negative errno), and how to lift it. */
void perf_explain (int error, char *why, size_t why_size);
