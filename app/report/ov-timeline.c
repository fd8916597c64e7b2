// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvTimeline: two panels, throughput above CPU. At most one span is open: runs do not overlap.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-report.h"
#include "report/ov-timeline.h"

enum
{
  PANEL_THROUGHPUT,
  PANEL_CPU,
};

/* Two blues for what the run takes, grey for all others. */
enum
{
  STYLE_USER = 0,
  STYLE_SYSTEM = 6,
  STYLE_REST = 4,
};

struct _OvTimeline
{
  OvExperiment *experiment;
  OvTimeChart *chart;
  int open_span;     /* -1: none */
  guint open_run;    /* index in the plan of the open span's run */
  double rest;       /* the last one known */
  gint64 sampled_ns; /* time of the last sample */
};

OvTimeline *
ov_timeline_new (OvExperiment *experiment)
{
  OvTimeline *self = g_new0 (OvTimeline, 1);
  const gboolean hardware = (experiment->job & OV_HARDWARE_JOBS) != 0;
  const char *title = experiment->job == OV_JOB_PORT      ? _ ("Accesses a second")
                      : experiment->job == OV_JOB_TICKS   ? _ ("Events a second")
                      : experiment->job == OV_JOB_SAMPLES ? _ ("Samples a second")
                                                          : _ ("Throughput");
  g_autoptr (OvAxis) rate = ov_axis_new (OV_AXIS_LINEAR, hardware ? OV_UNIT_HERTZ : OV_UNIT_RATE);
  g_autoptr (OvAxis) cpu = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_PERCENT);

  self->experiment = ov_experiment_ref (experiment);
  self->chart = ov_time_chart_new ();
  self->open_span = -1;
  ov_axis_set_title (rate, hardware ? title : _ ("throughput"));
  ov_axis_set_title (cpu, _ ("CPU"));
  ov_time_chart_add_panel (self->chart, title, NULL, rate, 1.3);
  ov_time_chart_add_panel (self->chart, _ ("CPU"), _ ("one core is 100"), cpu, 1.0);
  ov_time_chart_add_trace (self->chart, PANEL_THROUGHPUT, OV_TRACE_BY_SPAN, title, 0);
  ov_time_chart_add_trace (self->chart, PANEL_CPU, OV_TRACE_STACKED, _ ("user"), STYLE_USER);
  ov_time_chart_add_trace (self->chart, PANEL_CPU, OV_TRACE_STACKED, _ ("system"), STYLE_SYSTEM);
  ov_time_chart_add_trace (self->chart, PANEL_CPU, OV_TRACE_STACKED, _ ("rest of the machine"),
                           STYLE_REST);
  return self;
}

void
ov_timeline_free (OvTimeline *self)
{
  if (self == NULL)
    return;
  ov_experiment_unref (self->experiment);
  g_object_unref (self->chart);
  g_free (self);
}

OvTimeChart *
ov_timeline_get_chart (OvTimeline *self)
{
  return self->chart;
}

void
ov_timeline_begin_run (OvTimeline *self, const OvRun *run)
{
  if (run->started_ns < 0)
    return;
  self->open_span
      = (int)ov_time_chart_add_span (self->chart, run->started_ns, -1, run->spec->variant,
                                     ov_report_style (self->experiment, run->spec->variant));
  self->open_run = run->spec->index;
}

/* A step of the CPU traces. */
static void
add_cpu (OvTimeline *self, gint64 t_ns, double user, double system, double rest)
{
  ov_time_chart_append (self->chart, PANEL_CPU, 0, t_ns, user * 100);
  ov_time_chart_append (self->chart, PANEL_CPU, 1, t_ns, system * 100);
  ov_time_chart_append (self->chart, PANEL_CPU, 2, t_ns, rest * 100);
  self->sampled_ns = t_ns;
}

/* A run in which no sample was taken: a block of its mean. The exact time of the whole is divided
 * as the ticks of user and system say, which for so short a run is a rough guess. */
static void
add_cpu_block (OvTimeline *self, const OvRun *run)
{
  gint64 ticks = MAX (run->user_ns, 0) + MAX (run->system_ns, 0);
  double share = ticks > 0 ? (double)MAX (run->user_ns, 0) / (double)ticks : 0.5;
  double cores;

  if (run->elapsed_ns <= 0 || run->cpu_ns < 0)
    return;
  cores = (double)run->cpu_ns / (double)run->elapsed_ns;
  add_cpu (self, run->started_ns, 0, 0, self->rest);
  add_cpu (self, run->started_ns, cores * share, cores * (1 - share), self->rest);
  add_cpu (self, run->started_ns + run->elapsed_ns, cores * share, cores * (1 - share), self->rest);
  add_cpu (self, run->started_ns + run->elapsed_ns, 0, 0, self->rest);
}

void
ov_timeline_end_run (OvTimeline *self, const OvRun *run)
{
  double rate = run->spec->job & OV_HARDWARE_JOBS ? ov_run_per_second (run) : ov_run_rate (run);
  guint span;

  if (run->started_ns < 0)
    return;
  if (self->open_span < 0 || self->open_run != run->spec->index)
    ov_timeline_begin_run (self, run);
  span = (guint)self->open_span;
  self->open_span = -1;
  ov_time_chart_set_span_end (self->chart, span, run->started_ns + MAX (run->elapsed_ns, 0));
  if (isfinite (rate))
    ov_time_chart_set_span_mean (self->chart, span, PANEL_THROUGHPUT, rate);
  if (self->sampled_ns <= run->started_ns)
    add_cpu_block (self, run);
  ov_time_chart_set_span_partial (self->chart, span, run->state != OV_STATE_DONE);
}

void
ov_timeline_sample (OvTimeline *self, gint64 t_ns, double throughput, double user, double system,
                    double rest)
{
  /* Between two runs there is no child that could use a core. */
  if (!isfinite (user) || !isfinite (system))
    user = system = 0;
  if (isfinite (rest))
    self->rest = rest;
  ov_time_chart_append (self->chart, PANEL_THROUGHPUT, 0, t_ns, throughput);
  add_cpu (self, t_ns, user, system, self->rest);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const OvRun *x = *(const OvRun *const *)a;
  const OvRun *y = *(const OvRun *const *)b;

  return (x->started_ns > y->started_ns) - (x->started_ns < y->started_ns);
}

OvTimeline *
ov_timeline_new_for_result (const OvResult *result)
{
  OvTimeline *self = ov_timeline_new (result->experiment);
  g_autofree char *note = ov_report_note (result);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  gint64 end = 0;

  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->started_ns >= 0 && run->elapsed_ns >= 0)
        g_ptr_array_add (runs, (gpointer)run);
    }
  g_ptr_array_sort (runs, compare_starts);
  for (guint i = 0; i < runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (runs, i);

      /* Runs of two sessions may overlap; the later one is left out of the recording. */
      if (run->started_ns < end)
        continue;
      ov_timeline_end_run (self, run);
      end = run->started_ns + run->elapsed_ns;
    }
  ov_time_chart_set_title (self->chart, result->experiment->job & OV_HARDWARE_JOBS
                                            ? _ ("What was done each second, and CPU")
                                            : _ ("Throughput and CPU"));
  ov_time_chart_set_now (self->chart, end);
  ov_time_chart_set_note (self->chart, note);
  ov_time_chart_flush (self->chart);
  return self;
}
