/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results: their file in good and bad condition, CSV, cells, and a hundred thousand runs.
 */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ov-clock.h"
#include "model/ov-experiment-private.h"
#include "model/ov-file.h"
#include "model/ov-result.h"
#include "ov-test-model.h"

static OvExperiment *
make_experiment (void)
{
  g_autoptr (JsonNode) node
      = test_node ("{\"overlap-experiment\":1,\"id\":\"count, \\\"a\\\"\",\"title\":\"T\","
                   "\"strategies\":[\"b.second\",\"a.first\",{\"strategy\":\"b.second\","
                   "\"label\":\"b.second, direct\"}],\"presets\":[{\"id\":\"p\",\"axes\":["
                   "{\"parameter\":\"size\",\"values\":[1]}]}]}");
  OvExperiment *experiment = ov_experiment_from_json (node, NULL, NULL);

  g_assert_nonnull (experiment);
  return experiment;
}

static OvResult *
new_result (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();

  return ov_result_new (experiment);
}

static OvResult *
full_result (void)
{
  OvResult *result = new_result ();
  OvTargetInfo *info = ov_target_info_new ();
  guint i;

  info->path = g_strdup ("/tmp/\xff");
  g_ptr_array_add (result->targets, info);
  result->machine = ov_machine_new ();
  result->machine->host = g_strdup ("host");
  result->date = 1700000000;
  result->preset = g_strdup ("p");
  result->x = OV_AXIS_BLOCK;
  result->partial = TRUE;
  for (i = 0; i < 2; i++)
    g_ptr_array_add (result->runs, test_run ());
  return result;
}

/* A finished run of `variant` (and strategy) with figures that can be counted on. */
static OvRun *
add_run (OvResult *result, const char *variant, double x, guint repetition, OvState state,
         gint64 elapsed_ns, const char *check)
{
  OvRunSpec *spec = ov_run_spec_new ();
  OvRun *run;

  spec->index = result->runs->len;
  spec->strategy = g_strdup (variant);
  g_free (spec->variant);
  spec->variant = g_strdup (variant);
  spec->target = g_strdup ("/tmp");
  spec->size = (guint64)x;
  spec->x = x;
  spec->repetition = repetition;
  run = ov_run_new (spec);
  run->state = state;
  run->elapsed_ns = elapsed_ns;
  run->cpu_ns = 500;
  run->bytes = 1000;
  run->check = g_strdup (check);
  g_ptr_array_add (result->runs, run);
  return run;
}

/* ---- The file ----------------------------------------------------------------------------- */

static OvResult *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  OvResult *result = ov_result_load (path, &error);

  g_assert_no_error (error);
  return result;
}

static void
test_round_trip (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  g_autoptr (OvResult) result = full_result ();
  g_autofree char *text = ov_result_to_text (result, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvResult) again = NULL;
  g_autofree char *text_again = NULL;
  g_autofree char *short_text = ov_result_to_text (result, FALSE);

  g_assert_true (ov_result_save (result, path, TRUE, &error));
  g_assert_no_error (error);
  again = load (path);
  text_again = ov_result_to_text (again, TRUE);
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpuint (again->runs->len, ==, 2);
  g_assert_cmpstr (((OvTargetInfo *)again->targets->pdata[0])->path, ==, "/tmp/\xff");
  g_assert_cmpint (again->x, ==, OV_AXIS_BLOCK);
  g_assert_true (again->partial);
  g_assert_cmpstr (again->preset, ==, "p");
  g_assert_cmpuint (ov_histogram_count (ov_run_get_latency (again->runs->pdata[0])), ==, 5);
  g_assert_null (strstr (short_text, "\"log\""));
  g_assert_cmpuint (test_folder_free (folder), ==, 1);
}

static void
test_empty (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (OvResult) again = NULL;
  g_autoptr (GPtrArray) cells = ov_result_cells (result);

  g_assert_cmpuint (cells->len, ==, 0);
  g_assert_true (ov_result_save (result, path, FALSE, NULL));
  again = load (path);
  g_assert_cmpuint (again->runs->len, ==, 0);
  g_assert_null (again->machine);
  g_assert_null (again->preset);
  test_folder_free (folder);
}

