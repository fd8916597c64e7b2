/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the plan.  Everything that the user can get wrong is looked at before the first
 * specification is made.
 */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "base/ov-units.h"
#include "model/ov-experiment-private.h"
#include "model/ov-machine.h"
#include "model/ov-overlap.h"
#include "model/ov-plan-private.h"
#include "model/ov-run.h"

/* More runs than that are a mistake, not an experiment. */
#define RUNS_MAX 1000000
/* Room for requests of a timeline: at most 56 MB in the child's memory. */
#define LOG_MIN    4096
#define LOG_MAX    (1024 * 1024)
#define FILE_JOBS  (OV_JOB_COUNT | OV_JOB_WRITE | OV_JOB_BLOCKS | OV_JOB_TRANSFER)
#define WRITE_JOBS OV_WRITE_JOBS
/* What a run that follows a clock may take beyond its time: half of it, and a second. */
#define CLOCKED_MARGIN_NS G_GINT64_CONSTANT (1000000000)

/* A line of the chart. */
typedef struct
{
  const OvVariant *variant; /* borrowed */
  const OvStrategyInfo *info;
  char *label;
  guint64 second; /* value on the second axis */
  GHashTable *options;
} Line;

typedef struct
{
  const OvExperiment *experiment;
  const OvPlanChoice *choice;
  GPtrArray *strategies;
  const OvPreset *preset;
  OvAxisParameter x;
  GArray *x_values; /* of guint64 */
  gboolean has_second;
  OvAxisParameter second;
  GArray *second_values; /* of guint64; one 0 where there is no second axis */
  GPtrArray *variants;   /* of OvVariant: what was chosen */
  GPtrArray *lines;      /* of Line: what can run */
  OvPlan *plan;
} Maker;

static void
free_line (Line *line)
{
  g_free (line->label);
  g_clear_pointer (&line->options, g_hash_table_unref);
  g_free (line);
}

static void
free_file (OvPlanFile *file)
{
  g_free (file->name);
  g_free (file->target);
  g_free (file);
}

void
ov_plan_choice_init (OvPlanChoice *choice)
{
  g_return_if_fail (choice != NULL);
  *choice = (OvPlanChoice){ .condition = -1,
                            .work = -1,
                            .timing = -1,
                            .durability = -1,
                            .verify = -1,
                            .neighbour = -1,
                            .order = -1,
                            .profile = -1 };
}

void
ov_plan_free (OvPlan *plan)
{
  if (plan == NULL)
    return;
  g_ptr_array_unref (plan->specs);
  g_ptr_array_unref (plan->skips);
  g_ptr_array_unref (plan->files);
  g_free (plan);
}

static OvPlan *
new_plan (void)
{
  OvPlan *plan = g_new0 (OvPlan, 1);

  plan->specs = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_spec_free);
  plan->skips = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_run_unref);
  plan->files = g_ptr_array_new_with_free_func ((GDestroyNotify)free_file);
  return plan;
}

/* ---- What was chosen ---------------------------------------------------------------------- */

static gboolean
is_file (const OvPlanChoice *choice, guint target)
{
  if (choice->target_is_file != NULL)
    return choice->target_is_file[target];
  return choice->target_sizes != NULL && choice->target_sizes[target] > 0;
}

