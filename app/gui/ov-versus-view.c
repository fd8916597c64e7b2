// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvVersusView: a side is an item of the lists, and the result that was read of its file, or NULL
 * while that is going on. One comparison goes on at a time; what was changed meanwhile begins
 * another one, since the cells of a result must not be made by two threads at once.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "report/ov-hardware-table.h"
#include "report/ov-machines.h"
#include "report/ov-versus-report.h"

#include "gui/ov-background.h"
#include "gui/ov-chart-view.h"
#include "gui/ov-drop-down.h"
#include "gui/ov-file-chooser.h"
#include "gui/ov-reflow.h"
#include "gui/ov-table-view.h"
#include "gui/ov-versus-view.h"
#include "gui/ov-wrap-layout.h"

#define N_SIDES 2

typedef struct
{
  GtkDropDown *choice;
  OvResult *result;
  GCancellable *loading;
  gboolean by_hand; /* the user chose it, so that it stays */
} Side;

struct _OvVersusView
{
  GtkWidget parent_instance;

  Side sides[N_SIDES];
  GtkDropDown *metric;
  GtkLabel *why;
  GtkWidget *content;
  GtkLabel *summary;
  OvChartView *chart_view;
  GtkBox *tables;

  OvLibrary *library;
  GListStore *opened;  /* of OvLibraryItem: files that are no stored results */
  GListModel *choices; /* those, then the stored ones */
  char *experiment_id; /* of what the window shows */
  char *shown;         /* the result that the window shows, or NULL */
  gboolean quiet;      /* choices are made by the program */

  gboolean comparing;
  gboolean again;
  OvVersus *versus;
  OvResult *compared[N_SIDES]; /* what `versus` is about */
  OvResultChart *chart;
};

G_DEFINE_FINAL_TYPE (OvVersusView, ov_versus_view, GTK_TYPE_WIDGET)

/* ---- The comparison ------------------------------------------------------------------------- */

typedef struct
{
  OvResult *results[N_SIDES];
  OvMetric metric;
} Job;

typedef struct
{
  OvVersus *versus;
  OvTable *lines;
  OvTable *circumstances;
  OvTable *hardware; /* or NULL */
} Outcome;

static void
job_free (gpointer data)
{
  Job *job = data;

  for (guint i = 0; i < N_SIDES; i++)
    ov_result_unref (job->results[i]);
  g_free (job);
}

static void
outcome_free (gpointer data)
{
  Outcome *outcome = data;

  ov_versus_free (outcome->versus);
  g_clear_pointer (&outcome->lines, ov_table_unref);
  g_clear_pointer (&outcome->circumstances, ov_table_unref);
  g_clear_pointer (&outcome->hardware, ov_table_unref);
  g_free (outcome);
}

static void
compare_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  const OvResult *a = job->results[OV_VERSUS_A];
  const OvResult *b = job->results[OV_VERSUS_B];
  GError *error = NULL;
  OvVersus *versus = ov_versus_new (a, b, job->metric, &error);
  Outcome *outcome;

  if (versus == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  outcome = g_new0 (Outcome, 1);
  outcome->versus = versus;
  outcome->lines = ov_versus_table_new (versus);
  outcome->circumstances = ov_versus_circumstances_new (a, b);
  if ((a->experiment->job & OV_HARDWARE_JOBS) != 0)
    {
      g_autoptr (OvResult) joined = ov_machines_join (a, b);

      outcome->hardware = joined != NULL ? ov_hardware_table_new (joined) : NULL;
    }
  g_task_return_pointer (task, outcome, outcome_free);
}

static void
forget_comparison (OvVersusView *self)
{
  GtkWidget *child;

  ov_chart_view_set_chart (self->chart_view, NULL);
  g_clear_pointer (&self->chart, ov_result_chart_free);
  g_clear_pointer (&self->versus, ov_versus_free);
  for (guint i = 0; i < N_SIDES; i++)
    g_clear_pointer (&self->compared[i], ov_result_unref);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->tables))) != NULL)
    gtk_box_remove (self->tables, child);
}

/* Says why nothing is compared; NULL shows the comparison. */
static void
show_why (OvVersusView *self, const char *why)
{
  gtk_label_set_text (self->why, why != NULL ? why : "");
  gtk_widget_set_visible (GTK_WIDGET (self->why), why != NULL);
  gtk_widget_set_visible (self->content, why == NULL);
}

