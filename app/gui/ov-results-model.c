// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsModel: rows are made of the lines of an index. Only entries that got a run since the
 * last update are computed again, and only some at a time: an interval costs a tenth of a
 * millisecond for each run in it.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-report.h"

#include "gui/ov-results-model.h"

struct _OvResultsModel
{
  GObject parent_instance;

  OvExperiment *experiment;
  GListStore *rows;      /* of OvResultsRow, in the order of the experiment */
  OvResultsIndex *index; /* what they show */
  GHashTable *row_of;    /* OvResultsLine of the index -> OvResultsRow */
  GQueue dirty;          /* of OvResultsEntry: each that is dirty, once */
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
ov_results_model_finalize (GObject *object)
{
  OvResultsModel *self = OV_RESULTS_MODEL (object);

  g_queue_clear (&self->dirty);
  g_hash_table_unref (self->row_of);
  ov_results_index_free (self->index);
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
  self->index = ov_results_index_new (OV_AXIS_SIZE);
  self->row_of = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  g_queue_init (&self->dirty);
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
  const GArray *xs = self->index->xs;

  return self->x < xs->len ? g_array_index (xs, double, self->x) : NAN;
}

/* The entries at an x; those that have none, as none, are nowhere. */
static guint
n_entries_at (OvResultsModel *self, double x)
{
  const GPtrArray *at = ov_results_index_at (self->index, x);

  return at != NULL ? at->len : 0;
}

static OvResultsEntry *
entry_at (OvResultsModel *self, double x, guint i)
{
  return g_ptr_array_index (ov_results_index_at (self->index, x), i);
}

static OvResultsRow *
row_of (OvResultsModel *self, const OvResultsEntry *entry)
{
  return g_hash_table_lookup (self->row_of, entry->line);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

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

/* ---- What is shown -------------------------------------------------------------------------- */

/* Why runs of the entry do not count, the most telling first, or NULL. */
static char *
entry_cause (const OvResultsEntry *entry)
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

/* `entry` is the line's at the x that is shown, or NULL. */
static void
show_row (OvResultsModel *self, OvResultsRow *row, const OvResultsLine *line,
          const OvResultsEntry *entry)
{
  if (line->skip != NULL)
    ov_results_row_set_state (row, OV_ROW_NOT_HERE, 0, 0, line->skip);
  else if (entry != NULL)
    {
      const OvRunSpec *spec = self->current != NULL ? self->current->spec : NULL;
      gboolean running = spec != NULL && spec->x == entry->x
                         && g_strcmp0 (spec->variant, line->variant) == 0
                         && g_strcmp0 (spec->target, line->target) == 0;
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

  for (guint i = 0; i < n_entries_at (self, x); i++)
    ov_results_row_set_cell (row_of (self, entry_at (self, x, i)), entry_at (self, x, i)->cell);
}

static void
show (OvResultsModel *self)
{
  g_autoptr (GHashTable) shown = g_hash_table_new (NULL, NULL);
  double x = shown_x (self);

  for (guint i = 0; i < n_entries_at (self, x); i++)
    g_hash_table_insert (shown, (gpointer)entry_at (self, x, i)->line, entry_at (self, x, i));
  for (guint i = 0; i < self->index->lines->len; i++)
    {
      const OvResultsLine *line = g_ptr_array_index (self->index->lines, i);

      show_row (self, g_hash_table_lookup (self->row_of, line), line,
                g_hash_table_lookup (shown, line));
    }
}

/* ---- Figures -------------------------------------------------------------------------------- */

/* What was found for one piece of work: by how many variants, in how many runs. */
typedef struct
{
  const OvResultsLine *last;
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
 * these are equal: the rule of ov_result_cells(). A line has
 * one entry at an x, so that a variant is counted once. */
static const char *
common_check (OvResultsModel *self, const OvResultsEntry *entry, const OvRun *like)
{
  g_autoptr (GHashTable) votes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *best = NULL;
  gint64 most = 0;
  gboolean tie = FALSE;
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < n_entries_at (self, entry->x); i++)
    {
      const OvResultsEntry *e = entry_at (self, entry->x, i);

      for (guint j = 0; j < e->runs->len; j++)
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
          v->variants += v->last != e->line ? 1 : 0;
          v->last = e->line;
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
count_wrong (OvResultsModel *self, const OvResultsEntry *entry)
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
compute (OvResultsModel *self, OvResultsEntry *entry)
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
  for (guint i = 0; i < n_entries_at (self, x); i++)
    {
      OvResultsEntry *entry = entry_at (self, x, i);

      if (entry->cell != NULL)
        entry->cell->n_wrong = count_wrong (self, entry);
    }
}

static void
soil (OvResultsModel *self, OvResultsEntry *entry)
{
  if (!entry->dirty)
    g_queue_push_tail (&self->dirty, entry);
  entry->dirty = TRUE;
}

gboolean
ov_results_model_update (OvResultsModel *self, gint64 budget_us, OvCellFunc func, gpointer data)
{
  gint64 begin = g_get_monotonic_time ();
  double counted = NAN;
  OvResultsEntry *entry;
  gboolean any = FALSE;

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), FALSE);

  while ((!any || budget_us < 0 || g_get_monotonic_time () - begin < budget_us)
         && (entry = g_queue_pop_head (&self->dirty)) != NULL)
    {
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
  return !g_queue_is_empty (&self->dirty);
}

void
ov_results_model_touch (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));
  for (guint i = 0; i < self->index->entries->len; i++)
    {
      OvResultsEntry *entry = g_ptr_array_index (self->index->entries, i);

      if (entry->runs->len > 0)
        soil (self, entry);
    }
}

GPtrArray *
ov_results_model_get_cells (OvResultsModel *self)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  double x;

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);

  x = shown_x (self);
  for (guint i = 0; i < n_entries_at (self, x); i++)
    {
      OvResultsEntry *entry = entry_at (self, x, i);

      if (entry->dirty)
        return NULL;
      if (entry->cell != NULL)
        g_ptr_array_add (cells, entry->cell);
    }
  return g_steal_pointer (&cells);
}

