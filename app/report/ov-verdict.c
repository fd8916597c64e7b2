// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The sentences. Each is a whole one for translators; nothing is put together of parts of
 * sentences.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "metrics/ov-stats.h"
#include "model/ov-overlap.h"
#include "model/ov-per-block.h"

#include "report/ov-hardware-table.h"
#include "report/ov-report.h"
#include "report/ov-verdict.h"

/* From this ratio on "times as long" instead of "longer by". */
#define TIMES_FROM 2.0
/* More repetitions than that are no advice. */
#define MORE_MAX 100000

/* ---- Cells of a table ----------------------------------------------------------------------- */

static gboolean
has_ratio (const OvComparison *comparison)
{
  return comparison->kind >= OV_COMPARISON_FEW && isfinite (comparison->ratio);
}

char *
ov_comparison_format_ratio (const OvComparison *comparison)
{
  if (comparison->kind == OV_COMPARISON_BASE)
    return g_strdup ("1");
  return has_ratio (comparison) ? g_strdup_printf ("%.3f", comparison->ratio) : g_strdup ("–");
}

char *
ov_comparison_format_interval (const OvComparison *comparison)
{
  if (!has_ratio (comparison))
    return g_strdup ("");
  if (!isfinite (comparison->lo) || !isfinite (comparison->hi))
    return g_strdup (_ ("none: one repetition"));
  return g_strdup_printf (comparison->kind == OV_COMPARISON_FEW ? _ ("%.3f – %.3f (range)")
                                                                : "%.3f – %.3f",
                          comparison->lo, comparison->hi);
}

static char *
format_more (guint64 more)
{
  if (more > MORE_MAX)
    return g_strdup (_ ("more repetitions would hardly show one"));
  return g_strdup_printf (ngettext ("about %u more repetition might show one",
                                    "about %u more repetitions might show one", (gulong)more),
                          (guint)more);
}

/* The word for it, without what was marked. */
static char *
format_kind (const OvComparison *comparison)
{
  g_autofree char *text = NULL;
  gboolean cpu = comparison->metric == OV_METRIC_CPU || comparison->metric == OV_METRIC_BLOCK_CPU;

  switch (comparison->kind)
    {
    case OV_COMPARISON_BASE:
      return g_strdup (_ ("the others are compared with this"));
    case OV_COMPARISON_OTHER_WORK:
      text = ov_cell_describe_differences (comparison->cell, comparison->base,
                                           comparison->differences);
      return g_strdup_printf (_ ("not compared: %s"), text);
    case OV_COMPARISON_FEW:
      return g_strdup_printf (ngettext ("%u repetition: too few to say anything",
                                        "%u repetitions: too few to say anything", comparison->n),
                              comparison->n);
    case OV_COMPARISON_EQUAL:
      text = format_more (comparison->more);
      return g_strdup_printf (_ ("no detectable difference; %s"), text);
    case OV_COMPARISON_LESS:
      return g_strdup (cpu ? _ ("less CPU time") : _ ("faster"));
    case OV_COMPARISON_MORE:
      return g_strdup (cpu ? _ ("more CPU time") : _ ("slower"));
    case OV_COMPARISON_NOTHING:
    default:
      return g_strdup (_ ("nothing measured"));
    }
}

char *
ov_comparison_format_remark (const OvComparison *comparison)
{
  g_autofree char *kind = format_kind (comparison);
  GString *out = g_string_new (kind);

  if (comparison->n_warm > 0)
    {
      g_string_append (out, "; ");
      g_string_append_printf (out,
                              ngettext ("first %u repetition left out as warm-up",
                                        "first %u repetitions left out as warm-up",
                                        comparison->n_warm),
                              comparison->n_warm);
    }
  if (comparison->n_outliers > 0)
    {
      g_string_append (out, "; ");
      g_string_append_printf (
          out, ngettext ("%u outlier, kept", "%u outliers, kept", comparison->n_outliers),
          comparison->n_outliers);
    }
  return g_string_free (out, FALSE);
}

/* ---- The verdict ---------------------------------------------------------------------------- */

static const OvComparison *
get (const OvContest *contest, guint i)
{
  return &g_array_index (contest->comparisons, OvComparison, i);
}
static guint
n_targets (const OvResult *result)
{
  g_autoptr (GHashTable) targets = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->spec->target != NULL)
        g_hash_table_add (targets, run->spec->target);
    }
  return g_hash_table_size (targets);
}

/* What all lines were measured with: the state of the page cache; where they write through it, and
 * it is neither warm nor cold, until when the clock ran. */
