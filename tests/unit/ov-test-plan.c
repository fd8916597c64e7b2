/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans: the order of the runs, where each parameter comes from, what is left out and why, and the
 * user's mistakes.
 */
#include "config.h"

#include <math.h>

#include "model/ov-machine.h"
#include "model/ov-plan.h"
#include "ov-test-model.h"

#define SIZE_AXIS(values) "{\"parameter\":\"size\",\"values\":[" values "]}"

static const char *const one_folder[] = { "/tmp", NULL };

static OvExperiment *
make_experiment (const char *members)
{
  g_autofree char *text
      = g_strconcat ("{\"overlap-experiment\":1,\"title\":\"T\",", members, "}", NULL);
  g_autoptr (JsonNode) node = test_node (text);
  g_autoptr (GError) error = NULL;
  OvExperiment *experiment = ov_experiment_from_json (node, "test", &error);

  g_assert_no_error (error);
  return experiment;
}

/* By character; blocks; blocks and depth, direct; not available; another job. */
static GPtrArray *
make_strategies (void)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  OvStrategyInfo *info = test_info ("char.getc", OV_JOB_COUNT, OV_CAP_BY_CHARACTER);
  OvOptionInfo *option;

  g_ptr_array_add (all, info);
  info = test_info ("block.read", OV_JOB_COUNT | OV_JOB_BLOCKS,
                    OV_CAP_BLOCK | OV_CAP_DIRECT | OV_CAP_POSITIONS);
  test_option (info, OV_OPTION_SIZE, "chunk", 512, 1024 * 1024);
  g_ptr_array_add (all, info);
  info = test_info ("ring.wait", OV_JOB_COUNT | OV_JOB_BLOCKS,
                    OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT);
  test_option (info, OV_OPTION_BOOL, "fixed", 0, 1);
  option = test_option (info, OV_OPTION_CHOICE, "mode", 0, 1);
  option->choices = g_strsplit ("plain,polled", ",", -1);
  g_ptr_array_add (all, info);
  info = test_info ("gone.wait", OV_JOB_COUNT, OV_CAP_BLOCK);
  info->available = FALSE;
  info->cause = g_strdup ("it is switched off here");
  g_ptr_array_add (all, info);
  g_ptr_array_add (all, test_info ("port.poke", OV_JOB_PORT, 0));
  g_ptr_array_add (all, test_info ("null.read", OV_JOB_COUNT, OV_CAP_BLOCK));
  return all;
}

/* The plan as a text: "label x repetition block depth;" for each run. */
static char *
plan_text (const OvPlan *plan)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < plan->specs->len; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);

      g_assert_cmpuint (spec->index, ==, i);
      g_string_append_printf (text, "%s %.0f %u %" G_GUINT64_FORMAT " %u;", spec->variant, spec->x,
                              spec->repetition, spec->block, spec->depth);
    }
  return g_string_free (text, FALSE);
}

static OvPlan *
make_plan (OvExperiment *experiment, const OvPlanChoice *choice)
{
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (GError) error = NULL;
  OvPlan *plan = ov_plan_new (experiment, choice, strategies, &error);

  g_assert_no_error (error);
  g_assert_nonnull (plan);
  return plan;
}

static void
assert_plan (const char *members, const OvPlanChoice *choice, const char *text)
{
  g_autoptr (OvExperiment) experiment = make_experiment (members);
  g_autoptr (OvPlan) plan = make_plan (experiment, choice);
  g_autofree char *got = plan_text (plan);

  g_assert_cmpstr (got, ==, text);
}

static void
assert_fails (const char *members, const OvPlanChoice *choice, int code, const char *part)
{
  g_autoptr (OvExperiment) experiment = make_experiment (members);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (GError) error = NULL;

  g_assert_null (ov_plan_new (experiment, choice, strategies, &error));
  test_error (error, code, part);
}

