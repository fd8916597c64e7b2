/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The phases of a run in order, each a function that returns 0 or -errno with the cause set; the
 * first error ends the run, and release is never left out.
 */
#include "config.h"

#include "worker/ov-run-child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-units.h"
#include "model/ov-machine.h"
#include "model/ov-message.h"
#include "sampler/ov-profiler.h"
#include "sampler/ov-residency.h"
#include "worker/ov-direct.h"
#include "worker/ov-hardware-job.h"
#include "worker/ov-host.h"
#include "worker/ov-module.h"
#include "worker/ov-neighbour-child.h"
#include "worker/ov-watcher.h"
#include "worker/ov-write-job.h"

#define CHUNK        ((gsize)1 << 20)
#define DROP_TRIES   3
#define SLEEP_MIN_NS (10 * 1000000)

typedef struct
{
  const OvRunOrder *order;
  const OvRunSpec *spec;
  OvShared *shared;
  const OvStrategy *strategy;
  OvHostContext *context;
  OvWatcher *watcher;
  OvTask task;
  gint64 *options;
  OvWriteJob *writing;  /**< of jobs that write, else NULL */
  OvProfiler *profiler; /**< or NULL */
  int text_fd;
  int fd; /**< our own descriptor of the target, or -1 */
  gboolean memory_fs;
  gboolean hardware; /**< the job has no file: fd is -1, task.path NULL */
  void *state;       /**< what prepare returned */
  gboolean prepared;
} Run;

static OvShared *signal_shared;

/** A mapped file that became shorter, or a device that could not be read. */
static void
on_sigbus (int number)
{
  static const char text[]
      = "The file became shorter, or could not be read, while it was mapped into memory";

  memcpy (signal_shared->cause, text, sizeof text);
  signal_shared->done_ns = ov_clock_now_ns ();
  signal_shared->error = -EIO;
  __atomic_store_n (&signal_shared->finished, 1, __ATOMIC_RELEASE);
  _exit (1);
}

static int
skip (Run *run, int error)
{
  run->shared->skipped = 1;
  return error;
}

/** Values for the strategy's option table: those given, else the standard ones. */
static int
fill_options (Run *run)
{
  const OvOption *const *table = run->strategy->options;
  GHashTableIter iter;
  gpointer name;
  guint n = 0;

  while (table != NULL && table[n] != NULL)
    n++;
  run->options = g_new0 (gint64, n + 1);
  for (guint i = 0; i < n; i++)
    run->options[i] = table[i]->standard;
  run->task.options = run->options;
  if (run->spec->options == NULL)
    return 0;
  g_hash_table_iter_init (&iter, run->spec->options);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      const gint64 *value = g_hash_table_lookup (run->spec->options, name);
      guint i = 0;

      while (i < n && strcmp (table[i]->name, name) != 0)
        i++;
      if (i == n)
        return ov_shared_fail (run->shared, -EINVAL, _ ("%s has no option \"%s\""),
                               run->strategy->id, (const char *)name);
      if (table[i]->kind != OV_OPTION_CHOICE
          && (*value < table[i]->minimum || *value > table[i]->maximum))
        return ov_shared_fail (run->shared, -ERANGE,
                               _ ("The option \"%s\" must lie between %" PRId64 " and %" PRId64),
                               (const char *)name, table[i]->minimum, table[i]->maximum);
      run->options[i] = *value;
    }
  return 0;
}

