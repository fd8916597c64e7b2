/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap-cli self-cost: runs in turn what differs in one kind of recording alone, and a bare loop
 * in this process that records nothing, over 4K requests from the page cache, where a microsecond
 * is much.  This is the one place where this program reads a file of its own making itself.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "base/ov-clock.h"
#include "cli/ov-cli-grid.h"
#include "cli/ov-cli.h"
#include "engine/ov-suite.h"
#include "metrics/ov-stats.h"
#include "model/ov-self-cost.h"
#include "overlap-strategy.h"
#include "report/ov-self-cost-table.h"

#define FILE_BYTES   (64 << 20)
#define BLOCK        4096
#define BUFFER_BYTES (2 << 20)
#define CHECK_EVERY  256
#define SEED         12345
#define LOG_CAPACITY (1024 * 1024) /* as a plan's: room for every request of such a run */
#define WINDOW_PAIRS 6
#define WINDOW_S     1.0

/* What is run in turn; a cost is the ratio of two of them. */
typedef enum
{
  WAY_QUIET, /* counters, and nobody looks at the run */
  WAY_COUNTERS,
  WAY_LATENCY,
  WAY_TIMELINE,
  WAY_PROFILE,
  N_RUN_WAYS,
  WAY_BARE = N_RUN_WAYS,
  N_WAYS,
} Way;

static const struct
{
  OvCostKind kind;
  Way with;
  Way without;
} ratios[] = {
  { OV_COST_COUNTERS, WAY_COUNTERS, WAY_BARE },     { OV_COST_LATENCY, WAY_LATENCY, WAY_COUNTERS },
  { OV_COST_TIMELINE, WAY_TIMELINE, WAY_COUNTERS }, { OV_COST_SAMPLER, WAY_COUNTERS, WAY_QUIET },
  { OV_COST_PROFILE, WAY_PROFILE, WAY_COUNTERS },
};

typedef struct
{
  int pairs;
  double seconds;
  char *folder;
  gboolean no_window;
  gboolean quiet;
  gboolean steps; /* progress as lines with a percentage, for a program that reads them */
} Options;

typedef struct
{
  const Options *options;
  GMainLoop *loop;
  OvSuite *suite;
  GSubprocess *program; /* that is waited for, or NULL */
  GError *error;
  gboolean stopped;
  int fd;                /* of the file, which has no name */
  char *path;            /* by which the worker opens it */
  void *buffer;          /* as a run's: aligned to 2 MiB, huge where the kernel gives one */
  GArray *times[N_WAYS]; /* of double: seconds a request, by repetition */
  char *cause;           /* the first cause of a run that is not done */
  guint n_ended;
} Work;

static void
work_clear (Work *work)
{
  g_clear_object (&work->suite);
  g_clear_pointer (&work->loop, g_main_loop_unref);
  g_clear_error (&work->error);
  g_clear_pointer (&work->path, g_free);
  g_clear_pointer (&work->cause, g_free);
  free (work->buffer);
  if (work->fd >= 0)
    close (work->fd);
  for (guint w = 0; w < N_WAYS; w++)
    g_clear_pointer (&work->times[w], g_array_unref);
}

/* ---- The file ------------------------------------------------------------------------------- */

static gboolean
fill (int fd)
{
  g_autofree guint64 *words = g_malloc (BUFFER_BYTES);
  guint64 x = SEED;

  for (guint n = 0; n < FILE_BYTES / BUFFER_BYTES; n++)
    {
      for (guint i = 0; i < BUFFER_BYTES / sizeof *words; i++)
        words[i] = x = x * 6364136223846793005u + 1442695040888963407u;
      for (gsize done = 0; done < BUFFER_BYTES;)
        {
          gssize wrote = write (fd, (char *)words + done, BUFFER_BYTES - done);

          if (wrote < 0 && errno != EINTR)
            return FALSE;
          done += wrote > 0 ? (gsize)wrote : 0;
        }
    }
  return TRUE;
}

