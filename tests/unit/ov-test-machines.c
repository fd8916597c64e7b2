// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two machines' results as one.
 */
#include "config.h"

#include "model/ov-experiment-private.h"
#include "ov-test-model.h"
#include "report/ov-machines.h"

static OvResult *
new_result (const char *host)
{
  g_autoptr (JsonNode) node
      = test_node ("{\"overlap-experiment\":1,\"id\":\"m\",\"title\":\"T\",\"job\":\"ticks\","
                   "\"strategies\":[\"a.first\"],\"presets\":[{\"id\":\"p\",\"axes\":[{"
                   "\"parameter\":\"rate\",\"values\":[64]}]}]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, NULL, &error);
  OvTargetInfo *target = ov_target_info_new ();
  OvResult *result;

  g_assert_no_error (error);
  result = ov_result_new (experiment);
  result->x = OV_AXIS_RATE;
  if (host != NULL)
    {
      ov_machine_free (result->machine);
      result->machine = ov_machine_new ();
      result->machine->host = g_strdup (host);
    }
  target->path = g_strdup (OV_MACHINE_TARGET);
  target->kind = OV_TARGET_MACHINE;
  g_ptr_array_add (result->targets, target);
  return result;
}

static void
add_run (OvResult *result, gint64 delivered)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  spec->index = result->runs->len;
  spec->job = OV_JOB_TICKS;
  spec->strategy = g_strdup ("a.first");
  g_free (spec->variant);
  spec->variant = g_strdup ("a.first");
  spec->target = g_strdup (OV_MACHINE_TARGET);
  spec->x = spec->rate = 64;
  spec->requests = 100;
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->elapsed_ns = 1000;
  run->completed = delivered;
  run->missed = 100 - delivered;
  g_ptr_array_add (result->runs, run);
}

static const char *
variant (const OvResult *result, guint run)
{
  return ((const OvRun *)result->runs->pdata[run])->spec->variant;
}

static void
test_join (void)
{
  g_autoptr (OvResult) a = new_result ("alder");
  g_autoptr (OvResult) b = new_result ("birch");
  g_autoptr (OvResult) joined = NULL;
  g_autoptr (GPtrArray) cells = NULL;

  add_run (a, 100);
  add_run (a, 99);
  add_run (b, 98);
  a->date = 12;
  b->date = 34;
  joined = ov_machines_join (a, b);
  g_assert_nonnull (joined);
  g_assert_cmpuint (joined->runs->len, ==, 3);
  g_assert_cmpstr (variant (joined, 0), ==, "a.first, alder");
  g_assert_cmpstr (variant (joined, 1), ==, "a.first, alder");
  g_assert_cmpstr (variant (joined, 2), ==, "a.first, birch");
  for (guint i = 0; i < joined->runs->len; i++)
    g_assert_cmpuint (((const OvRun *)joined->runs->pdata[i])->spec->index, ==, i);
  g_assert_cmpint (((const OvRun *)joined->runs->pdata[2])->completed, ==, 98);
  g_assert_cmpint (((const OvRun *)joined->runs->pdata[2])->missed, ==, 2);
  g_assert_cmpint (joined->date, ==, 12);
  g_assert_cmpint (joined->x, ==, OV_AXIS_RATE);
  g_assert_false (joined->partial);
  g_assert_cmpuint (joined->targets->len, ==, 2);
  /* Each machine's runs stay its own. */
  cells = ov_result_cells (joined);
  g_assert_cmpuint (cells->len, ==, 2);
  g_assert_cmpuint (((const OvCell *)cells->pdata[0])->runs->len, ==, 2);
  g_assert_cmpuint (((const OvCell *)cells->pdata[1])->runs->len, ==, 1);
  /* And what was joined is as it was. */
  g_assert_cmpstr (variant (a, 0), ==, "a.first");
  g_assert_cmpstr (variant (b, 0), ==, "a.first");
  g_assert_cmpuint (((const OvRun *)b->runs->pdata[0])->spec->index, ==, 0);
  g_assert_cmpuint (a->targets->len, ==, 1);
}

static void
test_names (void)
{
  static const struct
  {
    const char *a, *b, *first, *second;
  } table[] = {
    { "alder", "alder", "a.first, alder (A)", "a.first, alder (B)" },
    { "alder", NULL, "a.first, alder", "a.first, B" },
    { NULL, "birch", "a.first, A", "a.first, birch" },
    { NULL, NULL, "a.first, A", "a.first, B" },
    /* One that is called as the other would be without a name. */
    { "B", NULL, "a.first, B", "a.first, B (B)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (OvResult) a = new_result (table[i].a);
      g_autoptr (OvResult) b = new_result (table[i].b);
      g_autoptr (OvResult) joined = NULL;

      g_test_message ("%u", i);
      add_run (a, 1);
      add_run (b, 2);
      joined = ov_machines_join (a, b);
      g_assert_cmpstr (variant (joined, 0), ==, table[i].first);
      g_assert_cmpstr (variant (joined, 1), ==, table[i].second);
    }
}

static void
test_partial (void)
{
  g_autoptr (OvResult) a = new_result ("alder");
  g_autoptr (OvResult) b = new_result ("birch");
  g_autoptr (OvResult) one = NULL;
  g_autoptr (OvResult) other = NULL;
  g_autoptr (OvResult) empty = NULL;

  b->partial = TRUE;
  empty = ov_machines_join (a, b);
  g_assert_cmpuint (empty->runs->len, ==, 0);
  g_assert_true (empty->partial);
  add_run (b, 5);
  one = ov_machines_join (a, b);
  other = ov_machines_join (b, a);
  g_assert_true (one->partial);
  g_assert_true (other->partial);
  g_assert_cmpuint (one->runs->len, ==, 1);
  g_assert_cmpstr (variant (one, 0), ==, "a.first, birch");
  g_assert_cmpstr (variant (other, 0), ==, "a.first, birch");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/join", test_join);
  g_test_add_func ("/machines/names", test_names);
  g_test_add_func ("/machines/partial", test_partial);
  return g_test_run ();
}