static const char *
describe_conditions (const OvContest *contest)
{
  const OvCell *cell = contest->first;
  const OvRunSpec *spec = cell->runs->len > 0 ? ((OvRun *)cell->runs->pdata[0])->spec : NULL;

  if (spec != NULL && (spec->job & OV_WRITE_JOBS) != 0 && cell->condition == OV_CONDITION_WARM)
    return ov_durability_label (spec->durability);
  return ov_condition_label (cell->condition);
}

char *
ov_contest_format_heading (const OvContest *contest, const OvResult *result)
{
  g_autofree char *x = ov_report_format_x (result->x, contest->first->x);
  g_autofree char *where = NULL;
  const char *condition = describe_conditions (contest);
  const char *parameter = ov_report_x_title (result->x);

  if (ov_target_is_machine (contest->first->target))
    /* Translators: what the axis is, then its value: "rate 1 kHz". */
    return g_strdup_printf (_ ("%s %s"), parameter, x);
  if (n_targets (result) < 2 || contest->first->target == NULL)
    /* Translators: the state of the page cache, or until when writing was timed; what the axis is,
     * its value: "Cold cache, file size 5000K". */
    return g_strdup_printf (_ ("%s, %s %s"), condition, parameter, x);
  where = g_filename_display_name (contest->first->target);
  /* Translators: a folder, then as above. */
  return g_strdup_printf (_ ("%s, %s, %s %s"), where, condition, parameter, x);
}

/* "12.3 %" of a ratio of 1.123. */
static char *
format_percent (double ratio)
{
  double percent = (ratio - 1) * 100;

  return g_strdup_printf (fabs (percent) < 1 ? _ ("%.2f %%") : _ ("%.1f %%"), percent);
}

/* The names of the first `n` lines. */
static char *
join_names (const OvContest *contest, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < contest->comparisons->len && n > 0; i++)
    {
      const OvComparison *one = get (contest, i);

      if (one->kind == OV_COMPARISON_MORE)
        continue;
      /* Names hold commas. */
      g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", one->cell->variant);
      n--;
    }
  return g_string_free (out, FALSE);
}

/* The best of those that are slower for certain, or NULL. */
static const OvComparison *
next_best (const OvContest *contest)
{
  for (guint i = 1; i < contest->comparisons->len; i++)
    if (get (contest, i)->kind == OV_COMPARISON_MORE)
      return get (contest, i);
  return NULL;
}

static char *
format_lead (const char *name, const OvComparison *next)
{
  g_autofree char *by = NULL, *lo = NULL, *hi = NULL;

  if (next->ratio >= TIMES_FROM)
    return g_strdup_printf (
        _ ("%s is fastest: the next, %s, takes %.2f times as long (95 %% interval %.2f to %.2f)."),
        name, next->cell->variant, next->ratio, next->lo, next->hi);
  by = format_percent (next->ratio);
  lo = format_percent (next->lo);
  hi = format_percent (next->hi);
  return g_strdup_printf (
      _ ("%s is fastest: the next, %s, takes %s longer (95 %% interval %s to %s)."), name,
      next->cell->variant, by, lo, hi);
}

static char *
format_next (const char *name, const OvComparison *next)
{
  g_autofree char *by = NULL, *lo = NULL, *hi = NULL;

  if (next->ratio >= TIMES_FROM)
    return g_strdup_printf (_ ("%s takes %.2f times as long as %s (95 %% interval %.2f to %.2f)."),
                            next->cell->variant, next->ratio, name, next->lo, next->hi);
  by = format_percent (next->ratio);
  lo = format_percent (next->lo);
  hi = format_percent (next->hi);
  return g_strdup_printf (_ ("%s takes %s longer than %s (95 %% interval %s to %s)."),
                          next->cell->variant, by, name, lo, hi);
}

/* How many more repetitions would tell the best from those that are equal to it, at most. */
static char *
format_deciding (const OvContest *contest)
{
  guint64 least = G_MAXUINT64;

  for (guint i = 1; i < contest->comparisons->len; i++)
    {
      const OvComparison *one = get (contest, i);

      if (one->kind == OV_COMPARISON_EQUAL)
        least = MIN (least, one->more);
    }
  if (least > MORE_MAX)
    return g_strdup (_ ("More repetitions would hardly show a difference."));
  return g_strdup_printf (ngettext ("About %u more repetition might show a difference.",
                                    "About %u more repetitions might show a difference.",
                                    (gulong)least),
                          (guint)least);
}

