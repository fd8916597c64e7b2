// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Draws one picture of each kind that the charts can be asked for, to be looked at:
 * `ov-chart-demo FOLDER [NAME [SUFFIX]]`. With `--check` it draws all of them into memory, in every
 * theme and at a narrow and a wide size, and says in TAP whether something is on each. Its figures
 * are made up, but for the article's, which are read from data/articles. Used by people and by the
 * test `chart-demo`; no part of what is installed.
 */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "chart/ov-chart.h"
#include "chart/ov-export.h"
#include "chart/ov-lane-chart.h"
#include "chart/ov-live-canvas.h"
#include "chart/ov-time-chart.h"

#define MS 1e6
#define K  1024.0

typedef struct
{
  const char *name;
  OvDrawable *(*make) (void);
  OvThemeKind theme;
  double font_scale;
  int width;
  int height;
  gboolean live; /* through an OvLiveCanvas, as the window draws it */
} Scene;

static OvAxis *
axis (OvAxisKind kind, OvAxisUnit unit, const char *title)
{
  OvAxis *a = ov_axis_new (kind, unit);

  ov_axis_set_title (a, title);
  return a;
}

static OvChart *
chart_with_axes (OvAxis *x, OvAxis *y)
{
  OvChart *chart = ov_chart_new ();

  ov_chart_set_x_axis (chart, x);
  ov_chart_set_y_axis (chart, y);
  ov_axis_free (x);
  ov_axis_free (y);
  return chart;
}

static const char *const strategies[] = {
  "stdio.getc", "mmap.scan", "posix.read", "uring.wait", "libaio.wait", "thread.two",
};

static const double times_ms[][5] = {
  { 3.48, 6.73, 9.58, 12.45, 15.98 }, { 1.78, 3.33, 4.59, 6.21, 6.31 },
  { 1.73, 2.69, 4.00, 4.92, 5.36 },   { 1.44, 2.08, 2.82, 3.73, 4.02 },
  { 1.52, 2.31, 3.01, 3.9, 4.3 },     { 1.41, 2.12, 2.74, 3.56, 3.84 },
};

static const int demo_styles[] = { 4, 3, 0, 1, 2, 6 };

static void
add_times (OvChart *chart, guint n, const char *const *names)
{
  for (guint i = 0; i < n; i++)
    {
      guint s = ov_chart_add_series (chart, OV_CHART_LINE, names[i], demo_styles[i]);

      for (guint k = 0; k < 5; k++)
        {
          double y = times_ms[i][k] * MS;
          OvChartPoint p = { (k + 1) * 1000 * K, y, y * (0.96 - 0.01 * k), y * (1.04 + 0.008 * i),
                             i == 3 && k > 3 ? OV_CHART_POINT_PARTIAL : OV_CHART_POINT_DONE };

          ov_chart_set_point (chart, s, &p);
        }
    }
}

/* The article's figures, one reference line for each way. */
static void
add_article (OvChart *chart, guint group, gboolean counterparts)
{
  static const char *const names[]
      = { "PowerMac 7100/66, stdio", "PowerMac 7100/66, blocking", "PowerMac 7100/66, async" };
  static const int styles[] = { 4, 0, 1 };
  const char *folder = g_getenv ("OVERLAP_DATA_DIR");
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  guint first = ov_chart_get_n_series (chart);

  g_assert_nonnull (folder);
  path = g_build_filename (folder, "articles", "async-read-powermac-7100.csv", NULL);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      guint s = ov_chart_add_series (chart, OV_CHART_REFERENCE, names[i],
                                     counterparts ? styles[i] : -1);

      ov_chart_set_series_own_scale (chart, s, group);
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      if (!g_ascii_isdigit (lines[i][0]))
        continue;
      for (guint k = 0; k < 3; k++)
        ov_chart_set_value (chart, first + k, g_ascii_strtod (cells[0], NULL) * K,
                            g_ascii_strtod (cells[k + 1], NULL) * MS);
    }
}

static OvDrawable *
make_article (void)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LINEAR, OV_UNIT_BYTES, "file size"),
                                    axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));

  ov_chart_set_title (chart, "Time to count");
  ov_chart_set_subtitle (chart, "median of 7, 95 % interval");
  ov_chart_set_note (chart, "home · ext4 on nvme0n1 · cold: 0.0 % resident · 30 November 2026");
  add_times (chart, 4, strategies);
  add_article (chart, 1, FALSE);
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_article_one (void)
{
  OvDrawable *chart = make_article ();

  ov_chart_set_series_visible (OV_CHART (chart), 5, FALSE);
  ov_chart_set_series_visible (OV_CHART (chart), 6, FALSE);
  return chart;
}

