/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/ov-cli-run-options.h"

#include <string.h>

#include <glib/gi18n.h>

#include "base/ov-units.h"

/* Repetitions at most where they go on until something, unless told. */
#define UNTIL_AT_MOST 1000

/** Splits every element at its commas: "--strategy a,b --strategy c".  Takes and gives a strv. */
static char **
split_commas (char **texts)
{
  g_autofree char *joined = texts != NULL ? g_strjoinv (",", texts) : NULL;

  g_strfreev (texts);
  /* Of an empty text g_strsplit() makes no element at all; who reads it shall complain. */
  if (joined != NULL && joined[0] == '\0')
    return g_strdupv ((char *[]){ (char *)"", NULL });
  return joined != NULL ? g_strsplit (joined, ",", -1) : NULL;
}

/** Standard output by another name: a file beside it cannot be made and renamed. */
static void
use_dash (char **path)
{
  static const char *const names[] = { "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", NULL };

  if (*path == NULL || !g_strv_contains (names, *path))
    return;
  g_free (*path);
  *path = g_strdup ("-");
}

/** The same for names of lines, which may hold a comma and a blank: "posix.read, direct" is one. */
static char **
split_names (char **texts)
{
  GPtrArray *names = g_ptr_array_new ();
  g_auto (GStrv) pieces = split_commas (texts);

  for (guint i = 0; pieces != NULL && pieces[i] != NULL; i++)
    {
      if (pieces[i][0] == ' ' && names->len > 0)
        {
          g_autofree char *before = g_ptr_array_steal_index (names, names->len - 1);

          g_ptr_array_add (names, g_strconcat (before, ",", pieces[i], NULL));
        }
      else
        g_ptr_array_add (names, g_strdup (pieces[i]));
    }
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (names, pieces == NULL);
}

static gboolean
parse_sizes (OvRunOptions *options)
{
  char **texts = options->size_texts;

  if (texts == NULL)
    return TRUE;
  options->sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 size;

      if (!ov_size_parse (texts[i], &size, &error))
        {
          ov_cli_complain ("--size: %s", error->message);
          return FALSE;
        }
      g_array_append_val (options->sizes, size);
    }
  return TRUE;
}

/* "1000", "3k", "1M": powers of 1000, for these are no bytes. */
static gboolean
parse_rate (const char *text, guint64 *rate)
{
  char *end;
  double value = g_ascii_strtod (text, &end);

  if (*end == 'k' || *end == 'K')
    value *= 1e3, end++;
  else if (*end == 'M')
    value *= 1e6, end++;
  if (g_str_equal (end, "Hz"))
    end += 2;
  if (*end != '\0' || end == text || !(value >= 1) || value > OV_RATE_MAX)
    return FALSE;
  *rate = (guint64)value;
  return TRUE;
}

static gboolean
parse_rates (OvRunOptions *options)
{
  for (guint i = 0; options->rate_texts != NULL && options->rate_texts[i] != NULL; i++)
    {
      guint64 rate;

      if (!parse_rate (options->rate_texts[i], &rate))
        {
          ov_cli_complain (_ ("--rate: \"%s\" is no rate from 1 Hz to 100 MHz, such as 500 or 3k"),
                           options->rate_texts[i]);
          return FALSE;
        }
      if (options->rates == NULL)
        options->rates = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_array_append_val (options->rates, rate);
    }
  if (!(options->duration >= 0 && options->duration <= 3600))
    ov_cli_complain (_ ("--duration: a thousandth of a second to an hour"));
  else if (options->requests < 0 || options->requests > (gint64)OV_REQUESTS_MAX)
    ov_cli_complain (_ ("--requests: from 1 on"));
  else
    return TRUE;
  return FALSE;
}

