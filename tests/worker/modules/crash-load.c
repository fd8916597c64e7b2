/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "faulty.h"

__attribute__ ((constructor)) static void
crash (void)
{
  abort ();
}

FAULTY (.id = "crash-load.x", .family = "crash-load");