static OvPlanChoice
folder_choice (void)
{
  OvPlanChoice choice;

  ov_plan_choice_init (&choice);
  choice.targets = one_folder;
  return choice;
}

#define THREE                                                                                      \
  "\"strategies\":[\"char.getc\",\"block.read\",{\"strategy\":\"ring.wait\",\"block\":\"1M\","     \
  "\"depth\":8}],\"block\":\"4K\",\"depth\":3,"
#define TWO_SIZES "\"presets\":[{\"id\":\"p\",\"axes\":[" SIZE_AXIS ("100,200") "]}],"

static void
test_alternation (void)
{
  OvPlanChoice choice = folder_choice ();

  assert_plan (THREE TWO_SIZES "\"repetitions\":3", &choice,
               "char.getc 100 0 0 1;block.read 100 0 4096 1;ring.wait 100 0 1048576 8;"
               "ring.wait 100 1 1048576 8;block.read 100 1 4096 1;char.getc 100 1 0 1;"
               "char.getc 100 2 0 1;block.read 100 2 4096 1;ring.wait 100 2 1048576 8;"
               "char.getc 200 0 0 1;block.read 200 0 4096 1;ring.wait 200 0 1048576 8;"
               "ring.wait 200 1 1048576 8;block.read 200 1 4096 1;char.getc 200 1 0 1;"
               "char.getc 200 2 0 1;block.read 200 2 4096 1;ring.wait 200 2 1048576 8;");
}

static void
test_second_axis (void)
{
  OvPlanChoice choice = folder_choice ();

  choice.repetitions = 2;
  assert_plan (THREE "\"presets\":[{\"id\":\"p\",\"axes\":[" SIZE_AXIS (
                   "100") ",{\"parameter\":\"block\",\"values\":[512,\"64K\"]}]}]",
               &choice,
               "char.getc 100 0 0 1;block.read, 512 100 0 512 1;block.read, 64K 100 0 65536 1;"
               "ring.wait, 512 100 0 512 8;ring.wait, 64K 100 0 65536 8;"
               "ring.wait, 64K 100 1 65536 8;ring.wait, 512 100 1 512 8;"
               "block.read, 64K 100 1 65536 1;block.read, 512 100 1 512 1;char.getc 100 1 0 1;");
  choice.repetitions = 1;
  assert_plan (THREE "\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"block\",\"values\":"
                     "[512]},{\"parameter\":\"depth\",\"values\":[1,16]}]}]",
               &choice,
               "char.getc 512 0 0 1;block.read 512 0 512 1;ring.wait, depth 1 512 0 512 1;"
               "ring.wait, depth 16 512 0 512 16;");
}

/* The user before the axis before the preset before the variant before the experiment. */
static void
test_parameters (void)
{
  OvPlanChoice choice = folder_choice ();
  const char *strategies[] = { "ring.wait", NULL };

#define ONE_X(rest)                                                                                \
  "\"repetitions\":1,\"presets\":[{\"id\":\"p\",\"axes\":[" SIZE_AXIS ("9") "]" rest "}]"
  choice.strategies = strategies;
  assert_plan (THREE ONE_X (""), &choice, "ring.wait 9 0 1048576 8;");
  assert_plan (THREE ONE_X (",\"block\":\"2M\",\"depth\":4"), &choice, "ring.wait 9 0 2097152 4;");
  assert_plan ("\"strategies\":[\"ring.wait\"],\"block\":7,\"depth\":5," ONE_X (""), &choice,
               "ring.wait 9 0 7 5;");
  choice.block = 1 << 30;
  choice.depth = 256;
  assert_plan (THREE ONE_X (",\"block\":\"2M\",\"depth\":4"), &choice,
               "ring.wait 9 0 1073741824 256;");
  assert_plan ("\"strategies\":[\"ring.wait\"],\"repetitions\":1,\"presets\":[{\"id\":\"p\","
               "\"axes\":[{\"parameter\":\"block\",\"values\":[1,2]}]}]",
               &choice, "ring.wait 1073741824 0 1073741824 256;");
}

