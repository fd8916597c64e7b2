// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsModel: runs are kept in entries, one for each variant, target and value of x. Only
 * entries that got a run since the last update are computed again, and only some at a time: an
 * interval costs a tenth of a millisecond for each run in it.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-report.h"

#include "gui/ov-results-model.h"

typedef struct
{
  OvResultsRow *row; /* borrowed */
  double x;
  guint n_total;
  GPtrArray *runs; /* of OvRun: those that ended */
  OvCell *cell;    /* or NULL */
  gboolean dirty;
} Entry;

struct _OvResultsModel
{
  GObject parent_instance;

  OvExperiment *experiment;
  GListStore *rows;
  GPtrArray *entries; /* of Entry */
  GHashTable *index;  /* of Entry, by variant, target and x; key and value are the entry */
  GHashTable *skips;  /* OvResultsRow* -> char*: why it cannot run here */
  GArray *xs;         /* of double */
  OvAxisParameter parameter;
  guint x;
  OvRun *current;
  gboolean begun;
  gboolean ended;
  gboolean follow; /* the x that is shown is the one that is being run */
};

G_DEFINE_FINAL_TYPE (OvResultsModel, ov_results_model, G_TYPE_OBJECT)

enum
{
  SIGNAL_X_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_ptr_array_unref (entry->runs);
  g_clear_pointer (&entry->cell, ov_cell_free);
  g_free (entry);
}

static void
ov_results_model_finalize (GObject *object)
{
  OvResultsModel *self = OV_RESULTS_MODEL (object);

  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->skips);
  g_array_unref (self->xs);
  g_clear_pointer (&self->current, ov_run_unref);
  g_object_unref (self->rows);
  ov_experiment_unref (self->experiment);
  G_OBJECT_CLASS (ov_results_model_parent_class)->finalize (object);
}

static void
ov_results_model_class_init (OvResultsModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_results_model_finalize;
  signals[SIGNAL_X_CHANGED] = g_signal_new ("x-changed", OV_TYPE_RESULTS_MODEL, G_SIGNAL_RUN_LAST,
                                            0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_results_model_init (OvResultsModel *self)
{
  self->rows = g_list_store_new (OV_TYPE_RESULTS_ROW);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->skips = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->xs = g_array_new (FALSE, FALSE, sizeof (double));
}

OvResultsModel *
ov_results_model_new (OvExperiment *experiment)
{
  OvResultsModel *self = g_object_new (OV_TYPE_RESULTS_MODEL, NULL);

  self->experiment = ov_experiment_ref (experiment);
  return self;
}

GListModel *
ov_results_model_get_rows (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);
  return G_LIST_MODEL (self->rows);
}

static double
shown_x (OvResultsModel *self)
{
  return self->x < self->xs->len ? g_array_index (self->xs, double, self->x) : NAN;
}

/* ---- Rows and entries ----------------------------------------------------------------------- */

static OvResultsRow *
find_row (GPtrArray *rows, const char *variant, const char *target)
{
  for (guint i = 0; i < rows->len; i++)
    {
      OvResultsRow *row = g_ptr_array_index (rows, i);

      if (g_strcmp0 (ov_results_row_get_variant (row), variant) == 0
          && g_strcmp0 (ov_results_row_get_target (row), target) == 0)
        return row;
    }
  return NULL;
}

/* What an entry is found by. The caller owns the text. */
static char *
entry_key (const OvRunSpec *spec)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strjoin ("\n", g_ascii_dtostr (x, sizeof x, spec->x), spec->variant,
                    spec->target != NULL ? spec->target : "", NULL);
}

static Entry *
find_entry (OvResultsModel *self, const OvRunSpec *spec)
{
  g_autofree char *key = entry_key (spec);

  return g_hash_table_lookup (self->index, key);
}

