/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The child may have died in the middle of writing any of the fields: each is used only when the
 * one that is written after it says so.
 */
#include "config.h"

#include "worker/ov-run-report.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <glib/gi18n-lib.h>

#include "base/ov-units.h"
#include "metrics/ov-heat.h"
#include "sampler/ov-system.h"

/** User and system time come in 4 ms steps: below this span they are uncertain. */
#define SPLIT_MIN_NS (500 * 1000000LL)
/** libgtop's machine figures come in 10 ms ticks: below this span none is given. */
#define MACHINE_MIN_NS (250 * 1000000LL)
#define LOG_PIECE      8192
/** 20 times a second: 2,000 requests. */
#define LIVE_MOST 100

/** A copy of a text of the child, which may lack its final 0. */
static char *
dup_text (const char *text, gsize size)
{
  g_autofree char *copy = g_strndup (text, size - 1);

  return copy[0] != '\0' ? g_utf8_make_valid (copy, -1) : NULL;
}

static char *
fault_of_death (const OvChild *child)
{
  if (WIFSIGNALED (child->status))
    return g_strdup_printf (_ ("The strategy crashed (%s) while: %s"),
                            strsignal (WTERMSIG (child->status)),
                            ov_phase_label (MIN (child->shared->phase, OV_PHASE_ENDED)));
  return g_strdup_printf (_ ("The strategy ended its process (exit status %d) while: %s"),
                          WEXITSTATUS (child->status),
                          ov_phase_label (MIN (child->shared->phase, OV_PHASE_ENDED)));
}

/** Cause of an error that the child reported itself. */
static char *
fault_of_error (const OvShared *shared)
{
  g_autofree char *cause = dup_text (shared->cause, sizeof shared->cause);
  const int error = -shared->error;

  if (cause == NULL)
    return g_strdup (g_strerror (error));
  /* These say that the sentence is the whole truth. */
  if (shared->skipped != 0 || error == EPROTO || error == EINVAL || error == ENOTSUP
      || error == ERANGE)
    return g_steal_pointer (&cause);
  return g_strdup_printf ("%s: %s", cause, g_strerror (error));
}

static void
set_state (OvRun *run, const OvChild *child, const char *target_cause)
{
  const OvShared *shared = child->shared;
  const gboolean finished = __atomic_load_n (&shared->finished, __ATOMIC_ACQUIRE) != 0;

  if (child->gone_ns == 0 && !finished)
    {
      g_autofree char *wchan = ov_process_wchan (child->pid);
      const double seconds = (double)(ov_clock_now_ns () - shared->press_ns) / 1e9;

      run->state = OV_STATE_ABANDONED;
      run->cause = g_strdup_printf (_ ("Stuck in the kernel (%s) for %.1f s. %s"),
                                    wchan != NULL ? wchan : _ ("place unknown"), seconds,
                                    target_cause != NULL ? target_cause : "");
      g_strchomp (run->cause);
    }
  else if (finished && shared->error == 0)
    run->state = OV_STATE_DONE;
  else if (finished && shared->error == -ECANCELED && shared->stop == OV_STOP_TIME_LIMIT)
    {
      run->state = (run->spec->job & (OV_JOB_COUNT | OV_WRITE_JOBS | OV_CLOCKED_JOBS)) != 0
                       ? OV_STATE_STOPPED
                       : OV_STATE_DONE;
      run->cause = g_strdup (_ ("Ended by the run's time limit"));
    }
  else if (finished && shared->error == -ECANCELED && shared->press_ns != 0)
    run->state = OV_STATE_STOPPED;
  else if (finished)
    {
      run->state = shared->skipped != 0 ? OV_STATE_SKIPPED : OV_STATE_FAILED;
      run->cause = fault_of_error (shared);
      if (shared->error_offset <= G_MAXINT64)
        run->error_offset = (gint64)shared->error_offset;
    }
  else if (child->overdue)
    {
      run->state = OV_STATE_FAILED;
      run->cause = g_strdup_printf (
          _ ("Ended by the watchdog: it was still running %.0f s after it began"),
          (double)(child->killed_ns - child->born_ns) / 1e9);
    }
  else if (child->killed_ns != 0)
    {
      run->state = OV_STATE_STOPPED;
      run->cause = g_strdup_printf (_ ("Killed: a call had not returned %.0f ms after Stop"),
                                    (double)(child->killed_ns - shared->press_ns) / 1e6);
    }
  else
    {
      run->state = OV_STATE_FAILED;
      run->cause = fault_of_death (child);
    }
}

