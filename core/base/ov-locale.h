// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The language that a program speaks.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the user's locale, and the translations from OVERLAP_LOCALE_DIR (a copy that is not
 * installed) or else from the installed folder. First thing in main(), before any thread. */
void ov_locale_init (void);

G_END_DECLS
