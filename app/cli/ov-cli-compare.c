/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli compare: the lines of one result against each other, or two results line by line.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "base/ov-units.h"
#include "chart/ov-export.h"
#include "chart/ov-theme.h"
#include "cli/ov-cli-grid.h"
#include "cli/ov-cli-output.h"
#include "cli/ov-cli.h"
#include "report/ov-hardware-table.h"
#include "report/ov-machines.h"
#include "report/ov-report.h"
#include "report/ov-result-chart.h"
#include "model/ov-file.h"
#include "report/ov-verdict.h"
#include "report/ov-versus-report.h"

typedef struct
{
  char *metric_text;
  char *base;
  char *chart; /**< file to draw both results into, or NULL */
  char *csv;   /**< files for the lines of both, "-" is standard output; or NULL */
  char *json;
  OvMetric metric;
} Options;

static OvCliGrid *
new_grid (const char *value, const char *x)
{
  g_autofree char *x_title = g_strdup_printf (">%s", x);
  g_autofree char *value_title = g_strdup_printf (">%s", value);
  const char *const titles[] = { _ ("strategy"), x_title, value_title, _ (">n"), _ (">ratio"),
                                 /* xgettext:no-c-format */
                                 _ ("95 % interval"), _ ("remark"), NULL };

  return ov_cli_grid_new (titles);
}

static void
add_row (OvCliGrid *grid, const OvComparison *comparison, OvAxisParameter x)
{
  const OvCell *cell = comparison->cell;
  char *row[7] = { g_strdup (cell->variant),
                   ov_report_format_x (x, cell->x),
                   ov_duration_format (comparison->value),
                   g_strdup_printf ("%u", comparison->n),
                   ov_comparison_format_ratio (comparison),
                   ov_comparison_format_interval (comparison),
                   ov_comparison_format_remark (comparison) };

  ov_cli_grid_add (grid, row);
}

/* ---- One result ----------------------------------------------------------------------------- */

/** Every group of lines that did the same work, against its best line. */
static int
print_contests (const OvResult *result, GPtrArray *cells, const Options *options)
{
  const OvMetric metric = ov_metric_for (cells, options->metric);
  g_autoptr (GPtrArray) contests = ov_contests_new (cells, metric);

  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);
      g_autofree char *heading = ov_contest_format_heading (contest, result);
      g_autofree char *verdict = ov_contest_format_verdict (contest);
      g_autoptr (OvCliGrid) grid
          = new_grid (ov_metric_label (metric), ov_report_x_title (result->x));

      for (guint j = 0; j < contest->comparisons->len; j++)
        add_row (grid, &g_array_index (contest->comparisons, OvComparison, j), result->x);
      printf ("%s%s\n", i > 0 ? "\n" : "", heading);
      ov_cli_grid_print (grid, stdout);
      if (verdict != NULL && contest->first->n_wrong == 0 && options->metric == OV_METRIC_ELAPSED)
        printf ("%s\n", verdict);
      else if (verdict == NULL)
        printf ("%s\n", _ ("No other line did this work: there is nothing to compare it with."));
    }
  if (contests->len == 0)
    printf ("%s\n", _ ("No line has a run that counts: there is nothing to compare."));
  return OV_EXIT_OK;
}

/** Every line against the line that the user named, at the same place. */
static int
print_against (const OvResult *result, GPtrArray *cells, const Options *options)
{
  const OvMetric metric = ov_metric_for (cells, options->metric);
  g_autoptr (OvCliGrid) grid = new_grid (ov_metric_label (metric), ov_report_x_title (result->x));
  gboolean found = FALSE;

  for (guint i = 0; i < cells->len; i++)
    for (guint j = 0; j < cells->len; j++)
      {
        const OvCell *cell = cells->pdata[j];
        const OvCell *base = cells->pdata[i];
        OvComparison comparison;

        if (strcmp (base->variant, options->base) != 0 || cell->x != base->x
            || g_strcmp0 (cell->target, base->target) != 0)
          continue;
        found = TRUE;
        ov_comparison_make (cell, base, metric, TRUE, &comparison);
        add_row (grid, &comparison, result->x);
      }
  if (!found)
    {
      ov_cli_complain (_ ("--base: there is no line \"%s\" in this result"), options->base);
      return OV_EXIT_FAILED;
    }
  ov_cli_grid_print (grid, stdout);
  return OV_EXIT_OK;
}

