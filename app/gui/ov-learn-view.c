// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLearnView: all texts come from the experiment's file and the strategies' descriptors.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "report/ov-report.h"

#include "gui/ov-learn-view.h"
#include "gui/ov-drop-down.h"
#include "gui/ov-source-buffer.h"

struct _OvLearnView
{
  GtkWidget parent_instance;

  GtkLabel *title;
  GtkLabel *summary;
  GtkBox *paragraphs;
  GtkWidget *strategy_box;
  GtkDropDown *strategy;
  GtkLabel *strategy_label;
  GtkLabel *strategy_summary;
  GtkLabel *strategy_facts;
  GtkLabel *strategy_cause;
  GtkWidget *source_box;
  GtkTextView *source;

  OvExperiment *experiment;
  GPtrArray *strategies; /* of OvStrategyInfo, all that are known */
  GPtrArray *offered;    /* of OvStrategyInfo, those of the drop-down; borrowed from above */
};

G_DEFINE_FINAL_TYPE (OvLearnView, ov_learn_view, GTK_TYPE_WIDGET)

static void
set_label (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && text[0] != '\0');
}

static void
add_word (GString *text, const char *word)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, word);
}

/* "Family uring · article row 1.6 · uses block size · …" */
static char *
describe_facts (const OvStrategyInfo *info)
{
  GString *text = g_string_new (NULL);
  g_autofree char *family = g_strdup_printf (_ ("family %s"), info->family);

  add_word (text, info->id);
  add_word (text, family);
  if (info->article != NULL)
    {
      g_autofree char *row = g_strdup_printf (_ ("row %s of the articles"), info->article);

      add_word (text, row);
    }
  if (info->caps & OV_CAP_ASYNC)
    add_word (text, _ ("I/O goes on while it computes"));
  if (info->caps & OV_CAP_BY_CHARACTER)
    add_word (text, _ ("one character at a time"));
  if (info->caps & OV_CAP_BLOCK)
    add_word (text, _ ("uses the block size"));
  if (info->caps & OV_CAP_DEPTH)
    add_word (text, _ ("uses the depth"));
  if (info->caps & OV_CAP_POSITIONS)
    add_word (text, _ ("goes through a file in any order"));
  if (info->caps & OV_CAP_DIRECT_ONLY)
    add_word (text, _ ("always bypasses the page cache"));
  else if (info->caps & OV_CAP_DIRECT)
    add_word (text, _ ("can bypass the page cache"));
  if (info->caps & OV_CAP_PRIVILEGE)
    add_word (text, _ ("needs privilege"));
  return g_string_free (text, FALSE);
}

static void
show_strategy (OvLearnView *self, const OvStrategyInfo *info)
{
  g_autofree char *facts = describe_facts (info);
  gboolean has_source = info->source != NULL && info->source[0] != '\0';

  set_label (self->strategy_summary, ov_strategy_info_summary (info));
  set_label (self->strategy_facts, facts);
  if (info->available)
    set_label (self->strategy_cause, NULL);
  else
    {
      g_autofree char *cause
          = g_strdup_printf (_ ("Not here: %s"), info->cause != NULL ? info->cause : "–");

      set_label (self->strategy_cause, cause);
    }
  if (has_source)
    {
      g_autoptr (GtkTextBuffer) buffer = ov_source_buffer_new (info->source);

      gtk_text_view_set_buffer (self->source, buffer);
    }
  gtk_widget_set_visible (self->source_box, has_source);
}

static void
on_strategy_selected (OvLearnView *self)
{
  guint selected = gtk_drop_down_get_selected (self->strategy);

  if (self->offered != NULL && selected < self->offered->len)
    show_strategy (self, g_ptr_array_index (self->offered, selected));
}

static const OvStrategyInfo *
find_strategy (OvLearnView *self, const char *id)
{
  for (guint i = 0; self->strategies != NULL && i < self->strategies->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (self->strategies, i);

      if (g_strcmp0 (info->id, id) == 0)
        return info;
    }
  return NULL;
}

