// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultTexts: nothing of it knows the window.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/ov-blocks-table.h"
#include "report/ov-hardware-table.h"
#include "report/ov-measured.h"
#include "report/ov-report.h"

#include "gui/ov-result-texts.h"

double
ov_result_texts_resident (const OvResult *result)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      if (run->state != OV_STATE_DONE || !isfinite (run->resident_before))
        continue;
      sum += run->resident_before;
      n++;
    }
  return n > 0 ? sum / n : NAN;
}

OvResultTexts *
ov_result_texts_new (const OvResult *result)
{
  OvResultTexts *self = g_new0 (OvResultTexts, 1);
  OvTable *tables[] = { ov_blocks_table_new (result), ov_hardware_table_new (result),
                        ov_measured_neighbour (result), ov_measured_profile (result) };

  self->note = ov_report_note (result);
  self->self_cost = ov_report_measured_cost (result);
  if (self->self_cost == NULL)
    self->self_cost = g_strdup (
        _ ("What measuring costs here is not measured: the button beside this measures it."));
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_table_unref);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (tables[i] != NULL)
      g_ptr_array_add (self->tables, tables[i]);
  self->resident = ov_result_texts_resident (result);
  return self;
}

void
ov_result_texts_free (OvResultTexts *self)
{
  if (self == NULL)
    return;
  g_free (self->note);
  g_free (self->self_cost);
  g_ptr_array_unref (self->tables);
  g_free (self);
}
