/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Same work or not, pairs of repetitions, and contests.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/ov-units.h"
#include "metrics/ov-stats.h"
#include "model/ov-comparison.h"
#include "model/ov-per-block.h"
#include "model/ov-types-private.h"

/* ---- Metrics ------------------------------------------------------------------------------ */

static const char *const metric_nicks[] = { "elapsed", "cpu", "stable", NULL };
static const char *const metric_labels[]
    = { N_ ("elapsed time"), N_ ("CPU time"), N_ ("time until stable"), N_ ("time of a block"),
        N_ ("CPU time of a block") };

G_STATIC_ASSERT (G_N_ELEMENTS (metric_nicks) == OV_N_METRICS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (metric_labels) == OV_METRIC_BLOCK_CPU + 1);

const char *
ov_metric_nick (OvMetric metric)
{
  g_return_val_if_fail (metric < OV_N_METRICS, NULL);
  return metric_nicks[metric];
}

gboolean
ov_metric_from_nick (const char *nick, OvMetric *out)
{
  int index = ov_nick_index (metric_nicks, nick);

  if (index >= 0)
    *out = (OvMetric)index;
  return index >= 0;
}

const char *
ov_metric_label (OvMetric metric)
{
  g_return_val_if_fail (metric < G_N_ELEMENTS (metric_labels), NULL);
  return _ (metric_labels[metric]);
}

static double
seconds (gint64 ns)
{
  return ns >= 0 ? (double)ns / 1e9 : NAN;
}

double
ov_run_metric (const OvRun *run, OvMetric metric)
{
  g_return_val_if_fail (run != NULL, NAN);
  switch (metric)
    {
    case OV_METRIC_ELAPSED:
      return seconds (run->elapsed_ns);
    case OV_METRIC_CPU:
      return seconds (run->cpu_ns);
    case OV_METRIC_STABLE:
      return seconds (run->stable_ns);
    case OV_METRIC_BLOCK:
      return ov_run_block_seconds (run);
    case OV_METRIC_BLOCK_CPU:
      return ov_run_block_cpu (run);
    default:
      return NAN;
    }
}

static gboolean
is_by_block (OvMetric metric)
{
  return metric == OV_METRIC_BLOCK || metric == OV_METRIC_BLOCK_CPU;
}

OvMetric
ov_metric_for (const GPtrArray *cells, OvMetric metric)
{
  g_return_val_if_fail (cells != NULL, metric);
  if (metric != OV_METRIC_ELAPSED && metric != OV_METRIC_CPU)
    return metric;
  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      for (guint k = 0; k < cell->runs->len; k++)
        {
          const OvRun *run = g_ptr_array_index (cell->runs, k);

          if (run->state == OV_STATE_DONE && ov_run_is_cut_short (run))
            return metric == OV_METRIC_CPU ? OV_METRIC_BLOCK_CPU : OV_METRIC_BLOCK;
        }
    }
  return metric;
}

/* ---- Same work ---------------------------------------------------------------------------- */

/* A run whose check value is not its cell's found something wrong, unless it is of other bytes. */
static gboolean
counts (const OvCell *cell, const OvRun *run, OvMetric metric)
{
  return run->state == OV_STATE_DONE
         && (g_strcmp0 (run->check, cell->check) == 0
             || (is_by_block (metric) && ov_run_is_cut_short (run)));
}

static const OvRun *
first_that_counts (const OvCell *cell, OvMetric metric)
{
  for (guint i = 0; i < cell->runs->len; i++)
    if (counts (cell, cell->runs->pdata[i], metric))
      return cell->runs->pdata[i];
  return NULL;
}

/* The value of `key` in "key=value; key=value", or NULL.  Free with g_free(). */
static char *
effective_value (const char *effective, const char *key)
{
  g_auto (GStrv) parts = effective != NULL ? g_strsplit (effective, "; ", -1) : NULL;
  gsize length = strlen (key);

  for (guint i = 0; parts != NULL && parts[i] != NULL; i++)
    if (strncmp (parts[i], key, length) == 0 && parts[i][length] == '=')
      return g_strdup (parts[i] + length + 1);
  return NULL;
}

