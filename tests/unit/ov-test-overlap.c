/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs that the overlap needs, and what is computed of them.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/ov-overlap.h"
#include "ov-test-model.h"

static OvStrategyInfo *
make_strategy (const char *id, guint caps)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup (id);
  info->title = g_strdup (id);
  info->summary = g_strdup ("");
  info->family = g_strdup ("a");
  info->module = g_strdup ("/a.so");
  info->jobs = OV_JOB_COUNT;
  info->caps = caps;
  info->available = TRUE;
  return info;
}

static GPtrArray *
make_strategies (void)
{
  GPtrArray *strategies = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);

  g_ptr_array_add (strategies, make_strategy ("a.blocking", OV_CAP_BLOCK));
  g_ptr_array_add (strategies,
                   make_strategy ("a.async", OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_ASYNC));
  g_ptr_array_add (strategies,
                   make_strategy ("a.other", OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_ASYNC));
  g_ptr_array_add (strategies, make_strategy ("null.memory", OV_CAP_BLOCK | OV_CAP_CONTROL));
  return strategies;
}

static OvExperiment *
make_experiment (const char *work)
{
  g_autofree char *text = g_strdup_printf (
      "{\"overlap-experiment\":1,\"id\":\"t\",\"title\":\"T\",\"work\":\"%s\",\"strategies\":["
      "\"a.blocking\",\"a.async\",\"a.other\"],\"presets\":[{\"id\":\"p\",\"overlap\":true,"
      "\"repetitions\":2,\"axes\":[{\"parameter\":\"size\",\"values\":[\"1M\",\"2M\"]}]}]}",
      work);
  g_autoptr (JsonNode) node = test_node (text);
  GError *error = NULL;
  OvExperiment *experiment = ov_experiment_from_json (node, NULL, &error);

  g_assert_no_error (error);
  return experiment;
}

static OvPlan *
make_plan (const char *work)
{
  const char *const targets[] = { "/t", NULL };
  g_autoptr (OvExperiment) experiment = make_experiment (work);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  OvPlanChoice choice;
  GError *error = NULL;
  OvPlan *plan;

  ov_plan_choice_init (&choice);
  choice.targets = targets;
  plan = ov_plan_new (experiment, &choice, strategies, &error);
  g_assert_no_error (error);
  return plan;
}

static void
test_plan (void)
{
  g_autoptr (OvPlan) plan = make_plan ("plain");
  g_autoptr (OvPlan) none = make_plan ("none");

  /* Of each repetition: three lines, two of them again without work, and one computing alone. */
  g_assert_cmpuint (plan->specs->len, ==, 2 * 2 * 6);
  for (guint r = 0; r < 4; r++)
    {
      guint n[3] = { 0 };

      for (guint i = 0; i < 6; i++)
        {
          const OvRunSpec *spec = plan->specs->pdata[6 * r + i];

          g_assert_cmpuint (spec->index, ==, 6 * r + i);
          g_assert_cmpuint (spec->repetition, ==, r % 2);
          g_assert_cmpfloat (spec->x, ==, r < 2 ? 1 << 20 : 2 << 20);
          n[spec->part]++;
          if (spec->part == OV_PART_IO)
            {
              g_assert_cmpuint (spec->work, ==, OV_WORK_NONE);
              g_assert_true (g_str_has_suffix (spec->variant, ", I/O alone"));
            }
          else
            g_assert_cmpuint (spec->work, ==, OV_WORK_PLAIN);
          g_assert_cmpint (spec->part == OV_PART_COMPUTE, ==,
                           g_str_equal (spec->strategy, "null.memory"));
        }
      g_assert_cmpuint (n[OV_PART_WHOLE], ==, 3);
      g_assert_cmpuint (n[OV_PART_IO], ==, 2);
      g_assert_cmpuint (n[OV_PART_COMPUTE], ==, 1);
    }
  g_assert_cmpuint (none->specs->len, ==, 2 * 2 * 3);
}

/* The part survives the file. */
static void
test_json (void)
{
  g_autoptr (OvPlan) plan = make_plan ("plain");

  for (guint i = 0; i < 6; i++)
    {
      const OvRunSpec *spec = plan->specs->pdata[i];
      g_autoptr (JsonNode) node = ov_run_spec_to_json (spec);
      g_autoptr (OvRunSpec) again = ov_run_spec_from_json (node, NULL);

      g_assert_cmpuint (again->part, ==, spec->part);
    }
}

