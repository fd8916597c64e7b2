/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Main loop sources as members of a struct.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Destroys the source, if there is one, and forgets it. */
static inline void
ov_clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

G_END_DECLS