static gboolean fail_invalid (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail_invalid (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (OV_ERROR, OV_ERROR_INVALID, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
find_preset (Maker *m, GError **error)
{
  g_autoptr (GPtrArray) ids = NULL;
  g_autofree char *near = NULL;
  guint i;

  m->preset = ov_experiment_find_preset (m->experiment, m->choice->preset);
  if (m->preset != NULL)
    return TRUE;
  ids = g_ptr_array_new ();
  for (i = 0; i < m->experiment->presets->len; i++)
    g_ptr_array_add (ids, ((OvPreset *)m->experiment->presets->pdata[i])->id);
  g_ptr_array_add (ids, NULL);
  near = g_strjoinv (", ", (char **)ids->pdata);
  return fail_invalid (error, _ ("no preset “%s”; there are: %s"),
                       m->choice->preset != NULL ? m->choice->preset : "", near);
}

static gboolean
check_numbers (Maker *m, GError **error)
{
  const OvPlanChoice *choice = m->choice;
  g_autofree char *most = ov_size_format (OV_BLOCK_MAX);
  g_autofree char *block = ov_size_format (choice->block);
  gsize i;

  if (choice->block > OV_BLOCK_MAX)
    return fail_invalid (error, _ ("the block must be from %d to %s, not %s"), OV_BLOCK_MIN, most,
                         block);
  if (choice->depth > OV_DEPTH_MAX)
    return fail_invalid (error, _ ("the depth must be from %d to %d, not %u"), OV_DEPTH_MIN,
                         OV_DEPTH_MAX, choice->depth);
  if (choice->repetitions > OV_REPETITIONS_MAX)
    return fail_invalid (error, _ ("the repetitions must be from 1 to %d, not %u"),
                         OV_REPETITIONS_MAX, choice->repetitions);
  if (choice->n_sizes > OV_VALUES_MAX)
    return fail_invalid (error, _ ("at most %d sizes can be given"), OV_VALUES_MAX);
  if (choice->order > OV_ORDER_SEQUENTIAL && !(m->experiment->job & OV_POSITION_JOBS))
    return fail_invalid (error, _ ("the job “%s” has no positions to choose"),
                         ov_job_nick (m->experiment->job));
  if (choice->requests > OV_REQUESTS_MAX)
    return fail_invalid (error, _ ("at most %s accesses or blocks can be asked for"),
                         "1,000,000,000,000");
  for (i = 0; i < choice->n_rates; i++)
    if (choice->rates[i] < 1 || choice->rates[i] > (guint64)OV_RATE_MAX)
      return fail_invalid (error, _ ("a rate must be from 1 Hz to 100 MHz"));
  for (i = 0; i < choice->n_sizes; i++)
    if (choice->sizes[i] > G_MAXINT64)
      return fail_invalid (error, _ ("a size must be below 2^63 bytes"));
  return TRUE;
}

static gboolean
check_targets (Maker *m, GError **error)
{
  guint i;

  if (m->choice->targets == NULL || m->choice->targets[0] == NULL)
    return fail_invalid (error, _ ("no target was chosen: a folder or a file is needed"));
  for (i = 0; m->choice->targets[i] != NULL; i++)
    if (ov_target_is_machine (m->choice->targets[i])
        != ((m->experiment->job & OV_HARDWARE_JOBS) != 0))
      {
        g_autofree char *shown = g_filename_display_name (m->choice->targets[i]);

        return fail_invalid (
            error,
            m->experiment->job & OV_HARDWARE_JOBS
                ? _ ("%s: the job “%s” has no file; it runs on the machine itself, "
                     "without a target")
                : _ ("%s: the job “%s” needs a folder or a file"),
            shown, ov_job_nick (m->experiment->job));
      }
  for (i = 0; m->choice->targets[i] != NULL; i++)
    if (is_file (m->choice, i) && (m->experiment->job & WRITE_JOBS))
      {
        g_autofree char *shown = g_filename_display_name (m->choice->targets[i]);

        return fail_invalid (error,
                             _ ("%s: the job “%s” writes, and files of yours are never written to; "
                                "choose a folder"),
                             shown, ov_job_nick (m->experiment->job));
      }
  return TRUE;
}

/* ---- Axes --------------------------------------------------------------------------------- */

static void
append_once (GArray *values, guint64 value)
{
  guint i;

  for (i = 0; i < values->len; i++)
    if (g_array_index (values, guint64, i) == value)
      return;
  g_array_append_val (values, value);
}

/* The axis' values, or what the user wants instead of them. */
static GArray *
axis_values (Maker *m, const OvExperimentAxis *axis)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize i;

  if (axis->parameter == OV_AXIS_SIZE && m->choice->n_sizes > 0)
    for (i = 0; i < m->choice->n_sizes; i++)
      append_once (values, m->choice->sizes[i]);
  else if (axis->parameter == OV_AXIS_BLOCK && m->choice->block > 0)
    append_once (values, m->choice->block);
  else if (axis->parameter == OV_AXIS_DEPTH && m->choice->depth > 0)
    append_once (values, m->choice->depth);
  else if (axis->parameter == OV_AXIS_REQUESTS && m->choice->requests > 0)
    append_once (values, m->choice->requests);
  else if (axis->parameter == OV_AXIS_POSITIONS && m->choice->order >= 0)
    append_once (values, (guint64)m->choice->order);
  else if (axis->parameter == OV_AXIS_RATE && m->choice->n_rates > 0)
    for (i = 0; i < m->choice->n_rates; i++)
      append_once (values, m->choice->rates[i]);
  else
    for (i = 0; i < axis->values->len; i++)
      append_once (values, g_array_index (axis->values, guint64, i));
  return values;
}

static gboolean
has_size_axis (const Maker *m)
{
  return m->x == OV_AXIS_SIZE || (m->has_second && m->second == OV_AXIS_SIZE);
}

static gboolean
set_axes (Maker *m, GError **error)
{
  const OvExperimentAxis *first = g_ptr_array_index (m->preset->axes, 0);
  guint64 none = 0;

  m->x = first->parameter;
  m->x_values = axis_values (m, first);
  m->plan->x = m->x;
  if (m->preset->axes->len > 1)
    {
      const OvExperimentAxis *second = g_ptr_array_index (m->preset->axes, 1);

      m->has_second = TRUE;
      m->second = second->parameter;
      m->second_values = axis_values (m, second);
    }
  else
    {
      m->second_values = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_array_append_val (m->second_values, none);
    }
  if (!has_size_axis (m) && m->choice->n_sizes > 1)
    return fail_invalid (error, _ ("this experiment does not walk through sizes: give one size"));
  return TRUE;
}

/* Whether runs on `target` take a user's file as a whole, whatever an axis says. */
static gboolean
is_whole_file (const Maker *m, guint target)
{
  return is_file (m->choice, target) && m->choice->n_sizes == 0;
}

/* The sizes of an axis on `target`: `standard`, or a user's file's own size. */
static GArray *
target_sizes (const Maker *m, guint target, GArray *standard)
{
  guint64 size;
  GArray *one;

  if (!is_whole_file (m, target))
    return g_array_ref (standard);
  size = m->choice->target_sizes != NULL ? m->choice->target_sizes[target] : 0;
  one = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (one, size);
  return one;
}

/* A user's file is as long as it is. */
static gboolean
check_sizes (const Maker *m, GError **error)
{
  guint target;
  gsize i;

  for (target = 0; m->choice->targets[target] != NULL; target++)
    for (i = 0; is_file (m->choice, target) && i < m->choice->n_sizes; i++)
      {
        guint64 size = m->choice->target_sizes != NULL ? m->choice->target_sizes[target] : 0;
        g_autofree char *shown = g_filename_display_name (m->choice->targets[target]);
        g_autofree char *wanted = ov_size_format (m->choice->sizes[i]);
        g_autofree char *there = ov_size_format (size);

        if (m->choice->sizes[i] > size)
          return fail_invalid (error, _ ("%s: the size %s is more than the file's %s"), shown,
                               wanted, there);
      }
  return TRUE;
}

/* ---- Lines -------------------------------------------------------------------------------- */

static gboolean
heeds (const OvStrategyInfo *info, OvAxisParameter parameter)
{
  return (parameter != OV_AXIS_BLOCK && parameter != OV_AXIS_DEPTH)
         || (info->caps & (parameter == OV_AXIS_BLOCK ? OV_CAP_BLOCK : OV_CAP_DEPTH)) != 0;
}

static void
add_line (Maker *m, const OvVariant *variant, const OvStrategyInfo *info, GHashTable *options,
          guint64 second)
{
  Line *line = g_new0 (Line, 1);

  line->variant = variant;
  line->info = info;
  line->second = second;
  line->options = g_hash_table_ref (options);
  if (!m->has_second || !heeds (info, m->second))
    line->label = g_strdup (variant->label);
  else if (m->second == OV_AXIS_DEPTH)
    line->label = g_strdup_printf ("%s, depth %" G_GUINT64_FORMAT, variant->label, second);
  else if (m->second == OV_AXIS_RATE)
    line->label = g_strdup_printf ("%s, %" G_GUINT64_FORMAT " Hz", variant->label, second);
  else if (m->second == OV_AXIS_POSITIONS)
    line->label = g_strdup_printf ("%s, %s", variant->label, ov_order_nick ((guint)second));
  else if (m->second == OV_AXIS_REQUESTS)
    line->label = g_strdup_printf ("%s, %" G_GUINT64_FORMAT " times", variant->label, second);
  else
    {
      g_autofree char *value = ov_size_format (second);

      line->label = g_strdup_printf ("%s, %s", variant->label, value);
    }
  g_ptr_array_add (m->lines, line);
}

/* The lines of what can run; what cannot is found again by add_skips(). */
static gboolean
make_lines (Maker *m, GError **error)
{
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  guint i;
  guint j;

  for (i = 0; i < m->variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (m->variants, i);
      const OvStrategyInfo *info = ov_plan_find_strategy (m->strategies, variant->strategy);
      g_autofree char *cause
          = ov_plan_variant_cause (m->experiment, variant, m->choice, m->strategies);
      g_autoptr (GHashTable) options = NULL;
      guint n
          = m->has_second && info != NULL && !heeds (info, m->second) ? 1 : m->second_values->len;

      if (cause != NULL)
        continue;
      options = ov_plan_options (variant, info, m->choice, used, error);
      if (options == NULL)
        return FALSE;
      for (j = 0; j < n; j++)
        add_line (m, variant, info, options, g_array_index (m->second_values, guint64, j));
    }
  return ov_plan_check_options (m->choice, used, m->variants, m->strategies, error);
}

/* ---- Specifications ----------------------------------------------------------------------- */

/* The value of a parameter for a line: the user's is in the axis, where one walks through it. */
static guint64
parameter_of (const Maker *m, const Line *line, OvAxisParameter parameter, guint64 x)
{
  gboolean block = parameter == OV_AXIS_BLOCK;
  guint64 given[4]
      = { block ? m->choice->block : m->choice->depth, block ? m->preset->block : m->preset->depth,
          block ? line->variant->block : line->variant->depth,
          block ? m->experiment->block : m->experiment->depth };
  guint i;

  if (!heeds (line->info, parameter))
    return block ? 0 : 1;
  if (m->x == parameter)
    return x;
  if (m->has_second && m->second == parameter)
    return line->second;
  for (i = 0; i < G_N_ELEMENTS (given); i++)
    if (given[i] > 0)
      return given[i];
  g_return_val_if_reached (1);
}

/* Bytes of the file where no axis walks through sizes. */
static guint64
fixed_size (const Maker *m, guint target)
{
  if (m->choice->n_sizes > 0)
    return m->choice->sizes[0];
  if (is_file (m->choice, target))
    return m->choice->target_sizes != NULL ? m->choice->target_sizes[target] : 0;
  return m->preset->size > 0 ? m->preset->size : m->experiment->size;
}

static guint64
log_room (const OvRunSpec *spec)
{
  guint64 block = spec->block > 0 ? spec->block : 4096;
  guint64 requests = spec->job == OV_JOB_COUNT || (spec->job & WRITE_JOBS)
                         ? spec->size / block * (spec->job == OV_JOB_TRANSFER ? 2 : 1)
                         : spec->requests;

  if (spec->timing != OV_TIMING_TIMELINE)
    return 0;
  return CLAMP (requests + requests / 8 + 64, LOG_MIN, LOG_MAX);
}

/* What all runs of a variant share, whether it can run or not. */
static OvRunSpec *
common_spec (const Maker *m, const OvVariant *variant, guint target)
{
  const OvExperiment *e = m->experiment;
  OvRunSpec *spec = ov_run_spec_new ();

  spec->strategy = g_strdup (variant->strategy);
  spec->job = e->job;
  spec->target = g_strdup (m->choice->targets[target]);
  spec->condition = ov_plan_condition (e, variant, m->choice);
  spec->work = ov_plan_work (e, variant, m->choice);
  spec->letter = e->letter;
  spec->requests = e->job & (OV_JOB_COUNT | WRITE_JOBS) ? 0
                   : m->choice->requests > 0            ? m->choice->requests
                                                        : e->requests;
  if (e->job & OV_POSITION_JOBS)
    spec->order = m->choice->order >= 0   ? (guint)m->choice->order
                  : m->preset->order >= 0 ? (guint)m->preset->order
                                          : e->order;
  spec->seed = e->seed;
  spec->timing = m->choice->timing >= 0 ? (guint)m->choice->timing : e->timing;
  /* Nothing is compared with the rate of a run that is stopped. */
  spec->discard = !m->choice->no_discard && e->stop_after_ns == 0;
  spec->time_limit_ns = e->time_limit_ns;
  if (e->job & WRITE_JOBS)
    {
      spec->durability = ov_plan_durability (e, variant, m->choice);
      spec->verify = m->choice->verify >= 0 ? m->choice->verify != 0 : e->verify;
    }
  spec->profile = m->choice->profile >= 0 ? m->choice->profile != 0 : e->profile;
  ov_plan_set_access (e, m->preset, spec);
  spec->neighbour = m->choice->neighbour >= 0 ? (OvNeighbour)m->choice->neighbour : e->neighbour;
  return spec;
}

/* When a run is stopped: half to one and a half times the experiment's span, another one in each
 * repetition and the same for all lines, by the seed: always stopping at the same place of a
 * strategy's loop would measure that place. */
static gint64
stop_moment (const OvExperiment *e, guint repetition)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32)(e->seed + repetition));

  return llround ((double)e->stop_after_ns * g_rand_double_range (random, 0.5, 1.5));
}