static double
median_memory (const OvCell *cell)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      double memory = (double)run->peak_memory;

      if (run->state == OV_STATE_DONE && run->peak_memory >= 0)
        g_array_append_val (values, memory);
    }
  return ov_stats_median ((const double *)(gpointer)values->data, values->len);
}

/* What a line needed of memory, in words: there are lines that need none beyond what the process
 * had before, such as those that look at a file through a map or work in a buffer that was there.
 */
static char *
format_memory (const OvCell *cell)
{
  double bytes = median_memory (cell);
  g_autofree char *memory = NULL;

  if (!isfinite (bytes))
    return g_strdup (_ ("memory unknown"));
  if (bytes < 1)
    return g_strdup (_ ("no memory of its own"));
  memory = ov_bytes_format_si (bytes);
  return g_strdup_printf (_ ("memory at most %s"), memory);
}

/* What a line costs, in a sentence. */
static char *
format_cost (const OvCell *cell)
{
  g_autofree char *memory = format_memory (cell);
  g_autofree char *cpu = isfinite (cell->cpu_per_gb) ? g_strdup_printf ("%.3f", cell->cpu_per_gb)
                                                     : g_strdup (_ ("unknown"));
  g_autofree char *stop = NULL;

  if (ov_target_is_machine (cell->target))
    {
      g_autofree char *used
          = isfinite (cell->cpu_s) ? ov_duration_format (cell->cpu_s) : g_strdup (_ ("unknown"));

      return g_strdup_printf (_ ("%s: CPU time of a run %s."), cell->variant, used);
    }
  if (cell->stop_latency_ns < 0)
    /* Translators: a line, CPU seconds for each GB, what it needed of memory. */
    return g_strdup_printf (_ ("%s: CPU s/GB %s, %s."), cell->variant, cpu, memory);
  stop = ov_duration_format ((double)cell->stop_latency_ns / 1e9);
  /* Translators: as above, then the time in which it stopped. */
  return g_strdup_printf (_ ("%s: CPU s/GB %s, %s, stopped within %s."), cell->variant, cpu, memory,
                          stop);
}

/* ---- Where the clock does not decide: CPU time ----------------------------------------------- */

/* Of those that take equally long, which takes the least CPU time. */
static char *
format_least_cpu (const OvContest *cpu)
{
  const OvComparison *next = next_best (cpu);
  const char *name = cpu->first->variant;
  g_autofree char *by = NULL, *lo = NULL, *hi = NULL;

  if (next == NULL || cpu->n_equal > 1)
    return g_strdup (_ ("Nor can their CPU time be told apart."));
  if (next->ratio >= TIMES_FROM)
    return g_strdup_printf (
        _ ("Of these, %s takes the least CPU time: the next, %s, takes %.2f times "
           "as much (95 %% interval %.2f to %.2f)."),
        name, next->cell->variant, next->ratio, next->lo, next->hi);
  by = format_percent (next->ratio);
  lo = format_percent (next->lo);
  hi = format_percent (next->hi);
  return g_strdup_printf (_ ("Of these, %s takes the least CPU time: the next, %s, takes %s more "
                             "(95 %% interval %s to %s)."),
                          name, next->cell->variant, by, lo, hi);
}

/* The sentence about the CPU time of the lines that elapsed time does not tell apart, and the one
 * that takes least.  NULL where there is nothing to be said. */
static char *
format_cpu (const OvContest *contest, const OvCell **least)
{
  g_autoptr (GPtrArray) equal = g_ptr_array_new ();
  g_autoptr (GPtrArray) contests = NULL;
  const OvContest *cpu;

  for (guint i = 0; i < contest->comparisons->len; i++)
    {
      OvComparisonKind kind = get (contest, i)->kind;

      if (kind == OV_COMPARISON_BASE || kind == OV_COMPARISON_EQUAL)
        g_ptr_array_add (equal, (gpointer)get (contest, i)->cell);
    }
  contests = ov_contests_new (equal, ov_metric_for (equal, OV_METRIC_CPU));
  if (contests->len != 1)
    return NULL;
  cpu = g_ptr_array_index (contests, 0);
  if (!cpu->decided || cpu->comparisons->len < 2)
    return NULL;
  if (cpu->n_equal == 1)
    *least = cpu->first;
  return format_least_cpu (cpu);
}