static gboolean
parse_block (OvRunOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (options->block_text == NULL)
    return TRUE;
  if (!ov_size_parse (options->block_text, &options->block, &error))
    ov_cli_complain ("--block: %s", error->message);
  else if (options->block == 0)
    ov_cli_complain (_ ("--block: a block needs at least one byte"));
  else
    return TRUE;
  return FALSE;
}

static gboolean
parse_condition (OvRunOptions *options)
{
  OvCondition condition;

  options->condition = -1;
  if (options->condition_text == NULL)
    return TRUE;
  if (!ov_condition_from_nick (options->condition_text, &condition))
    {
      ov_cli_complain (_ ("--condition: \"%s\" is not warm, cold or bypassed"),
                       options->condition_text);
      return FALSE;
    }
  options->condition = (int)condition;
  return TRUE;
}

static gboolean
parse_work_and_timing (OvRunOptions *options)
{
  guint value;

  options->work = options->timing = -1;
  if (options->work_text != NULL)
    {
      if (!ov_work_from_nick (options->work_text, &value))
        {
          ov_cli_complain (_ ("--work: \"%s\" is not none, plain, fast, crc32c, sha256 or slow"),
                           options->work_text);
          return FALSE;
        }
      options->work = (int)value;
    }
  if (options->timing_text != NULL)
    {
      if (!ov_timing_from_nick (options->timing_text, &value))
        {
          ov_cli_complain (_ ("--timing: \"%s\" is not counters, latency or timeline"),
                           options->timing_text);
          return FALSE;
        }
      options->timing = (int)value;
    }
  return TRUE;
}

static gboolean
parse_positions (OvRunOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = NULL;
  guint order;

  options->order = -1;
  if (options->positions_text == NULL)
    return TRUE;
  parts = g_strsplit (options->positions_text, ":", 2);
  if (parts[0] == NULL || !ov_order_from_nick (parts[0], &order)
      || (parts[1] != NULL && order != OV_ORDER_STRIDED))
    {
      ov_cli_complain (
          _ ("--positions: \"%s\" is not sequential, random, backward, strided or strided:SIZE"),
          options->positions_text);
      return FALSE;
    }
  if (parts[1] != NULL && !ov_size_parse (parts[1], &options->stride, &error))
    {
      ov_cli_complain ("--positions: %s", error->message);
      return FALSE;
    }
  options->order = (int)order;
  return TRUE;
}

static gboolean
parse_neighbour (OvRunOptions *options)
{
  OvNeighbour neighbour;

  options->neighbour = -1;
  if (options->neighbour_text == NULL)
    return TRUE;
  if (!ov_neighbour_from_nick (options->neighbour_text, &neighbour))
    {
      ov_cli_complain (_ ("--neighbour: \"%s\" is not none, free or shared"),
                       options->neighbour_text);
      return FALSE;
    }
  options->neighbour = (int)neighbour;
  return TRUE;
}

static gboolean
parse_durability (OvRunOptions *options)
{
  OvDurability durability;

  options->durability = -1;
  if (options->want_verify && options->want_no_verify)
    {
      ov_cli_complain (_ ("--verify and --no-verify contradict each other"));
      return FALSE;
    }
  if (options->durability_text == NULL)
    return TRUE;
  if (!ov_durability_from_nick (options->durability_text, &durability))
    {
      ov_cli_complain (_ ("--durability: \"%s\" is not none, fdatasync or dsync"),
                       options->durability_text);
      return FALSE;
    }
  options->durability = (int)durability;
  return TRUE;
}

static gboolean
parse_strategy_options (OvRunOptions *options)
{
  options->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; options->option_texts != NULL && options->option_texts[i] != NULL; i++)
    {
      const char *text = options->option_texts[i];
      const char *equals = strchr (text, '=');

      if (equals == NULL || equals == text)
        {
          ov_cli_complain (_ ("--option: \"%s\" is not of the form NAME=VALUE"), text);
          return FALSE;
        }
      g_hash_table_replace (options->options, g_strndup (text, (gsize)(equals - text)),
                            g_strdup (equals + 1));
    }
  return TRUE;
}

