// SPDX-License-Identifier: GPL-3.0-or-later
/* What is shown of strategies that the worker for hardware does not know. (That it is asked, and
 * when, is tested with pkexec in tests/virtual and tests/gui.) */
#include <string.h>

#include "engine/ov-elevation.h"

static OvStrategyInfo *
add (GPtrArray *strategies, const char *id, gboolean available)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup (id);
  info->title = g_strdup (id);
  info->summary = g_strdup ("A strategy.");
  info->family = g_strdup ("mine");
  info->module = g_strdup ("/home/me/mine.so");
  info->jobs = OV_JOB_PORT;
  info->available = available;
  if (!available)
    {
      info->denied = TRUE;
      info->cause = g_strdup ("Not for you.");
    }
  g_ptr_array_add (strategies, info);
  return info;
}

static void
test_others (void)
{
  g_autoptr (GPtrArray) privileged
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  g_autoptr (GPtrArray) own
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  const OvStrategyInfo *mine, *added;

  add (privileged, "port.direct", TRUE);
  add (own, "port.direct", FALSE);
  mine = add (own, "mine.copy", TRUE);
  ov_elevation_add_others (privileged, own);
  g_assert_cmpuint (privileged->len, ==, 2);
  g_assert_true (((OvStrategyInfo *)privileged->pdata[0])->available);
  added = privileged->pdata[1];
  g_assert_cmpstr (added->id, ==, "mine.copy");
  g_assert_cmpstr (added->module, ==, mine->module);
  g_assert_false (added->available);
  g_assert_false (added->denied); /* more privilege would not help */
  g_assert_nonnull (strstr (added->cause, "privilege"));
  g_assert_true (mine->available);
  g_assert_null (mine->cause);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elevation/others", test_others);
  return g_test_run ();
}
