// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvAxis: what an axis means: its scale, unit, title and, if set, its range. Plain data; a chart
 * keeps a copy of its own. Where the ticks come from stands in ov-scale.h.
 *
 * Values are doubles in the base unit: bytes, nanoseconds, bytes per second, per cent, hertz. No
 * whole number type is on the way, so nothing wraps.
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef enum
{
  OV_AXIS_LINEAR,
  OV_AXIS_LOG2,
  OV_AXIS_LOG10,
  OV_AXIS_CATEGORY, /* values are 0, 1, 2 …: places in the list of categories */
} OvAxisKind;

typedef enum
{
  OV_UNIT_NONE,     /* plain numbers; an own unit text may be set */
  OV_UNIT_BYTES,    /* bytes, shown in K, M, G: powers of 1024 */
  OV_UNIT_DURATION, /* nanoseconds, shown in ns, µs, ms or s: one for the whole axis */
  OV_UNIT_RATE,     /* bytes per second, shown in kB/s, MB/s, GB/s: powers of 1000 */
  OV_UNIT_PERCENT,  /* 100 is the whole */
  OV_UNIT_HERTZ,    /* shown in Hz, kHz, MHz */
} OvAxisUnit;

typedef struct _OvAxis OvAxis;

#define OV_TYPE_AXIS (ov_axis_get_type ())
GType ov_axis_get_type (void) G_GNUC_CONST;

/** A new axis; the range follows the data. The caller owns it. */
OvAxis *ov_axis_new (OvAxisKind kind, OvAxisUnit unit);
OvAxis *ov_axis_copy (const OvAxis *axis);
void ov_axis_free (OvAxis *axis);
/** TRUE where the two look the same in every respect. */
gboolean ov_axis_equal (const OvAxis *a, const OvAxis *b);

/** What is counted, without the unit: "file size". NULL for none. */
void ov_axis_set_title (OvAxis *axis, const char *title);
/** For OV_UNIT_NONE: the unit's text, such as "requests". NULL for none. */
void ov_axis_set_unit_text (OvAxis *axis, const char *text);
/** A fixed range in base units. NaN for an end that follows the data. */
void ov_axis_set_range (OvAxis *axis, double lo, double hi);
/** Whether a range that follows the data begins at zero (linear axes; a new axis does). */
void ov_axis_set_from_zero (OvAxis *axis, gboolean from_zero);
/** The names of the places of a category axis; NULL-terminated, copied. Groups are forgotten. */
void ov_axis_set_categories (OvAxis *axis, const char *const *names);
/** A name of a group for each category; neighbours of one name stand under it together. As many as
 * there are categories, NULL-terminated, copied; "" is no group, NULL takes all groups away. */
void ov_axis_set_groups (OvAxis *axis, const char *const *groups);

OvAxisKind ov_axis_get_kind (const OvAxis *axis);
OvAxisUnit ov_axis_get_unit (const OvAxis *axis);
/** Borrowed; NULL for none. */
const char *ov_axis_get_title (const OvAxis *axis);
const char *ov_axis_get_unit_text (const OvAxis *axis);
void ov_axis_get_range (const OvAxis *axis, double *lo, double *hi);
gboolean ov_axis_get_from_zero (const OvAxis *axis);
guint ov_axis_get_n_categories (const OvAxis *axis);
/** Borrowed; NULL where `place` is none. */
const char *ov_axis_get_category (const OvAxis *axis, guint place);
/** The group that the category belongs to. Borrowed; NULL where there is none. */
const char *ov_axis_get_group (const OvAxis *axis, guint place);

/** One value with its unit, in the unit that suits it, rounded to three significant digits: "4.02
 * ms", "1.24 GB/s", "64K"; a category in a group: "5K, /tmp". NaN gives a dash. The caller owns the
 * text, which follows the locale. */
char *ov_axis_format (const OvAxis *axis, double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OvAxis, ov_axis_free)

G_END_DECLS
