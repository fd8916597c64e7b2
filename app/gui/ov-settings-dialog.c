// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvSettingsDialog: controls are filled from the settings and write to them; while they are being
 * filled nothing is written.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "base/ov-units.h"
#include "report/ov-report.h"

#include "gui/ov-file-chooser.h"
#include "gui/ov-settings-dialog.h"
#include "gui/ov-strategy-row.h"

struct _OvSettingsDialog
{
  AdwPreferencesWindow parent_instance;

  AdwPreferencesGroup *where;
  GtkButton *add_folder;
  AdwActionRow *target;
  GtkButton *folder;
  GtkButton *file;
  GtkButton *reset;
  AdwComboRow *preset;
  GtkSpinButton *repetitions;
  GtkSpinButton *until_percent;
  GtkSpinButton *until_minutes;
  AdwComboRow *condition;
  AdwComboRow *work;
  AdwComboRow *timing;
  AdwComboRow *block;
  AdwComboRow *depth;
  AdwComboRow *neighbour;
  AdwComboRow *order;
  AdwComboRow *stride;
  AdwComboRow *durability;
  AdwActionRow *verify_row;
  GtkSwitch *verify;
  GtkSwitch *profile;
  AdwPreferencesGroup *strategies;
  AdwPreferencesGroup *others;
  AdwPreferencesGroup *faults;

  OvRunSettings *settings;
  GPtrArray *known;            /* of OvStrategyInfo, or NULL */
  GPtrArray *rows;             /* of GtkWidget: strategies' rows, borrowed from the groups */
  GPtrArray *more_rows;        /* of GtkWidget: rows of further folders, borrowed from the group */
  OvCondition shown_condition; /* for which the rows were made */
  gboolean quiet;
};

G_DEFINE_FINAL_TYPE (OvSettingsDialog, ov_settings_dialog, ADW_TYPE_PREFERENCES_WINDOW)

static const OvCondition conditions[]
    = { OV_CONDITION_WARM, OV_CONDITION_COLD, OV_CONDITION_BYPASSED };
static const guint works[]
    = { OV_WORK_NONE, OV_WORK_PLAIN, OV_WORK_FAST, OV_WORK_CRC32C, OV_WORK_SHA256, OV_WORK_SLOW };
static const guint timings[] = { OV_TIMING_COUNTERS, OV_TIMING_LATENCY, OV_TIMING_TIMELINE };

/* What the lists offer; 0 leaves it to each strategy. */
static const guint64 blocks[] = { 0,          512,     1024,    4096,     16 * 1024, 64 * 1024,
                                  256 * 1024, 1 << 20, 4 << 20, 16 << 20, 64 << 20 };
static const guint64 strides[] = { 0, 4096, 64 * 1024, 256 * 1024, 1 << 20, 4 << 20, 16 << 20 };
static const guint depths[] = { 0, 1, 2, 4, 8, 16, 32, 64, 128, 256 };

static OvStrategyInfo *
find_strategy (OvSettingsDialog *self, const char *id)
{
  for (guint i = 0; self->known != NULL && i < self->known->len; i++)
    {
      OvStrategyInfo *info = g_ptr_array_index (self->known, i);

      if (g_strcmp0 (info->id, id) == 0)
        return info;
    }
  return NULL;
}

/* Capabilities of all strategies that are chosen, together. */
static guint
chosen_caps (OvSettingsDialog *self)
{
  g_autoptr (GPtrArray) variants = ov_run_settings_list_variants (self->settings, self->known);
  guint caps = 0;

  for (guint i = 0; i < variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (variants, i);
      const OvStrategyInfo *info = find_strategy (self, variant->strategy);

      if (info != NULL && ov_run_settings_get_chosen (self->settings, variant->label))
        caps |= info->caps;
    }
  return caps;
}

/* ---- Further folders ------------------------------------------------------------------------ */

static void
on_remove (GtkButton *button, OvSettingsDialog *self)
{
  g_autofree char *path = g_strdup (g_object_get_data (G_OBJECT (button), "path"));

  ov_run_settings_remove_target (self->settings, path);
}

