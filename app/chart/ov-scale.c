// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvScale: where the ticks come from. Linear: multiples of 1, 2 or 5 times a power of ten in the
 * axis's unit. Powers of two or ten: every n-th power, with 2 and 5 between the tens where there is
 * room. Categories: every n-th name.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-number.h"
#include "chart/ov-scale.h"

/* More ticks than this are never asked for by a picture that can be looked at. */
#define MAX_TICKS 64

typedef struct
{
  const OvAxis *axis;
  OvScale *scale;
  guint max_ticks;
  guint max_categories; /* their names are written as they are: more of them are no harm */
  OvScaleFlags flags;
} Build;

double
ov_scale_nice_step (double range, guint max_ticks)
{
  static const double factors[] = { 1, 2, 5, 10 };
  double raw;
  double power;

  g_return_val_if_fail (max_ticks > 0, range);

  if (!(range > 0) || !isfinite (range))
    return 1;
  raw = range / max_ticks;
  power = pow (10, floor (log10 (raw)));
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (factors[i] * power >= raw * (1 - 1e-9))
      return factors[i] * power;
  return 10 * power;
}

static char *
tick_label (const Build *b, double value, int decimals)
{
  g_autofree char *number = NULL;
  OvAxisUnit unit = ov_axis_get_unit (b->axis);

  if (unit == OV_UNIT_BYTES)
    return ov_number_format_bytes (value);
  if (b->scale->divisor == 0) /* a wide logarithmic axis: each label has a unit of its own */
    return ov_axis_format (b->axis, value);
  number = decimals >= 0 ? ov_number_format_decimals (value / b->scale->divisor, decimals)
                         : ov_number_format (value / b->scale->divisor, 3);
  if ((b->flags & OV_SCALE_UNIT_LABELS) != 0 && b->scale->unit[0] != '\0')
    return g_strdup_printf (_ ("%s %s"), number, b->scale->unit);
  return g_steal_pointer (&number);
}

static void
add_tick (Build *b, double value, char *label)
{
  OvTick tick = { value, ov_scale_map (b->scale, value), label };

  if (b->scale->n_ticks >= MAX_TICKS || !isfinite (tick.pos) || tick.pos < -1e-9
      || tick.pos > 1 + 1e-9)
    {
      g_free (label);
      return;
    }
  b->scale->ticks[b->scale->n_ticks++] = tick;
}

/* Whether the unit of the high end makes a figure of the low end that nobody would write: 64 Hz as
 * 0.064 kHz, 1 µs as 0.001 ms. */
static gboolean
reads_small (double value, OvAxisUnit unit)
{
  return value < (unit == OV_UNIT_HERTZ ? 1 : 0.1);
}

static void
choose_unit (Build *b)
{
  OvAxisUnit unit = ov_axis_get_unit (b->axis);
  OvNumberUnit chosen;
  OvScale *s = b->scale;
  const char *own = ov_axis_get_unit_text (b->axis);

  ov_number_choose_unit (unit, MAX (fabs (s->lo), fabs (s->hi)), &chosen);
  s->divisor = chosen.divisor;
  s->unit = unit == OV_UNIT_BYTES ? "" : chosen.text;
  if (unit == OV_UNIT_NONE && own != NULL)
    s->unit = own;
  if ((s->kind == OV_AXIS_LOG2 || s->kind == OV_AXIS_LOG10)
      && (unit == OV_UNIT_DURATION || unit == OV_UNIT_RATE || unit == OV_UNIT_HERTZ)
      && (s->hi / s->lo > 2000 || reads_small (s->lo / s->divisor, unit)))
    {
      s->divisor = 0;
      s->unit = "";
    }
}