static void
show_outcome (OvVersusView *self, const Job *job, Outcome *outcome)
{
  g_autofree char *summary = ov_versus_summary (outcome->versus);

  forget_comparison (self);
  self->versus = g_steal_pointer (&outcome->versus);
  for (guint i = 0; i < N_SIDES; i++)
    self->compared[i] = ov_result_ref (job->results[i]);
  self->chart = ov_versus_chart_new (self->versus, self->compared[OV_VERSUS_A],
                                     self->compared[OV_VERSUS_B]);
  /* On the screen all of that stands around it. */
  ov_chart_set_note (ov_result_chart_get_chart (self->chart), NULL);
  ov_chart_view_set_chart (self->chart_view, ov_result_chart_get_chart (self->chart));
  gtk_label_set_text (self->summary, summary);
  gtk_box_append (self->tables, ov_table_view_new_card (outcome->lines));
  if (outcome->hardware != NULL)
    gtk_box_append (self->tables, ov_table_view_new_card (outcome->hardware));
  gtk_box_append (self->tables, ov_table_view_new_card (outcome->circumstances));
  show_why (self, NULL);
}

static void compare (OvVersusView *self);

static void
on_compared (GObject *source, GAsyncResult *result, gpointer data)
{
  OvVersusView *self = OV_VERSUS_VIEW (source);
  g_autoptr (GError) error = NULL;
  Outcome *outcome = g_task_propagate_pointer (G_TASK (result), &error);

  self->comparing = FALSE;
  if (self->library == NULL || self->again)
    ;
  else if (outcome != NULL)
    show_outcome (self, g_task_get_task_data (G_TASK (result)), outcome);
  else
    {
      g_autofree char *why = g_strdup_printf (_ ("Not compared: %s"), error->message);

      forget_comparison (self);
      show_why (self, why);
    }
  g_clear_pointer (&outcome, outcome_free);
  if (self->again && self->library != NULL)
    compare (self);
}

static OvLibraryItem *
chosen (OvVersusView *self, OvVersusSide side)
{
  return gtk_drop_down_get_selected_item (self->sides[side].choice);
}

/* Compares what is chosen, or says what is missing. */
static void
compare (OvVersusView *self)
{
  g_autoptr (GTask) task = NULL;
  guint metric = gtk_drop_down_get_selected (self->metric);
  Job *job;

  self->again = self->comparing;
  if (self->comparing)
    return;
  for (guint i = 0; i < N_SIDES; i++)
    if (self->sides[i].result == NULL)
      {
        forget_comparison (self);
        show_why (self, self->sides[i].loading != NULL
                            ? _ ("The results are being read…")
                            : _ ("Choose two results: of two machines, two days or two folders. "
                                 "B is compared with A, line by line."));
        return;
      }
  job = g_new0 (Job, 1);
  job->metric = metric < OV_N_METRICS ? (OvMetric)metric : OV_METRIC_ELAPSED;
  for (guint i = 0; i < N_SIDES; i++)
    job->results[i] = ov_result_ref (self->sides[i].result);
  self->comparing = TRUE;
  task = g_task_new (self, NULL, on_compared, NULL);
  g_task_set_task_data (task, job, job_free);
  ov_background_run (task, compare_thread);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  OvResult *result = ov_result_load (data, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify)ov_result_unref);
  else
    g_task_return_error (task, error);
}

/* The task's pointer is the OvResult. */
static void
read_result (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_set_return_on_cancel (task, TRUE);
  ov_background_run (task, read_thread);
}

/* ---- Choosing ------------------------------------------------------------------------------- */

static void
forget_side (Side *side)
{
  if (side->loading != NULL)
    g_cancellable_cancel (side->loading);
  g_clear_object (&side->loading);
  g_clear_pointer (&side->result, ov_result_unref);
}

typedef struct
{
  OvVersusView *self;
  OvVersusSide side;
  char *path;
} Loading;

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->self);
  g_free (loading->path);
  g_free (loading);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  OvVersusView *self = loading->self;
  Side *side = &self->sides[loading->side];
  g_autoptr (GError) error = NULL;
  OvResult *loaded = g_task_propagate_pointer (G_TASK (result), &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && self->library != NULL)
    {
      g_clear_object (&side->loading);
      side->result = g_steal_pointer (&loaded);
      compare (self);
      if (error != NULL)
        {
          forget_comparison (self);
          show_why (self, error->message);
        }
    }
  g_clear_pointer (&loaded, ov_result_unref);
  loading_free (loading);
}

