/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiment files: defaults, every key, faults with their place, folders of them, overlays, and
 * the experiments that are part of the program.
 */
#include "config.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/ov-experiment.h"
#include "ov-test-model.h"

#define PRESETS "\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\",\"values\":[1]}]}]"
#define HEAD    "\"overlap-experiment\":1,\"title\":\"T\""

static const char full[]
    = "{\"overlap-experiment\":1,\"id\":\"full\",\"title\":\"Title\",\"summary\":\"Sum\","
      "\"learn\":[\"One.\",\"Two.\"],\"order\":5,"
      "\"target\":\"simulated:disk-1995\",\"job\":\"blocks\",\"repetitions\":3,"
      "\"size\":\"1G\",\"block\":\"4K\",\"depth\":16,\"condition\":\"bypassed\",\"work\":\"none\","
      "\"positions\":\"random\",\"requests\":9007199254740993,\"letter\":\"x\",\"density\":0.5,"
      "\"seed\":-1,\"timing\":\"timeline\",\"time-limit\":1.5,\"others\":true,"
      "\"neighbour\":\"shared\",\"stop-after\":0.25,\"chart\":\"lost\",\"profile\":true,"
      "\"strategies\":[\"posix.pread\",{\"strategy\":\"uring.wait\",\"label\":\"ring\","
      "\"block\":\"1G\",\"depth\":256,\"condition\":\"warm\",\"work\":\"crc32c\","
      "\"options\":{\"fixed\":true,\"hint\":\"none\",\"n\":7},\"off\":true}],"
      "\"presets\":[{\"id\":\"a\",\"title\":\"A\",\"axes\":[{\"parameter\":\"block\","
      "\"values\":[512,\"4K\"]},{\"parameter\":\"depth\",\"values\":[1,16]}],\"repetitions\":2,"
      "\"size\":\"2G\",\"block\":\"8K\",\"depth\":3,\"access\":\"write\",\"width\":4},"
      "{\"id\":\"b\",\"axes\":[{\"parameter\":\"size\",\"values\":[0,9223372036854775807]}]}],"
      "\"overlay\":{\"file\":\"x.csv\",\"title\":\"O\",\"x-column\":\"x\",\"x-scale\":2,"
      "\"columns\":[\"y\"],\"labels\":[\"why\"],\"y-scale\":0.001}}";

static OvExperiment *
parse (const char *text, GError **error)
{
  g_autoptr (JsonNode) node = test_node (text);

  return ov_experiment_from_json (node, "name", error);
}

static void
test_defaults (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) e
      = parse ("{" HEAD ",\"strategies\":[\"posix.read\"]," PRESETS "}", &error);
  const OvVariant *variant;

  g_assert_no_error (error);
  g_assert_cmpstr (e->id, ==, "name");
  g_assert_null (e->path);
  g_assert_cmpstr (e->summary, ==, "");
  g_assert_null (e->learn);
  g_assert_cmpuint (e->job, ==, OV_JOB_COUNT);
  g_assert_cmpuint (e->repetitions, ==, 10);
  g_assert_cmpuint (e->block, ==, 65536);
  g_assert_cmpuint (e->depth, ==, 2);
  g_assert_cmpint (e->condition, ==, OV_CONDITION_COLD);
  g_assert_cmpuint (e->work, ==, OV_WORK_PLAIN);
  g_assert_cmpint (e->letter, ==, 'e');
  g_assert_cmpfloat (e->density, ==, 0.02);
  g_assert_cmpuint (e->timing, ==, OV_TIMING_LATENCY);
  g_assert_cmpint (e->time_limit_ns, ==, 0);
  g_assert_cmpint (e->neighbour, ==, OV_NEIGHBOUR_NONE);
  g_assert_cmpint (e->stop_after_ns, ==, 0);
  g_assert_cmpint (e->figure, ==, OV_FIGURE_ELAPSED);
  g_assert_false (e->others);
  variant = g_ptr_array_index (e->variants, 0);
  g_assert_cmpstr (variant->label, ==, "posix.read");
  g_assert_cmpint (variant->condition, ==, -1);
  g_assert_cmpint (variant->work, ==, -1);
  g_assert_false (variant->off);
}