/* What was really used of what makes work another one.  Free with g_free(). */
static char *
mode (const OvRun *run)
{
  g_autofree char *direct = effective_value (run->effective, "direct");
  g_autofree char *work = effective_value (run->effective, "work");

  if (direct == NULL && work == NULL)
    return g_strdup (_ ("as asked"));
  return g_strdup_printf ("%s%s%s%s%s", direct != NULL ? "direct=" : "",
                          direct != NULL ? direct : "", direct != NULL && work != NULL ? ", " : "",
                          work != NULL ? "work=" : "", work != NULL ? work : "");
}

static gboolean
same_job (const OvRunSpec *a, const OvRunSpec *b)
{
  gboolean blocks = a->job == OV_JOB_BLOCKS;

  return a->job == b->job && a->letter == b->letter && a->requests == b->requests
         && a->rate == b->rate && a->access == b->access && a->order == b->order
         && a->stride == b->stride && (!blocks || a->block == b->block);
}

static gboolean
same_check (const OvRun *a, const OvRun *b, OvMetric metric)
{
  return g_strcmp0 (a->check, b->check) == 0
         || (is_by_block (metric) && (ov_run_is_cut_short (a) || ov_run_is_cut_short (b)));
}

static gboolean
same_bytes (const OvRun *a, const OvRun *b, OvMetric metric)
{
  return a->spec->size == b->spec->size && a->spec->offset == b->spec->offset
         && (a->bytes == b->bytes || is_by_block (metric));
}

static guint
run_differences (const OvRun *a, const OvRun *b, OvMetric metric)
{
  const OvRunSpec *s = a->spec;
  const OvRunSpec *t = b->spec;
  g_autofree char *mode_a = mode (a);
  g_autofree char *mode_b = mode (b);

  return (same_job (s, t) ? 0u : OV_DIFFERS_JOB)
         | (same_bytes (a, b, metric) ? 0u : OV_DIFFERS_BYTES)
         | (s->work == t->work ? 0u : OV_DIFFERS_WORK)
         | (same_check (a, b, metric) ? 0u : OV_DIFFERS_CHECK)
         | (s->condition == t->condition ? 0u : OV_DIFFERS_CONDITION)
         | (strcmp (mode_a, mode_b) == 0 ? 0u : OV_DIFFERS_MODE)
         | (s->timing == t->timing ? 0u : OV_DIFFERS_TIMING)
         | (s->durability == t->durability ? 0u : OV_DIFFERS_DURABILITY)
         | (s->neighbour == t->neighbour ? 0u : OV_DIFFERS_NEIGHBOUR);
}

static guint
cell_differences (const OvCell *a, const OvCell *b, OvMetric metric)
{
  const OvRun *one = first_that_counts (a, metric);
  const OvRun *other = first_that_counts (b, metric);
  guint found = 0;

  if (one == NULL || other == NULL)
    return 0;
  /* Repetitions of one line may differ too, as where O_DIRECT was refused in the middle. */
  for (guint i = 0; i < a->runs->len; i++)
    if (counts (a, a->runs->pdata[i], metric))
      found |= run_differences (a->runs->pdata[i], other, metric);
  for (guint i = 0; i < b->runs->len; i++)
    if (counts (b, b->runs->pdata[i], metric))
      found |= run_differences (one, b->runs->pdata[i], metric);
  return found;
}

guint
ov_cell_differences (const OvCell *a, const OvCell *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, 0);
  return cell_differences (a, b, OV_METRIC_ELAPSED);
}

static void
add_difference (GString *out, const char *what, const char *a, const char *b)
{
  /* Translators: what differs between two runs, then how it is in the one and in the other:
   * "page cache: cold against bypassed". */
  g_autofree char *text = g_strdup_printf (_ ("%s: %s against %s"), what, a, b);

  g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", text);
}

static const char *
check_of (const OvRun *run)
{
  return run->check != NULL ? run->check : "–";
}