static void
build_linear (Build *b)
{
  OvScale *s = b->scale;
  double step;
  double first;
  double last;
  int decimals;

  choose_unit (b);
  step = ov_scale_nice_step ((s->hi - s->lo) / s->divisor, b->max_ticks);
  if ((b->flags & OV_SCALE_ROUND) != 0)
    {
      double lo;
      double hi;
      OvAxisUnit unit = ov_axis_get_unit (b->axis);

      ov_axis_get_range (b->axis, &lo, &hi);
      if (isnan (lo))
        s->lo = floor (s->lo / s->divisor / step + 1e-9) * step * s->divisor;
      if (isnan (hi))
        s->hi = ceil (s->hi / s->divisor / step - 1e-9) * step * s->divisor;
      /* Rounding up may have reached the next unit: 980 ms to 1000 ms stays, as one unit more
       * would only make the figures longer. Bytes are named by powers of 1024 one by one. */
      if (unit == OV_UNIT_BYTES)
        choose_unit (b);
    }
  step = ov_scale_nice_step ((s->hi - s->lo) / s->divisor, b->max_ticks);
  decimals = ov_number_decimals_for_step (step);
  first = ceil (s->lo / s->divisor / step - 1e-9);
  last = floor (s->hi / s->divisor / step + 1e-9);
  for (double i = first; i <= last; i++)
    add_tick (b, i * step * s->divisor, tick_label (b, i * step * s->divisor, decimals));
}

static void
build_log (Build *b)
{
  OvScale *s = b->scale;
  double base = s->kind == OV_AXIS_LOG2 ? 2 : 10;
  double first;
  double last;
  guint count;
  guint stride;
  guint between = 1;

  choose_unit (b);
  first = ceil (log (s->lo) / log (base) - 1e-9);
  last = floor (log (s->hi) / log (base) + 1e-9);
  count = last >= first ? (guint)(last - first) + 1 : 0;
  stride = MAX (1, (count + b->max_ticks - 1) / b->max_ticks);
  if (base > 2 && stride == 1 && (count + 1) * 3 <= b->max_ticks)
    between = 3;
  for (double e = first - 1; e <= last + 1; e++)
    {
      static const double parts[] = { 1, 2, 5 };

      if (fmod (e - first, stride) != 0)
        continue;
      for (guint i = 0; i < between; i++)
        {
          double value = pow (base, e) * parts[i];

          add_tick (b, value, tick_label (b, value, -1));
        }
    }
}

static void
build_categories (Build *b)
{
  guint n = ov_axis_get_n_categories (b->axis);
  guint stride = MAX (1, (n + b->max_categories - 1) / b->max_categories);

  b->scale->divisor = 1;
  b->scale->unit = "";
  for (guint i = 0; i < n; i += stride)
    add_tick (b, i, g_strdup (ov_axis_get_category (b->axis, i)));
}

/* Ticks just where figures were measured. */
static void
build_at (Build *b, const double *at, guint n_at)
{
  int decimals = 0;
  OvScale *s = b->scale;

  choose_unit (b);
  for (guint i = 0; i < n_at && s->divisor != 0; i++)
    decimals = MAX (decimals, MIN (3, ov_number_decimals_for_step (at[i] / s->divisor)));
  if (s->kind != OV_AXIS_LINEAR)
    decimals = -1;
  for (guint i = 0; i < n_at; i++)
    add_tick (b, at[i], tick_label (b, at[i], decimals));
}

