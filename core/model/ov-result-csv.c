/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results as CSV: one row for each run, quoted as RFC 4180 says but for the line's end, which is a
 * single newline.  The first columns are promised; new ones are added behind the last.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/ov-units.h"
#include "model/ov-per-block.h"
#include "model/ov-result.h"
#include "model/ov-types-private.h"

static const char heading[]
    = "experiment,strategy,job,target,size,block,depth,condition,repetition,state,bytes,elapsed_s,"
      "cpu_s,user_s,system_s,check,effective,stop_latency_s,teardown_s,peak_memory,"
      "variant,x,work,letter,order,requests,timing,cause,error_offset,started_s,prepare_s,"
      "condition_s,discard_s,split_uncertain,machine_busy,submitted,completed,cancelled,short_io,"
      "system_reads,device_bytes,written_bytes,minor_faults,major_faults,voluntary_switches,"
      "involuntary_switches,resident_before,resident_after,bytes_per_s,p50_s,p90_s,p99_s,p999_s,"
      "max_s,durability,verify,stable_s,restore_s,system_writes,"
      "neighbour,neighbour_moments,neighbour_p50_s,neighbour_p99_s,neighbour_max_s,"
      "neighbour_alone_p99_s,neighbour_lost,"
      "profile_samples,profile_percent,profile_symbol,"
      "write_elapsed_s,read_elapsed_s,write_cpu_s,read_cpu_s,"
      "block_s,block_cpu_s,block_base,block_change,block_change_lo,block_change_hi,"
      "block_cpu_change,block_cpu_change_lo,block_cpu_change_hi,"
      "p9999_s,submit_n,submit_p50_s,submit_p99_s,submit_p9999_s,submit_max_s,"
      "rate_hz,missed,late,access,width,address,gaps,longest_gap_s,"
      "stride\n";

static void
add_text (GString *out, const char *text)
{
  const char *c;

  g_string_append_c (out, ',');
  if (text == NULL)
    return;
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

static void
add_unsigned (GString *out, guint64 value)
{
  g_string_append_printf (out, ",%" G_GUINT64_FORMAT, value);
}

/* A whole number, empty where it was not measured. */
static void
add_figure (GString *out, gint64 value)
{
  if (value < 0)
    g_string_append_c (out, ',');
  else
    add_unsigned (out, (guint64)value);
}

/* Seconds, exact to the nanosecond, without trailing zeros; empty where not measured. */
static void
add_seconds (GString *out, gint64 ns)
{
  char digits[32];
  gsize n;

  g_string_append_c (out, ',');
  if (ns < 0)
    return;
  g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, ns / 1000000000,
              ns % 1000000000);
  n = strlen (digits);
  while (digits[n - 1] == '0')
    n--;
  if (digits[n - 1] == '.')
    n--;
  g_string_append_len (out, digits, (gssize)n);
}

static void
add_double (GString *out, double value)
{
  g_autofree char *text = NULL;

  g_string_append_c (out, ',');
  if (!isfinite (value))
    return;
  text = ov_double_format_json (value);
  g_string_append (out, text);
}

static void
add_letter (GString *out, char letter)
{
  char text[2] = { letter, '\0' };

  if (g_ascii_isprint (letter))
    add_text (out, text);
  else
    add_unsigned (out, (guchar)letter);
}

/* A quantile, empty where there are too few values for it. */
static void
add_quantile (GString *out, const OvHistogram *histogram, double q)
{
  if (histogram != NULL && ov_histogram_has_quantile (histogram, q))
    add_seconds (out, (gint64)MIN (ov_histogram_quantile (histogram, q), G_MAXINT64));
  else
    g_string_append_c (out, ',');
}

static void
add_latencies (GString *out, const OvRun *run)
{
  static const double quantiles[] = { 0.5, 0.9, 0.99, 0.999, 1 };
  g_autofree OvHistogram *histogram = ov_run_dup_latency (run);
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (quantiles); i++)
    add_quantile (out, histogram, quantiles[i]);
}

/* What a neighbour saw; all empty where there was none. */
static void
add_neighbour (GString *out, const OvRun *run)
{
  const OvNeighbourFigures *figures = run->neighbour;
  OvHistogram histogram;

  add_text (out, figures != NULL ? ov_neighbour_nick (figures->mode) : NULL);
  ov_histogram_init (&histogram);
  if (figures != NULL)
    ov_neighbour_merge (figures->lateness, &histogram);
  if (figures != NULL && figures->lateness != NULL)
    add_unsigned (out, ov_histogram_count (&histogram));
  else
    g_string_append_c (out, ',');
  if (ov_histogram_count (&histogram) > 0)
    {
      add_seconds (out, (gint64)ov_histogram_quantile (&histogram, 0.5));
      add_seconds (out, (gint64)ov_histogram_quantile (&histogram, 0.99));
      add_seconds (out, (gint64)ov_histogram_max (&histogram));
    }
  else
    g_string_append (out, ",,,");
  ov_histogram_init (&histogram);
  if (figures != NULL)
    ov_neighbour_merge (figures->base, &histogram);
  add_seconds (out, ov_histogram_count (&histogram) > 0
                        ? (gint64)ov_histogram_quantile (&histogram, 0.99)
                        : -1);
  add_double (out, ov_neighbour_lost (figures));
}