/* A file that has no name, so that nothing is left of it whatever ends this program. */
static gboolean
make_file (Work *work)
{
  const char *folder = work->options->folder;

  work->fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (work->fd < 0)
    {
      g_autofree char *name = g_build_filename (folder, "overlap-self-cost-XXXXXX", NULL);

      work->fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
      if (work->fd >= 0)
        g_unlink (name);
    }
  if (work->fd < 0 || !fill (work->fd))
    {
      ov_cli_complain ("%s: %s", folder, g_strerror (errno));
      return FALSE;
    }
  work->path = g_strdup_printf ("/proc/%d/fd/%d", (int)getpid (), work->fd);
  if (posix_memalign (&work->buffer, BUFFER_BYTES, BUFFER_BYTES) != 0)
    {
      work->buffer = NULL;
      return FALSE;
    }
  madvise (work->buffer, BUFFER_BYTES, MADV_HUGEPAGE);
  memset (work->buffer, 1, BUFFER_BYTES);
  return TRUE;
}

/* ---- The bare loop -------------------------------------------------------------------------- */

static void
run_bare (Work *work)
{
  OvTask task = { .block = BLOCK, .order = OV_ORDER_RANDOM, .seed = SEED, .length = FILE_BYTES };
  OvPositions positions;
  gint64 begin, now, end;
  guint64 n = 0;
  double time;

  ov_positions_init (&positions, &task);
  begin = ov_clock_now_ns ();
  end = begin + (gint64)(work->options->seconds * 1e9);
  do
    {
      for (guint i = 0; i < CHECK_EVERY; i++)
        if (pread (work->fd, work->buffer, BLOCK, (off_t)ov_position (&positions)) != BLOCK)
          return;
      n += CHECK_EVERY;
      now = ov_clock_now_ns ();
    }
  while (now < end);
  time = (double)(now - begin) / 1e9 / (double)n;
  g_array_append_val (work->times[WAY_BARE], time);
}

/* ---- Progress ------------------------------------------------------------------------------- */

/* `runs` of ours and `pairs` with and without the window have ended. */
static void
tell (const Work *work, guint runs, guint pairs)
{
  const Options *options = work->options;
  /* A program takes some time to start and to end, most of all one with a window. */
  const double run = options->seconds + 0.15;
  const double pair = options->no_window ? 0 : 2 * WINDOW_S + 2;
  const double whole = run * N_RUN_WAYS * options->pairs + pair * WINDOW_PAIRS;
  const guint percent = (guint)(100 * (run * runs + pair * pairs) / whole);

  if (options->steps)
    fprintf (stderr, "%u\n", percent);
  else if (!options->quiet)
    fprintf (stderr, "\r%3u %%", percent);
}

/* ---- Overlap's own runs --------------------------------------------------------------------- */