/* What an option has that was not given. */
#define NOT_GIVEN G_MININT

/* Two outputs of one name: the later would be written over the earlier, or into its middle. */
static const char *
find_twice (const OvRunOptions *options)
{
  const char *const files[] = { options->json, options->csv, options->profile_csv };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (guint k = 0; k < i; k++)
      if (files[i] != NULL && g_strcmp0 (files[i], files[k]) == 0)
        return files[i];
  return NULL;
}

static gboolean
check_numbers (OvRunOptions *options)
{
  if (options->repeat != NOT_GIVEN && (options->repeat < 1 || options->repeat > 10000))
    ov_cli_complain (_ ("--repeat: 1 to 10000 repetitions, not %d"), options->repeat);
  else if (!(options->until_width >= 0 && options->until_width <= 1000))
    ov_cli_complain (_ ("--until-width: 0 to 1000 %%, not %g"), options->until_width);
  else if (!(options->until_time >= 0 && options->until_time <= 1e6))
    ov_cli_complain (_ ("--until-time: 0 to 1000000 seconds, not %g"), options->until_time);
  else if (options->depth != NOT_GIVEN && (options->depth < 1 || options->depth > 256))
    ov_cli_complain (_ ("--depth: 1 to 256 buffers, not %d"), options->depth);
  else if (options->virtual_machine && (options->through != NULL || options->targets != NULL))
    ov_cli_complain (_ ("--virtual chooses the machine: it goes without --through and --target"));
  else if (g_strcmp0 (find_twice (options), "-") == 0)
    ov_cli_complain (_ ("Only one of --json, --csv and --profile-csv can go to standard output"));
  else if (find_twice (options) != NULL)
    ov_cli_complain (_ ("%s: only one of --json, --csv and --profile-csv can be written there"),
                     find_twice (options));
  else if (options->targets != NULL && g_strv_contains ((const char *const *)options->targets, ""))
    ov_cli_complain (_ ("--target: a folder, a file or a simulated disk, not nothing"));
  else
    {
      /* 0 is the experiment's own number. */
      options->repeat = MAX (options->repeat, 0);
      options->depth = MAX (options->depth, 0);
      return TRUE;
    }
  return FALSE;
}

