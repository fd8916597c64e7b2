// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLibraryItem: texts are made once; only the date of a result is read anew, since "today" moves.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "report/ov-report.h"

#include "gui/ov-library-item.h"

struct _OvLibraryItem
{
  GObject parent_instance;

  OvLibrarySection section;
  char *key;
  char *title;
  char *subtitle;
  char *host; /* of a result that was not made here, else NULL */
  char *experiment_id;
  gint64 date;
  OvExperiment *experiment;
};

G_DEFINE_FINAL_TYPE (OvLibraryItem, ov_library_item, G_TYPE_OBJECT)

static void
ov_library_item_finalize (GObject *object)
{
  OvLibraryItem *self = OV_LIBRARY_ITEM (object);

  g_free (self->key);
  g_free (self->title);
  g_free (self->subtitle);
  g_free (self->host);
  g_free (self->experiment_id);
  g_clear_pointer (&self->experiment, ov_experiment_unref);
  G_OBJECT_CLASS (ov_library_item_parent_class)->finalize (object);
}

static void
ov_library_item_class_init (OvLibraryItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ov_library_item_finalize;
}

static void
ov_library_item_init (OvLibraryItem *self)
{
}

OvLibraryItem *
ov_library_item_new_experiment (OvLibrarySection section, OvExperiment *experiment)
{
  OvLibraryItem *self = g_object_new (OV_TYPE_LIBRARY_ITEM, NULL);

  self->section = section;
  self->key = g_strdup (experiment->id);
  self->experiment_id = g_strdup (experiment->id);
  self->title = g_strdup (ov_report_tr (experiment->title));
  self->subtitle = g_strdup (ov_report_tr (experiment->summary));
  self->experiment = ov_experiment_ref (experiment);
  return self;
}

OvLibraryItem *
ov_library_item_new_result (const char *path, const OvResult *result)
{
  OvLibraryItem *self = g_object_new (OV_TYPE_LIBRARY_ITEM, NULL);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const char *host = result->machine != NULL ? result->machine->host : NULL;
  guint n = result->runs->len;

  self->section = OV_LIBRARY_RESULT;
  self->key = g_strdup (path);
  self->experiment_id = g_strdup (result->experiment->id);
  self->title = g_strdup (ov_report_tr (result->experiment->title));
  self->date = result->date;
  if (host != NULL && g_strcmp0 (host, g_get_host_name ()) != 0)
    self->host = g_strdup (host);

  if (host != NULL)
    g_ptr_array_add (parts, g_strdup (host));
  for (guint i = 0; i < result->targets->len; i++)
    {
      char *device = ov_report_device (g_ptr_array_index (result->targets, i));

      if (device != NULL)
        g_ptr_array_add (parts, device);
    }
  g_ptr_array_add (parts, g_strdup_printf (g_dngettext (NULL, "%u run", "%u runs", n), n));
  if (result->partial)
    g_ptr_array_add (parts, g_strdup (_ ("stopped early")));
  g_ptr_array_add (parts, NULL);
  self->subtitle = g_strjoinv (" · ", (char **)parts->pdata);
  return self;
}

OvLibrarySection
ov_library_item_get_section (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), OV_LIBRARY_EXPERIMENT);
  return self->section;
}

const char *
ov_library_item_get_key (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), NULL);
  return self->key;
}

/* "Today 14:02", "Yesterday 13:40", "12 March 09:15", "2025-03-12". */
static char *
format_date (gint64 date)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (date);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  GDate a, b;
  int days;

  if (then == NULL)
    return g_strdup ("–");
  g_date_clear (&a, 1);
  g_date_clear (&b, 1);
  g_date_set_dmy (&a, (GDateDay)g_date_time_get_day_of_month (then),
                  (GDateMonth)g_date_time_get_month (then), (GDateYear)g_date_time_get_year (then));
  g_date_set_dmy (&b, (GDateDay)g_date_time_get_day_of_month (now),
                  (GDateMonth)g_date_time_get_month (now), (GDateYear)g_date_time_get_year (now));
  days = g_date_days_between (&a, &b);
  if (days == 0)
    return g_date_time_format (then, _ ("Today %H:%M"));
  if (days == 1)
    return g_date_time_format (then, _ ("Yesterday %H:%M"));
  if (days > 1 && days < 300)
    /* Translators: day and month of a date in the last months, then the time; see strftime(3). */
    return g_date_time_format (then, _ ("%e %B %H:%M"));
  return g_date_time_format (then, "%Y-%m-%d");
}

char *
ov_library_item_dup_title (OvLibraryItem *self)
{
  g_autofree char *date = NULL;

  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), NULL);
  if (self->section != OV_LIBRARY_RESULT)
    return g_strdup (self->title);
  date = format_date (self->date);
  g_strchug (date);
  if (self->host != NULL)
    return g_strdup_printf ("%s · %s · %s", date, self->title, self->host);
  return g_strdup_printf ("%s · %s", date, self->title);
}

const char *
ov_library_item_get_subtitle (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), NULL);
  return self->subtitle;
}

OvExperiment *
ov_library_item_get_experiment (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), NULL);
  return self->experiment;
}

const char *
ov_library_item_get_experiment_id (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), NULL);
  return self->experiment_id;
}

gint64
ov_library_item_get_date (OvLibraryItem *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), 0);
  return self->date;
}

gboolean
ov_library_item_matches (OvLibraryItem *self, const char *search)
{
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (OV_IS_LIBRARY_ITEM (self), FALSE);
  if (search == NULL || search[0] == '\0')
    return TRUE;
  title = ov_library_item_dup_title (self);
  text = g_strconcat (title, " ", self->subtitle, " ", self->experiment_id, NULL);
  return g_str_match_string (search, text, TRUE);
}