static void
test_spec (void)
{
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"block.read\",{\"strategy\":\"ring.wait\",\"label\":\"direct\","
      "\"condition\":\"bypassed\",\"work\":\"none\",\"options\":{\"fixed\":true,\"mode\":\"polled\""
      "}}],\"letter\":\"q\",\"seed\":5,\"timing\":\"counters\",\"time-limit\":2," ONE_X (""));
  g_autoptr (OvPlan) plan = NULL;
  const OvRunSpec *spec;

  choice.condition = OV_CONDITION_WARM;
  choice.work = OV_WORK_SHA256;
  choice.timing = OV_TIMING_TIMELINE;
  choice.no_discard = TRUE;
  plan = make_plan (experiment, &choice);
  spec = g_ptr_array_index (plan->specs, 0);
  g_assert_cmpint (spec->condition, ==, OV_CONDITION_WARM);
  g_assert_cmpuint (spec->work, ==, OV_WORK_SHA256);
  g_assert_cmpuint (spec->timing, ==, OV_TIMING_TIMELINE);
  g_assert_cmpuint (spec->log_capacity, >=, 64);
  g_assert_false (spec->discard);
  g_assert_cmpint (spec->letter, ==, 'q');
  g_assert_cmpuint (spec->seed, ==, 5);
  g_assert_cmpint (spec->time_limit_ns, ==, 2000000000);
  g_assert_cmpuint (spec->size, ==, 9);
  g_assert_cmpstr (spec->file, ==, "size-9");
  g_assert_cmpstr (spec->target, ==, "/tmp");
  g_assert_null (spec->options);
  spec = g_ptr_array_index (plan->specs, 1);
  g_assert_cmpstr (spec->variant, ==, "direct");
  g_assert_cmpint (spec->condition, ==, OV_CONDITION_BYPASSED); /* what it names is what it is */
  g_assert_cmpuint (spec->work, ==, OV_WORK_NONE);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (spec->options, "fixed"), ==, 1);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (spec->options, "mode"), ==, 1);
}

static void
test_files (void)
{
  static const char *const targets[] = { "/tmp", "/var/tmp", "/home/u/book", NULL };
  static const guint64 target_sizes[] = { 0, 0, 5000 };
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"block.read\",\"char.getc\"],\"repetitions\":2," TWO_SIZES
      "\"others\":false");
  g_autoptr (OvPlan) plan = NULL;
  const OvRunSpec *spec;

  choice.targets = targets;
  choice.target_sizes = target_sizes;
  plan = make_plan (experiment, &choice);
  g_assert_cmpuint (plan->files->len, ==, 4);
  g_assert_cmpstr (((OvPlanFile *)plan->files->pdata[1])->name, ==, "size-200");
  g_assert_cmpstr (((OvPlanFile *)plan->files->pdata[2])->target, ==, "/var/tmp");
  g_assert_cmpuint (ov_plan_layout_bytes (plan, "/tmp"), ==, 300);
  g_assert_cmpuint (ov_plan_layout_bytes (plan, "/home/u/book"), ==, 0);
  /* 2 folders × 300 bytes × 2 strategies × 2 repetitions and the file's 5000, each twice */
  g_assert_cmpuint (ov_plan_read_bytes (plan), ==, 2 * (2 * 300 * 2 * 2 + 5000 * 2 * 2));
  g_assert_cmpuint (plan->specs->len, ==, 2 * 2 * 2 * 2 + 4);
  spec = g_ptr_array_index (plan->specs, plan->specs->len - 1);
  g_assert_cmpstr (spec->target, ==, "/home/u/book");
  g_assert_null (spec->file);
  g_assert_cmpuint (spec->size, ==, 5000);
  g_assert_cmpfloat (spec->x, ==, 5000);
}

