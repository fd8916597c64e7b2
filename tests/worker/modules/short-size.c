/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

FAULTY (.id = "short-size.x", .family = "short-size", .size = 16);