static void
show_more_targets (OvSettingsDialog *self)
{
  const GPtrArray *more = ov_run_settings_get_more_targets (self->settings);

  for (guint i = 0; i < self->more_rows->len; i++)
    adw_preferences_group_remove (self->where, g_ptr_array_index (self->more_rows, i));
  g_ptr_array_set_size (self->more_rows, 0);
  for (guint i = 0; i < more->len; i++)
    {
      GtkWidget *row = adw_action_row_new ();
      GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Remo_ve"));
      g_autofree char *name = g_filename_display_name (g_ptr_array_index (more, i));
      g_autofree char *markup = g_markup_escape_text (name, -1);

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Also in"));
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), markup);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      g_object_set_data_full (G_OBJECT (button), "path", g_strdup (g_ptr_array_index (more, i)),
                              g_free);
      g_signal_connect (button, "clicked", G_CALLBACK (on_remove), self);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      adw_preferences_group_add (self->where, row);
      g_ptr_array_add (self->more_rows, row);
    }
}

/* ---- From the settings to the controls ------------------------------------------------------ */

/* Whether any run of what is chosen has strided positions. */
static gboolean
may_be_strided (OvSettingsDialog *self)
{
  const OvExperiment *experiment = ov_run_settings_get_experiment (self->settings);
  const OvPreset *preset
      = ov_experiment_find_preset (experiment, ov_run_settings_get_preset (self->settings));
  const int order = ov_run_settings_get_order (self->settings);

  if (order >= 0)
    return order == OV_ORDER_STRIDED;
  if (preset != NULL && ov_preset_find_axis (preset, OV_AXIS_POSITIONS) != NULL)
    return TRUE;
  return (preset != NULL && preset->order >= 0 ? (guint)preset->order : experiment->order)
         == OV_ORDER_STRIDED;
}

static void
show_values (OvSettingsDialog *self)
{
  const OvExperiment *experiment = ov_run_settings_get_experiment (self->settings);
  g_autofree char *target = g_markup_escape_text (ov_run_settings_get_target (self->settings), -1);
  guint caps = chosen_caps (self);

  self->quiet = TRUE;
  adw_action_row_set_subtitle (self->target, target);
  if (self->more_rows->len != ov_run_settings_get_more_targets (self->settings)->len)
    show_more_targets (self);
  for (guint i = 0; i < experiment->presets->len; i++)
    {
      const OvPreset *preset = g_ptr_array_index (experiment->presets, i);

      if (g_strcmp0 (preset->id, ov_run_settings_get_preset (self->settings)) == 0)
        adw_combo_row_set_selected (self->preset, i);
    }
  gtk_spin_button_set_value (self->repetitions, ov_run_settings_get_repetitions (self->settings));
  gtk_spin_button_set_value (self->until_percent,
                             ov_run_settings_get_until_percent (self->settings));
  gtk_spin_button_set_value (self->until_minutes,
                             ov_run_settings_get_until_minutes (self->settings));
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    if (conditions[i] == ov_run_settings_get_condition (self->settings))
      adw_combo_row_set_selected (self->condition, i);
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    if (works[i] == ov_run_settings_get_work (self->settings))
      adw_combo_row_set_selected (self->work, i);
  for (guint i = 0; i < G_N_ELEMENTS (timings); i++)
    if (timings[i] == ov_run_settings_get_timing (self->settings))
      adw_combo_row_set_selected (self->timing, i);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    if (blocks[i] == ov_run_settings_get_block (self->settings))
      adw_combo_row_set_selected (self->block, i);
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    if (depths[i] == ov_run_settings_get_depth (self->settings))
      adw_combo_row_set_selected (self->depth, i);
  gtk_switch_set_active (self->profile, ov_run_settings_get_profile (self->settings));
  adw_combo_row_set_selected (self->neighbour, ov_run_settings_get_neighbour (self->settings));
  adw_combo_row_set_selected (self->order, (guint)(ov_run_settings_get_order (self->settings) + 1));
  for (guint i = 0; i < G_N_ELEMENTS (strides); i++)
    if (strides[i] == ov_run_settings_get_stride (self->settings))
      adw_combo_row_set_selected (self->stride, i);
  gtk_widget_set_sensitive (GTK_WIDGET (self->stride), may_be_strided (self));
  adw_combo_row_set_selected (self->durability, ov_run_settings_get_durability (self->settings));
  gtk_switch_set_active (self->verify, ov_run_settings_get_verify (self->settings));
  gtk_widget_set_sensitive (GTK_WIDGET (self->block), (caps & OV_CAP_BLOCK) != 0);
  gtk_widget_set_sensitive (GTK_WIDGET (self->depth), (caps & OV_CAP_DEPTH) != 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->depth),
                               (caps & OV_CAP_DEPTH) != 0
                                   ? _ ("Buffers, or requests in flight")
                                   : _ ("None of the chosen strategies uses it"));
  gtk_widget_set_sensitive (GTK_WIDGET (self->reset), ov_run_settings_is_changed (self->settings));
  self->quiet = FALSE;
}

