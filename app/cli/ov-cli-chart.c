/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli chart: charts and tables of a stored result.
 */
#include "config.h"

#include <stdio.h>

#include <glib/gi18n.h>

#include "chart/ov-export.h"
#include "cli/ov-cli-output.h"
#include "cli/ov-cli.h"
#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"

typedef struct
{
  char *svg;
  char *png;
  char *pdf;
  char *charts;
  char *csv;
  gboolean timeline;
  gboolean table;
  double width;
  double height;
} Options;

static void
clear_options (Options *options)
{
  g_free (options->svg);
  g_free (options->png);
  g_free (options->pdf);
  g_free (options->charts);
  g_free (options->csv);
}

static gboolean export(OvDrawable *drawable, const Options *options)
{
  const struct
  {
    const char *path;
    OvExportFormat format;
  } files[] = { { options->svg, OV_EXPORT_SVG },
                { options->png, OV_EXPORT_PNG },
                { options->pdf, OV_EXPORT_PDF } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;

      if (files[i].path != NULL
          && !ov_chart_export (drawable, files[i].path, files[i].format, options->width,
                               options->height, 2, ov_theme_get (OV_THEME_PRINT, 1), &error))
        {
          ov_cli_complain ("%s", error->message);
          return FALSE;
        }
    }
  return TRUE;
}

static int
write_all (const OvResult *result, const Options *options)
{
  g_autoptr (OvResultChart) chart = ov_result_chart_new_for_result (result);
  g_autoptr (OvTimeline) timeline = ov_timeline_new_for_result (result);
  OvDrawable *drawable = options->timeline ? OV_DRAWABLE (ov_timeline_get_chart (timeline))
                                           : OV_DRAWABLE (ov_result_chart_get_chart (chart));

  if (!export(drawable, options)
      || (options->charts != NULL && !ov_cli_write_charts (result, options->charts, stdout))
      || (options->csv != NULL && !ov_cli_write_csv (result, options->csv)))
    return OV_EXIT_FAILED;
  if (options->table
      || (options->svg == NULL && options->png == NULL && options->pdf == NULL
          && options->charts == NULL && options->csv == NULL))
    ov_cli_print_table (result, stdout);
  return OV_EXIT_OK;
}

int
ov_cli_chart (int argc, char **argv)
{
  Options options = { 0 };
  const GOptionEntry entries[]
      = { { "svg", 0, 0, G_OPTION_ARG_FILENAME, &options.svg, N_ ("Write the chart as SVG"),
            N_ ("FILE") },
          { "png", 0, 0, G_OPTION_ARG_FILENAME, &options.png, N_ ("Write the chart as PNG"),
            N_ ("FILE") },
          { "pdf", 0, 0, G_OPTION_ARG_FILENAME, &options.pdf, N_ ("Write the chart as PDF"),
            N_ ("FILE") },
          { "charts", 0, 0, G_OPTION_ARG_FILENAME, &options.charts,
            N_ ("Write every chart as SVG and PNG into a folder"), N_ ("FOLDER") },
          { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options.csv,
            N_ ("Write the runs as CSV; - is standard output"), N_ ("FILE") },
          { "timeline", 0, 0, G_OPTION_ARG_NONE, &options.timeline,
            N_ ("Take the chart over time instead of the chart of the results"), NULL },
          { "table", 0, 0, G_OPTION_ARG_NONE, &options.table, N_ ("Print the table too"), NULL },
          { "width", 0, 0, G_OPTION_ARG_DOUBLE, &options.width, N_ ("Width in pixels"), N_ ("N") },
          { "height", 0, 0, G_OPTION_ARG_DOUBLE, &options.height, N_ ("Height in pixels"),
            N_ ("N") },
          { NULL } };
  g_autoptr (GError) error = NULL;
  g_autoptr (OvResult) result = NULL;
  int status = OV_EXIT_USAGE;

  if (ov_cli_parse (_ ("RESULT.json"), _ ("Draws the charts of a stored result."), entries, &argc,
                    &argv))
    {
      if (argc != 2)
        ov_cli_complain (_ ("\"chart\" wants one result file"));
      else if ((result = ov_result_load (argv[1], &error)) == NULL)
        {
          ov_cli_complain ("%s", error->message);
          status = OV_EXIT_FAILED;
        }
      else
        status = write_all (result, &options);
    }
  clear_options (&options);
  return status;
}