static OvResultsRow *
need_row (OvResultsModel *self, GPtrArray *rows, const OvRunSpec *spec)
{
  OvResultsRow *row = find_row (rows, spec->variant, spec->target);
  int style = ov_report_style (self->experiment, spec->variant);

  if (row == NULL)
    {
      row = ov_results_row_new (spec->variant, spec->target, style, (guint)style);
      g_ptr_array_add (rows, row);
    }
  return row;
}

static Entry *
need_entry (OvResultsModel *self, GPtrArray *rows, const OvRunSpec *spec)
{
  Entry *entry = find_entry (self, spec);
  gboolean known = FALSE;

  if (entry != NULL)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->row = need_row (self, rows, spec);
  entry->x = spec->x;
  entry->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
  g_ptr_array_add (self->entries, entry);
  g_hash_table_insert (self->index, entry_key (spec), entry);
  for (guint i = 0; i < self->xs->len && !known; i++)
    known = g_array_index (self->xs, double, i) == spec->x;
  if (!known && isfinite (spec->x))
    g_array_append_val (self->xs, spec->x);
  return entry;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;

  return (x > y) - (x < y);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  OvResultsRow *x = *(OvResultsRow *const *)a;
  OvResultsRow *y = *(OvResultsRow *const *)b;
  guint i = ov_results_row_get_order (x);
  guint j = ov_results_row_get_order (y);

  return (i > j) - (i < j);
}

/* With a second target every row says which one it is about. */
static void
label_rows (GPtrArray *rows)
{
  gboolean several = FALSE;

  for (guint i = 1; i < rows->len && !several; i++)
    several = g_strcmp0 (ov_results_row_get_target (g_ptr_array_index (rows, i)),
                         ov_results_row_get_target (g_ptr_array_index (rows, 0)))
              != 0;
  for (guint i = 0; i < rows->len && several; i++)
    {
      OvResultsRow *row = g_ptr_array_index (rows, i);
      g_autofree char *label = g_strdup_printf ("%s, %s", ov_results_row_get_variant (row),
                                                ov_results_row_get_target (row));

      ov_results_row_set_label (row, label);
    }
}

static void
clear (OvResultsModel *self)
{
  g_hash_table_remove_all (self->index);
  g_ptr_array_set_size (self->entries, 0);
  g_hash_table_remove_all (self->skips);
  g_array_set_size (self->xs, 0);
  g_clear_pointer (&self->current, ov_run_unref);
  self->begun = self->ended = self->follow = FALSE;
}

/* ---- What is shown -------------------------------------------------------------------------- */

/* Why runs of the entry do not count, the most telling first, or NULL. */
static char *
entry_cause (const Entry *entry)
{
  static const OvState order[] = { OV_STATE_ABANDONED, OV_STATE_FAILED, OV_STATE_STOPPED };

  for (guint s = 0; s < G_N_ELEMENTS (order); s++)
    {
      const OvRun *first = NULL;
      guint n = 0;

      for (guint i = 0; i < entry->runs->len; i++)
        {
          const OvRun *run = g_ptr_array_index (entry->runs, i);

          if (run->state != order[s])
            continue;
          first = first != NULL ? first : run;
          n++;
        }
      if (n > 0 && first->cause != NULL && order[s] != OV_STATE_STOPPED)
        return g_strdup_printf ("%u %s: %s", n, ov_state_label (order[s]), first->cause);
      if (n > 0)
        return g_strdup_printf ("%u %s", n, ov_state_label (order[s]));
    }
  return NULL;
}