static void
clear_strategies (OvSettingsDialog *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->rows, i);

      adw_preferences_group_remove (
          ADW_PREFERENCES_GROUP (gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP)), row);
    }
  g_ptr_array_set_size (self->rows, 0);
}

static void
show_strategies (OvSettingsDialog *self)
{
  const OvExperiment *experiment = ov_run_settings_get_experiment (self->settings);
  g_autoptr (GPtrArray) variants = ov_run_settings_list_variants (self->settings, self->known);

  clear_strategies (self);
  for (guint i = 0; i < variants->len; i++)
    {
      const OvVariant *variant = g_ptr_array_index (variants, i);
      g_autofree char *cause
          = self->known != NULL ? ov_run_settings_dup_cause (self->settings, variant, self->known)
                                : NULL;
      GtkWidget *row
          = ov_strategy_row_new (self->settings, variant, find_strategy (self, variant->strategy),
                                 cause, ov_report_style (experiment, variant->label));

      adw_preferences_group_add (i < experiment->variants->len ? self->strategies : self->others,
                                 row);
      g_ptr_array_add (self->rows, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->others), variants->len > experiment->variants->len);
  self->shown_condition = ov_run_settings_get_condition (self->settings);
}

/* A condition can rule strategies out. */
static void
on_settings_changed (OvSettingsDialog *self)
{
  if (ov_run_settings_get_condition (self->settings) != self->shown_condition)
    show_strategies (self);
  show_values (self);
}

static void
show_faults (OvSettingsDialog *self, GPtrArray *faults)
{
  gtk_widget_set_visible (GTK_WIDGET (self->faults), faults != NULL && faults->len > 0);
  for (guint i = 0; faults != NULL && i < faults->len; i++)
    {
      const OvModuleFault *fault = g_ptr_array_index (faults, i);
      g_autofree char *title = g_markup_escape_text (fault->module, -1);
      g_autofree char *subtitle = g_markup_escape_text (fault->fault, -1);
      GtkWidget *row = adw_action_row_new ();

      adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
      adw_preferences_group_add (self->faults, row);
    }
}

/* The lists that never change. */
static void
fill_choices (OvSettingsDialog *self)
{
  const OvExperiment *experiment = ov_run_settings_get_experiment (self->settings);
  g_autoptr (GtkStringList) presets = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) condition_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) work_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) block_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) depth_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) neighbour_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) order_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) stride_names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) durability_names = gtk_string_list_new (NULL);
  const gboolean writes = (experiment->job & OV_WRITE_JOBS) != 0;
  const gboolean hardware = (experiment->job & OV_HARDWARE_JOBS) != 0;

  for (guint i = 0; i < experiment->presets->len; i++)
    {
      const OvPreset *preset = g_ptr_array_index (experiment->presets, i);
      const char *title = ov_report_tr (preset->title);

      gtk_string_list_append (presets, title[0] != '\0' ? title : preset->id);
    }
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    gtk_string_list_append (condition_names, ov_condition_label (conditions[i]));
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    gtk_string_list_append (work_names, ov_report_work_label (works[i]));
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autofree char *name
          = blocks[i] > 0 ? ov_size_format (blocks[i]) : g_strdup (_ ("each strategy's own"));

      gtk_string_list_append (block_names, name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      g_autofree char *name = depths[i] > 0 ? g_strdup_printf ("%u", depths[i])
                                            : g_strdup (_ ("each strategy's own"));

      gtk_string_list_append (depth_names, name);
    }
  gtk_string_list_append (order_names, _ ("as the experiment has it"));
  for (guint i = 0; i <= OV_ORDER_STRIDED; i++)
    gtk_string_list_append (order_names, ov_order_label (i));
  for (guint i = 0; i < G_N_ELEMENTS (strides); i++)
    {
      g_autofree char *name = strides[i] > 0 ? ov_size_format (strides[i])
                                             : g_strdup (_ ("as the experiment has it"));

      gtk_string_list_append (stride_names, name);
    }
  for (guint i = 0; i <= OV_NEIGHBOUR_SHARED; i++)
    gtk_string_list_append (neighbour_names, ov_neighbour_label ((OvNeighbour)i));
  self->quiet = TRUE;
  adw_combo_row_set_model (self->neighbour, G_LIST_MODEL (neighbour_names));
  adw_combo_row_set_model (self->order, G_LIST_MODEL (order_names));
  gtk_widget_set_visible (GTK_WIDGET (self->order), (experiment->job & OV_POSITION_JOBS) != 0);
  adw_combo_row_set_model (self->stride, G_LIST_MODEL (stride_names));
  gtk_widget_set_visible (GTK_WIDGET (self->stride), (experiment->job & OV_POSITION_JOBS) != 0);
  for (guint i = OV_DURABILITY_NONE; i <= OV_DURABILITY_DSYNC; i++)
    gtk_string_list_append (durability_names, ov_durability_label ((OvDurability)i));
  adw_combo_row_set_model (self->durability, G_LIST_MODEL (durability_names));
  gtk_widget_set_visible (GTK_WIDGET (self->durability), writes);
  gtk_widget_set_visible (GTK_WIDGET (self->verify_row), writes);
  gtk_widget_set_visible (GTK_WIDGET (self->file), !writes); /* files of yours are only read */
  gtk_widget_set_visible (
      gtk_widget_get_ancestor (GTK_WIDGET (self->target), ADW_TYPE_PREFERENCES_GROUP), !hardware);
  gtk_widget_set_visible (GTK_WIDGET (self->condition), !hardware);
  gtk_widget_set_visible (GTK_WIDGET (self->work), !hardware);
  gtk_widget_set_visible (GTK_WIDGET (self->block), !hardware);
  gtk_widget_set_visible (GTK_WIDGET (self->depth), !hardware);
  gtk_widget_set_visible (GTK_WIDGET (self->timing), !hardware);
  adw_combo_row_set_model (self->block, G_LIST_MODEL (block_names));
  adw_combo_row_set_model (self->depth, G_LIST_MODEL (depth_names));
  adw_combo_row_set_model (self->preset, G_LIST_MODEL (presets));
  adw_combo_row_set_model (self->condition, G_LIST_MODEL (condition_names));
  adw_combo_row_set_model (self->work, G_LIST_MODEL (work_names));
  self->quiet = FALSE;
}

