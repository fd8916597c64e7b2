// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The window's widgets by themselves: every template can be made, boxes lay out as they say, and
 * nothing ticks that nobody sees. Needs a display.
 */
#include "config.h"

#include <adwaita.h>

#include "gui/ov-disk-dialog.h"
#include "gui/ov-banner.h"
#include "gui/ov-chart-view.h"
#include "gui/ov-compare-view.h"
#include "gui/ov-export-dialog.h"
#include "gui/ov-learn-view.h"
#include "gui/ov-option-row.h"
#include "gui/ov-preferences.h"
#include "gui/ov-preflight-strip.h"
#include "gui/ov-reflow.h"
#include "gui/ov-resources.h"
#include "gui/ov-results-table.h"
#include "gui/ov-results-view.h"
#include "gui/ov-run-view.h"
#include "gui/ov-table-view.h"
#include "gui/ov-settings-dialog.h"
#include "gui/ov-sidebar.h"
#include "gui/ov-table-dialog.h"
#include "gui/ov-time-chart-view.h"
#include "gui/ov-window.h"
#include "gui/ov-wrap-layout.h"

static const char experiment_text[]
    = "{ \"overlap-experiment\": 1, \"title\": \"One way\", \"summary\": \"s\", \"learn\": [ \"l\" "
      "],"
      "  \"job\": \"count\", \"strategies\": [ { \"strategy\": \"a.one\", \"options\": { \"n\": 3 "
      "} } ],"
      "  \"presets\": [ { \"id\": \"small\", \"title\": \"Small\", \"axes\": [ { \"parameter\": "
      "\"size\", \"values\": [ \"64K\", \"128K\" ] } ] } ] }";

static OvExperiment *
make_experiment (void)
{
  g_autoptr (JsonNode) node = json_from_string (experiment_text, NULL);
  GError *error = NULL;
  OvExperiment *experiment = ov_experiment_from_json (node, "one-way", &error);

  g_assert_no_error (error);
  return experiment;
}

static OvOptionInfo *
make_option (guint kind, const char *name, gint64 standard)
{
  OvOptionInfo *option = ov_option_info_new ();

  option->kind = kind;
  option->name = g_strdup (name);
  option->title = g_strdup (name);
  option->help = g_strdup ("");
  option->minimum = 0;
  option->maximum = kind == OV_OPTION_BOOL ? 1 : kind == OV_OPTION_CHOICE ? 1 : 1 << 20;
  option->standard = standard;
  if (kind == OV_OPTION_CHOICE)
    option->choices = g_strsplit ("left right", " ", 0);
  return option;
}

static OvStrategyInfo *
make_strategy (void)
{
  OvStrategyInfo *info = ov_strategy_info_new ();

  info->id = g_strdup ("a.one");
  info->title = g_strdup ("One");
  info->summary = g_strdup ("The only one");
  info->family = g_strdup ("a");
  info->module = g_strdup ("/a.so");
  info->source = g_strdup ("/* A comment */\n#include <stdio.h>\nint x = 1; // \"\n");
  info->jobs = OV_JOB_COUNT;
  info->available = TRUE;
  g_ptr_array_add (info->options, make_option (OV_OPTION_INT, "n", 2));
  g_ptr_array_add (info->options, make_option (OV_OPTION_BOOL, "b", 0));
  g_ptr_array_add (info->options, make_option (OV_OPTION_CHOICE, "c", 0));
  g_ptr_array_add (info->options, make_option (OV_OPTION_SIZE, "s", 4096));
  return info;
}

/* A window with `child`, on the screen. */
static GtkWidget *
show (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (window);
  return window;
}

static void
run_for (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

/* ---- Templates ------------------------------------------------------------------------------ */

static void
test_templates (void)
{
  const GType types[]
      = { OV_TYPE_BANNER,       OV_TYPE_SIDEBAR,       OV_TYPE_LEARN_VIEW,     OV_TYPE_RUN_VIEW,
          OV_TYPE_RESULTS_VIEW, OV_TYPE_RESULTS_TABLE, OV_TYPE_PREFLIGHT_STRIP };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      GtkWidget *window = show (g_object_new (types[i], NULL), 600, 400);

      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static void
test_dialogs (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunModel) model = ov_run_model_new (experiment);
  g_autoptr (GPtrArray) strategies
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  g_autoptr (GPtrArray) faults
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_module_fault_free);
  GtkWindow *dialogs[4];

  g_ptr_array_add (strategies, make_strategy ());
  g_ptr_array_add (faults, ov_module_fault_new ("/broken & bad.so", "It has no <symbol>."));
  dialogs[0] = ov_settings_dialog_new (ov_run_model_get_settings (model), strategies, faults, NULL);
  dialogs[1] = ov_export_dialog_new (model, OV_EXPORT_TIME_CHART, NULL);
  dialogs[2] = ov_table_dialog_new (OV_DRAWABLE (ov_run_model_get_chart (model)), "Figures", NULL);
  dialogs[3] = ov_preferences_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      gtk_window_present (dialogs[i]);
      gtk_test_widget_wait_for_draw (GTK_WIDGET (dialogs[i]));
      gtk_window_destroy (dialogs[i]);
    }
}

