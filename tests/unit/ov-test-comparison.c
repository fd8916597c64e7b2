/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may be compared, what comes of it, and what is said about it.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/ov-error.h"
#include "model/ov-versus.h"
#include "ov-test-model.h"
#include "report/ov-verdict.h"
#include "report/ov-versus-report.h"

static OvResult *
new_result (void)
{
  g_autoptr (JsonNode) node = test_node (
      "{\"overlap-experiment\":1,\"id\":\"t\",\"title\":\"T\",\"others\":true,"
      "\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\",\"values\":[4096]}]}]}");
  g_autoptr (OvExperiment) experiment = ov_experiment_from_json (node, NULL, NULL);

  g_assert_nonnull (experiment);
  return ov_result_new (experiment);
}

static OvRun *
add (OvResult *result, const char *variant, guint repetition, double seconds)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  g_free (spec->variant);
  spec->strategy = g_strdup (variant);
  spec->variant = g_strdup (variant);
  spec->target = g_strdup ("/t");
  spec->size = 4096;
  spec->x = 4096;
  spec->repetition = repetition;
  spec->index = result->runs->len;
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->elapsed_ns = (gint64)(seconds * 1e9);
  run->cpu_ns = run->elapsed_ns / 2;
  run->bytes = 4096;
  run->check = g_strdup ("count=7");
  run->peak_memory = 1000000;
  g_ptr_array_add (result->runs, run);
  return run;
}

/* n repetitions that take `seconds`, alternately a little more and less, all in a slow drift that
 * both lines of a pair share. */
static void
add_line (OvResult *result, const char *variant, guint n, double seconds, double scatter)
{
  for (guint i = 0; i < n; i++)
    add (result, variant, i, seconds * (1 + 0.1 * i) * (1 + scatter * ((int)(i * 7 % 5) - 2)));
}

static void
compare (OvResult *result, guint a, guint b, gboolean paired, OvComparison *out)
{
  g_autoptr (GPtrArray) cells = ov_result_cells (result);

  ov_comparison_make (cells->pdata[a], cells->pdata[b], OV_METRIC_ELAPSED, paired, out);
  out->cell = out->base = NULL;
}

static void
test_ratio (void)
{
  g_autoptr (OvResult) result = new_result ();
  OvComparison c;

  add_line (result, "a", 10, 1, 0);
  add_line (result, "b", 10, 1.2, 0.01);
  compare (result, 1, 0, TRUE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_MORE);
  g_assert_cmpuint (c.n, ==, 10);
  g_assert_cmpfloat_with_epsilon (c.ratio, 1.2, 1e-6);
  g_assert_cmpfloat (c.lo, >=, 1.2 * 0.98 - 1e-6);
  g_assert_cmpfloat (c.hi, <=, 1.2 * 1.02 + 1e-6);
  g_assert_cmpuint (c.more, ==, 0);
  compare (result, 0, 1, TRUE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_LESS);
  /* Unpaired, the drift by a factor of two hides a fifth. */
  compare (result, 1, 0, FALSE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_EQUAL);
  g_assert_cmpuint (c.more, >, 0);
  compare (result, 0, 0, TRUE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_BASE);
  g_assert_cmpfloat (c.ratio, ==, 1);
}

/* Pairs are repetitions, whatever the order in which runs ended and which of them are missing. */
static void
test_pairs (void)
{
  g_autoptr (OvResult) result = new_result ();
  OvComparison c;

  for (guint i = 0; i < 8; i++)
    add (result, "a", i, 1 + i);
  for (guint i = 8; i-- > 0;)
    add (result, "b", i, 2 * (1 + i));
  ((OvRun *)result->runs->pdata[3])->state = OV_STATE_FAILED;
  ((OvRun *)result->runs->pdata[8])->elapsed_ns = -1; /* the last repetition of b */
  compare (result, 1, 0, TRUE, &c);
  g_assert_cmpuint (c.n, ==, 6);
  g_assert_cmpfloat (c.ratio, ==, 2);
  g_assert_cmpfloat (c.lo, ==, 2);
  g_assert_cmpfloat (c.hi, ==, 2);
  ((OvRun *)result->runs->pdata[0])->state = OV_STATE_STOPPED;
  compare (result, 1, 0, TRUE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_FEW);
  g_assert_cmpuint (c.n, ==, 5);
}

