// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The linker would leave the resources out of a static library: this asks for them by name.
 */
#include "config.h"

#include <gio/gio.h>

#include "gui/ov-resources.h"
#include "ov-gresource.h"

void
ov_resources_register (void)
{
  g_resources_register (ov_gresource_get_resource ());
}
