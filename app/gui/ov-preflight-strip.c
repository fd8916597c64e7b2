// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvPreflightStrip: every text is made from the plan and from what the worker found of the target.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/ov-units.h"
#include "model/ov-disk.h"
#include "report/ov-report.h"

#include "gui/ov-choices.h"
#include "gui/ov-lazy-menu.h"
#include "gui/ov-preflight-strip.h"
#include "gui/ov-tooltip.h"
#include "gui/ov-wrap-layout.h"

struct _OvPreflightStrip
{
  GtkWidget parent_instance;

  GtkWidget *target;
  GMenuModel *target_menu;
  GtkLabel *target_label;
  GtkLabel *condition;
  GtkLabel *reads;
  GtkLabel *writes;
  GtkLabel *time;
  GtkLabel *obstacle;
  GtkWidget *skips;
  GtkLabel *skips_label;
  GtkBox *skips_box;
  GtkWidget *settings;

  OvRunModel *model;
};

G_DEFINE_FINAL_TYPE (OvPreflightStrip, ov_preflight_strip, GTK_TYPE_WIDGET)

/* Takes `text`; NULL hides the label. */
static void
take_label (GtkLabel *label, char *text)
{
  if (text != NULL)
    {
      gtk_label_set_text (label, text);
      ov_tooltip_set (GTK_WIDGET (label), text);
    }
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
  g_free (text);
}

static char *
target_name (const char *path)
{
  g_autofree char *own = ov_choices_dup_own_folder ();
  OvDisk disk;

  if (ov_target_is_machine (path))
    return g_strdup (_ ("this machine"));
  if (ov_disk_is_target (path))
    return ov_disk_parse (path, &disk, NULL) ? ov_disk_title (&disk) : g_strdup (path);

  if (g_strcmp0 (path, g_get_home_dir ()) == 0)
    return g_strdup (_ ("home"));
  if (g_strcmp0 (path, own) == 0)
    return g_strdup (_ ("cache folder"));
  if (g_strcmp0 (path, "/") == 0)
    return g_strdup (path);
  return g_path_get_basename (path);
}

/* Adds the further folders: to `text` by name and device, to `tooltip` all that is known. */
static void
add_more_targets (OvPreflightStrip *self, GString *text, GString *tooltip)
{
  const GPtrArray *more
      = ov_run_settings_get_more_targets (ov_run_model_get_settings (self->model));

  for (guint i = 0; i < more->len; i++)
    {
      const char *path = g_ptr_array_index (more, i);
      const OvTargetInfo *info = ov_run_model_find_target (self->model, path);
      g_autofree char *name = target_name (path);
      g_autofree char *device = info != NULL ? ov_report_device (info) : NULL;
      g_autofree char *space = info != NULL ? ov_bytes_format_si ((double)info->free_bytes) : NULL;

      g_string_append_printf (text, device != NULL ? " + %s · %s" : " + %s", name, device);
      g_string_append_printf (tooltip, "\n\n%s", path);
      if (info != NULL && info->cause != NULL)
        g_string_append_printf (tooltip, "\n%s", info->cause);
      else if (info != NULL)
        g_string_append_printf (tooltip, _ ("\n%s (%s)\n%s free"), device != NULL ? device : "–",
                                info->mount_options != NULL ? info->mount_options : "–", space);
    }
}

static void
show_target (OvPreflightStrip *self)
{
  const char *path = ov_run_settings_get_target (ov_run_model_get_settings (self->model));
  const OvTargetInfo *info = ov_run_model_get_target (self->model);
  g_autofree char *name = target_name (path);
  g_autofree char *device = info != NULL ? ov_report_device (info) : NULL;
  gboolean simulated = info != NULL && info->simulated != NULL;
  g_autofree char *text = NULL;
  g_autofree char *tooltip = NULL;
  g_autoptr (GString) all = NULL;
  g_autoptr (GString) about = NULL;

  if (device != NULL && simulated)
    text = g_strdup (device); /* has the name in it */
  else if (device != NULL)
    text = g_strdup_printf ("%s · %s", name, device);
  else if (info == NULL && ov_run_model_get_target_error (self->model) == NULL)
    text = g_strdup_printf (_ ("%s · looking…"), name);
  else
    text = g_strdup (name);
  tooltip = info != NULL && info->device_model != NULL
                ? g_strdup_printf ("%s\n%s", path, info->device_model)
                : g_strdup (path);
  all = g_string_new (text);
  about = g_string_new (tooltip);
  add_more_targets (self, all, about);
  gtk_widget_set_sensitive (self->target, !ov_target_is_machine (path));
  gtk_label_set_text (self->target_label, all->str);
  ov_tooltip_set (self->target, about->str);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->target), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  all->str, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about->str, -1);
}

