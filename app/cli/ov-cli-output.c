/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/ov-cli-output.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "base/ov-units.h"
#include "chart/ov-export.h"
#include "cli/ov-cli-grid.h"
#include "cli/ov-cli.h"
#include "model/ov-file.h"
#include "report/ov-blocks-table.h"
#include "report/ov-hardware-table.h"
#include "report/ov-measured.h"
#include "report/ov-report.h"
#include "report/ov-result-chart.h"
#include "report/ov-timeline.h"
#include "report/ov-verdict.h"

static char *
cell_state (const OvCell *cell)
{
  guint n_states[OV_STATE_ABANDONED + 1] = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < cell->runs->len; i++)
    n_states[((const OvRun *)cell->runs->pdata[i])->state]++;
  for (guint state = 0; state <= OV_STATE_ABANDONED; state++)
    if (n_states[state] > 0)
      g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", n_states[state],
                              ov_state_label (state));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
cell_interval (const OvCell *cell)
{
  g_autofree char *lo = NULL, *hi = NULL;

  if (cell->n_done < 2)
    return NULL;
  lo = ov_duration_format (cell->lo_s);
  hi = ov_duration_format (cell->hi_s);
  return g_strdup_printf (cell->is_interval ? "%s – %s" : _ ("%s – %s (range)"), lo, hi);
}

static char *
cell_check (const OvCell *cell)
{
  if (cell->n_wrong > 0)
    return g_strdup_printf (_ ("%s, %u WRONG"), cell->check != NULL ? cell->check : "–",
                            cell->n_wrong);
  return g_strdup (cell->check);
}

void
ov_cli_print_data (const OvTable *table, FILE *to)
{
  const guint n = ov_table_get_n_columns (table);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (OvCliGrid) grid = NULL;

  for (guint c = 0; c < n; c++)
    {
      const char *first = ov_table_get_n_rows (table) > 0 ? ov_table_get_cell (table, 0, c) : "";
      const gboolean figure = c > 0 && (g_ascii_isdigit (first[0]) || first[0] == '-');

      g_ptr_array_add (titles,
                       g_strconcat (figure ? ">" : "", ov_table_get_header (table, c), NULL));
    }
  g_ptr_array_add (titles, NULL);
  grid = ov_cli_grid_new ((const char *const *)titles->pdata);
  for (guint r = 0; r < ov_table_get_n_rows (table); r++)
    {
      g_autofree char **cells = g_new0 (char *, n);

      for (guint c = 0; c < n; c++)
        cells[c] = g_strdup (ov_table_get_cell (table, r, c));
      ov_cli_grid_add (grid, cells);
    }
  fprintf (to, "\n%s\n", ov_table_get_title (table));
  ov_cli_grid_print (grid, to);
}

/** Are there runs on more than one target? */
static gboolean
has_targets (GPtrArray *cells)
{
  for (guint i = 1; i < cells->len; i++)
    if (g_strcmp0 (((const OvCell *)cells->pdata[i])->target,
                   ((const OvCell *)cells->pdata[0])->target)
        != 0)
      return TRUE;
  return FALSE;
}

/** Where the runs were: file system, device, mount options and free space of each target. */
static void
print_targets (const OvResult *result, FILE *to)
{
  for (guint i = 0; i < result->targets->len; i++)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, i);
      g_autofree char *name = ov_report_target_name (result, target->path);
      g_autofree char *space = ov_bytes_format_si ((double)target->free_bytes);

      if (target->kind != OV_TARGET_REFUSED)
        fprintf (to, _ ("%s: %s, %s free\n"), name,
                 target->mount_options != NULL ? target->mount_options : "–", space);
    }
  fputc ('\n', to);
}

/** Time until everything is on stable storage. */
static char *
cell_stable (const OvResult *result, const OvCell *cell)
{
  const OvTargetInfo *target = ov_report_find_target (result, cell->target);

  if (isfinite (cell->stable_s))
    return ov_duration_format (cell->stable_s);
  return cell->n_done > 0 && target != NULL && target->memory ? g_strdup (_ ("memory")) : NULL;
}

/** The titles of the table: those of reading, of writing with the second figure, and the target
 *  where there are several. */
static OvCliGrid *
new_grid (const OvResult *result, gboolean targets, gboolean writes)
{
  const gboolean hardware
      = result->experiment != NULL && (result->experiment->job & OV_HARDWARE_JOBS) != 0;
  g_autofree char *x_title = g_strdup_printf (">%s", ov_report_x_title (result->x));
  const char *titles[12];
  guint n = 0;

  titles[n++] = _ ("strategy");
  if (targets)
    titles[n++] = _ ("target");
  titles[n++] = x_title;
  titles[n++] = _ ("state");
  titles[n++] = _ (">median");
  /* xgettext:no-c-format */
  titles[n++] = _ ("95 % interval");
  if (writes)
    titles[n++] = _ (">stable");
  titles[n++] = hardware ? _ (">a second") : _ (">rate");
  titles[n++] = hardware ? _ (">CPU") : _ (">CPU s/GB");
  /* Translators: heading of a column, ">" puts it at the right: the longest time to stop. */
  titles[n++] = _ (">stop, at most");
  titles[n++] = _ ("check");
  titles[n] = NULL;
  return ov_cli_grid_new (titles);
}