/** Opens the target and checks it against the range that the run wants. */
static int
open_target (Run *run)
{
  const OvRunSpec *spec = run->spec;
  const gboolean writes = (spec->job & OV_WRITE_JOBS) != 0;
  struct stat st;

  /* A file without a scratch file's name is the user's own. */
  if (writes && spec->file == NULL)
    return ov_shared_fail (run->shared, -EINVAL, _ ("%s: files of yours are never written to"),
                           spec->target);
  run->fd = ov_open_regular (run->order->path, writes ? O_RDWR : O_RDONLY, &st);
  if (run->fd == -ENXIO)
    return ov_shared_fail (run->shared, -EINVAL, _ ("%s is %s, not a regular file"), spec->target,
                           ov_file_kind (st.st_mode));
  if (run->fd < 0 && spec->file != NULL)
    return ov_shared_fail (run->shared, run->fd,
                           _ ("The scratch file is gone: the process that "
                              "held it has ended"));
  if (run->fd < 0)
    return ov_shared_fail (run->shared, run->fd, _ ("%s cannot be opened"), spec->target);
  if (!writes)
    run->task.file_size = (guint64)st.st_size;
  else if (spec->size <= (guint64)G_MAXINT64 - spec->offset)
    run->task.file_size = spec->offset + spec->size;
  if (spec->offset > run->task.file_size || spec->size > run->task.file_size - spec->offset)
    return ov_shared_fail (run->shared, -EINVAL, _ ("%s has only %" PRIu64 " bytes"), spec->target,
                           (guint64)st.st_size);
  run->memory_fs = ov_is_memory_fs (run->fd);
  return 0;
}

/** Checks block and range against what direct I/O wants here. */
static int
plan_direct (Run *run)
{
  const guint32 align = ov_direct_align (run->fd);
  const OvRunSpec *spec = run->spec;

  if ((run->strategy->caps & OV_CAP_DIRECT) == 0)
    return skip (run, ov_shared_fail (run->shared, -ENOTSUP, _ ("%s cannot bypass the page cache"),
                                      run->strategy->id));
  if (align == 0 && !run->memory_fs)
    return skip (run, ov_shared_fail (run->shared, -ENOTSUP,
                                      _ ("This file system does not offer direct I/O")));
  run->task.align = MAX (align, 1);
  if (((run->strategy->caps & OV_CAP_BLOCK) != 0 && spec->block % run->task.align != 0)
      || spec->offset % run->task.align != 0)
    return skip (run,
                 ov_shared_fail (run->shared, -EINVAL,
                                 _ ("Direct I/O wants blocks that are multiples of %u bytes here"),
                                 run->task.align));
  run->task.flags |= O_DIRECT;
  return 0;
}

static int
phase_probe (Run *run)
{
  g_autoptr (GError) error = NULL;
  const OvRunSpec *spec = run->spec;
  char why[512] = "";
  int result;

  run->strategy = ov_module_find_strategy (spec->strategy, run->order->module, &error);
  if (run->strategy == NULL)
    return ov_shared_fail (run->shared, -EINVAL, "%s", error->message);
  if ((run->strategy->jobs & spec->job) == 0)
    return skip (run, ov_shared_fail (run->shared, -ENOTSUP, _ ("%s does not serve this job"),
                                      spec->strategy));
  result = fill_options (run);
  if (result == 0)
    result = run->hardware ? ov_hardware_job_check (run->spec, run->shared) : open_target (run);
  if (result != 0)
    return result;

  run->task.size = sizeof run->task;
  run->task.job = spec->job;
  run->task.flags = O_CLOEXEC | ((spec->job & OV_WRITE_JOBS) != 0 ? O_RDWR : O_RDONLY)
                    | (spec->durability == OV_DURABILITY_DSYNC ? O_DSYNC : 0)
                    | (run->hardware ? 0 : fcntl (run->fd, F_GETFL) & O_NOATIME);
  run->task.align = 1;
  run->task.offset = spec->offset;
  run->task.length = spec->size;
  run->task.block = MAX (spec->block, 1);
  run->task.depth = MAX (spec->depth, 1);
  run->task.work = spec->work;
  run->task.letter = (guchar)spec->letter;
  run->task.order = spec->order;
  run->task.requests = spec->requests;
  run->task.seed = spec->seed;
  run->task.rate = spec->rate;
  run->task.access = spec->access;
  run->task.width = spec->width;
  run->task.address = spec->address;
  run->task.stride = spec->stride;
  if (run->hardware)
    result = 0;
  else if (spec->condition == OV_CONDITION_BYPASSED)
    result = plan_direct (run);
  else if ((run->strategy->caps & OV_CAP_DIRECT_ONLY) != 0)
    result = skip (run, ov_shared_fail (run->shared, -ENOTSUP,
                                        _ ("%s works with the page cache bypassed only"),
                                        run->strategy->id));
  if (result == 0 && run->strategy->probe != NULL)
    {
      g_autoptr (OvHostContext) context = ov_host_context_new (NULL, NULL, -1);

      result = run->strategy->probe (ov_host_context_get_host (context), why, sizeof why);
      if (result != 0)
        return skip (run, ov_shared_fail (run->shared, result, "%s",
                                          why[0] != '\0' ? why : g_strerror (-result)));
    }
  return result;
}

