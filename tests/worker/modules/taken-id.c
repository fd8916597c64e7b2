/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

FAULTY (.id = "posix.read", .family = "posix");