static void
add_cell (OvCliGrid *grid, const OvResult *result, const OvCell *cell, gboolean targets,
          gboolean writes)
{
  char *row[12];
  guint n = 0;

  row[n++] = g_strdup (cell->variant);
  if (targets)
    row[n++] = g_filename_display_name (cell->target);
  row[n++] = ov_report_format_x (result->x, cell->x);
  row[n++] = cell_state (cell);
  row[n++] = cell->n_done > 0 ? ov_duration_format (cell->median_s) : NULL;
  row[n++] = cell_interval (cell);
  if (writes)
    row[n++] = cell_stable (result, cell);
  if (ov_target_is_machine (cell->target))
    {
      row[n++] = isfinite (cell->per_second) ? ov_count_format ((guint64)llround (cell->per_second))
                                             : NULL;
      row[n++] = isfinite (cell->cpu_s) ? ov_duration_format (cell->cpu_s) : NULL;
    }
  else
    {
      row[n++] = cell->n_done > 0 ? ov_rate_format (cell->rate) : NULL;
      row[n++] = isfinite (cell->cpu_per_gb) ? g_strdup_printf ("%.3f", cell->cpu_per_gb) : NULL;
    }
  row[n++] = cell->stop_latency_ns >= 0 ? ov_duration_format ((double)cell->stop_latency_ns / 1e9)
                                        : NULL;
  row[n++] = cell_check (cell);
  ov_cli_grid_add (grid, row);
}

/** What was really used, once for all lines of which it is the same. */
static void
say_used (const GPtrArray *cells, FILE *to)
{
  g_autoptr (GHashTable) lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GPtrArray) used = g_ptr_array_new ();

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);
      char *effective = ov_report_effective (cell->runs);
      GPtrArray *same;

      if (effective == NULL)
        continue;
      same = g_hash_table_lookup (lines, effective);
      if (same == NULL)
        {
          same = g_ptr_array_new ();
          g_ptr_array_add (names, same);
          g_ptr_array_add (used, effective);
          g_hash_table_insert (lines, effective, same);
        }
      else
        g_free (effective);
      if (!g_ptr_array_find_with_equal_func (same, cell->variant, g_str_equal, NULL))
        g_ptr_array_add (same, cell->variant);
    }
  for (guint i = 0; i < names->len; i++)
    {
      GPtrArray *same = g_ptr_array_index (names, i);
      g_autofree char *joined = NULL, *text = NULL;

      g_ptr_array_add (same, NULL);
      joined = g_strjoinv ("; ", (char **)same->pdata);
      text = g_strdup_printf (_ ("%s: really used: %s"), joined, (const char *)used->pdata[i]);
      fprintf (to, "%s%s\n", i == 0 ? "\n" : "", text);
    }
}

/** What was measured on a disk that is not there says so. */
static void
say_simulated (const OvResult *result, FILE *to)
{
  for (guint i = 0; i < result->targets->len; i++)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, i);
      g_autofree char *device = target->simulated != NULL ? ov_report_device (target) : NULL;

      if (device != NULL)
        fprintf (to, "\n%s: %s\n", target->path, device);
    }
}

static void
print_all (const OvResult *result, FILE *to)
{
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  g_autoptr (GPtrArray) causes = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *verdict = NULL, *overlap = NULL;
  g_autofree char *self_cost = NULL;
  g_autoptr (OvTable) neighbour = ov_measured_neighbour (result);
  const gboolean targets = has_targets (cells);
  const gboolean writes
      = result->experiment != NULL && (result->experiment->job & OV_WRITE_JOBS) != 0;
  g_autoptr (OvCliGrid) grid = new_grid (result, targets, writes);
  g_autoptr (OvTable) blocks = ov_blocks_table_new (result);
  g_autoptr (OvTable) hardware = ov_hardware_table_new (result);
  g_autoptr (OvTable) profile = ov_measured_profile (result);

  for (guint i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      add_cell (grid, result, cell, targets, writes);
      if (cell->cause != NULL)
        {
          g_autofree char *cause = g_strdup_printf ("%s: %s", cell->variant, cell->cause);

          if (!g_ptr_array_find_with_equal_func (causes, cause, g_str_equal, NULL))
            g_ptr_array_add (causes, g_steal_pointer (&cause));
        }
    }
  if (targets || writes)
    print_targets (result, to);
  ov_cli_grid_print (grid, to);
  for (guint i = 0; i < causes->len; i++)
    fprintf (to, "%s%s\n", i == 0 ? "\n" : "", (const char *)causes->pdata[i]);
  say_used (cells, to);
  say_simulated (result, to);
  if (ov_machine_is_emulated (result->machine))
    fprintf (to, "\n%s: %s\n", result->machine->cpu, _ ("emulated: ratios only"));
  verdict = ov_report_verdict (result, cells, NAN);
  if (verdict[0] != '\0')
    fprintf (to, "\n%s", verdict);
  self_cost = ov_report_self_cost (result);
  fprintf (to, "\n%s\n", self_cost);
  overlap = ov_report_overlap (result, cells, NAN);
  if (overlap[0] != '\0')
    fprintf (to, "\n%s", overlap);
  if (blocks != NULL)
    ov_cli_print_data (blocks, to);
  if (hardware != NULL)
    ov_cli_print_data (hardware, to);
  if (neighbour != NULL)
    ov_cli_print_data (neighbour, to);
  if (profile != NULL)
    ov_cli_print_data (profile, to);
}

