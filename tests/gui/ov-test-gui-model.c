// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What stands behind the window's widgets: choices, the results table's model, estimates, the
 * store of results. No display is needed.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "report/ov-lanes.h"

#include "gui/ov-forecast.h"
#include "gui/ov-library.h"
#include "gui/ov-results-model.h"
#include "gui/ov-run-detail.h"
#include "gui/ov-run-settings.h"

static const char experiment_text[]
    = "{ \"overlap-experiment\": 1, \"title\": \"Two ways\", \"summary\": \"s\", \"job\": "
      "\"count\","
      "  \"repetitions\": 6, \"strategies\": [ { \"strategy\": \"a.one\" },"
      "    { \"strategy\": \"a.two\", \"off\": true }, { \"strategy\": \"a.one\", \"label\": "
      "\"again\" }"
      "  ], \"presets\": [ { \"id\": \"small\", \"title\": \"Small\", \"axes\": [ { \"parameter\": "
      "\"size\", \"values\": [ \"64K\", \"128K\" ] } ] }, { \"id\": \"big\", \"title\": \"Big\", "
      "\"repetitions\": 2, \"axes\": [ { \"parameter\": \"size\", \"values\": [ \"1M\" ] } ] } ] }";

static OvExperiment *
make_experiment (void)
{
  g_autoptr (JsonNode) node = json_from_string (experiment_text, NULL);
  GError *error = NULL;
  OvExperiment *experiment = ov_experiment_from_json (node, "two-ways", &error);

  g_assert_no_error (error);
  return experiment;
}

static OvStrategyInfo *
make_strategy (const char *id, gboolean available)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup (id);
  info->title = g_strdup (id);
  info->summary = g_strdup ("");
  info->family = g_strdup ("a");
  info->module = g_strdup ("/a.so");
  info->jobs = OV_JOB_COUNT;
  info->caps = OV_CAP_BLOCK;
  info->available = available;
  info->cause = available ? NULL : g_strdup ("it is Sunday");
  return info;
}

static GPtrArray *
make_strategies (void)
{
  GPtrArray *strategies = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);

  g_ptr_array_add (strategies, make_strategy ("a.one", TRUE));
  g_ptr_array_add (strategies, make_strategy ("a.two", FALSE));
  return strategies;
}

static void
count_changes (guint *n)
{
  (*n)++;
}

/* ---- Choices -------------------------------------------------------------------------------- */

static void
test_settings_defaults (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  guint n = 0;

  g_signal_connect_swapped (settings, "changed", G_CALLBACK (count_changes), &n);
  g_assert_cmpstr (ov_run_settings_get_preset (settings), ==, "small");
  g_assert_cmpuint (ov_run_settings_get_repetitions (settings), ==, 6);
  g_assert_true (ov_run_settings_get_chosen (settings, "a.one"));
  g_assert_false (ov_run_settings_get_chosen (settings, "a.two"));
  g_assert_false (ov_run_settings_is_changed (settings));

  /* Setting what is there already changes nothing and tells nobody. */
  ov_run_settings_set_repetitions (settings, 6);
  ov_run_settings_set_chosen (settings, "a.one", TRUE);
  ov_run_settings_set_preset (settings, "small");
  g_assert_cmpuint (n, ==, 0);

  ov_run_settings_set_preset (settings, "big");
  g_assert_cmpuint (ov_run_settings_get_repetitions (settings), ==, 2);
  ov_run_settings_set_chosen (settings, "a.one", FALSE);
  ov_run_settings_set_repetitions (settings, 9);
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (ov_run_settings_is_changed (settings));
  ov_run_settings_reset (settings);
  g_assert_false (ov_run_settings_is_changed (settings));
  g_assert_true (ov_run_settings_get_chosen (settings, "a.one"));
}

