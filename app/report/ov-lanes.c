// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A request becomes at most four blocks in its buffer's lane, one after the other: being submitted,
 * in flight (or broken), waiting, worked on. The consumer's lane has the work alone, in the order
 * of its beginning.
 */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>

#include "report/ov-lanes.h"
#include "report/ov-report.h"

/* A waiting shorter than this is the way from one line of code to the next. */
#define LEAST_WAIT_NS 1000
#define GREEN         2
#define BLUE          0

void
ov_lanes_look_for_run (OvLanesLook *look, const OvExperiment *experiment, const OvRun *run)
{
  int style = ov_report_style (experiment, run->spec->variant);

  *look = (OvLanesLook){
    /* Translators: the lane of one buffer */
    .slot = _ ("buffer %u"),
    .style = style,
    .work_style = style % OV_N_COLORS == GREEN ? BLUE : GREEN,
  };
  if (run->spec->work == OV_WORK_PLAIN || run->spec->work == OV_WORK_FAST)
    look->consumer = _ ("counting");
  else if (run->spec->work != OV_WORK_NONE)
    look->consumer = _ ("working");
}

/* ---- Requests to blocks --------------------------------------------------------------------- */

typedef struct
{
  OvLaneChart *chart;
  const OvLanesLook *look;
  gint64 shift;
  gint64 end;
} Adder;

static void
add (const Adder *adder, guint lane, OvLaneKind kind, gint64 t0, gint64 t1, int style,
     guint64 number)
{
  ov_lane_chart_add_block (adder->chart, lane, kind, t0 + adder->shift, t1 + adder->shift, style,
                           number);
}

static void
add_request (const Adder *adder, guint lane, const OvRequest *r, guint64 number)
{
  int style = adder->look->style;
  gint64 done = r->complete_ns >= 0 ? r->complete_ns : MAX (adder->end, r->submit_ns);
  gint64 handed = r->handed_ns >= 0 ? CLAMP (r->handed_ns, r->submit_ns, done) : r->submit_ns;
  gboolean broken = r->complete_ns >= 0 && r->result < 0;

  if (r->submit_ns < 0)
    return;
  if (handed > r->submit_ns)
    add (adder, lane, OV_LANE_SUBMIT, r->submit_ns, handed, style, number);
  if (done > handed || handed == r->submit_ns || broken)
    add (adder, lane, broken ? OV_LANE_BROKEN : OV_LANE_REQUEST, handed, done, style, number);
  if (r->complete_ns < 0 || r->consume_start_ns < 0)
    return;
  if (r->consume_start_ns > done + LEAST_WAIT_NS)
    add (adder, lane, OV_LANE_WAIT, done, r->consume_start_ns, style, number);
  if (r->consume_end_ns >= r->consume_start_ns)
    add (adder, lane, OV_LANE_WORK, r->consume_start_ns, r->consume_end_ns, style, number);
}

/* A request's place in the log, by what it is sorted for. */
typedef struct
{
  gint64 t;
  gsize index;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a;
  const Place *y = b;

  if (x->t != y->t)
    return x->t < y->t ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The order in which work began. */
static void
add_work (const Adder *adder, guint lane, const OvRequest *requests, gsize n, guint64 first)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  gboolean sorted = TRUE;

  for (gsize i = 0; i < n; i++)
    if (requests[i].consume_start_ns >= 0 && requests[i].consume_end_ns >= 0)
      {
        Place place = { requests[i].consume_start_ns, i };

        sorted
            = sorted
              && (places->len == 0 || g_array_index (places, Place, places->len - 1).t <= place.t);
        g_array_append_val (places, place);
      }
  if (!sorted)
    g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    {
      gsize index = g_array_index (places, Place, i).index;

      add (adder, lane, OV_LANE_WORK, requests[index].consume_start_ns,
           requests[index].consume_end_ns, adder->look->work_style, first + index + 1);
    }
}

static char *
slot_name (const OvLanesLook *look, guint slot)
{
  g_autofree char *number = g_strdup_printf ("%u", slot + 1);
  g_auto (GStrv) parts = g_strsplit (look->slot, "%u", 2);

  return g_strjoinv (number, parts);
}

/* The slots that occur, ascending: their number is their place. */
static GArray *
find_slots (const OvRequest *requests, gsize n, GHashTable *lanes)
{
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (Place));

  for (gsize i = 0; i < n; i++)
    if (!g_hash_table_contains (lanes, GUINT_TO_POINTER (requests[i].slot)))
      {
        Place place = { requests[i].slot, 0 };

        g_hash_table_insert (lanes, GUINT_TO_POINTER (requests[i].slot), NULL);
        g_array_append_val (slots, place);
      }
  g_array_sort (slots, compare_places);
  return slots;
}