static void
load (OvVersusView *self, OvVersusSide which)
{
  Side *side = &self->sides[which];
  OvLibraryItem *item = chosen (self, which);
  Loading *loading;

  forget_side (side);
  if (item == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  side->loading = g_cancellable_new ();
  loading = g_new0 (Loading, 1);
  loading->self = g_object_ref (self);
  loading->side = which;
  loading->path = g_strdup (ov_library_item_get_key (item));
  read_result (loading->path, side->loading, on_loaded, loading);
}

static guint
find_choice (OvVersusView *self, const char *path)
{
  guint n = g_list_model_get_n_items (self->choices);

  for (guint i = 0; i < n && path != NULL; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (self->choices, i);

      if (g_strcmp0 (ov_library_item_get_key (item), path) == 0)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* The newest result of the experiment that is not `other`, or none. */
static guint
find_newest (OvVersusView *self, const char *other)
{
  guint n = g_list_model_get_n_items (self->choices);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (self->choices, i);

      if (g_strcmp0 (ov_library_item_get_experiment_id (item), self->experiment_id) == 0
          && g_strcmp0 (ov_library_item_get_key (item), other) != 0)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

static const char *
path_of (OvVersusView *self, OvVersusSide side)
{
  OvLibraryItem *item = chosen (self, side);

  return item != NULL ? ov_library_item_get_key (item) : NULL;
}

static void
select_choice (OvVersusView *self, OvVersusSide side, guint position)
{
  self->quiet = TRUE;
  gtk_drop_down_set_selected (self->sides[side].choice, position);
  self->quiet = FALSE;
}

/* Chooses what the user did not. */
static void
propose (OvVersusView *self)
{
  if (self->choices == NULL)
    return;
  if (!self->sides[OV_VERSUS_B].by_hand)
    {
      guint position = find_choice (self, self->shown);

      if (position == GTK_INVALID_LIST_POSITION)
        position = find_newest (self, NULL);
      select_choice (self, OV_VERSUS_B, position);
    }
  if (!self->sides[OV_VERSUS_A].by_hand)
    select_choice (self, OV_VERSUS_A, find_newest (self, path_of (self, OV_VERSUS_B)));
}

/* Reads what is chosen and not read yet. */
static void
load_missing (OvVersusView *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->choices == NULL)
    return;
  for (guint i = 0; i < N_SIDES; i++)
    if (self->sides[i].result == NULL && self->sides[i].loading == NULL)
      load (self, (OvVersusSide)i);
  compare (self);
}

static void
on_choice (OvVersusView *self, GParamSpec *pspec, GtkDropDown *choice)
{
  OvVersusSide side = choice == self->sides[OV_VERSUS_A].choice ? OV_VERSUS_A : OV_VERSUS_B;

  forget_side (&self->sides[side]);
  if (!self->quiet)
    self->sides[side].by_hand = TRUE;
  load_missing (self);
}

static void
on_choices_changed (OvVersusView *self)
{
  propose (self);
}

static void
on_metric (OvVersusView *self)
{
  if (self->choices != NULL)
    compare (self);
}

static void
on_swap (OvVersusView *self)
{
  guint a = gtk_drop_down_get_selected (self->sides[OV_VERSUS_A].choice);
  guint b = gtk_drop_down_get_selected (self->sides[OV_VERSUS_B].choice);

  self->sides[OV_VERSUS_A].by_hand = self->sides[OV_VERSUS_B].by_hand = TRUE;
  select_choice (self, OV_VERSUS_A, b);
  select_choice (self, OV_VERSUS_B, a);
}

typedef struct
{
  OvVersusView *self;
  OvVersusSide side;
  char *path;
} Opening;

/* A file that is none of the stored results becomes one of the choices. */
static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  Opening *opening = data;
  OvVersusView *self = opening->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (OvResult) loaded = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->library == NULL)
    ;
  else if (loaded == NULL)
    {
      forget_comparison (self);
      show_why (self, error->message);
    }
  else
    {
      g_autoptr (OvLibraryItem) item = ov_library_item_new_result (opening->path, loaded);

      self->quiet = TRUE;
      g_list_store_append (self->opened, item);
      self->quiet = FALSE;
      self->sides[opening->side].by_hand = TRUE;
      gtk_drop_down_set_selected (self->sides[opening->side].choice,
                                  find_choice (self, opening->path));
    }
  g_object_unref (self);
  g_free (opening->path);
  g_free (opening);
}

void
ov_versus_view_choose_file (OvVersusView *self, OvVersusSide side, const char *path)
{
  guint position;
  Opening *opening;

  g_return_if_fail (OV_IS_VERSUS_VIEW (self) && self->choices != NULL && path != NULL);
  position = find_choice (self, path);
  if (position != GTK_INVALID_LIST_POSITION)
    {
      self->sides[side].by_hand = TRUE;
      gtk_drop_down_set_selected (self->sides[side].choice, position);
      return;
    }
  opening = g_new0 (Opening, 1);
  opening->self = g_object_ref (self);
  opening->side = side;
  opening->path = g_strdup (path);
  read_result (path, NULL, on_opened, opening);
}

static void
on_file_a (const char *path, gpointer data)
{
  ov_versus_view_choose_file (data, OV_VERSUS_A, path);
}

static void
on_file_b (const char *path, gpointer data)
{
  ov_versus_view_choose_file (data, OV_VERSUS_B, path);
}

static void
open_file (OvVersusView *self, OvFileChosen chosen_file)
{
  ov_file_chooser_open (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                        GTK_FILE_CHOOSER_ACTION_OPEN, NULL, chosen_file, self);
}

static void
on_open_a (OvVersusView *self)
{
  open_file (self, on_file_a);
}

static void
on_open_b (OvVersusView *self)
{
  open_file (self, on_file_b);
}

/* ---- How the choices look ------------------------------------------------------------------- */

/* What is searched: all that a line of the list says. */
static char *
item_text (OvLibraryItem *item, gpointer data)
{
  g_autofree char *title = ov_library_item_dup_title (item);

  return g_strconcat (title, " ", ov_library_item_get_subtitle (item), NULL);
}

static GtkWidget *
add_label (GtkWidget *box, const char *css)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css != NULL)
    gtk_widget_add_css_class (label, css);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  add_label (box, NULL);
  gtk_widget_add_css_class (add_label (box, "caption"), "dim-label");
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  OvLibraryItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *box = gtk_list_item_get_child (list_item);
  g_autofree char *title = ov_library_item_dup_title (item);

  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (box)), title);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)),
                      ov_library_item_get_subtitle (item));
}