static void
test_round_trip (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) e = parse (full, &error);
  g_autofree char *text = NULL;
  g_autofree char *text_again = NULL;
  g_autoptr (OvExperiment) again = NULL;
  const OvVariant *variant;
  const OvPreset *preset;

  g_assert_no_error (error);
  text = test_text (ov_experiment_to_json (e));
  again = parse (text, &error);
  g_assert_no_error (error);
  text_again = test_text (ov_experiment_to_json (again));
  g_assert_cmpstr (text_again, ==, text);
  g_assert_cmpint (again->number, ==, 5);
  g_assert_cmpstr (again->target, ==, "simulated:disk-1995");
  g_assert_cmpuint (again->requests, ==, G_GUINT64_CONSTANT (9007199254740993));
  g_assert_cmpuint (again->seed, ==, G_MAXUINT64);
  g_assert_cmpint (again->time_limit_ns, ==, 1500000000);
  g_assert_cmpuint (again->order, ==, OV_ORDER_RANDOM);
  variant = g_ptr_array_index (again->variants, 1);
  g_assert_cmpuint (variant->block, ==, 1 << 30);
  g_assert_cmpuint (variant->depth, ==, 256);
  g_assert_cmpint (variant->work, ==, OV_WORK_CRC32C);
  g_assert_true (variant->off);
  g_assert_cmpuint (g_hash_table_size (variant->options), ==, 3);
  preset = ov_experiment_find_preset (again, "a");
  g_assert_cmpuint (preset->axes->len, ==, 2);
  g_assert_cmpuint (preset->size, ==, G_GUINT64_CONSTANT (2) << 30);
  g_assert_cmpint (preset->access, ==, OV_ACCESS_WRITE);
  g_assert_cmpuint (preset->width, ==, 4);
  preset = ov_experiment_find_preset (again, "b");
  g_assert_cmpint (preset->access, ==, -1);
  g_assert_cmpuint (preset->width, ==, 0);
  g_assert_cmpstr (preset->title, ==, "b");
  g_assert_cmpuint (
      g_array_index (((OvExperimentAxis *)preset->axes->pdata[0])->values, guint64, 1), ==,
      G_MAXINT64);
  g_assert_null (ov_experiment_find_preset (again, "c"));
  g_assert_cmpstr (again->overlay->labels->pdata[0], ==, "why");
  g_assert_cmpint (again->neighbour, ==, OV_NEIGHBOUR_SHARED);
  g_assert_cmpint (again->stop_after_ns, ==, 250000000);
  g_assert_cmpint (again->figure, ==, OV_FIGURE_LOST);
  g_assert_true (again->profile);
}