static void
test_file_sizes (void)
{
  static const char *const targets[] = { "/home/u/book", NULL };
  static const guint64 target_sizes[] = { 5000 };
  static const guint64 empty[] = { 0 };
  static const gboolean is_file[] = { TRUE };
  static const guint64 sizes[] = { 1000, 5000, 1000 };
  static const guint64 too_large[] = { 1000, 5001 };
  OvPlanChoice choice = folder_choice ();
  const char *strategies[] = { "char.getc", NULL };

  choice.strategies = strategies;
  choice.targets = targets;
  choice.target_sizes = target_sizes;
  choice.sizes = sizes;
  choice.n_sizes = 3;
  assert_plan (THREE TWO_SIZES "\"repetitions\":1", &choice,
               "char.getc 1000 0 0 1;char.getc 5000 0 0 1;");
  choice.sizes = too_large;
  choice.n_sizes = 2;
  assert_fails (THREE TWO_SIZES "\"repetitions\":1", &choice, OV_ERROR_INVALID,
                "/home/u/book: the size 5001 is more than the file's 5000");
  choice.n_sizes = 0;
  choice.target_sizes = empty;
  choice.target_is_file = is_file;
  {
    g_autoptr (OvExperiment) e = make_experiment (THREE TWO_SIZES "\"repetitions\":1");
    g_autoptr (OvPlan) plan = make_plan (e, &choice);

    g_assert_cmpuint (plan->specs->len, ==, 1);
    g_assert_cmpuint (plan->files->len, ==, 0);
    g_assert_cmpuint (((OvRunSpec *)plan->specs->pdata[0])->size, ==, 0);
  }
  choice.target_sizes = target_sizes;
  assert_plan (THREE "\"repetitions\":1,\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":"
                     "\"depth\",\"values\":[4]}," SIZE_AXIS ("1,2") "]}]",
               &choice, "char.getc 4 0 0 1;");
  assert_fails ("\"strategies\":[\"char.getc\"],\"job\":\"write\"," TWO_SIZES "\"repetitions\":1",
                &choice, OV_ERROR_INVALID, "files of yours are never written to");
}

/* An axis of positions: of each line those that its strategy can do. */
static void
test_positions (void)
{
  const char *members
      = "\"strategies\":[\"block.read\",\"ring.wait\"],\"job\":\"blocks\","
        "\"work\":\"none\",\"stride\":\"256K\",\"repetitions\":1,\"presets\":[{\"id\":\"p\","
        "\"axes\":[{\"parameter\":\"positions\",\"values\":[\"sequential\","
        "\"random\",\"strided\"]}]}]";
  g_autoptr (OvExperiment) experiment = make_experiment (members);
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvPlan) plan = make_plan (experiment, &choice);
  const OvRunSpec *spec = g_ptr_array_index (plan->specs, plan->specs->len - 1);

  g_assert_cmpint (plan->x, ==, OV_AXIS_POSITIONS);
  g_assert_cmpuint (plan->specs->len, ==, 5);
  g_assert_cmpstr (spec->strategy, ==, "block.read");
  g_assert_cmpuint (spec->order, ==, OV_ORDER_STRIDED);
  g_assert_cmpuint (spec->stride, ==, 256 << 10);
  g_assert_cmpfloat (spec->x, ==, OV_ORDER_STRIDED);
  choice.order = OV_ORDER_STRIDED;
  choice.stride = 1 << 20;
  g_clear_pointer (&plan, ov_plan_free);
  plan = make_plan (experiment, &choice);
  g_assert_cmpuint (plan->specs->len, ==, 1);
  g_assert_cmpuint (plan->skips->len, ==, 1);
  g_assert_cmpuint (((OvRunSpec *)plan->specs->pdata[0])->stride, ==, 1 << 20);
  choice.stride = 4096;
  assert_fails (members, &choice, OV_ERROR_INVALID, "is not larger than a block");
  choice.stride = 1 << 30;
  assert_fails (members, &choice, OV_ERROR_INVALID, "does not fit into a file");
  choice.stride = 0;
  assert_fails ("\"strategies\":[\"char.getc\"]," TWO_SIZES "\"repetitions\":1", &choice,
                OV_ERROR_UNSUPPORTED, "cannot read a file in the order “strided”");
  assert_fails ("\"strategies\":[\"char.getc\"],\"job\":\"write\"," TWO_SIZES "\"repetitions\":1",
                &choice, OV_ERROR_INVALID, "has no positions");
}