/* A range that can be drawn: finite, not empty, above zero on a logarithmic axis. */
static void
settle_range (Build *b, double lo, double hi)
{
  OvScale *s = b->scale;
  double fixed_lo;
  double fixed_hi;
  gboolean is_log = s->kind == OV_AXIS_LOG2 || s->kind == OV_AXIS_LOG10;

  if (s->kind == OV_AXIS_CATEGORY)
    {
      s->lo = -0.5;
      s->hi = MAX (ov_axis_get_n_categories (b->axis), 1) - 0.5;
      s->empty = ov_axis_get_n_categories (b->axis) == 0;
      return;
    }
  ov_axis_get_range (b->axis, &fixed_lo, &fixed_hi);
  if (!isfinite (lo) || !isfinite (hi) || lo > hi)
    {
      s->empty = isnan (fixed_lo) || isnan (fixed_hi);
      lo = isnan (fixed_lo) ? 0 : fixed_lo;
      hi = isnan (fixed_hi) ? lo + 1 : fixed_hi;
    }
  else if (!is_log && ov_axis_get_from_zero (b->axis) && (b->flags & OV_SCALE_ROUND) != 0)
    {
      lo = MIN (lo, 0);
      hi = MAX (hi, 0);
    }
  s->lo = isnan (fixed_lo) ? lo : fixed_lo;
  s->hi = isnan (fixed_hi) ? hi : fixed_hi;
  if (is_log)
    {
      double base = s->kind == OV_AXIS_LOG2 ? 2 : 10;

      if (!(s->hi > 0))
        s->hi = 1;
      if (!(s->lo > 0))
        s->lo = s->hi / 1000;
      if ((b->flags & OV_SCALE_ROUND) != 0)
        {
          if (isnan (fixed_lo))
            s->lo = pow (base, floor (log (s->lo) / log (base) + 1e-9));
          if (isnan (fixed_hi))
            s->hi = pow (base, ceil (log (s->hi) / log (base) - 1e-9));
        }
      if (!(s->hi > s->lo))
        {
          s->lo /= base;
          s->hi = s->lo * base * base;
        }
    }
  else if (!(s->hi > s->lo))
    {
      /* One value only: it stands in the middle; nothing but zeros: up to one unit. */
      double room = s->lo == 0 ? (ov_axis_get_unit (b->axis) == OV_UNIT_PERCENT ? 100 : 1)
                               : fabs (s->lo) / 2;

      s->lo -= (b->flags & OV_SCALE_ROUND) != 0 && s->lo == 0 ? 0 : room;
      s->hi += room;
    }
}

OvScale *
ov_scale_new (const OvAxis *axis, double lo, double hi, guint max_ticks, OvScaleFlags flags,
              const double *at, guint n_at)
{
  Build b = { axis, g_new0 (OvScale, 1), CLAMP (max_ticks, 2, MAX_TICKS / 4),
              CLAMP (max_ticks, 2, MAX_TICKS), flags };

  g_return_val_if_fail (axis != NULL, NULL);

  b.scale->kind = ov_axis_get_kind (axis);
  b.scale->ticks = g_new0 (OvTick, MAX_TICKS);
  settle_range (&b, lo, hi);
  if (b.scale->empty)
    {
      b.scale->divisor = 1;
      b.scale->unit = "";
    }
  else if (b.scale->kind == OV_AXIS_CATEGORY)
    build_categories (&b);
  else if (at != NULL && n_at > 0 && n_at <= max_ticks)
    build_at (&b, at, n_at);
  else if (b.scale->kind == OV_AXIS_LINEAR)
    build_linear (&b);
  else
    build_log (&b);
  return b.scale;
}

void
ov_scale_free (OvScale *scale)
{
  if (scale == NULL)
    return;
  for (guint i = 0; i < scale->n_ticks; i++)
    g_free (scale->ticks[i].label);
  g_free (scale->ticks);
  g_free (scale);
}

double
ov_scale_map (const OvScale *scale, double value)
{
  if (scale->kind == OV_AXIS_LINEAR || scale->kind == OV_AXIS_CATEGORY)
    return (value - scale->lo) / (scale->hi - scale->lo);
  if (!(value > 0))
    return NAN;
  return log (value / scale->lo) / log (scale->hi / scale->lo);
}

double
ov_scale_unmap (const OvScale *scale, double pos)
{
  if (scale->kind == OV_AXIS_LINEAR || scale->kind == OV_AXIS_CATEGORY)
    return scale->lo + pos * (scale->hi - scale->lo);
  return scale->lo * pow (scale->hi / scale->lo, pos);
}
