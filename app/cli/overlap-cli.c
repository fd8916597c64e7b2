/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-cli: finds the command and hands over.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

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

int
main (int argc, char **argv)
{
  ov_locale_init ();
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