static void
test_shortcuts (void)
{
  g_autoptr (GtkBuilder) builder
      = gtk_builder_new_from_resource ("/io/github/overlap_app/Overlap/help-overlay.ui");
  GtkWindow *window = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  g_assert_nonnull (window);
  gtk_window_destroy (window);
}

static void
test_learn (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (GPtrArray) strategies
      = g_ptr_array_new_with_free_func ((GDestroyNotify)ov_strategy_info_unref);
  GtkWidget *view = g_object_new (OV_TYPE_LEARN_VIEW, NULL);
  GtkWidget *window = show (view, 600, 600);

  g_ptr_array_add (strategies, make_strategy ());
  ov_learn_view_set_experiment (OV_LEARN_VIEW (view), experiment);
  ov_learn_view_set_strategies (OV_LEARN_VIEW (view), strategies);
  ov_learn_view_show_strategy (OV_LEARN_VIEW (view), "a.one");
  gtk_test_widget_wait_for_draw (window);
  ov_learn_view_set_strategies (OV_LEARN_VIEW (view), NULL);
  ov_learn_view_set_experiment (OV_LEARN_VIEW (view), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- Options -------------------------------------------------------------------------------- */

static GtkWidget *
find_widget (GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_options (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunSettings) settings = ov_run_settings_new (experiment);
  g_autoptr (OvStrategyInfo) info = make_strategy ();
  const OvVariant *variant = g_ptr_array_index (experiment->variants, 0);
  GtkWidget *list = gtk_list_box_new ();
  GtkWidget *window;
  GtkWidget *rows[4];
  GtkWidget *spin;

  for (guint i = 0; i < 4; i++)
    {
      rows[i] = ov_option_row_new (settings, info, i, variant);
      gtk_list_box_append (GTK_LIST_BOX (list), rows[i]);
    }
  window = show (list, 500, 400);
  /* The experiment's own value shows, and is no choice of the user's. */
  spin = find_widget (rows[0], GTK_TYPE_SPIN_BUTTON);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 3);
  g_assert_null (ov_run_settings_get_option (settings, "a.one", "n"));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 7);
  g_assert_cmpstr (ov_run_settings_get_option (settings, "a.one", "n"), ==, "7");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 3);
  g_assert_null (ov_run_settings_get_option (settings, "a.one", "n"));
  gtk_switch_set_active (GTK_SWITCH (find_widget (rows[1], GTK_TYPE_SWITCH)), TRUE);
  g_assert_cmpstr (ov_run_settings_get_option (settings, "a.one", "b"), ==, "true");
  adw_combo_row_set_selected (ADW_COMBO_ROW (rows[2]), 1);
  g_assert_cmpstr (ov_run_settings_get_option (settings, "a.one", "c"), ==, "right");
  gtk_editable_set_text (GTK_EDITABLE (rows[3]), "64K");
  g_signal_emit_by_name (rows[3], "apply");
  g_assert_cmpstr (ov_run_settings_get_option (settings, "a.one", "s"), ==, "64K");
  gtk_editable_set_text (GTK_EDITABLE (rows[3]), "5X");
  g_signal_emit_by_name (rows[3], "apply");
  g_assert_true (gtk_widget_has_css_class (rows[3], "error"));
  g_assert_cmpstr (ov_run_settings_get_option (settings, "a.one", "s"), ==, "64K");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- Layout --------------------------------------------------------------------------------- */

static gboolean
is_wide_at (int width)
{
  GtkWidget *reflow = g_object_new (OV_TYPE_REFLOW, "threshold", 600, "spacing", 10, NULL);
  GtkWidget *window;
  gboolean wide;

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *child = gtk_label_new ("x");

      gtk_widget_set_size_request (child, 100, 50);
      gtk_widget_set_parent (child, reflow);
    }
  window = show (reflow, width, 300);
  wide = ov_reflow_is_wide (OV_REFLOW (reflow));
  gtk_window_destroy (GTK_WINDOW (window));
  return wide;
}