/* The symbol that took most of the time; all empty where nothing was sampled. */
static void
add_profile (GString *out, const OvProfile *profile)
{
  const OvProfileEntry *first = NULL;

  if (profile != NULL && profile->samples > 0 && profile->entries->len > 0)
    first = g_ptr_array_index (profile->entries, 0);
  add_figure (out, profile != NULL && profile->event != NULL ? profile->samples : -1);
  add_double (out, first != NULL ? 100.0 * (double)first->samples / (double)profile->samples : NAN);
  add_text (out, first != NULL ? first->symbol : NULL);
}

char *
ov_result_profiles_to_csv (const OvResult *result)
{
  GString *out
      = g_string_new ("strategy,variant,target,x,repetition,samples,percent,symbol,module\n");

  g_return_val_if_fail (result != NULL, NULL);
  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      for (guint j = 0; run->profile != NULL && j < run->profile->entries->len; j++)
        {
          const OvProfileEntry *entry = g_ptr_array_index (run->profile->entries, j);
          GString *row = g_string_new (NULL);

          add_text (row, run->spec->strategy);
          add_text (row, run->spec->variant);
          add_text (row, run->spec->target);
          add_double (row, run->spec->x);
          add_unsigned (row, run->spec->repetition);
          add_unsigned (row, entry->samples);
          add_double (row, 100.0 * (double)entry->samples / (double)MAX (run->profile->samples, 1));
          add_text (row, entry->symbol);
          add_text (row, entry->module);
          g_string_append (out, row->str + 1); /* without the comma before it */
          g_string_append_c (out, '\n');
          g_string_free (row, TRUE);
        }
    }
  return g_string_free (out, FALSE);
}

/* Those that came later. */
static void
add_later_latencies (GString *out, const OvRun *run)
{
  static const double submit_quantiles[] = { 0.5, 0.99, 0.9999, 1 };
  g_autofree OvHistogram *histogram = ov_run_dup_latency (run);
  g_autofree OvHistogram *submit = ov_run_dup_submit_latency (run);
  gsize i;

  add_quantile (out, histogram, 0.9999);
  add_figure (out, submit != NULL ? (gint64)ov_histogram_count (submit) : -1);
  for (i = 0; i < G_N_ELEMENTS (submit_quantiles); i++)
    add_quantile (out, submit, submit_quantiles[i]);
}

/* The promised columns, but for the first. */
static void
add_first_columns (GString *out, const OvRun *run)
{
  const OvRunSpec *spec = run->spec;

  add_text (out, spec->strategy);
  add_text (out, ov_job_nick (spec->job));
  add_text (out, spec->target);
  add_unsigned (out, spec->size);
  add_unsigned (out, spec->block);
  add_unsigned (out, spec->depth);
  add_text (out, spec->job & OV_HARDWARE_JOBS ? NULL : ov_condition_nick (spec->condition));
  add_unsigned (out, spec->repetition);
  add_text (out, ov_state_nick (run->state));
  add_figure (out, run->bytes);
  add_seconds (out, run->elapsed_ns);
  add_seconds (out, run->cpu_ns);
  add_seconds (out, run->user_ns);
  add_seconds (out, run->system_ns);
  add_text (out, run->check);
  add_text (out, run->effective);
  add_seconds (out, run->stop_latency_ns);
  add_seconds (out, run->teardown_ns);
  add_figure (out, run->peak_memory);
}