/* ---- From the controls to the settings ------------------------------------------------------ */

static void
on_preset (OvSettingsDialog *self)
{
  const OvExperiment *experiment;
  guint selected = adw_combo_row_get_selected (self->preset);

  if (self->quiet || self->settings == NULL)
    return;
  experiment = ov_run_settings_get_experiment (self->settings);
  if (selected < experiment->presets->len)
    ov_run_settings_set_preset (
        self->settings, ((OvPreset *)g_ptr_array_index (experiment->presets, selected))->id);
}

static void
on_repetitions (OvSettingsDialog *self)
{
  if (!self->quiet && self->settings != NULL)
    ov_run_settings_set_repetitions (self->settings,
                                     (guint)gtk_spin_button_get_value_as_int (self->repetitions));
}

static void
on_until (OvSettingsDialog *self)
{
  double percent, minutes;

  if (self->quiet || self->settings == NULL)
    return;
  percent = gtk_spin_button_get_value (self->until_percent);
  minutes = gtk_spin_button_get_value (self->until_minutes);
  ov_run_settings_set_until_percent (self->settings, percent);
  ov_run_settings_set_until_minutes (self->settings, minutes);
}

static void
on_condition (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->condition);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (conditions))
    ov_run_settings_set_condition (self->settings, conditions[selected]);
}

static void
on_work (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->work);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (works))
    ov_run_settings_set_work (self->settings, works[selected]);
}

static void
on_timing (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->timing);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (timings))
    ov_run_settings_set_timing (self->settings, timings[selected]);
}

static void
on_block (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->block);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (blocks))
    ov_run_settings_set_block (self->settings, blocks[selected]);
}

static void
on_depth (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->depth);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (depths))
    ov_run_settings_set_depth (self->settings, depths[selected]);
}

static void
on_profile (OvSettingsDialog *self)
{
  if (!self->quiet && self->settings != NULL)
    ov_run_settings_set_profile (self->settings, gtk_switch_get_active (self->profile));
}

static void
on_order (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->order);

  if (!self->quiet && self->settings != NULL && selected <= OV_ORDER_STRIDED + 1)
    ov_run_settings_set_order (self->settings, (int)selected - 1);
}

static void
on_stride (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->stride);

  if (!self->quiet && self->settings != NULL && selected < G_N_ELEMENTS (strides))
    ov_run_settings_set_stride (self->settings, strides[selected]);
}