/** Error of a strategy's own call: its explanation, else what was being done. */
static int
strategy_failed (Run *run, int error, const char *doing)
{
  if (error == -ECANCELED && ov_shared_stopped (run->shared))
    return error;
  /* The worker's own errors are negative throughout. */
  if (error > 0)
    return ov_shared_fail (run->shared, -EPROTO,
                           _ ("%s: it returned %d, and an error is a negative number"), doing,
                           error);
  if (run->shared->cause[0] == '\0')
    return ov_shared_fail (run->shared, error, "%s", doing);
  return error;
}

static int
prepare (Run *run)
{
  int result;

  run->state = NULL;
  result
      = run->strategy->prepare (ov_host_context_get_host (run->context), &run->task, &run->state);
  run->prepared = result == 0;
  if (result != 0)
    {
      /* Unlike an error in the run: what is missing is missing here, not broken. */
      if (result == -ENOTSUP || result == -EOPNOTSUPP)
        run->shared->skipped = 1;
      return strategy_failed (run, result, _ ("The strategy could not be prepared"));
    }
  if (run->watcher != NULL)
    ov_watcher_set_strategy (run->watcher, run->strategy, run->state);
  return 0;
}

static void
release (Run *run)
{
  if (!run->prepared)
    return;
  if (run->watcher != NULL)
    ov_watcher_set_strategy (run->watcher, NULL, NULL);
  run->strategy->release (run->state);
  run->state = NULL;
  run->prepared = FALSE;
}

/** How a simulated disk behaves from now on.  It takes its time in the run alone: layout, discarded
 *  pass and condition go through the same calls at full speed. */
static void
set_disk (Run *run, gboolean timed, gboolean opens)
{
  if (run->order->disk != NULL)
    ov_simulated_set (run->order->disk->shared, timed,
                      opens && run->spec->condition != OV_CONDITION_WARM);
}

/** What the simulated disk did in the run, told with every result. */
static void
describe_disk (Run *run)
{
  const OvSimulated *disk = run->order->disk;
  const double elapsed = (double)(run->shared->end_ns - run->shared->begin_ns);
  g_autofree char *requests = NULL;
  g_autofree char *busy = NULL;

  if (disk == NULL)
    return;
  requests = g_strdup_printf ("%" G_GUINT64_FORMAT, disk->shared->requests);
  busy
      = g_strdup_printf ("%.0f%%", elapsed > 0 ? 100 * (double)disk->shared->busy_ns / elapsed : 0);
  ov_host_context_add_effective (run->context, "simulated", disk->target + strlen (OV_DISK_PREFIX));
  ov_host_context_add_effective (run->context, "device-requests", requests);
  ov_host_context_add_effective (run->context, "device-busy", busy);
}

static void
set_limit (Run *run)
{
  if (run->spec->time_limit_ns > 0)
    ov_watcher_set_limit (run->watcher, ov_clock_now_ns () + run->spec->time_limit_ns);
}

static void
clear_limit (Run *run)
{
  if (run->watcher != NULL)
    ov_watcher_set_limit (run->watcher, 0);
}

/** Starts the watcher where it has something to do, and only there: a second thread in the process
 *  makes the C library lock every character of getc(), five times dearer, and a strategy must not
 *  pay for ours.  Without it the flag and the wake descriptor, which the session sets, are enough.
 */