static void
test_warm_up (void)
{
  g_autoptr (OvResult) result = new_result ();
  OvComparison c;

  for (guint i = 0; i < 12; i++)
    {
      add (result, "a", i, 1 + 0.01 * (i % 3));
      add (result, "b", i, i < 2 ? 9 - i : 1 + 0.01 * (i % 4));
    }
  compare (result, 0, 1, TRUE, &c);
  g_assert_cmpuint (c.n_warm, ==, 2);
  g_assert_cmpuint (c.n, ==, 10);
  compare (result, 0, 1, FALSE, &c);
  g_assert_cmpuint (c.n, ==, 10);
}

static void
test_same_work (void)
{
  g_autoptr (OvResult) result = new_result ();
  OvRun *b;
  OvComparison c;

  add_line (result, "a", 6, 1, 0);
  add_line (result, "b", 6, 1, 0);
  b = result->runs->pdata[8]; /* in the middle: every run counts */
#define DIFFERS(flag, part)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autoptr (GPtrArray) cells = ov_result_cells (result);                                        \
    guint found = ov_cell_differences (cells->pdata[0], cells->pdata[1]);                          \
    g_autofree char *text                                                                          \
        = ov_cell_describe_differences (cells->pdata[0], cells->pdata[1], found);                  \
    g_assert_cmphex (found, ==, flag);                                                             \
    g_assert_cmphex (ov_cell_differences (cells->pdata[1], cells->pdata[0]), ==, flag);            \
    g_assert_nonnull (strstr (text, part));                                                        \
  }                                                                                                \
  G_STMT_END
  DIFFERS (0, "");
  b->spec->letter = 'x';
  DIFFERS (OV_DIFFERS_JOB, "job");
  b->spec->letter = 'e';
  b->bytes = 4000;
  DIFFERS (OV_DIFFERS_BYTES, "bytes: 4K against");
  b->bytes = 4096;
  b->spec->work = OV_WORK_NONE;
  DIFFERS (OV_DIFFERS_WORK, "work: plain against");
  b->spec->work = OV_WORK_PLAIN;
  b->spec->condition = OV_CONDITION_BYPASSED;
  DIFFERS (OV_DIFFERS_CONDITION, "page cache: cold against");
  b->spec->condition = OV_CONDITION_COLD;
  b->effective = g_strdup ("block=1M; direct=buffered");
  DIFFERS (OV_DIFFERS_MODE, "mode");
  g_clear_pointer (&b->effective, g_free);
  b->effective = g_strdup ("helpers=1; ring=DEFER_TASKRUN"); /* how, not what */
  DIFFERS (0, "");
  b->spec->timing = OV_TIMING_TIMELINE;
  DIFFERS (OV_DIFFERS_TIMING, "recording");
  b->spec->timing = ((OvRun *)result->runs->pdata[0])->spec->timing;
  for (guint i = 6; i < 12; i++)
    {
      OvRun *run = result->runs->pdata[i];

      g_free (run->check);
      run->check = g_strdup ("count=8");
    }
  DIFFERS (OV_DIFFERS_CHECK, "check: count=7 against count=8");
  compare (result, 1, 0, TRUE, &c);
  g_assert_cmpint (c.kind, ==, OV_COMPARISON_OTHER_WORK);
  g_assert_true (isnan (c.ratio));
}

static char *
verdict (OvResult *result)
{
  g_autoptr (GPtrArray) cells = ov_result_cells (result);

  return ov_report_verdict (result, cells, NAN);
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” does not hold “%s”", text, part);
}