/* What was found in the cache before the runs of the last result: mean, or NaN. */
static double
measured_residency (OvRunModel *model)
{
  const OvResultTexts *texts = ov_run_model_get_texts (model);
  const OvResult *result = ov_run_model_get_result (model);

  if (texts != NULL)
    return texts->resident;
  return result != NULL ? ov_result_texts_resident (result) : NAN;
}

static char *
describe_condition (OvPreflightStrip *self)
{
  const guint job = ov_run_model_get_experiment (self->model)->job;
  const char *label = ov_condition_label (
      ov_run_settings_get_condition (ov_run_model_get_settings (self->model)));
  double resident = measured_residency (self->model);
  OvRunSettings *settings = ov_run_model_get_settings (self->model);

  if ((job & OV_HARDWARE_JOBS) != 0)
    return NULL;
  if (job == OV_JOB_TRANSFER && ov_run_settings_get_condition (settings) == OV_CONDITION_COLD)
    return g_strdup (_ ("Through the page cache, read back from the device"));
  /* A new file is in no cache. */
  if ((job & OV_WRITE_JOBS) != 0
      && ov_run_settings_get_condition (settings) != OV_CONDITION_BYPASSED)
    return g_strdup (_ ("Through the page cache"));

  if (isfinite (resident))
    return g_strdup_printf (_ ("%s: %.1f %% resident"), label, resident * 100);
  return g_strdup (label);
}

/* Jobs without a file: how often, or at which rates, in how many runs. */
static char *
describe_hardware (const OvPlan *plan)
{
  const OvRunSpec *first = g_ptr_array_index (plan->specs, 0);
  g_autofree char *number = NULL;
  double lo = first->rate, hi = first->rate;
  guint64 most = 0;
  const guint n = plan->specs->len;

  for (guint i = 0; i < n; i++)
    {
      const OvRunSpec *spec = g_ptr_array_index (plan->specs, i);

      most = MAX (most, spec->requests);
      lo = MIN (lo, spec->rate);
      hi = MAX (hi, spec->rate);
    }
  if (first->job == OV_JOB_PORT)
    {
      number = ov_count_format (most);
      return g_strdup_printf (
          g_dngettext (NULL, "%s accesses in %u run", "%s accesses in %u runs", n), number, n);
    }
  number = ov_report_format_hertz (hi);
  if (lo < hi)
    {
      g_autofree char *from = ov_report_format_hertz (lo);

      return g_strdup_printf (g_dngettext (NULL, "%s to %s in %u run", "%s to %s in %u runs", n),
                              from, number, n);
    }
  return g_strdup_printf (g_dngettext (NULL, "%s in %u run", "%s in %u runs", n), number, n);
}

static char *
describe_reads (const OvPlan *plan)
{
  g_autofree char *bytes = ov_bytes_format_si ((double)ov_plan_read_bytes (plan));
  guint n = plan->specs->len;
  gint64 limit_ns = 0;

  if (n > 0 && (((OvRunSpec *)g_ptr_array_index (plan->specs, 0))->job & OV_HARDWARE_JOBS) != 0)
    return describe_hardware (plan);
  for (guint i = 0; i < n; i++)
    limit_ns = MAX (limit_ns, ((OvRunSpec *)g_ptr_array_index (plan->specs, i))->time_limit_ns);
  if (limit_ns > 0)
    {
      g_autofree char *limit = ov_duration_format ((double)limit_ns / 1e9);

      /* How much that is depends on the disk: "reads for at most 1.00 s in each of 60 runs". */
      return g_strdup_printf (g_dngettext (NULL, "reads for at most %s in %u run",
                                           "reads for at most %s in each of %u runs", n),
                              limit, n);
    }
  return g_strdup_printf (g_dngettext (NULL, "reads %s in %u run", "reads %s in %u runs", n), bytes,
                          n);
}

/* Jobs that write: what all passes write, and what is there at a time. */
static char *
describe_passes (const OvPlan *plan, const char *at_a_time, const char *available)
{
  g_autofree char *all = ov_bytes_format_si ((double)ov_plan_written_bytes (plan, NULL));

  /* Translators: "writes 1.2 GB, 8.4 MB at a time, of 81 GB free". */
  return g_strdup_printf (_ ("writes %s, %s at a time, of %s free"), all, at_a_time, available);
}