static OvDrawable *
make_article_same_scale (void)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LINEAR, OV_UNIT_BYTES, "file size"),
                                    axis (OV_AXIS_LOG10, OV_UNIT_DURATION, NULL));

  ov_chart_set_title (chart, "Time to count");
  ov_chart_set_subtitle (chart, "then and now");
  add_times (chart, 4, strategies);
  add_article (chart, 0, TRUE);
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_cursor (void)
{
  OvDrawable *chart = make_article ();
  OvChartHit hit = { 2, 3 };

  ov_chart_set_cursor (OV_CHART (chart), &hit);
  ov_chart_set_highlight (OV_CHART (chart), 2);
  return chart;
}

static OvDrawable *
make_words (const char *title, const char *subtitle, const char *x, const char *const *names,
            const char *note)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LINEAR, OV_UNIT_BYTES, x),
                                    axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));

  ov_chart_set_title (chart, title);
  ov_chart_set_subtitle (chart, subtitle);
  ov_chart_set_note (chart, note);
  add_times (chart, 4, names);
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_long_words (void)
{
  static const char *const names[]
      = { "stdio.getc, locked, with a stream buffer of 65536 bytes on a slow network folder",
          "mmap.scan with MAP_POPULATE and two mebibyte pages", "posix.read",
          "uring.wait: registered buffers, registered file, kernel polling thread" };

  return make_words (
      "The time that it takes to count one letter in a text file of five sizes, "
      "read by every strategy that this machine allows",
      "median of seven repetitions in alternating order with the 95 % interval by "
      "bootstrap",
      "size of the file that was read, from its first byte to its last", names,
      "A very long note about the machine: AMD EPYC, two processors, 23 GB, "
      "virtio disk, ext4, kernel 6.18.44, cold cache, measured in November; simulated disk of "
      "20 MB/s with 200 µs for each request and 8 ms for each seek");
}

static OvDrawable *
make_japanese (void)
{
  static const char *const names[]
      = { "標準入出力", "メモリマップ", "同期読み込み", "非同期読み込み" };

  return make_words ("文字を数える時間", "七回の中央値、95 % 区間", "ファイルの大きさ", names,
                     "模擬ディスク 20 MB/s");
}

static OvDrawable *
make_arabic (void)
{
  static const char *const names[]
      = { "القراءة القياسية", "تعيين الذاكرة", "قراءة متزامنة", "قراءة غير متزامنة" };

  return make_words ("زمن عد الحرف", "وسيط سبع مرات، فترة 95 %", "حجم الملف", names,
                     "قرص محاكى 20 MB/s");
}

static OvDrawable *
make_german (void)
{
  static const char *const names[] = { "Zeichenweise über die C-Bibliothek", "Speicherabbildung",
                                       "Synchrones Lesen", "Asynchrones Lesen mit zwei Puffern" };

  return make_words ("Dauer der Buchstabenzählung", "Median aus sieben, 95-%-Vertrauensbereich",
                     "Dateigröße", names, "Simulierter Datenträger, 20 MB/s");
}

static OvDrawable *
make_lines (guint n)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LOG2, OV_UNIT_BYTES, "block size"),
                                    axis (OV_AXIS_LINEAR, OV_UNIT_RATE, NULL));

  ov_chart_set_title (chart, "Throughput");
  ov_chart_set_subtitle (chart, "one call of that size at a time");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("strategy.%02u", i + 1);
      guint s = ov_chart_add_series (chart, OV_CHART_LINE, name, -1);

      for (guint k = 0; k < 15; k++)
        {
          double size = 512 * pow (2, k);
          double top = 3.2e9 / (1 + i * 0.13);

          if (i == 5 && k == 7)
            ov_chart_set_value (chart, s, size, NAN);
          else
            ov_chart_set_value (chart, s, size, top * size / (size + 9000 * (1 + (i * 7) % 18)));
        }
    }
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_12_lines (void)
{
  return make_lines (12);
}

static OvDrawable *
make_18_lines (void)
{
  return make_lines (18);
}

static OvDrawable *
make_24_lines (void)
{
  return make_lines (24);
}

