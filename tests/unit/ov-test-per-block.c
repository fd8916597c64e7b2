// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What one block costs, and by how much that differs: from runs whose figures are known.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/ov-experiment-private.h"
#include "model/ov-per-block.h"
#include "ov-test-model.h"

#define BLOCK 512

static OvResult *
new_result (void)
{
  g_autoptr (JsonNode) node
      = test_node ("{\"overlap-experiment\":1,\"id\":\"b\",\"title\":\"T\",\"job\":\"blocks\","
                   "\"strategies\":[\"a.first\",\"b.second\",\"c.cached\"],\"presets\":[{"
                   "\"id\":\"p\",\"positions\":\"random\",\"axes\":[{\"parameter\":\"block\","
                   "\"values\":[512]}]}]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (((OvPreset *)experiment->presets->pdata[0])->order, ==, OV_ORDER_RANDOM);
  return ov_result_new (experiment);
}

/* A run of `blocks` blocks, each of which took so many nanoseconds. */
static OvRun *
add_run (OvResult *result, const char *variant, OvCondition condition, guint repetition,
         gint64 blocks, gint64 elapsed_ns, gint64 cpu_ns)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  spec->index = result->runs->len;
  spec->job = OV_JOB_BLOCKS;
  spec->strategy = g_strdup (variant);
  g_free (spec->variant);
  spec->variant = g_strdup (variant);
  spec->target = g_strdup ("/tmp");
  spec->size = 100 * BLOCK;
  spec->x = spec->block = BLOCK;
  spec->requests = 1000;
  spec->condition = condition;
  spec->repetition = repetition;
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->elapsed_ns = elapsed_ns * blocks;
  run->cpu_ns = cpu_ns * blocks;
  run->prepare_ns = 2000000;
  run->bytes = blocks * BLOCK;
  g_ptr_array_add (result->runs, run);
  return run;
}

/* Eight repetitions, each by a factor of its own slower than the one before: pairs take that out.
 * The second line read half as many blocks, as if its time were over. */
static OvResult *
make_result (void)
{
  OvResult *result = new_result ();

  for (guint i = 0; i < 8; i++)
    {
      gint64 scale = 10 + 7 * i;

      add_run (result, "a.first", OV_CONDITION_BYPASSED, i, 1000, 1000 * scale, 100 * scale);
      add_run (result, "b.second", OV_CONDITION_BYPASSED, i, 500, 900 * scale, 70 * scale);
      add_run (result, "c.cached", OV_CONDITION_WARM, i, 1000, 50, 40);
    }
  add_run (result, "b.second", OV_CONDITION_BYPASSED, 8, 1000, 1, 1)->state = OV_STATE_FAILED;
  return result;
}

static void
test_change (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  const OvCell *first = cells->pdata[0], *second = cells->pdata[1], *cached = cells->pdata[2];
  OvPerBlock line;

  g_assert_cmpuint (cells->len, ==, 3);
  g_assert_true (ov_per_block_base (cells, second) == first);
  g_assert_true (ov_per_block_base (cells, first) == first);
  /* Another condition is other work: it is compared with nobody but its own. */
  g_assert_true (ov_per_block_base (cells, cached) == cached);

  g_assert_true (ov_per_block_make (second, first, &line));
  g_assert_cmpuint (line.blocks, ==, 500);
  g_assert_cmpuint (line.asked, ==, 1000);
  g_assert_false (line.exact);
  g_assert_false (line.is_base);
  g_assert_cmpuint (line.seconds_change.n, ==, 8);
  g_assert_true (line.seconds_change.is_interval);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.percent, -10, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.lo, -10, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.hi, -10, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.cpu_change.percent, -30, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.seconds, 900e-9 * 34.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (line.cpu, 70e-9 * 34.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (line.prepare, 0.002, 1e-12);

  g_assert_true (ov_per_block_make (first, first, &line));
  g_assert_true (line.is_base);
  g_assert_true (line.exact);
  g_assert_cmpuint (line.seconds_change.n, ==, 0);
}

/* Few pairs give a range; of a line without figures there is nothing. */
static void
test_few (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (GPtrArray) cells = NULL;
  OvPerBlock line;

  add_run (result, "a.first", OV_CONDITION_COLD, 0, 10, 100, 100);
  add_run (result, "a.first", OV_CONDITION_COLD, 1, 10, 100, 100);
  add_run (result, "b.second", OV_CONDITION_COLD, 0, 10, 110, 100);
  add_run (result, "b.second", OV_CONDITION_COLD, 1, 10, 130, 0);
  add_run (result, "c.cached", OV_CONDITION_COLD, 0, 0, 0, 0);
  cells = ov_result_cells (result);
  g_assert_true (ov_per_block_make (cells->pdata[1], cells->pdata[0], &line));
  g_assert_cmpuint (line.seconds_change.n, ==, 2);
  g_assert_false (line.seconds_change.is_interval);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.percent, 20, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.lo, 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (line.seconds_change.hi, 30, 1e-9);
  g_assert_cmpuint (line.cpu_change.n, ==, 1); /* no ratio with nothing */
  g_assert_false (ov_per_block_make (cells->pdata[2], cells->pdata[0], &line));

  ((OvRun *)result->runs->pdata[0])->spec->job = OV_JOB_COUNT;
  g_assert_cmpint (ov_run_blocks (result->runs->pdata[0]), ==, -1);
  g_assert_true (isnan (ov_run_block_seconds (result->runs->pdata[0])));
}

/* Every row has the figures of its run, and those of its line. */
static void
test_csv (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autofree char *csv = ov_result_to_csv (result);
  g_auto (GStrv) rows = g_strsplit (csv, "\n", -1);
  g_auto (GStrv) first = g_strsplit (rows[1], ",", -1);
  g_auto (GStrv) second = g_strsplit (rows[2], ",", -1);
  g_auto (GStrv) heading = g_strsplit (rows[0], ",", -1);
  guint at = 0;

  while (heading[at] != NULL && !g_str_equal (heading[at], "block_s"))
    at++;
  g_assert_cmpuint (g_strv_length (heading), >=, at + 9);
  g_assert_cmpuint (g_strv_length (second), ==, g_strv_length (heading));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (first[at], NULL), 10e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (second[at], NULL), 9e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (second[at + 1], NULL), 0.7e-6, 1e-15);
  g_assert_cmpstr (first[at + 2], ==, "a.first");
  g_assert_cmpstr (first[at + 3], ==, "");
  g_assert_cmpstr (second[at + 2], ==, "a.first");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (second[at + 3], NULL), -10, 1e-9);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (second[at + 6], NULL), -30, 1e-9);
  g_assert_null (strstr (csv, "nan"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/per-block/change", test_change);
  g_test_add_func ("/per-block/few", test_few);
  g_test_add_func ("/per-block/csv", test_csv);
  return g_test_run ();
}