gboolean
ov_run_options_parse (OvRunOptions *self, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "strategy", 's', 0, G_OPTION_ARG_STRING_ARRAY, &self->strategies,
      N_ ("Only these strategies or lines; may be repeated or joined by commas"), N_ ("NAME") },
    { "target", 't', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->targets,
      N_ ("Folder for scratch files, an existing file, which is only read, or a simulated disk; "
          "may be repeated"),
      N_ ("FOLDER|FILE|simulated:DISK") },
    { "size", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->size_texts,
      N_ ("Sizes instead of the experiment's: 1000K,64M,1G (powers of 1024); may be repeated"),
      N_ ("SIZES") },
    { "preset", 'p', 0, G_OPTION_ARG_STRING, &self->preset,
      N_ ("One of the experiment's presets, such as \"today\""), N_ ("NAME") },
    { "repeat", 'n', 0, G_OPTION_ARG_INT, &self->repeat,
      N_ ("Repetitions; from six on there are intervals"), N_ ("N") },
    { "until-width", 0, 0, G_OPTION_ARG_DOUBLE, &self->until_width,
      N_ ("Repeat until every interval is at most this wide, in per cent of the median"),
      N_ ("N") },
    { "until-time", 0, 0, G_OPTION_ARG_DOUBLE, &self->until_time,
      N_ ("Repeat until so many seconds are over"), N_ ("SECONDS") },
    { "block", 'b', 0, G_OPTION_ARG_STRING, &self->block_text, N_ ("Bytes of one call"),
      N_ ("SIZE") },
    { "depth", 'd', 0, G_OPTION_ARG_INT, &self->depth, N_ ("Buffers, or requests in flight"),
      N_ ("N") },
    { "requests", 0, 0, G_OPTION_ARG_INT64, &self->requests,
      N_ ("How many accesses or blocks a run makes"), N_ ("N") },
    { "rate", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->rate_texts,
      N_ ("Events or samples a second instead of the experiment's: 500,3k,1M (powers of 1000); may "
          "be repeated"),
      N_ ("RATES") },
    { "duration", 0, 0, G_OPTION_ARG_DOUBLE, &self->duration,
      N_ ("How long a run that follows a clock lasts"), N_ ("SECONDS") },
    { "condition", 'c', 0, G_OPTION_ARG_STRING, &self->condition_text,
      N_ ("State of the page cache: warm, cold or bypassed"), N_ ("NAME") },
    { "work", 'w', 0, G_OPTION_ARG_STRING, &self->work_text,
      N_ ("Work for each byte: none, plain, fast, crc32c, sha256 or slow"), N_ ("NAME") },
    { "timing", 0, 0, G_OPTION_ARG_STRING, &self->timing_text,
      N_ ("What is recorded of requests: counters, latency or timeline"), N_ ("NAME") },
    { "positions", 0, 0, G_OPTION_ARG_STRING, &self->positions_text,
      N_ ("Where the next block lies, for jobs that read: sequential, random (by the experiment's "
          "seed), backward, or strided:SIZE (one in each SIZE, then those behind them)"),
      N_ ("NAME") },
    { "neighbour", 0, 0, G_OPTION_ARG_STRING, &self->neighbour_text,
      N_ ("Another program beside each run, to see what it loses: none, free or shared (on the "
          "strategy's processor)"),
      N_ ("NAME") },
    { "durability", 0, 0, G_OPTION_ARG_STRING, &self->durability_text,
      N_ ("When bytes written must be on stable storage: none, fdatasync or dsync"), N_ ("NAME") },
    { "verify", 0, 0, G_OPTION_ARG_NONE, &self->want_verify,
      N_ ("Read back and compare what was written"), NULL },
    { "no-verify", 0, 0, G_OPTION_ARG_NONE, &self->want_no_verify,
      N_ ("Do not, whatever the experiment says"), NULL },
    { "profile", 0, 0, G_OPTION_ARG_NONE, &self->profile,
      N_ ("Sample where the CPU time goes, by symbol, 997 times a second of it; what that costs "
          "here "
          "tells self-cost"),
      NULL },
    { "profile-csv", 0, 0, G_OPTION_ARG_FILENAME, &self->profile_csv,
      N_ ("Write a row for each symbol of each profile; - is standard output"), N_ ("FILE") },
    { "option", 'o', 0, G_OPTION_ARG_STRING_ARRAY, &self->option_texts,
      N_ ("An option of a strategy; see list --strategies --verbose"),
      N_ ("[STRATEGY:]NAME=VALUE") },
    { "overlap", 0, 0, G_OPTION_ARG_NONE, &self->overlap,
      N_ ("Also run what tells how far I/O and computing overlap: both alone"), NULL },
    { "no-discard", 0, 0, G_OPTION_ARG_NONE, &self->no_discard,
      N_ ("Leave out the discarded pass before each run (figures are worse)"), NULL },
    { "json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
      N_ ("Write the result; - is standard output"), N_ ("FILE") },
    { "with-logs", 0, 0, G_OPTION_ARG_NONE, &self->with_logs,
      N_ ("Put the request logs into the result, as --timing timeline does"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
      N_ ("Write a row for each run; - is standard output"), N_ ("FILE") },
    { "charts", 0, 0, G_OPTION_ARG_FILENAME, &self->charts,
      N_ ("Write every chart as SVG and PNG into a folder"), N_ ("FOLDER") },
    { "through", 0, 0, G_OPTION_ARG_STRING, &self->through,
      N_ ("Start the worker through a command, such as \"ssh HOST\""), N_ ("COMMAND") },
    { "virtual", 0, 0, G_OPTION_ARG_NONE, &self->virtual_machine,
      N_ ("Experiments with hardware: run it in an emulated machine, which has it; tells ratios "
          "only"),
      NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, N_ ("No progress"), NULL },
    { NULL }
  };

  memset (self, 0, sizeof *self);
  self->condition = self->work = self->timing = self->neighbour = self->durability = -1;
  self->order = -1;
  self->repeat = self->depth = NOT_GIVEN;
  if (!ov_cli_parse (_ ("EXPERIMENT|FILE.json"),
                     _ ("Runs an experiment. Ctrl-C stops it and keeps what was measured; a second "
                        "Ctrl-C forces."),
                     entries, argc, argv))
    return FALSE;
  if (*argc != 2)
    {
      ov_cli_complain (*argc < 2 ? _ ("\"run\" wants the name of an experiment; \"overlap-cli "
                                      "list\" names them all")
                                 : _ ("\"run\" wants one experiment only"));
      return FALSE;
    }
  self->strategies = split_names (self->strategies);
  use_dash (&self->json);
  use_dash (&self->csv);
  use_dash (&self->profile_csv);
  self->size_texts = split_commas (self->size_texts);
  self->rate_texts = split_commas (self->rate_texts);
  return parse_sizes (self) && parse_rates (self) && parse_block (self) && parse_condition (self)
         && parse_work_and_timing (self) && parse_neighbour (self) && parse_durability (self)
         && parse_positions (self) && parse_strategy_options (self) && check_numbers (self);
}

