// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Names and texts that are the same wherever a result is shown.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/ov-units.h"
#include "chart/ov-axis.h"
#include "chart/ov-theme.h"
#include "model/ov-disk.h"

#include "report/ov-report.h"

const char *
ov_report_tr (const char *text)
{
  return text != NULL && text[0] != '\0' ? _ (text) : "";
}

int
ov_report_style (const OvExperiment *experiment, const char *label)
{
  guint n = experiment->variants->len;
  guint place = n;
  gsize longest = 0;

  for (guint i = 0; i < n; i++)
    {
      const OvVariant *variant = g_ptr_array_index (experiment->variants, i);
      gsize length = strlen (variant->label);

      if (g_str_equal (variant->label, label))
        return (int)i;
      if (length >= longest && g_str_has_prefix (label, variant->label)
          && g_str_has_prefix (label + length, ", "))
        {
          place = i;
          longest = length;
        }
    }
  if (place < n)
    return (int)(place + OV_N_COLORS * (1 + g_str_hash (label + longest) % (OV_N_DASHES - 1)));
  return (int)(n + g_str_hash (label) % 97);
}

int
ov_report_target_style (const OvExperiment *experiment, const char *label, const char *target)
{
  int style = ov_report_style (experiment, label);

  if (target == NULL)
    return style;
  return style + (int)(OV_N_COLORS * (1 + g_str_hash (target) % (OV_N_DASHES - 1)));
}

char *
ov_report_format_hertz (double hertz)
{
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_HERTZ);

  return ov_axis_format (axis, hertz);
}

char *
ov_report_format_x (OvAxisParameter parameter, double x)
{
  g_autofree char *text = NULL;

  if (!isfinite (x) || x < 0)
    return g_strdup ("–");
  if (parameter == OV_AXIS_POSITIONS)
    return g_strdup (x <= OV_ORDER_STRIDED ? ov_order_label ((guint)x) : "–");
  if (parameter == OV_AXIS_DEPTH)
    return g_strdup_printf ("%.0f", x);
  if (parameter == OV_AXIS_REQUESTS)
    return ov_count_format ((guint64)x);
  if (parameter == OV_AXIS_RATE)
    return ov_report_format_hertz (x);
  text = ov_size_format ((guint64)x);
  /* A number alone has no unit. */
  return g_ascii_isdigit (text[strlen (text) - 1]) ? g_strdup_printf ("%s B", text)
                                                   : g_steal_pointer (&text);
}

const char *
ov_report_figure_title (OvFigure figure)
{
  switch (figure)
    {
    case OV_FIGURE_LATENESS:
      return _ ("Lateness of the neighbour, 99th percentile");
    case OV_FIGURE_LOST:
      return _ ("Work that the neighbour lost");
    case OV_FIGURE_PARTS:
      return _ ("Elapsed time, and CPU time of user and system");
    case OV_FIGURE_STOP:
      return _ ("Time to stop");
    case OV_FIGURE_DELIVERED:
      return _ ("Delivered each second");
    case OV_FIGURE_JITTER:
      return _ ("Lateness, 99th percentile, with missed ones");
    case OV_FIGURE_CPU:
      return _ ("CPU time");
    case OV_FIGURE_THROUGHPUT:
      return _ ("Throughput");
    case OV_FIGURE_LATENCY_50:
      return _ ("Time of a request, median");
    case OV_FIGURE_LATENCY_99:
      return _ ("Time of a request, 99th percentile");
    case OV_N_FIGURES:
    case OV_FIGURE_ELAPSED:
    default:
      return _ ("Elapsed time");
    }
}

const char *
ov_report_chart_title (const OvExperiment *experiment, OvFigure figure)
{
  if (experiment->job == OV_JOB_BLOCKS && figure == OV_FIGURE_ELAPSED)
    return _ ("Elapsed time by block");
  if (experiment->job == OV_JOB_BLOCKS && figure == OV_FIGURE_CPU)
    return _ ("CPU time by block");
  return ov_report_figure_title (figure);
}

const char *
ov_report_x_title (OvAxisParameter parameter)
{
  return ov_axis_parameter_label (parameter);
}