/* The strategies of the experiment first, then all others that do its job. */
static void
fill_strategies (OvLearnView *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n_variants = self->experiment != NULL ? self->experiment->variants->len : 0;

  g_clear_pointer (&self->offered, g_ptr_array_unref);
  self->offered = g_ptr_array_new ();
  for (guint i = 0; i < n_variants; i++)
    {
      const OvVariant *variant = g_ptr_array_index (self->experiment->variants, i);
      const OvStrategyInfo *info = find_strategy (self, variant->strategy);

      if (info != NULL && !g_ptr_array_find (self->offered, info, NULL))
        g_ptr_array_add (self->offered, (gpointer)info);
    }
  for (guint i = 0;
       self->experiment != NULL && self->strategies != NULL && i < self->strategies->len; i++)
    {
      OvStrategyInfo *info = g_ptr_array_index (self->strategies, i);

      if ((info->jobs & self->experiment->job) != 0
          && !g_ptr_array_find (self->offered, info, NULL))
        g_ptr_array_add (self->offered, info);
    }
  for (guint i = 0; i < self->offered->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (self->offered, i);

      gtk_string_list_append (names, ov_strategy_info_title (info));
    }
  gtk_drop_down_set_model (self->strategy, G_LIST_MODEL (names));
  gtk_widget_set_visible (self->strategy_box, self->offered->len > 0);
  on_strategy_selected (self);
}

static void
fill_texts (OvLearnView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->paragraphs))) != NULL)
    gtk_box_remove (self->paragraphs, child);
  if (self->experiment == NULL)
    return;
  set_label (self->title, ov_report_tr (self->experiment->title));
  set_label (self->summary, ov_report_tr (self->experiment->summary));
  for (char **text = self->experiment->learn; text != NULL && *text != NULL; text++)
    {
      GtkWidget *label = gtk_label_new (ov_report_tr (*text));

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_box_append (self->paragraphs, label);
    }
}

static void
ov_learn_view_dispose (GObject *object)
{
  OvLearnView *self = OV_LEARN_VIEW (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->experiment, ov_experiment_unref);
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  G_OBJECT_CLASS (ov_learn_view_parent_class)->dispose (object);
}

static void
ov_learn_view_class_init (OvLearnViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ov_learn_view_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, OV_RESOURCE "ov-learn-view.ui");
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, title);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, summary);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, paragraphs);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy_box);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy_label);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy_summary);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy_facts);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, strategy_cause);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, source_box);
  gtk_widget_class_bind_template_child (widget_class, OvLearnView, source);
  gtk_widget_class_bind_template_callback (widget_class, on_strategy_selected);
}

static void
ov_learn_view_init (OvLearnView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ov_drop_down_name (self->strategy, gtk_label_get_text (self->strategy_label));
  gtk_widget_set_visible (self->strategy_box, FALSE);
}

void
ov_learn_view_set_experiment (OvLearnView *self, OvExperiment *experiment)
{
  g_return_if_fail (OV_IS_LEARN_VIEW (self));

  if (experiment == self->experiment)
    return;
  g_clear_pointer (&self->experiment, ov_experiment_unref);
  if (experiment != NULL)
    self->experiment = ov_experiment_ref (experiment);
  fill_texts (self);
  fill_strategies (self);
}

void
ov_learn_view_set_strategies (OvLearnView *self, GPtrArray *strategies)
{
  g_return_if_fail (OV_IS_LEARN_VIEW (self));

  if (strategies == self->strategies)
    return;
  /* The drop-down's entries point into the old array: they go first. */
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  g_clear_pointer (&self->strategies, g_ptr_array_unref);
  if (strategies != NULL)
    self->strategies = g_ptr_array_ref (strategies);
  fill_strategies (self);
}

void
ov_learn_view_show_strategy (OvLearnView *self, const char *id)
{
  g_return_if_fail (OV_IS_LEARN_VIEW (self));

  for (guint i = 0; self->offered != NULL && i < self->offered->len; i++)
    {
      const OvStrategyInfo *info = g_ptr_array_index (self->offered, i);

      if (g_strcmp0 (info->id, id) == 0)
        gtk_drop_down_set_selected (self->strategy, i);
    }
}