static OvDrawable *
make_bars (void)
{
  static const char *const targets[]
      = { "ext4 on nvme0n1", "tmpfs", "NFS server:/home", "FUSE sshfs", "USB stick vfat", NULL };
  static const char *const names[] = { "putc", "blocks of 4K", "blocks of 32K", "one write" };
  static const double ms[4][5] = { { 31.5, 29.6, 88, 120, 310 },
                                   { 6, 4, 60, 77, 240 },
                                   { 2.2, 2.8, 31, 42, 220 },
                                   { 1.3, 2.6, 25, 27, 0 } };
  OvAxis *x = axis (OV_AXIS_CATEGORY, OV_UNIT_NONE, NULL);
  OvChart *chart;

  ov_axis_set_categories (x, targets);
  chart = chart_with_axes (x, axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));
  ov_chart_set_title (chart, "How fwrite should write");
  ov_chart_set_subtitle (chart, "8 MB to five file systems, median of 10, 95 % interval");
  for (guint i = 0; i < 4; i++)
    {
      guint s = ov_chart_add_series (chart, OV_CHART_BARS, names[i], -1);

      for (guint k = 0; k < 5; k++)
        {
          OvChartPoint p = { k, ms[i][k] * MS, ms[i][k] * MS * 0.92, ms[i][k] * MS * 1.1,
                             i == 1 && k == 4 ? OV_CHART_POINT_PARTIAL : OV_CHART_POINT_DONE };

          if (i == 2 && k == 2)
            p.y = NAN;
          ov_chart_set_point (chart, s, &p);
        }
    }
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_stacked (void)
{
  static const char *const ways[]
      = { "direct", "memcpy through a buffer", "byte by byte", "mlock, then direct", NULL };
  static const double s[3][4] = { { 0.001, 0.022, 0.191, 0.002 },
                                  { 0.037, 0.036, 0.045, 0.041 },
                                  { 0.039, 0.06, 0.309, 0.05 } };
  static const char *const names[] = { "user", "system", "elapsed" };
  OvAxis *x = axis (OV_AXIS_CATEGORY, OV_UNIT_NONE, NULL);
  OvChart *chart;

  ov_axis_set_categories (x, ways);
  chart = chart_with_axes (x, axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));
  ov_chart_set_title (chart, "Copying or not");
  ov_chart_set_subtitle (chart, "320 MB written and read in chunks of 8 MB");
  for (guint i = 0; i < 3; i++)
    {
      guint k = ov_chart_add_series (chart, i < 2 ? OV_CHART_STACKED : OV_CHART_BARS, names[i],
                                     i == 0   ? 0
                                     : i == 1 ? 6
                                              : 4);

      for (guint c = 0; c < 4; c++)
        ov_chart_set_value (chart, k, c, s[i][c] * 1e9);
    }
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_many_categories (void)
{
  OvAxis *x = axis (OV_AXIS_CATEGORY, OV_UNIT_NONE, "strategy");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  OvChart *chart;
  guint s;

  for (guint i = 0; i < 22; i++)
    g_ptr_array_add (names, g_strdup_printf ("family%u.strategy with options %u", i / 4, i));
  g_ptr_array_add (names, NULL);
  ov_axis_set_categories (x, (const char *const *)names->pdata);
  chart = chart_with_axes (x, axis (OV_AXIS_LINEAR, OV_UNIT_PERCENT, NULL));
  ov_chart_set_title (chart, "CPU");
  ov_chart_set_subtitle (chart, "of one core");
  s = ov_chart_add_series (chart, OV_CHART_BARS, "CPU", -1);
  for (guint i = 0; i < 22; i++)
    ov_chart_set_value (chart, s, i, 20 + 90 * fabs (sin (i)));
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_empty (void)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LINEAR, OV_UNIT_BYTES, "file size"),
                                    axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));

  ov_chart_set_title (chart, "Time to count");
  ov_chart_add_series (chart, OV_CHART_LINE, "posix.read", -1);
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_single_point (void)
{
  OvChart *chart = chart_with_axes (axis (OV_AXIS_LINEAR, OV_UNIT_BYTES, "file size"),
                                    axis (OV_AXIS_LINEAR, OV_UNIT_DURATION, NULL));
  OvChartPoint p = { 64 * K, 0.8 * MS, 0.7 * MS, 0.95 * MS, OV_CHART_POINT_DONE };

  ov_chart_set_title (chart, "Time to count");
  ov_chart_set_point (chart, ov_chart_add_series (chart, OV_CHART_LINE, "posix.read", -1), &p);
  ov_chart_set_value (chart, ov_chart_add_series (chart, OV_CHART_LINE, "uring.wait", -1), 64 * K,
                      0);
  return OV_DRAWABLE (chart);
}

