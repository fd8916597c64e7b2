// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvAxis: plain data with texts of its own. A fixed end that is not finite counts as "follows the
 * data"; categories and groups are never NULL, and there is a group for each category or none.
 */
#include "config.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "chart/ov-axis.h"
#include "chart/ov-number.h"

struct _OvAxis
{
  OvAxisKind kind;
  OvAxisUnit unit;
  char *title;
  char *unit_text;
  double lo; /* NaN: follows the data */
  double hi;
  gboolean from_zero;
  char **categories;
  char **groups;
};

G_DEFINE_BOXED_TYPE (OvAxis, ov_axis, ov_axis_copy, ov_axis_free)

OvAxis *
ov_axis_new (OvAxisKind kind, OvAxisUnit unit)
{
  OvAxis *axis = g_new0 (OvAxis, 1);

  axis->kind = kind;
  axis->unit = unit;
  axis->lo = NAN;
  axis->hi = NAN;
  axis->from_zero = TRUE;
  axis->categories = g_new0 (char *, 1);
  axis->groups = g_new0 (char *, 1);
  return axis;
}

OvAxis *
ov_axis_copy (const OvAxis *axis)
{
  OvAxis *copy;

  g_return_val_if_fail (axis != NULL, NULL);

  copy = g_new (OvAxis, 1);
  *copy = *axis;
  copy->title = g_strdup (axis->title);
  copy->unit_text = g_strdup (axis->unit_text);
  copy->categories = g_strdupv (axis->categories);
  copy->groups = g_strdupv (axis->groups);
  return copy;
}

void
ov_axis_free (OvAxis *axis)
{
  if (axis == NULL)
    return;
  g_free (axis->title);
  g_free (axis->unit_text);
  g_strfreev (axis->categories);
  g_strfreev (axis->groups);
  g_free (axis);
}

static gboolean
same_end (double a, double b)
{
  return isnan (a) ? isnan (b) : a == b;
}

gboolean
ov_axis_equal (const OvAxis *a, const OvAxis *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->kind == b->kind && a->unit == b->unit && g_strcmp0 (a->title, b->title) == 0
         && g_strcmp0 (a->unit_text, b->unit_text) == 0 && same_end (a->lo, b->lo)
         && same_end (a->hi, b->hi) && a->from_zero == b->from_zero
         && g_strv_equal ((const char *const *)a->categories, (const char *const *)b->categories)
         && g_strv_equal ((const char *const *)a->groups, (const char *const *)b->groups);
}

/* "" and NULL are the same: none. */
static void
set_text (char **where, const char *text)
{
  char *copy = text != NULL && *text != '\0' ? g_strdup (text) : NULL;

  g_free (*where);
  *where = copy;
}

void
ov_axis_set_title (OvAxis *axis, const char *title)
{
  g_return_if_fail (axis != NULL);

  set_text (&axis->title, title);
}

void
ov_axis_set_unit_text (OvAxis *axis, const char *text)
{
  g_return_if_fail (axis != NULL);

  set_text (&axis->unit_text, text);
}

void
ov_axis_set_range (OvAxis *axis, double lo, double hi)
{
  g_return_if_fail (axis != NULL);

  axis->lo = isfinite (lo) ? lo : NAN;
  axis->hi = isfinite (hi) ? hi : NAN;
}

void
ov_axis_set_from_zero (OvAxis *axis, gboolean from_zero)
{
  g_return_if_fail (axis != NULL);

  axis->from_zero = from_zero != FALSE;
}

void
ov_axis_set_categories (OvAxis *axis, const char *const *names)
{
  char **copy;

  g_return_if_fail (axis != NULL && names != NULL);

  copy = g_strdupv ((char **)names);
  g_strfreev (axis->categories);
  axis->categories = copy;
  ov_axis_set_groups (axis, NULL);
}

void
ov_axis_set_groups (OvAxis *axis, const char *const *groups)
{
  char **copy;

  g_return_if_fail (axis != NULL);
  g_return_if_fail (groups == NULL
                    || g_strv_length ((char **)groups) == g_strv_length (axis->categories));

  copy = groups != NULL ? g_strdupv ((char **)groups) : g_new0 (char *, 1);
  g_strfreev (axis->groups);
  axis->groups = copy;
}

OvAxisKind
ov_axis_get_kind (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, OV_AXIS_LINEAR);

  return axis->kind;
}

OvAxisUnit
ov_axis_get_unit (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, OV_UNIT_NONE);

  return axis->unit;
}

const char *
ov_axis_get_title (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, NULL);

  return axis->title;
}

const char *
ov_axis_get_unit_text (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, NULL);

  return axis->unit_text;
}

void
ov_axis_get_range (const OvAxis *axis, double *lo, double *hi)
{
  g_return_if_fail (axis != NULL && lo != NULL && hi != NULL);

  *lo = axis->lo;
  *hi = axis->hi;
}

gboolean
ov_axis_get_from_zero (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, FALSE);

  return axis->from_zero;
}

guint
ov_axis_get_n_categories (const OvAxis *axis)
{
  g_return_val_if_fail (axis != NULL, 0);

  return g_strv_length (axis->categories);
}

const char *
ov_axis_get_category (const OvAxis *axis, guint place)
{
  g_return_val_if_fail (axis != NULL, NULL);

  return place < g_strv_length (axis->categories) ? axis->categories[place] : NULL;
}

const char *
ov_axis_get_group (const OvAxis *axis, guint place)
{
  g_return_val_if_fail (axis != NULL, NULL);

  return place < g_strv_length (axis->groups) && axis->groups[place][0] != '\0'
             ? axis->groups[place]
             : NULL;
}

/* By which a value's unit is chosen. A whole number of kilohertz is written so: 1 kHz, but 1024 Hz
 * and 8192 Hz, which would lose digits. */
static double
unit_magnitude (const OvAxis *axis, double value)
{
  if (axis->unit == OV_UNIT_HERTZ && value >= 1e3 && fmod (value, 1e3) == 0)
    return MAX (value, 1e4);
  return value;
}

char *
ov_axis_format (const OvAxis *axis, double value)
{
  OvNumberUnit unit;
  g_autofree char *number = NULL;

  g_return_val_if_fail (axis != NULL, NULL);

  if (isnan (value))
    return g_strdup ("–");
  if (axis->kind == OV_AXIS_CATEGORY)
    {
      guint place = value >= 0 && value < G_MAXINT ? (guint)lround (value) : G_MAXUINT;
      const char *name = ov_axis_get_category (axis, place);
      const char *group = ov_axis_get_group (axis, place);

      if (name != NULL && group != NULL)
        /* Translators: a bar, and the group of bars that it is in: "32K, /tmp" */
        return g_strdup_printf (_ ("%s, %s"), name, group);
      return name != NULL ? g_strdup (name) : ov_number_format (value, 3);
    }
  if (axis->unit == OV_UNIT_BYTES)
    return ov_number_format_bytes (value);
  ov_number_choose_unit (axis->unit, unit_magnitude (axis, value), &unit);
  number = ov_number_format (value / unit.divisor, 3);
  if (unit.text[0] != '\0')
    /* Translators: a number and its unit, such as "4.02 ms" */
    return g_strdup_printf (_ ("%s %s"), number, unit.text);
  if (axis->unit_text != NULL)
    return g_strdup_printf (_ ("%s %s"), number, axis->unit_text);
  return g_steal_pointer (&number);
}
