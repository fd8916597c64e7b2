/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of functions at addresses of this process and of the kernel.
 */
#pragma once

#include "model/ov-profile.h"

G_BEGIN_DECLS

/** Whether functions that are not exported have names too: libdw is there. */
gboolean ov_symbols_are_complete (void);

/** Adds what is in `places` (guint64 address -> guint64 samples) to the profile by function. */
void ov_symbols_resolve_user (GHashTable *places, OvProfile *profile);
/** The same for addresses in the kernel; FALSE where the system does not show its names. */
gboolean ov_symbols_resolve_kernel (GHashTable *places, OvProfile *profile);

G_END_DECLS
