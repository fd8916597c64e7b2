// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What size costs: results of 10, 1,000 and 100,000 runs, and logs of 100, 10,000 and 1,000,000
 * requests: writing, reading, statistics, comparison, chart. Prints a table: seconds of the clock,
 * for reading also CPU seconds of all threads, and the memory that reading needs at its peak, in
 * MB. Each line is measured in a process of its own.
 *
 *     meson test -C build --benchmark growth --verbose
 *
 * With two arguments, PATH and NUMBER, it writes a result of that many runs there: something large
 * to open in the window. With a third one, "requests", it is one run with a log of that many.
 */
#include "config.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "chart/ov-export.h"
#include "report/ov-result-chart.h"
#include "report/ov-verdict.h"

static OvExperiment *
make_experiment (void)
{
  g_autoptr (JsonNode) node = json_from_string (
      "{\"overlap-experiment\":1,\"id\":\"growth\",\"title\":\"Growth\",\"others\":true,"
      "\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\",\"values\":[1024]}]}]}",
      NULL);
  OvExperiment *experiment = ov_experiment_from_json (node, NULL, NULL);

  g_assert_nonnull (experiment);
  return experiment;
}

/* Ten lines, ten repetitions, as many values of x as are needed. */
static OvResult *
make_result (guint n)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  OvResult *result = ov_result_new (experiment);

  for (guint i = 0; i < n; i++)
    {
      OvRunSpec *spec = ov_run_spec_new ();
      OvRun *run;

      g_free (spec->variant);
      spec->index = i;
      spec->strategy = g_strdup_printf ("family.strategy-%u", i % 10);
      spec->variant = g_strdup (spec->strategy);
      spec->target = g_strdup ("/srv");
      spec->repetition = i / 10 % 10;
      spec->size = 1024000 * ((guint64)i / 100 + 1);
      spec->x = (double)spec->size;
      run = ov_run_new (spec);
      run->state = OV_STATE_DONE;
      run->elapsed_ns = 1000000 + (gint64)(i * 7919 % 1000) * 100 + (gint64)(i % 10) * 50000;
      run->cpu_ns = run->elapsed_ns / 2;
      run->started_ns = (gint64)i * 5000000;
      run->bytes = (gint64)spec->size;
      run->check = g_strdup ("count=21904");
      run->latency = g_new (OvHistogram, 1);
      ov_histogram_init (run->latency);
      for (guint j = 0; j < 20; j++)
        ov_histogram_add (run->latency, 1000 * (guint64)(j + 1) + i % 100);
      ov_run_pack_latency (run);
      g_ptr_array_add (result->runs, run);
    }
  return result;
}

static OvResult *
make_log (guint n)
{
  OvResult *result = make_result (1);
  OvRun *run = result->runs->pdata[0];

  run->log = g_array_sized_new (FALSE, FALSE, sizeof (OvRequest), n);
  for (guint i = 0; i < n; i++)
    {
      gint64 t = (gint64)i * 1000;
      OvRequest request = { .submit_ns = t,
                            .complete_ns = t + 700,
                            .consume_start_ns = t + 800,
                            .consume_end_ns = t + 900,
                            .offset = (guint64)i * 4096,
                            .result = 4096,
                            .slot = i % 2 };

      g_array_append_val (run->log, request);
    }
  return result;
}

static gint64
status_kb (const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  at = strstr (text, key);
  return at != NULL ? g_ascii_strtoll (at + strlen (key), NULL, 10) : 0;
}

static void
reset_peak (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");

  if (file == NULL)
    return;
  fputs ("5", file);
  fclose (file);
}

static double
since (gint64 *begin)
{
  gint64 now = g_get_monotonic_time ();
  double seconds = (double)(now - *begin) / 1e6;

  *begin = now;
  return seconds;
}

static double
cpu_seconds (void)
{
  struct timespec cpu;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
  return (double)cpu.tv_sec + (double)cpu.tv_nsec * 1e-9;
}

static void
measure (const char *what, guint n, OvResult *made, gboolean logs, const char *folder)
{
  g_autoptr (OvResult) result = made;
  g_autoptr (OvResult) again = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GPtrArray) contests = NULL;
  g_autoptr (OvResultChart) chart = NULL;
  g_autofree char *path = g_build_filename (folder, "growth.json", NULL);
  g_autofree char *picture = g_build_filename (folder, "growth.svg", NULL);
  g_autoptr (GError) error = NULL;
  double save, load, load_cpu, sort, compare, draw;
  gint64 begin = g_get_monotonic_time ();
  gint64 before, peak;
  GStatBuf st;

  g_assert_true (ov_result_save (result, path, logs, &error));
  save = since (&begin);
  g_clear_pointer (&result, ov_result_unref);
  g_assert_cmpint (g_stat (path, &st), ==, 0);
  malloc_trim (0);
  reset_peak ();
  before = status_kb ("VmRSS:");
  load_cpu = cpu_seconds ();
  begin = g_get_monotonic_time ();
  again = ov_result_load (path, &error);
  g_assert_no_error (error);
  load = since (&begin);
  load_cpu = cpu_seconds () - load_cpu;
  peak = status_kb ("VmHWM:");
  cells = ov_result_cells (again);
  sort = since (&begin);
  contests = ov_contests_new (cells, OV_METRIC_ELAPSED);
  compare = since (&begin);
  chart = ov_result_chart_new_for_result (again);
  g_assert_true (ov_chart_export (OV_DRAWABLE (ov_result_chart_get_chart (chart)), picture,
                                  OV_EXPORT_SVG, 0, 0, 1, ov_theme_get (OV_THEME_PRINT, 1),
                                  &error));
  draw = since (&begin);
  printf ("%-9s %9u %9.2f %8.3f %8.3f %8.3f %8.3f %9.3f %8.3f %9.0f\n", what, n,
          (double)st.st_size / 1e6, save, load, load_cpu, sort, compare, draw,
          (double)(peak - before) * 1.024e-3);
  fflush (stdout);
  g_unlink (path);
  g_unlink (picture);
}

/* In a child, so that nothing is left of what was measured before. */
static void
measure_apart (const char *what, guint n, gboolean logs, const char *folder)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      measure (what, n, logs ? make_log (n) : make_result (n), logs, folder);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

int
main (int argc, char **argv)
{
  static const guint runs[] = { 10, 1000, 100000 };
  static const guint requests[] = { 100, 10000, 1000000 };
  g_autofree char *folder = g_dir_make_tmp ("overlap-growth-XXXXXX", NULL);

  if (argc >= 3)
    {
      const guint n = (guint)g_ascii_strtoull (argv[2], NULL, 10);
      const gboolean logs = argc > 3 && strcmp (argv[3], "requests") == 0;
      g_autoptr (OvResult) result = logs ? make_log (n) : make_result (n);
      g_autoptr (GError) error = NULL;

      g_rmdir (folder);
      ov_result_save (result, argv[1], logs, &error);
      g_assert_no_error (error);
      return 0;
    }
  g_assert_nonnull (folder);
  printf ("%-9s %9s %9s %8s %8s %8s %8s %9s %8s %9s\n", "", "number", "MB", "save s", "load s",
          "CPU s", "cells s", "compare s", "chart s", "memory MB");
  fflush (stdout);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    measure_apart ("runs", runs[i], FALSE, folder);
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    measure_apart ("requests", requests[i], TRUE, folder);
  g_rmdir (folder);
  return 0;
}
