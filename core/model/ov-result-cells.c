/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results by variant, target and x: medians, intervals, and whether all runs that did the same
 * work found the same.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "metrics/ov-stats.h"
#include "model/ov-result.h"
#include "model/ov-types-private.h"

/* ---- Which check values are wrong --------------------------------------------------------- */

/* What was found for one piece of work, and by whom. */
typedef struct
{
  char *check;
  GHashTable *variants; /* labels, borrowed */
  guint runs;
} Vote;

typedef struct
{
  GHashTable *votes;    /* check -> Vote */
  const char *majority; /* NULL: there is none */
  gboolean decided;
} Ballot;

static void
free_vote (gpointer data)
{
  Vote *vote = data;

  g_free (vote->check);
  g_hash_table_unref (vote->variants);
  g_free (vote);
}

static void
free_ballot (gpointer data)
{
  Ballot *ballot = data;

  g_hash_table_unref (ballot->votes);
  g_free (ballot);
}

/* What two runs must have in common for their check values to be the same. */
static char *
work_key (const OvRunSpec *s)
{
  gboolean blocks = s->job == OV_JOB_BLOCKS;

  if (s->job & OV_HARDWARE_JOBS)
    return g_strdup_printf ("%u %" G_GUINT64_FORMAT " %g %u %u %s", s->job, s->requests, s->rate,
                            s->access, s->width, s->target != NULL ? s->target : "");
  return g_strdup_printf ("%u %u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                          " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u %" G_GUINT64_FORMAT
                          " %s",
                          s->job, s->work, (guchar)s->letter, s->size, s->offset, s->requests,
                          blocks ? s->block : 0, blocks ? s->seed : 0, blocks ? s->order : 0,
                          blocks ? s->stride : 0, s->target != NULL ? s->target : "");
}

static gboolean
has_check (const OvRun *run)
{
  return run->state == OV_STATE_DONE && run->check != NULL;
}

static void
cast_vote (GHashTable *ballots, const OvRun *run)
{
  g_autofree char *key = work_key (run->spec);
  Ballot *ballot = g_hash_table_lookup (ballots, key);
  Vote *vote;

  if (ballot == NULL)
    {
      ballot = g_new0 (Ballot, 1);
      ballot->votes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_vote);
      g_hash_table_insert (ballots, g_steal_pointer (&key), ballot);
    }
  vote = g_hash_table_lookup (ballot->votes, run->check);
  if (vote == NULL)
    {
      vote = g_new0 (Vote, 1);
      vote->check = g_strdup (run->check);
      vote->variants = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (ballot->votes, vote->check, vote);
    }
  g_hash_table_add (vote->variants, run->spec->variant);
  vote->runs++;
}

/* The value that most variants found; where variants are equal, that most runs found; where these
 * are equal too, none. */
static const char *
majority (Ballot *ballot)
{
  const Vote *best = NULL;
  gboolean tie = FALSE;
  GHashTableIter iter;
  gpointer value;

  if (ballot->decided)
    return ballot->majority;
  g_hash_table_iter_init (&iter, ballot->votes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Vote *vote = value;
      gint64 ahead = best == NULL ? 1
                                  : (gint64)g_hash_table_size (vote->variants)
                                        - (gint64)g_hash_table_size (best->variants);

      if (ahead == 0)
        ahead = (gint64)vote->runs - (gint64)best->runs;
      tie = ahead == 0 || (tie && ahead < 0);
      if (ahead > 0)
        best = vote;
    }
  ballot->decided = TRUE;
  ballot->majority = best != NULL && !tie ? best->check : NULL;
  return ballot->majority;
}

static GHashTable *
count_votes (const OvResult *result)
{
  GHashTable *ballots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_ballot);
  guint i;

  for (i = 0; i < result->runs->len; i++)
    if (has_check (result->runs->pdata[i]))
      cast_vote (ballots, result->runs->pdata[i]);
  return ballots;
}

static gboolean
is_wrong (GHashTable *ballots, const OvRun *run)
{
  g_autofree char *key = NULL;

  if (!has_check (run))
    return FALSE;
  key = work_key (run->spec);
  return g_strcmp0 (majority (g_hash_table_lookup (ballots, key)), run->check) != 0;
}

/* ---- Grouping ----------------------------------------------------------------------------- */

static OvCell *
new_cell (const OvRunSpec *spec)
{
  OvCell *cell = g_new0 (OvCell, 1);

  cell->variant = g_strdup (spec->variant);
  cell->strategy = g_strdup (spec->strategy);
  cell->target = g_strdup (spec->target);
  cell->x = spec->x;
  cell->block = spec->block;
  cell->depth = spec->depth;
  cell->condition = spec->condition;
  cell->part = spec->part;
  cell->runs = g_ptr_array_new ();
  cell->median_s = NAN;
  cell->lo_s = NAN;
  cell->hi_s = NAN;
  cell->stable_s = NAN;
  cell->rate = NAN;
  cell->cpu_per_gb = NAN;
  cell->per_second = NAN;
  cell->cpu_s = NAN;
  cell->stop_latency_ns = -1;
  return cell;
}

