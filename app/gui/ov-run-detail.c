// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunDetail: `stale` says that the chart shows an earlier run. While `making` is there, a thread
 * makes the lanes of `run`, and the chart has none.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/ov-lanes.h"
#include "report/ov-report.h"

#include "gui/ov-background.h"
#include "gui/ov-run-detail.h"

/* Requests of a run that goes on: what the lanes can show of so short a time. */
#define LIVE_KEPT    400
#define HEAT_STEP_NS 50000000
#define HEAT_US      250000
/* Lanes of fewer requests are made sooner than a thread is started and heard of. */
#define FEW_REQUESTS 5000

struct _OvRunDetail
{
  GObject parent_instance;

  OvResult *result;
  OvRun *run;
  OvRunDetailWay way;
  OvLaneChart *lanes;
  OvLatency *latency;
  OvHeatChart *heat_chart;
  OvHeat *heat;
  OvRun *heat_run;                   /* of which `heat` was made; compared only */
  guint64 heat_rows[OV_HEAT_N_ROWS]; /* totals that `heat` has already */
  gboolean live;
  GArray *requests; /* of OvRequest: the newest of the run that goes on, */
  guint64 first;    /* of which so many came before */
  gint64 heat_shown_us;
  gboolean stale[OV_RUN_DETAIL_N_WAYS];
  GCancellable *making;
};

G_DEFINE_FINAL_TYPE (OvRunDetail, ov_run_detail, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  SIGNAL_LIVE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
stop_making (OvRunDetail *self)
{
  if (self->making != NULL)
    g_cancellable_cancel (self->making);
  g_clear_object (&self->making);
}

static void
ov_run_detail_finalize (GObject *object)
{
  OvRunDetail *self = OV_RUN_DETAIL (object);

  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->run, ov_run_unref);
  g_object_unref (self->lanes);
  g_object_unref (self->latency);
  g_object_unref (self->heat_chart);
  g_free (self->heat);
  g_array_unref (self->requests);
  G_OBJECT_CLASS (ov_run_detail_parent_class)->finalize (object);
}

static void
ov_run_detail_class_init (OvRunDetailClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_run_detail_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", OV_TYPE_RUN_DETAIL, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_LIVE] = g_signal_new ("live", OV_TYPE_RUN_DETAIL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 0);
}

static void
ov_run_detail_init (OvRunDetail *self)
{
  self->lanes = ov_lanes_new ();
  self->latency = ov_latency_new ();
  self->heat_chart = ov_latency_new_heat ();
  self->heat = g_new (OvHeat, 1);
  ov_heat_init (self->heat, 1);
  self->requests = g_array_new (FALSE, FALSE, sizeof (OvRequest));
}

OvRunDetail *
ov_run_detail_new (void)
{
  return g_object_new (OV_TYPE_RUN_DETAIL, NULL);
}

void
ov_run_detail_set_run (OvRunDetail *self, OvResult *result, OvRun *run)
{
  g_return_if_fail (OV_IS_RUN_DETAIL (self));

  if (result != NULL)
    ov_result_ref (result);
  if (run != NULL)
    ov_run_ref (run);
  stop_making (self);
  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->run, ov_run_unref);
  self->result = result;
  self->run = run;
  self->live = FALSE;
  g_array_set_size (self->requests, 0);
  for (guint i = 0; i < OV_RUN_DETAIL_N_WAYS; i++)
    self->stale[i] = TRUE;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Puts what came behind what is there, or in place of it where it came again. */
static void
keep_requests (OvRunDetail *self, const OvLiveRequests *live)
{
  guint64 end = self->first + self->requests->len;

  if (live->first < self->first || live->first > end)
    {
      g_array_set_size (self->requests, 0); /* some were left out: what is shown has no gap */
      self->first = live->first;
    }
  g_array_set_size (self->requests, (guint)(live->first - self->first));
  g_array_append_vals (self->requests, live->requests->data, live->requests->len);
  if (self->requests->len > LIVE_KEPT)
    {
      guint n = self->requests->len - LIVE_KEPT;

      g_array_remove_range (self->requests, 0, n);
      self->first += n;
    }
}

