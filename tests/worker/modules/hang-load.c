/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <unistd.h>

#include "faulty.h"

__attribute__ ((constructor)) static void
hang (void)
{
  for (;;)
    pause ();
}

FAULTY (.id = "hang-load.x", .family = "hang-load");
