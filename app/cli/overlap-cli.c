/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-cli: finds the command and hands over.
 */
#include "config.h"

#include <stdio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-locale.h"
#include "cli/ov-cli.h"

typedef struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *help;
} Command;

static const Command commands[] = {
  { "list", ov_cli_list, N_ ("list experiments, or strategies (--strategies)") },
  { "run", ov_cli_run, N_ ("run an experiment") },
  { "chart", ov_cli_chart, N_ ("draw the charts of a stored result") },
  { "compare", ov_cli_compare, N_ ("compare the lines of a result, or two results") },
  { "self-cost", ov_cli_self_cost, N_ ("measure what measuring costs on this machine") },
};

static int
usage (FILE *to, int status)
{
  fprintf (to, "%s\n\n", _ ("Usage: overlap-cli COMMAND [OPTION…]"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %-10s%s\n", commands[i].name, _ (commands[i].help));
  fprintf (to, "\n%s\n",
           _ ("\"overlap-cli COMMAND --help\" tells about each; overlap-cli(1) is the manual."));
  return status;
}

/* Output that did not get out is a failure, whatever was said before.  Whoever closed the pipe
 * wants no more of it, and no complaint. */
static void
close_output (void)
{
  const gboolean failed = ferror (stdout) != 0;

  errno = 0;
  if (fclose (stdout) == 0 && !failed)
    return;
  if (errno != 0 && errno != EPIPE)
    ov_cli_complain (_ ("Standard output: %s"), g_strerror (errno));
  _exit (OV_EXIT_FAILED);
}

/* A descriptor that is closed would be given to the next file, which were then written into: these
 * ones cannot be used in the wrong direction. */
static void
fill_descriptors (void)
{
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
      _exit (OV_EXIT_FAILED);
}

int
main (int argc, char **argv)
{
  fill_descriptors ();
  ov_locale_init ();
  atexit (close_output);
  g_set_prgname ("overlap-cli");

  if (argc < 2)
    return usage (stderr, OV_EXIT_USAGE);
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || strcmp (argv[1], "help") == 0)
    return usage (stdout, OV_EXIT_OK);
  if (strcmp (argv[1], "--version") == 0)
    {
      printf ("overlap-cli %s\n", OV_VERSION);
      return OV_EXIT_OK;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      {
        g_autofree char *name = g_strdup_printf ("overlap-cli %s", commands[i].name);

        g_set_prgname (name);
        return commands[i].run (argc - 1, argv + 1);
      }
  ov_cli_complain (_ ("There is no command \"%s\""), argv[1]);
  return usage (stderr, OV_EXIT_USAGE);
}