static char *
experiment_text (double seconds, guint repetitions)
{
  char limit[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (limit, sizeof limit, "%.3f", seconds);
  return g_strdup_printf (
      "{\"overlap-experiment\":1,\"id\":\"self-cost\",\"title\":\"Cost of "
      "measuring\",\"job\":\"blocks\","
      "\"strategies\":[\"posix.pread\"],\"block\":%d,\"work\":\"none\",\"condition\":\"warm\","
      "\"positions\":\"random\",\"requests\":1099511627776,\"time-limit\":%s,\"repetitions\":%u,"
      "\"timing\":\"counters\",\"seed\":%d,\"presets\":[{\"id\":\"one\",\"title\":\"One\",\"axes\":"
      "[{\"parameter\":\"block\",\"values\":[%d]}]}]}",
      BLOCK, limit, repetitions, SEED, BLOCK);
}

/* The way of the n-th run: forwards and backwards in turn. */
static Way
way_of (guint n)
{
  guint place = n % N_RUN_WAYS;

  return (Way)(n / N_RUN_WAYS % 2 == 0 ? place : N_RUN_WAYS - 1 - place);
}

static void
set_way (OvRunSpec *spec, Way way)
{
  spec->quiet = way == WAY_QUIET;
  spec->timing = way == WAY_LATENCY    ? OV_TIMING_LATENCY
                 : way == WAY_TIMELINE ? OV_TIMING_TIMELINE
                                       : OV_TIMING_COUNTERS;
  spec->log_capacity = way == WAY_TIMELINE ? LOG_CAPACITY : 0;
  spec->profile = way == WAY_PROFILE;
}

static OvPlan *
make_plan (const Work *work, OvExperiment *experiment, GPtrArray *strategies)
{
  const char *const targets[] = { work->path, NULL };
  const guint64 size = FILE_BYTES;
  const gboolean is_file = TRUE;
  g_autoptr (GError) error = NULL;
  OvPlanChoice choice;
  OvPlan *plan;

  ov_plan_choice_init (&choice);
  choice.targets = targets;
  choice.target_sizes = &size;
  choice.target_is_file = &is_file;
  choice.no_discard = TRUE;
  plan = ov_plan_new (experiment, &choice, strategies, &error);
  if (plan == NULL)
    ov_cli_complain ("%s", error->message);
  for (guint i = 0; plan != NULL && i < plan->specs->len; i++)
    set_way (plan->specs->pdata[i], way_of (i));
  return plan;
}

static void
on_ended (OvSuite *suite, OvRun *run, Work *work)
{
  Way way = way_of (work->n_ended);
  double time = (double)run->elapsed_ns / 1e9 / (double)run->completed;

  if (run->completed <= 0 || run->elapsed_ns <= 0 || run->state != OV_STATE_DONE)
    {
      time = NAN;
      if (work->cause == NULL && run->cause != NULL)
        work->cause = g_strdup (run->cause);
    }
  g_array_append_val (work->times[way], time);
  g_clear_pointer (&run->log, g_array_unref); /* millions of requests that nobody looks at */
  work->n_ended++;
  tell (work, work->n_ended, 0);
  /* Beside the runs with counters on either side: before the first and behind the last. */
  if (work->n_ended % N_RUN_WAYS == 0 && work->n_ended / N_RUN_WAYS % 2 == 0)
    run_bare (work);
  if (work->n_ended % N_RUN_WAYS == 0 && work->n_ended / N_RUN_WAYS % 2 == 0
      && work->n_ended / N_RUN_WAYS < (guint)work->options->pairs)
    run_bare (work);
}

static void
on_finished (OvSuite *suite, const GError *error, Work *work)
{
  if (error != NULL)
    work->error = g_error_copy (error);
  g_main_loop_quit (work->loop);
}

static gboolean
on_signal (gpointer data)
{
  Work *work = data;

  work->stopped = TRUE;
  if (work->program != NULL)
    g_subprocess_send_signal (work->program, SIGTERM);
  else if (work->suite != NULL)
    ov_suite_stop (work->suite);
  else
    ov_cli_cancel ();
  return G_SOURCE_CONTINUE;
}

static gboolean
run_all (Work *work, const OvLauncher *launcher)
{
  g_autofree char *text
      = experiment_text (work->options->seconds, N_RUN_WAYS * (guint)work->options->pairs);
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, NULL, NULL);
  g_autoptr (OvCatalog) catalog = ov_cli_load_catalog (launcher);
  OvPlan *plan;

  g_assert (experiment != NULL);
  plan = catalog != NULL ? make_plan (work, experiment, catalog->strategies) : NULL;
  if (plan == NULL)
    return FALSE;
  work->loop = g_main_loop_new (NULL, FALSE);
  work->suite = ov_suite_new (experiment, plan, launcher);
  g_signal_connect (work->suite, "run-ended", G_CALLBACK (on_ended), work);
  g_signal_connect (work->suite, "finished", G_CALLBACK (on_finished), work);
  run_bare (work);
  ov_suite_start (work->suite);
  if (ov_suite_get_state (work->suite) != OV_SUITE_ENDED)
    g_main_loop_run (work->loop);
  if (!work->options->quiet && !work->options->steps)
    fprintf (stderr, "\r      \r");
  if (work->error != NULL && !work->stopped)
    ov_cli_complain ("%s", work->error->message);
  return work->error == NULL && !work->stopped;
}

/* ---- The window ----------------------------------------------------------------------------- */

/* The window's program: beside this one, where both are installed or built, else in the path. */
static char *
find_window (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : g_strdup ("");
  g_autofree char *beside = g_build_filename (folder, "overlap", NULL);
  g_autofree char *built = g_build_filename (folder, "..", "gui", "overlap", NULL);

  if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&built);
  return g_find_program_in_path ("overlap");
}

/* Seconds a request of the only run of a result, which is removed; NaN without. */
static double
take_time (const char *path)
{
  g_autoptr (OvResult) result = ov_result_load (path, NULL);
  const OvRun *run
      = result != NULL && result->runs->len == 1 ? g_ptr_array_index (result->runs, 0) : NULL;

  g_unlink (path);
  return run != NULL && run->state == OV_STATE_DONE && run->completed > 0
             ? (double)run->elapsed_ns / 1e9 / (double)run->completed
             : NAN;
}

static void
on_program_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  Work *work = data;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  g_main_loop_quit (work->loop);
}

