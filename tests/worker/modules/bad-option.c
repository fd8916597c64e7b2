/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

static const OvOption option
    = { sizeof (OvOption), OV_OPTION_INT, "n", "N", "A number.", 1, 10, 99, NULL };
static const OvOption *const options[] = { &option, NULL };

FAULTY (.id = "bad-option.x", .family = "bad-option", .options = options);