static void
show_row (OvResultsModel *self, OvResultsRow *row)
{
  const char *skip = g_hash_table_lookup (self->skips, row);
  double x = shown_x (self);
  const Entry *entry = NULL;

  for (guint i = 0; i < self->entries->len && entry == NULL; i++)
    {
      const Entry *e = g_ptr_array_index (self->entries, i);

      if (e->row == row && e->x == x)
        entry = e;
    }
  if (skip != NULL)
    ov_results_row_set_state (row, OV_ROW_NOT_HERE, 0, 0, skip);
  else if (entry != NULL)
    {
      const OvRunSpec *spec = self->current != NULL ? self->current->spec : NULL;
      gboolean running = spec != NULL && spec->x == x
                         && g_strcmp0 (spec->variant, ov_results_row_get_variant (row)) == 0
                         && g_strcmp0 (spec->target, ov_results_row_get_target (row)) == 0;
      g_autofree char *cause = entry_cause (entry);
      g_autofree char *effective = ov_report_effective (entry->runs);
      OvRowState state = OV_ROW_PLANNED;

      if (running)
        state = OV_ROW_RUNNING;
      else if (self->ended || (entry->runs->len > 0 && entry->runs->len >= entry->n_total))
        state = OV_ROW_ENDED;
      else if (self->begun)
        state = OV_ROW_WAITING;
      ov_results_row_set_state (row, state, entry->runs->len, entry->n_total, cause);
      ov_results_row_set_effective (row, effective);
    }
  else
    ov_results_row_set_state (row, self->ended ? OV_ROW_ENDED : OV_ROW_PLANNED, 0, 0, NULL);
  ov_results_row_flush (row);
}

static void
show_cells (OvResultsModel *self)
{
  double x = shown_x (self);

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->x == x)
        ov_results_row_set_cell (entry->row, entry->cell);
    }
}

static void
show (OvResultsModel *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvResultsRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      show_row (self, row);
    }
}

/* ---- Figures -------------------------------------------------------------------------------- */

/* What was found for one piece of work: by how many variants, in how many runs. */
typedef struct
{
  const OvResultsRow *last;
  guint variants;
  guint runs;
} Votes;

static gboolean
is_same_work (const OvRun *run, const OvRun *like)
{
  return run->state == OV_STATE_DONE && run->check != NULL && run->spec->work == like->spec->work
         && run->spec->requests == like->spec->requests && run->spec->size == like->spec->size
         && run->spec->letter == like->spec->letter
         && (run->spec->job != OV_JOB_BLOCKS
             || (run->spec->block == like->spec->block && run->spec->seed == like->spec->seed
                 && run->spec->order == like->spec->order
                 && run->spec->stride == like->spec->stride))
         && g_strcmp0 (run->spec->target, like->spec->target) == 0;
}

/* The check value that most variants, else most runs, found for the work of `like`; NULL where
 * these are equal: the rule of ov_result_cells(). Entries of one row and one x are adjacent to no
 * other row's runs, so that a variant is counted once. */
static const char *
common_check (OvResultsModel *self, const Entry *entry, const OvRun *like)
{
  g_autoptr (GHashTable) votes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *best = NULL;
  gint64 most = 0;
  gboolean tie = FALSE;
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *e = g_ptr_array_index (self->entries, i);

      for (guint j = 0; e->x == entry->x && j < e->runs->len; j++)
        {
          const OvRun *run = g_ptr_array_index (e->runs, j);
          Votes *v;

          if (!is_same_work (run, like))
            continue;
          v = g_hash_table_lookup (votes, run->check);
          if (v == NULL)
            {
              v = g_new0 (Votes, 1);
              g_hash_table_insert (votes, run->check, v);
            }
          v->variants += v->last != e->row ? 1 : 0;
          v->last = e->row;
          v->runs++;
        }
    }
  g_hash_table_iter_init (&iter, votes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const Votes *v = value;
      gint64 weight = ((gint64)v->variants << 32) + v->runs;

      tie = weight == most || (tie && weight < most);
      if (weight > most)
        {
          most = weight;
          best = key;
        }
    }
  return tie ? NULL : best;
}

