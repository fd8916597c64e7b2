/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>

#include "faulty.h"

static int
probe (const OvHost *host, char *why, size_t why_size)
{
  (void)host;
  snprintf (why, why_size, "There is no such thing here; buy one.");
  return -ENODEV;
}

FAULTY (.id = "not-here.x", .family = "not-here", .probe = probe);