static gint64
difference (gint64 begin, gint64 end)
{
  return begin >= 0 && end >= begin ? end - begin : -1;
}

/** Of a counter over the run, without what was between its parts. */
static gint64
over_run (const OvShared *shared, gsize offset)
{
  const gint64 all = difference (G_STRUCT_MEMBER (gint64, &shared->begin, offset),
                                 G_STRUCT_MEMBER (gint64, &shared->end, offset));
  gint64 between = 0;

  if (shared->resume_ns != 0)
    between = difference (G_STRUCT_MEMBER (gint64, &shared->middle, offset),
                          G_STRUCT_MEMBER (gint64, &shared->resume, offset));
  return all < 0 || between < 0 ? -1 : MAX (all - between, 0);
}

#define OVER_RUN(shared, member) over_run (shared, G_STRUCT_OFFSET (OvProcessCounters, member))

static void
set_counters (OvRun *run, const OvShared *shared)
{
  run->cpu_ns = OVER_RUN (shared, cpu_ns);
  run->user_ns = OVER_RUN (shared, user_ns);
  run->system_ns = OVER_RUN (shared, system_ns);
  run->split_uncertain = run->elapsed_ns < SPLIT_MIN_NS;
  run->minor_faults = OVER_RUN (shared, minor_faults);
  run->major_faults = OVER_RUN (shared, major_faults);
  run->voluntary_switches = OVER_RUN (shared, voluntary_switches);
  run->involuntary_switches = OVER_RUN (shared, involuntary_switches);
  run->system_reads = OVER_RUN (shared, reads);
  run->system_writes = OVER_RUN (shared, writes);
  run->device_bytes = OVER_RUN (shared, device_bytes);
  run->written_bytes = OVER_RUN (shared, written_bytes);
}

/** Spans of the phases around the run; -1 for those that were not reached. */
static void
set_spans (OvRun *run, const OvChild *child)
{
  const OvShared *shared = child->shared;
  const gint64 *at = shared->phase_ns;
  const gint64 drained = shared->end_ns != 0 ? shared->end_ns : shared->done_ns;

  if (at[OV_PHASE_DISCARD] > 0)
    run->discard_ns
        = difference (at[OV_PHASE_DISCARD],
                      at[OV_PHASE_RESTORE] > 0 ? at[OV_PHASE_RESTORE] : at[OV_PHASE_CONDITION]);
  if (at[OV_PHASE_RESTORE] > 0)
    run->restore_ns = difference (at[OV_PHASE_RESTORE], at[OV_PHASE_CONDITION]);
  if (at[OV_PHASE_CONDITION] > 0)
    run->condition_ns = difference (at[OV_PHASE_CONDITION], at[OV_PHASE_PREPARE]);
  if (at[OV_PHASE_PREPARE] > 0)
    run->prepare_ns = difference (at[OV_PHASE_PREPARE], at[OV_PHASE_RUN]);
  if (at[OV_PHASE_RELEASE] > 0 && child->gone_ns > 0)
    run->teardown_ns = difference (at[OV_PHASE_RELEASE], child->gone_ns);
  if (shared->press_ns == 0)
    return;
  if (drained >= shared->press_ns)
    run->stop_latency_ns = drained - shared->press_ns;
  else if (shared->done_ns >= shared->press_ns)
    run->stop_latency_ns = shared->done_ns - shared->press_ns;
  else if (shared->done_ns == 0) /* killed while it brought things to an end, or before */
    run->stop_latency_ns
        = (child->gone_ns != 0 ? child->gone_ns : ov_clock_now_ns ()) - shared->press_ns;
  else
    run->stop_latency_ns = 0;
}

/** The two parts of a transfer. */
static void
set_parts (OvRun *run, const OvShared *shared)
{
  run->write_ns = difference (shared->begin_ns, shared->middle_ns);
  run->read_ns
      = difference (shared->resume_ns != 0 ? shared->resume_ns : shared->middle_ns, shared->end_ns);
  run->write_cpu_ns = difference (shared->begin.cpu_ns, shared->middle.cpu_ns);
  run->read_cpu_ns = difference (
      shared->resume_ns != 0 ? shared->resume.cpu_ns : shared->middle.cpu_ns, shared->end.cpu_ns);
}

