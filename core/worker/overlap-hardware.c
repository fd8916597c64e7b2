/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-hardware: a worker's session for jobs of hardware, started as root by pkexec
 * or sudo.  It gives up root before it reads anything (ov-privilege.h), and takes requests of a
 * short list only (ov-guard.h).
 */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-locale.h"
#include "worker/ov-privilege.h"
#include "worker/ov-session.h"
#include "worker/ov-start.h"

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (!ov_start_clean ())
    {
      fprintf (stderr, "overlap-hardware: standard input, output or error is closed\n");
      return 2;
    }
  if (argc != 1 || !ov_privilege_enter (&error))
    {
      fprintf (stderr, "overlap-hardware: %s\n",
               error != NULL ? error->message : "it takes no arguments");
      return 2;
    }
  ov_locale_init ();
  setlocale (LC_NUMERIC, "C");
  setpgid (0, 0);
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  return ov_session_serve (STDIN_FILENO, STDOUT_FILENO);
}