static void
test_faults (void)
{
#define WITH(text)       "{" HEAD ",\"strategies\":[\"a.b\"]," PRESETS "," text "}"
#define STRATEGIES(text) "{" HEAD "," PRESETS ",\"strategies\":" text "}"
#define AXES(text)                                                                                 \
  "{" HEAD ",\"strategies\":[\"a.b\"],\"presets\":[{\"id\":\"p\",\"axes\":" text "}]}"
  static const struct
  {
    const char *text;
    const char *fault;
  } texts[] = {
    { "[]", "must be an object" },
    { "{}", "the key “overlap-experiment” is missing" },
    { "{\"overlap-experiment\":2,\"titel\":1}", "overlap-experiment: written for a newer version" },
    { "{\"overlap-experiment\":0}", "overlap-experiment: must be at least 1" },
    { "{\"overlap-experiment\":\"1\"}", "overlap-experiment: must be a whole number" },
    { "{\"overlap-experiment\":1}", "the key “title” is missing" },
    { WITH ("\"reptitions\":1"), "reptitions: unknown key; perhaps repetitions?" },
    { WITH ("\"neighbour\":\"loud\""), "neighbour: “loud” is unknown" },
    { WITH ("\"chart\":1"), "chart: " },
    { WITH ("\"stop-after\":-1"), "stop-after: " },
    { WITH ("\"job\":\"cuont\""), "job: “cuont” is unknown" },
    { WITH ("\"repetitions\":0"), "repetitions: must be from 1 to 10000, not 0" },
    { WITH ("\"block\":\"5X\""), "block: " },
    { WITH ("\"target\":\"/home\""), "target: must be a simulated disk" },
    { WITH ("\"target\":\"simulated:x\""), "target: There is no simulated disk" },
    { WITH ("\"block\":-1"), "block: " },
    { WITH ("\"size\":9223372036854775808"), "size: " },
    { WITH ("\"size\":\"9223372036854775808\""), "size: " },
    { WITH ("\"depth\":257"), "depth: must be from 1 to 256, not 257" },
    { WITH ("\"letter\":\"\""), "letter: " },
    { WITH ("\"letter\":10"), "letter: must be a printable" },
    { WITH ("\"density\":1.5"), "density: must be from 0 to 1, not 1.5" },
    { WITH ("\"time-limit\":-1"), "time-limit: " },
    { WITH ("\"learn\":\"text\""), "learn: must be an array" },
    { WITH ("\"others\":1"), "others: must be true or false" },
    { WITH ("\"overlay\":{}"), "overlay: the key “file” is missing" },
    { WITH ("\"overlay\":{\"file\":\"f\",\"x-column\":\"x\",\"columns\":[\"a\"]}"),
      "overlay.labels: must hold one label" },
    { WITH ("\"overlay\":{\"file\":\"f\",\"x-column\":\"x\",\"columns\":[]}"),
      "overlay.columns: must hold 1 to 12" },
    { WITH ("\"overlay\":{\"file\":\"f\",\"x-column\":\"x\",\"x-scal\":1,\"columns\":[\"a\"],"
            "\"labels\":[\"a\"]}"),
      "overlay.x-scal: unknown key; perhaps x-scale" },
    { "{" HEAD "," PRESETS "}", "“strategies” names none" },
    { STRATEGIES ("[]"), "“strategies” names none" },
    { STRATEGIES ("[\"\"]"), "strategies[0]: must not be empty" },
    { STRATEGIES ("[7]"), "strategies[0]: must be an object" },
    { STRATEGIES ("[{}]"), "strategies[0]: the key “strategy” is missing" },
    { STRATEGIES ("[\"a\",\"b\",{\"strategy\":\"c\",\"blok\":1}]"),
      "strategies[2].blok: unknown key; perhaps block?" },
    { STRATEGIES ("[\"a\",{\"strategy\":\"c\",\"block\":\"2G\"}]"),
      "strategies[1].block: must be from 1 to 1G, not \"2G\"" },
    { STRATEGIES ("[\"a\",\"b\",\"a\"]"), "strategies[2]: the label “a” stands twice" },
    { STRATEGIES ("[{\"strategy\":\"a\",\"options\":{\"x\":[1]}}]"),
      "strategies[0].options: the value of “x”" },
    { STRATEGIES ("[{\"strategy\":\"a\",\"condition\":\"hot\"}]"),
      "strategies[0].condition: “hot” is unknown; allowed are warm, cold, bypassed" },
    { "{" HEAD ",\"strategies\":[\"a\"]}", "presets: must hold at least one preset" },
    { "{" HEAD ",\"strategies\":[\"a\"],\"presets\":[{\"axes\":[]}]}",
      "presets[0]: the key “id” is missing" },
    { AXES ("[]"), "presets[0].axes: must hold one or two axes" },
    { AXES ("[{\"parameter\":\"speed\",\"values\":[1]}]"),
      "presets[0].axes[0].parameter: “speed” is unknown" },
    { AXES ("[{\"parameter\":\"size\"}]"), "presets[0].axes[0].values: must hold 1 to" },
    { AXES ("[{\"parameter\":\"size\",\"values\":[1,\"1K\",1024]}]"),
      "presets[0].axes[0].values[2]: stands twice" },
    { AXES ("[{\"parameter\":\"size\",\"values\":[\"5X\"]}]"), "presets[0].axes[0].values[0]: " },
    { AXES ("[{\"parameter\":\"depth\",\"values\":[0]}]"),
      "presets[0].axes[0].values[0]: must be from 1 to 256" },
    { AXES ("[{\"parameter\":\"size\",\"values\":[1]},{\"parameter\":\"size\",\"values\":[2]}]"),
      "presets[0].axes[1]: walks through the same parameter" },
    { "{" HEAD ",\"strategies\":[\"a\"],\"presets\":[{\"id\":\"p\",\"axes\":[{\"parameter\":"
      "\"size\",\"values\":[1]}]},{\"id\":\"p\",\"axes\":[{\"parameter\":\"size\",\"values\":[1]}]"
      "}]}",
      "presets[1]: the id “p” stands twice" },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse (texts[i].text, &error));
      test_error (error, OV_ERROR_INVALID, texts[i].fault);
    }
}

static gboolean
read_experiment (const char *text, gsize length)
{
  g_autoptr (JsonNode) node = ov_json_parse (text, (gssize)length, NULL);
  g_autoptr (OvExperiment) e = node != NULL ? ov_experiment_from_json (node, "x", NULL) : NULL;

  return e != NULL;
}

static void
test_damaged (void)
{
  test_damage (full, read_experiment);
}

/* ---- Files -------------------------------------------------------------------------------- */

static char *
put (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
assert_load_fails (const char *path, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ov_experiment_load (path, &error));
  test_error (error, code, part);
  test_error (error, code, path);
}