/* Of jobs that count: how many, and how fast; and that such a run ends. */
static void
set_requests (const Maker *m, const Line *line, guint64 x, OvRunSpec *spec)
{
  const double duration = m->choice->duration > 0 ? m->choice->duration : m->experiment->duration;

  if (m->x == OV_AXIS_REQUESTS)
    spec->requests = x;
  else if (m->has_second && m->second == OV_AXIS_REQUESTS)
    spec->requests = line->second;
  if (spec->job == OV_JOB_PORT) /* stamps for each access would be dearer than most of them */
    spec->timing = OV_TIMING_COUNTERS;
  if (!(spec->job & OV_CLOCKED_JOBS))
    return;
  if (m->x == OV_AXIS_RATE)
    spec->rate = (double)x;
  else if (m->has_second && m->second == OV_AXIS_RATE)
    spec->rate = (double)line->second;
  else
    spec->rate = m->choice->n_rates > 0 ? (double)m->choice->rates[0] : m->experiment->rate;
  spec->requests = (guint64)MAX (llround (spec->rate * duration), 1);
  spec->timing = OV_TIMING_LATENCY; /* lateness is what it is about */
  spec->discard = FALSE;
  if (spec->time_limit_ns == 0)
    spec->time_limit_ns = llround ((double)spec->requests / spec->rate * 1.5e9) + CLOCKED_MARGIN_NS;
}

