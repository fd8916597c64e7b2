// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsIndex: lines and entries are found by what they are, without making a text of it: a
 * result may have a hundred thousand runs.
 */
#include "config.h"

#include <math.h>

#include "gui/ov-results-index.h"

static guint
hash_text (const char *text)
{
  return text != NULL ? g_str_hash (text) : 0;
}

static guint
hash_line (gconstpointer data)
{
  const OvResultsLine *line = data;

  return hash_text (line->variant) * 31 + hash_text (line->target);
}

static gboolean
equal_lines (gconstpointer a, gconstpointer b)
{
  const OvResultsLine *one = a;
  const OvResultsLine *other = b;

  return g_strcmp0 (one->variant, other->variant) == 0
         && g_strcmp0 (one->target, other->target) == 0;
}

static guint
hash_entry (gconstpointer data)
{
  const OvResultsEntry *entry = data;

  return hash_line (entry->line) * 31 + g_double_hash (&entry->x);
}

/* Runs without a value of x belong together as well. */
static gboolean
equal_entries (gconstpointer a, gconstpointer b)
{
  const OvResultsEntry *one = a;
  const OvResultsEntry *other = b;

  return (one->x == other->x || (isnan (one->x) && isnan (other->x)))
         && (one->line == other->line || equal_lines (one->line, other->line));
}

static void
line_free (gpointer data)
{
  OvResultsLine *line = data;

  g_free (line->variant);
  g_free (line->target);
  g_free (line->skip);
  g_free (line);
}

static void
entry_free (gpointer data)
{
  OvResultsEntry *entry = data;

  g_ptr_array_unref (entry->runs);
  ov_cell_free (entry->cell);
  g_free (entry);
}

OvResultsIndex *
ov_results_index_new (OvAxisParameter parameter)
{
  OvResultsIndex *self = g_new0 (OvResultsIndex, 1);

  self->parameter = parameter;
  self->lines = g_ptr_array_new_with_free_func (line_free);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->xs = g_array_new (FALSE, FALSE, sizeof (double));
  self->by_line = g_hash_table_new (hash_line, equal_lines);
  self->by_spec = g_hash_table_new (hash_entry, equal_entries);
  self->by_x = g_hash_table_new_full (g_double_hash, g_double_equal, NULL,
                                      (GDestroyNotify)g_ptr_array_unref);
  return self;
}

void
ov_results_index_free (OvResultsIndex *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_x);
  g_hash_table_unref (self->by_spec);
  g_hash_table_unref (self->by_line);
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->lines);
  g_array_unref (self->xs);
  g_free (self);
}

static OvResultsLine *
need_line (OvResultsIndex *self, const OvRunSpec *spec)
{
  OvResultsLine probe = { spec->variant, spec->target, NULL };
  OvResultsLine *line = g_hash_table_lookup (self->by_line, &probe);

  if (line != NULL)
    return line;
  line = g_new0 (OvResultsLine, 1);
  line->variant = g_strdup (spec->variant);
  line->target = g_strdup (spec->target);
  g_ptr_array_add (self->lines, line);
  g_hash_table_add (self->by_line, line);
  return line;
}

OvResultsEntry *
ov_results_index_find (OvResultsIndex *self, const OvRunSpec *spec)
{
  OvResultsLine line = { spec->variant, spec->target, NULL };
  OvResultsEntry probe = { .line = &line, .x = spec->x };

  return g_hash_table_lookup (self->by_spec, &probe);
}

OvResultsEntry *
ov_results_index_need (OvResultsIndex *self, const OvRunSpec *spec)
{
  OvResultsEntry *entry = ov_results_index_find (self, spec);
  GPtrArray *at;

  if (entry != NULL)
    return entry;
  entry = g_new0 (OvResultsEntry, 1);
  entry->line = need_line (self, spec);
  entry->x = spec->x;
  entry->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
  g_ptr_array_add (self->entries, entry);
  g_hash_table_add (self->by_spec, entry);
  if (!isfinite (entry->x))
    return entry;
  at = g_hash_table_lookup (self->by_x, &entry->x);
  if (at == NULL)
    {
      at = g_ptr_array_new ();
      g_hash_table_insert (self->by_x, &entry->x, at);
      g_array_append_val (self->xs, entry->x);
    }
  g_ptr_array_add (at, entry);
  return entry;
}

void
ov_results_index_skip (OvResultsIndex *self, const OvRunSpec *spec, const char *cause)
{
  OvResultsLine *line = need_line (self, spec);

  g_free (line->skip);
  line->skip = g_strdup (cause != NULL ? cause : "–");
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;

  return (x > y) - (x < y);
}

void
ov_results_index_seal (OvResultsIndex *self)
{
  g_array_sort (self->xs, compare_doubles);
}

const GPtrArray *
ov_results_index_at (OvResultsIndex *self, double x)
{
  return g_hash_table_lookup (self->by_x, &x);
}

OvResultsIndex *
ov_results_index_new_for_result (const OvResult *result)
{
  OvResultsIndex *self = ov_results_index_new (result->x);

  for (guint i = 0; i < result->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);
      OvResultsEntry *entry;

      if (run->state == OV_STATE_SKIPPED)
        {
          ov_results_index_skip (self, run->spec, run->cause);
          continue;
        }
      entry = ov_results_index_need (self, run->spec);
      entry->n_total++;
      entry->dirty = TRUE;
      g_ptr_array_add (entry->runs, ov_run_ref (run));
    }
  ov_results_index_seal (self);
  return self;
}

void
ov_results_index_compute (OvResultsIndex *self, OvExperiment *experiment)
{
  g_autoptr (OvResult) all = ov_result_new (experiment);
  g_autoptr (GPtrArray) cells = NULL;

  all->x = self->parameter;
  for (guint i = 0; i < self->entries->len; i++)
    {
      OvResultsEntry *entry = g_ptr_array_index (self->entries, i);

      for (guint j = 0; j < entry->runs->len; j++)
        g_ptr_array_add (all->runs, ov_run_ref (g_ptr_array_index (entry->runs, j)));
    }
  cells = ov_result_cells (all);
  g_ptr_array_set_free_func (cells, NULL);
  for (guint i = 0; i < cells->len; i++)
    {
      OvCell *cell = g_ptr_array_index (cells, i);
      OvResultsEntry *entry
          = ov_results_index_find (self, ((const OvRun *)cell->runs->pdata[0])->spec);

      g_assert (entry != NULL);
      g_clear_pointer (&entry->cell, ov_cell_free);
      entry->cell = cell;
      entry->dirty = FALSE;
    }
}
