// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvRunDetail: `stale` says that the chart shows an earlier run.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "report/ov-lanes.h"

#include "gui/ov-run-detail.h"

struct _OvRunDetail
{
  GObject parent_instance;

  OvResult *result;
  OvRun *run;
  OvLaneChart *lanes;
  gboolean stale;
};

G_DEFINE_FINAL_TYPE (OvRunDetail, ov_run_detail, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
ov_run_detail_finalize (GObject *object)
{
  OvRunDetail *self = OV_RUN_DETAIL (object);

  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->run, ov_run_unref);
  g_object_unref (self->lanes);
  G_OBJECT_CLASS (ov_run_detail_parent_class)->finalize (object);
}

static void
ov_run_detail_class_init (OvRunDetailClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_run_detail_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", OV_TYPE_RUN_DETAIL, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_run_detail_init (OvRunDetail *self)
{
  self->lanes = ov_lanes_new ();
}

OvRunDetail *
ov_run_detail_new (void)
{
  return g_object_new (OV_TYPE_RUN_DETAIL, NULL);
}

void
ov_run_detail_set_run (OvRunDetail *self, OvResult *result, OvRun *run)
{
  g_return_if_fail (OV_IS_RUN_DETAIL (self));

  if (result != NULL)
    ov_result_ref (result);
  if (run != NULL)
    ov_run_ref (run);
  g_clear_pointer (&self->result, ov_result_unref);
  g_clear_pointer (&self->run, ov_run_unref);
  self->result = result;
  self->run = run;
  self->stale = TRUE;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

OvRun *
ov_run_detail_get_run (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  return self->run;
}

char *
ov_run_detail_dup_name (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  return self->run != NULL ? ov_lanes_run_name (self->result, self->run) : NULL;
}

OvLaneChart *
ov_run_detail_get_lanes (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);

  if (self->stale)
    {
      g_autofree char *name = ov_run_detail_dup_name (self);

      self->stale = FALSE;
      ov_lanes_show_run (self->lanes, self->result != NULL ? self->result->experiment : NULL,
                         self->run);
      ov_lane_chart_set_subtitle (self->lanes, name);
    }
  return self->lanes;
}

gboolean
ov_run_detail_has_lanes (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), FALSE);
  return self->run != NULL && ov_lanes_has_log (self->run);
}

char *
ov_run_detail_dup_why_not (OvRunDetail *self)
{
  g_return_val_if_fail (OV_IS_RUN_DETAIL (self), NULL);
  if (self->run == NULL)
    return g_strdup (_ ("Requests of a run are shown here once it has ended. To have each of them "
                        "recorded, choose “every request” in the run settings."));
  return ov_lanes_why_not (self->run);
}