/* What is wrong with a file, and where. */
static void
test_faults (void)
{
#define EXPERIMENT                                                                                 \
  "\"experiment\":{\"overlap-experiment\":1,\"title\":\"T\",\"others\":true,\"new\":1,"            \
  "\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\",\"values\":[1]}]}]}"
#define RUN "{\"spec\":{\"strategy\":\"a\",\"job\":\"count\",\"target\":\"/\"},\"state\":\"done\"}"
  static const struct
  {
    const char *text;
    const char *fault; /* NULL: it is read */
  } texts[] = {
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[" RUN "],\"new\":{}}", NULL },
    { "{\"runs\":[" RUN "]," EXPERIMENT ",\"overlap-result\":1}", NULL },
    { "", "is not an Overlap result" },
    { "\x7f\x45LF", "is not an Overlap result" },
    { "a,b\n1,2\n", "is not an Overlap result" },
    { "[]", "is not an Overlap result" },
    { "{}", "is not an Overlap result" },
    { "{\"overlap-experiment\":1}", "is not an Overlap result" },
    { "{\"fio version\":\"fio-3.33\",\"runs\":[]}", "is not an Overlap result" },
    { "{\"overlap-result\":2,\"runs\":[{\"new\":1}]}",
      "overlap-result: written by a newer version" },
    { "{\"overlap-result\":2,\"runs\":{}}", "overlap-result: written by a newer version" },
    { "{\"overlap-result\":null}", "the key “overlap-result” is missing" },
    { "{\"overlap-result\":\"1\"}", "overlap-result: must be a whole number" },
    { "{\"overlap-result\":1}", "the key “experiment” is missing" },
    { "{\"overlap-result\":1," EXPERIMENT "}", "the key “runs” is missing" },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":{}}", "runs: must be an array" },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[" RUN ",{}]}",
      "runs[1]: the key “spec” is missing" },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[7]}", "runs[0]: must be an object" },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[],\"x\":\"time\"}", "x: “time” is unknown" },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[],\"machine\":{\"cores\":-1}}",
      "machine.cores: " },
    { "{\"overlap-result\":1," EXPERIMENT ",\"runs\":[],\"targets\":[{}]}",
      "targets[0]: the key “kind” is missing" },
    { "{\"overlap-result\":1,\"experiment\":{\"overlap-experiment\":1,\"title\":7},\"runs\":[]}",
      "experiment.title: must be a text" },
    { "{\"overlap-result\":1,\n" EXPERIMENT ",\n\"runs\":[" RUN ",\n" RUN, "line 4, column 68" },
  };
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (OvResult) result = NULL;

      g_assert_true (g_file_set_contents (path, texts[i].text, -1, NULL));
      result = ov_result_load (path, &error);
      if (texts[i].fault == NULL)
        g_assert_no_error (error);
      else
        {
          test_error (error, OV_ERROR_INVALID, texts[i].fault);
          test_error (error, OV_ERROR_INVALID, path);
        }
      g_assert_true ((result == NULL) == (error != NULL));
    }
  test_folder_free (folder);
}

static void
test_not_files (void)
{
  char *folder = test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (ov_result_load (missing, &error));
  test_error (error, OV_ERROR_NOT_FOUND, g_strerror (ENOENT));
  g_clear_error (&error);
  g_assert_null (ov_result_load (folder, &error));
  test_error (error, OV_ERROR_INVALID, g_strerror (EISDIR));
  g_clear_error (&error);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (ov_result_load (fifo, &error));
  test_error (error, OV_ERROR_INVALID, "not a regular file");
  g_clear_error (&error);
  g_assert_null (ov_result_load ("/dev/zero", &error));
  test_error (error, OV_ERROR_INVALID, "not a regular file");
  test_folder_free (folder);
}