/* A noise that is the same on every run. */
static double
noise (guint i)
{
  guint32 x = i * 2654435761u;

  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return x / (double)G_MAXUINT32 - 0.5;
}

typedef struct
{
  const char *label;
  int style;
  double from; /* s */
  double to;   /* s, 0: still running */
  double mbs;
} DemoRun;

static const DemoRun demo_runs[] = {
  { "stdio.getc", 4, 0.1, 4.0, 270 },    { "posix.read", 0, 4.2, 7.2, 1200 },
  { "uring.wait", 1, 7.4, 9.4, 1720 },   { "thread.two", 2, 9.6, 11.6, 1600 },
  { "uring.wait", 1, 11.8, 13.8, 1700 }, { "posix.read", 0, 14.0, 0, 1220 },
};

static OvTimeChart *
time_chart_with_panels (void)
{
  OvTimeChart *chart = ov_time_chart_new ();
  g_autoptr (OvAxis) rate = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);
  g_autoptr (OvAxis) cpu = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_PERCENT);
  g_autoptr (OvAxis) count = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_NONE);

  ov_axis_set_unit_text (count, "requests");
  ov_time_chart_add_panel (chart, "Throughput", NULL, rate, 1.4);
  ov_time_chart_add_trace (chart, 0, OV_TRACE_BY_SPAN, "throughput", -1);
  ov_time_chart_add_panel (chart, "CPU", "of one core", cpu, 1);
  ov_time_chart_add_trace (chart, 1, OV_TRACE_STACKED, "user", 0);
  ov_time_chart_add_trace (chart, 1, OV_TRACE_STACKED, "system", 6);
  ov_time_chart_add_trace (chart, 1, OV_TRACE_STACKED, "rest of the machine", 4);
  ov_time_chart_add_panel (chart, "Requests in flight", NULL, count, 0.7);
  ov_time_chart_add_trace (chart, 2, OV_TRACE_LINE, "requests", 3);
  return chart;
}

static void
add_sample (OvTimeChart *chart, guint i, double mbs)
{
  gint64 t = (gint64)(i * 50e6);
  gboolean idle = isnan (mbs);

  ov_time_chart_append (chart, 0, 0, t, idle ? NAN : (mbs * (1 + 0.12 * noise (i))) * 1e6);
  ov_time_chart_append (chart, 1, 0, t, idle ? 1 : 58 + 14 * noise (i + 7));
  ov_time_chart_append (chart, 1, 1, t, idle ? 2 : 36 + 10 * noise (i + 13));
  ov_time_chart_append (chart, 1, 2, t, 14 + 12 * noise (i + 29));
  ov_time_chart_append (chart, 2, 0, t, idle ? 0 : mbs > 1400 ? 2 : 1);
}