static void
set_neighbour (OvRun *run, const OvShared *shared)
{
  const OvNeighbourShared *seen = &shared->neighbour;
  g_autofree OvHistogram *lateness = NULL;
  OvNeighbourFigures *figures;

  if (run->spec->neighbour == OV_NEIGHBOUR_NONE || seen->ready == 0)
    return;
  figures = ov_neighbour_new ();
  figures->mode = seen->processor >= 0 ? OV_NEIGHBOUR_SHARED : OV_NEIGHBOUR_FREE;
  figures->processor = seen->processor;
  figures->base_rate = seen->base_rate;
  if (shared->end_ns != 0 && run->elapsed_ns >= OV_NEIGHBOUR_MIN_NS)
    figures->rate = (double)(seen->work_end - seen->work_begin) * 1e9 / (double)run->elapsed_ns;
  /* It goes on being written to. */
  lateness = g_new (OvHistogram, 1);
  ov_histogram_snapshot (lateness, &seen->lateness);
  ov_neighbour_set_histograms (figures, lateness, &seen->base);
  run->neighbour = figures;
}

static void
set_run_figures (OvRun *run, const OvChild *child)
{
  const OvShared *shared = child->shared;
  const OvLive *live = &shared->live;
  const gboolean ended = shared->end_ns != 0;
  gint64 end = ended ? shared->end_ns : child->gone_ns;
  gsize n;

  if (end == 0)
    end = ov_clock_now_ns ();
  run->started_ns = shared->begin_ns - child->born_ns;
  run->elapsed_ns = end - shared->begin_ns;
  if (shared->resume_ns > shared->middle_ns)
    run->elapsed_ns -= shared->resume_ns - shared->middle_ns;
  if (ended && shared->synced_ns >= 0)
    run->stable_ns = run->elapsed_ns + shared->synced_ns;
  run->bytes = run->spec->job & OV_HARDWARE_JOBS ? -1 : (gint64)live->consumed_bytes;
  if (run->spec->job & OV_CLOCKED_JOBS)
    {
      run->missed = (gint64)live->missed;
      run->late = (gint64)live->late;
      run->gaps = (gint64)live->gaps;
      run->longest_gap_ns
          = live->longest > 0 ? llround ((double)(live->longest + 1) * 1e9 / run->spec->rate) : 0;
    }
  run->submitted = (gint64)live->submitted;
  run->completed = (gint64)live->completed;
  run->cancelled = (gint64)live->cancelled;
  run->short_io = (gint64)live->short_io;
  if (ended)
    set_counters (run, shared);
  if (child->run_seen_ns != 0 && end - child->run_seen_ns >= MACHINE_MIN_NS)
    {
      OvSystemCpu cpu;

      ov_system_get_cpu (&cpu);
      run->machine_busy
          = (double)(cpu.busy_ns - child->machine_busy) / (double)(end - child->run_seen_ns);
    }
  run->peak_memory = shared->peak_memory;
  run->resident_before = shared->resident_before;
  run->resident_after = shared->resident_after;
  run->effective = dup_text (shared->effective, sizeof shared->effective);
  run->check = dup_text (shared->check, sizeof shared->check);
  if (shared->log_bytes > 0)
    ov_request_log_view (ov_shared_log (child->shared), shared->log_bytes, &n, &run->log_dropped);
  set_neighbour (run, shared);
  if (ended && shared->middle_ns >= shared->begin_ns)
    set_parts (run, shared);
  if (run->spec->timing != OV_TIMING_COUNTERS && ended)
    {
      run->latency = g_new (OvHistogram, 1);
      ov_histogram_snapshot (run->latency, &shared->latency);
      run->submit_latency = g_new (OvHistogram, 1);
      ov_histogram_snapshot (run->submit_latency, &shared->submit_latency);
      if (ov_histogram_count (run->submit_latency) == 0)
        g_clear_pointer (&run->submit_latency, g_free);
    }
}

/** What the child wrote; where it could not, the profile says so. */
static void
set_profile (OvRun *run, const OvChild *child)
{
  g_autofree char *text = run->spec->profile ? ov_child_get_text (child) : NULL;
  g_autoptr (JsonNode) node = NULL;

  if (!run->spec->profile)
    return;
  if (text != NULL && text[0] != '\0')
    node = ov_message_parse (text, NULL);
  if (node != NULL)
    run->profile = ov_profile_from_json (node, NULL);
  if (run->profile != NULL)
    return;
  run->profile = ov_profile_new ();
  run->profile->note = g_strdup (_ ("No profile: the run ended before it could be read."));
}