/* The example of the document, and that it names every key of a run. */
static void
test_document (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "example.json", NULL);
  g_autofree char *document_path
      = g_test_build_filename (G_TEST_DIST, "docs", "result-format.md", NULL);
  g_autofree char *example = test_example ("result-format.md");
  g_autofree char *document = NULL;
  g_autoptr (OvResult) result = NULL;
  g_autoptr (OvRun) run = test_run ();
  g_autoptr (JsonNode) node = ov_run_to_json (run, TRUE);
  JsonObject *object = json_node_get_object (node);
  GList *keys
      = g_list_concat (json_object_get_members (object),
                       json_object_get_members (json_object_get_object_member (object, "spec")));
  GList *l;

  g_assert_true (g_file_set_contents (path, example, -1, NULL));
  result = load (path);
  g_assert_cmpuint (result->runs->len, ==, 1);
  g_assert_cmpuint (ov_histogram_count (ov_run_get_latency (result->runs->pdata[0])), ==, 17);
  g_assert_true (g_file_get_contents (document_path, &document, NULL, NULL));
  for (l = keys; l != NULL; l = l->next)
    {
      g_autofree char *quoted = g_strdup_printf ("`%s`", (char *)l->data);

      if (strstr (document, quoted) == NULL)
        g_error ("%s is not described", quoted);
    }
  g_list_free (keys);
  test_folder_free (folder);
}

/* A file in memory for the damaged text. */
static int damaged_fd;

static gboolean
read_result (const char *text, gsize length)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", damaged_fd);
  g_autoptr (OvResult) result = NULL;

  g_assert_cmpint (ftruncate (damaged_fd, 0), ==, 0);
  g_assert_cmpint (pwrite (damaged_fd, text, length, 0), ==, length);
  result = ov_result_load (path, NULL);
  if (result != NULL)
    {
      g_autofree char *csv = ov_result_to_csv (result);
      g_autoptr (GPtrArray) cells = ov_result_cells (result);

      g_assert_nonnull (csv);
      g_assert_cmpuint (cells->len, <=, result->runs->len);
    }
  return result != NULL;
}

static void
test_damaged (void)
{
  g_autoptr (OvResult) result = full_result ();
  g_autofree char *text = ov_result_to_text (result, TRUE);

  damaged_fd = memfd_create ("damaged", MFD_CLOEXEC);
  g_assert_cmpint (damaged_fd, >=, 0);
  g_strchomp (text); /* without its last newline it is whole */
  test_damage (text, read_result);
  close (damaged_fd);
}

/* ---- Saving ------------------------------------------------------------------------------- */

static void
assert_content (const char *path, const char *content)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, content);
}

static void
assert_save_fails (const char *path, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ov_file_save (path, "new", 3, &error));
  test_error (error, code, part);
  test_error (error, code, path);
}

static void
test_save (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *dangling = g_build_filename (folder, "dangling", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "where", NULL);
  struct stat st;
  mode_t mask = umask (027);

  g_assert_true (ov_file_save (path, "one", 3, NULL));
  umask (mask);
  assert_content (path, "one");
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0640);
  g_assert_cmpint (chmod (path, 0604), ==, 0);
  g_assert_cmpint (symlink ("a", link), ==, 0);
  g_assert_true (ov_file_save (link, "two", 3, NULL));
  assert_content (path, "two");
  g_assert_cmpint (lstat (link, &st), ==, 0);
  g_assert_true (S_ISLNK (st.st_mode));
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0604);
  g_assert_cmpint (symlink ("nothing/there", dangling), ==, 0);
  assert_save_fails (dangling, OV_ERROR_NOT_FOUND, g_strerror (ENOENT));
  assert_save_fails (nowhere, OV_ERROR_NOT_FOUND, g_strerror (ENOENT));
  assert_save_fails (folder, OV_ERROR_INVALID, g_strerror (EISDIR));
  assert_save_fails ("/dev/null", OV_ERROR_INVALID, "not a regular file");
  assert_save_fails ("/proc/ov-test", OV_ERROR_NOT_FOUND, "");
  g_assert_cmpuint (test_folder_free (folder), ==, 3); /* nothing else was left */
}

