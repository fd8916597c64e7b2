// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSelfCostDialog: `process` is there while something is measured. It tells how far it is by a
 * line with a percentage; any other line is why it failed.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <signal.h>

#include "report/ov-self-cost-table.h"

#include "gui/ov-self-cost-dialog.h"
#include "gui/ov-table-view.h"

struct _OvSelfCostDialog
{
  AdwWindow parent_instance;

  GtkButton *measure;
  GtkProgressBar *progress;
  GtkLabel *status;
  GtkBox *tables;

  OvSelfCost *carried; /* or NULL */
  GSubprocess *process;
  GDataInputStream *lines;
  GString *complaint;
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (OvSelfCostDialog, ov_self_cost_dialog, ADW_TYPE_WINDOW)

enum
{
  SIGNAL_MEASURED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
show_table (OvSelfCostDialog *self, const OvSelfCost *cost)
{
  g_autoptr (OvTable) table = ov_self_cost_table_new (cost);

  gtk_box_append (self->tables, ov_table_view_new_card (table));
}

static void
show_status (OvSelfCostDialog *self, const char *text)
{
  gtk_label_set_text (self->status, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->status), text != NULL);
}

/* The last figures of this machine, and those of the result where they are others. */
static void
show_figures (OvSelfCostDialog *self)
{
  g_autoptr (OvSelfCost) last = ov_self_cost_load (g_get_host_name ());
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->tables))) != NULL)
    gtk_box_remove (self->tables, child);
  if (last != NULL)
    show_table (self, last);
  if (self->carried != NULL
      && (last == NULL || last->date != self->carried->date
          || g_strcmp0 (last->host, self->carried->host) != 0))
    show_table (self, self->carried);
  if (last == NULL && self->process == NULL && !gtk_widget_get_visible (GTK_WIDGET (self->status)))
    show_status (self, _ ("It has not been measured on this machine yet."));
}

static void
show_face (OvSelfCostDialog *self)
{
  const gboolean running = self->process != NULL;
  GtkWidget *button = GTK_WIDGET (self->measure);

  gtk_button_set_label (self->measure, running ? _ ("_Stop") : _ ("_Measure"));
  gtk_widget_remove_css_class (button, running ? "suggested-action" : "destructive-action");
  gtk_widget_add_css_class (button, running ? "destructive-action" : "suggested-action");
  gtk_widget_set_visible (GTK_WIDGET (self->progress), running);
}

/* ---- The process ---------------------------------------------------------------------------- */

/* The command line's program: beside this one, where both are installed or built, else in the path.
 */
static char *
find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : g_strdup ("");
  g_autofree char *beside = g_build_filename (folder, "overlap-cli", NULL);
  g_autofree char *built = g_build_filename (folder, "..", "cli", "overlap-cli", NULL);

  if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&built);
  return g_find_program_in_path ("overlap-cli");
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvSelfCostDialog) self = data;
  GSubprocess *process = G_SUBPROCESS (source);
  gboolean good = g_subprocess_wait_finish (process, result, NULL)
                  && g_subprocess_get_if_exited (process)
                  && g_subprocess_get_exit_status (process) == 0;

  if (self->process != process)
    return;
  g_clear_object (&self->process);
  g_clear_object (&self->lines);
  if (self->stopped)
    show_status (self, _ ("Stopped; the figures from before stay."));
  else if (!good)
    {
      g_strchomp (self->complaint->str);
      show_status (self, self->complaint->str[0] != '\0' ? self->complaint->str
                                                         : _ ("It could not be measured."));
    }
  else
    show_status (self, NULL);
  show_face (self);
  show_figures (self);
  if (good)
    g_signal_emit (self, signals[SIGNAL_MEASURED], 0);
}