static void
test_load (void)
{
  char *folder = test_folder_new ();
  g_autofree char *good
      = put (folder, "good.one.overlap.json", "{" HEAD ",\"others\":true," PRESETS "}");
  g_autofree char *bad = put (folder, "bad.json", "{\n\"overlap-experiment\": 1,\n nonsense");
  g_autofree char *unknown
      = put (folder, "u.json", "{" HEAD ",\"others\":true,\"x\":1," PRESETS "}");
  g_autofree char *missing = g_build_filename (folder, "missing.json", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo.json", NULL);
  g_autofree char *secret = put (folder, "secret.json", "{}");
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) e = ov_experiment_load (good, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (e->id, ==, "good.one");
  g_assert_cmpstr (e->path, ==, good);
  assert_load_fails (bad, OV_ERROR_INVALID, "line 3, column 2");
  assert_load_fails (unknown, OV_ERROR_INVALID, "x: unknown key");
  assert_load_fails (missing, OV_ERROR_NOT_FOUND, g_strerror (ENOENT));
  assert_load_fails (folder, OV_ERROR_INVALID, g_strerror (EISDIR));
  assert_load_fails ("/dev/zero", OV_ERROR_INVALID, "not a regular file");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_load_fails (fifo, OV_ERROR_INVALID, "not a regular file");
  g_assert_cmpint (chmod (secret, 0), ==, 0);
  if (geteuid () != 0)
    assert_load_fails (secret, OV_ERROR_PERMISSION, g_strerror (EACCES));
  test_folder_free (folder);
}

static void
note_error (const GError *error, gpointer data)
{
  GString *all = data;

  g_string_append_printf (all, "%s\n", error->message);
}

static void
test_load_all (void)
{
#define NUMBERED(title, rest)                                                                      \
  "{\"overlap-experiment\":1,\"others\":true,\"title\":\"" title "\"," rest PRESETS "}"
  char *own = test_folder_new ();
  char *installed = test_folder_new ();
  const char *folders[] = { own, "/nonexistent/overlap", installed, NULL };
  GString *errors = g_string_new (NULL);
  g_autoptr (GPtrArray) all = NULL;
  GString *order = g_string_new (NULL);
  guint i;

  g_free (put (own, "a.json", NUMBERED ("Mine", "\"order\":50,")));
  g_free (put (own, "twin.json", NUMBERED ("Twin", "\"id\":\"a\",")));
  g_free (put (own, "bad.json", "{"));
  g_free (put (own, ".hidden.json", "{"));
  g_free (put (own, "notes.txt", "{"));
  g_free (put (installed, "a.json", NUMBERED ("Theirs", "\"order\":1,")));
  g_free (put (installed, "b.json", NUMBERED ("Zebra", "\"order\":7,")));
  g_free (put (installed, "c.json", NUMBERED ("Bee", "\"order\":7,")));
  g_free (put (installed, "d.json", NUMBERED ("Last", "")));
  all = ov_experiment_load_all (folders, note_error, errors);
  for (i = 0; i < all->len; i++)
    g_string_append_printf (order, "%s ", ((OvExperiment *)all->pdata[i])->title);
  g_assert_cmpstr (order->str, ==, "Bee Zebra Mine Last ");
  g_assert_nonnull (strstr (errors->str, "bad.json: line 1, column 2"));
  g_assert_nonnull (strstr (errors->str, "twin.json: another experiment"));
  g_assert_null (strstr (errors->str, "hidden"));
  g_assert_null (strstr (errors->str, "nonexistent"));
  g_string_free (errors, TRUE);
  g_string_free (order, TRUE);
  test_folder_free (own);
  test_folder_free (installed);
}

static void
test_folders (void)
{
  g_auto (GStrv) folders = ov_experiment_folders ();
  g_autofree char *articles = ov_articles_folder ();

  g_assert_cmpuint (g_strv_length (folders), ==, 2);
  g_assert_true (g_str_has_suffix (folders[0], "/overlap/experiments"));
  g_assert_true (g_file_test (folders[1], G_FILE_TEST_IS_DIR));
  g_assert_true (g_file_test (articles, G_FILE_TEST_IS_DIR));
}

/* Every experiment and overlay that comes with the program. */
static void
test_installed (void)
{
  g_auto (GStrv) folders = ov_experiment_folders ();
  const char *installed[] = { folders[1], NULL };
  GString *errors = g_string_new (NULL);
  g_autoptr (GPtrArray) all = ov_experiment_load_all (installed, note_error, errors);
  guint i;

  g_assert_cmpstr (errors->str, ==, "");
  g_assert_cmpuint (all->len, >, 0);
  for (i = 0; i < all->len; i++)
    {
      OvExperiment *e = g_ptr_array_index (all, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) rows = NULL;

      if (e->overlay == NULL)
        continue;
      rows = ov_overlay_load (e->overlay, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (rows->len, >, 0);
    }
  g_string_free (errors, TRUE);
}

static void
test_count_a_letter (void)
{
  g_auto (GStrv) folders = ov_experiment_folders ();
  g_autofree char *path = g_build_filename (folders[1], "count-a-letter.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) e = ov_experiment_load (path, &error);
  g_autoptr (GArray) rows = NULL;
  const OvPreset *preset;
  const OvOverlayRow *row;

  g_assert_no_error (error);
  preset = ov_experiment_find_preset (e, NULL);
  g_assert_cmpstr (preset->id, ==, "article");
  g_assert_nonnull (ov_experiment_find_preset (e, "today"));
  rows = ov_overlay_load (e->overlay, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 5);
  row = &g_array_index (rows, OvOverlayRow, 4);
  g_assert_cmpfloat (row->x, ==, 5000.0 * 1024);
  g_assert_cmpfloat_with_epsilon (row->y[0], 6.608, 1e-9);
  g_assert_cmpfloat_with_epsilon (row->y[2], 1.183, 1e-9);
  g_assert_true (isnan (row->y[3]));
}

/* The example of the document, and that it names every key. */
static void
test_document (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "docs", "experiments.md", NULL);
  g_autofree char *example = test_example ("experiments.md");
  g_autofree char *document = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (OvExperiment) e = parse (example, &error);
  g_autoptr (JsonNode) node = test_node (full);
  GList *keys = json_object_get_members (json_node_get_object (node));
  GList *l;

  g_assert_no_error (error);
  g_assert_cmpuint (e->presets->len, ==, 2);
  g_assert_true (g_file_get_contents (path, &document, NULL, NULL));
  for (l = keys; l != NULL; l = l->next)
    {
      g_autofree char *quoted = g_strdup_printf ("`%s`", (char *)l->data);

      g_assert_nonnull (strstr (document, quoted));
    }
  g_list_free (keys);
}

static void
test_overlay (void)
{
  static const struct
  {
    const char *csv;
    const char *fault; /* NULL: two rows */
  } texts[] = {
    { "# remark\nx,y,\"z, q\"\n32K,5,\"1\"\n\n64K,,2.5\r\n", NULL },
    { "x,y,\"z, q\"\n1,2\n,,\n2,3,4\n", NULL },
    { "", "no heading line" },
    { "# only\n", "no heading line" },
    { "x,yy,\"z, q\"\n", "line 1: no column “y”; perhaps yy?" },
    { "x,y,\"z, q\"\n1,2,3\n1,two,3\n", "line 3: “two” is not a number" },
    { "x,y,\"z, q\"\n1,nan,3\n", "line 2: “nan” is not a number" },
    { "x,y,\"z, q\"\n1,1e999,3\n", "line 2: “1e999” is not a number" },
    { "x,y,\"z, q\"\n1,\xff,3\n", "not UTF-8" },
  };
  g_autoptr (OvExperiment) e = parse (full, NULL);
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "o.csv", NULL);
  gsize i;

  g_free (e->overlay->file);
  e->overlay->file = g_strdup (path);
  g_ptr_array_add (e->overlay->columns, g_strdup ("z, q"));
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) rows = NULL;

      g_assert_true (g_file_set_contents (path, texts[i].csv, -1, NULL));
      rows = ov_overlay_load (e->overlay, &error);
      if (texts[i].fault != NULL)
        {
          g_assert_null (rows);
          test_error (error, OV_ERROR_INVALID, texts[i].fault);
          test_error (error, OV_ERROR_INVALID, path);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (rows->len, ==, 2);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (ov_overlay_load (e->overlay, &error));
    test_error (error, OV_ERROR_NOT_FOUND, path);
  }
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiment/defaults", test_defaults);
  g_test_add_func ("/experiment/round-trip", test_round_trip);
  g_test_add_func ("/experiment/faults", test_faults);
  g_test_add_func ("/experiment/damaged", test_damaged);
  g_test_add_func ("/experiment/load", test_load);
  g_test_add_func ("/experiment/load-all", test_load_all);
  g_test_add_func ("/experiment/folders", test_folders);
  g_test_add_func ("/experiment/installed", test_installed);
  g_test_add_func ("/experiment/count-a-letter", test_count_a_letter);
  g_test_add_func ("/experiment/document", test_document);
  g_test_add_func ("/experiment/overlay", test_overlay);
  return g_test_run ();
}