static void
on_neighbour (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->neighbour);

  if (!self->quiet && self->settings != NULL && selected <= OV_NEIGHBOUR_SHARED)
    ov_run_settings_set_neighbour (self->settings, (OvNeighbour)selected);
}

static void
on_durability (OvSettingsDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->durability);

  if (!self->quiet && self->settings != NULL && selected <= OV_DURABILITY_DSYNC)
    ov_run_settings_set_durability (self->settings, (OvDurability)selected);
}

static void
on_verify (OvSettingsDialog *self)
{
  if (!self->quiet && self->settings != NULL)
    ov_run_settings_set_verify (self->settings, gtk_switch_get_active (self->verify));
}

static void
on_added (const char *path, gpointer data)
{
  OvSettingsDialog *self = data;

  ov_run_settings_add_target (self->settings, path);
}

static void
on_add_folder (OvSettingsDialog *self)
{
  ov_file_chooser_open (GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                        ov_run_settings_get_target (self->settings), on_added, self);
}

static void
on_reset (OvSettingsDialog *self)
{
  ov_run_settings_reset (self->settings);
  show_strategies (self);
}

static void
on_chosen (const char *path, gpointer data)
{
  OvSettingsDialog *self = data;

  ov_run_settings_set_target (self->settings, path);
}

static void
on_folder (OvSettingsDialog *self)
{
  ov_file_chooser_open (GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                        ov_run_settings_get_target (self->settings), on_chosen, self);
}

static void
on_file (OvSettingsDialog *self)
{
  ov_file_chooser_open (GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, on_chosen, self);
}

/* ---- The widget ----------------------------------------------------------------------------- */

static void
ov_settings_dialog_dispose (GObject *object)
{
  OvSettingsDialog *self = OV_SETTINGS_DIALOG (object);

  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->more_rows, g_ptr_array_unref);
  G_OBJECT_CLASS (ov_settings_dialog_parent_class)->dispose (object);
}

static void
ov_settings_dialog_class_init (OvSettingsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_settings_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-settings-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, where);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, add_folder);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, target);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, durability);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, verify_row);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, verify);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, folder);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, file);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, reset);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, preset);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, repetitions);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, until_percent);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, until_minutes);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, condition);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, work);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, timing);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, block);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, depth);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, neighbour);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, order);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, stride);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, profile);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, strategies);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, others);
  gtk_widget_class_bind_template_child (widget_class, OvSettingsDialog, faults);
  gtk_widget_class_bind_template_callback (widget_class, on_folder);
  gtk_widget_class_bind_template_callback (widget_class, on_add_folder);
  gtk_widget_class_bind_template_callback (widget_class, on_durability);
  gtk_widget_class_bind_template_callback (widget_class, on_verify);
  gtk_widget_class_bind_template_callback (widget_class, on_file);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
  gtk_widget_class_bind_template_callback (widget_class, on_preset);
  gtk_widget_class_bind_template_callback (widget_class, on_repetitions);
  gtk_widget_class_bind_template_callback (widget_class, on_until);
  gtk_widget_class_bind_template_callback (widget_class, on_condition);
  gtk_widget_class_bind_template_callback (widget_class, on_work);
  gtk_widget_class_bind_template_callback (widget_class, on_timing);
  gtk_widget_class_bind_template_callback (widget_class, on_block);
  gtk_widget_class_bind_template_callback (widget_class, on_depth);
  gtk_widget_class_bind_template_callback (widget_class, on_neighbour);
  gtk_widget_class_bind_template_callback (widget_class, on_order);
  gtk_widget_class_bind_template_callback (widget_class, on_stride);
  gtk_widget_class_bind_template_callback (widget_class, on_profile);
}

static void
ov_settings_dialog_init (OvSettingsDialog *self)
{
  self->rows = g_ptr_array_new ();
  self->more_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWindow *
ov_settings_dialog_new (OvRunSettings *settings, GPtrArray *strategies, GPtrArray *faults,
                        GtkWindow *parent)
{
  OvSettingsDialog *self = g_object_new (OV_TYPE_SETTINGS_DIALOG, "transient-for", parent, NULL);

  self->settings = g_object_ref (settings);
  if (strategies != NULL)
    self->known = g_ptr_array_ref (strategies);
  fill_choices (self);
  show_strategies (self);
  show_faults (self, faults);
  show_values (self);
  g_signal_connect_swapped (settings, "changed", G_CALLBACK (on_settings_changed), self);
  return GTK_WINDOW (self);
}