/* Where an axis walks through positions, or the blocks of an order have a distance. */
static void
set_order (const Maker *m, const Line *line, guint64 x, OvRunSpec *spec)
{
  if (m->x == OV_AXIS_POSITIONS)
    spec->order = (guint)x;
  else if (m->has_second && m->second == OV_AXIS_POSITIONS)
    spec->order = (guint)line->second;
  if (spec->order == OV_ORDER_STRIDED)
    spec->stride = m->choice->stride > 0 ? m->choice->stride : m->experiment->stride;
  /* Other positions in each repetition, the same for all lines; by twos, since the generator of
   * ov_positions_init() sets the lowest bit. */
  if (spec->job == OV_JOB_BLOCKS && spec->order == OV_ORDER_RANDOM)
    spec->seed += 2 * (guint64)spec->repetition;
}

static OvRunSpec *
make_spec (const Maker *m, const Line *line, guint target, guint64 x, guint repetition)
{
  OvRunSpec *spec = common_spec (m, line->variant, target);
  gboolean second_is_size = m->has_second && m->second == OV_AXIS_SIZE;
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  spec->index = m->plan->specs->len;
  g_free (spec->variant);
  spec->variant
      = g_strdup (second_is_size && is_whole_file (m, target) ? line->variant->label : line->label);
  spec->block = parameter_of (m, line, OV_AXIS_BLOCK, x);
  spec->depth = (guint)parameter_of (m, line, OV_AXIS_DEPTH, x);
  if (m->experiment->job & FILE_JOBS)
    {
      if (m->x == OV_AXIS_SIZE)
        spec->size = x;
      else if (second_is_size && !is_whole_file (m, target))
        spec->size = line->second;
      else
        spec->size = fixed_size (m, target);
      if (!is_file (m->choice, target))
        spec->file = g_strdup_printf ("size-%" G_GUINT64_FORMAT, spec->size);
    }
  spec->repetition = repetition;
  set_order (m, line, x, spec);
  set_requests (m, line, x, spec);
  spec->stop_after_ns = stop_moment (m->experiment, repetition);
  spec->log_capacity = log_room (spec);
  spec->x = (double)x;
  g_hash_table_iter_init (&iter, line->options);
  while (g_hash_table_iter_next (&iter, &name, &value))
    ov_run_spec_set_option (spec, name, *(gint64 *)value);
  return spec;
}

