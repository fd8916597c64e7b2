/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands of overlap-cli share: exit codes, messages, waiting for something asynchronous.
 * Results go to standard output, everything else to standard error.
 */
#pragma once

#include "engine/ov-catalog.h"
#include "model/ov-experiment.h"

G_BEGIN_DECLS

/** Exit codes, as overlap-cli(1) documents them. */
enum
{
  OV_EXIT_OK = 0,       /**< every run is done, or was skipped with a cause */
  OV_EXIT_FAILED = 1,   /**< it could not be done: a message says why */
  OV_EXIT_USAGE = 2,    /**< the command line is wrong */
  OV_EXIT_RUNS = 3,     /**< a run failed, was abandoned or gave a wrong check value */
  OV_EXIT_STOPPED = 130 /**< stopped by Ctrl-C; what was measured is kept */
};

/** The commands; `argv[0]` is the command's own name.  They return the exit code. */
int ov_cli_list (int argc, char **argv);
int ov_cli_run (int argc, char **argv);
int ov_cli_chart (int argc, char **argv);
int ov_cli_compare (int argc, char **argv);
int ov_cli_self_cost (int argc, char **argv);

/** "overlap-cli: text" on standard error. */
void ov_cli_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

/** Parses a command's options; on failure complains and returns FALSE. */
gboolean ov_cli_parse (const char *usage, const char *summary, const GOptionEntry *entries,
                       int *argc, char ***argv);

/** The worker of this machine behind the words of `prefix` (split as a shell does), or NULL after
 *  a complaint. */
OvLauncher *ov_cli_launcher (const char *prefix);

/** Ends what is waited for by the functions below: they return NULL then, without a complaint, and
 *  what they had started has ended. */
void ov_cli_cancel (void);
/** Asks a worker for all strategies, waiting.  NULL after a complaint. */
OvCatalog *ov_cli_load_catalog (const OvLauncher *launcher);
/** Looks at a target, waiting.  NULL after a complaint, also when it is refused. */
OvTargetInfo *ov_cli_look_at (const OvLauncher *launcher, const char *target);

/** The experiment called `name`, or in the file `name`.  NULL after a complaint, with the nearest
 *  names. */
OvExperiment *ov_cli_find_experiment (const char *name);

/** Width of a UTF-8 text on a terminal, in columns. */
guint ov_cli_width (const char *text);

G_END_DECLS