static void
test_settings_plan (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (OvPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  ov_run_settings_set_target (settings, "/somewhere");
  ov_run_settings_set_chosen (settings, "a.two", TRUE);
  ov_run_settings_set_repetitions (settings, 3);
  ov_run_settings_set_block (settings, 4096);
  plan = ov_run_settings_make_plan (settings, strategies, NULL, &error);
  g_assert_no_error (error);
  /* Two lines, two sizes, three repetitions; what cannot run is skipped with its cause. */
  g_assert_cmpuint (plan->specs->len, ==, 12);
  g_assert_cmpuint (plan->skips->len, ==, 1);
  g_assert_nonnull (strstr (((OvRun *)g_ptr_array_index (plan->skips, 0))->cause, "Sunday"));
  g_assert_cmpuint (((OvRunSpec *)g_ptr_array_index (plan->specs, 0))->block, ==, 4096);
  g_assert_cmpstr (((OvRunSpec *)g_ptr_array_index (plan->specs, 0))->target, ==, "/somewhere");
}

static void
test_settings_nothing_chosen (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  const char *const none[] = { NULL };
  GError *error = NULL;

  ov_run_settings_choose (settings, none);
  g_assert_null (ov_run_settings_make_plan (settings, strategies, NULL, &error));
  g_assert_nonnull (error);
  g_error_free (error);
}

static void
test_settings_choose (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  const char *const wanted[] = { "a.two", NULL };
  g_autofree const char **chosen = NULL;
  gboolean changed;

  ov_run_settings_choose (settings, wanted);
  chosen = ov_run_settings_list_chosen (settings, strategies, &changed);
  g_assert_cmpstrv (chosen, wanted);
  g_assert_true (changed);
}

/* ---- Results -------------------------------------------------------------------------------- */

static OvRun *
make_run (const char *variant, double x, guint repetition, double seconds, const char *check)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  g_free (spec->strategy);
  spec->strategy = g_strdup ("a.one");
  g_free (spec->variant);
  spec->variant = g_strdup (variant);
  g_free (spec->target);
  spec->target = g_strdup ("/somewhere");
  spec->size = (guint64)x;
  spec->x = x;
  spec->repetition = repetition;
  run = ov_run_new (spec);
  run->state = OV_STATE_DONE;
  run->started_ns = (gint64)(repetition * 1e9);
  run->elapsed_ns = (gint64)(seconds * 1e9);
  run->cpu_ns = (gint64)(seconds * 5e8);
  run->bytes = (gint64)x;
  run->check = g_strdup (check);
  return run;
}

static void
add_cell (const OvCell *cell, gboolean partial, gpointer data)
{
  GPtrArray *seen = data;

  g_ptr_array_add (
      seen, g_strdup_printf ("%s %.0f%s", cell->variant, cell->x, partial ? " partial" : ""));
}

static OvResultsRow *
get_row (OvResultsModel *model, guint i)
{
  g_autoptr (OvResultsRow) row = g_list_model_get_item (ov_results_model_get_rows (model), i);

  g_assert_nonnull (row);
  return row; /* the model holds it */
}

