/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a plan reads and writes, in bytes: for the questions before a run.  Sums never overflow;
 * what is too much for 63 bits is G_MAXINT64.
 */
#include "config.h"

#include "model/ov-plan.h"

static guint64
add_bounded (guint64 a, guint64 b)
{
  return a > G_MAXINT64 - MIN (b, G_MAXINT64) ? G_MAXINT64 : a + b;
}

guint64
ov_plan_layout_bytes (const OvPlan *plan, const char *target)
{
  guint64 sum = 0;
  guint i;

  g_return_val_if_fail (plan != NULL && target != NULL, 0);
  for (i = 0; i < plan->files->len; i++)
    {
      const OvPlanFile *file = g_ptr_array_index (plan->files, i);

      if (g_str_equal (file->target, target))
        sum = add_bounded (sum, file->size);
    }
  return sum;
}

/* Bytes that one pass of a run reads. */
static guint64
pass_bytes (const OvRunSpec *spec)
{
  if (spec->job == OV_JOB_BLOCKS)
    return spec->block > 0 && spec->requests > G_MAXINT64 / spec->block
               ? G_MAXINT64
               : spec->requests * spec->block;
  return spec->job & (OV_JOB_COUNT | OV_JOB_TRANSFER) || spec->verify ? spec->size : 0;
}

guint64
ov_plan_read_bytes (const OvPlan *plan)
{
  guint64 sum = 0;
  guint i;

  g_return_val_if_fail (plan != NULL, 0);
  for (i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);

      sum = add_bounded (sum, pass_bytes (spec));
      if (spec->discard && spec->job != OV_JOB_WRITE) /* what is written is read back once */
        sum = add_bounded (sum, pass_bytes (spec));
    }
  return sum;
}

guint64
ov_plan_written_bytes (const OvPlan *plan, const char *target)
{
  guint64 sum = 0;
  guint i;

  g_return_val_if_fail (plan != NULL, 0);
  for (i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);

      if (!(spec->job & OV_WRITE_JOBS) || (target != NULL && !g_str_equal (target, spec->target)))
        continue;
      sum = add_bounded (sum, spec->size);
      if (spec->discard)
        sum = add_bounded (sum, spec->size);
    }
  return sum;
}