GPtrArray *
ov_results_model_get_all_cells (OvResultsModel *self)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);

  if (!g_queue_is_empty (&self->dirty))
    return NULL;
  for (guint i = 0; i < self->index->entries->len; i++)
    {
      OvResultsEntry *entry = g_ptr_array_index (self->index->entries, i);

      if (entry->cell != NULL)
        g_ptr_array_add (cells, entry->cell);
    }
  return g_steal_pointer (&cells);
}

/* ---- Feeding -------------------------------------------------------------------------------- */

/* What was shown is forgotten. */
static void
clear (OvResultsModel *self)
{
  g_queue_clear (&self->dirty);
  g_clear_pointer (&self->current, ov_run_unref);
  self->begun = self->ended = self->follow = FALSE;
}

/* Takes the index, and makes rows of its lines; the largest x is shown. */
static void
publish (OvResultsModel *self, OvResultsIndex *index)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  g_hash_table_remove_all (self->row_of);
  ov_results_index_free (self->index);
  self->index = index;
  for (guint i = 0; i < index->lines->len; i++)
    {
      OvResultsLine *line = g_ptr_array_index (index->lines, i);
      int style = ov_report_style (self->experiment, line->variant);
      OvResultsRow *row = ov_results_row_new (line->variant, line->target, style, (guint)style);

      g_ptr_array_add (rows, row);
      g_hash_table_insert (self->row_of, line, row);
    }
  label_rows (rows);
  g_ptr_array_sort (rows, compare_rows);
  self->x = index->xs->len > 0 ? index->xs->len - 1 : 0;
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, rows->len);
  show_cells (self);
  show (self);
  g_signal_emit (self, signals[SIGNAL_X_CHANGED], 0);
}

void
ov_results_model_set_plan (OvResultsModel *self, const OvPlan *plan)
{
  OvResultsIndex *index;

  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  clear (self);
  index = ov_results_index_new (plan->x);
  for (guint i = 0; i < plan->specs->len; i++)
    ov_results_index_need (index, g_ptr_array_index (plan->specs, i))->n_total++;
  for (guint i = 0; i < plan->skips->len; i++)
    {
      const OvRun *run = g_ptr_array_index (plan->skips, i);

      ov_results_index_skip (index, run->spec, run->cause);
    }
  ov_results_index_seal (index);
  publish (self, index);
}

void
ov_results_model_take_index (OvResultsModel *self, OvResultsIndex *index)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  clear (self);
  for (guint i = 0; i < index->entries->len; i++)
    if (((OvResultsEntry *)index->entries->pdata[i])->dirty)
      g_queue_push_tail (&self->dirty, index->entries->pdata[i]);
  self->begun = self->ended = TRUE;
  publish (self, index);
}

void
ov_results_model_set_result (OvResultsModel *self, const OvResult *result)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));
  ov_results_model_take_index (self, ov_results_index_new_for_result (result));
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

  if (index == self->x || index >= self->index->xs->len)
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
  for (guint i = 0; run != NULL && self->follow && i < self->index->xs->len; i++)
    if (g_array_index (self->index->xs, double, i) == run->spec->x)
      set_x (self, i);
  show (self);
}

void
ov_results_model_add (OvResultsModel *self, const OvRun *run)
{
  OvResultsEntry *entry;

  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  if (run->state == OV_STATE_SKIPPED)
    return; /* the plan has said so */
  entry = ov_results_index_find (self->index, run->spec);
  if (entry == NULL)
    return;
  g_ptr_array_add (entry->runs, ov_run_ref ((OvRun *)run));
  soil (self, entry);
}

static gboolean
has_done (const OvResultsEntry *entry)
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
  for (guint i = self->index->xs->len; i > 0; i--)
    {
      double x = g_array_index (self->index->xs, double, i - 1);

      for (guint j = 0; j < n_entries_at (self, x); j++)
        if (has_done (entry_at (self, x, j)))
          return i - 1;
    }
  return self->x;
}

void
ov_results_model_drop_missing (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  for (guint i = 0; i < self->index->entries->len; i++)
    {
      OvResultsEntry *entry = g_ptr_array_index (self->index->entries, i);

      if (entry->runs->len == 0 || entry->runs->len == entry->n_total)
        continue;
      entry->n_total = entry->runs->len;
      soil (self, entry);
    }
}

void
ov_results_model_end (OvResultsModel *self)
{
  g_return_if_fail (OV_IS_RESULTS_MODEL (self));

  g_clear_pointer (&self->current, ov_run_unref);
  self->ended = TRUE;
  if (self->follow && self->index->xs->len > 0)
    set_x (self, largest_done (self));
  self->follow = FALSE;
  show (self);
}

const GArray *
ov_results_model_get_xs (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), NULL);
  return self->index->xs;
}

OvAxisParameter
ov_results_model_get_parameter (OvResultsModel *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_MODEL (self), OV_AXIS_SIZE);
  return self->index->parameter;
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
  for (guint i = 0; i < self->index->entries->len; i++)
    {
      const OvResultsEntry *entry = g_ptr_array_index (self->index->entries, i);

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
