// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The program `overlap`: the window.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "base/ov-locale.h"
#include "gui/ov-application.h"
#include "gui/ov-resources.h"

int
main (int argc, char **argv)
{
  g_autoptr (OvApplication) application = NULL;
  int status;

  /* For ./run: whether a window can be opened at all, said by the exit status alone. */
  if (argc == 2 && g_str_equal (argv[1], "--check-display"))
    return gtk_init_check () ? 0 : 1;
  ov_locale_init ();
  g_set_application_name ("Overlap");
  ov_resources_register ();
  application = ov_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : ov_application_get_status (application);
}
