/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of overlap-cli run, as typed and as meant.
 */
#pragma once

#include "cli/ov-cli.h"
#include "model/ov-plan.h"

G_BEGIN_DECLS

typedef struct
{
  char **strategies;
  char **targets;
  char **size_texts;
  char **rate_texts;
  double duration; /**< seconds of a run that follows a clock; 0: the experiment's */
  gint64 requests; /**< accesses or blocks; 0: the experiment's */
  char *preset;
  char *block_text;
  char *condition_text;
  char *work_text;
  char *timing_text;
  char *neighbour_text;
  char *positions_text;
  char *durability_text;
  gboolean want_verify;
  gboolean want_no_verify;
  char **option_texts;
  int repeat;
  int depth;
  gboolean no_discard;
  double until_width; /**< per cent; 0: none */
  double until_time;  /**< seconds; 0: none */
  gboolean overlap;
  gboolean profile;
  gboolean quiet;
  gboolean with_logs;
  char *json;
  char *csv;
  char *charts;
  char *profile_csv;
  char *through;
  gboolean virtual_machine; /**< run it in an emulated one */

  GArray *sizes; /**< of guint64 */
  GArray *rates; /**< of guint64, or NULL */
  guint64 block;
  int condition;       /**< OvCondition, or -1 */
  int work;            /**< enum OvWork, or -1 */
  int timing;          /**< enum OvTiming, or -1 */
  int neighbour;       /**< OvNeighbour, or -1 */
  int order;           /**< enum OvOrder, or -1 */
  guint64 stride;      /**< 0: the experiment's */
  int durability;      /**< OvDurability, or -1 */
  GHashTable *options; /**< "strategy:option" or "option" -> text */
} OvRunOptions;

/** Parses; on success argv[1] is the experiment.  FALSE after a complaint. */
gboolean ov_run_options_parse (OvRunOptions *options, int *argc, char ***argv);
void ov_run_options_clear (OvRunOptions *options);
/** What the options choose; borrows from `options`.  Targets are the caller's. */
void ov_run_options_choose (const OvRunOptions *options, OvPlanChoice *choice);

G_END_DECLS