char *
ov_cell_describe_differences (const OvCell *a, const OvCell *b, guint differences)
{
  const OvRun *one = first_that_counts (a, OV_METRIC_BLOCK);
  const OvRun *other = first_that_counts (b, OV_METRIC_BLOCK);
  GString *out = g_string_new (NULL);

  if (one == NULL || other == NULL)
    return g_string_free (out, FALSE);
  if (differences & OV_DIFFERS_JOB)
    add_difference (out, _ ("job"), ov_job_nick (one->spec->job), ov_job_nick (other->spec->job));
  if (differences & OV_DIFFERS_BYTES)
    {
      g_autofree char *bytes_a = ov_size_format ((guint64)MAX (one->bytes, 0));
      g_autofree char *bytes_b = ov_size_format ((guint64)MAX (other->bytes, 0));

      add_difference (out, _ ("bytes"), bytes_a, bytes_b);
    }
  if (differences & OV_DIFFERS_WORK)
    add_difference (out, _ ("work"), ov_work_nick (one->spec->work),
                    ov_work_nick (other->spec->work));
  if (differences & OV_DIFFERS_CHECK)
    add_difference (out, _ ("check"), check_of (one), check_of (other));
  if (differences & OV_DIFFERS_CONDITION)
    add_difference (out, _ ("page cache"), ov_condition_nick (one->spec->condition),
                    ov_condition_nick (other->spec->condition));
  if (differences & OV_DIFFERS_NEIGHBOUR)
    add_difference (out, _ ("neighbour"), ov_neighbour_nick (one->spec->neighbour),
                    ov_neighbour_nick (other->spec->neighbour));
  if (differences & OV_DIFFERS_DURABILITY)
    add_difference (out, _ ("durability"), ov_durability_nick (one->spec->durability),
                    ov_durability_nick (other->spec->durability));
  if (differences & OV_DIFFERS_MODE)
    {
      g_autofree char *mode_a = mode (one);
      g_autofree char *mode_b = mode (other);

      add_difference (out, _ ("mode really used"), mode_a, mode_b);
    }
  if (differences & OV_DIFFERS_TIMING)
    add_difference (out, _ ("recording of requests"), ov_timing_nick (one->spec->timing),
                    ov_timing_nick (other->spec->timing));
  return g_string_free (out, FALSE);
}

static gint64
option_of (const OvRunSpec *spec, const char *name, gboolean *found)
{
  const gint64 *value = spec->options != NULL ? g_hash_table_lookup (spec->options, name) : NULL;

  *found = value != NULL;
  return value != NULL ? *value : 0;
}

/* Options that one of them was given and the other was not, or differently. */
static void
add_options (GString *out, const OvRunSpec *a, const OvRunSpec *b)
{
  const OvRunSpec *const specs[] = { a, b };
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GList) names
          = specs[i]->options != NULL ? g_hash_table_get_keys (specs[i]->options) : NULL;

      names = g_list_sort (names, (GCompareFunc)strcmp);
      for (const GList *l = names; l != NULL; l = l->next)
        {
          gboolean has_a, has_b;
          gint64 value_a = option_of (a, l->data, &has_a);
          gint64 value_b = option_of (b, l->data, &has_b);
          g_autofree char *text_a
              = has_a ? g_strdup_printf ("%" G_GINT64_FORMAT, value_a) : g_strdup ("–");
          g_autofree char *text_b
              = has_b ? g_strdup_printf ("%" G_GINT64_FORMAT, value_b) : g_strdup ("–");

          if (g_hash_table_add (told, l->data) && strcmp (text_a, text_b) != 0)
            add_difference (out, l->data, text_a, text_b);
        }
    }
}

char *
ov_cell_describe_settings (const OvCell *a, const OvCell *b)
{
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (a != NULL && b != NULL, NULL);
  if (g_strcmp0 (a->strategy, b->strategy) != 0)
    add_difference (out, _ ("strategy"), a->strategy, b->strategy);
  if (a->block != b->block)
    {
      g_autofree char *block_a = ov_size_format (a->block);
      g_autofree char *block_b = ov_size_format (b->block);

      add_difference (out, _ ("block size"), block_a, block_b);
    }
  if (a->depth != b->depth)
    {
      g_autofree char *depth_a = g_strdup_printf ("%u", a->depth);
      g_autofree char *depth_b = g_strdup_printf ("%u", b->depth);

      add_difference (out, _ ("depth"), depth_a, depth_b);
    }
  if (a->runs->len > 0 && b->runs->len > 0)
    add_options (out, ((const OvRun *)a->runs->pdata[0])->spec,
                 ((const OvRun *)b->runs->pdata[0])->spec);
  return g_string_free (out, FALSE);
}

/* ---- Values of a line --------------------------------------------------------------------- */

/* A value and the repetition it was measured in. */
typedef struct
{
  guint repetition;
  double value;
} Measured;