static void
assert_text (OvResultsModel *model, guint row, OvResultsColumn column, const char *expected)
{
  g_autofree char *text = ov_results_row_format (get_row (model, row), column);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_results_grow (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (OvResultsModel) model = ov_results_model_new (experiment);
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (OvPlan) plan = NULL;
  g_autoptr (OvRun) first = make_run ("a.one", 131072, 0, 0.002, "count=1234");
  g_autoptr (OvRun) second = make_run ("a.one", 131072, 1, 0.004, "count=1234");

  ov_run_settings_set_target (settings, "/somewhere");
  ov_run_settings_set_chosen (settings, "a.two", TRUE);
  ov_run_settings_set_repetitions (settings, 2);
  plan = ov_run_settings_make_plan (settings, strategies, NULL, NULL);
  ov_results_model_set_plan (model, plan);

  /* Rows in the experiment's order, the largest x in front. */
  g_assert_cmpuint (g_list_model_get_n_items (ov_results_model_get_rows (model)), ==, 3);
  g_assert_cmpuint (ov_results_model_get_x (model), ==, 1);
  assert_text (model, 0, OV_COLUMN_STATE, "2 runs");
  assert_text (model, 1, OV_COLUMN_VARIANT, "a.two");
  g_assert_cmpint (ov_results_row_get_state (get_row (model, 1)), ==, OV_ROW_NOT_HERE);
  assert_text (model, 0, OV_COLUMN_MEDIAN, "");

  ov_results_model_begin (model);
  assert_text (model, 0, OV_COLUMN_STATE, "waiting");
  ov_results_model_set_current (model, first);
  assert_text (model, 0, OV_COLUMN_STATE, "running, 0 of 2");
  ov_results_model_add (model, first);
  g_assert_false (ov_results_model_update (model, -1, add_cell, seen));
  g_assert_cmpuint (seen->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (seen, 0), ==, "a.one 131072 partial");
  ov_results_model_set_current (model, NULL);
  assert_text (model, 0, OV_COLUMN_STATE, "1 of 2");
  assert_text (model, 0, OV_COLUMN_MEDIAN, "2.00 ms");
  assert_text (model, 0, OV_COLUMN_INTERVAL, "–");

  /* Only what is new is computed again. */
  ov_results_model_add (model, second);
  g_assert_false (ov_results_model_update (model, -1, add_cell, seen));
  g_assert_cmpuint (seen->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (seen, 1), ==, "a.one 131072");
  g_assert_false (ov_results_model_update (model, -1, add_cell, seen));
  g_assert_cmpuint (seen->len, ==, 2);
  assert_text (model, 0, OV_COLUMN_STATE, "2 of 2");
  assert_text (model, 0, OV_COLUMN_MEDIAN, "3.00 ms");
  assert_text (model, 0, OV_COLUMN_INTERVAL, "2.00 – 4.00 ms, range");
  assert_text (model, 0, OV_COLUMN_CHECK, "1\342\200\211234 ✓");
  ov_results_model_end (model);
  assert_text (model, 2, OV_COLUMN_STATE, "0 of 2");
}

static void
test_results_follow (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (OvResultsModel) model = ov_results_model_new (experiment);
  g_autoptr (OvRun) small = make_run ("a.one", 65536, 0, 0.001, NULL);
  g_autoptr (OvRun) large = make_run ("a.one", 131072, 0, 0.002, NULL);
  g_autoptr (OvPlan) plan = NULL;

  ov_run_settings_set_target (settings, "/somewhere");
  plan = ov_run_settings_make_plan (settings, strategies, NULL, NULL);
  ov_results_model_set_plan (model, plan);
  ov_results_model_begin (model);
  ov_results_model_set_current (model, small);
  g_assert_cmpuint (ov_results_model_get_x (model), ==, 0);
  ov_results_model_set_current (model, large);
  g_assert_cmpuint (ov_results_model_get_x (model), ==, 1);
  /* What the user looks at stays. */
  ov_results_model_set_x (model, 0);
  ov_results_model_set_current (model, NULL);
  ov_results_model_set_current (model, large);
  g_assert_cmpuint (ov_results_model_get_x (model), ==, 0);
}

static void
test_results_wrong_check (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvResult) result = ov_result_new (experiment);
  g_autoptr (OvResultsModel) model = ov_results_model_new (experiment);
  g_autofree char *good = NULL;
  g_autofree char *bad = NULL;

  g_ptr_array_add (result->runs, make_run ("a.one", 65536, 0, 0.001, "count=7"));
  g_ptr_array_add (result->runs, make_run ("a.two", 65536, 0, 0.001, "count=7"));
  g_ptr_array_add (result->runs, make_run ("again", 65536, 0, 0.001, "count=8"));
  ov_results_model_set_result (model, result);
  g_assert_false (ov_results_model_update (model, -1, NULL, NULL));
  good = ov_results_row_format (get_row (model, 0), OV_COLUMN_CHECK);
  bad = ov_results_row_format (get_row (model, 2), OV_COLUMN_CHECK);
  g_assert_cmpstr (good, ==, "7 ✓");
  g_assert_cmpstr (bad, ==, "8 ✗");
}

