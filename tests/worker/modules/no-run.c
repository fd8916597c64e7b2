/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

FAULTY (.id = "no-run.x", .family = "no-run", .run = NULL);