static int
start_watcher (Run *run, int wake_fd)
{
  if (run->strategy->abort == NULL && run->spec->time_limit_ns == 0)
    return 0;
  run->watcher = ov_watcher_new (run->shared, wake_fd);
  if (run->watcher == NULL)
    return ov_shared_fail (run->shared, -errno, _ ("No thread could be started"));
  return 0;
}

static int
phase_discard (Run *run)
{
  int result = prepare (run);

  if (result == 0)
    {
      set_limit (run);
      result = run->strategy->run (run->state);
      /* Also where the pass was just over when its time was: the stop is not the next one's. */
      if (run->watcher != NULL && ov_watcher_forget_limit (run->watcher) && result == -ECANCELED)
        result = 0;
      if (result != 0)
        result = strategy_failed (run, result, _ ("The discarded pass failed"));
    }
  release (run);
  if (result == 0)
    ov_host_context_reset (run->context);
  return result;
}

/** Jobs that write: makes the content, once, and the file as it was laid out. */
static int
phase_restore (Run *run)
{
  int result = 0;

  if (run->writing == NULL)
    {
      run->writing = ov_write_job_new (run->fd, run->memory_fs, run->spec, run->shared);
      result = ov_write_job_make_content (run->writing, &run->task);
    }
  return result == 0 ? ov_write_job_restore (run->writing) : result;
}

/** Reads the range through the page cache. */
static int
warm_up (Run *run)
{
  g_autofree char *buffer = g_malloc (CHUNK);
  const guint64 end = run->spec->offset + run->spec->size;

  run->shared->phase_total = (gint64)run->spec->size;
  for (guint64 at = run->spec->offset; at < end;)
    {
      ssize_t n;

      if (ov_shared_stopped (run->shared))
        return -ECANCELED;
      n = pread (run->fd, buffer, MIN (CHUNK, end - at), (off_t)at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          run->shared->error_offset = at;
          return ov_shared_fail (run->shared, -errno, _ ("%s cannot be read"), run->spec->target);
        }
      if (n == 0)
        break;
      at += (guint64)n;
      run->shared->phase_done = (gint64)(at - run->spec->offset);
    }
  return 0;
}

/** Drops the range from the page cache: written back, then asked for until it is gone or does not
 *  change any more. */
static int
cool_down (Run *run)
{
  const OvRunSpec *spec = run->spec;
  const guint64 end = spec->offset + spec->size;
  double before = 2;

  for (guint i = 0; i < DROP_TRIES; i++)
    {
      double now;

      run->shared->phase_total = (gint64)spec->size;
      for (guint64 at = spec->offset; at < end; at += 64 * CHUNK)
        {
          if (ov_shared_stopped (run->shared))
            return -ECANCELED;
          ov_residency_drop (run->fd, at, MIN (64 * CHUNK, end - at));
          run->shared->phase_done = (gint64)(at - spec->offset);
        }
      now = ov_residency (run->fd, spec->offset, spec->size);
      if (!(now > 0) || now >= before)
        break;
      before = now;
    }
  return 0;
}

static int
phase_condition (Run *run)
{
  const OvRunSpec *spec = run->spec;
  int result = 0;

  if (run->hardware)
    return 0;
  if (run->writing != NULL)
    {
      /* It has just been made empty: nothing of it can be in the cache. */
      run->shared->resident_before = 0;
      return 0;
    }
  if (spec->condition == OV_CONDITION_WARM)
    {
      if (!(ov_residency (run->fd, spec->offset, spec->size) >= 1))
        result = warm_up (run);
    }
  else if (!run->memory_fs)
    result = cool_down (run);
  run->shared->resident_before = ov_residency (run->fd, spec->offset, spec->size);
  return result;
}

/** A transfer under "cold": what was written is read from the device.  Of the profile, as of the
 *  figures, this is no part. */
static void
between_parts (gpointer data)
{
  Run *run = data;

  if (run->profiler != NULL)
    ov_profiler_end (run->profiler);
  ov_write_job_cool_down (run->writing, run->context);
  if (run->profiler != NULL)
    ov_profiler_begin (run->profiler);
}

