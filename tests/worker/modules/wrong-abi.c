/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

FAULTY (.id = "wrong-abi.x", .family = "wrong-abi", .abi = 77);
