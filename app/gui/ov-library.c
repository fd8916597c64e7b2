// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvLibrary: an experiment is the user's own if it lies in the user's folder or was opened by
 * hand; all others came with the program.
 */
#include "config.h"

#include "gui/ov-library.h"

struct _OvLibrary
{
  GObject parent_instance;

  GListStore *experiments; /* of OvLibraryItem */
  OvResultStore *results;
};

G_DEFINE_FINAL_TYPE (OvLibrary, ov_library, G_TYPE_OBJECT)

enum
{
  SIGNAL_ERROR,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
report_error (const GError *error, gpointer data)
{
  g_signal_emit (data, signals[SIGNAL_ERROR], 0, error);
}

static void
on_store_error (OvResultStore *store, gpointer error, OvLibrary *self)
{
  report_error (error, self);
}

static void
ov_library_dispose (GObject *object)
{
  OvLibrary *self = OV_LIBRARY (object);

  g_clear_object (&self->experiments);
  g_clear_object (&self->results);
  G_OBJECT_CLASS (ov_library_parent_class)->dispose (object);
}

static void
ov_library_class_init (OvLibraryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ov_library_dispose;
  signals[SIGNAL_ERROR] = g_signal_new ("error", OV_TYPE_LIBRARY, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_library_init (OvLibrary *self)
{
  self->experiments = g_list_store_new (OV_TYPE_LIBRARY_ITEM);
  self->results = ov_result_store_new ();
  g_signal_connect_object (self->results, "error", G_CALLBACK (on_store_error), self, 0);
}

OvLibrary *
ov_library_new (void)
{
  return g_object_new (OV_TYPE_LIBRARY, NULL);
}

static gboolean
is_own (const OvExperiment *experiment)
{
  return experiment->path != NULL && g_str_has_prefix (experiment->path, g_get_user_data_dir ());
}

void
ov_library_load (OvLibrary *self)
{
  g_auto (GStrv) folders = ov_experiment_folders ();
  g_autoptr (GPtrArray) all = NULL;

  g_return_if_fail (OV_IS_LIBRARY (self));
  all = ov_experiment_load_all ((const char *const *)folders, report_error, self);
  for (guint own = 0; own < 2; own++)
    for (guint i = 0; i < all->len; i++)
      {
        OvExperiment *experiment = g_ptr_array_index (all, i);
        g_autoptr (OvLibraryItem) item = NULL;

        if (is_own (experiment) != (own == 1))
          continue;
        item = ov_library_item_new_experiment (own == 1 ? OV_LIBRARY_OWN : OV_LIBRARY_EXPERIMENT,
                                               experiment);
        g_list_store_append (self->experiments, item);
      }
}

void
ov_library_load_results (OvLibrary *self)
{
  g_return_if_fail (OV_IS_LIBRARY (self));
  ov_result_store_scan (self->results);
}

GListModel *
ov_library_get_experiments (OvLibrary *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY (self), NULL);
  return G_LIST_MODEL (self->experiments);
}

OvResultStore *
ov_library_get_results (OvLibrary *self)
{
  g_return_val_if_fail (OV_IS_LIBRARY (self), NULL);
  return self->results;
}

/* The first item of the model for the experiment `id`. */
static OvLibraryItem *
find (GListModel *model, const char *id, guint *position)
{
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (model, i);

      if (g_strcmp0 (ov_library_item_get_experiment_id (item), id) == 0)
        {
          if (position != NULL)
            *position = i;
          return item; /* the list holds it */
        }
    }
  return NULL;
}

OvLibraryItem *
ov_library_find_experiment (OvLibrary *self, const char *id)
{
  g_return_val_if_fail (OV_IS_LIBRARY (self), NULL);
  return find (G_LIST_MODEL (self->experiments), id, NULL);
}

OvLibraryItem *
ov_library_find_last_result (OvLibrary *self, const char *id)
{
  g_return_val_if_fail (OV_IS_LIBRARY (self), NULL);
  return find (ov_result_store_get_items (self->results), id, NULL);
}

OvLibraryItem *
ov_library_find_result (OvLibrary *self, const char *path)
{
  GListModel *items;

  g_return_val_if_fail (OV_IS_LIBRARY (self) && path != NULL, NULL);
  items = ov_result_store_get_items (self->results);
  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (items, i);

      if (g_strcmp0 (ov_library_item_get_key (item), path) == 0)
        return item; /* the store's */
    }
  return NULL;
}

OvLibraryItem *
ov_library_add_experiment (OvLibrary *self, OvExperiment *experiment)
{
  g_autoptr (OvLibraryItem) item = NULL;
  OvLibraryItem *old;
  guint position;

  g_return_val_if_fail (OV_IS_LIBRARY (self), NULL);
  item = ov_library_item_new_experiment (OV_LIBRARY_OWN, experiment);
  old = find (G_LIST_MODEL (self->experiments), experiment->id, &position);
  if (old != NULL && ov_library_item_get_section (old) == OV_LIBRARY_OWN)
    g_list_store_splice (self->experiments, position, 1, (gpointer *)&item, 1);
  else
    g_list_store_append (self->experiments, item);
  return item;
}
