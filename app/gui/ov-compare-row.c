// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvCompareRow: the texts are made once; a row is replaced, never changed.
 */
#include "config.h"

#include "base/ov-units.h"
#include "report/ov-verdict.h"

#include "gui/ov-compare-row.h"

struct _OvCompareRow
{
  GObject parent_instance;

  char *texts[OV_N_COMPARE];
  int style;
};

G_DEFINE_FINAL_TYPE (OvCompareRow, ov_compare_row, G_TYPE_OBJECT)

static void
ov_compare_row_finalize (GObject *object)
{
  OvCompareRow *self = OV_COMPARE_ROW (object);

  for (guint i = 0; i < OV_N_COMPARE; i++)
    g_free (self->texts[i]);
  G_OBJECT_CLASS (ov_compare_row_parent_class)->finalize (object);
}

static void
ov_compare_row_class_init (OvCompareRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_compare_row_finalize;
}

static void
ov_compare_row_init (OvCompareRow *self)
{
}

OvCompareRow *
ov_compare_row_new (const OvComparison *comparison, const char *group, int style)
{
  OvCompareRow *self = g_object_new (OV_TYPE_COMPARE_ROW, NULL);
  const char *variant = comparison->cell->variant;

  self->style = style;
  self->texts[OV_COMPARE_LINE]
      = group != NULL ? g_strdup_printf ("%s: %s", group, variant) : g_strdup (variant);
  self->texts[OV_COMPARE_VALUE] = ov_duration_format (comparison->value);
  self->texts[OV_COMPARE_N]
      = comparison->n > 0 ? g_strdup_printf ("%u", comparison->n) : g_strdup ("–");
  self->texts[OV_COMPARE_RATIO] = ov_comparison_format_ratio (comparison);
  self->texts[OV_COMPARE_INTERVAL] = ov_comparison_format_interval (comparison);
  self->texts[OV_COMPARE_REMARK] = ov_comparison_format_remark (comparison);
  return self;
}

const char *
ov_compare_row_get_text (OvCompareRow *self, OvCompareColumn column)
{
  g_return_val_if_fail (OV_IS_COMPARE_ROW (self) && column < OV_N_COMPARE, NULL);
  return self->texts[column];
}

int
ov_compare_row_get_style (OvCompareRow *self)
{
  g_return_val_if_fail (OV_IS_COMPARE_ROW (self), -1);
  return self->style;
}