/* A full disk, as a limit to the size of files: the old file stays, nothing lies beside it. */
static void
test_no_space (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "a", NULL);
  g_autoptr (OvResult) result = full_result ();
  g_autoptr (GError) error = NULL;
  struct rlimit old;
  struct rlimit low;
  gboolean saved;

  g_assert_true (ov_file_save (path, "old", 3, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  low = old;
  low.rlim_cur = 1024;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &low), ==, 0);
  saved = ov_result_save (result, path, TRUE, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_false (saved);
  test_error (error, error->code, path);
  test_error (error, error->code, g_strerror (EFBIG));
  assert_content (path, "old");
  g_assert_cmpuint (test_folder_free (folder), ==, 1);
}

/* ---- CSV ---------------------------------------------------------------------------------- */

static void
test_csv (void)
{
  g_autoptr (OvResult) result = new_result ();
  OvRun *run = add_run (result, "a,b", 3, 2, OV_STATE_DONE, 1500000000, "count=1");
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  g_free (run->spec->target);
  run->spec->target = g_strdup ("/tmp/\"x\"\ny");
  run->effective = g_strdup ("a=1; b=2");
  run->user_ns = 4000000;
  run->stop_latency_ns = 1;
  run->teardown_ns = 0;
  run->peak_memory = 4096;
  add_run (result, "c", 9, 0, OV_STATE_SKIPPED, -1, NULL)->cause = g_strdup ("off");
  csv = ov_result_to_csv (result);
  g_assert_true (g_str_has_prefix (
      csv, "experiment,strategy,job,target,size,block,depth,condition,repetition,state,bytes,"
           "elapsed_s,cpu_s,user_s,system_s,check,effective,stop_latency_s,teardown_s,peak_memory,"
           "variant,"));
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5); /* one row holds a newline */
  g_assert_cmpstr (lines[1], ==, "\"count, \"\"a\"\"\",\"a,b\",count,\"/tmp/\"\"x\"\"");
  g_assert_true (g_str_has_prefix (lines[2],
                                   "y\",3,65536,2,cold,2,done,1000,1.5,0.0000005,0.004,,count=1,"
                                   "a=1; b=2,0.000000001,0,4096,\"a,b\",3,plain,e,sequential,0,"));
  g_assert_true (g_str_has_prefix (lines[3], "\"count, \"\"a\"\"\",c,count,/tmp,9,65536,2,cold,0,"
                                             "skipped,1000,,0.0000005,,,,,,,,c,9,"));
  g_assert_nonnull (strstr (lines[3], ",off,"));
}

/* Every row has as many cells as the heading, whatever is missing. */
static void
test_csv_width (void)
{
  g_autoptr (OvResult) result = full_result ();
  g_autofree char *csv = NULL;
  guint cells = 0;
  guint rows = 0;
  guint width = 0;
  gboolean quoted = FALSE;
  const char *c;

  g_ptr_array_add (result->runs, ov_run_new (NULL));
  csv = ov_result_to_csv (result);
  for (c = csv; *c != '\0'; c++)
    {
      quoted = *c == '"' ? !quoted : quoted;
      cells += !quoted && (*c == ',' || *c == '\n') ? 1 : 0;
      if (quoted || *c != '\n')
        continue;
      if (rows++ == 0)
        width = cells;
      g_assert_cmpuint (cells, ==, width);
      cells = 0;
    }
  g_assert_cmpuint (rows, ==, 4);
  g_assert_null (strstr (csv, "nan"));
  g_assert_null (strstr (csv, "inf"));
}

/* ---- Cells -------------------------------------------------------------------------------- */