static char *
describe_writes (const OvPlan *plan, const OvTargetInfo *target)
{
  guint64 needed = ov_plan_layout_bytes (plan, target->path);
  g_autofree char *bytes = ov_bytes_format_si ((double)needed);
  g_autofree char *available = ov_bytes_format_si ((double)target->free_bytes);

  if (target->kind == OV_TARGET_MACHINE)
    return NULL;
  if (needed == 0)
    return g_strdup (_ ("writes nothing"));
  if (ov_plan_written_bytes (plan, NULL) > 0)
    return describe_passes (plan, bytes, available);
  /* Translators: the size of scratch files, then the free space: "writes 15.4 MB of 81 GB free". */
  return g_strdup_printf (_ ("writes %s of %s free"), bytes, available);
}

static char *
describe_time (OvPreflightStrip *self)
{
  gint64 seconds = ov_run_model_estimate (self->model);
  g_autofree char *text = NULL;

  if (seconds < 0)
    return NULL;
  text = ov_run_model_format_about (seconds);
  return g_strdup_printf (_ ("about %s"), text);
}

/* A sentence about what stands in the way of the whole run, or NULL. */
static char *
describe_obstacle (OvPreflightStrip *self)
{
  const OvTargetInfo *target = ov_run_model_get_target (self->model);
  const OvPlan *plan = ov_run_model_get_plan (self->model);

  if (ov_run_model_get_target_error (self->model) != NULL
      || ov_run_model_get_plan_error (self->model) != NULL
      || (target != NULL && target->kind == OV_TARGET_REFUSED)
      || (plan != NULL && plan->specs->len == 0))
    return ov_run_model_why_not (self->model);
  if (plan != NULL && target != NULL && target->kind == OV_TARGET_FOLDER
      && ov_plan_layout_bytes (plan, target->path) > target->free_bytes)
    return g_strdup (_ ("There is not enough space for the scratch files: choose another folder "
                        "or a smaller preset."));
  return NULL;
}

static void
show_skips (OvPreflightStrip *self, const OvPlan *plan)
{
  guint n = plan != NULL ? plan->skips->len : 0;
  g_autofree char *text = g_strdup_printf (
      g_dngettext (NULL, "%u strategy not here", "%u strategies not here", n), n);
  GtkWidget *child;

  gtk_widget_set_visible (self->skips, n > 0);
  gtk_label_set_text (self->skips_label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->skips), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->skips_box))) != NULL)
    gtk_box_remove (self->skips_box, child);
  for (guint i = 0; i < n; i++)
    {
      const OvRun *run = g_ptr_array_index (plan->skips, i);
      g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b>\n%s", run->spec->variant,
                                                         run->cause != NULL ? run->cause : "");
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_markup (GTK_LABEL (label), markup);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
      gtk_box_append (self->skips_box, label);
    }
}

static void
update (OvPreflightStrip *self)
{
  const OvPlan *plan = ov_run_model_get_plan (self->model);
  const OvTargetInfo *target = ov_run_model_get_target (self->model);

  show_target (self);
  take_label (self->condition, describe_condition (self));
  take_label (self->reads, plan != NULL ? describe_reads (plan) : NULL);
  take_label (self->writes, plan != NULL && target != NULL ? describe_writes (plan, target) : NULL);
  take_label (self->time, describe_time (self));
  take_label (self->obstacle, describe_obstacle (self));
  show_skips (self, plan);
}

static void
ov_preflight_strip_dispose (GObject *object)
{
  OvPreflightStrip *self = OV_PREFLIGHT_STRIP (object);
  GtkWidget *child;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ov_preflight_strip_parent_class)->dispose (object);
}

static void
ov_preflight_strip_class_init (OvPreflightStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (OV_TYPE_WRAP_LAYOUT);
  G_OBJECT_CLASS (klass)->dispose = ov_preflight_strip_dispose;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-preflight-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, target);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, target_menu);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, target_label);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, condition);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, reads);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, writes);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, time);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, obstacle);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, skips);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, skips_label);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, skips_box);
  gtk_widget_class_bind_template_child (widget_class, OvPreflightStrip, settings);
}

static void
ov_preflight_strip_init (OvPreflightStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ov_lazy_menu_set (GTK_MENU_BUTTON (self->target), self->target_menu);
}

void
ov_preflight_strip_set_model (OvPreflightStrip *self, OvRunModel *model)
{
  g_return_if_fail (OV_IS_PREFLIGHT_STRIP (self));

  if (model == self->model)
    return;
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  if (model == NULL)
    return;
  g_signal_connect_swapped (model, "plan-changed", G_CALLBACK (update), self);
  update (self);
}