/* Waits for it in the main loop, so that a signal is heard meanwhile. */
static gboolean
run_program (Work *work, const char *const *words, char **environment)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  gboolean good;

  if (work->stopped)
    return FALSE;
  if (environment != NULL)
    g_subprocess_launcher_set_environ (launcher, environment);
  work->program = g_subprocess_launcher_spawnv (launcher, words, NULL);
  if (work->program == NULL)
    return FALSE;
  g_subprocess_wait_async (work->program, NULL, on_program_ended, work);
  g_main_loop_run (work->loop);
  good = g_subprocess_get_successful (work->program) && !work->stopped;
  g_clear_object (&work->program);
  return good;
}

static double
time_by_command (Work *work, const char *experiment, const char *folder)
{
  g_autofree char *json = g_build_filename (folder, "command.json", NULL);
  const char *const words[] = { "/proc/self/exe", "run", experiment, "--target",     work->path,
                                "--json",         json,  "--quiet",  "--no-discard", NULL };

  return run_program (work, words, NULL) ? take_time (json) : NAN;
}

/* The first result in the folder where the window stores them. */
static double
time_by_window (Work *work, const char *program, const char *experiment, const char *folder)
{
  g_autofree char *data = g_build_filename (folder, "data", NULL);
  g_autofree char *results = g_build_filename (data, "overlap", "results", NULL);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "XDG_DATA_HOME", data, TRUE);
  g_autoptr (GDir) dir = NULL;
  const char *name;
  double time = NAN;
  const char *const words[] = { program,    "--experiment", experiment,         "--target",
                                work->path, "--run",        "--quit-after-run", NULL };

  environment = g_environ_setenv (environment, "GSETTINGS_BACKEND", "memory", TRUE);
  if (!run_program (work, words, environment))
    return NAN;
  dir = g_dir_open (results, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (results, name, NULL);

      time = take_time (path);
    }
  return time;
}