void
ov_run_options_clear (OvRunOptions *self)
{
  g_strfreev (self->strategies);
  g_strfreev (self->targets);
  g_strfreev (self->option_texts);
  g_strfreev (self->size_texts);
  g_strfreev (self->rate_texts);
  g_clear_pointer (&self->rates, g_array_unref);
  g_free (self->preset);
  g_free (self->block_text);
  g_free (self->condition_text);
  g_free (self->work_text);
  g_free (self->timing_text);
  g_free (self->neighbour_text);
  g_free (self->positions_text);
  g_free (self->durability_text);
  g_free (self->json);
  g_free (self->csv);
  g_free (self->charts);
  g_free (self->profile_csv);
  g_free (self->through);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_clear_pointer (&self->options, g_hash_table_unref);
}

void
ov_run_options_choose (const OvRunOptions *self, OvPlanChoice *choice)
{
  ov_plan_choice_init (choice);
  choice->preset = self->preset;
  choice->strategies = (const char *const *)self->strategies;
  if (self->sizes != NULL)
    {
      choice->sizes = (const guint64 *)(gpointer)self->sizes->data;
      choice->n_sizes = self->sizes->len;
    }
  if (self->rates != NULL)
    {
      choice->rates = (const guint64 *)(gpointer)self->rates->data;
      choice->n_rates = self->rates->len;
    }
  choice->duration = self->duration;
  choice->requests = (guint64)self->requests;
  choice->repetitions = (guint)self->repeat;
  if (self->repeat == 0 && (self->until_width > 0 || self->until_time > 0))
    choice->repetitions = UNTIL_AT_MOST;
  choice->block = self->block;
  choice->depth = (guint)self->depth;
  choice->condition = self->condition;
  choice->work = self->work;
  choice->timing = self->timing;
  choice->neighbour = self->neighbour;
  choice->order = self->order;
  choice->stride = self->stride;
  choice->durability = self->durability;
  choice->verify = self->want_verify ? 1 : self->want_no_verify ? 0 : -1;
  choice->profile = self->profile || self->profile_csv != NULL ? 1 : -1;
  choice->no_discard = self->no_discard;
  choice->overlap = self->overlap;
  choice->options = self->options;
}