/* Figures come piece by piece, so that the window answers in between. */
static void
test_results_in_pieces (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvResult) result = ov_result_new (experiment);
  g_autoptr (OvResultsModel) model = ov_results_model_new (experiment);
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (result->runs, make_run ("a.one", 65536, 0, 0.001, NULL));
  g_ptr_array_add (result->runs, make_run ("a.two", 65536, 0, 0.001, NULL));
  ov_results_model_set_result (model, result);
  g_assert_true (ov_results_model_update (model, 0, add_cell, seen));
  g_assert_cmpuint (seen->len, ==, 1);
  g_assert_false (ov_results_model_update (model, 0, add_cell, seen));
  g_assert_cmpuint (seen->len, ==, 2);
}

static gint64
forecast (const OvPlan *plan, const OvResult *before)
{
  g_autoptr (OvForecast) made = ov_forecast_new (before);

  return ov_forecast_seconds (made, plan);
}

static void
test_forecast (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (GPtrArray) strategies = make_strategies ();
  g_autoptr (OvResult) before = ov_result_new (experiment);
  g_autoptr (OvPlan) plan = NULL;

  plan = ov_run_settings_make_plan (settings, strategies, NULL, NULL);
  g_assert_cmpint (forecast (plan, before), ==, -1);
  for (guint i = 0; i < 5; i++)
    {
      OvRun *run = make_run ("a.one", 65536, i, 0.25, NULL);

      g_ptr_array_add (before->runs, run);
    }
  /* A line without a run before: nobody knows. */
  g_assert_cmpint (forecast (plan, before), ==, -1);
  g_ptr_array_add (before->runs, make_run ("again", 65536, 5, 0.25, NULL));
  /* 24 runs, half of them twice as large; a run of 64K took 0.25 s and is done twice; of the 5.25 s
   * that six runs took, 3 s were those. 12 × 0.5 + 12 × 1 + 24 × 0.375 = 27. */
  g_assert_cmpint (forecast (plan, before), ==, 27);
  /* With a time limit none of the 24 takes longer than 0.1 s twice. */
  for (guint i = 0; i < plan->specs->len; i++)
    ((OvRunSpec *)g_ptr_array_index (plan->specs, i))->time_limit_ns = 100000000;
  g_assert_cmpint (forecast (plan, before), ==, 14);
}

/* ---- A run, looked at closely --------------------------------------------------------------- */

static OvRun *
make_logged_run (guint n, guint n_slots)
{
  OvRun *run = make_run ("a.one", 65536, 0, 0.25, NULL);

  run->log = g_array_sized_new (FALSE, FALSE, sizeof (OvRequest), n);
  for (guint i = 0; i < n; i++)
    {
      OvRequest request = { .submit_ns = i * 100,
                            .handed_ns = -1,
                            .complete_ns = i * 100 + 70,
                            .consume_start_ns = -1,
                            .consume_end_ns = -1,
                            .result = 4096,
                            .slot = i % n_slots };

      g_array_append_val (run->log, request);
    }
  return run;
}

/* Lanes of many requests come from a thread, and are the same as those of a few; whoever looks at
 * another run meanwhile does not see them. */