static void
test_verdict (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autofree char *one = NULL, *two = NULL, *times = NULL, *writing = NULL;

  add_line (result, "slow", 10, 1.25, 0.005);
  one = verdict (result);
  g_assert_cmpstr (one, ==, ""); /* of one line there is none */
  add_line (result, "quick", 10, 1, 0);
  two = verdict (result);
  assert_has (two,
              "Cold cache, file size 4K: quick is fastest: the next, slow, takes 25.0 % longer "
              "(95 % interval 2");
  assert_has (two, "quick: CPU s/GB ");
  assert_has (two, "memory at most 1.00 MB.");
  assert_has (two, "How fast they stop is not known");
  add_line (result, "quickest", 10, 0.25, 0);
  ((OvRun *)result->runs->pdata[20])->stop_latency_ns = 3000000;
  times = verdict (result);
  assert_has (times,
              "quickest is fastest: the next, quick, takes 4.00 times as long (95 % interval "
              "4.00 to 4.00)");
  assert_has (times, "stopped within 3.00 ms");
  g_assert_null (strstr (times, "not known"));
  /* Who writes through the page cache finds it neither warm nor cold. */
  for (guint i = 0; i < result->runs->len; i++)
    {
      OvRunSpec *spec = ((OvRun *)result->runs->pdata[i])->spec;

      spec->job = OV_JOB_WRITE;
      spec->condition = OV_CONDITION_WARM;
      spec->durability = OV_DURABILITY_FDATASYNC;
    }
  writing = verdict (result);
  assert_has (writing, "With fdatasync at the end, file size 4K: quickest is fastest");
}

static void
test_verdict_withheld (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (OvResult) few = new_result ();
  g_autoptr (OvResult) again = new_result ();
  g_autofree char *tie = NULL, *none = NULL, *cpu = NULL;

  for (guint i = 0; i < 10; i++)
    {
      add (result, "a, direct", i, 1 + 0.1 * (i % 3));
      add (result, "b", i, 1.01 + 0.1 * ((i + 1) % 3));
      add (result, "c", i, 3);
    }
  tie = verdict (result);
  assert_has (tie, "These cannot be told apart: a, direct; b.");
  assert_has (tie, "repetition");
  assert_has (tie, "c takes 2.");
  assert_has (tie, "Nor can their CPU time be told apart.");
  /* Where the clock does not decide, CPU time may; and who needs no memory is not said to need 0.
   */
  for (guint i = 0; i < result->runs->len; i++)
    {
      OvRun *run = g_ptr_array_index (result->runs, i);

      g_ptr_array_add (again->runs, ov_run_ref (run));
      run->cpu_ns = g_str_equal (run->spec->variant, "b") ? 1000000 : 1500000;
      run->peak_memory = 0;
    }
  cpu = verdict (again);
  assert_has (cpu, "These cannot be told apart: a, direct; b.");
  assert_has (cpu,
              "Of these, b takes the least CPU time: the next, a, direct, takes 50.0 % more (95 % "
              "interval 50.0 % to 50.0 %).");
  assert_has (cpu, "b: CPU s/GB ");
  assert_has (cpu, "no memory of its own.");
  add_line (few, "a", 5, 1, 0);
  add_line (few, "b", 5, 9, 0);
  none = verdict (few);
  assert_has (none, "No verdict: it takes at least 6 repetitions");
  g_assert_null (strstr (none, "fastest"));
}

/* What found something else than most is in no contest with them, and wins none of its own. */
static void
test_wrong (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GPtrArray) contests = NULL;
  g_autofree char *text = NULL;

  add_line (result, "a", 8, 2, 0);
  add_line (result, "b", 8, 3, 0);
  add_line (result, "wrong", 8, 1, 0);
  for (guint i = 16; i < 24; i++)
    ((OvRun *)result->runs->pdata[i])->check[6] = '9';
  cells = ov_result_cells (result);
  contests = ov_contests_new (cells, OV_METRIC_CPU);
  g_assert_cmpuint (contests->len, ==, 2);
  g_assert_cmpuint (((OvContest *)contests->pdata[0])->comparisons->len, ==, 2);
  text = verdict (result);
  assert_has (text, "a is fastest");
  g_assert_null (strstr (text, "wrong"));
}