static int
compare_measured (gconstpointer a, gconstpointer b)
{
  guint one = ((const Measured *)a)->repetition;
  guint other = ((const Measured *)b)->repetition;

  return one < other ? -1 : one > other;
}

/* Of the runs that count, by repetition. */
static GArray *
measured_values (const OvCell *cell, OvMetric metric)
{
  GArray *values = g_array_sized_new (FALSE, FALSE, sizeof (Measured), cell->runs->len);

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = cell->runs->pdata[i];
      Measured measured = { run->spec->repetition, ov_run_metric (run, metric) };

      if (counts (cell, run, metric) && isfinite (measured.value))
        g_array_append_val (values, measured);
    }
  g_array_sort (values, compare_measured);
  return values;
}

/* The figures alone, from the repetition `from` on. */
static GArray *
figures (const GArray *measured, guint from)
{
  GArray *out = g_array_sized_new (FALSE, FALSE, sizeof (double), measured->len);

  for (guint i = 0; i < measured->len; i++)
    {
      const Measured *one = &g_array_index (measured, Measured, i);

      if (one->repetition >= from)
        g_array_append_val (out, one->value);
    }
  return out;
}

#define DOUBLES(array) ((const double *)(gpointer)(array)->data)

/* The repetition at which the warm-up ends, 0 if there is none. */
static guint
end_of_warm_up (const GArray *measured)
{
  g_autoptr (GArray) all = figures (measured, 0);
  gsize n = ov_stats_warm_up (DOUBLES (all), all->len);

  return n > 0 ? g_array_index (measured, Measured, n).repetition : 0;
}

/* ---- A comparison ------------------------------------------------------------------------- */

static void
set_kind (OvComparison *out, gboolean is_interval)
{
  if (isnan (out->ratio))
    out->kind = OV_COMPARISON_NOTHING;
  else if (!is_interval)
    out->kind = OV_COMPARISON_FEW;
  else
    {
      out->kind = out->lo > 1   ? OV_COMPARISON_MORE
                  : out->hi < 1 ? OV_COMPARISON_LESS
                                : OV_COMPARISON_EQUAL;
      out->more = ov_stats_more_to_decide (out->n, out->ratio, out->lo, out->hi);
    }
  /* The range of one figure is no range. */
  if (out->n < 2)
    out->lo = out->hi = NAN;
}

/* Repetitions that both lines have. */
static void
compare_pairs (const GArray *cell, const GArray *base, guint from, OvComparison *out)
{
  g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) b = g_array_new (FALSE, FALSE, sizeof (double));
  guint i = 0;
  guint j = 0;

  while (i < cell->len && j < base->len)
    {
      const Measured *one = &g_array_index (cell, Measured, i);
      const Measured *other = &g_array_index (base, Measured, j);

      if (one->repetition == other->repetition && one->repetition >= from)
        {
          g_array_append_val (a, one->value);
          g_array_append_val (b, other->value);
        }
      i += one->repetition <= other->repetition;
      j += one->repetition >= other->repetition;
    }
  out->n = a->len;
  set_kind (out,
            ov_stats_paired_ratio (DOUBLES (a), DOUBLES (b), a->len, OV_STATS_RESAMPLES,
                                   OV_STATS_SEED, OV_STATS_LEVEL, &out->ratio, &out->lo, &out->hi));
}

static void
compare_apart (const GArray *cell, const GArray *base, guint from_cell, guint from_base,
               OvComparison *out)
{
  g_autoptr (GArray) a = figures (cell, from_cell);
  g_autoptr (GArray) b = figures (base, from_base);

  out->n = MIN (a->len, b->len);
  set_kind (out, ov_stats_ratio (DOUBLES (a), a->len, DOUBLES (b), b->len, OV_STATS_RESAMPLES,
                                 OV_STATS_SEED, OV_STATS_LEVEL, &out->ratio, &out->lo, &out->hi));
}