/* ---- Two results ---------------------------------------------------------------------------- */

static void
print_machine (const char *name, const char *path, const OvResult *result)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *note = ov_report_note (result);

  printf ("%s: %s: %s\n", name, shown, note);
}

/** A table of report's; columns `from` to before `to` stand at the right. */
static void
print_lines (const OvTable *table, guint from, guint to)
{
  const guint n = ov_table_get_n_columns (table);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (OvCliGrid) grid = NULL;

  for (guint c = 0; c < n; c++)
    g_ptr_array_add (titles, g_strdup_printf ("%s%s", c >= from && c < to ? ">" : "",
                                              ov_table_get_header (table, c)));
  g_ptr_array_add (titles, NULL);
  grid = ov_cli_grid_new ((const char *const *)titles->pdata);
  for (guint r = 0; r < ov_table_get_n_rows (table); r++)
    {
      g_autofree char **cells = g_new0 (char *, n);

      for (guint c = 0; c < n; c++)
        cells[c] = g_strdup (ov_table_get_cell (table, r, c));
      ov_cli_grid_add (grid, cells);
    }
  ov_cli_grid_print (grid, stdout);
}

/** What the comparison of times does not say of jobs without a file. */
static void
print_hardware (OvResult **results)
{
  g_autoptr (OvResult) joined = NULL;
  g_autoptr (OvTable) table = NULL;

  if (results[0]->experiment == NULL || (results[0]->experiment->job & OV_HARDWARE_JOBS) == 0)
    return;
  joined = ov_machines_join (results[0], results[1]);
  table = joined != NULL ? ov_hardware_table_new (joined) : NULL;
  if (table != NULL)
    ov_cli_print_data (table, stdout);
}