static void
add_file (Maker *m, const OvRunSpec *spec)
{
  OvPlanFile *file;
  guint i;

  for (i = m->plan->files->len; i > 0; i--)
    {
      file = g_ptr_array_index (m->plan->files, i - 1);
      if (file->size == spec->size && g_str_equal (file->target, spec->target))
        return;
    }
  file = g_new0 (OvPlanFile, 1);
  file->name = g_strdup (spec->file);
  file->target = g_strdup (spec->target);
  file->size = spec->size;
  file->empty = (spec->job & WRITE_JOBS) != 0;
  g_ptr_array_add (m->plan->files, file);
}

/* Strides that are no larger than a block, or than which the file is not larger, would read it one
 * block behind the other. */
static gboolean
check_stride (const OvRunSpec *spec, GError **error)
{
  g_autofree char *stride = ov_size_format (spec->stride);
  g_autofree char *block = ov_size_format (spec->block);
  g_autofree char *size = ov_size_format (spec->size);

  if (spec->stride <= spec->block)
    return fail_invalid (error, _ ("a stride of %s is not larger than a block of %s"), stride,
                         block);
  if (spec->stride >= spec->size)
    return fail_invalid (error, _ ("a stride of %s does not fit into a file of %s"), stride, size);
  return TRUE;
}