static void
test_cells (void)
{
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (GPtrArray) cells = NULL;
  const OvCell *cell;
  GString *order = g_string_new (NULL);
  OvRun *stopped;
  guint i;

  /* The first to end is the last of the experiment. */
  add_run (result, "z.other", 1, 0, OV_STATE_DONE, 1000, "count=1");
  add_run (result, "b.second, direct", 1, 0, OV_STATE_DONE, 1000, "count=1");
  add_run (result, "a.first", 2, 0, OV_STATE_DONE, 1000, "count=1");
  for (i = 0; i < 10; i++)
    add_run (result, "a.first", 1, i, OV_STATE_DONE, 1000 + 100 * i, "count=1");
  stopped = add_run (result, "a.first", 1, 10, OV_STATE_STOPPED, 1, NULL);
  stopped->stop_latency_ns = 70;
  stopped->cause = g_strdup ("stopped");
  add_run (result, "b.second", 1, 0, OV_STATE_DONE, 3000, "count=1");
  add_run (result, "b.second", 1, 1, OV_STATE_DONE, 1000, "count=1");
  add_run (result, "b.second", 1, 2, OV_STATE_DONE, 2000, "count=1");
  add_run (result, "b.second, 64K", 1, 0, OV_STATE_FAILED, -1, NULL)->cause = g_strdup ("EIO");
  cells = ov_result_cells (result);
  for (i = 0; i < cells->len; i++)
    {
      cell = g_ptr_array_index (cells, i);
      g_string_append_printf (order, "%s %.0f;", cell->variant, cell->x);
    }
  g_assert_cmpstr (order->str, ==,
                   "b.second 1;b.second, 64K 1;a.first 1;a.first 2;b.second, direct 1;z.other 1;");
  g_string_free (order, TRUE);

  cell = g_ptr_array_index (cells, 0); /* three runs: the range */
  g_assert_cmpuint (cell->n_done, ==, 3);
  g_assert_false (cell->is_interval);
  g_assert_cmpfloat (cell->median_s, ==, 2e-6);
  g_assert_cmpfloat (cell->lo_s, ==, 1e-6);
  g_assert_cmpfloat (cell->hi_s, ==, 3e-6);
  g_assert_cmpfloat_with_epsilon (cell->rate, 5e8, 1);
  g_assert_cmpfloat (cell->cpu_per_gb, ==, 0.5);
  g_assert_cmpstr (cell->check, ==, "count=1");
  g_assert_cmpint (cell->stop_latency_ns, ==, -1);
  g_assert_null (cell->cause);

  cell = g_ptr_array_index (cells, 1); /* nothing done */
  g_assert_cmpuint (cell->n_done, ==, 0);
  g_assert_true (isnan (cell->median_s) && isnan (cell->lo_s) && isnan (cell->rate));
  g_assert_true (isnan (cell->cpu_per_gb));
  g_assert_cmpstr (cell->cause, ==, "EIO");
  g_assert_null (cell->check);

  cell = g_ptr_array_index (cells, 2); /* ten, and a stopped one that does not count */
  g_assert_cmpuint (cell->runs->len, ==, 11);
  g_assert_cmpuint (cell->n_done, ==, 10);
  g_assert_true (cell->is_interval);
  g_assert_cmpfloat_with_epsilon (cell->median_s, 1.45e-6, 1e-12);
  g_assert_cmpfloat (cell->lo_s, <, cell->median_s);
  g_assert_cmpfloat (cell->hi_s, >, cell->median_s);
  g_assert_cmpint (cell->stop_latency_ns, ==, 70);
  g_assert_cmpstr (cell->cause, ==, "stopped");
  {
    g_autoptr (GPtrArray) again = ov_result_cells (result);
    const OvCell *same = g_ptr_array_index (again, 2);

    g_assert_cmpfloat (same->lo_s, ==, cell->lo_s); /* the same figures each time */
    g_assert_cmpfloat (same->hi_s, ==, cell->hi_s);
  }
}

static guint
n_wrong (const OvResult *result, const char *variant)
{
  g_autoptr (GPtrArray) cells = ov_result_cells (result);
  guint i;

  for (i = 0; i < cells->len; i++)
    {
      const OvCell *cell = g_ptr_array_index (cells, i);

      if (g_str_equal (cell->variant, variant))
        return cell->n_wrong;
    }
  g_assert_not_reached ();
}

