// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultsRow: figures that are not known are NaN or -1, and shown as a dash once the row has
 * results at all.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/ov-units.h"

#include "gui/ov-results-row.h"

/* Longer check values, such as digests, are cut. */
#define CHECK_LENGTH 10

struct _OvResultsRow
{
  GObject parent_instance;

  char *variant;
  char *target;
  char *label;
  int style;
  guint order;

  OvRowState state;
  guint n_ended;
  guint n_total;
  char *cause;
  char *effective;

  guint n_done;
  guint n_wrong;
  double median_s;
  double lo_s;
  double hi_s;
  double stable_s;
  gboolean is_interval;
  double rate;
  double cpu;        /* seconds for each GB, or of a run */
  gboolean hardware; /* of a job without a file: rate is of accesses or events */
  gint64 stop_ns;
  char *check;

  gboolean dirty;
};

G_DEFINE_FINAL_TYPE (OvResultsRow, ov_results_row, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
ov_results_row_finalize (GObject *object)
{
  OvResultsRow *self = OV_RESULTS_ROW (object);

  g_free (self->variant);
  g_free (self->target);
  g_free (self->label);
  g_free (self->cause);
  g_free (self->effective);
  g_free (self->check);
  G_OBJECT_CLASS (ov_results_row_parent_class)->finalize (object);
}

static void
ov_results_row_class_init (OvResultsRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_results_row_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", OV_TYPE_RESULTS_ROW, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_results_row_init (OvResultsRow *self)
{
  self->median_s = self->lo_s = self->hi_s = self->stable_s = self->rate = self->cpu = NAN;
  self->stop_ns = -1;
}

OvResultsRow *
ov_results_row_new (const char *variant, const char *target, int style, guint order)
{
  OvResultsRow *self = g_object_new (OV_TYPE_RESULTS_ROW, NULL);

  self->variant = g_strdup (variant);
  self->target = g_strdup (target);
  self->label = g_strdup (variant);
  self->style = style;
  self->order = order;
  return self;
}

const char *
ov_results_row_get_variant (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NULL);
  return self->variant;
}

const char *
ov_results_row_get_effective (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NULL);
  return self->effective;
}

void
ov_results_row_set_effective (OvResultsRow *self, const char *effective)
{
  g_return_if_fail (OV_IS_RESULTS_ROW (self));

  if (g_strcmp0 (effective, self->effective) == 0)
    return;
  g_free (self->effective);
  self->effective = g_strdup (effective);
  self->dirty = TRUE;
}

const char *
ov_results_row_get_target (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NULL);
  return self->target;
}

const char *
ov_results_row_get_label (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NULL);
  return self->label;
}

void
ov_results_row_set_label (OvResultsRow *self, const char *label)
{
  g_return_if_fail (OV_IS_RESULTS_ROW (self));

  if (g_strcmp0 (label, self->label) == 0)
    return;
  g_free (self->label);
  self->label = g_strdup (label);
  self->dirty = TRUE;
}

int
ov_results_row_get_style (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), -1);
  return self->style;
}

guint
ov_results_row_get_order (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), 0);
  return self->order;
}

OvRowState
ov_results_row_get_state (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), OV_ROW_PLANNED);
  return self->state;
}

gboolean
ov_results_row_is_empty (OvResultsRow *self)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), TRUE);
  return self->state == OV_ROW_NOT_HERE || (self->state == OV_ROW_WAITING && self->n_ended == 0);
}

void
ov_results_row_set_state (OvResultsRow *self, OvRowState state, guint n_ended, guint n_total,
                          const char *cause)
{
  g_return_if_fail (OV_IS_RESULTS_ROW (self));

  if (state == self->state && n_ended == self->n_ended && n_total == self->n_total
      && g_strcmp0 (cause, self->cause) == 0)
    return;
  self->state = state;
  self->n_ended = n_ended;
  self->n_total = n_total;
  g_free (self->cause);
  self->cause = g_strdup (cause);
  self->dirty = TRUE;
}

void
ov_results_row_set_cell (OvResultsRow *self, const OvCell *cell)
{
  g_return_if_fail (OV_IS_RESULTS_ROW (self));

  g_clear_pointer (&self->check, g_free);
  self->n_done = self->n_wrong = 0;
  ov_results_row_init (self);
  if (cell != NULL)
    {
      self->n_done = cell->n_done;
      self->n_wrong = cell->n_wrong;
      self->median_s = cell->median_s;
      self->lo_s = cell->lo_s;
      self->hi_s = cell->hi_s;
      self->is_interval = cell->is_interval;
      self->stable_s = cell->stable_s;
      self->hardware = ov_target_is_machine (cell->target);
      self->rate = self->hardware ? cell->per_second : cell->rate;
      self->cpu = self->hardware ? cell->cpu_s : cell->cpu_per_gb;
      self->stop_ns = cell->stop_latency_ns;
      self->check = g_strdup (cell->check);
    }
  self->dirty = TRUE;
}