void
ov_run_detail_take_live (OvRunDetail *self, OvResult *result, OvRun *run,
                         const OvLiveRequests *live)
{
  g_return_if_fail (OV_IS_RUN_DETAIL (self) && result != NULL && run != NULL);

  if (!self->live || self->run != run)
    {
      ov_run_detail_set_run (self, result, run);
      self->live = TRUE;
      ov_heat_init (self->heat, HEAT_STEP_NS);
      memset (self->heat_rows, 0, sizeof self->heat_rows);
      self->heat_run = run;
    }
  if (live->requests != NULL && live->requests->len > 0)
    keep_requests (self, live);
  if (live->latency != NULL)
    ov_heat_add_difference (self->heat, live->run_ns, self->heat_rows, live->latency);
  g_signal_emit (self, signals[SIGNAL_LIVE], 0);
}

static int
run_style (OvRunDetail *self)
{
  return ov_report_style (self->result->experiment, self->run->spec->variant);
}

void
ov_run_detail_show_live (OvRunDetail *self)
{
  gint64 now = g_get_monotonic_time ();
  g_autofree char *name = NULL;

  g_return_if_fail (OV_IS_RUN_DETAIL (self));

  if (!self->live)
    return;
  name = ov_run_detail_dup_name (self);
  if (self->way == OV_RUN_DETAIL_LANES && self->requests->len > 0)
    {
      ov_lanes_show_live (self->lanes, self->result->experiment, self->run,
                          (const OvRequest *)(gpointer)self->requests->data, self->requests->len,
                          self->first);
      ov_lane_chart_set_subtitle (self->lanes, name);
    }
  else if (self->way == OV_RUN_DETAIL_HEAT && now - self->heat_shown_us > HEAT_US)
    {
      self->heat_shown_us = now;
      ov_latency_show_heat (self->heat_chart, self->heat, run_style (self));
      ov_heat_chart_set_subtitle (self->heat_chart, name);
    }
}

OvRun *
ov_run_detail_get_run (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  return self->run;
}

char *
ov_run_detail_dup_name (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  return self->run != NULL ? ov_lanes_run_name (self->result, self->run) : NULL;
}

void
ov_run_detail_set_way (OvRunDetail *self, OvRunDetailWay way)
{
  g_return_if_fail (OV_IS_RUN_DETAIL (self));
  self->way = way;
}

OvRunDetailWay
ov_run_detail_get_way (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), OV_RUN_DETAIL_LANES);
  return self->way;
}

/* Whether the chart has to be made, which the caller then does. */
static gboolean
take_stale (OvRunDetail *self, OvRunDetailWay way)
{
  gboolean stale = self->stale[way];

  self->stale[way] = FALSE;
  return stale;
}

static const OvExperiment *
get_experiment (OvRunDetail *self)
{
  return self->result != NULL ? self->result->experiment : NULL;
}

/* ---- Lanes in a thread ---------------------------------------------------------------------- */

typedef struct
{
  OvExperiment *experiment;
  OvRun *run; /* has ended: nobody changes its log any more */
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  ov_experiment_unref (making->experiment);
  ov_run_unref (making->run);
  g_free (making);
}

static void
lanes_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Making *making = data;
  OvLaneChart *lanes = ov_lanes_new ();
  gint64 t0, t1;

  ov_lanes_show_run (lanes, making->experiment, making->run);
  ov_lane_chart_get_extent (lanes, &t0, &t1); /* which is kept */
  g_task_return_pointer (task, lanes, g_object_unref);
}

/* Where another run is looked at by now, the task was cancelled. */
static void
on_lanes_made (GObject *source, GAsyncResult *result, gpointer data)
{
  OvRunDetail *self = OV_RUN_DETAIL (source);
  g_autoptr (OvLaneChart) made = g_task_propagate_pointer (G_TASK (result), NULL);

  if (made == NULL)
    return;
  g_clear_object (&self->making);
  ov_lane_chart_swap_lanes (self->lanes, made);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
make_lanes (OvRunDetail *self)
{
  g_autoptr (GTask) task = NULL;
  Making *making = g_new0 (Making, 1);

  making->experiment = ov_experiment_ref (self->result->experiment);
  making->run = ov_run_ref (self->run);
  self->making = g_cancellable_new ();
  task = g_task_new (self, self->making, on_lanes_made, NULL);
  g_task_set_task_data (task, making, making_free);
  ov_background_run (task, lanes_thread);
}

static gboolean
has_many_requests (const OvRun *run)
{
  return run != NULL
         && (run->log != NULL ? run->log->len : 0) + (run->device != NULL ? run->device->len : 0)
                > FEW_REQUESTS;
}

OvLaneChart *
ov_run_detail_get_lanes (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);

  if (take_stale (self, OV_RUN_DETAIL_LANES) && !self->live)
    {
      const gboolean many = has_many_requests (self->run);
      g_autofree char *name = ov_run_detail_dup_name (self);

      ov_lanes_show_run (self->lanes, get_experiment (self), many ? NULL : self->run);
      ov_lane_chart_set_subtitle (self->lanes, name);
      if (many)
        make_lanes (self);
    }
  return self->lanes;
}