static void
test_wrong (void)
{
  g_autoptr (OvResult) result = new_result ();
  guint i;

  /* One strategy that is wrong ten times has one vote against two. */
  for (i = 0; i < 10; i++)
    add_run (result, "liar", 1, i, OV_STATE_DONE, 1000, "count=7");
  add_run (result, "a", 1, 0, OV_STATE_DONE, 1000, "count=8");
  add_run (result, "b", 1, 0, OV_STATE_DONE, 1000, "count=8");
  add_run (result, "c", 1, 0, OV_STATE_FAILED, 1000, "count=9");
  add_run (result, "d", 1, 0, OV_STATE_DONE, 1000, NULL);
  g_assert_cmpuint (n_wrong (result, "liar"), ==, 10);
  g_assert_cmpuint (n_wrong (result, "a"), ==, 0);
  g_assert_cmpuint (n_wrong (result, "c"), ==, 0);
  g_assert_cmpuint (n_wrong (result, "d"), ==, 0);
  /* Another size, another work: another value. */
  add_run (result, "e", 2, 0, OV_STATE_DONE, 1000, "count=99");
  add_run (result, "f", 1, 0, OV_STATE_DONE, 1000, "crc32c=1")->spec->work = OV_WORK_CRC32C;
  g_assert_cmpuint (n_wrong (result, "e"), ==, 0);
  g_assert_cmpuint (n_wrong (result, "f"), ==, 0);
  /* One against one: nobody can say who is right. */
  add_run (result, "g", 2, 0, OV_STATE_DONE, 1000, "count=98");
  g_assert_cmpuint (n_wrong (result, "e"), ==, 1);
  g_assert_cmpuint (n_wrong (result, "g"), ==, 1);
}

/* ---- In several threads -------------------------------------------------------------------- */

/* More runs than are read one after the other; brackets, quotes and escapes stand in texts. */
static char *
many_text (void)
{
  g_autoptr (OvResult) result = new_result ();

  for (guint i = 0; i < 2500; i++)
    {
      OvRun *run = add_run (result, "a]}\"{[\\", i, 0, OV_STATE_DONE, 1000 + i, "count=1");

      run->spec->repetition = i;
    }
  return ov_result_to_text (result, FALSE);
}

static OvResult *
load_text (const char *text, GError **error)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "many.json", NULL);
  OvResult *result;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  result = ov_result_load (path, error);
  test_folder_free (folder);
  return result;
}

/* The text with what stands behind the n-th `from` replaced. */
static char *
damage (const char *text, const char *from, guint n, const char *to)
{
  const char *at = text;

  for (guint i = 0; i < n; i++)
    {
      at = strstr (at + 1, from);
      g_assert_nonnull (at);
    }
  return g_strdup_printf ("%.*s%s%s", (int)(at - text), text, to, at + strlen (from));
}

static void
test_threads (void)
{
  static const struct
  {
    const char *from;
    const char *to;
    const char *says;
  } faults[] = {
    { "\"elapsed\":", "\"elapsed\":\"x\"+", "line " },
    { "\"elapsed\":", "\"elapsed\":-", "runs[2000].elapsed" },
    { "{\"spec\":", "{\"spec\":7,\"x\":", "runs[2000].spec" },
    { "{\"spec\":", "[\"spec\":", "line " },
    { "\"state\":", "\"state\" ", "line " },
  };
  g_autofree char *text = many_text ();
  g_autoptr (OvResult) result = load_text (text, NULL);
  g_autofree char *again = NULL;

  g_assert_nonnull (result);
  g_assert_cmpuint (result->runs->len, ==, 2500);
  for (guint i = 0; i < 2500; i++)
    g_assert_cmpuint (((OvRun *)result->runs->pdata[i])->spec->repetition, ==, i);
  again = ov_result_to_text (result, FALSE);
  g_assert_cmpstr (again, ==, text);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *bad = damage (text, faults[i].from, 2001, faults[i].to);
      g_autoptr (GError) error = NULL;

      g_assert_null (load_text (bad, &error));
      test_error (error, OV_ERROR_INVALID, faults[i].says);
    }
}

/* ---- Size --------------------------------------------------------------------------------- */

/* Peak of the process's memory in bytes, counted from now on. */
static void
reset_peak (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");

  if (file == NULL)
    return;
  fputs ("5", file);
  fclose (file);
}

