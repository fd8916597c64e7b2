// SPDX-License-Identifier: GPL-3.0-or-later
/* Locale and message catalogue, the same for every program. */
#include "config.h"

#include "base/ov-locale.h"

#include <locale.h>

#include <glib/gi18n.h>

void
ov_locale_init (void)
{
  const char *folder = g_getenv ("OVERLAP_LOCALE_DIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, folder != NULL ? folder : OV_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