static void
remove_folders (const char *folder)
{
  static const char *const names[]
      = { "cost.json", "data/overlap/results", "data/overlap", "data" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

static void
set_cost (OvCost *cost, const double *with, const double *without, guint n, const char *cause)
{
  double ratio, lo, hi;

  ov_stats_paired_ratio (with, without, n, OV_STATS_RESAMPLES, SEED, OV_STATS_LEVEL, &ratio, &lo,
                         &hi);
  if (isnan (ratio))
    {
      cost->cause = g_strdup (cause != NULL ? cause : _ ("a run did not end as it should"));
      return;
    }
  cost->n = n;
  cost->cost = ratio - 1;
  cost->lo = lo - 1;
  cost->hi = hi - 1;
}

static void
measure_window (Work *work, OvCost *cost)
{
  g_autofree char *program = find_window ();
  g_autofree char *folder = NULL;
  g_autofree char *experiment = NULL;
  g_autofree char *text = experiment_text (WINDOW_S, 1);
  double with[WINDOW_PAIRS], without[WINDOW_PAIRS];

  if (work->options->no_window)
    cost->cause = g_strdup (_ ("it was not wanted"));
  else if (program == NULL)
    cost->cause = g_strdup (_ ("the program overlap is not installed"));
  else if (g_getenv ("DISPLAY") == NULL && g_getenv ("WAYLAND_DISPLAY") == NULL)
    cost->cause = g_strdup (_ ("there is no display here"));
  if (cost->cause != NULL)
    return;
  folder = g_dir_make_tmp ("overlap-self-cost-XXXXXX", NULL);
  experiment = g_build_filename (folder != NULL ? folder : "", "cost.json", NULL);
  if (folder == NULL || !g_file_set_contents (experiment, text, -1, NULL))
    {
      cost->cause = g_strdup (_ ("the temporary folder cannot be written"));
      return;
    }
  for (guint i = 0; i < WINDOW_PAIRS; i++)
    with[i] = without[i] = NAN;
  for (guint i = 0; i < WINDOW_PAIRS; i++)
    {
      if (i % 2 == 0)
        without[i] = time_by_command (work, experiment, folder);
      with[i] = time_by_window (work, program, experiment, folder);
      if (i % 2 != 0)
        without[i] = time_by_command (work, experiment, folder);
      tell (work, N_RUN_WAYS * (guint)work->options->pairs, i + 1);
      if (isnan (with[i]) || isnan (without[i]))
        break; /* the others would be no better */
    }
  if (!work->options->quiet && !work->options->steps)
    fprintf (stderr, "\r      \r");
  remove_folders (folder);
  set_cost (cost, with, without, WINDOW_PAIRS, _ ("the window could not run it"));
}

/* ---- What came out -------------------------------------------------------------------------- */

static void
print (const OvSelfCost *cost)
{
  g_autoptr (OvTable) table = ov_self_cost_table_new (cost);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autoptr (OvCliGrid) grid = NULL;
  const guint n = ov_table_get_n_columns (table);

  for (guint c = 0; c < n; c++)
    g_ptr_array_add (titles, (gpointer)ov_table_get_header (table, c));
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

static void
work_out (const Work *work, OvSelfCost *cost)
{
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++)
    {
      const GArray *with = work->times[ratios[i].with];
      const GArray *without = work->times[ratios[i].without];

      set_cost (&cost->costs[ratios[i].kind], (const double *)(gpointer)with->data,
                (const double *)(gpointer)without->data, MIN (with->len, without->len),
                work->cause);
    }
}

static int
measure (const Options *options)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
  static Work work; /* the signals' handlers outlive this call */
  g_autoptr (OvLauncher) launcher = ov_cli_launcher (NULL);
  g_autoptr (OvSelfCost) cost = ov_self_cost_new ();
  g_autoptr (GError) error = NULL;
  int status = OV_EXIT_FAILED;

  work.options = options;
  work.fd = -1;
  for (guint w = 0; w < N_WAYS; w++)
    work.times[w] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_unix_signal_add (signals[i], on_signal, &work);
  if (!ov_self_cost_can_save (&error))
    ov_cli_complain ("%s", error->message);
  else if (make_file (&work) && run_all (&work, launcher))
    {
      const OvMachine *machine = ov_suite_get_result (work.suite)->machine;

      cost->date = g_get_real_time () / G_USEC_PER_SEC;
      cost->host = g_strdup (machine != NULL ? machine->host : NULL);
      cost->kernel = g_strdup (machine != NULL ? machine->kernel : NULL);
      work_out (&work, cost);
      measure_window (&work, &cost->costs[OV_COST_WINDOW]);
      if (!work.stopped)
        print (cost);
      if (!work.stopped && ov_self_cost_save (cost, &error))
        status = OV_EXIT_OK;
      else if (!work.stopped)
        ov_cli_complain ("%s", error->message);
    }
  if (work.stopped)
    status = OV_EXIT_STOPPED;
  work_clear (&work);
  return status;
}

int
ov_cli_self_cost (int argc, char **argv)
{
  Options options = { .pairs = 12, .seconds = 0.25 };
  const GOptionEntry entries[]
      = { { "pairs", 'n', 0, G_OPTION_ARG_INT, &options.pairs,
            N_ ("Runs of each kind, 6 to 1000; 12 unless given"), N_ ("N") },
          { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options.seconds,
            N_ ("Length of each run, 0.05 to 10; 0.25 unless given"), N_ ("SECONDS") },
          { "folder", 0, 0, G_OPTION_ARG_FILENAME, &options.folder,
            N_ ("Where the file of 64M is made; /var/tmp unless given"), N_ ("FOLDER") },
          { "no-window", 0, 0, G_OPTION_ARG_NONE, &options.no_window,
            N_ ("Leave out what the window costs"), NULL },
          { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, N_ ("No progress"), NULL },
          { "steps", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options.steps, NULL, NULL },
          { NULL } };
  int status = OV_EXIT_USAGE;

  if (ov_cli_parse (NULL,
                    _ ("Measures what counting, recording and watching cost on this machine, on 4K "
                       "requests from the page cache, and keeps it for the results to come."),
                    entries, &argc, &argv))
    {
      if (argc != 1)
        ov_cli_complain (_ ("\"self-cost\" wants no arguments"));
      else if (options.pairs < 6 || options.pairs > 1000)
        ov_cli_complain (_ ("--pairs: wants 6 to 1000"));
      else if (!(options.seconds >= 0.05 && options.seconds <= 10))
        ov_cli_complain (_ ("--seconds: wants 0.05 to 10"));
      else
        {
          if (options.folder == NULL)
            options.folder = g_strdup ("/var/tmp");
          status = measure (&options);
        }
    }
  g_free (options.folder);
  return status;
}