guint
ov_lanes_add_log (OvLaneChart *chart, const OvLanesLook *look, const OvRequest *requests, gsize n,
                  guint64 first, gint64 shift_ns, gint64 end_ns)
{
  Adder adder = { chart, look, shift_ns, end_ns };
  g_autoptr (GHashTable) lanes = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) slots = find_slots (requests, n, lanes);
  gboolean any_work = FALSE;

  for (guint i = 0; i < slots->len; i++)
    {
      guint slot = (guint)g_array_index (slots, Place, i).t;
      g_autofree char *name = slot_name (look, slot);

      g_hash_table_insert (lanes, GUINT_TO_POINTER (slot),
                           GUINT_TO_POINTER (ov_lane_chart_add_lane (chart, name)));
    }
  for (gsize i = 0; i < n; i++)
    {
      add_request (
          &adder,
          GPOINTER_TO_UINT (g_hash_table_lookup (lanes, GUINT_TO_POINTER (requests[i].slot))),
          &requests[i], first + i + 1);
      any_work = any_work || requests[i].consume_end_ns >= 0;
    }
  if (look->consumer == NULL || !any_work)
    return slots->len;
  add_work (&adder, ov_lane_chart_add_lane (chart, look->consumer), requests, n, first);
  return slots->len + 1;
}

/* ---- A run ---------------------------------------------------------------------------------- */

OvLaneChart *
ov_lanes_new (void)
{
  OvLaneChart *chart = ov_lane_chart_new ();

  ov_lane_chart_set_title (chart, _ ("Requests"));
  ov_lane_chart_set_kind_label (chart, OV_LANE_SUBMIT, _ ("being submitted"));
  ov_lane_chart_set_kind_label (chart, OV_LANE_REQUEST, _ ("in flight"));
  ov_lane_chart_set_kind_label (chart, OV_LANE_WAIT, _ ("waiting"));
  ov_lane_chart_set_kind_label (chart, OV_LANE_WORK, _ ("worked on"));
  ov_lane_chart_set_kind_label (chart, OV_LANE_BROKEN, _ ("cancelled or failed"));
  ov_lane_chart_set_mark_idle (chart, TRUE);
  return chart;
}

/* What a simulated disk logged, below: in flight while a request waits there, worked on while it is
 * served. */
static void
add_device (OvLaneChart *chart, int style, const OvRun *run)
{
  const OvLanesLook look = {
    /* Translators: the lane of one of the requests that are at a simulated disk at a time */
    .slot = _ ("at the disk %u"),
    /* Translators: the lane of a simulated disk's own work */
    .consumer = _ ("simulated disk"),
    .style = (style + 1) % OV_N_COLORS,
    .work_style = style,
  };
  g_autofree OvRequest *requests
      = g_memdup2 (run->device->data, (gsize)run->device->len * sizeof (OvRequest));

  for (guint i = 0; i < run->device->len; i++)
    requests[i].complete_ns = requests[i].consume_start_ns;
  ov_lanes_add_log (chart, &look, requests, run->device->len, 0, 0, run->elapsed_ns);
}

void
ov_lanes_show_run (OvLaneChart *chart, const OvExperiment *experiment, const OvRun *run)
{
  OvLanesLook look;
  guint64 n = 0;

  ov_lane_chart_remove_lanes (chart);
  ov_lane_chart_set_range (chart, 0, 0);
  ov_lane_chart_set_cursor (chart, -1, NULL);
  ov_lane_chart_set_relative (chart, FALSE);
  ov_lane_chart_set_total (chart, 0);
  if (run == NULL || !ov_lanes_has_log (run))
    return;
  ov_lanes_look_for_run (&look, experiment, run);
  if (run->log != NULL)
    {
      ov_lanes_add_log (chart, &look, (const OvRequest *)(gpointer)run->log->data, run->log->len, 0,
                        0, run->elapsed_ns);
      n += run->log->len + run->log_dropped;
    }
  if (run->device != NULL)
    {
      add_device (chart, look.style, run);
      /* The same requests as the run's own, where those are known. */
      if (n == 0)
        n = run->device->len + run->device_dropped;
    }
  ov_lane_chart_set_total (chart, n);
  ov_lane_chart_flush (chart);
}