void
ov_results_row_flush (OvResultsRow *self)
{
  g_return_if_fail (OV_IS_RESULTS_ROW (self));

  if (!self->dirty)
    return;
  self->dirty = FALSE;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static char *
format_state (OvResultsRow *self)
{
  switch (self->state)
    {
    case OV_ROW_PLANNED:
      return g_strdup_printf (g_dngettext (NULL, "%u run", "%u runs", self->n_total),
                              self->n_total);
    case OV_ROW_WAITING:
      if (self->n_ended == 0)
        return g_strdup (_ ("waiting"));
      /* Translators: of ten runs, four have ended: "4 of 10". */
      return g_strdup_printf (_ ("%u of %u"), self->n_ended, self->n_total);
    case OV_ROW_RUNNING:
      return g_strdup_printf (_ ("running, %u of %u"), self->n_ended, self->n_total);
    case OV_ROW_ENDED:
      if (self->cause != NULL)
        return g_strdup_printf (_ ("%u of %u, %s"), self->n_done, self->n_total, self->cause);
      return g_strdup_printf (_ ("%u of %u"), self->n_ended, self->n_total);
    case OV_ROW_NOT_HERE:
    default:
      return g_strdup_printf (_ ("not here: %s"), self->cause != NULL && *self->cause != '\0'
                                                      ? gettext (self->cause)
                                                      : "–");
    }
}

static char *
format_interval (OvResultsRow *self)
{
  g_autofree char *lo = NULL;
  g_autofree char *hi = NULL;

  if (!isfinite (self->lo_s) || !isfinite (self->hi_s) || self->n_done < 2)
    return NULL;
  lo = ov_duration_format (self->lo_s);
  hi = ov_duration_format (self->hi_s);
  /* The unit is written once where both have it. */
  if (strchr (lo, ' ') != NULL && g_strcmp0 (strchr (lo, ' '), strchr (hi, ' ')) == 0)
    *strchr (lo, ' ') = '\0';
  if (self->is_interval)
    return g_strdup_printf ("%s – %s", lo, hi);
  return g_strdup_printf (_ ("%s – %s, range"), lo, hi);
}

/* "count=21904" is shown as "21 904", a digest by its first figures; then whether all agree. */
static char *
format_check (OvResultsRow *self)
{
  const char *value;
  g_autofree char *text = NULL;

  if (self->check == NULL)
    return NULL;
  value = strchr (self->check, '=');
  value = value != NULL ? value + 1 : self->check;
  if (value[0] != '\0' && strspn (value, "0123456789") == strlen (value) && strlen (value) < 19)
    text = ov_count_format (g_ascii_strtoull (value, NULL, 10));
  else if (strlen (value) > CHECK_LENGTH)
    text = g_strdup_printf ("%.*s…", CHECK_LENGTH, value);
  else
    text = g_strdup (value);
  return g_strdup_printf ("%s %s", text, self->n_wrong == 0 ? "✓" : "✗");
}

static char *
format_figure (OvResultsRow *self, OvResultsColumn column)
{
  switch (column)
    {
    case OV_COLUMN_MEDIAN:
      return isfinite (self->median_s) ? ov_duration_format (self->median_s) : NULL;
    case OV_COLUMN_INTERVAL:
      return format_interval (self);
    case OV_COLUMN_STABLE:
      return isfinite (self->stable_s) ? ov_duration_format (self->stable_s) : NULL;
    case OV_COLUMN_RATE:
      if (self->hardware && isfinite (self->rate))
        return ov_count_format ((guint64)llround (self->rate));
      return isfinite (self->rate)
                 ? g_strdup_printf (self->rate < 99.5e6 ? "%.1f" : "%.0f", self->rate / 1e6)
                 : NULL;
    case OV_COLUMN_CPU:
      if (self->hardware && isfinite (self->cpu))
        return ov_duration_format (self->cpu);
      return isfinite (self->cpu) ? g_strdup_printf ("%.2f", self->cpu) : NULL;
    case OV_COLUMN_STOP:
      return self->stop_ns >= 0 ? ov_duration_format ((double)self->stop_ns / 1e9) : NULL;
    case OV_COLUMN_CHECK:
      return format_check (self);
    default:
      return NULL;
    }
}

char *
ov_results_row_format (OvResultsRow *self, OvResultsColumn column)
{
  char *text;

  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NULL);
  if (column == OV_COLUMN_VARIANT)
    return g_strdup (self->label);
  if (column == OV_COLUMN_STATE)
    return format_state (self);
  text = format_figure (self, column);
  if (text == NULL)
    text = g_strdup (self->n_ended > 0 ? "–" : "");
  return text;
}

double
ov_results_row_get_value (OvResultsRow *self, OvResultsColumn column)
{
  g_return_val_if_fail (OV_IS_RESULTS_ROW (self), NAN);

  switch (column)
    {
    case OV_COLUMN_VARIANT:
      return self->order;
    case OV_COLUMN_STATE:
      return self->state * 1e6 + self->n_ended;
    case OV_COLUMN_MEDIAN:
      return self->median_s;
    case OV_COLUMN_INTERVAL:
      return self->hi_s - self->lo_s;
    case OV_COLUMN_STABLE:
      return self->stable_s;
    case OV_COLUMN_RATE:
      return self->rate;
    case OV_COLUMN_CPU:
      return self->cpu;
    case OV_COLUMN_STOP:
      return self->stop_ns >= 0 ? (double)self->stop_ns : NAN;
    case OV_COLUMN_CHECK:
      return self->check != NULL ? self->n_wrong : NAN;
    default:
      return NAN;
    }
}