static int
phase_run (Run *run)
{
  OvShared *shared = run->shared;
  gint64 slept = ov_clock_asleep_ns ();
  int result;

  if (run->spec->job == OV_JOB_TRANSFER && run->spec->condition == OV_CONDITION_COLD
      && !run->memory_fs)
    ov_host_context_set_between (run->context, between_parts, run);
  set_limit (run);
  if (run->order->disk != NULL)
    ov_simulated_reset (run->order->disk->shared);
  set_disk (run, TRUE, TRUE);
  if (run->profiler != NULL)
    ov_profiler_begin (run->profiler);
  ov_tsc_begin (&shared->tsc);
  ov_process_counters_begin (&shared->begin);
  __atomic_store_n (&shared->begin_ns, ov_clock_now_ns (), __ATOMIC_RELEASE);
  shared->neighbour.work_begin = __atomic_load_n (&shared->neighbour.work, __ATOMIC_ACQUIRE);
  result = run->strategy->run (run->state);
  if (result == 0 && run->writing != NULL && run->spec->durability == OV_DURABILITY_FDATASYNC)
    result = ov_write_job_sync (run->writing, FALSE);
  __atomic_store_n (&shared->end_ns, ov_clock_now_ns (), __ATOMIC_RELEASE);
  shared->neighbour.work_end = __atomic_load_n (&shared->neighbour.work, __ATOMIC_ACQUIRE);
  ov_process_counters_end (&shared->end);
  ov_tsc_end (&shared->tsc);
  if (run->profiler != NULL)
    ov_profiler_end (run->profiler);
  clear_limit (run);
  if (shared->neighbour.ready != 0)
    ov_neighbour_settle (shared);
  set_disk (run, FALSE, FALSE);
  describe_disk (run);
  shared->slept_ns = ov_clock_asleep_ns () - slept;
  if (result != 0)
    return strategy_failed (run, result, _ ("The strategy failed"));
  return 0;
}

/** Was the cache in the state that was asked for?  What others have mapped or not yet written stays
 *  in it. And was it really bypassed?  Some file systems take O_DIRECT and go through it. */
static void
check_condition (Run *run)
{
  const OvShared *shared = run->shared;

  if (run->spec->condition != OV_CONDITION_BYPASSED)
    {
      const double wanted = run->spec->condition == OV_CONDITION_WARM ? 1 : 0;

      if (run->writing == NULL && fabs (shared->resident_before - wanted) > 0.01)
        {
          g_autofree char *found
              = g_strdup_printf ("%.0f%% resident", 100 * shared->resident_before);

          ov_host_context_add_effective (run->context, "cache", found);
        }
      return;
    }
  if (run->memory_fs)
    ov_host_context_add_effective (run->context, "direct", "memory");
  else if (run->spec->size > 0 && shared->resident_after - shared->resident_before > 0.5)
    ov_host_context_add_effective (run->context, "direct", "buffered");
}

/** What really happened to the page cache: of runs that ended at their time limit too. */
static void
look_at_cache (Run *run)
{
  if (run->hardware)
    return;
  run->shared->resident_after = ov_residency (run->fd, run->spec->offset, run->spec->size);
  check_condition (run);
}

/** The file is looked at by the write job.  A transfer whose work is a checksum has read the bytes
 *  itself too: both must have found the same. */
static int
verify_written (Run *run)
{
  OvShared *shared = run->shared;
  const OvRunSpec *spec = run->spec;
  g_autofree char *found = NULL;
  int result;

  if (spec->job == OV_JOB_TRANSFER && spec->work == OV_WORK_CRC32C
      && spec->order == OV_ORDER_SEQUENTIAL)
    {
      ov_host_context_finish_check (run->context);
      found = g_strdup (shared->check);
    }
  result = ov_write_job_verify (run->writing, run->context);
  if (result == 0 && found != NULL && spec->verify && strcmp (found, shared->check) != 0)
    return ov_shared_fail (shared, -EPROTO, _ ("The strategy read %s where the file holds %s"),
                           found, shared->check);
  return result;
}

/** Every access, event or sample is accounted for, and what was read is true by the strategy's own
 *  word. */
