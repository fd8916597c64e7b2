// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The program `overlap`: the window.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "gui/ov-application.h"
#include "gui/ov-resources.h"

int
main (int argc, char **argv)
{
  g_autoptr (OvApplication) application = NULL;
  const char *locale = g_getenv ("OVERLAP_LOCALE_DIR");
  int status;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale != NULL ? locale : OV_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name ("Overlap");
  ov_resources_register ();
  application = ov_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : ov_application_get_status (application);
}