static void
test_detail_many_requests (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvResult) result = ov_result_new (experiment);
  g_autoptr (OvRunDetail) detail = ov_run_detail_new ();
  g_autoptr (OvLaneChart) same = ov_lanes_new ();
  OvLaneChart *lanes = OV_LANE_CHART (ov_run_detail_peek_chart (detail, OV_RUN_DETAIL_LANES));
  g_autofree char *why = NULL;
  g_autofree char *words = NULL;
  g_autofree char *same_words = NULL;
  guint n = 0;

  g_ptr_array_add (result->runs, make_logged_run (40000, 2));
  g_ptr_array_add (result->runs, make_logged_run (10, 5));
  g_ptr_array_add (result->runs, make_logged_run (20000, 3));
  ov_run_detail_set_run (detail, result, result->runs->pdata[1]);
  g_assert_cmpuint (ov_lane_chart_get_n_lanes (ov_run_detail_get_lanes (detail)), ==, 5);
  g_assert_false (ov_run_detail_is_making (detail, OV_RUN_DETAIL_LANES));
  ov_run_detail_set_run (detail, result, result->runs->pdata[0]);
  g_assert_false (ov_run_detail_has (detail, OV_RUN_DETAIL_LANES));
  g_assert_true (ov_run_detail_is_making (detail, OV_RUN_DETAIL_LANES));
  why = ov_run_detail_dup_why_not (detail, OV_RUN_DETAIL_LANES);
  g_assert_cmpstr (why, ==, "The requests of this run are being put into order.");
  ov_run_detail_set_run (detail, result, result->runs->pdata[2]);
  g_signal_connect_swapped (detail, "changed", G_CALLBACK (count_changes), &n);
  g_assert_false (ov_run_detail_has (detail, OV_RUN_DETAIL_LANES));
  while (n == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (ov_run_detail_is_making (detail, OV_RUN_DETAIL_LANES));
  g_assert_true (ov_run_detail_has (detail, OV_RUN_DETAIL_LANES));
  g_assert_true (ov_run_detail_get_lanes (detail) == lanes);
  ov_lanes_show_run (same, experiment, result->runs->pdata[2]);
  ov_lane_chart_set_subtitle (same, "a.one, 64K, repetition 1");
  words = ov_drawable_describe (OV_DRAWABLE (lanes));
  same_words = ov_drawable_describe (OV_DRAWABLE (same));
  g_assert_cmpstr (words, ==, same_words);
  g_assert_nonnull (strstr (words, "20"));
}

/* ---- The store ------------------------------------------------------------------------------ */

typedef struct
{
  GMainLoop *loop;
  OvLibraryItem *item;
} Saved;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Saved *saved = data;
  GError *error = NULL;

  saved->item = ov_result_store_save_finish (OV_RESULT_STORE (source), result, &error);
  g_assert_no_error (error);
  g_main_loop_quit (saved->loop);
}

static void
on_items (Saved *saved)
{
  g_main_loop_quit (saved->loop);
}

static void
test_store (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvResult) result = ov_result_new (experiment);
  g_autoptr (OvResultStore) store = ov_result_store_new ();
  g_autoptr (OvResultStore) again = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (OvLibraryItem) item = NULL;
  GListModel *items = ov_result_store_get_items (store);
  Saved saved = { loop, NULL };
  GError *error = NULL;

  g_ptr_array_add (result->runs, make_run ("a.one", 65536, 0, 0.001, "count=7"));
  result->date = 1764500000;
  ov_result_store_save_async (store, result, on_saved, &saved);
  g_main_loop_run (loop);
  item = g_object_ref (saved.item);
  g_assert_cmpuint (g_list_model_get_n_items (items), ==, 1);
  g_assert_true (g_file_test (ov_library_item_get_key (item), G_FILE_TEST_IS_REGULAR));

  g_assert_true (ov_result_store_remove (store, item, &error));
  g_assert_cmpuint (g_list_model_get_n_items (items), ==, 0);
  g_assert_false (g_file_test (ov_library_item_get_key (item), G_FILE_TEST_EXISTS));
  g_assert_true (ov_result_store_restore (store, item, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (items), ==, 1);

  /* Another store finds the file, and its title. */
  again = ov_result_store_new ();
  g_signal_connect_swapped (ov_result_store_get_items (again), "items-changed",
                            G_CALLBACK (on_items), &saved);
  ov_result_store_scan (again);
  g_main_loop_run (loop);
  g_assert_cmpuint (g_list_model_get_n_items (ov_result_store_get_items (again)), ==, 1);
  {
    g_autoptr (OvLibraryItem) found = g_list_model_get_item (ov_result_store_get_items (again), 0);

    g_assert_true (ov_library_item_matches (found, "two ways"));
    g_assert_false (ov_library_item_matches (found, "three"));
    g_assert_cmpstr (ov_library_item_get_experiment_id (found), ==, "two-ways");
  }
  /* What one takes away, the other does not offer any more. */
  g_assert_true (ov_result_store_remove (store, item, NULL));
  g_main_loop_run (loop);
  g_assert_cmpuint (g_list_model_get_n_items (ov_result_store_get_items (again)), ==, 0);
  ov_result_store_purge (store);
  g_assert_false (ov_result_store_restore (store, item, NULL));
}