/* n runs of single blocks, each a second long, that read `blocks` of the 1000 they were to. */
static void
add_blocks (OvResult *result, const char *variant, OvCondition condition, guint n, guint blocks)
{
  for (guint i = 0; i < n; i++)
    {
      OvRun *run = add (result, variant, i, 1 + 0.0001 * i);

      run->spec->job = OV_JOB_BLOCKS;
      run->spec->condition = condition;
      run->spec->block = 512;
      run->spec->requests = 1000;
      run->bytes = 512 * (gint64)(blocks == 1000 ? blocks : blocks + i);
    }
}

/* Runs that the time limit ended read as many blocks as they could: they are compared by block, and
 * only with those of the same condition. */
static void
test_verdict_by_block (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (GPtrArray) cells = NULL;
  g_autoptr (GPtrArray) whole = g_ptr_array_new ();
  g_autoptr (GPtrArray) contests = NULL;
  g_autofree char *text = NULL, *few = NULL;

  add_blocks (result, "quick", OV_CONDITION_BYPASSED, 8, 400);
  add_blocks (result, "slow", OV_CONDITION_BYPASSED, 8, 200);
  add_blocks (result, "cached", OV_CONDITION_WARM, 8, 1000);
  add_blocks (result, "copied", OV_CONDITION_WARM, 8, 1000);
  for (guint i = 0; i < result->runs->len; i++)
    g_clear_pointer (&((OvRun *)result->runs->pdata[i])->check, g_free);
  for (guint i = 24; i < 32; i++)
    ((OvRun *)result->runs->pdata[i])->elapsed_ns *= 2;
  cells = ov_result_cells (result);
  g_assert_cmpint (ov_metric_for (cells, OV_METRIC_ELAPSED), ==, OV_METRIC_BLOCK);
  g_assert_cmpint (ov_metric_for (cells, OV_METRIC_CPU), ==, OV_METRIC_BLOCK_CPU);
  g_assert_cmpint (ov_metric_for (cells, OV_METRIC_STABLE), ==, OV_METRIC_STABLE);
  g_ptr_array_add (whole, cells->pdata[2]);
  g_ptr_array_add (whole, cells->pdata[3]);
  g_assert_cmpint (ov_metric_for (whole, OV_METRIC_ELAPSED), ==, OV_METRIC_ELAPSED);
  /* As whole runs no two that were cut did the same work. */
  contests = ov_contests_new (cells, OV_METRIC_ELAPSED);
  g_assert_cmpuint (contests->len, ==, 3);
  g_assert_true (ov_cell_differences (cells->pdata[0], cells->pdata[1]) & OV_DIFFERS_BYTES);
  text = verdict (result);
  assert_has (text,
              "Cache bypassed, file size 4K: The time limit ended runs after different numbers "
              "of blocks, so that the time of a block is compared. quick is fastest: the next, "
              "slow, takes 98.");
  assert_has (text,
              "Warm cache, file size 4K: cached is fastest: the next, copied, takes 2.00 times "
              "as long (95 % interval 2.00 to 2.00)");
  g_assert_null (strstr (text, "Not the same work"));
  /* Never across conditions, nor across block sizes. */
  for (guint i = 8; i < 16; i++)
    ((OvRun *)result->runs->pdata[i])->spec->block = 256;
  few = verdict (result);
  g_assert_null (strstr (few, "quick is fastest"));
  g_assert_null (strstr (few, "slow is fastest"));
  assert_has (few, "cached is fastest");
  assert_has (few, "Not the same work as cached, and not compared with it: quick (");
  assert_has (few, "page cache: bypassed against warm");
}

/* Lines that are alone with their condition are named, with what differs, and with those of the
 * same difference; those that did wrong are not, nor the same work on another target. */