static int
verify_hardware (Run *run)
{
  int result = ov_hardware_job_account (run->spec, run->shared);

  if (result == 0 && OV_HAS (OvStrategy, run->strategy, verify) && run->strategy->verify != NULL)
    {
      result = run->strategy->verify (run->state);
      if (result != 0)
        return strategy_failed (run, result, _ ("What the strategy found is not true"));
    }
  return result;
}

static int
phase_verify (Run *run)
{
  OvShared *shared = run->shared;
  const OvRunSpec *spec = run->spec;
  const OvLive *live = &shared->live;

  look_at_cache (run);
  if (shared->slept_ns > SLEEP_MIN_NS)
    return ov_shared_fail (shared, -EPROTO, _ ("The machine slept during the run"));
  if (shared->sequence_lost > 0)
    return ov_shared_fail (shared, -EPROTO, _ ("The strategy used a slot beyond its depth"));
  if (live->submitted != live->completed)
    return ov_shared_fail (shared, -EPROTO, _ ("The strategy left %" PRId64 " requests behind"),
                           (gint64)(live->submitted - live->completed));
  if (run->hardware)
    return verify_hardware (run);
  if ((run->strategy->caps & OV_CAP_CONTROL) == 0 && run->writing == NULL)
    ov_host_context_finish_check (run->context);
  if (spec->job != OV_JOB_COUNT && run->writing == NULL)
    return 0;
  if (live->consumed_bytes != (spec->job == OV_JOB_TRANSFER ? 2 : 1) * spec->size)
    return ov_shared_fail (
        shared, -EPROTO, _ ("The strategy used %" PRIu64 " bytes instead of %" PRIu64),
        live->consumed_bytes, (spec->job == OV_JOB_TRANSFER ? 2 : 1) * spec->size);
  if (run->writing != NULL)
    return verify_written (run);
  if (run->order->expected_count >= 0 && (run->strategy->caps & OV_CAP_CONTROL) == 0
      && spec->size == run->task.file_size
      && (spec->work == OV_WORK_PLAIN || spec->work == OV_WORK_FAST || spec->work == OV_WORK_SLOW)
      && live->count != (guint64)run->order->expected_count)
    return ov_shared_fail (shared, -EPROTO,
                           _ ("The strategy counted %" PRIu64 " letters where there are %" PRId64),
                           live->count, run->order->expected_count);
  return 0;
}

/** With a neighbour: shares its processor, and waits until it has seen the machine without the
 *  strategy.  Where that is not to be had the run goes on, and says so. */
static int
meet_neighbour (Run *run)
{
  int result = 0;

  if (run->spec->neighbour == OV_NEIGHBOUR_NONE)
    return 0;
  if (run->order->processor >= 0)
    result = ov_neighbour_pin (run->order->processor);
  if (result == 0)
    result = ov_neighbour_await (run->shared);
  if (result == 0 || result == -ECANCELED)
    return result;
  ov_host_context_add_effective (run->context, "neighbour", "none");
  return 0;
}

/** Finds the names, while everything is still loaded, and hands the profile to the session. */
static void
write_profile (Run *run)
{
  g_autoptr (OvProfile) profile = ov_profiler_finish (run->profiler);
  g_autoptr (JsonNode) node = ov_profile_to_json (profile);
  g_autofree char *line = ov_message_line (node);
  gsize left = strlen (line);

  for (const char *at = line; left > 0;)
    {
      const ssize_t n = write (run->text_fd, at, left);

      if (n <= 0)
        break;
      at += n;
      left -= (gsize)n;
    }
  g_clear_pointer (&run->profiler, ov_profiler_free);
}

/** Enters a phase unless the run is stopped: 0 or -ECANCELED. */
static int
enter (Run *run, OvPhase phase)
{
  if (ov_shared_stopped (run->shared))
    return -ECANCELED;
  ov_shared_enter (run->shared, phase);
  return 0;
}