/* A result of the line "a.async" at 1M, `n` repetitions: seconds of the whole, of I/O (times 1 plus
 * or minus `scatter`), of computing, and CPU seconds of the I/O. */
static OvResult *
make_result (guint n, double whole, double io, double scatter, double cpu, double io_cpu)
{
  g_autoptr (OvExperiment) experiment = make_experiment ("plain");
  g_autoptr (OvPlan) plan = make_plan ("plain");
  OvResult *result = ov_result_new (experiment);

  for (guint r = 0; r < n; r++)
    for (guint i = 0; i < 6; i++)
      {
        OvRunSpec *spec = ov_run_spec_copy (plan->specs->pdata[i]);
        OvRun *run = ov_run_new (spec);
        double s = spec->part == OV_PART_IO        ? io * (1 + scatter * (r % 2 == 0 ? 1 : -1))
                   : spec->part == OV_PART_COMPUTE ? cpu
                                                   : whole;

        spec->repetition = r;
        run->state = OV_STATE_DONE;
        run->elapsed_ns = (gint64)(s * 1e9);
        run->cpu_ns = spec->part == OV_PART_IO ? (gint64)(io_cpu * 1e9) : run->elapsed_ns;
        run->bytes = 1 << 20;
        g_ptr_array_add (result->runs, run);
      }
  return result;
}

static gboolean
compute (OvResult *result, const char *variant, OvOverlap *out)
{
  g_autoptr (GPtrArray) cells = ov_result_cells (result);

  for (guint i = 0; i < cells->len; i++)
    if (g_str_equal (((OvCell *)cells->pdata[i])->variant, variant))
      return ov_overlap_compute (cells, cells->pdata[i], out);
  g_assert_not_reached ();
}

static void
test_known (void)
{
  g_autoptr (OvResult) full = make_result (8, 1.05, 1, 0, 1, 0.02);
  g_autoptr (OvResult) half = make_result (8, 2.5, 1, 0, 2, 0.1);
  OvOverlap o;

  /* (1 + 1 - 1.05) / 1; the bound is computing and the calls of the I/O. */
  g_assert_true (compute (full, "a.async", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_KNOWN);
  g_assert_cmpuint (o.n, ==, 8);
  g_assert_cmpfloat_with_epsilon (o.overlap, 0.95, 1e-9);
  g_assert_cmpfloat_with_epsilon (o.lo, 0.95, 1e-9);
  g_assert_cmpfloat_with_epsilon (o.bound_s, 1.02, 1e-9);
  g_assert_cmpfloat_with_epsilon (o.above, 1.05 / 1.02, 1e-9);
  g_assert_true (compute (half, "a.async", &o));
  g_assert_cmpfloat_with_epsilon (o.overlap, 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (o.bound_s, 2.1, 1e-9);
  /* A blocking one has nothing to overlap, and a part is no line. */
  g_assert_false (compute (full, "a.blocking", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_NONE);
  g_assert_false (compute (full, "a.async, I/O alone", &o));
}

static void
test_withheld (void)
{
  g_autoptr (OvResult) few = make_result (5, 1, 1, 0, 1, 0);
  g_autoptr (OvResult) wild = make_result (8, 1, 1, 0.2, 1, 0);
  g_autoptr (OvResult) calm = make_result (8, 1, 1, 0.05, 1, 0);
  g_autoptr (OvResult) busy = make_result (8, 1, 1, 0, 3, 0);
  OvOverlap o;

  for (guint i = 0; i < busy->runs->len; i++)
    ((OvRun *)busy->runs->pdata[i])->cpu_ns
        /= 3; /* computing takes one second, and waits for two */
  g_assert_true (compute (busy, "a.async", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_BUSY);
  g_assert_cmpfloat_with_epsilon (o.share, 1 / 3.0, 1e-9);
  g_assert_true (isnan (o.overlap));

  g_assert_true (compute (few, "a.async", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_FEW);
  g_assert_true (isnan (o.overlap));
  g_assert_true (compute (wild, "a.async", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_SCATTER);
  g_assert_cmpfloat_with_epsilon (o.scatter, 0.4, 1e-9);
  g_assert_true (isnan (o.overlap));
  g_assert_true (compute (calm, "a.async", &o));
  g_assert_cmpint (o.kind, ==, OV_OVERLAP_KNOWN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/overlap/plan", test_plan);
  g_test_add_func ("/overlap/json", test_json);
  g_test_add_func ("/overlap/known", test_known);
  g_test_add_func ("/overlap/withheld", test_withheld);
  return g_test_run ();
}