static guint
count_wrong (OvResultsModel *self, const Entry *entry)
{
  const char *check = NULL;
  const OvRun *like = NULL;
  guint n = 0;

  for (guint i = 0; i < entry->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (entry->runs, i);

      if (run->state != OV_STATE_DONE || run->check == NULL)
        continue;
      if (like == NULL)
        check = common_check (self, entry, run);
      like = run;
      if (g_strcmp0 (run->check, check) != 0)
        n++;
    }
  return n;
}

/* The model's own statistics over the runs of one entry. */
static void
compute (OvResultsModel *self, Entry *entry)
{
  g_autoptr (OvResult) part = ov_result_new (self->experiment);
  g_autoptr (GPtrArray) cells = NULL;

  for (guint i = 0; i < entry->runs->len; i++)
    g_ptr_array_add (part->runs, ov_run_ref (g_ptr_array_index (entry->runs, i)));
  cells = ov_result_cells (part);
  g_clear_pointer (&entry->cell, ov_cell_free);
  if (cells->len > 0)
    entry->cell = g_ptr_array_steal_index (cells, 0);
  entry->dirty = FALSE;
}

/* Whether all runs at this x found the same can change with each of them. */
static void
count_wrong_at (OvResultsModel *self, double x)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->x == x && entry->cell != NULL)
        entry->cell->n_wrong = count_wrong (self, entry);
    }
}

gboolean
ov_results_model_update (OvResultsModel *self, gint64 budget_us, OvCellFunc func, gpointer data)
{
  gint64 begin = g_get_monotonic_time ();
  double counted = NAN;
  gboolean any = FALSE;
  gboolean more = FALSE;

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), FALSE);

  for (guint i = 0; i < self->entries->len && !more; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (!entry->dirty)
        continue;
      if (any && budget_us >= 0 && g_get_monotonic_time () - begin >= budget_us)
        {
          more = TRUE;
          break;
        }
      compute (self, entry);
      any = TRUE;
      if (entry->x != counted)
        count_wrong_at (self, entry->x);
      else if (entry->cell != NULL)
        entry->cell->n_wrong = count_wrong (self, entry);
      counted = entry->x;
      if (entry->cell != NULL && func != NULL)
        func (entry->cell, entry->cell->n_done < entry->n_total, data);
    }
  if (any)
    {
      show_cells (self);
      show (self);
    }
  return more;
}

void
ov_results_model_touch (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      entry->dirty = entry->dirty || entry->runs->len > 0;
    }
}

GPtrArray *
ov_results_model_get_cells (OvResultsModel *self)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  double x;

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);

  x = shown_x (self);
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->x == x && entry->dirty)
        return NULL;
      if (entry->x == x && entry->cell != NULL)
        g_ptr_array_add (cells, entry->cell);
    }
  return g_steal_pointer (&cells);
}

/* ---- Feeding -------------------------------------------------------------------------------- */

/* Replaces the rows; the largest x is shown. */
static void
publish (OvResultsModel *self, GPtrArray *rows)
{
  label_rows (rows);
  g_ptr_array_sort (rows, compare_rows);
  g_array_sort (self->xs, compare_doubles);
  self->x = self->xs->len > 0 ? self->xs->len - 1 : 0;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  show (self);
  g_signal_emit (self, signals[SIGNAL_X_CHANGED], 0);
}

void
ov_results_model_set_plan (OvResultsModel *self, const OvPlan *plan)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  clear (self);
  self->parameter = plan->x;
  for (guint i = 0; i < plan->specs->len; i++)
    need_entry (self, rows, g_ptr_array_index (plan->specs, i))->n_total++;
  for (guint i = 0; i < plan->skips->len; i++)
    {
      const OvRun *run = g_ptr_array_index (plan->skips, i);

      g_hash_table_replace (self->skips, need_row (self, rows, run->spec),
                            g_strdup (run->cause != NULL ? run->cause : "–"));
    }
  publish (self, rows);
}