const char *
ov_report_work_label (guint work)
{
  switch (work)
    {
    case OV_WORK_NONE:
      return _ ("none");
    case OV_WORK_PLAIN:
      return _ ("count, one byte after the other");
    case OV_WORK_FAST:
      return _ ("count, vectorised");
    case OV_WORK_CRC32C:
      return _ ("CRC-32C");
    case OV_WORK_SHA256:
      return _ ("SHA-256");
    case OV_WORK_SLOW:
      return _ ("count, as slowly as in 1995");
    default:
      return ov_work_nick (work);
    }
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;

  return (x > y) - (x < y);
}

GArray *
ov_report_xs (const OvResult *result)
{
  GArray *xs = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_double_hash, g_double_equal);

  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (isfinite (run->spec->x) && g_hash_table_add (seen, &run->spec->x))
        g_array_append_val (xs, run->spec->x);
    }
  g_array_sort (xs, compare_doubles);
  return xs;
}

/** "simulated: 1995 desktop disk (4.20 MB/s, …)"; what it is called here, else as the file has it.
 */
static char *
describe_simulated (const OvTargetInfo *target)
{
  g_autofree char *title = NULL;
  g_autofree char *figures = NULL;
  OvDisk disk;

  if (!ov_disk_is_target (target->path) || !ov_disk_parse (target->path, &disk, NULL))
    return g_strdup_printf (_ ("simulated: %s"), target->simulated);
  title = ov_disk_title (&disk);
  figures = ov_disk_describe (&disk);
  return g_strdup_printf ("%s (%s)", title, figures);
}

/* "btrfs", "btrfs, copy-on-write, compressing": a file system and what it does with the bytes. */
static char *
file_system_name (const OvTargetInfo *target)
{
  return g_strconcat (target->fs_type, target->copy_on_write ? _ (", copy-on-write") : "",
                      target->compresses ? _ (", compressing") : "", NULL);
}

char *
ov_report_device (const OvTargetInfo *target)
{
  g_autofree char *source = NULL;
  g_autofree char *name = NULL;

  if (target->simulated != NULL)
    return describe_simulated (target);
  if (target->kind == OV_TARGET_MACHINE)
    return NULL;
  if (target->fs_type == NULL)
    return NULL;
  name = file_system_name (target);
  if (target->memory)
    return g_strdup_printf (_ ("%s, memory"), target->fs_type);
  if (target->source == NULL || target->source[0] == '\0')
    return g_strdup (name);
  source = g_str_has_prefix (target->source, "/dev/") ? g_strdup (target->source + 5)
                                                      : g_strdup (target->source);
  /* Translators: file system, then the device it lies on: "ext4 on nvme0n1p2". */
  return g_strdup_printf (_ ("%s on %s"), name, source);
}

/* The condition that all runs share, or NULL. */
static const char *
common_condition (const OvResult *result)
{
  const OvRun *first;

  if (result->runs->len == 0)
    return NULL;
  first = g_ptr_array_index (result->runs, 0);
  if ((first->spec->job & OV_HARDWARE_JOBS) != 0)
    return NULL; /* nothing goes through the page cache */
  for (guint i = 1; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->spec->condition != first->spec->condition)
        return NULL;
    }
  /* A new file is in no cache: what matters is whether it goes through it. */
  if (first->spec->job == OV_JOB_TRANSFER && first->spec->condition == OV_CONDITION_COLD)
    return _ ("Through the page cache, read back from the device");
  if ((first->spec->job & OV_WRITE_JOBS) != 0 && first->spec->condition != OV_CONDITION_BYPASSED)
    return _ ("Through the page cache");
  return ov_condition_label (first->spec->condition);
}

/* When the bytes of all runs were durable, where that is not left open and the same for all. */
static const char *
common_durability (const OvResult *result)
{
  const OvRun *first;

  if (result->runs->len == 0)
    return NULL;
  first = g_ptr_array_index (result->runs, 0);
  if ((first->spec->job & OV_WRITE_JOBS) == 0 || first->spec->durability == OV_DURABILITY_NONE)
    return NULL;
  for (guint i = 1; i < result->runs->len; i++)
    if (((const OvRun *)result->runs->pdata[i])->spec->durability != first->spec->durability)
      return NULL;
  return ov_durability_label (first->spec->durability);
}