static gint64
status_bytes (const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  at = strstr (text, key);
  g_assert_nonnull (at);
  return g_ascii_strtoll (at + strlen (key), NULL, 10) * 1024;
}

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED /* whose own memory is many times that of the program */
#define MANY 20000
#else
#define MANY 100000
#endif

/* Says how long it takes; what is tested is that nothing but the runs and the text, once, lies in
 * memory. */
static void
test_many (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "many.json", NULL);
  g_autoptr (OvResult) result = new_result ();
  g_autoptr (OvResult) again = NULL;
  g_autoptr (GPtrArray) cells = NULL;
  g_autofree char *csv = NULL;
  struct stat st;
  gint64 before;
  gint64 peak;
  gint64 start;
  double save_s;
  double load_s;
  double cells_s;
  double csv_s;
  guint i;

  for (i = 0; i < MANY; i++)
    {
      g_autofree char *variant = g_strdup_printf ("family.strategy-%u", i % 20);
      OvRun *run = add_run (result, variant, 1024000 * (double)(i / 20 % (MANY / 100) + 1),
                            i / (MANY / 5), OV_STATE_DONE, 1000000 + i, "count=21904");
      guint j;

      run->latency = g_new (OvHistogram, 1);
      ov_histogram_init (run->latency);
      for (j = 0; j < 20; j++)
        ov_histogram_add (run->latency, 1000 * (guint64)(j + 1) + i % 100);
      ov_run_pack_latency (run);
    }
  start = ov_clock_process_cpu_ns ();
  g_assert_true (ov_result_save (result, path, FALSE, NULL));
  save_s = (double)(ov_clock_process_cpu_ns () - start) / 1e9;
  g_clear_pointer (&result, ov_result_unref);
  g_assert_cmpint (stat (path, &st), ==, 0);
  before = status_bytes ("VmRSS:");
  reset_peak ();
  start = ov_clock_process_cpu_ns ();
  again = load (path);
  load_s = (double)(ov_clock_process_cpu_ns () - start) / 1e9;
  peak = status_bytes ("VmHWM:");
  start = ov_clock_process_cpu_ns ();
  cells = ov_result_cells (again);
  cells_s = (double)(ov_clock_process_cpu_ns () - start) / 1e9;
  start = ov_clock_process_cpu_ns ();
  csv = ov_result_to_csv (again);
  csv_s = (double)(ov_clock_process_cpu_ns () - start) / 1e9;
  g_test_message (
      "%d runs, %.1f MB of text, CPU seconds: save %.2f s, load %.2f s, cells %.2f s, CSV %.2f s; "
      "memory %.1f MB before, %.1f MB at the peak of loading",
      MANY, (double)st.st_size / 1e6, save_s, load_s, cells_s, csv_s, (double)before / 1e6,
      (double)peak / 1e6);
  g_assert_cmpuint (again->runs->len, ==, MANY);
  g_assert_cmpuint (cells->len, ==, MANY / 5);
  g_assert_cmpuint (((OvCell *)cells->pdata[MANY / 5 - 1])->n_done, ==, 5);
#ifndef SANITIZED
  /* The text once, and less than 4 KB for each run, its 18 KB of histogram packed. */
  g_assert_cmpint (peak, <, before + st.st_size + MANY * (gint64)4096);
#endif
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/round-trip", test_round_trip);
  g_test_add_func ("/result/empty", test_empty);
  g_test_add_func ("/result/faults", test_faults);
  g_test_add_func ("/result/not-files", test_not_files);
  g_test_add_func ("/result/document", test_document);
  g_test_add_func ("/result/damaged", test_damaged);
  g_test_add_func ("/result/save", test_save);
  g_test_add_func ("/result/no-space", test_no_space);
  g_test_add_func ("/result/csv", test_csv);
  g_test_add_func ("/result/csv-width", test_csv_width);
  g_test_add_func ("/result/cells", test_cells);
  g_test_add_func ("/result/wrong", test_wrong);
  g_test_add_func ("/result/threads", test_threads);
  g_test_add_func ("/result/many", test_many);
  return g_test_run ();
}