static OvDrawable *
make_time (void)
{
  OvTimeChart *chart = time_chart_with_panels ();
  guint run = 0;

  ov_time_chart_set_note (chart, "home · ext4 on nvme0n1 · cold: 0.0 % resident");
  for (guint i = 0; i < G_N_ELEMENTS (demo_runs); i++)
    ov_time_chart_add_span (chart, (gint64)(demo_runs[i].from * 1e9),
                            demo_runs[i].to > 0 ? (gint64)(demo_runs[i].to * 1e9) : -1,
                            demo_runs[i].label, demo_runs[i].style);
  ov_time_chart_set_span_partial (chart, 3, TRUE);
  for (guint i = 1; i <= 322; i++)
    {
      double t = i * 0.05;

      while (run + 1 < G_N_ELEMENTS (demo_runs) && t >= demo_runs[run + 1].from)
        run++;
      add_sample (chart, i,
                  t < demo_runs[run].from || (demo_runs[run].to > 0 && t > demo_runs[run].to)
                      ? NAN
                      : demo_runs[run].mbs);
    }
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_time_cursor (void)
{
  OvDrawable *chart = make_time ();

  ov_time_chart_set_title (OV_TIME_CHART (chart), "Count a letter");
  ov_time_chart_set_cursor (OV_TIME_CHART (chart), (gint64)8.2e9);
  ov_time_chart_set_bracket (OV_TIME_CHART (chart), (gint64)10e9, (gint64)10.04e9);
  return chart;
}

static OvDrawable *
make_time_window (void)
{
  OvDrawable *chart = make_time ();

  ov_time_chart_set_window (OV_TIME_CHART (chart), (gint64)5e9);
  return chart;
}

/* Runs of some milliseconds, of which none has two samples. */
static OvDrawable *
make_time_short_runs (void)
{
  OvTimeChart *chart = time_chart_with_panels ();

  for (guint i = 0; i < 60; i++)
    {
      gint64 t0 = (gint64)(i * 50e6);
      guint s = ov_time_chart_add_span (chart, t0, t0 + (gint64)(i % 7 == 0 ? 2e5 : 2.2e7),
                                        strategies[i % 4], demo_styles[i % 4]);

      ov_time_chart_set_span_mean (chart, s, 0, (300 + 450 * (i % 4)) * 1e6 * (1 + noise (i) / 9));
      add_sample (chart, i, NAN);
    }
  ov_time_chart_set_now (chart, (gint64)(60 * 50e6));
  return OV_DRAWABLE (chart);
}

/* An hour at 20 samples a second, one of them a peak. */
static OvDrawable *
make_time_hour (void)
{
  OvTimeChart *chart = time_chart_with_panels ();

  ov_time_chart_add_span (chart, 0, -1, "uring.wait", 1);
  for (guint i = 1; i <= 72000; i++)
    add_sample (chart, i, i == 30000 ? 3100 : i > 50000 && i < 55000 ? NAN : 1500);
  return OV_DRAWABLE (chart);
}

/* Four lines in one panel. */
static OvDrawable *
make_time_lines (void)
{
  OvTimeChart *chart = ov_time_chart_new ();
  g_autoptr (OvAxis) wait = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_DURATION);

  ov_time_chart_add_panel (chart, "Latency", "of the last second", wait, 1);
  for (guint k = 0; k < 4; k++)
    {
      static const char *const names[] = { "50 %", "90 %", "99 %", "99.9 %" };

      ov_time_chart_add_trace (chart, 0, OV_TRACE_LINE, names[k], -1);
      for (guint i = 0; i < 120; i++)
        ov_time_chart_append (
            chart, 0, k, (gint64)(i * 100e6),
            (20 + 25 * k + (4 + 3 * k) * noise (i * 4 + k) + 10 * sin (i / 20.0 + k)) * 1e3);
    }
  return OV_DRAWABLE (chart);
}

static OvDrawable *
make_time_empty (void)
{
  return OV_DRAWABLE (time_chart_with_panels ());
}

/* Two buffers in turn: while one is read the other is counted. */
static OvDrawable *
make_lanes (void)
{
  OvLaneChart *chart = ov_lane_chart_new ();
  gint64 free_at[2] = { 0, 0 };
  gint64 cpu_free = 0;
  gint64 disk_free = 0;

  ov_lane_chart_set_title (chart, "Requests");
  ov_lane_chart_set_subtitle (chart, "one lane for each buffer; the last 40 ms");
  ov_lane_chart_set_kind_label (chart, OV_LANE_REQUEST, "on the disk");
  ov_lane_chart_set_kind_label (chart, OV_LANE_WAIT, "waiting");
  ov_lane_chart_set_kind_label (chart, OV_LANE_WORK, "counted");
  ov_lane_chart_add_lane (chart, "buffer 1");
  ov_lane_chart_add_lane (chart, "buffer 2");
  ov_lane_chart_add_lane (chart, "counting");
  for (guint i = 0; i < 24; i++)
    {
      guint buffer = i % 2;
      gint64 t0 = MAX (free_at[buffer], disk_free);
      gint64 done = t0 + (gint64)((3.2 + noise (i)) * 1e6);
      gint64 work = MAX (done, cpu_free);
      gint64 end = work + (gint64)((2.4 + noise (i + 50)) * 1e6);

      ov_lane_chart_add_block (chart, buffer, OV_LANE_REQUEST, t0, done, 1, i);
      if (work > done + 100000)
        ov_lane_chart_add_block (chart, buffer, OV_LANE_WAIT, done, work, 1, i);
      ov_lane_chart_add_block (chart, buffer, OV_LANE_WORK, work, end, 1, i);
      ov_lane_chart_add_block (chart, 2, OV_LANE_WORK, work, end, 2, i);
      free_at[buffer] = end;
      disk_free = done;
      cpu_free = end;
    }
  ov_lane_chart_set_range (chart, (gint64)10e6, (gint64)50e6);
  ov_lane_chart_set_cursor (chart, (gint64)31.5e6,
                            "request 9, submitted, 3.2 ms on the disk, counted in 2.4 ms");
  return OV_DRAWABLE (chart);
}