char *
ov_report_note (const OvResult *result)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (result->date);
  const char *condition = common_condition (result);

  if (ov_machine_is_emulated (result->machine))
    g_ptr_array_add (parts, g_strdup (_ ("emulated: ratios only")));
  else if (result->machine != NULL && result->machine->host != NULL)
    g_ptr_array_add (parts, g_strdup (result->machine->host));
  if (result->machine != NULL && result->machine->cpu != NULL)
    g_ptr_array_add (parts, g_strdup (result->machine->cpu));
  for (guint i = 0; i < result->targets->len; i++)
    {
      char *device = ov_report_device (g_ptr_array_index (result->targets, i));

      if (device != NULL)
        g_ptr_array_add (parts, device);
    }
  if (condition != NULL)
    g_ptr_array_add (parts, g_strdup (condition));
  if (common_durability (result) != NULL)
    g_ptr_array_add (parts, g_strdup (common_durability (result)));
  if (date != NULL)
    g_ptr_array_add (parts, g_date_time_format (date, "%Y-%m-%d %H:%M"));
  if (result->partial)
    g_ptr_array_add (parts, g_strdup (_ ("stopped early")));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **)parts->pdata);
}

/* The most that was recorded of requests in a run. */
static OvCostKind
recorded (const OvResult *result)
{
  static const OvCostKind kinds[] = { [OV_TIMING_COUNTERS] = OV_COST_COUNTERS,
                                      [OV_TIMING_LATENCY] = OV_COST_LATENCY,
                                      [OV_TIMING_TIMELINE] = OV_COST_TIMELINE };
  guint most = OV_TIMING_COUNTERS;

  for (guint i = 0; i < result->runs->len; i++)
    most = MAX (most, ((const OvRun *)g_ptr_array_index (result->runs, i))->spec->timing);
  return kinds[MIN (most, OV_TIMING_TIMELINE)];
}

char *
ov_report_measured_cost (const OvResult *result)
{
  OvCostKind kind = recorded (result);
  const OvCost *cost = result->self_cost != NULL ? &result->self_cost->costs[kind] : NULL;
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *day = NULL;

  if (cost == NULL || cost->n == 0)
    return NULL;
  date = g_date_time_new_from_unix_local (result->self_cost->date);
  day = date != NULL ? g_date_time_format (date, "%Y-%m-%d") : g_strdup ("–");
  /* Translators: what was recorded, its cost with interval, a date. */
  return g_strdup_printf (_ ("Cost of measuring here, of a cached request of 4K: %s %.1f %% (95 %% "
                             "interval %.1f %% to %.1f %%, measured on %s)."),
                          ov_cost_label (kind), 100 * cost->cost, 100 * cost->lo, 100 * cost->hi,
                          day);
}

char *
ov_report_self_cost (const OvResult *result)
{
  char *measured = ov_report_measured_cost (result);

  return measured != NULL
             ? measured
             : g_strdup (
                 _ ("What measuring costs here is not measured: overlap-cli self-cost does it."));
}

const OvTargetInfo *
ov_report_find_target (const OvResult *result, const char *path)
{
  for (guint i = 0; i < result->targets->len; i++)
    {
      const OvTargetInfo *target = g_ptr_array_index (result->targets, i);

      if (g_strcmp0 (target->path, path) == 0)
        return target;
    }
  return NULL;
}

char *
ov_report_target_name (const OvResult *result, const char *path)
{
  const OvTargetInfo *target = ov_report_find_target (result, path);
  g_autofree char *shown = g_filename_display_name (path != NULL ? path : "");
  g_autofree char *device = target != NULL ? ov_report_device (target) : NULL;

  if (ov_target_is_machine (path))
    return g_strdup (_ ("this machine"));
  return device != NULL ? g_strdup_printf ("%s (%s)", shown, device) : g_strdup (shown);
}