/** Discarded pass, condition, prepare, run, verify; the release is the caller's. */
static int
measure (Run *run)
{
  OvShared *shared = run->shared;
  const gboolean writes = (run->spec->job & OV_WRITE_JOBS) != 0;
  int result = 0;

  if (run->spec->discard && writes)
    {
      result = enter (run, OV_PHASE_RESTORE);
      if (result == 0)
        result = phase_restore (run);
    }
  if (run->spec->discard && result == 0)
    {
      result = enter (run, OV_PHASE_DISCARD);
      set_disk (run, FALSE, TRUE);
      if (result == 0)
        result = phase_discard (run);
      set_disk (run, FALSE, FALSE);
    }
  if (result == 0 && writes)
    {
      result = enter (run, OV_PHASE_RESTORE);
      if (result == 0)
        result = phase_restore (run);
    }
  if (result == 0)
    result = enter (run, OV_PHASE_CONDITION);
  if (result == 0)
    result = phase_condition (run);
  if (result == 0)
    result = enter (run, OV_PHASE_PREPARE);
  if (result != 0)
    return result;

  ov_process_reset_peak ();
  shared->resident_base = ov_process_resident ();
  ov_host_context_set_timing (run->context, run->spec->timing);
  set_disk (run, FALSE, TRUE);
  if (run->spec->profile)
    run->profiler = ov_profiler_new ();
  result = prepare (run);
  if (result == 0)
    result = enter (run, OV_PHASE_RUN);
  if (result != 0)
    return result;
  result = phase_run (run);
  shared->peak_memory = ov_process_peak ();
  if (shared->peak_memory >= 0 && shared->resident_base >= 0)
    shared->peak_memory = MAX (shared->peak_memory - shared->resident_base, 0);
  if (result == 0 && writes)
    {
      ov_shared_enter (shared, OV_PHASE_SYNC);
      result = ov_write_job_sync (run->writing, TRUE);
    }
  if (result == 0)
    {
      ov_shared_enter (shared, OV_PHASE_VERIFY);
      result = phase_verify (run);
    }
  else if (shared->stop == OV_STOP_TIME_LIMIT && run->spec->job != OV_JOB_COUNT)
    look_at_cache (run);
  return result;
}

void
ov_run_child (const OvRunOrder *order, OvShared *shared, int wake_fd, int text_fd)
{
  Run run = { .order = order,
              .spec = order->spec,
              .shared = shared,
              .fd = -1,
              .text_fd = text_fd,
              .hardware = (order->spec->job & OV_HARDWARE_JOBS) != 0 };
  struct sigaction action = { .sa_handler = on_sigbus };
  g_autofree char *path = NULL;
  int result;

  signal_shared = shared;
  sigaction (SIGBUS, &action, NULL);
  /* A file that grows too large is an error of the call, not the end of the process. */
  signal (SIGXFSZ, SIG_IGN);
  ov_shared_enter (shared, OV_PHASE_PROBE);
  result = phase_probe (&run);
  if (result == 0)
    {
      /* The very file that was checked, opened anew with the strategy's own flags. */
      path = run.hardware ? NULL : g_strdup_printf ("/proc/self/fd/%d", run.fd);
      run.task.path = path;
      run.context = ov_host_context_new (shared, &run.task, wake_fd);
      ov_host_context_set_scale (run.context, order->ns_per_stamp_q32);
      result = meet_neighbour (&run);
      if (result == 0)
        result = start_watcher (&run, wake_fd);
      if (result == 0)
        result = measure (&run);
      shared->done_ns = ov_clock_now_ns ();
      if (run.profiler != NULL)
        write_profile (&run);
      ov_shared_enter (shared, OV_PHASE_RELEASE);
      release (&run);
      g_clear_pointer (&run.watcher, ov_watcher_free);
      g_clear_pointer (&run.context, ov_host_context_free);
      if (run.writing != NULL && result != 0)
        ov_write_job_give_back (run.writing);
      g_clear_pointer (&run.writing, ov_write_job_free);
    }
  else
    shared->done_ns = ov_clock_now_ns ();
  shared->error = result;
  ov_shared_enter (shared, OV_PHASE_ENDED);
  __atomic_store_n (&shared->finished, 1, __ATOMIC_RELEASE);
}