static void
append_sentence (GString *out, char *sentence)
{
  g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

/* Whether the lines of a contest are compared by block since they did not read equally many. */
static gboolean
is_by_block (const OvContest *contest)
{
  if (get (contest, 0)->metric != OV_METRIC_BLOCK)
    return FALSE;
  for (guint i = 0; i < contest->comparisons->len; i++)
    {
      const OvCell *cell = get (contest, i)->cell;

      for (guint k = 0; k < cell->runs->len; k++)
        if (ov_run_is_cut_short (g_ptr_array_index (cell->runs, k)))
          return TRUE;
    }
  return FALSE;
}

char *
ov_contest_format_verdict (const OvContest *contest)
{
  const OvComparison *next;
  const OvCell *cheapest = NULL;
  GString *out;

  g_return_val_if_fail (contest != NULL, NULL);

  if (contest->comparisons->len < 2)
    return NULL;
  if (!contest->decided)
    return g_strdup_printf (_ ("No verdict: it takes at least %d repetitions of each line."),
                            OV_STATS_MIN_FOR_INTERVAL);
  out = g_string_new (NULL);
  if (is_by_block (contest))
    append_sentence (out,
                     g_strdup (_ ("The time limit ended runs after different numbers of blocks, "
                                  "so that the time of a block is compared.")));
  next = next_best (contest);
  if (contest->n_equal == 1 && next != NULL)
    append_sentence (out, format_lead (contest->first->variant, next));
  else
    {
      g_autofree char *names = join_names (contest, contest->n_equal);
      char *cpu;

      append_sentence (out, g_strdup_printf (_ ("These cannot be told apart: %s."), names));
      append_sentence (out, format_deciding (contest));
      cpu = format_cpu (contest, &cheapest);
      if (cpu != NULL)
        append_sentence (out, cpu);
      if (next != NULL)
        append_sentence (out, format_next (contest->first->variant, next));
    }
  append_sentence (out, format_cost (cheapest != NULL ? cheapest : contest->first));
  if (next != NULL)
    append_sentence (out, format_cost (next->cell));
  return g_string_free (out, FALSE);
}

static double
largest_x (GPtrArray *cells)
{
  double x = NAN;

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      if (cell->n_done > 0 && isfinite (cell->x) && !(cell->x <= x))
        x = cell->x;
    }
  return x;
}

/* ---- What is not compared ------------------------------------------------------------------- */

/* The contest that lines without one are held against: the first of several lines, else the first.
 */
static const OvContest *
find_reference (const GPtrArray *contests)
{
  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);

      if (contest->comparisons->len > 1 && contest->first->n_wrong == 0)
        return contest;
    }
  return contests->len > 0 ? g_ptr_array_index (contests, 0) : NULL;
}

/* Lines that are alone in what they did, and what that is, a line of text for each way of being
 * other.  Lines on several targets are alone on theirs without being other work. */
static void
append_not_compared (GString *out, const GPtrArray *contests)
{
  const OvContest *reference = find_reference (contests);
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);
      g_autofree char *reason = NULL;
      OvComparison one;
      guint place;

      if (contest == reference || contest->comparisons->len > 1 || contest->first->n_wrong > 0)
        continue;
      ov_comparison_make (contest->first, reference->first, get (contest, 0)->metric, TRUE, &one);
      if (one.kind != OV_COMPARISON_OTHER_WORK)
        continue;
      reason = ov_cell_describe_differences (contest->first, reference->first, one.differences);
      if (!g_ptr_array_find_with_equal_func (reasons, reason, g_str_equal, &place))
        {
          g_ptr_array_add (reasons, g_steal_pointer (&reason));
          g_ptr_array_add (lines, g_strdup (contest->first->variant));
          continue;
        }
      reason = g_strdup_printf ("%s; %s", (char *)lines->pdata[place], contest->first->variant);
      g_free (lines->pdata[place]);
      lines->pdata[place] = g_steal_pointer (&reason);
    }
  if (reasons->len > 0 && reference->comparisons->len < 2)
    g_string_append_printf (out, "%s\n", _ ("No verdict: no two lines did the same work."));
  for (guint i = 0; i < reasons->len; i++)
    {
      /* Translators: a line, names of other lines, and what differs: "Not the same work as
       * posix.read, and not compared with it: uring.wait (page cache: bypassed against cold)." */
      g_string_append_printf (
          out, _ ("Not the same work as %s, and not compared with it: %s (%s).\n"),
          reference->first->variant, (char *)lines->pdata[i], (char *)reasons->pdata[i]);
    }
}