void
ov_results_model_set_result (OvResultsModel *self, const OvResult *result)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  clear (self);
  self->parameter = result->x;
  for (guint i = 0; i < result->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);
      Entry *entry;

      if (run->state == OV_STATE_SKIPPED)
        {
          g_hash_table_replace (self->skips, need_row (self, rows, run->spec),
                                g_strdup (run->cause != NULL ? run->cause : "–"));
          continue;
        }
      entry = need_entry (self, rows, run->spec);
      entry->n_total++;
      entry->dirty = TRUE;
      g_ptr_array_add (entry->runs, ov_run_ref (run));
    }
  self->begun = self->ended = TRUE;
  publish (self, rows);
}

void
ov_results_model_begin (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));
  self->begun = self->follow = TRUE;
  show (self);
}

static void
set_x (OvResultsModel *self, guint index)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  if (index == self->x || index >= self->xs->len)
    return;
  self->x = index;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvResultsRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      ov_results_row_set_cell (row, NULL);
    }
  show_cells (self);
  show (self);
  g_signal_emit (self, signals[SIGNAL_X_CHANGED], 0);
}

void
ov_results_model_set_current (OvResultsModel *self, const OvRun *run)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  if (run == self->current)
    return;
  g_clear_pointer (&self->current, ov_run_unref);
  if (run != NULL)
    self->current = ov_run_ref ((OvRun *)run);
  for (guint i = 0; run != NULL && self->follow && i < self->xs->len; i++)
    if (g_array_index (self->xs, double, i) == run->spec->x)
      set_x (self, i);
  show (self);
}

void
ov_results_model_add (OvResultsModel *self, const OvRun *run)
{
  Entry *entry;

  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  if (run->state == OV_STATE_SKIPPED)
    return; /* the plan has said so */
  entry = find_entry (self, run->spec);
  if (entry == NULL)
    return;
  g_ptr_array_add (entry->runs, ov_run_ref ((OvRun *)run));
  entry->dirty = TRUE;
}

static gboolean
has_done (const Entry *entry)
{
  for (guint i = 0; i < entry->runs->len; i++)
    if (((const OvRun *)g_ptr_array_index (entry->runs, i))->state == OV_STATE_DONE)
      return TRUE;
  return FALSE;
}

/* The largest x that has a figure; the run may have been stopped before it came to the others. */
static guint
largest_done (OvResultsModel *self)
{
  for (guint i = self->xs->len; i > 0; i--)
    for (guint j = 0; j < self->entries->len; j++)
      {
        const Entry *entry = g_ptr_array_index (self->entries, j);

        if (entry->x == g_array_index (self->xs, double, i - 1) && has_done (entry))
          return i - 1;
      }
  return self->x;
}

void
ov_results_model_drop_missing (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->runs->len == 0 || entry->runs->len == entry->n_total)
        continue;
      entry->n_total = entry->runs->len;
      entry->dirty = TRUE;
    }
}

void
ov_results_model_end (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  g_clear_pointer (&self->current, ov_run_unref);
  self->ended = TRUE;
  if (self->follow && self->xs->len > 0)
    set_x (self, largest_done (self));
  self->follow = FALSE;
  show (self);
}

const GArray *
ov_results_model_get_xs (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);
  return self->xs;
}

OvAxisParameter
ov_results_model_get_parameter (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), OV_AXIS_SIZE);
  return self->parameter;
}

guint
ov_results_model_get_x (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), 0);
  return self->x;
}

void
ov_results_model_set_x (OvResultsModel *self, guint index)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));
  self->follow = FALSE;
  set_x (self, index);
}

guint
ov_results_model_get_repetitions (OvResultsModel *self)
{
  guint most = 0;

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), 0);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);

      most = MAX (most, entry->n_total);
    }
  return most;
}

gboolean
ov_results_model_writes (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), FALSE);
  return (self->experiment->job & OV_WRITE_JOBS) != 0;
}

gboolean
ov_results_model_is_hardware (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), FALSE);
  return (self->experiment->job & OV_HARDWARE_JOBS) != 0;
}