/* How a register is reached: the experiment's way, unless the preset has its own. */
static void
test_access (void)
{
  OvPlanChoice choice = { 0 };
  const char *const machine[] = { OV_MACHINE_TARGET, NULL };
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"port.poke\"],\"job\":\"port\",\"width\":2,\"repetitions\":1,"
      "\"presets\":[{\"id\":\"read\",\"axes\":[{\"parameter\":\"requests\",\"values\":[5]}]},"
      "{\"id\":\"write\",\"access\":\"write\",\"width\":1,"
      "\"axes\":[{\"parameter\":\"requests\",\"values\":[5]}]}]");
  g_autoptr (OvPlan) plan = NULL;
  const OvRunSpec *spec;

  ov_plan_choice_init (&choice);
  choice.targets = machine;
  plan = make_plan (experiment, &choice);
  spec = g_ptr_array_index (plan->specs, 0);
  g_assert_cmpuint (spec->access, ==, OV_ACCESS_READ);
  g_assert_cmpuint (spec->width, ==, 2);
  g_clear_pointer (&plan, ov_plan_free);
  choice.preset = "write";
  plan = make_plan (experiment, &choice);
  spec = g_ptr_array_index (plan->specs, 0);
  g_assert_cmpuint (spec->access, ==, OV_ACCESS_WRITE);
  g_assert_cmpuint (spec->width, ==, 1);
}

static void
test_no_size_axis (void)
{
  static const guint64 sizes[] = { 1 << 20, 1 << 21 };
  OvPlanChoice choice = folder_choice ();
  const char *members
      = "\"strategies\":[\"block.read\"],\"job\":\"blocks\",\"positions\":\"random\","
        "\"requests\":77,\"seed\":10,\"repetitions\":2,\"presets\":[{\"id\":\"p\","
        "\"axes\":[{\"parameter\":\"block\",\"values\":[4096]}]}]";
  g_autoptr (OvExperiment) experiment = make_experiment (members);
  g_autoptr (OvPlan) plan = make_plan (experiment, &choice);
  const OvRunSpec *spec = g_ptr_array_index (plan->specs, 1);

  g_assert_cmpuint (spec->size, ==, 64 << 20);
  g_assert_cmpuint (spec->requests, ==, 77);
  g_assert_cmpuint (spec->seed, ==, 12); /* other positions in the second repetition */
  g_assert_cmpint (plan->x, ==, OV_AXIS_BLOCK);
  g_assert_cmpuint (ov_plan_read_bytes (plan), ==, 2 * 2 * 77 * 4096);
  choice.sizes = sizes;
  choice.n_sizes = 1;
  g_clear_pointer (&plan, ov_plan_free);
  plan = make_plan (experiment, &choice);
  g_assert_cmpuint (((OvRunSpec *)plan->specs->pdata[0])->size, ==, 1 << 20);
  choice.n_sizes = 2;
  assert_fails (members, &choice, OV_ERROR_INVALID, "does not walk through sizes");
  choice.n_sizes = 1;
  choice.block = 1 << 21;
  assert_fails (members, &choice, OV_ERROR_INVALID, "a block of 2M does not fit into a file of 1M");
}

