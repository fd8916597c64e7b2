/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-worker: a session on standard input and output (docs/protocol.md).
 */
#include "config.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-locale.h"
#include "worker/ov-session.h"
#include "worker/ov-start.h"

static int
usage (FILE *to, int status)
{
  fprintf (to, "%s\n\n%s\n", _ ("Usage: overlap-worker [--help | --version]"),
           _ ("Runs I/O strategies for Overlap. It is started by overlap and overlap-cli and\n"
              "speaks JSON Lines on standard input and output; see overlap-worker(1)."));
  return status;
}

int
main (int argc, char **argv)
{
  if (!ov_start_clean ())
    return 2;
  ov_locale_init ();
  /* Figures go over the wire: never with a decimal comma. */
  setlocale (LC_NUMERIC, "C");

  if (argc > 1 && strcmp (argv[1], "--version") == 0)
    {
      printf ("overlap-worker %s\n", OV_VERSION);
      return 0;
    }
  if (argc > 1)
    return strcmp (argv[1], "--help") == 0 ? usage (stdout, 0) : usage (stderr, 2);

  /* The engine decides about Ctrl-C; a group of its own lets it end us and our children at once. */
  setpgid (0, 0);
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  return ov_session_serve (STDIN_FILENO, STDOUT_FILENO);
}