/* A terminal obeys control characters, and a result may be somebody else's. */
static void
disarm (char *text)
{
  for (char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) && *p != '\n')
      *p = ' ';
}

gboolean
ov_cli_print_table (const OvResult *result, FILE *to)
{
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream (&text, &length);

  if (memory == NULL)
    g_error ("No memory for a table");
  print_all (result, memory);
  fclose (memory);
  disarm (text);
  fputs (text, to);
  free (text);
  if (to != stdout || (fflush (to) == 0 && !ferror (to)))
    return TRUE;
  ov_cli_complain (_ ("Standard output: %s"), g_strerror (errno));
  return FALSE;
}

static gboolean
can_write_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvFileSaver) saver
      = path == NULL || strcmp (path, "-") == 0 ? NULL : ov_file_saver_new (path, &error);

  if (error == NULL)
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

/* The folder itself, or where it is not there, the one in which it would be made. */
static gboolean
can_write_folder (const char *folder)
{
  g_autofree char *there = g_strdup (folder);

  while (there != NULL && !g_file_test (there, G_FILE_TEST_EXISTS))
    {
      g_autofree char *child = g_steal_pointer (&there);
      char *parent = g_path_get_dirname (child);

      if (strcmp (parent, child) == 0)
        g_free (parent);
      else
        there = parent;
    }
  if (there == NULL)
    errno = ENOENT;
  else if (!g_file_test (there, G_FILE_TEST_IS_DIR))
    errno = ENOTDIR;
  else if (g_access (there, W_OK | X_OK) == 0)
    return TRUE;
  ov_cli_complain ("%s: %s", folder, g_strerror (errno));
  return FALSE;
}

gboolean
ov_cli_can_write (const char *json, const char *csv, const char *profile_csv, const char *charts)
{
  gboolean good = can_write_file (json);

  good &= can_write_file (csv);
  good &= can_write_file (profile_csv);
  return (charts == NULL || can_write_folder (charts)) && good;
}

static gboolean
print_text (const char *text)
{
  if (fputs (text, stdout) >= 0 && fflush (stdout) == 0)
    return TRUE;
  ov_cli_complain (_ ("Standard output: %s"), g_strerror (errno));
  return FALSE;
}

gboolean
ov_cli_write_json (const OvResult *result, const char *path, gboolean with_logs)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (path, "-") == 0)
    {
      g_autofree char *text = ov_result_to_text (result, with_logs);

      return print_text (text);
    }
  if (ov_result_save (result, path, with_logs, &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

static gboolean
write_text (const char *text, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (strcmp (path, "-") == 0)
    return print_text (text);
  if (ov_file_save (path, text, strlen (text), &error))
    return TRUE;
  ov_cli_complain ("%s", error->message);
  return FALSE;
}

gboolean
ov_cli_write_csv (const OvResult *result, const char *path)
{
  g_autofree char *text = ov_result_to_csv (result);

  return write_text (text, path);
}

gboolean
ov_cli_write_profile_csv (const OvResult *result, const char *path)
{
  g_autofree char *text = ov_result_profiles_to_csv (result);

  return write_text (text, path);
}

static gboolean
export_both (OvDrawable *chart, const char *folder, const char *name, FILE *to)
{
  static const char *const suffixes[] = { "svg", "png" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *file = g_strdup_printf ("%s.%s", name, suffixes[i]);
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autoptr (GError) error = NULL;

      if (!ov_chart_export (chart, path, OV_EXPORT_BY_SUFFIX, 0, 0, 2,
                            ov_theme_get (OV_THEME_PRINT, 1), &error))
        {
          ov_cli_complain ("%s", error->message);
          return FALSE;
        }
      fprintf (to, "%s\n", path);
    }
  return TRUE;
}

gboolean
ov_cli_write_charts (const OvResult *result, const char *folder, FILE *to)
{
  g_autoptr (OvResultChart) chart = NULL;
  g_autoptr (OvTimeline) timeline = NULL;
  g_autofree char *stem = ov_experiment_file_stem (result->experiment);
  g_autofree char *times = g_strdup_printf ("%s-times", stem);
  g_autofree char *timeline_name = g_strdup_printf ("%s-timeline", stem);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      ov_cli_complain ("%s: %s", folder, g_strerror (errno));
      return FALSE;
    }
  chart = ov_result_chart_new_for_result (result);
  timeline = ov_timeline_new_for_result (result);
  return export_both (OV_DRAWABLE (ov_result_chart_get_chart (chart)), folder, times, to)
         && export_both (OV_DRAWABLE (ov_timeline_get_chart (timeline)), folder, timeline_name, to);
}
