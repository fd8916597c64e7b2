// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * In the chart a result is to its cells what a target is: OvResultChart then names the lines, or
 * makes groups of bars, and gives the second one another dash.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"

#include "report/ov-report.h"
#include "report/ov-verdict.h"
#include "report/ov-versus-report.h"

/* ---- Lines ---------------------------------------------------------------------------------- */

enum
{
  LINE_NAME,
  LINE_X,
  LINE_A,
  LINE_B,
  LINE_N,
  LINE_RATIO,
  LINE_INTERVAL,
  LINE_REMARK,
  N_LINE,
};

static char *
format_value (double seconds)
{
  return isfinite (seconds) ? ov_duration_format (seconds) : g_strdup ("–");
}

static char *
format_remark (const OvVersusLine *line)
{
  g_autofree char *settings = ov_versus_describe_settings (line);
  g_autofree char *remark = NULL;

  if (line->b == NULL)
    return g_strdup (_ ("in A only"));
  if (line->a == NULL)
    return g_strdup (_ ("in B only"));
  if (line->skipped)
    return g_strdup (_ ("skipped in both"));
  remark = ov_comparison_format_remark (&line->comparison);
  return settings[0] != '\0' ? g_strdup_printf ("%s; %s", remark, settings)
                             : g_steal_pointer (&remark);
}

static void
add_line (OvTable *table, OvAxisParameter x, const OvVersusLine *line, gboolean name_target)
{
  const OvCell *cell = line->a != NULL ? line->a : line->b;
  const OvComparison *comparison = &line->comparison;
  const guint row = ov_table_add_row (table);

  /* Translators: a strategy, and the number of a target: "posix.read, target 2". */
  ov_table_take_cell (table, row, LINE_NAME,
                      name_target
                          ? g_strdup_printf (_ ("%s, target %u"), cell->variant, line->place + 1)
                          : g_strdup (cell->variant));
  ov_table_take_cell (table, row, LINE_X, ov_report_format_x (x, line->skipped ? NAN : cell->x));
  ov_table_take_cell (table, row, LINE_A, format_value (line->a_value));
  ov_table_take_cell (table, row, LINE_B, format_value (line->b_value));
  ov_table_take_cell (table, row, LINE_N,
                      comparison->n > 0 ? g_strdup_printf ("%u", comparison->n) : g_strdup ("–"));
  ov_table_take_cell (table, row, LINE_RATIO, ov_comparison_format_ratio (comparison));
  ov_table_take_cell (table, row, LINE_INTERVAL, ov_comparison_format_interval (comparison));
  ov_table_take_cell (table, row, LINE_REMARK, format_remark (line));
}

OvTable *
ov_versus_table_new (const OvVersus *versus)
{
  g_autofree char *title = NULL;
  OvTable *table;
  gboolean several = FALSE;
  const char *const titles[N_LINE] = {
    [LINE_NAME] = _ ("strategy"),
    [LINE_X] = ov_report_x_title (versus->x),
    [LINE_A] = "A",
    [LINE_B] = "B",
    [LINE_N] = _ ("n"),
    [LINE_RATIO] = _ ("B by A"),
    /* xgettext:no-c-format */
    [LINE_INTERVAL] = _ ("95 % interval"),
    [LINE_REMARK] = _ ("remark"),
  };

  g_return_val_if_fail (versus != NULL, NULL);
  /* Translators: what is compared: "elapsed time: B by A, line by line". */
  title = g_strdup_printf (_ ("%s: B by A, line by line"), ov_metric_label (versus->metric));
  table = ov_table_new (title);
  for (guint c = 0; c < N_LINE; c++)
    ov_table_take_column (table, g_strdup (titles[c]));
  for (guint i = 0; i < versus->lines->len && !several; i++)
    several = g_array_index (versus->lines, OvVersusLine, i).place > 0;
  for (guint i = 0; i < versus->lines->len; i++)
    add_line (table, versus->x, &g_array_index (versus->lines, OvVersusLine, i), several);
  return table;
}