static const Scene scenes[] = {
  { "lanes", make_lanes, OV_THEME_LIGHT, 1, 620, 160 },
  { "lanes-dark", make_lanes, OV_THEME_DARK, 1, 880, 200 },
  { "lanes-narrow", make_lanes, OV_THEME_HIGH_CONTRAST, 1, 300, 120 },
  { "time-light", make_time, OV_THEME_LIGHT, 1, 620, 440 },
  { "time-light-live", make_time, OV_THEME_LIGHT, 1, 620, 440, TRUE },
  { "time-dark-live", make_time, OV_THEME_DARK, 1, 880, 440, TRUE },
  { "time-hc-live", make_time, OV_THEME_HIGH_CONTRAST, 1, 620, 440, TRUE },
  { "time-cursor", make_time_cursor, OV_THEME_LIGHT, 1, 880, 500, TRUE },
  { "time-window", make_time_window, OV_THEME_LIGHT, 1, 620, 400, TRUE },
  { "time-short-runs", make_time_short_runs, OV_THEME_LIGHT, 1, 620, 400, TRUE },
  { "time-hour", make_time_hour, OV_THEME_LIGHT, 1, 880, 440 },
  { "time-hour-live", make_time_hour, OV_THEME_LIGHT, 1, 880, 440, TRUE },
  { "time-narrow", make_time, OV_THEME_LIGHT, 1, 300, 200, TRUE },
  { "time-wide", make_time, OV_THEME_LIGHT, 1, 1600, 900, TRUE },
  { "time-lines", make_time_lines, OV_THEME_LIGHT, 1, 620, 240 },
  { "time-lines-live", make_time_lines, OV_THEME_LIGHT, 1, 620, 240, TRUE },
  { "time-empty", make_time_empty, OV_THEME_LIGHT, 1, 480, 300, TRUE },
  { "article-light", make_article, OV_THEME_LIGHT, 1, 720, 450 },
  { "article-mockup", make_article_one, OV_THEME_LIGHT, 1, 336, 436 },
  { "article-dark", make_article, OV_THEME_DARK, 1, 720, 450 },
  { "article-hc", make_article, OV_THEME_HIGH_CONTRAST, 1, 720, 450 },
  { "article-hcdark", make_article, OV_THEME_HIGH_CONTRAST_DARK, 1, 720, 450 },
  { "article-print", make_article, OV_THEME_PRINT, 1, 720, 450 },
  { "article-log", make_article_same_scale, OV_THEME_LIGHT, 1, 720, 450 },
  { "article-large-text", make_article, OV_THEME_LIGHT, 1.8, 720, 450 },
  { "article-narrow", make_article, OV_THEME_LIGHT, 1, 300, 200 },
  { "article-wide", make_article, OV_THEME_LIGHT, 1, 1600, 900 },
  { "article-tiny", make_article, OV_THEME_LIGHT, 1, 140, 90 },
  { "cursor", make_cursor, OV_THEME_LIGHT, 1, 720, 450 },
  { "long-words", make_long_words, OV_THEME_LIGHT, 1, 720, 450 },
  { "long-words-narrow", make_long_words, OV_THEME_LIGHT, 1, 300, 200 },
  { "japanese", make_japanese, OV_THEME_LIGHT, 1, 640, 400 },
  { "arabic", make_arabic, OV_THEME_LIGHT, 1, 640, 400 },
  { "german", make_german, OV_THEME_DARK, 1, 640, 400 },
  { "lines-12", make_12_lines, OV_THEME_LIGHT, 1, 880, 520 },
  { "lines-12-dark", make_12_lines, OV_THEME_DARK, 1, 880, 520 },
  { "lines-18", make_18_lines, OV_THEME_LIGHT, 1, 880, 520 },
  { "lines-18-narrow", make_18_lines, OV_THEME_LIGHT, 1, 300, 200 },
  { "lines-24-hc", make_24_lines, OV_THEME_HIGH_CONTRAST, 1, 1000, 700 },
  { "bars", make_bars, OV_THEME_LIGHT, 1, 880, 450 },
  { "bars-dark", make_bars, OV_THEME_DARK, 1, 880, 450 },
  { "bars-narrow", make_bars, OV_THEME_LIGHT, 1, 300, 200 },
  { "stacked", make_stacked, OV_THEME_LIGHT, 1, 640, 400 },
  { "categories-22", make_many_categories, OV_THEME_LIGHT, 1, 720, 420 },
  { "empty", make_empty, OV_THEME_LIGHT, 1, 480, 300 },
  { "single-point", make_single_point, OV_THEME_LIGHT, 1, 480, 300 },
};