static void
setup_choice (OvVersusView *self, OvVersusSide side)
{
  GtkDropDown *choice = self->sides[side].choice;
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkExpression) expression = gtk_cclosure_expression_new (
      G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (item_text), NULL, NULL);

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_factory (choice, factory);
  gtk_drop_down_set_expression (choice, expression);
  gtk_drop_down_set_enable_search (choice, TRUE);
}

/* ---- The widget ----------------------------------------------------------------------------- */

static void
ov_versus_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ov_versus_view_parent_class)->map (widget);
  load_missing (OV_VERSUS_VIEW (widget));
}

static void
ov_versus_view_dispose (GObject *object)
{
  OvVersusView *self = OV_VERSUS_VIEW (object);
  GtkWidget *child;

  if (self->library != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->choices, self);
      forget_comparison (self);
    }
  for (guint i = 0; i < N_SIDES; i++)
    forget_side (&self->sides[i]);
  g_clear_object (&self->library);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->opened);
  g_clear_object (&self->choices);
  g_clear_pointer (&self->experiment_id, g_free);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (ov_versus_view_parent_class)->dispose (object);
}

static void
ov_versus_view_class_init (OvVersusViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_CHART_VIEW);
  g_type_ensure (OV_TYPE_REFLOW);
  g_type_ensure (OV_TYPE_WRAP_LAYOUT);
  G_OBJECT_CLASS (klass)->dispose = ov_versus_view_dispose;
  widget_class->map = ov_versus_view_map;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-versus-view.ui");
  gtk_widget_class_bind_template_child_full (
      widget_class, "choice_a", FALSE, G_STRUCT_OFFSET (OvVersusView, sides[OV_VERSUS_A].choice));
  gtk_widget_class_bind_template_child_full (
      widget_class, "choice_b", FALSE, G_STRUCT_OFFSET (OvVersusView, sides[OV_VERSUS_B].choice));
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, metric);
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, why);
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, content);
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, summary);
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, chart_view);
  gtk_widget_class_bind_template_child (widget_class, OvVersusView, tables);
  gtk_widget_class_bind_template_callback (widget_class, on_choice);
  gtk_widget_class_bind_template_callback (widget_class, on_metric);
  gtk_widget_class_bind_template_callback (widget_class, on_swap);
  gtk_widget_class_bind_template_callback (widget_class, on_open_a);
  gtk_widget_class_bind_template_callback (widget_class, on_open_b);
}