void
ov_cell_free (OvCell *cell)
{
  if (cell == NULL)
    return;
  g_free (cell->variant);
  g_free (cell->strategy);
  g_free (cell->target);
  g_free (cell->check);
  g_free (cell->cause);
  g_ptr_array_unref (cell->runs);
  g_free (cell);
}

/* A cell in the making, with what it is sorted by. */
typedef struct
{
  OvCell *cell;
  guint variant; /* place of the variant in the experiment */
  guint order;   /* place of the line among those of the variant */
  guint target;
} Place;

/* The variant of the experiment that a label belongs to: its own, or followed by a value of the
 * second axis; behind all others when there is none. */
static guint
variant_place (const OvResult *result, const char *label)
{
  const GPtrArray *variants = result->experiment != NULL ? result->experiment->variants : NULL;
  guint place = G_MAXUINT;
  gsize longest = 0;
  guint i;

  for (i = 0; variants != NULL && i < variants->len; i++)
    {
      const char *own = ((OvVariant *)variants->pdata[i])->label;
      gsize n = strlen (own);

      if (n >= longest && strncmp (label, own, n) == 0
          && (label[n] == '\0' || strncmp (label + n, ", ", 2) == 0))
        {
          place = i;
          longest = n;
        }
    }
  return place;
}

/* The number under which `text` was seen first. */
static guint
first_seen (GHashTable *seen, const char *text)
{
  gpointer number;

  if (g_hash_table_lookup_extended (seen, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  number = GUINT_TO_POINTER (g_hash_table_size (seen));
  g_hash_table_insert (seen, g_strdup (text), number);
  return GPOINTER_TO_UINT (number);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *one = a;
  const Place *other = b;
  double x = one->cell->x;
  double y = other->cell->x;

  if (one->variant != other->variant)
    return one->variant < other->variant ? -1 : 1;
  if (one->order != other->order)
    return one->order < other->order ? -1 : 1;
  if (one->target != other->target)
    return one->target < other->target ? -1 : 1;
  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return x < y ? -1 : x > y;
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  guint one = (*(OvRun *const *)a)->spec->index;
  guint other = (*(OvRun *const *)b)->spec->index;

  return one < other ? -1 : one > other;
}

/* Runs in the order of the plan, so that neither an alternation's backward pass nor the moment in
 * which a skipped run was noted changes the order of lines. */
static GArray *
group (const OvResult *result)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GHashTable) index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) targets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_sized_new (result->runs->len);
  guint i;

  for (i = 0; i < result->runs->len; i++)
    g_ptr_array_add (runs, result->runs->pdata[i]);
  g_ptr_array_sort (runs, compare_runs);
  for (i = 0; i < runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (runs, i);
      const OvRunSpec *spec = run->spec;
      char x[G_ASCII_DTOSTR_BUF_SIZE];
      char *key = g_strjoin ("\n", g_ascii_dtostr (x, sizeof x, spec->x), spec->variant,
                             spec->target, NULL);
      gpointer found;

      if (!g_hash_table_lookup_extended (index, key, NULL, &found))
        {
          Place place
              = { .cell = new_cell (spec),
                  .variant = variant_place (result, spec->variant),
                  .order = first_seen (lines, spec->variant),
                  .target = first_seen (targets, spec->target != NULL ? spec->target : "") };

          found = place.cell;
          g_array_append_val (places, place);
          g_hash_table_insert (index, g_steal_pointer (&key), found);
        }
      g_ptr_array_add (((OvCell *)found)->runs, run);
      g_free (key);
    }
  g_array_sort (places, compare_places);
  return places;
}

/* ---- Figures ------------------------------------------------------------------------------ */

/* Bytes a second at the median: of the bytes where all runs moved as many, else the median of the
 * rates. */
static double
median_rate (const OvCell *cell)
{
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 bytes = -1;
  gboolean same = TRUE;
  guint i;

  for (i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      double rate = ov_run_rate (run);

      if (run->state != OV_STATE_DONE || isnan (rate))
        continue;
      same = same && (rates->len == 0 || run->bytes == bytes);
      bytes = run->bytes;
      g_array_append_val (rates, rate);
    }
  if (rates->len == 0)
    return NAN;
  if (same && cell->median_s > 0)
    return (double)bytes / cell->median_s;
  return ov_stats_median ((const double *)(gpointer)rates->data, rates->len);
}