static gboolean
draw_live (const Scene *scene, OvDrawable *chart, const char *path)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, scene->width, scene->height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (OvLiveCanvas) canvas = ov_live_canvas_new ();
  cairo_status_t status;

  ov_live_canvas_draw (canvas, chart, cr, scene->width, scene->height, 1,
                       ov_theme_get (scene->theme, scene->font_scale));
  cairo_destroy (cr);
  status = cairo_surface_write_to_png (surface, path);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    g_printerr ("%s: %s\n", path, cairo_status_to_string (status));
  return status == CAIRO_STATUS_SUCCESS;
}

/* Share of the pixels that are not the background's. */
static double
drawn_share (OvDrawable *chart, int width, int height, const OvTheme *theme)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  guint n = 0;

  ov_drawable_draw (chart, cr, width, height, theme);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++)
    {
      const guint32 *row
          = (const guint32 *)(gpointer)(cairo_image_surface_get_data (surface)
                                        + y * cairo_image_surface_get_stride (surface));

      for (int x = 0; x < width; x++)
        n += (row[x] & 0xffffff) != ov_color_to_rgb (&theme->background);
    }
  cairo_surface_destroy (surface);
  return n / ((double)width * height);
}

static int
check (void)
{
  static const int sizes[][2] = { { 300, 200 }, { 720, 450 }, { 1600, 900 } };
  int failed = 0;
  guint done = 0;

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      g_autoptr (GObject) chart = NULL;
      g_autofree char *text = NULL;
      double least = 1;
      guint first = 0;

      while (scenes[first].make != scenes[i].make)
        first++;
      if (first < i)
        continue;
      chart = G_OBJECT (scenes[i].make ());
      text = ov_drawable_describe (OV_DRAWABLE (chart));

      for (int kind = 0; kind < OV_THEME_N_KINDS; kind++)
        for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
          least = MIN (least, drawn_share (OV_DRAWABLE (chart), sizes[k][0], sizes[k][1],
                                           ov_theme_get ((OvThemeKind)kind, 1)));
      if (least < 0.001 || text[0] == '\0')
        failed = 1;
      g_print ("%s %u %s # at least %.1f %% drawn\n",
               least < 0.001 || text[0] == '\0' ? "not ok" : "ok", ++done, scenes[i].name,
               least * 100);
    }
  g_print ("1..%u\n", done);
  return failed;
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  if (argc < 2)
    {
      g_printerr ("ov-chart-demo FOLDER [NAME [SUFFIX]]\n");
      return 2;
    }
  if (strcmp (argv[1], "--check") == 0)
    return check ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      g_autoptr (GObject) chart = NULL;
      g_autofree char *file = g_strconcat (scenes[i].name, argc > 3 ? argv[3] : ".png", NULL);
      g_autofree char *path = g_build_filename (argv[1], file, NULL);
      g_autoptr (GError) error = NULL;

      if (argc > 2 && strcmp (argv[2], scenes[i].name) != 0)
        continue;
      chart = G_OBJECT (scenes[i].make ());
      if (scenes[i].live)
        {
          if (!draw_live (&scenes[i], OV_DRAWABLE (chart), path))
            return 1;
        }
      else if (!ov_chart_export (OV_DRAWABLE (chart), path, OV_EXPORT_BY_SUFFIX, scenes[i].width,
                                 scenes[i].height, 1,
                                 ov_theme_get (scenes[i].theme, scenes[i].font_scale), &error))
        {
          g_printerr ("%s\n", error->message);
          return 1;
        }
    }
  return 0;
}