/* Lanes for a run that goes on: one for each buffer that there may be. */
static void
make_live_lanes (OvLaneChart *chart, const OvLanesLook *look, guint n_slots)
{
  if (ov_lane_chart_get_n_lanes (chart) == n_slots + (look->consumer != NULL))
    {
      ov_lane_chart_clear (chart);
      return;
    }
  ov_lane_chart_remove_lanes (chart);
  for (guint i = 0; i < n_slots; i++)
    {
      g_autofree char *name = slot_name (look, i);

      ov_lane_chart_add_lane (chart, name);
    }
  if (look->consumer != NULL)
    ov_lane_chart_add_lane (chart, look->consumer);
}

/* The length of time that is shown: as it was, while that fits. */
static gint64
live_length (OvLaneChart *chart, gint64 span)
{
  static const int steps[] = { 1, 2, 5 };
  gint64 t0, t1;

  ov_lane_chart_get_range (chart, &t0, &t1);
  if (ov_lane_chart_is_zoomed (chart) && span <= t1 - t0 && span > (t1 - t0) / 5)
    return t1 - t0;
  for (gint64 power = 1000; power < G_MAXINT64 / 10; power *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      if (power * steps[i] >= span)
        return power * steps[i];
  return span;
}

void
ov_lanes_show_live (OvLaneChart *chart, const OvExperiment *experiment, const OvRun *run,
                    const OvRequest *requests, gsize n, guint64 first)
{
  guint n_slots = MAX (run->spec->depth, 1);
  OvLanesLook look;
  Adder adder = { chart, &look, 0, 0 };
  gint64 begin = G_MAXINT64;

  ov_lanes_look_for_run (&look, experiment, run);
  for (gsize i = 0; i < n; i++)
    {
      begin = MIN (begin, MAX (requests[i].submit_ns, 0));
      adder.end = MAX (adder.end, MAX (requests[i].submit_ns, requests[i].complete_ns));
      adder.end = MAX (adder.end, requests[i].consume_end_ns);
    }
  if (n == 0)
    return;
  ov_lane_chart_set_relative (chart, TRUE);
  make_live_lanes (chart, &look, n_slots);
  for (gsize i = 0; i < n; i++)
    if (requests[i].slot < n_slots)
      add_request (&adder, requests[i].slot, &requests[i], first + i + 1);
  if (look.consumer != NULL)
    add_work (&adder, n_slots, requests, n, first);
  ov_lane_chart_set_total (chart, first + n);
  begin = adder.end - live_length (chart, MAX (adder.end - begin, 1000));
  ov_lane_chart_set_range (chart, begin, adder.end);
  ov_lane_chart_flush (chart);
}

gboolean
ov_lanes_has_log (const OvRun *run)
{
  return (run->log != NULL && run->log->len > 0) || (run->device != NULL && run->device->len > 0);
}

char *
ov_lanes_why_not (const OvRun *run)
{
  if (ov_lanes_has_log (run))
    return NULL;
  if (run->state <= OV_STATE_RUNNING)
    return g_strdup (_ ("This run has not ended yet."));
  if (run->elapsed_ns < 0)
    return g_strdup (_ ("This run did not come to its measured phase, so there are no requests."));
  if (run->spec->job & OV_HARDWARE_JOBS)
    return g_strdup (
        _ ("Accesses, events and samples are counted, not logged one by one: a record of "
           "each would cost more than most of them."));
  if (run->spec->timing != OV_TIMING_TIMELINE)
    return g_strdup (_ ("The requests of this run were not logged. Choose “every request” under "
                        "“Recorded of requests” in the run settings, or --timing timeline on the "
                        "command line, and run it again."));
  if (run->submitted == 0)
    return g_strdup (_ ("This strategy shows no requests: the C library makes them inside."));
  return g_strdup (_ ("The log of this run was not kept. On the command line, --with-logs puts it "
                      "into the result file."));
}

char *
ov_lanes_run_name (const OvResult *result, const OvRun *run)
{
  g_autofree char *x = ov_report_format_x (result->x, run->spec->x);

  /* Translators: a strategy, the value on the x axis, and which repetition */
  return g_strdup_printf (_ ("%s, %s, repetition %u"), run->spec->variant, x,
                          run->spec->repetition + 1);
}

OvRun *
ov_lanes_find_run (const OvResult *result)
{
  OvRun *ran = NULL;

  for (guint i = result->runs->len; i-- > 0;)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);

      if (ov_lanes_has_log (run))
        return run;
      if (ran == NULL && run->elapsed_ns >= 0)
        ran = run;
    }
  return ran;
}
