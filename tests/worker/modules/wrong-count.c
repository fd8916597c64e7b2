/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

FAULTY (.id = "wrong-count.x", .family = "wrong-count");