/* ---- The other ways ------------------------------------------------------------------------- */

OvLatency *
ov_run_detail_get_latency (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);

  if (take_stale (self, OV_RUN_DETAIL_LATENCY))
    ov_latency_show (self->latency, self->result, self->run);
  return self->latency;
}

/* Latencies over time of the run: from its log, or as they were told while it went on. */
static gboolean
find_heat (OvRunDetail *self)
{
  const OvHistogram *whole;
  guint64 rows[OV_HEAT_N_ROWS];

  if (self->run == NULL)
    return FALSE;
  if (ov_latency_heat_of_log (self->heat, self->run))
    {
      self->heat_run = NULL;
      return TRUE;
    }
  if (self->heat_run != self->run)
    return FALSE;
  /* What came between the last time it was told and the end. */
  whole = ov_run_get_latency (self->run);
  if (whole != NULL)
    {
      ov_heat_rows_of (whole, rows);
      ov_heat_add_difference (self->heat, self->run->elapsed_ns, self->heat_rows, rows);
    }
  return self->heat->count > 0;
}

OvHeatChart *
ov_run_detail_get_heat (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);

  if (take_stale (self, OV_RUN_DETAIL_HEAT) && !self->live)
    {
      g_autofree char *name = ov_run_detail_dup_name (self);
      gboolean any = find_heat (self);

      ov_latency_show_heat (self->heat_chart, any ? self->heat : NULL, any ? run_style (self) : 0);
      ov_heat_chart_set_subtitle (self->heat_chart, name);
    }
  return self->heat_chart;
}

OvDrawable *
ov_run_detail_peek_chart (OvRunDetail *self, OvRunDetailWay way)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  switch (way)
    {
    case OV_RUN_DETAIL_LATENCY:
      return OV_DRAWABLE (self->latency);
    case OV_RUN_DETAIL_HEAT:
      return OV_DRAWABLE (self->heat_chart);
    case OV_RUN_DETAIL_LANES:
    default:
      return OV_DRAWABLE (self->lanes);
    }
}

gboolean
ov_run_detail_is_making (OvRunDetail *self, OvRunDetailWay way)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), FALSE);
  return way == OV_RUN_DETAIL_LANES && self->making != NULL;
}

OvDrawable *
ov_run_detail_get_chart (OvRunDetail *self, OvRunDetailWay way)
{
  switch (way)
    {
    case OV_RUN_DETAIL_LATENCY:
      return OV_DRAWABLE (ov_run_detail_get_latency (self));
    case OV_RUN_DETAIL_HEAT:
      return OV_DRAWABLE (ov_run_detail_get_heat (self));
    case OV_RUN_DETAIL_LANES:
    default:
      return OV_DRAWABLE (ov_run_detail_get_lanes (self));
    }
}

gboolean
ov_run_detail_has (OvRunDetail *self, OvRunDetailWay way)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), FALSE);
  if (way == OV_RUN_DETAIL_LATENCY)
    return ov_latency_has_data (ov_run_detail_get_latency (self));
  if (way == OV_RUN_DETAIL_HEAT)
    return (self->live && self->heat->count > 0)
           || ov_heat_chart_get_count (ov_run_detail_get_heat (self)) > 0;
  return ov_lane_chart_get_n_lanes (ov_run_detail_get_lanes (self)) > 0
         && (!self->live || self->requests->len > 0);
}

char *
ov_run_detail_dup_why_not (OvRunDetail *self, OvRunDetailWay way)
{
  char *why;

  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  if (self->run == NULL)
    return g_strdup (_ ("Requests of a run are shown here once it has ended. To have each of them "
                        "recorded, choose “every request” in the run settings."));
  if (ov_run_detail_is_making (self, way))
    return g_strdup (_ ("The requests of this run are being put into order."));
  if (way == OV_RUN_DETAIL_LATENCY)
    return g_strdup (
        _ ("No times of requests were recorded: choose “how long they took” in the run "
           "settings, and a strategy that shows its requests."));
  why = ov_lanes_why_not (self->run);
  return why != NULL ? why : g_strdup (_ ("No request of this run came back."));
}
