/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli chart: charts and tables of a stored result.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "chart/ov-export.h"
#include "cli/ov-cli-grid.h"
#include "cli/ov-cli-output.h"
#include "cli/ov-cli.h"
#include "model/ov-cell-figure.h"
#include "model/ov-file.h"
#include "report/ov-lanes.h"
#include "report/ov-latency.h"
#include "report/ov-report.h"
#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"
#include "report/ov-trace.h"

typedef enum
{
  KIND_RESULT,
  KIND_TIMELINE,
  KIND_LANES,
  KIND_LATENCY,
  KIND_HEAT,
  N_KINDS,
} Kind;

static const char *const kind_names[N_KINDS] = { "result", "timeline", "lanes", "latency", "heat" };

typedef struct
{
  char *svg;
  char *png;
  char *pdf;
  char *charts;
  char *csv;
  char *trace;
  char *kind_text;
  char *figure_text;
  char *from;
  char *to;
  Kind kind;
  int figure; /* OvFigure, or -1: the experiment's */
  int run;    /* from 1; 0: the one that is best looked at */
  gboolean timeline;
  gboolean table;
  gboolean article;
  gboolean no_article;
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
  g_free (options->trace);
  g_free (options->kind_text);
  g_free (options->figure_text);
  g_free (options->from);
  g_free (options->to);
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
  /* A size that was given is that of the picture; else it is drawn twice as fine. */
  const double scale = options->width != 0 || options->height != 0 ? 1 : 2;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;

      if (files[i].path != NULL
          && !ov_chart_export (drawable, files[i].path, files[i].format, options->width,
                               options->height, scale, ov_theme_get (OV_THEME_PRINT, 1), &error))
        {
          ov_cli_complain ("%s", error->message);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- One run -------------------------------------------------------------------------------- */

/* The run that is meant, or NULL and a complaint. */
static OvRun *
find_run (const OvResult *result, const Options *options)
{
  OvRun *run;

  if (options->run == 0)
    {
      run = ov_lanes_find_run (result);
      if (run == NULL)
        ov_cli_complain (_ ("Nothing ran in this result."));
      return run;
    }
  if (options->run > 0 && (guint)options->run <= result->runs->len)
    return g_ptr_array_index (result->runs, (guint)options->run - 1);
  ov_cli_complain (_ ("--run: the result has runs 1 to %u"), result->runs->len);
  return NULL;
}

/* "12.5ms", "300us", "2s" in nanoseconds. */
static gboolean
parse_time (const char *option, const char *text, gint64 *ns)
{
  static const struct
  {
    const char *suffix;
    double factor;
  } units[] = { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
  char *end;
  double value = g_ascii_strtod (text, &end);

  if (end != text && value >= 0 && value < 1e9)
    for (guint i = 0; i < G_N_ELEMENTS (units); i++)
      if (strcmp (end, units[i].suffix) == 0)
        {
          *ns = (gint64)(value * units[i].factor);
          return TRUE;
        }
  ov_cli_complain (_ ("%s: \"%s\" is no time such as 12.5ms (ns, us, ms or s)"), option, text);
  return FALSE;
}

static OvDrawable *
make_lanes (const OvResult *result, const Options *options)
{
  OvRun *run = find_run (result, options);
  g_autofree char *why = run != NULL ? ov_lanes_why_not (run) : NULL;
  g_autofree char *name = NULL, *note = NULL;
  OvLaneChart *chart;
  gint64 t0, t1;

  if (run == NULL)
    return NULL;
  if (why != NULL)
    {
      ov_cli_complain ("%s", why);
      return NULL;
    }
  chart = ov_lanes_new ();
  ov_lanes_show_run (chart, result->experiment, run);
  name = ov_lanes_run_name (result, run);
  note = ov_report_note (result);
  ov_lane_chart_set_subtitle (chart, name);
  ov_lane_chart_set_note (chart, note);
  ov_lane_chart_get_range (chart, &t0, &t1);
  if ((options->from != NULL && !parse_time ("--from", options->from, &t0))
      || (options->to != NULL && !parse_time ("--to", options->to, &t1)))
    {
      g_object_unref (chart);
      return NULL;
    }
  if (options->from != NULL || options->to != NULL)
    ov_lane_chart_set_range (chart, t0, t1);
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_latency (const OvResult *result, const Options *options)
{
  OvRun *run = find_run (result, options);
  g_autoptr (OvLatency) latency = ov_latency_new ();
  g_autofree char *note = NULL;

  if (run == NULL)
    return NULL;
  ov_latency_show (latency, result, run);
  if (!ov_latency_has_data (latency))
    {
      ov_cli_complain (_ ("No times of requests were recorded: they are with --timing latency or "
                          "timeline, for strategies that show their requests."));
      return NULL;
    }
  note = ov_report_note (result);
  ov_chart_set_note (ov_latency_get_chart (latency), note);
  return OV_DRAWABLE (g_steal_pointer (&latency));
}

static OvDrawable *
make_heat (const OvResult *result, const Options *options)
{
  OvRun *run = find_run (result, options);
  g_autofree OvHeat *heat = g_new (OvHeat, 1);
  g_autofree char *why = run != NULL ? ov_lanes_why_not (run) : NULL;
  g_autofree char *name = NULL, *note = NULL;
  OvHeatChart *chart;

  if (run == NULL)
    return NULL;
  if (!ov_latency_heat_of_log (heat, run))
    {
      ov_cli_complain ("%s", why != NULL ? why : _ ("No request of this run came back."));
      return NULL;
    }
  chart = ov_latency_new_heat ();
  name = ov_lanes_run_name (result, run);
  note = ov_report_note (result);
  ov_latency_show_heat (chart, heat, ov_report_style (result->experiment, run->spec->variant));
  ov_heat_chart_set_subtitle (chart, name);
  ov_heat_chart_set_note (chart, note);
  return OV_DRAWABLE (chart);
}

/* Whether the figure that is asked for was measured; else a complaint that names those that were.
 */
static gboolean
has_figure (const OvResult *result, const Options *options)
{
  const guint there = ov_result_figures (result);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *all = NULL;

  if (options->figure < 0 || (there & 1u << options->figure) != 0)
    return TRUE;
  for (guint f = 0; f < OV_N_FIGURES; f++)
    if ((there & 1u << f) != 0)
      g_ptr_array_add (names, (gpointer)ov_figure_nick ((OvFigure)f));
  g_ptr_array_add (names, NULL);
  all = g_strjoinv (", ", (char **)names->pdata);
  ov_cli_complain (_ ("--figure: \"%s\" was not measured in this result; there are: %s"),
                   options->figure_text, all);
  return FALSE;
}

/* The picture that is asked for, or NULL and a complaint.  The caller owns it. */
static OvDrawable *
make_drawable (const OvResult *result, const Options *options)
{
  g_autoptr (OvResultChart) chart = NULL;
  g_autoptr (OvTimeline) timeline = NULL;

  switch (options->kind)
    {
    case KIND_LANES:
      return make_lanes (result, options);
    case KIND_LATENCY:
      return make_latency (result, options);
    case KIND_HEAT:
      return make_heat (result, options);
    case KIND_TIMELINE:
      timeline = ov_timeline_new_for_result (result);
      return g_object_ref (OV_DRAWABLE (ov_timeline_get_chart (timeline)));
    case KIND_RESULT:
    default:
      if (!has_figure (result, options))
        return NULL;
      chart = ov_result_chart_new_for_figure (
          result, options->figure >= 0 ? (OvFigure)options->figure : result->experiment->figure);
      if (options->article || options->no_article)
        ov_result_chart_set_overlay_visible (chart, options->article);
      return g_object_ref (OV_DRAWABLE (ov_result_chart_get_chart (chart)));
    }
}

static gboolean
write_trace (const OvResult *result, const Options *options)
{
  OvRun *run = options->run != 0 ? find_run (result, options) : NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (options->run != 0 && run == NULL)
    return FALSE;
  text = ov_trace_to_text (result, run, &error);
  if (text != NULL && strcmp (options->trace, "-") == 0)
    return fputs (text, stdout) >= 0;
  if (text != NULL && ov_file_save (options->trace, text, strlen (text), &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

static void
print_drawable (OvDrawable *drawable)
{
  OvTable *table = ov_drawable_get_table (drawable);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autoptr (OvCliGrid) grid = NULL;

  for (guint i = 0; i < ov_table_get_n_columns (table); i++)
    g_ptr_array_add (titles, (gpointer)ov_table_get_header (table, i));
  g_ptr_array_add (titles, NULL);
  grid = ov_cli_grid_new ((const char *const *)titles->pdata);
  for (guint row = 0; row < ov_table_get_n_rows (table); row++)
    {
      g_autofree char **cells = g_new0 (char *, ov_table_get_n_columns (table) + 1);

      for (guint i = 0; i < ov_table_get_n_columns (table); i++)
        cells[i] = g_strdup (ov_table_get_cell (table, row, i));
      ov_cli_grid_add (grid, cells);
    }
  ov_cli_grid_print (grid, stdout);
}

/* ---- All of it ------------------------------------------------------------------------------ */

static int
write_all (const OvResult *result, const Options *options)
{
  gboolean silent = options->svg != NULL || options->png != NULL || options->pdf != NULL
                    || options->charts != NULL || options->csv != NULL || options->trace != NULL;
  gboolean drawn = options->svg != NULL || options->png != NULL || options->pdf != NULL
                   || options->kind > KIND_TIMELINE;
  g_autoptr (OvDrawable) drawable = drawn ? make_drawable (result, options) : NULL;

  if (drawn && (drawable == NULL || !export(drawable, options)))
    return OV_EXIT_FAILED;
  if ((options->charts != NULL && !ov_cli_write_charts (result, options->charts, stdout))
      || (options->csv != NULL && !ov_cli_write_csv (result, options->csv))
      || (options->trace != NULL && !write_trace (result, options)))
    return OV_EXIT_FAILED;
  if (silent && !options->table)
    return OV_EXIT_OK;
  if (options->kind > KIND_TIMELINE)
    print_drawable (drawable);
  else
    return ov_cli_print_table (result, stdout) ? OV_EXIT_OK : OV_EXIT_FAILED;
  return OV_EXIT_OK;
}

static gboolean
parse_kind (Options *options)
{
  options->kind = options->timeline ? KIND_TIMELINE : KIND_RESULT;
  if (options->kind_text == NULL)
    return TRUE;
  for (guint i = 0; i < N_KINDS; i++)
    if (strcmp (options->kind_text, kind_names[i]) == 0)
      {
        options->kind = (Kind)i;
        return TRUE;
      }
  ov_cli_complain (_ ("--kind: \"%s\" is not result, timeline, lanes, latency or heat"),
                   options->kind_text);
  return FALSE;
}

static gboolean
parse_figure (Options *options)
{
  g_autofree char *all = NULL;
  OvFigure figure;

  options->figure = -1;
  if (options->figure_text == NULL)
    return TRUE;
  if (ov_figure_from_nick (options->figure_text, &figure))
    {
      options->figure = (int)figure;
      if (options->kind == KIND_RESULT)
        return TRUE;
      ov_cli_complain (_ ("--figure is for the chart of the kind \"result\""));
      return FALSE;
    }
  all = ov_figure_names ();
  ov_cli_complain (_ ("--figure: \"%s\" is none of %s"), options->figure_text, all);
  return FALSE;
}

int
ov_cli_chart (int argc, char **argv)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "svg", 0, 0, G_OPTION_ARG_FILENAME, &options.svg, N_ ("Write the chart as SVG"),
      N_ ("FILE") },
    { "png", 0, 0, G_OPTION_ARG_FILENAME, &options.png, N_ ("Write the chart as PNG"),
      N_ ("FILE") },
    { "pdf", 0, 0, G_OPTION_ARG_FILENAME, &options.pdf, N_ ("Write the chart as PDF"),
      N_ ("FILE") },
    { "charts", 0, 0, G_OPTION_ARG_FILENAME, &options.charts,
      N_ ("Write every chart as SVG and PNG into a folder"), N_ ("FOLDER") },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options.csv,
      N_ ("Write the runs as CSV; - is standard output"), N_ ("FILE") },
    { "kind", 'k', 0, G_OPTION_ARG_STRING, &options.kind_text,
      N_ ("Which chart: result, timeline (throughput and CPU), lanes (every request of a run), "
          "latency (distribution and percentiles) or heat (latency over time)"),
      N_ ("KIND") },
    { "figure", 'f', 0, G_OPTION_ARG_STRING, &options.figure_text,
      N_ ("What the chart \"result\" shows, if it was measured: elapsed, cpu, throughput, "
          "latency-50, latency-99, parts, lateness, lost, stop, delivered or jitter; else what the "
          "experiment says"),
      N_ ("NAME") },
    { "timeline", 0, 0, G_OPTION_ARG_NONE, &options.timeline, N_ ("The same as --kind timeline"),
      NULL },
    { "run", 'r', 0, G_OPTION_ARG_INT, &options.run,
      N_ ("Which run, in the file's order from 1 on, for charts of one run"), N_ ("N") },
    { "from", 0, 0, G_OPTION_ARG_STRING, &options.from,
      N_ ("Begin of the part of the run that is drawn, such as 12.5ms"), N_ ("TIME") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options.to, N_ ("Its end"), N_ ("TIME") },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &options.trace,
      N_ ("Write the logged requests as Trace Event JSON, for Perfetto; - is standard "
          "output"),
      N_ ("FILE") },
    { "article", 0, 0, G_OPTION_ARG_NONE, &options.article,
      N_ ("With the article's figures, if the experiment has some; lines are there anyway, bars "
          "are not"),
      NULL },
    { "no-article", 0, 0, G_OPTION_ARG_NONE, &options.no_article,
      N_ ("Without the article's figures"), NULL },
    { "table", 0, 0, G_OPTION_ARG_NONE, &options.table, N_ ("Print the table too"), NULL },
    { "width", 0, 0, G_OPTION_ARG_DOUBLE, &options.width, N_ ("Width in pixels"), N_ ("N") },
    { "height", 0, 0, G_OPTION_ARG_DOUBLE, &options.height, N_ ("Height in pixels"), N_ ("N") },
    { NULL }
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (OvResult) result = NULL;
  int status = OV_EXIT_USAGE;

  if (ov_cli_parse (_ ("RESULT.json"), _ ("Draws the charts of a stored result."), entries, &argc,
                    &argv))
    {
      if (argc != 2)
        ov_cli_complain (_ ("\"chart\" wants one result file"));
      else if (!parse_kind (&options) || !parse_figure (&options))
        status = OV_EXIT_USAGE;
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