static void
test_skips (void)
{
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"block.read\",\"gone.wait\",\"port.poke\",\"user.plugin\","
      "{\"strategy\":\"null.read\",\"condition\":\"bypassed\"},"
      "{\"strategy\":\"char.getc\",\"work\":\"crc32c\"}]," ONE_X (""));
  g_autoptr (OvPlan) plan = make_plan (experiment, &choice);
  GString *text = g_string_new (NULL);
  guint i;

  g_assert_cmpuint (plan->specs->len, ==, 1);
  for (i = 0; i < plan->skips->len; i++)
    {
      const OvRun *run = g_ptr_array_index (plan->skips, i);

      g_assert_cmpint (run->state, ==, OV_STATE_SKIPPED);
      g_assert_cmpuint (run->spec->index, ==, 1 + i);
      g_string_append_printf (text, "%s: %s\n", run->spec->variant, run->cause);
    }
  g_assert_cmpstr (text->str, ==,
                   "gone.wait: it is switched off here\n"
                   "port.poke: does not serve the job “count”\n"
                   "user.plugin: no module that was found has the strategy “user.plugin”\n"
                   "null.read: cannot bypass the page cache: it does not work with O_DIRECT\n"
                   "char.getc: takes one character at a time and counts it; it cannot do the work "
                   "“crc32c”\n");
  g_string_free (text, TRUE);
}

static void
test_naming (void)
{
  OvPlanChoice choice = folder_choice ();
  const char *members
      = "\"strategies\":[\"block.read\",{\"strategy\":\"block.read\",\"label\":\"direct\"},"
        "{\"strategy\":\"ring.wait\",\"label\":\"ring\",\"off\":true}],\"others\":true," ONE_X ("");
  const char *label[] = { "block.read", NULL };
  const char *id[] = { "ring.wait", NULL };
  const char *several[] = { "null.read", "ring", "direct", "ring", "null.read", NULL };
  const char *unknown[] = { "direct", "block.raed", NULL };
  const char *strange[] = { "qqqqqqqq", NULL };
  const char *other_job[] = { "port.poke", NULL };
  const char *unavailable[] = { "gone.wait", NULL };
  const char *none[] = { NULL };

  assert_plan (members, &choice, "block.read 9 0 65536 1;direct 9 0 65536 1;");
  choice.strategies = label;
  assert_plan (members, &choice, "block.read 9 0 65536 1;");
  choice.strategies = id;
  assert_plan (members, &choice, "ring 9 0 65536 2;");
  choice.strategies = several;
  assert_plan (members, &choice, "direct 9 0 65536 1;ring 9 0 65536 2;null.read 9 0 65536 1;");
  choice.strategies = unknown;
  assert_fails (members, &choice, OV_ERROR_NOT_FOUND,
                "no strategy “block.raed”; perhaps block.read?");
  choice.strategies = strange;
  assert_fails (members, &choice, OV_ERROR_NOT_FOUND, "no strategy “qqqqqqqq”");
  choice.strategies = other_job;
  assert_fails (members, &choice, OV_ERROR_INVALID,
                "“port.poke” does not serve the job “count” of this experiment");
  choice.strategies = unavailable;
  assert_fails (members, &choice, OV_ERROR_UNSUPPORTED, "gone.wait: it is switched off here");
  choice.strategies = none;
  assert_fails (members, &choice, OV_ERROR_INVALID, "no strategy was chosen");
  /* A user's own strategy runs in an experiment that lets no others in. */
  choice.strategies = several;
  assert_plan ("\"strategies\":[\"block.read\",{\"strategy\":\"ring.wait\",\"label\":\"ring\"},"
               "{\"strategy\":\"char.getc\",\"label\":\"direct\"}]," ONE_X (""),
               &choice, "ring 9 0 65536 2;direct 9 0 0 1;null.read 9 0 65536 1;");
}