static void
on_refused (OvResultStore *store, gpointer error, gpointer data)
{
  char **words = data;

  g_assert_null (*words);
  *words = g_strdup (((GError *)error)->message);
}

static void
on_dropped (gpointer data, GObject *store)
{
  g_main_loop_quit (data);
}

/* A scan holds its store until it has told everything. */
static char *
scan_once (void)
{
  OvResultStore *store = ov_result_store_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  char *words = NULL;

  g_signal_connect (store, "error", G_CALLBACK (on_refused), &words);
  g_object_weak_ref (G_OBJECT (store), on_dropped, loop);
  ov_result_store_scan (store);
  g_object_unref (store);
  g_main_loop_run (loop);
  return words;
}

/* A folder that is not there yet is no fault; one that cannot be read is told, with its path. */
static void
test_store_refused (void)
{
  g_autofree char *overlap = g_build_filename (g_get_user_data_dir (), "overlap", NULL);
  g_autofree char *results = g_build_filename (overlap, "results", NULL);
  g_autofree char *words = NULL;

  g_rmdir (results);
  g_assert_null (scan_once ());
  g_assert_cmpint (g_mkdir_with_parents (overlap, 0700), ==, 0);
  g_assert_true (g_file_set_contents (results, "", 0, NULL)); /* root may read any folder */
  words = scan_once ();
  g_assert_nonnull (words);
  g_assert_nonnull (strstr (words, results));
  g_assert_nonnull (strstr (words, g_strerror (ENOTDIR)));
  g_assert_cmpint (g_unlink (results), ==, 0);
}

/* The store's folder, and nothing else, was made below `home`. */
static void
remove_home (const char *home)
{
  g_autofree char *overlap = g_build_filename (home, "overlap", NULL);
  g_autofree char *results = g_build_filename (overlap, "results", NULL);

  g_rmdir (results);
  g_rmdir (overlap);
  g_assert_cmpint (g_rmdir (home), ==, 0);
}

/* GLib 2.74 loses memory when it isolates folders itself. */
int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("ov-test-gui-XXXXXX", NULL);
  int status;

  g_assert_nonnull (home);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/settings/defaults", test_settings_defaults);
  g_test_add_func ("/gui/settings/plan", test_settings_plan);
  g_test_add_func ("/gui/settings/nothing-chosen", test_settings_nothing_chosen);
  g_test_add_func ("/gui/settings/choose", test_settings_choose);
  g_test_add_func ("/gui/results/grow", test_results_grow);
  g_test_add_func ("/gui/results/follow", test_results_follow);
  g_test_add_func ("/gui/results/wrong-check", test_results_wrong_check);
  g_test_add_func ("/gui/results/in-pieces", test_results_in_pieces);
  g_test_add_func ("/gui/forecast", test_forecast);
  g_test_add_func ("/gui/detail/many-requests", test_detail_many_requests);
  g_test_add_func ("/gui/store", test_store);
  g_test_add_func ("/gui/store/refused", test_store_refused);
  status = g_test_run ();
  remove_home (home);
  return status;
}