static gboolean
add_spec (Maker *m, OvRunSpec *spec, GError **error)
{
  g_ptr_array_add (m->plan->specs, spec);
  if (m->plan->specs->len > RUNS_MAX)
    return fail_invalid (error, _ ("these are more than %d runs"), RUNS_MAX);
  if (spec->job == OV_JOB_BLOCKS && spec->block > spec->size)
    {
      g_autofree char *block = ov_size_format (spec->block);
      g_autofree char *size = ov_size_format (spec->size);

      return fail_invalid (error, _ ("a block of %s does not fit into a file of %s"), block, size);
    }
  if (spec->order == OV_ORDER_STRIDED && !check_stride (spec, error))
    return FALSE;
  if (spec->file != NULL && spec->repetition == 0)
    add_file (m, spec);
  return TRUE;
}

/* A user's file has but one size where an axis would walk through them. */
static gboolean
is_repeated_size (const Maker *m, guint target, const Line *line)
{
  return m->has_second && m->second == OV_AXIS_SIZE && is_file (m->choice, target)
         && m->choice->n_sizes == 0 && line->second != g_array_index (m->second_values, guint64, 0);
}

/* Where an axis walks through positions, a strategy does those that it can. */
static gboolean
can_do_order (const OvStrategyInfo *info, const OvRunSpec *spec)
{
  return ov_plan_can_order (info, spec->job, spec->order)
         && !(spec->job == OV_JOB_COUNT && spec->order != OV_ORDER_SEQUENTIAL
              && (spec->work == OV_WORK_CRC32C || spec->work == OV_WORK_SHA256));
}