static void
test_variants (void)
{
  g_autoptr (OvExperiment) experiment
      = make_experiment ("\"strategies\":[\"block.read\"],\"others\":true," ONE_X (""));
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (GPtrArray) all = ov_plan_variants (experiment, strategies);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < all->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (all, i);
      g_autofree char *cause = ov_plan_variant_cause (experiment, variant, NULL, strategies);

      g_string_append_printf (text, "%s %d %s;", variant->label, variant->off,
                              cause != NULL ? "no" : "yes");
    }
  g_assert_cmpstr (
      text->str, ==,
      "block.read 0 yes;char.getc 1 yes;ring.wait 1 yes;gone.wait 1 no;null.read 1 yes;");
  g_string_free (text, TRUE);
}

static void
set (GHashTable *options, const char *key, const char *text)
{
  g_hash_table_insert (options, (gpointer)key, (gpointer)text);
}

static void
test_options (void)
{
  OvPlanChoice choice = folder_choice ();
  g_autoptr (GHashTable) options = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"char.getc\",\"block.read\",{\"strategy\":\"ring.wait\",\"label\":\"r\","
      "\"options\":{\"fixed\":false}}]," ONE_X (""));
  g_autoptr (OvPlan) plan = NULL;
  const OvRunSpec *spec;

  choice.options = options;
  set (options, "chunk", "4K");
  set (options, "block.read:chunk", "8K");
  set (options, "r:mode", "polled");
  set (options, "fixed", "true");
  plan = make_plan (experiment, &choice);
  g_assert_null (((OvRunSpec *)plan->specs->pdata[0])->options);
  spec = g_ptr_array_index (plan->specs, 1);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (spec->options, "chunk"), ==, 8192);
  spec = g_ptr_array_index (plan->specs, 2);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (spec->options, "mode"), ==, 1);
  g_assert_cmpint (*(gint64 *)g_hash_table_lookup (spec->options, "fixed"), ==, 1);
}

static void
test_option_faults (void)
{
  static const struct
  {
    const char *key;
    const char *text;
    int code;
    const char *fault;
  } texts[] = {
    { "chunk", "5X", OV_ERROR_INVALID, "block.read: option chunk: " },
    { "chunk", "2M", OV_ERROR_INVALID, "option chunk: must be from 512 to 1M" },
    { "chunck", "4K", OV_ERROR_INVALID,
      "no strategy that was chosen has the option “chunck”; perhaps chunk?" },
    { "zzzzzz", "4K", OV_ERROR_INVALID, "has the option “zzzzzz”" },
    { "block.read:mode", "x", OV_ERROR_INVALID, "the strategy “block.read” has no option “mode”" },
    { "block.raed:chunk", "x", OV_ERROR_NOT_FOUND, "no strategy “block.raed”; perhaps block.read" },
    { "ring.wait:mode", "plain", OV_ERROR_INVALID, "is for a strategy that was not chosen" },
  };
  OvPlanChoice choice = folder_choice ();
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GHashTable) options = g_hash_table_new (g_str_hash, g_str_equal);

      choice.options = options;
      set (options, texts[i].key, texts[i].text);
      assert_fails ("\"strategies\":[\"block.read\"]," ONE_X (""), &choice, texts[i].code,
                    texts[i].fault);
    }
  choice.options = NULL;
  assert_fails (
      "\"strategies\":[{\"strategy\":\"block.read\",\"options\":{\"chank\":1}}]," ONE_X (""),
      &choice, OV_ERROR_INVALID, "the strategy “block.read” has no option “chank”; perhaps chunk?");
}