char *
ov_versus_summary (const OvVersus *versus)
{
  const guint *n = versus->n_kind;
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, _ ("Lines of both: %u."), versus->n_both);
  if (n[OV_COMPARISON_LESS] > 0)
    g_string_append_printf (out, _ (" B takes less in %u."), n[OV_COMPARISON_LESS]);
  if (n[OV_COMPARISON_MORE] > 0)
    g_string_append_printf (out, _ (" B takes more in %u."), n[OV_COMPARISON_MORE]);
  if (n[OV_COMPARISON_EQUAL] > 0)
    g_string_append_printf (out, _ (" No detectable difference in %u."), n[OV_COMPARISON_EQUAL]);
  if (n[OV_COMPARISON_FEW] > 0)
    g_string_append_printf (out, _ (" Too few repetitions to say anything in %u."),
                            n[OV_COMPARISON_FEW]);
  if (n[OV_COMPARISON_OTHER_WORK] > 0)
    g_string_append_printf (out, _ (" Not compared, because the work differs, in %u."),
                            n[OV_COMPARISON_OTHER_WORK]);
  if (n[OV_COMPARISON_NOTHING] > 0)
    g_string_append_printf (out, _ (" Nothing measured in %u."), n[OV_COMPARISON_NOTHING]);
  if (versus->n_only_a > 0)
    g_string_append_printf (out, _ (" In A only: %u."), versus->n_only_a);
  if (versus->n_only_b > 0)
    g_string_append_printf (out, _ (" In B only: %u."), versus->n_only_b);
  return g_string_free (out, FALSE);
}

/* ---- What they were made on ----------------------------------------------------------------- */

/* Takes both texts; a row only where one of them is known. */
static void
add_row (OvTable *table, const char *what, char *a, char *b)
{
  const gboolean same = g_strcmp0 (a, b) == 0;
  guint row;

  if (a == NULL && b == NULL)
    return;
  row = ov_table_add_row (table);
  ov_table_take_cell (table, row, 0, g_strdup (what));
  ov_table_take_cell (table, row, 1, a != NULL ? a : g_strdup ("–"));
  ov_table_take_cell (table, row, 2, b != NULL ? b : g_strdup ("–"));
  ov_table_take_cell (table, row, 3, same ? g_strdup ("") : g_strdup (_ ("differs")));
}

static char *
format_cores (const OvMachine *machine)
{
  return machine != NULL && machine->cores > 0 ? g_strdup_printf ("%u", machine->cores) : NULL;
}

static char *
format_memory (const OvMachine *machine)
{
  return machine != NULL && machine->memory > 0 ? ov_bytes_format_si ((double)machine->memory)
                                                : NULL;
}

static char *
format_clock (const OvMachine *machine)
{
  if (machine == NULL || machine->clock_source == NULL)
    return NULL;
  return g_strdup (machine->clock_source);
}

static char *
format_date (const OvResult *result)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (result->date);

  return date != NULL ? g_date_time_format (date, "%Y-%m-%d %H:%M") : NULL;
}

static char *
format_target (const OvResult *result, guint i)
{
  const OvTargetInfo *target
      = i < result->targets->len ? g_ptr_array_index (result->targets, i) : NULL;

  return target != NULL ? ov_report_target_name (result, target->path) : NULL;
}

/* Nothing where it was not measured: the row is then left out, or has a dash. */
static char *
format_self_cost (const OvResult *result)
{
  return result->self_cost != NULL ? ov_report_self_cost (result) : NULL;
}

static void
add_machines (OvTable *table, const OvMachine *m, const OvMachine *n)
{
  static const OvMachine none = { 0 };
  const OvMachine *a = m != NULL ? m : &none;
  const OvMachine *b = n != NULL ? n : &none;

  add_row (table, _ ("machine"), g_strdup (a->host), g_strdup (b->host));
  add_row (table, _ ("processor"), g_strdup (a->cpu), g_strdup (b->cpu));
  add_row (table, _ ("processors online"), format_cores (m), format_cores (n));
  add_row (table, _ ("memory"), format_memory (m), format_memory (n));
  add_row (table, _ ("system"), g_strdup (a->system), g_strdup (b->system));
  add_row (table, _ ("kernel"), g_strdup (a->kernel), g_strdup (b->kernel));
  add_row (table, _ ("virtual machine"), g_strdup (a->virtualization),
           g_strdup (b->virtualization));
  add_row (table, _ ("clock"), format_clock (m), format_clock (n));
  add_row (table, _ ("kernel that counts"), g_strdup (a->count_kernel), g_strdup (b->count_kernel));
  add_row (table, _ ("version of Overlap"), g_strdup (a->version), g_strdup (b->version));
}

