/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli list: experiments, or strategies with what each lacks here.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#include "cli/ov-cli-grid.h"
#include "cli/ov-cli.h"
#include "model/ov-disk.h"
#include "report/ov-report.h"

static void
complain_about (const GError *error, gpointer data)
{
  ov_cli_complain ("%s", error->message);
  *(int *)data = OV_EXIT_FAILED;
}

static int
list_experiments (void)
{
  static const char *const titles[] = { N_ ("EXPERIMENT"), N_ ("PRESETS"), N_ ("TITLE"), NULL };
  const char *const translated[] = { _ (titles[0]), _ (titles[1]), _ (titles[2]), NULL };
  g_auto (GStrv) folders = ov_experiment_folders ();
  g_autoptr (OvCliGrid) grid = ov_cli_grid_new (translated);
  g_autoptr (GPtrArray) all = NULL;
  int status = OV_EXIT_OK;

  all = ov_experiment_load_all ((const char *const *)folders, complain_about, &status);
  for (guint i = 0; i < all->len; i++)
    {
      const OvExperiment *experiment = g_ptr_array_index (all, i);
      g_autoptr (GString) presets = g_string_new (NULL);
      char *row[3];

      for (guint p = 0; p < experiment->presets->len; p++)
        {
          const OvPreset *preset = g_ptr_array_index (experiment->presets, p);

          g_string_append_printf (presets, "%s%s", p > 0 ? ", " : "", preset->id);
        }
      row[0] = g_strdup (experiment->id);
      row[1] = g_strdup (presets->str);
      row[2] = g_strdup (ov_report_tr (experiment->title));
      ov_cli_grid_add (grid, row);
    }
  ov_cli_grid_print (grid, stdout);
  return status;
}

/** Simulated disks: figures, then where they come from. */
static int
list_targets (void)
{
  guint n;
  const OvDisk *disks = ov_disk_presets (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *figures = ov_disk_describe (&disks[i]);

      printf ("%s%s  (%s)\n    %s\n    %s\n", OV_DISK_PREFIX, disks[i].name,
              ov_report_tr (disks[i].title), figures, ov_report_tr (disks[i].source));
    }
  printf ("%s\n    %s\n", "simulated:rate=4MB,latency=1ms,seek=12ms",
          _ ("Own values; also kind=network, near=TIME (shortest seek), span=SIZE, readahead=SIZE. "
             "They may follow a preset's name, too: simulated:disk-2005,readahead=0"));
  return OV_EXIT_OK;
}

static void
print_options (const OvStrategyInfo *info)
{
  for (guint i = 0; i < info->options->len; i++)
    {
      const OvOptionInfo *option = g_ptr_array_index (info->options, i);
      g_autofree char *standard = ov_option_info_format (option, option->standard);
      g_autofree char *choices
          = option->choices != NULL ? g_strjoinv (", ", option->choices) : NULL;

      printf ("      --option %s:%s=%s", info->id, option->name, standard);
      if (choices != NULL)
        printf ("  (%s)", choices);
      printf ("\n          %s\n", ov_report_tr (option->help));
    }
}

/* The worker, which may be waited for behind a prefix, is ended; a second signal does not wait. */
static gboolean
on_signal (gpointer data)
{
  gboolean *stopped = data;

  if (*stopped)
    exit (OV_EXIT_STOPPED);
  *stopped = TRUE;
  ov_cli_cancel ();
  return G_SOURCE_CONTINUE;
}

static OvCatalog *
load_catalog (const OvLauncher *launcher, gboolean *stopped)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
  guint ids[G_N_ELEMENTS (signals)];
  OvCatalog *catalog;

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    ids[i] = g_unix_signal_add (signals[i], on_signal, stopped);
  catalog = ov_cli_load_catalog (launcher);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (ids[i]);
  return catalog;
}

static int
list_strategies (gboolean verbose, const char *through)
{
  gboolean stopped = FALSE;
  g_autoptr (OvLauncher) launcher = ov_cli_launcher (through);
  g_autoptr (OvCatalog) catalog = launcher != NULL ? load_catalog (launcher, &stopped) : NULL;
  guint width = 0;

  if (catalog == NULL)
    return stopped ? OV_EXIT_STOPPED : OV_EXIT_FAILED;
  for (guint i = 0; i < catalog->strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (catalog->strategies, i);

      width = MAX (width, ov_cli_width (info->id));
    }
  for (guint i = 0; i < catalog->strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (catalog->strategies, i);

      printf ("%-*s  %s\n", (int)width, info->id, ov_strategy_info_title (info));
      if (verbose)
        printf ("      %s\n", ov_strategy_info_summary (info));
      if (!info->available)
        printf ("%-*s  %s: %s\n", (int)width, "", _ ("not here"), info->cause);
      if (verbose)
        print_options (info);
    }
  for (guint i = 0; i < catalog->faults->len; i++)
    {
      const OvModuleFault *fault = g_ptr_array_index (catalog->faults, i);

      ov_cli_complain (_ ("A module was left out: %s"), fault->fault);
    }
  return OV_EXIT_OK;
}

int
ov_cli_list (int argc, char **argv)
{
  gboolean strategies = FALSE, targets = FALSE, verbose = FALSE;
  g_autofree char *through = NULL;
  const GOptionEntry entries[]
      = { { "strategies", 's', 0, G_OPTION_ARG_NONE, &strategies,
            N_ ("List strategies, with what each lacks here"), NULL },
          { "targets", 't', 0, G_OPTION_ARG_NONE, &targets,
            N_ ("List simulated disks, which \"run --target\" takes"), NULL },
          { "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose,
            N_ ("With strategies: what each does, and its options"), NULL },
          { "through", 0, 0, G_OPTION_ARG_STRING, &through,
            N_ ("Start the worker through a command, such as \"ssh HOST\""), N_ ("COMMAND") },
          { NULL } };

  if (!ov_cli_parse (NULL, _ ("Lists experiments, strategies, or simulated disks."), entries, &argc,
                     &argv))
    return OV_EXIT_USAGE;
  if (argc > 1)
    {
      ov_cli_complain (_ ("\"list\" takes no \"%s\""), argv[1]);
      return OV_EXIT_USAGE;
    }
  if (targets)
    return list_targets ();
  return strategies || verbose ? list_strategies (verbose, through) : list_experiments ();
}