static void
test_bad_choices (void)
{
  static const char *const none[] = { NULL };
  static const guint64 huge[] = { G_GUINT64_CONSTANT (1) << 63 };
  const char *members = "\"strategies\":[\"block.read\"]," ONE_X ("");
  OvPlanChoice choice = folder_choice ();

  choice.preset = "q";
  assert_fails (members, &choice, OV_ERROR_INVALID, "no preset “q”; there are: p");
  choice = folder_choice ();
  choice.block = (1 << 30) + 1;
  assert_fails (members, &choice, OV_ERROR_INVALID, "the block must be from 1 to 1G");
  choice = folder_choice ();
  choice.depth = 257;
  assert_fails (members, &choice, OV_ERROR_INVALID, "the depth must be from 1 to 256, not 257");
  choice = folder_choice ();
  choice.repetitions = 10001;
  assert_fails (members, &choice, OV_ERROR_INVALID, "the repetitions must be from 1 to 10000");
  choice = folder_choice ();
  choice.sizes = huge;
  choice.n_sizes = 1;
  assert_fails (members, &choice, OV_ERROR_INVALID, "below 2^63");
  choice = folder_choice ();
  choice.targets = none;
  assert_fails (members, &choice, OV_ERROR_INVALID, "no target");
  choice.targets = NULL;
  assert_fails (members, &choice, OV_ERROR_INVALID, "no target");
}

/* Sums of huge sizes end at a bound instead of beginning anew. */
static void
test_bounds (void)
{
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvExperiment) experiment = make_experiment (
      "\"strategies\":[\"block.read\"],\"repetitions\":2,\"presets\":[{\"id\":\"p\",\"axes\":"
      "[" SIZE_AXIS ("9223372036854775807,9223372036854775806") "]}]");
  g_autoptr (OvPlan) plan = make_plan (experiment, &choice);

  g_assert_cmpuint (ov_plan_layout_bytes (plan, "/tmp"), ==, G_MAXINT64);
  g_assert_cmpuint (ov_plan_read_bytes (plan), ==, G_MAXINT64);
  g_assert_cmpstr (((OvRunSpec *)plan->specs->pdata[0])->file, ==, "size-9223372036854775807");
}

/* The program's own experiment with nothing but strategies that are known here. */
static void
test_presets (void)
{
  OvPlanChoice choice = folder_choice ();
  g_autoptr (OvExperiment) experiment = make_experiment (
      THREE "\"repetitions\":10,\"presets\":[{\"id\":\"a\",\"axes\":[" SIZE_AXIS (
          "1") "]},"
               "{\"id\":\"b\",\"repetitions\":2,\"axes\":[" SIZE_AXIS ("2,3") "]}]");
  g_autoptr (OvPlan) plan = make_plan (experiment, &choice);

  g_assert_cmpuint (plan->specs->len, ==, 30);
  g_clear_pointer (&plan, ov_plan_free);
  choice.preset = "b";
  plan = make_plan (experiment, &choice);
  g_assert_cmpuint (plan->specs->len, ==, 12);
  g_clear_pointer (&plan, ov_plan_free);
  choice.repetitions = 1;
  plan = make_plan (experiment, &choice);
  g_assert_cmpuint (plan->specs->len, ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/alternation", test_alternation);
  g_test_add_func ("/plan/second-axis", test_second_axis);
  g_test_add_func ("/plan/parameters", test_parameters);
  g_test_add_func ("/plan/spec", test_spec);
  g_test_add_func ("/plan/files", test_files);
  g_test_add_func ("/plan/file-sizes", test_file_sizes);
  g_test_add_func ("/plan/positions", test_positions);
  g_test_add_func ("/plan/access", test_access);
  g_test_add_func ("/plan/no-size-axis", test_no_size_axis);
  g_test_add_func ("/plan/skips", test_skips);
  g_test_add_func ("/plan/naming", test_naming);
  g_test_add_func ("/plan/variants", test_variants);
  g_test_add_func ("/plan/options", test_options);
  g_test_add_func ("/plan/option-faults", test_option_faults);
  g_test_add_func ("/plan/bad-choices", test_bad_choices);
  g_test_add_func ("/plan/bounds", test_bounds);
  g_test_add_func ("/plan/presets", test_presets);
  return g_test_run ();
}