OvTable *
ov_versus_circumstances_new (const OvResult *a, const OvResult *b)
{
  OvTable *table;
  const guint n = MAX (a->targets->len, b->targets->len);

  g_return_val_if_fail (a != NULL && b != NULL, NULL);
  table = ov_table_new (_ ("What they were made on"));
  ov_table_take_column (table, g_strdup (""));
  ov_table_take_column (table, g_strdup ("A"));
  ov_table_take_column (table, g_strdup ("B"));
  ov_table_take_column (table, g_strdup (""));
  add_row (table, _ ("experiment"), g_strdup (ov_report_tr (a->experiment->title)),
           g_strdup (ov_report_tr (b->experiment->title)));
  add_row (table, _ ("date"), format_date (a), format_date (b));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *what
          = n > 1 ? g_strdup_printf (_ ("target %u"), i + 1) : g_strdup (_ ("target"));

      add_row (table, what, format_target (a, i), format_target (b, i));
    }
  add_machines (table, a->machine, b->machine);
  if (a->partial || b->partial)
    add_row (table, _ ("stopped early"), g_strdup (a->partial ? _ ("yes") : _ ("no")),
             g_strdup (b->partial ? _ ("yes") : _ ("no")));
  add_row (table, _ ("cost of measuring"), format_self_cost (a), format_self_cost (b));
  return table;
}

/* ---- The chart ------------------------------------------------------------------------------ */

void
ov_versus_names (const OvResult *a, const OvResult *b, char **name_a, char **name_b)
{
  const char *host_a = a->machine != NULL ? a->machine->host : NULL;
  const char *host_b = b->machine != NULL ? b->machine->host : NULL;

  if (host_a != NULL && host_b != NULL && g_strcmp0 (host_a, host_b) != 0)
    {
      *name_a = g_strdup (host_a);
      *name_b = g_strdup (host_b);
      return;
    }
  *name_a = host_a != NULL ? g_strdup_printf ("%s (A)", host_a) : g_strdup ("A");
  *name_b = host_b != NULL ? g_strdup_printf ("%s (B)", host_b) : g_strdup ("B");
}

/* The values of both, ascending. */
static GArray *
join_xs (const OvResult *a, const OvResult *b)
{
  GArray *xs = ov_report_xs (a);
  g_autoptr (GArray) more = ov_report_xs (b);

  for (guint i = 0; i < more->len; i++)
    {
      const double x = g_array_index (more, double, i);
      guint place = 0;

      while (place < xs->len && g_array_index (xs, double, place) < x)
        place++;
      if (place == xs->len || g_array_index (xs, double, place) != x)
        g_array_insert_val (xs, place, x);
    }
  return xs;
}

/* The cells of a result whose targets are called by the result. */
static guint
add_cells (OvResultChart *chart, GPtrArray *cells, const char *name, gboolean several)
{
  guint repetitions = 0;

  for (guint i = 0; i < cells->len; i++)
    {
      OvCell cell = *(const OvCell *)g_ptr_array_index (cells, i);
      g_autofree char *target = several && cell.target != NULL
                                    ? g_strdup_printf ("%s, %s", name, cell.target)
                                    : g_strdup (name);

      cell.target = target;
      ov_result_chart_set_cell (chart, &cell, cell.n_done < cell.runs->len);
      repetitions = MAX (repetitions, cell.n_done);
    }
  return repetitions;
}

OvResultChart *
ov_versus_chart_new (const OvVersus *versus, const OvResult *a, const OvResult *b)
{
  g_autoptr (GArray) xs = NULL;
  g_autofree char *name_a = NULL, *name_b = NULL;
  g_autofree char *note_a = NULL, *note_b = NULL;
  g_autofree char *summary = NULL, *note = NULL;
  const gboolean several = a->targets->len > 1 || b->targets->len > 1;
  OvResultChart *chart;
  guint n;

  g_return_val_if_fail (versus != NULL && a != NULL && b != NULL, NULL);
  xs = join_xs (a, b);
  chart = ov_result_chart_new (
      a->experiment, versus->metric == OV_METRIC_CPU ? OV_FIGURE_CPU : a->experiment->figure, a->x,
      (const double *)(gpointer)xs->data, xs->len, NULL);
  ov_versus_names (a, b, &name_a, &name_b);
  n = add_cells (chart, versus->a, name_a, several);
  ov_result_chart_set_repetitions (chart, MAX (n, add_cells (chart, versus->b, name_b, several)));
  note_a = ov_report_note (a);
  note_b = ov_report_note (b);
  summary = ov_versus_summary (versus);
  note = g_strdup_printf ("A: %s\nB: %s\n%s", note_a, note_b, summary);
  ov_chart_set_note (ov_result_chart_get_chart (chart), note);
  /* The article's figures, on a scale of their own, would be a third result. */
  ov_result_chart_set_overlay_visible (chart, FALSE);
  return chart;
}