OvRun *
ov_run_report (const OvChild *child, const OvRunSpec *spec, const char *target_cause)
{
  OvRun *run = ov_run_new (ov_run_spec_copy (spec));

  set_state (run, child, target_cause);
  set_profile (run, child);
  set_spans (run, child);
  if (child->shared->begin_ns != 0)
    set_run_figures (run, child);
  return run;
}

/** How stamps become nanoseconds since the run's begin: by `tsc`, or as times of CLOCK_MONOTONIC.
 */
typedef struct
{
  const OvTsc *tsc; /**< with its second pair; NULL: the stamps are times */
  gint64 begin_ns;
} Stamps;

/** Adds a time; what has not happened is null, as everywhere on the wire. */
static void
add_stamp (JsonArray *values, const Stamps *stamps, guint64 stamp)
{
  gint64 ns = (gint64)stamp - stamps->begin_ns;

  if (stamps->tsc != NULL)
    ns = ov_tsc_to_ns (stamps->tsc, stamp) + stamps->tsc->clock_begin_ns - stamps->begin_ns;
  if (stamp == 0)
    json_array_add_null_element (values);
  else
    json_array_add_int_element (values, MAX (ns, 0));
}

typedef struct
{
  const char *name;
  JsonArray *values;
} Column;

/** Adds the columns of `n` records to `object`. */
static void
add_records (JsonObject *object, const Stamps *stamps, const OvRequestRecord *records, gsize n)
{
  Column columns[] = { { "submit", json_array_new () },      { "handed", json_array_new () },
                       { "complete", json_array_new () },    { "consume-start", json_array_new () },
                       { "consume-end", json_array_new () }, { "offset", json_array_new () },
                       { "result", json_array_new () },      { "slot", json_array_new () } };

  for (gsize i = 0; i < n; i++)
    {
      const OvRequestRecord record = records[i]; /* the writer may be at it */

      add_stamp (columns[0].values, stamps, record.submit);
      add_stamp (columns[1].values, stamps, record.handed);
      add_stamp (columns[2].values, stamps, record.complete);
      add_stamp (columns[3].values, stamps, record.consume_start);
      add_stamp (columns[4].values, stamps, record.consume_end);
      json_array_add_int_element (columns[5].values,
                                  (gint64)MIN (record.offset, (guint64)G_MAXINT64));
      json_array_add_int_element (columns[6].values, record.result);
      json_array_add_int_element (columns[7].values, record.slot);
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    json_object_set_array_member (object, columns[i].name, columns[i].values);
}

/** Sends records in events called `name`. */
static void
send_records (const OvChild *child, guint run, const char *name, const OvRequestRecord *records,
              gsize n, const Stamps *stamps, OvOutput *output)
{
  for (gsize first = 0; first < n; first += LOG_PIECE)
    {
      JsonObject *event = ov_output_event (name, child->id);

      json_object_set_int_member (event, "run", run);
      json_object_set_int_member (event, "first", (gint64)first);
      add_records (event, stamps, &records[first], MIN (LOG_PIECE, n - first));
      ov_output_send (output, event);
    }
}

void
ov_run_report_log (const OvChild *child, guint run, OvOutput *output)
{
  const OvShared *shared = child->shared;
  gsize n = 0;
  const OvRequestRecord *records
      = shared->log_bytes > 0
            ? ov_request_log_view (ov_shared_log (child->shared), shared->log_bytes, &n, NULL)
            : NULL;
  const Stamps stamps = { &shared->tsc, shared->begin_ns };

  if (records != NULL && shared->end_ns != 0)
    send_records (child, run, "log", records, n, &stamps, output);
}

guint64
ov_run_report_device_log (const OvChild *child, guint run, OvSlowdiskShared *disk, OvOutput *output)
{
  const Stamps stamps = { NULL, child->shared->begin_ns };
  const OvRequestRecord *records;
  guint64 dropped = 0;
  gsize bytes, n = 0;
  void *log = ov_slowdisk_shared_log (disk, &bytes);

  if (child->shared->begin_ns == 0)
    return 0;
  records = ov_request_log_view (log, bytes, &n, &dropped);
  if (records != NULL)
    send_records (child, run, "device-log", records, n, &stamps, output);
  return dropped;
}

/** The newest requests, those that were under way when they were told last, too. */
static void
add_live_log (OvChild *child, const OvRunSpec *spec, JsonObject *event)
{
  const OvShared *shared = child->shared;
  OvTsc tsc = shared->tsc;
  const Stamps stamps = { &tsc, shared->begin_ns };
  const OvRequestRecord *records;
  JsonObject *log;
  gsize n = 0;
  gsize first;

  records = ov_request_log_view (ov_shared_log (child->shared), shared->log_bytes, &n, NULL);
  if (records == NULL || n == 0 || tsc.clock_begin_ns == 0)
    return;
  ov_tsc_end (&tsc);
  first = MAX ((gsize)MIN (child->live_next, n), n > LIVE_MOST ? n - LIVE_MOST : 0);
  log = json_object_new ();
  json_object_set_int_member (log, "first", (gint64)first);
  add_records (log, &stamps, &records[first], n - first);
  json_object_set_object_member (event, "log", log);
  for (child->live_next = first; child->live_next < n; child->live_next++)
    if (records[child->live_next].complete == 0
        || (spec->work != OV_WORK_NONE && records[child->live_next].consume_end == 0))
      break;
}

void
ov_run_report_live (OvChild *child, const OvRunSpec *spec, gboolean with_log, JsonObject *event)
{
  const OvShared *shared = child->shared;
  const gboolean runs = __atomic_load_n (&shared->begin_ns, __ATOMIC_ACQUIRE) != 0
                        && __atomic_load_n (&shared->end_ns, __ATOMIC_ACQUIRE) == 0;
  g_autofree OvHistogram *histogram = NULL;
  guint64 rows[OV_HEAT_N_ROWS];
  JsonArray *pairs;

  if (!runs || spec->timing == OV_TIMING_COUNTERS)
    return;
  histogram = g_new (OvHistogram, 1);
  ov_histogram_snapshot (histogram, &shared->latency);
  ov_heat_rows_of (histogram, rows);
  pairs = json_array_new ();
  for (guint i = 0; i < OV_HEAT_N_ROWS; i++)
    if (rows[i] > 0)
      {
        json_array_add_int_element (pairs, i);
        json_array_add_int_element (pairs, (gint64)MIN (rows[i], (guint64)G_MAXINT64));
      }
  json_object_set_array_member (event, "latency", pairs);
  if (with_log && spec->timing == OV_TIMING_TIMELINE && shared->log_bytes > 0)
    add_live_log (child, spec, event);
}

void
ov_run_report_snapshot (OvChild *child, const OvRunSpec *spec, OvSnapshot *snapshot)
{
  const OvShared *shared = child->shared;
  const gint64 now = ov_clock_now_ns ();
  const gint64 begin = __atomic_load_n (&shared->begin_ns, __ATOMIC_ACQUIRE);
  OvProcessFigures process;
  OvSystemCpu cpu;

  ov_system_get_cpu (&cpu);
  ov_system_get_process (child->pid, &process);
  snapshot->run = spec->index;
  snapshot->phase = (int)MIN (__atomic_load_n (&shared->phase, __ATOMIC_ACQUIRE), OV_PHASE_ENDED);
  snapshot->t_ns = now - child->born_ns;
  snapshot->run_ns = begin != 0 ? now - begin : -1;
  snapshot->bytes = (gint64)shared->live.consumed_bytes;
  snapshot->submitted = (gint64)shared->live.submitted;
  snapshot->completed = (gint64)shared->live.completed;
  snapshot->cpu_ns = ov_process_cpu_of (child->pid);
  snapshot->user_ns = process.user_ns;
  snapshot->system_ns = process.system_ns;
  snapshot->resident = process.resident;
  snapshot->machine_busy_ns = cpu.busy_ns;
  snapshot->machine_total_ns = cpu.total_ns;
  snapshot->fraction = NAN;
  if (snapshot->phase == OV_PHASE_RUN && spec->size > 0)
    snapshot->fraction = MIN ((double)snapshot->bytes / (double)spec->size, 1);
  else if (snapshot->phase == OV_PHASE_RUN && (spec->job & OV_HARDWARE_JOBS) && spec->requests > 0)
    snapshot->fraction
        = MIN ((double)(shared->live.completed + shared->live.missed) / (double)spec->requests, 1);
  else if (shared->phase_total > 0)
    snapshot->fraction = (double)shared->phase_done / (double)shared->phase_total;
  if (begin != 0 && child->run_seen_ns == 0)
    {
      child->run_seen_ns = now;
      child->machine_busy = cpu.busy_ns;
    }
}