static void
ov_versus_view_init (OvVersusView *self)
{
  g_autoptr (GtkStringList) metrics = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < OV_N_METRICS; i++)
    gtk_string_list_append (metrics, ov_metric_label (i));
  gtk_drop_down_set_model (self->metric, G_LIST_MODEL (metrics));
  setup_choice (self, OV_VERSUS_A);
  setup_choice (self, OV_VERSUS_B);
  ov_drop_down_name (self->metric, _ ("What is compared"));
  ov_drop_down_name (self->sides[OV_VERSUS_A].choice, _ ("Result A, that B is compared with"));
  ov_drop_down_name (self->sides[OV_VERSUS_B].choice, _ ("Result B, that is compared with A"));
  ov_drawable_view_set_label (OV_DRAWABLE_VIEW (self->chart_view), _ ("Both results"));
  self->opened = g_list_store_new (OV_TYPE_LIBRARY_ITEM);
}

void
ov_versus_view_set_library (OvVersusView *self, OvLibrary *library)
{
  GListStore *lists;

  g_return_if_fail (OV_IS_VERSUS_VIEW (self) && self->library == NULL);

  self->library = g_object_ref (library);
  lists = g_list_store_new (G_TYPE_LIST_MODEL);
  g_list_store_append (lists, self->opened);
  g_list_store_append (lists, ov_result_store_get_items (ov_library_get_results (library)));
  self->choices = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (lists)));
  self->quiet = TRUE;
  for (guint i = 0; i < N_SIDES; i++)
    {
      gtk_drop_down_set_model (self->sides[i].choice, self->choices);
      gtk_drop_down_set_selected (self->sides[i].choice, GTK_INVALID_LIST_POSITION);
    }
  self->quiet = FALSE;
  g_signal_connect_swapped (self->choices, "items-changed", G_CALLBACK (on_choices_changed), self);
}

void
ov_versus_view_follow (OvVersusView *self, const char *experiment_id, const char *path)
{
  g_return_if_fail (OV_IS_VERSUS_VIEW (self));

  g_free (self->experiment_id);
  self->experiment_id = g_strdup (experiment_id);
  g_free (self->shown);
  self->shown = g_strdup (path);
  self->sides[OV_VERSUS_B].by_hand = FALSE;
  if (path != NULL && self->choices != NULL
      && find_choice (self, path) == GTK_INVALID_LIST_POSITION)
    ov_versus_view_choose_file (self, OV_VERSUS_B, path);
  else
    propose (self);
}

OvDrawable *
ov_versus_view_get_chart (OvVersusView *self)
{
  g_return_val_if_fail (OV_IS_VERSUS_VIEW (self), NULL);
  return self->chart != NULL ? OV_DRAWABLE (ov_result_chart_get_chart (self->chart)) : NULL;
}

OvExportParts *
ov_versus_view_dup_parts (OvVersusView *self)
{
  g_autoptr (OvResultChart) whole = NULL;
  g_autofree char *csv = NULL, *json = NULL, *name = NULL;
  const OvResult *a, *b;

  g_return_val_if_fail (OV_IS_VERSUS_VIEW (self), NULL);
  if (self->versus == NULL)
    return NULL;
  a = self->compared[OV_VERSUS_A];
  b = self->compared[OV_VERSUS_B];
  /* With all that stands around it on the screen. */
  whole = ov_versus_chart_new (self->versus, a, b);
  csv = ov_versus_to_csv (self->versus);
  json = ov_versus_to_text (self->versus, a, b);
  name = g_strdup_printf ("%s-comparison", a->experiment->id);
  return ov_export_parts_new (OV_DRAWABLE (ov_result_chart_get_chart (whole)), name, csv, json);
}