static void
test_not_compared (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (OvResult) alone = new_result ();
  g_autoptr (OvResult) apart = new_result ();
  g_autofree char *text = NULL, *none = NULL, *silent = NULL;

  add_line (result, "a", 8, 1, 0);
  add_line (result, "b", 8, 2, 0);
  add_line (result, "past it", 8, 3, 0);
  add_line (result, "wrong", 8, 4, 0);
  for (guint i = 16; i < 24; i++)
    ((OvRun *)result->runs->pdata[i])->spec->condition = OV_CONDITION_BYPASSED;
  for (guint i = 24; i < 32; i++)
    ((OvRun *)result->runs->pdata[i])->check[6] = '9';
  text = verdict (result);
  assert_has (text, "a is fastest");
  assert_has (text,
              "\nNot the same work as a, and not compared with it: past it (page cache: bypassed "
              "against cold).\n");
  g_assert_null (strstr (text, "No verdict"));
  g_assert_null (strstr (text, "wrong"));

  add_line (alone, "cold", 8, 1, 0);
  add_line (alone, "past it", 8, 1, 0);
  for (guint i = 8; i < 16; i++)
    ((OvRun *)alone->runs->pdata[i])->spec->condition = OV_CONDITION_BYPASSED;
  none = verdict (alone);
  g_assert_cmpstr (
      none, ==,
      "No verdict: no two lines did the same work.\n"
      "Not the same work as cold, and not compared with it: past it (page cache: bypassed "
      "against cold).\n");

  add_line (apart, "here", 8, 1, 0);
  add_line (apart, "there", 8, 1, 0);
  for (guint i = 8; i < 16; i++)
    {
      OvRunSpec *spec = ((OvRun *)apart->runs->pdata[i])->spec;

      g_free (spec->target);
      spec->target = g_strdup ("/u");
    }
  silent = verdict (apart);
  g_assert_cmpstr (silent, ==, "");
}

/* ---- Two results ---------------------------------------------------------------------------- */

static OvVersusLine *
find_line (OvVersus *versus, const char *variant)
{
  for (guint i = 0; i < versus->lines->len; i++)
    {
      OvVersusLine *line = &g_array_index (versus->lines, OvVersusLine, i);

      if (strcmp ((line->a != NULL ? line->a : line->b)->variant, variant) == 0)
        return line;
    }
  g_assert_not_reached ();
}

static void
change (OvResult *result, const char *variant, void (*how) (OvRun *run))
{
  for (guint i = 0; i < result->runs->len; i++)
    if (strcmp (((OvRun *)result->runs->pdata[i])->spec->variant, variant) == 0)
      how (result->runs->pdata[i]);
}

static void
move_to_u (OvRun *run)
{
  g_free (run->spec->target);
  run->spec->target = g_strdup ("/u");
}

static void
make_warm (OvRun *run)
{
  run->spec->condition = OV_CONDITION_WARM;
}

static void
enlarge_block (OvRun *run)
{
  run->spec->block = 1 << 20;
  ov_run_spec_set_option (run->spec, "advice", 2);
}

/* Each line stands beside the one of its name on the target of its number, whatever that is called,
 * and what only one of them has is told. */