/* The check value that most of the cell's done runs found. */
static char *
common_check (const OvCell *cell)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  const char *best = NULL;
  guint most = 0;
  guint i;

  for (i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      guint n;

      if (!has_check (run))
        continue;
      n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, run->check)) + 1;
      g_hash_table_insert (counts, run->check, GUINT_TO_POINTER (n));
      if (n > most)
        best = run->check;
      most = MAX (most, n);
    }
  return g_strdup (best);
}

/* The summary of `seconds`, from `summaries` where it was computed before: the bootstrap takes one
 * to two milliseconds for ten values. */
static gboolean
summarize (GHashTable *summaries, const GArray *seconds, OvStatsSummary *out)
{
  gsize bytes = seconds->len * sizeof (double);
  g_autoptr (GBytes) key = g_bytes_new (seconds->data, bytes);
  const OvStatsSummary *known = g_hash_table_lookup (summaries, key);

  if (known == NULL)
    {
      if (!ov_stats_summary ((const double *)(gpointer)seconds->data, seconds->len, out))
        return FALSE;
      g_hash_table_insert (summaries, g_steal_pointer (&key), g_memdup2 (out, sizeof *out));
      return TRUE;
    }
  *out = *known;
  return TRUE;
}

/* Requests a second and CPU seconds of the runs that count, for jobs whose figures they are. */
static void
compute_hardware (OvCell *cell)
{
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) cpu = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);
      const double rate = ov_run_per_second (run);
      const double s = (double)run->cpu_ns / 1e9;

      if (run->state != OV_STATE_DONE)
        continue;
      if (isfinite (rate))
        g_array_append_val (rates, rate);
      if (run->cpu_ns >= 0)
        g_array_append_val (cpu, s);
    }
  cell->per_second = ov_stats_median ((const double *)(gpointer)rates->data, rates->len);
  cell->cpu_s = ov_stats_median ((const double *)(gpointer)cpu->data, cpu->len);
}

static void
compute_cell (OvCell *cell, GHashTable *ballots, GHashTable *summaries)
{
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) stable = g_array_new (FALSE, FALSE, sizeof (double));
  OvStatsSummary summary;
  double cpu_ns = 0;
  double cpu_bytes = 0;
  guint i;

  for (i = 0; i < cell->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (cell->runs, i);

      cell->stop_latency_ns = MAX (cell->stop_latency_ns, run->stop_latency_ns);
      if (run->state != OV_STATE_DONE)
        {
          if (cell->cause == NULL)
            cell->cause = g_strdup (run->cause);
          continue;
        }
      cell->n_done++;
      cell->n_wrong += is_wrong (ballots, run) ? 1 : 0;
      if (run->elapsed_ns >= 0)
        {
          double s = (double)run->elapsed_ns / 1e9;

          g_array_append_val (seconds, s);
        }
      if (run->stable_ns >= 0)
        {
          double s = (double)run->stable_ns / 1e9;

          g_array_append_val (stable, s);
        }
      if (run->cpu_ns >= 0 && run->bytes > 0)
        {
          cpu_ns += (double)run->cpu_ns;
          cpu_bytes += (double)run->bytes;
        }
    }
  if (summarize (summaries, seconds, &summary))
    {
      cell->median_s = summary.median;
      cell->lo_s = summary.lo;
      cell->hi_s = summary.hi;
      cell->is_interval = summary.is_interval;
    }
  if (stable->len > 0)
    cell->stable_s = ov_stats_median ((const double *)(gpointer)stable->data, stable->len);
  cell->rate = median_rate (cell);
  if (cpu_bytes > 0)
    cell->cpu_per_gb = cpu_ns / cpu_bytes;
  compute_hardware (cell);
  cell->check = common_check (cell);
}

/* What is remembered; begun anew when it holds far more than the cells there are. */
static GHashTable *
get_summaries (OvResult *result, guint n_cells)
{
  if (result->summaries != NULL && g_hash_table_size (result->summaries) > 10000 + 2 * n_cells)
    g_clear_pointer (&result->summaries, g_hash_table_unref);
  if (result->summaries == NULL)
    result->summaries = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                               (GDestroyNotify)g_bytes_unref, g_free);
  return result->summaries;
}

GPtrArray *
ov_result_cells (const OvResult *result)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_cell_free);
  g_autoptr (GArray) places = NULL;
  g_autoptr (GHashTable) ballots = NULL;
  GHashTable *summaries;
  guint i;

  g_return_val_if_fail (result != NULL, NULL);
  places = group (result);
  summaries = get_summaries ((OvResult *)result, places->len);
  ballots = count_votes (result);
  for (i = 0; i < places->len; i++)
    {
      OvCell *cell = g_array_index (places, Place, i).cell;

      compute_cell (cell, ballots, summaries);
      g_ptr_array_add (cells, cell);
    }
  return cells;
}