void
ov_comparison_make (const OvCell *cell, const OvCell *base, OvMetric metric, gboolean paired,
                    OvComparison *out)
{
  g_autoptr (GArray) of_cell = NULL;
  g_autoptr (GArray) of_base = NULL;
  g_autoptr (GArray) values = NULL;
  guint warm_cell, warm_base;

  g_return_if_fail (cell != NULL && base != NULL && out != NULL);
  *out = (OvComparison){ .cell = cell,
                         .base = base,
                         .metric = metric,
                         .paired = paired,
                         .kind = OV_COMPARISON_NOTHING,
                         .ratio = NAN,
                         .lo = NAN,
                         .hi = NAN };
  of_cell = measured_values (cell, metric);
  of_base = measured_values (base, metric);
  warm_cell = end_of_warm_up (of_cell);
  warm_base = end_of_warm_up (of_base);
  values = figures (of_cell, warm_cell);
  out->value = ov_stats_median (DOUBLES (values), values->len);
  out->n_outliers = (guint)ov_stats_mark_outliers (DOUBLES (values), values->len, NULL);
  out->n_warm = cell == base ? warm_cell : MAX (warm_cell, warm_base);
  if (of_cell->len == 0 || of_base->len == 0)
    return;
  out->differences = cell_differences (cell, base, metric);
  if (cell == base)
    {
      out->kind = OV_COMPARISON_BASE;
      out->n = values->len;
      out->ratio = out->lo = out->hi = 1;
    }
  else if (out->differences != 0)
    out->kind = OV_COMPARISON_OTHER_WORK;
  else if (paired)
    compare_pairs (of_cell, of_base, MAX (warm_cell, warm_base), out);
  else
    compare_apart (of_cell, of_base, warm_cell, warm_base, out);
}

/* ---- Contests ----------------------------------------------------------------------------- */

void
ov_contest_free (OvContest *contest)
{
  if (contest == NULL)
    return;
  g_array_unref (contest->comparisons);
  g_free (contest);
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  double one = ((const OvComparison *)a)->value;
  double other = ((const OvComparison *)b)->value;

  return (one > other) - (one < other);
}

/* Takes the array of lines that did the same work, each compared with the first. */
static OvContest *
new_contest (GArray *lines, OvMetric metric)
{
  OvContest *contest = g_new0 (OvContest, 1);

  g_array_sort (lines, compare_values);
  contest->comparisons = lines;
  contest->first = g_array_index (lines, OvComparison, 0).cell;
  contest->decided = TRUE;
  for (guint i = 0; i < lines->len; i++)
    {
      OvComparison *comparison = &g_array_index (lines, OvComparison, i);

      ov_comparison_make (comparison->cell, contest->first, metric, TRUE, comparison);
      /* LESS: the pairs say the opposite of the medians, so that nothing is decided. */
      contest->n_equal += comparison->kind == OV_COMPARISON_BASE
                          || comparison->kind == OV_COMPARISON_EQUAL
                          || comparison->kind == OV_COMPARISON_LESS;
      contest->decided = contest->decided && comparison->kind != OV_COMPARISON_FEW
                         && comparison->kind != OV_COMPARISON_NOTHING;
    }
  return contest;
}

static gboolean
belongs_to (const OvCell *cell, const OvCell *other, OvMetric metric)
{
  return cell->part == OV_PART_WHOLE && g_strcmp0 (cell->target, other->target) == 0
         && (cell->x == other->x || (isnan (cell->x) && isnan (other->x)))
         && cell_differences (cell, other, metric) == 0;
}

GPtrArray *
ov_contests_new (GPtrArray *cells, OvMetric metric)
{
  GPtrArray *contests = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_contest_free);
  g_autofree gboolean *taken = NULL;

  g_return_val_if_fail (cells != NULL, contests);
  taken = g_new0 (gboolean, cells->len);
  for (guint i = 0; i < cells->len; i++)
    {
      OvComparison one;
      GArray *lines;

      if (taken[i] || ((const OvCell *)cells->pdata[i])->part != OV_PART_WHOLE)
        continue;
      ov_comparison_make (cells->pdata[i], cells->pdata[i], metric, TRUE, &one);
      if (one.kind != OV_COMPARISON_BASE)
        continue;
      lines = g_array_new (FALSE, FALSE, sizeof (OvComparison));
      g_array_append_val (lines, one);
      for (guint j = i + 1; j < cells->len; j++)
        if (!taken[j] && belongs_to (cells->pdata[j], cells->pdata[i], metric))
          {
            ov_comparison_make (cells->pdata[j], cells->pdata[j], metric, TRUE, &one);
            if (one.kind != OV_COMPARISON_BASE)
              continue;
            g_array_append_val (lines, one);
            taken[j] = TRUE;
          }
      g_ptr_array_add (contests, new_contest (lines, metric));
    }
  return contests;
}