static void read_line (OvSelfCostDialog *self);

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (OvSelfCostDialog) self = data;
  g_autofree char *line = g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (source),
                                                                     result, NULL, NULL);
  guint64 percent;

  if (line == NULL || self->lines == NULL)
    return;
  if (g_ascii_string_to_unsigned (line, 10, 0, 100, &percent, NULL))
    gtk_progress_bar_set_fraction (self->progress, (double)percent / 100);
  else
    g_string_append_printf (self->complaint, "%s\n", line);
  read_line (self);
}

static void
read_line (OvSelfCostDialog *self)
{
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT_IDLE, NULL, on_line,
                                       g_object_ref (self));
}

static void
start (OvSelfCostDialog *self)
{
  g_autofree char *program = find_program ();
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    {
      show_status (self, _ ("The program overlap-cli is not installed."));
      return;
    }
  self->process
      = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                          &error, program, "self-cost", "--steps", NULL);
  if (self->process == NULL)
    {
      show_status (self, error->message);
      return;
    }
  self->stopped = FALSE;
  g_string_truncate (self->complaint, 0);
  gtk_progress_bar_set_fraction (self->progress, 0);
  self->lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  read_line (self);
  g_subprocess_wait_async (self->process, NULL, on_ended, g_object_ref (self));
  show_status (self, _ ("Measuring…"));
}

/* It drains what it runs and ends by itself; what it had found is not kept. */
static void
stop (OvSelfCostDialog *self)
{
  self->stopped = TRUE;
  if (self->process != NULL)
    g_subprocess_send_signal (self->process, SIGINT);
}

static void
on_measure (OvSelfCostDialog *self)
{
  if (self->process != NULL)
    {
      stop (self);
      show_status (self, _ ("Stopping…"));
      return;
    }
  start (self);
  show_face (self);
}

/* ---- The widget ----------------------------------------------------------------------------- */

static void
ov_self_cost_dialog_dispose (GObject *object)
{
  OvSelfCostDialog *self = OV_SELF_COST_DIALOG (object);

  stop (self);
  g_clear_object (&self->process);
  g_clear_object (&self->lines);
  g_clear_pointer (&self->carried, ov_self_cost_free);
  G_OBJECT_CLASS (ov_self_cost_dialog_parent_class)->dispose (object);
}

static void
ov_self_cost_dialog_finalize (GObject *object)
{
  g_string_free (OV_SELF_COST_DIALOG (object)->complaint, TRUE);
  G_OBJECT_CLASS (ov_self_cost_dialog_parent_class)->finalize (object);
}

/* Nobody sees what it would find any more. */
static gboolean
ov_self_cost_dialog_close_request (GtkWindow *window)
{
  stop (OV_SELF_COST_DIALOG (window));
  return GTK_WINDOW_CLASS (ov_self_cost_dialog_parent_class)->close_request (window);
}

static void
ov_self_cost_dialog_class_init (OvSelfCostDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_self_cost_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = ov_self_cost_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = ov_self_cost_dialog_close_request;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-self-cost-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, OvSelfCostDialog, measure);
  gtk_widget_class_bind_template_child (widget_class, OvSelfCostDialog, progress);
  gtk_widget_class_bind_template_child (widget_class, OvSelfCostDialog, status);
  gtk_widget_class_bind_template_child (widget_class, OvSelfCostDialog, tables);
  gtk_widget_class_bind_template_callback (widget_class, on_measure);
  signals[SIGNAL_MEASURED] = g_signal_new ("measured", OV_TYPE_SELF_COST_DIALOG, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ov_self_cost_dialog_init (OvSelfCostDialog *self)
{
  self->complaint = g_string_new (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  show_face (self);
}

GtkWindow *
ov_self_cost_dialog_new (const OvSelfCost *carried, GtkWindow *parent)
{
  OvSelfCostDialog *self = g_object_new (OV_TYPE_SELF_COST_DIALOG, "transient-for", parent, NULL);

  self->carried = carried != NULL ? ov_self_cost_copy (carried) : NULL;
  show_figures (self);
  return GTK_WINDOW (self);
}
