// SPDX-License-Identifier: GPL-3.0-or-later
/* What the tests of the clocks need and nobody else may use. */
#pragma once

#include <glib.h>

/* Whether a text as the kernel writes it into current_clocksource names the time-stamp counter. */
gboolean ov_tsc_is_named_by (const char *current_clocksource);