static gboolean
add_specs (Maker *m, guint target, GError **error)
{
  g_autoptr (GArray) xs
      = m->x == OV_AXIS_SIZE ? target_sizes (m, target, m->x_values) : g_array_ref (m->x_values);
  guint repetitions = m->choice->repetitions > 0   ? m->choice->repetitions
                      : m->preset->repetitions > 0 ? m->preset->repetitions
                                                   : m->experiment->repetitions;
  guint n = m->lines->len;
  guint x;
  guint repetition;
  guint i;

  for (x = 0; x < xs->len; x++)
    for (repetition = 0; repetition < repetitions; repetition++)
      for (i = 0; i < n; i++)
        {
          const Line *line = m->lines->pdata[repetition % 2 == 0 ? i : n - 1 - i];
          OvRunSpec *spec;

          if (is_repeated_size (m, target, line))
            continue;
          spec = make_spec (m, line, target, g_array_index (xs, guint64, x), repetition);
          if (!can_do_order (line->info, spec))
            {
              ov_run_spec_free (spec);
              continue;
            }
          if (!add_spec (m, spec, error))
            return FALSE;
        }
  return TRUE;
}

/* One for each target and variant that cannot run; they come behind all that can. */
static void
add_skips (Maker *m, guint target)
{
  guint i;

  for (i = 0; i < m->variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (m->variants, i);
      char *cause = ov_plan_variant_cause (m->experiment, variant, m->choice, m->strategies);
      OvRunSpec *spec;
      OvRun *run;

      if (cause == NULL)
        continue;
      spec = common_spec (m, variant, target);
      spec->index = m->plan->specs->len + m->plan->skips->len;
      g_free (spec->variant);
      spec->variant = g_strdup (variant->label);
      spec->block = 0;
      spec->depth = 0;
      spec->x = NAN;
      run = ov_run_new (spec);
      run->state = OV_STATE_SKIPPED;
      run->cause = cause;
      g_ptr_array_add (m->plan->skips, run);
    }
}

static gboolean
fail_nothing_left (const Maker *m, GError **error)
{
  GString *causes = g_string_new (NULL);
  guint i;

  for (i = 0; i < m->plan->skips->len && i < m->variants->len; i++)
    {
      const OvRun *run = g_ptr_array_index (m->plan->skips, i);

      if (i == 3)
        {
          g_string_append (causes, "; …");
          break;
        }
      g_string_append_printf (causes, "%s%s: %s", i > 0 ? "; " : "", run->spec->variant,
                              run->cause);
    }
  g_set_error (error, OV_ERROR, OV_ERROR_UNSUPPORTED,
               _ ("no strategy that was chosen can run here: %s"), causes->str);
  g_string_free (causes, TRUE);
  return FALSE;
}

static gboolean
make (Maker *m, GError **error)
{
  guint target;

  if (!find_preset (m, error) || !check_numbers (m, error) || !check_targets (m, error)
      || !set_axes (m, error) || !check_sizes (m, error))
    return FALSE;
  m->variants = ov_plan_choose_variants (m->experiment, m->choice, m->strategies, error);
  if (m->variants == NULL || !make_lines (m, error))
    return FALSE;
  for (target = 0; m->choice->targets[target] != NULL; target++)
    if (!add_specs (m, target, error))
      return FALSE;
  for (target = 0; m->choice->targets[target] != NULL; target++)
    add_skips (m, target);
  if (m->choice->overlap || m->preset->overlap)
    ov_overlap_extend_plan (m->plan, m->strategies);
  return m->plan->specs->len > 0 || fail_nothing_left (m, error);
}

OvPlan *
ov_plan_new (const OvExperiment *experiment, const OvPlanChoice *choice, GPtrArray *strategies,
             GError **error)
{
  Maker m = { .experiment = experiment, .choice = choice, .strategies = strategies };

  g_return_val_if_fail (experiment != NULL && choice != NULL, NULL);
  m.plan = new_plan ();
  m.lines = g_ptr_array_new_with_free_func ((GDestroyNotify)free_line);
  if (!make (&m, error))
    g_clear_pointer (&m.plan, ov_plan_free);
  g_ptr_array_unref (m.lines);
  g_clear_pointer (&m.variants, g_ptr_array_unref);
  g_clear_pointer (&m.x_values, g_array_unref);
  g_clear_pointer (&m.second_values, g_array_unref);
  return m.plan;
}
