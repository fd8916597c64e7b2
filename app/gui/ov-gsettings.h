// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The program's settings, of which there is one object.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** FALSE where the schema is not installed: then nothing below may be called. */
gboolean ov_gsettings_is_available (void);
/** Borrowed. */
GSettings *ov_gsettings_get (void);

G_END_DECLS