static void
add_later_columns (GString *out, OvRun *run)
{
  const OvRunSpec *spec = run->spec;

  add_text (out, spec->variant);
  add_double (out, spec->x);
  add_text (out, ov_work_nick (spec->work));
  add_letter (out, spec->letter);
  add_text (out, ov_order_nick (spec->order));
  add_unsigned (out, spec->requests);
  add_text (out, ov_timing_nick (spec->timing));
  add_text (out, run->cause);
  add_figure (out, run->error_offset);
  add_seconds (out, run->started_ns);
  add_seconds (out, run->prepare_ns);
  add_seconds (out, run->condition_ns);
  add_seconds (out, run->discard_ns);
  add_text (out, run->split_uncertain ? "1" : "0");
  add_double (out, run->machine_busy);
  add_figure (out, run->submitted);
  add_figure (out, run->completed);
  add_figure (out, run->cancelled);
  add_figure (out, run->short_io);
  add_figure (out, run->system_reads);
  add_figure (out, run->device_bytes);
  add_figure (out, run->written_bytes);
  add_figure (out, run->minor_faults);
  add_figure (out, run->major_faults);
  add_figure (out, run->voluntary_switches);
  add_figure (out, run->involuntary_switches);
  add_double (out, run->resident_before);
  add_double (out, run->resident_after);
  add_double (out, ov_run_rate (run));
  add_latencies (out, run);
  add_text (out, ov_durability_nick (spec->durability));
  add_text (out, spec->verify ? "1" : "0");
  add_seconds (out, run->stable_ns);
  add_seconds (out, run->restore_ns);
  add_figure (out, run->system_writes);
  add_neighbour (out, run);
  add_profile (out, run->profile);
  add_seconds (out, run->write_ns);
  add_seconds (out, run->read_ns);
  add_seconds (out, run->write_cpu_ns);
  add_seconds (out, run->read_cpu_ns);
}

/* Of jobs without a file, empty for the others; behind them what came later. */
static void
add_hardware (GString *out, const OvRun *run)
{
  const OvRunSpec *spec = run->spec;
  const gboolean port = spec->job == OV_JOB_PORT;

  add_double (out, spec->job & OV_CLOCKED_JOBS ? spec->rate : NAN);
  add_figure (out, run->missed);
  add_figure (out, run->late);
  add_text (out, port ? ov_access_nick (spec->access) : NULL);
  add_figure (out, port ? (gint64)spec->width : -1);
  add_figure (out, port ? (gint64)MIN (spec->address, G_MAXINT64) : -1);
  add_figure (out, run->gaps);
  add_seconds (out, run->longest_gap_ns);
  add_figure (out, spec->stride > 0 ? (gint64)MIN (spec->stride, G_MAXINT64) : -1);
}

/* ---- By block ----------------------------------------------------------------------------- */

/* What the runs of one cell share. */
typedef struct
{
  OvPerBlock figures;
  const char *base; /* the line that it is compared with, borrowed; or NULL */
} Line;

/* From each run of the cells (which must live longer) to its Line, for the job that has any. */
static GHashTable *
lines_by_run (const GPtrArray *cells)
{
  GHashTable *lines = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_rc_box_release);

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      const OvCell *base = ov_per_block_base (cells, cell);
      Line *line = g_rc_box_new0 (Line);

      if (ov_per_block_make (cell, base, &line->figures))
        for (guint j = 0; j < cell->runs->len; j++)
          g_hash_table_insert (lines, g_ptr_array_index (cell->runs, j), g_rc_box_acquire (line));
      line->base = base != NULL ? base->variant : NULL;
      g_rc_box_release (line);
    }
  return lines;
}

static void
add_change (GString *out, const OvBlockChange *change)
{
  gboolean known = change != NULL && change->n > 0;

  add_double (out, known ? change->percent : NAN);
  add_double (out, known ? change->lo : NAN);
  add_double (out, known ? change->hi : NAN);
}

static void
add_block_columns (GString *out, const OvRun *run, GHashTable *lines)
{
  const Line *line = lines != NULL ? g_hash_table_lookup (lines, run) : NULL;

  add_double (out, ov_run_block_seconds (run));
  add_double (out, ov_run_block_cpu (run));
  add_text (out, line != NULL ? line->base : NULL);
  add_change (out, line != NULL ? &line->figures.seconds_change : NULL);
  add_change (out, line != NULL ? &line->figures.cpu_change : NULL);
}

char *
ov_result_to_csv (const OvResult *result)
{
  GString *out = g_string_new (heading);
  GString *experiment = g_string_new (NULL);
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GHashTable) lines = NULL;
  guint i;

  g_return_val_if_fail (result != NULL, NULL);
  if (result->experiment != NULL && (result->experiment->job & (OV_JOB_BLOCKS | OV_JOB_PORT)) != 0)
    {
      cells = ov_result_cells (result);
      lines = lines_by_run (cells);
    }
  if (result->experiment != NULL)
    add_text (experiment, result->experiment->id);
  for (i = 0; i < result->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);

      if (experiment->len > 0)
        g_string_append (out, experiment->str + 1); /* without the comma before it */
      add_first_columns (out, run);
      add_later_columns (out, run);
      add_block_columns (out, run, lines);
      add_later_latencies (out, run);
      add_hardware (out, run);
      g_string_append_c (out, '\n');
    }
  g_string_free (experiment, TRUE);
  return g_string_free (out, FALSE);
}
