/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

__attribute__ ((constructor)) static void
leave (void)
{
  _Exit (0);
}

FAULTY (.id = "exit-load.x", .family = "exit-load");