static void
test_two_results (void)
{
  g_autoptr (OvResult) a = new_result ();
  g_autoptr (OvResult) b = new_result ();
  g_autoptr (OvVersus) versus = NULL;
  g_autofree char *settings = NULL, *csv = NULL, *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  const OvVersusLine *line;

  add_line (a, "same", 8, 1, 0);
  add_line (a, "warm", 8, 1, 0);
  add_line (a, "gone", 8, 1, 0);
  add_line (b, "new, \"quoted\"", 8, 1, 0);
  add_line (b, "same", 8, 3, 0);
  add_line (b, "warm", 8, 3, 0);
  for (guint i = 0; i < b->runs->len; i++)
    move_to_u (b->runs->pdata[i]);
  change (b, "warm", make_warm);
  change (b, "same", enlarge_block);
  versus = ov_versus_new (a, b, OV_METRIC_ELAPSED, NULL);
  g_assert_nonnull (versus);
  g_assert_cmpuint (versus->lines->len, ==, 4);
  g_assert_cmpuint (versus->n_both, ==, 2);
  g_assert_cmpuint (versus->n_only_a, ==, 1);
  g_assert_cmpuint (versus->n_only_b, ==, 1);
  g_assert_cmpuint (versus->n_kind[OV_COMPARISON_MORE], ==, 1);
  g_assert_cmpuint (versus->n_kind[OV_COMPARISON_OTHER_WORK], ==, 1);
  line = find_line (versus, "same");
  g_assert_cmpint (line->comparison.kind, ==, OV_COMPARISON_MORE);
  g_assert_cmpfloat_with_epsilon (line->comparison.ratio, 3, 1e-9);
  g_assert_false (line->comparison.paired);
  g_assert_cmpfloat_with_epsilon (line->b_value / line->a_value, 3, 1e-9);
  settings = ov_versus_describe_settings (line);
  g_assert_cmpstr (settings, ==, "block size: 1M against 64K; advice: 2 against –");
  g_assert_cmpint (find_line (versus, "warm")->comparison.kind, ==, OV_COMPARISON_OTHER_WORK);
  csv = ov_versus_to_csv (versus);
  g_test_message ("%s", csv);
  g_assert_nonnull (strstr (csv, "\nsame,/t,/u,4096,"));
  g_assert_nonnull (strstr (csv, "\ngone,/t,,4096,1.35,,,,,0,only-a,\n"));
  g_assert_nonnull (strstr (csv, "\n\"new, \"\"quoted\"\"\",,/u,4096,,1.35,,,,0,only-b,\n"));
  text = ov_versus_to_text (versus, a, b);
  node = test_node (text);
  g_assert_cmpuint (
      json_array_get_length (json_object_get_array_member (json_node_get_object (node), "lines")),
      ==, 4);
}

static void
skip (OvResult *result, const char *variant, double x)
{
  OvRun *run = add (result, variant, 0, 1);

  run->state = OV_STATE_SKIPPED;
  run->spec->x = x;
}

/* What neither could run is one line, whatever x it was skipped at; what one of them could run at
 * some x is not. */
static void
test_skipped_in_both (void)
{
  g_autoptr (OvResult) a = new_result ();
  g_autoptr (OvResult) b = new_result ();
  g_autoptr (OvVersus) versus = NULL;
  g_autoptr (OvTable) table = NULL;
  g_autofree char *csv = NULL, *summary = NULL;
  const OvVersusLine *line;

  add_line (a, "both", 8, 1, 0);
  add_line (b, "both", 8, 3, 0);
  skip (a, "neither", NAN);
  skip (b, "neither", 4096);
  skip (b, "neither", 8192);
  skip (a, "b did", NAN);
  add_line (b, "b did", 8, 1, 0);
  skip (a, "refused", 4096);
  skip (b, "refused", NAN);
  versus = ov_versus_new (a, b, OV_METRIC_ELAPSED, NULL);
  g_assert_nonnull (versus);
  g_assert_cmpuint (versus->lines->len, ==, 5);
  g_assert_cmpuint (versus->n_both, ==, 3);
  g_assert_cmpuint (versus->n_only_a, ==, 1);
  g_assert_cmpuint (versus->n_only_b, ==, 1);
  g_assert_cmpuint (versus->n_kind[OV_COMPARISON_NOTHING], ==, 2);
  line = find_line (versus, "neither");
  g_assert_true (line->skipped);
  g_assert_cmpint (line->comparison.kind, ==, OV_COMPARISON_NOTHING);
  g_assert_false (find_line (versus, "both")->skipped);
  g_assert_false (find_line (versus, "b did")->skipped);
  csv = ov_versus_to_csv (versus);
  g_assert_nonnull (strstr (csv, "\nneither,/t,/t,,,,,,,0,nothing,\n"));
  g_assert_nonnull (strstr (csv, "\nrefused,/t,/t,,,,,,,0,nothing,\n"));
  table = ov_versus_table_new (versus);
  g_assert_cmpuint (ov_table_get_n_rows (table), ==, 5);
  for (guint row = 0; row < 5; row++)
    if (strcmp (ov_table_get_cell (table, row, 0), "neither") == 0)
      {
        g_assert_cmpstr (ov_table_get_cell (table, row, 1), ==, "–");
        g_assert_cmpstr (ov_table_get_cell (table, row, 7), ==, "skipped in both");
      }
  /* Nothing is said of what there is none of. */
  summary = ov_versus_summary (versus);
  g_assert_cmpstr (summary, ==,
                   "Lines of both: 3. B takes more in 1. Nothing measured in 2. In A only: 1. "
                   "In B only: 1.");
}