static gboolean
write_chart (const OvVersus *versus, OvResult **results, const char *path)
{
  g_autoptr (OvResultChart) chart = ov_versus_chart_new (versus, results[0], results[1]);
  g_autoptr (GError) error = NULL;

  if (ov_chart_export (OV_DRAWABLE (ov_result_chart_get_chart (chart)), path, OV_EXPORT_BY_SUFFIX,
                       0, 0, 2, ov_theme_get (OV_THEME_PRINT, 1), &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

/** Takes the text; "-" is standard output. */
static gboolean
write_text (char *text, const char *path)
{
  g_autofree char *owned = text;
  g_autoptr (GError) error = NULL;

  if (strcmp (path, "-") == 0)
    return fputs (owned, stdout) >= 0;
  if (ov_file_save (path, owned, strlen (owned), &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

static void
print_two (char **paths, OvResult **results, const OvVersus *versus)
{
  g_autoptr (OvTable) lines = ov_versus_table_new (versus);
  g_autoptr (OvTable) circumstances = ov_versus_circumstances_new (results[0], results[1]);
  g_autofree char *summary = ov_versus_summary (versus);

  print_machine ("A", paths[0], results[0]);
  print_machine ("B", paths[1], results[1]);
  /* Runs that follow a clock all last as long as they were told to. */
  if (versus->metric != OV_METRIC_ELAPSED || results[0]->experiment == NULL
      || !(results[0]->experiment->job & OV_CLOCKED_JOBS))
    {
      printf ("%s\n\n", ov_metric_label (versus->metric));
      print_lines (lines, 1, ov_table_get_n_columns (lines) - 2);
      printf ("\n%s\n", summary);
    }
  print_hardware (results);
  printf ("\n%s\n", ov_table_get_title (circumstances));
  print_lines (circumstances, 0, 0);
}

static int
compare_two (char **paths, OvResult **results, const Options *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvVersus) versus = ov_versus_new (results[0], results[1], options->metric, &error);

  if (versus == NULL)
    {
      ov_cli_complain ("%s", error->message);
      return OV_EXIT_FAILED;
    }
  if (options->csv == NULL && options->json == NULL)
    print_two (paths, results, versus);
  if ((options->chart != NULL && !write_chart (versus, results, options->chart))
      || (options->csv != NULL && !write_text (ov_versus_to_csv (versus), options->csv))
      || (options->json != NULL
          && !write_text (ov_versus_to_text (versus, results[0], results[1]), options->json)))
    return OV_EXIT_FAILED;
  return OV_EXIT_OK;
}

/* ---- The command ---------------------------------------------------------------------------- */

static int
compare_files (char **paths, int n, const Options *options)
{
  OvResult *results[2] = { NULL, NULL };
  int status = OV_EXIT_OK;

  for (int i = 0; i < n && status == OV_EXIT_OK; i++)
    {
      g_autoptr (GError) error = NULL;

      results[i] = ov_result_load (paths[i], &error);
      if (results[i] == NULL)
        {
          ov_cli_complain ("%s", error->message);
          status = OV_EXIT_FAILED;
        }
    }
  if (status == OV_EXIT_OK && n == 2)
    status = compare_two (paths, results, options);
  else if (status == OV_EXIT_OK)
    {
      g_autoptr (GPtrArray) cells = ov_result_cells (results[0]);

      status = options->base != NULL ? print_against (results[0], cells, options)
                                     : print_contests (results[0], cells, options);
    }
  for (int i = 0; i < 2; i++)
    ov_result_unref (results[i]);
  return status;
}

int
ov_cli_compare (int argc, char **argv)
{
  Options options = { .metric = OV_METRIC_ELAPSED };
  const GOptionEntry entries[]
      = { { "metric", 'm', 0, G_OPTION_ARG_STRING, &options.metric_text,
            N_ ("What is compared: elapsed, cpu or stable (time)"), N_ ("NAME") },
          { "base", 0, 0, G_OPTION_ARG_STRING, &options.base,
            N_ ("Compare with this line instead of the best"), N_ ("LINE") },
          { "chart", 0, 0, G_OPTION_ARG_FILENAME, &options.chart,
            N_ ("Of two results: draw both into one chart, lines named by machine (.svg, .png, "
                ".pdf)"),
            N_ ("FILE") },
          { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options.csv,
            N_ ("Of two results: write the lines as CSV instead; - is standard output"),
            N_ ("FILE") },
          { "json", 0, 0, G_OPTION_ARG_FILENAME, &options.json,
            N_ ("Of two results: write the comparison as JSON instead; - is standard output"),
            N_ ("FILE") },
          { NULL } };
  int status = OV_EXIT_USAGE;

  if (ov_cli_parse (_ ("RESULT.json [RESULT2.json]"),
                    _ ("Compares the lines of a result that did the same work, or two results line "
                       "by line."),
                    entries, &argc, &argv))
    {
      if (argc != 2 && argc != 3)
        ov_cli_complain (_ ("\"compare\" wants one or two result files"));
      else if (options.metric_text != NULL
               && !ov_metric_from_nick (options.metric_text, &options.metric))
        ov_cli_complain (_ ("--metric: \"%s\" is not elapsed, cpu or stable"), options.metric_text);
      else if (argc == 2 && options.chart != NULL)
        ov_cli_complain (_ ("--chart is for two results; \"overlap-cli chart\" draws one"));
      else if (argc == 2 && (options.csv != NULL || options.json != NULL))
        ov_cli_complain (_ ("--csv and --json are for two results"));
      else if (argc == 3 && options.base != NULL)
        ov_cli_complain (_ ("--base is for one result: of two, the first is the base"));
      else
        status = compare_files (argv + 1, argc - 1, &options);
    }
  g_free (options.metric_text);
  g_free (options.base);
  g_free (options.chart);
  g_free (options.csv);
  g_free (options.json);
  return status;
}