static void
test_reflow (void)
{
  g_assert_true (is_wide_at (800));
  g_assert_false (is_wide_at (500));
}

static void
test_reflow_height (void)
{
  GtkWidget *reflow
      = g_object_ref_sink (g_object_new (OV_TYPE_REFLOW, "threshold", 600, "spacing", 10, NULL));
  int minimum;

  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *child = gtk_label_new ("x");

      gtk_widget_set_size_request (child, 100, 50 + 30 * (int)i);
      gtk_widget_set_parent (child, reflow);
    }
  gtk_widget_measure (reflow, GTK_ORIENTATION_VERTICAL, 700, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 80);
  gtk_widget_measure (reflow, GTK_ORIENTATION_VERTICAL, 500, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 140);
  gtk_widget_measure (reflow, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 100);
  g_object_unref (reflow);
}

static int
top_of (GtkWidget *widget, GtkWidget *box)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, box, &bounds));
  return (int)bounds.origin.y;
}

#define N_TEXTS 4

/* A strip of texts that may be cut, and a small button behind them, in a box of `width`: no text is
 * cut, and the button has a text beside it. */
static void
check_wrapping (int width)
{
  const char *const texts[N_TEXTS] = { "cache folder", "reads 614 MB in 100 runs",
                                       "writes 15.4 MB of 83.0 GB free", "about 4 minutes" };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *button = gtk_label_new (NULL);
  GtkWidget *labels[N_TEXTS];
  GtkWidget *window;
  int height;

  gtk_widget_set_layout_manager (box, g_object_new (OV_TYPE_WRAP_LAYOUT, NULL));
  gtk_widget_set_size_request (box, width, -1);
  gtk_widget_set_halign (box, GTK_ALIGN_START);
  gtk_widget_set_valign (box, GTK_ALIGN_START);
  for (guint i = 0; i < N_TEXTS; i++)
    {
      labels[i] = gtk_label_new (texts[i]);
      gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (box), labels[i]);
    }
  gtk_widget_set_size_request (button, 50, 20);
  gtk_box_append (GTK_BOX (box), button);
  window = show (box, width, 300);
  gtk_widget_measure (labels[0], GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  for (guint i = 0; i < N_TEXTS; i++)
    {
      int natural;

      gtk_widget_measure (labels[i], GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
      g_test_message ("%d: %s has %d of %d", width, texts[i], gtk_widget_get_width (labels[i]),
                      natural);
      g_assert_cmpint (gtk_widget_get_width (labels[i]), >=, natural);
    }
  g_assert_cmpint (top_of (button, box), ==, top_of (labels[N_TEXTS - 1], box));
  g_assert_cmpint (gtk_widget_get_height (box), >=, top_of (button, box) + height);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_wrapping (void)
{
  for (int width = 300; width <= 900; width += 40)
    check_wrapping (width);
}

/* ---- Charts --------------------------------------------------------------------------------- */

static gint64
get_time (gpointer data)
{
  guint *calls = data;

  return (gint64)++ * calls * 1000000;
}

/* Row number `index` of the entries of a dialog. */
static GtkEditable *
find_entry (GtkWidget *widget, guint *index)
{
  GtkEditable *found = NULL;

  if (ADW_IS_ENTRY_ROW (widget))
    return (*index)-- == 0 ? GTK_EDITABLE (widget) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_entry (child, index);
  return found;
}

/* Own values of a simulated disk: what is right is a target, what is wrong cannot be used. */
static void
test_own_disk (void)
{
  static const struct
  {
    guint entry;
    const char *text;
    const char *target; /* a part of it, or NULL: wrong */
  } cases[] = { { 0, "12MB", "rate=12MB" }, { 0, "fast", NULL },  { 0, "", NULL },
                { 0, "4MB", "rate=4MB" },   { 1, "1,5ms", NULL }, { 1, "1.5ms", "latency=1.5ms" },
                { 2, "12 potatoes", NULL }, { 2, "", "seek=0" },  { 2, " 9ms ", "seek=9ms" } };
  OvDiskDialog *dialog = ov_disk_dialog_new (NULL, "simulated:network-1ms");
  g_autofree char *first = ov_disk_dialog_dup_target (dialog, NULL);

  g_assert_nonnull (first);
  g_assert_nonnull (strstr (first, "kind=network"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint index = cases[i].entry;
      GtkEditable *entry = find_entry (GTK_WIDGET (dialog), &index);
      g_autoptr (GError) error = NULL;
      g_autofree char *target = NULL;

      g_assert_nonnull (entry);
      gtk_editable_set_text (entry, cases[i].text);
      target = ov_disk_dialog_dup_target (dialog, &error);
      g_assert_true ((target != NULL) == (cases[i].target != NULL));
      g_assert_true ((error == NULL) == (target != NULL));
      g_assert_true (adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), "use")
                     == (target != NULL));
      if (target != NULL)
        g_assert_nonnull (strstr (target, cases[i].target));
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_nothing_ticks (void)
{
  g_autoptr (OvTimeChart) chart = ov_time_chart_new ();
  g_autoptr (OvAxis) axis = ov_axis_new (OV_AXIS_LINEAR, OV_UNIT_RATE);
  GtkWidget *view = ov_time_chart_view_new ();
  GtkWidget *window;
  guint calls = 0;
  guint before;

  ov_time_chart_add_panel (chart, "Panel", NULL, axis, 1);
  ov_time_chart_add_trace (chart, 0, OV_TRACE_LINE, "Trace", 0);
  ov_time_chart_view_set_chart (OV_TIME_CHART_VIEW (view), chart);
  window = show (view, 400, 300);
  g_assert_false (ov_time_chart_view_is_ticking (OV_TIME_CHART_VIEW (view)));

  ov_time_chart_view_set_clock (OV_TIME_CHART_VIEW (view), get_time, &calls);
  g_assert_true (ov_time_chart_view_is_ticking (OV_TIME_CHART_VIEW (view)));
  while (calls < 3)
    g_main_context_iteration (NULL, TRUE);

  gtk_widget_set_visible (view, FALSE);
  g_assert_false (ov_time_chart_view_is_ticking (OV_TIME_CHART_VIEW (view)));
  before = calls;
  run_for (200);
  g_assert_cmpuint (calls, ==, before);

  gtk_widget_set_visible (view, TRUE);
  g_assert_true (ov_time_chart_view_is_ticking (OV_TIME_CHART_VIEW (view)));
  ov_time_chart_view_set_clock (OV_TIME_CHART_VIEW (view), NULL, NULL);
  g_assert_false (ov_time_chart_view_is_ticking (OV_TIME_CHART_VIEW (view)));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_chart_is_accessible (void)
{
  g_autoptr (OvChart) chart = ov_chart_new ();
  GtkWidget *view = ov_chart_view_new ();
  GtkWidget *window;
  char *difference;
  guint series;

  ov_chart_set_title (chart, "Times");
  series = ov_chart_add_series (chart, OV_CHART_LINE, "fast one", 0);
  ov_chart_view_set_chart (OV_CHART_VIEW (view), chart);
  window = show (view, 400, 300);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Times");
  ov_chart_set_value (chart, series, 1, 2);
  run_for (700);
  {
    g_autofree char *text = ov_chart_describe (chart);

    g_assert_nonnull (strstr (text, "fast one"));
    difference = gtk_test_accessible_check_property (GTK_ACCESSIBLE (view),
                                                     GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
    g_assert_null (difference);
  }
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (view), "Another name");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Another name");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- Comparison ----------------------------------------------------------------------------- */

static OvResult *
make_result (void)
{
  g_autoptr (OvExperiment) experiment = make_experiment ();
  OvResult *result = ov_result_new (experiment);

  for (guint i = 0; i < 16; i++)
    {
      OvRunSpec *spec = ov_run_spec_new ();
      OvRun *run;

      g_free (spec->variant);
      spec->strategy = g_strdup ("a.one");
      spec->variant = g_strdup (i % 2 == 0 ? "quick" : "slow");
      spec->target = g_strdup ("/t");
      spec->index = i;
      spec->repetition = i / 2;
      spec->size = 65536;
      spec->x = 65536;
      run = ov_run_new (spec);
      run->state = OV_STATE_DONE;
      run->elapsed_ns = i % 2 == 0 ? 1000000 : 1500000;
      run->bytes = 65536;
      g_ptr_array_add (result->runs, run);
    }
  return result;
}

/* The texts of all labels below a widget that are on the screen. */
static void
collect_texts (GtkWidget *widget, GString *out)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget))
    g_string_append_printf (out, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_texts (child, out);
}

/* A view that had no model in between shows as much of the next one as before. */
static void
test_run_view_again (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (OvRunModel) model = ov_run_model_new_for_result (result, "/none");
  GtkWidget *view = g_object_new (OV_TYPE_RUN_VIEW, NULL);
  GtkWidget *window = show (view, 800, 800);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GString) texts = g_string_new (NULL);
      g_autoptr (GString) none = g_string_new (NULL);

      ov_run_view_set_model (OV_RUN_VIEW (view), model);
      run_for (100);
      collect_texts (view, texts);
      g_assert_nonnull (
          strstr (texts->str, "What measuring costs here is not measured: the button"));
      ov_run_view_set_model (OV_RUN_VIEW (view), NULL);
      run_for (100);
      collect_texts (view, none);
      g_assert_null (strstr (none->str, "What measuring costs"));
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

#define MANY_ROWS 3000

static guint
count_labels (GtkWidget *widget, const char *text)
{
  guint n = GTK_IS_LABEL (widget)
            && (text == NULL || strcmp (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
            && gtk_widget_get_mapped (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_labels (child, text);
  return n;
}

static GtkWidget *
find_scrolled (GtkWidget *widget)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_scrolled (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* However many rows a table has: widgets are there for those that are seen, and the last one is
 * seen where one scrolls to it. Few rows are all seen. */
static void
test_long_table (void)
{
  g_autoptr (OvTable) few = ov_table_new ("Few");
  g_autoptr (OvTable) many = ov_table_new ("Many");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *card = NULL;
  GtkWidget *window;
  GtkAdjustment *adjustment;

  ov_table_take_column (few, g_strdup ("Line"));
  ov_table_take_column (many, g_strdup ("Line"));
  for (guint i = 0; i < MANY_ROWS; i++)
    {
      OvTable *table = i < 10 ? few : many;

      ov_table_take_cell (table, ov_table_add_row (table), 0, g_strdup_printf ("line %u", i));
    }
  card = ov_table_view_new_card (many);
  gtk_box_append (GTK_BOX (box), ov_table_view_new_card (few));
  gtk_box_append (GTK_BOX (box), card);
  window = show (box, 500, 900);
  run_for (100);
  g_assert_cmpuint (count_labels (box, "line 0"), ==, 1);
  g_assert_cmpuint (count_labels (box, "line 9"), ==, 1);
  g_assert_cmpuint (count_labels (box, "line 10"), ==, 1);
  g_assert_cmpuint (count_labels (box, "line 2999"), ==, 0);
  g_assert_cmpint (gtk_widget_get_height (card), <, 900);
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (find_scrolled (card)));
  for (guint i = 0; i < 100 && count_labels (card, "line 2999") == 0; i++)
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
      run_for (20);
    }
  g_assert_cmpuint (count_labels (card, "line 2999"), ==, 1);
  g_assert_cmpuint (count_labels (card, NULL), <, 600);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_compare (void)
{
  g_autoptr (OvResult) result = make_result ();
  g_autoptr (OvRunModel) model = ov_run_model_new_for_result (result, "/none");
  g_autoptr (OvExperiment) experiment = make_experiment ();
  g_autoptr (OvRunModel) empty = ov_run_model_new (experiment);
  GtkWidget *view = g_object_new (OV_TYPE_COMPARE_VIEW, NULL);
  GtkWidget *window = show (view, 800, 800);
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) after = g_string_new (NULL);

  ov_compare_view_set_model (OV_COMPARE_VIEW (view), empty);
  run_for (100);
  collect_texts (view, before);
  g_assert_nonnull (strstr (before->str, "Nothing to Compare Yet"));
  ov_compare_view_set_model (OV_COMPARE_VIEW (view), model);
  for (guint i = 0; i < 200 && strstr (after->str, "slower") == NULL; i++)
    {
      run_for (100);
      g_string_truncate (after, 0);
      collect_texts (view, after);
    }
  g_test_message ("%s", after->str);
  g_assert_nonnull (strstr (after->str, "quick is fastest: the next, slow, takes 50.0 % longer"));
  g_assert_nonnull (strstr (after->str, "\n1.500\n"));
  g_assert_nonnull (strstr (after->str, "\nslower\n"));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  ov_resources_register ();
  g_test_add_func ("/gui/templates", test_templates);
  g_test_add_func ("/gui/dialogs", test_dialogs);
  g_test_add_func ("/gui/shortcuts", test_shortcuts);
  g_test_add_func ("/gui/learn", test_learn);
  g_test_add_func ("/gui/options", test_options);
  g_test_add_func ("/gui/reflow", test_reflow);
  g_test_add_func ("/gui/reflow-height", test_reflow_height);
  g_test_add_func ("/gui/wrapping", test_wrapping);
  g_test_add_func ("/gui/own-disk", test_own_disk);
  g_test_add_func ("/gui/nothing-ticks", test_nothing_ticks);
  g_test_add_func ("/gui/chart-is-accessible", test_chart_is_accessible);
  g_test_add_func ("/gui/run-view-again", test_run_view_again);
  g_test_add_func ("/gui/long-table", test_long_table);
  g_test_add_func ("/gui/compare", test_compare);
  return g_test_run ();
}