/* One repetition has no interval and no range: none is written, and none is in the files. */
static void
test_one_repetition (void)
{
  g_autoptr (OvResult) a = new_result ();
  g_autoptr (OvResult) b = new_result ();
  g_autoptr (OvVersus) versus = NULL;
  g_autofree char *csv = NULL, *text = NULL, *interval = NULL, *two = NULL;
  const OvComparison *comparison;

  add_line (a, "one", 1, 1, 0);
  add_line (b, "one", 1, 3, 0);
  add_line (a, "two", 2, 1, 0);
  add_line (b, "two", 2, 3, 0);
  versus = ov_versus_new (a, b, OV_METRIC_ELAPSED, NULL);
  comparison = &find_line (versus, "one")->comparison;
  g_assert_cmpint (comparison->kind, ==, OV_COMPARISON_FEW);
  g_assert_cmpfloat_with_epsilon (comparison->ratio, 3, 1e-9);
  g_assert_true (isnan (comparison->lo) && isnan (comparison->hi));
  interval = ov_comparison_format_interval (comparison);
  g_assert_cmpstr (interval, ==, "none: one repetition");
  two = ov_comparison_format_interval (&find_line (versus, "two")->comparison);
  g_assert_nonnull (strstr (two, "(range)"));
  csv = ov_versus_to_csv (versus);
  g_assert_nonnull (strstr (csv, ",3,,,1,few,\n"));
  text = ov_versus_to_text (versus, a, b);
  g_assert_nonnull (strstr (text, "null"));
}

static void
test_two_strangers (void)
{
  g_autoptr (OvResult) a = new_result ();
  g_autoptr (OvResult) b = new_result ();
  g_autoptr (GError) error = NULL;

  add_line (a, "one", 8, 1, 0);
  add_line (b, "other", 8, 1, 0);
  g_assert_null (ov_versus_new (a, b, OV_METRIC_ELAPSED, &error));
  g_assert_error (error, OV_ERROR, OV_ERROR_INVALID);
  g_clear_error (&error);
  b->x = OV_AXIS_DEPTH;
  g_assert_null (ov_versus_new (a, b, OV_METRIC_ELAPSED, &error));
  g_assert_error (error, OV_ERROR, OV_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "depth"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/ratio", test_ratio);
  g_test_add_func ("/comparison/pairs", test_pairs);
  g_test_add_func ("/comparison/warm-up", test_warm_up);
  g_test_add_func ("/comparison/same-work", test_same_work);
  g_test_add_func ("/comparison/verdict", test_verdict);
  g_test_add_func ("/comparison/verdict-withheld", test_verdict_withheld);
  g_test_add_func ("/comparison/verdict-by-block", test_verdict_by_block);
  g_test_add_func ("/comparison/not-compared", test_not_compared);
  g_test_add_func ("/comparison/wrong", test_wrong);
  g_test_add_func ("/comparison/two-results", test_two_results);
  g_test_add_func ("/comparison/two-strangers", test_two_strangers);
  g_test_add_func ("/comparison/skipped-in-both", test_skipped_in_both);
  g_test_add_func ("/comparison/one-repetition", test_one_repetition);
  return g_test_run ();
}