char *
ov_report_verdict (const OvResult *result, GPtrArray *cells, double x)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GPtrArray) at = g_ptr_array_new ();
  g_autoptr (GPtrArray) contests = NULL;
  gboolean compared = FALSE, stopped = FALSE;

  g_return_val_if_fail (result != NULL && cells != NULL, NULL);

  /* All runs that follow a clock take the same time: what counts is what they missed. */
  if (result->experiment != NULL && (result->experiment->job & OV_CLOCKED_JOBS) != 0)
    {
      g_string_free (out, TRUE);
      return ov_hardware_sustained (result, cells);
    }
  if (isnan (x))
    x = largest_x (cells);
  for (guint i = 0; i < cells->len; i++)
    if (((const OvCell *)cells->pdata[i])->x == x)
      g_ptr_array_add (at, cells->pdata[i]);
  contests = ov_contests_new (at, ov_metric_for (at, OV_METRIC_ELAPSED));
  for (guint i = 0; i < contests->len; i++)
    {
      const OvContest *contest = g_ptr_array_index (contests, i);
      g_autofree char *heading = ov_contest_format_heading (contest, result);
      g_autofree char *verdict = ov_contest_format_verdict (contest);

      /* Lines that found something else than the others have not won anything. */
      if (verdict == NULL || contest->first->n_wrong > 0)
        continue;
      /* Translators: what was compared, then the sentences about it. */
      g_string_append_printf (out, _ ("%s: %s\n"), heading, verdict);
      compared |= contest->decided && !ov_target_is_machine (contest->first->target);
      for (guint k = 0; k < contest->comparisons->len; k++)
        stopped |= get (contest, k)->cell->stop_latency_ns >= 0;
    }
  append_not_compared (out, contests);
  if (compared && !stopped)
    g_string_append_printf (out, "%s\n", _ ("How fast they stop is not known: none was stopped."));
  return g_string_free (out, FALSE);
}

char *
ov_report_caption (const OvResult *result, GPtrArray *cells)
{
  g_autofree char *note = ov_report_note (result);
  g_autofree char *verdict = ov_report_verdict (result, cells, NAN);
  g_autofree char *text = g_strdup_printf ("%s\n%s", note, verdict);

  return g_strdup (g_strstrip (text));
}

/* ---- Overlap -------------------------------------------------------------------------------- */

/* What is known of a line's overlap, in sentences. */
static char *
format_overlap (const OvOverlap *overlap)
{
  g_autofree char *io = ov_duration_format (overlap->io_s);
  g_autofree char *cpu = ov_duration_format (overlap->cpu_s);
  g_autofree char *bound = ov_duration_format (overlap->bound_s);

  switch (overlap->kind)
    {
    case OV_OVERLAP_FEW:
      return g_strdup_printf (
          ngettext (
              "%u repetition has all three runs: too few for an overlap. I/O alone %s, computing "
              "alone %s.",
              "%u repetitions have all three runs: too few for an overlap. I/O alone %s, "
              "computing alone %s.",
              overlap->n),
          overlap->n, io, cpu);
    case OV_OVERLAP_SCATTER:
      return g_strdup_printf (
          _ ("no overlap is given: I/O alone (%s) scatters by %.0f %%, more than "
             "%.0f %%. Computing alone %s."),
          io, 100 * overlap->scatter, 100 * OV_OVERLAP_SCATTER_MAX, cpu);
    case OV_OVERLAP_BUSY:
      return g_strdup_printf (_ ("no overlap is given: computing alone had the processor for only "
                                 "%.0f %% of its time, the rest was other programs'."),
                              100 * overlap->share);
    case OV_OVERLAP_KNOWN:
      return g_strdup_printf (_ ("overlap %.0f %% (95 %% interval %.0f %% to %.0f %%); %.2f times "
                                 "the bound %s (%.2f to "
                                 "%.2f). I/O alone %s, computing alone %s."),
                              100 * overlap->overlap, 100 * overlap->lo, 100 * overlap->hi,
                              overlap->above, bound, overlap->above_lo, overlap->above_hi, io, cpu);
    case OV_OVERLAP_NONE:
    default:
      return g_strdup ("");
    }
}

char *
ov_report_overlap (const OvResult *result, GPtrArray *cells, double x)
{
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (result != NULL && cells != NULL, NULL);

  if (!ov_overlap_has_parts (cells))
    return g_string_free (out, FALSE);
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      g_autofree char *place = ov_report_format_x (result->x, cell->x);
      g_autofree char *text = NULL;
      OvOverlap overlap;

      if ((!isnan (x) && cell->x != x) || !ov_overlap_compute (cells, cell, &overlap))
        continue;
      text = format_overlap (&overlap);
      /* Translators: a line, the value of the axis, then the sentences about them. */
      g_string_append_printf (out, _ ("%s, %s: %s\n"), cell->variant, place, text);
    }
  return g_string_free (out, FALSE);
}
