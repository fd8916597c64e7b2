/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a file can have been made or changed by root alone.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Do the file (or folder) and every folder above it belong to root, and may nobody else write
 * them? `path` must be absolute and be its own real path: no link, no "..".  Else
 * OV_ERROR_PERMISSION, which says which one does not. */
gboolean ov_trust_path (const char *path, GError **error);

G_END_DECLS
