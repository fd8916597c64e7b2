// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * OvResultStore: list and folder are kept alike; the list is touched by the main thread only. The
 * folder is watched once it is there: to wait for one that is not wakes the process all the time.
 */
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "base/ov-error.h"

#include "gui/ov-result-store.h"

#include "gui/ov-background.h"

#define MAX_LOGGED     4000000
#define SUFFIX         ".json"
#define DELETED_SUFFIX ".json.deleted"

struct _OvResultStore
{
  GObject parent_instance;

  char *folder;
  GListStore *items;
  GPtrArray *removed; /* of OvLibraryItem: files that are only hidden */
  GFileMonitor *monitor;
};

G_DEFINE_FINAL_TYPE (OvResultStore, ov_result_store, G_TYPE_OBJECT)

enum
{
  SIGNAL_ERROR,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* The hidden name of a removed result. */
static char *
hidden_path (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *hidden = g_strconcat (".", name, ".deleted", NULL);

  return g_build_filename (folder, hidden, NULL);
}

static void
ov_result_store_dispose (GObject *object)
{
  OvResultStore *self = OV_RESULT_STORE (object);

  if (self->removed != NULL)
    ov_result_store_purge (self);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->removed, g_ptr_array_unref);
  g_clear_object (&self->items);
  G_OBJECT_CLASS (ov_result_store_parent_class)->dispose (object);
}

static void
ov_result_store_finalize (GObject *object)
{
  g_free (OV_RESULT_STORE (object)->folder);
  G_OBJECT_CLASS (ov_result_store_parent_class)->finalize (object);
}

static void
ov_result_store_class_init (OvResultStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ov_result_store_dispose;
  object_class->finalize = ov_result_store_finalize;
  signals[SIGNAL_ERROR] = g_signal_new ("error", OV_TYPE_RESULT_STORE, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
ov_result_store_init (OvResultStore *self)
{
  self->folder = g_build_filename (g_get_user_data_dir (), "overlap", "results", NULL);
  self->items = g_list_store_new (OV_TYPE_LIBRARY_ITEM);
  self->removed = g_ptr_array_new_with_free_func (g_object_unref);
}

OvResultStore *
ov_result_store_new (void)
{
  return g_object_new (OV_TYPE_RESULT_STORE, NULL);
}

GListModel *
ov_result_store_get_items (OvResultStore *self)
{
  g_return_val_if_fail (OV_IS_RESULT_STORE (self), NULL);
  return G_LIST_MODEL (self->items);
}

static int
newest_first (gconstpointer a, gconstpointer b, gpointer data)
{
  gint64 x = ov_library_item_get_date ((OvLibraryItem *)a);
  gint64 y = ov_library_item_get_date ((OvLibraryItem *)b);

  if (x != y)
    return (x < y) - (x > y);
  return g_strcmp0 (ov_library_item_get_key ((OvLibraryItem *)b),
                    ov_library_item_get_key ((OvLibraryItem *)a));
}

/* ---- Watching the folder -------------------------------------------------------------------- */

/* The item of a file, or NULL. Borrowed from the list. */
static OvLibraryItem *
find_item (OvResultStore *self, const char *path, guint *position)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (OvLibraryItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      if (g_strcmp0 (ov_library_item_get_key (item), path) == 0)
        {
          *position = i;
          return item;
        }
    }
  return NULL;
}

/* A file that somebody else took away cannot be opened any more. Those that were hidden here are
 * not in the list. */
static void
on_folder (OvResultStore *self, GFile *file, GFile *other, GFileMonitorEvent event)
{
  g_autofree char *path = g_file_get_path (file);
  guint position;

  if (event != G_FILE_MONITOR_EVENT_DELETED && event != G_FILE_MONITOR_EVENT_MOVED_OUT
      && event != G_FILE_MONITOR_EVENT_RENAMED)
    return;
  /* An older event may be told of a file that has come back. */
  if (find_item (self, path, &position) != NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    g_list_store_remove (self->items, position);
}

static void
watch_folder (OvResultStore *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->folder);

  if (self->monitor != NULL || self->items == NULL
      || !g_file_test (self->folder, G_FILE_TEST_IS_DIR))
    return;
  self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_folder), self,
                             G_CONNECT_SWAPPED);
}

/* ---- Reading the folder --------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *items;  /* of OvLibraryItem */
  GPtrArray *errors; /* of GError */
} Scan;

static void
scan_free (gpointer data)
{
  Scan *scan = data;

  g_ptr_array_unref (scan->items);
  g_ptr_array_unref (scan->errors);
  g_free (scan);
}

static void
scan_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *folder = data;
  GError *refused = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &refused);
  Scan *scan = g_new0 (Scan, 1);
  const char *name;

  scan->items = g_ptr_array_new_with_free_func (g_object_unref);
  scan->errors = g_ptr_array_new_with_free_func ((GDestroyNotify)g_error_free);
  /* Without a result yet there is no folder. */
  if (g_error_matches (refused, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_clear_error (&refused);
  if (refused != NULL)
    g_ptr_array_add (scan->errors, refused);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (OvResult) result = NULL;
      GError *error = NULL;

      if (name[0] == '.' && g_str_has_suffix (name, DELETED_SUFFIX))
        g_unlink (path);
      if (name[0] == '.' || !g_str_has_suffix (name, SUFFIX))
        continue;
      result = ov_result_load (path, &error);
      if (result != NULL)
        g_ptr_array_add (scan->items, ov_library_item_new_result (path, result));
      else
        g_ptr_array_add (scan->errors, error);
    }
  g_task_return_pointer (task, scan, scan_free);
}

static int
newest_first_pointers (gconstpointer a, gconstpointer b)
{
  return newest_first (*(gconstpointer *)a, *(gconstpointer *)b, NULL);
}

/* All at once where there are none yet: who follows the list looks at all of it with each change.
 */
static void
add_scanned (OvResultStore *self, GPtrArray *items)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->items)) == 0)
    {
      g_ptr_array_sort (items, newest_first_pointers);
      g_list_store_splice (self->items, 0, 0, items->pdata, items->len);
      return;
    }
  /* A result stored while the folder was read is in the list already. */
  for (guint i = 0; i < items->len; i++)
    {
      OvLibraryItem *item = g_ptr_array_index (items, i);
      guint position;

      if (find_item (self, ov_library_item_get_key (item), &position) == NULL)
        g_list_store_insert_sorted (self->items, item, newest_first, NULL);
    }
}

static void
scan_done (GObject *source, GAsyncResult *result, gpointer data)
{
  OvResultStore *self = OV_RESULT_STORE (source);
  Scan *scan = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->items != NULL)
    {
      add_scanned (self, scan->items);
      for (guint i = 0; i < scan->errors->len; i++)
        g_signal_emit (self, signals[SIGNAL_ERROR], 0, g_ptr_array_index (scan->errors, i));
    }
  scan_free (scan);
}

void
ov_result_store_scan (OvResultStore *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (OV_IS_RESULT_STORE (self));
  watch_folder (self);
  task = g_task_new (self, NULL, scan_done, NULL);
  g_task_set_task_data (task, g_strdup (self->folder), g_free);
  ov_background_run (task, scan_thread);
}

/* ---- Saving --------------------------------------------------------------------------------- */

typedef struct
{
  OvResult *result;
  char *folder;
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;

  ov_result_unref (save->result);
  g_free (save->folder);
  g_free (save);
}

/* Logs are kept with the result, unless they would make it gigabytes: some 60 bytes a request. */
static gboolean
may_keep_logs (const OvResult *result)
{
  guint64 n = 0;

  for (guint i = 0; i < result->runs->len; i++)
    {
      const OvRun *run = g_ptr_array_index (result->runs, i);

      n += run->log != NULL ? run->log->len : 0;
    }
  return n <= MAX_LOGGED;
}

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Save *save = data;
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (save->result->date);
  g_autofree char *stamp
      = date != NULL ? g_date_time_format (date, "%Y-%m-%d-%H%M%S") : g_strdup ("undated");
  g_autofree char *id = ov_experiment_file_stem (save->result->experiment);
  g_autofree char *path = NULL;
  GError *error = NULL;

  if (g_mkdir_with_parents (save->folder, 0700) != 0)
    {
      ov_set_error_errno (&error, OV_ERROR_FAILED, errno, _ ("Cannot make the folder %s"),
                          save->folder);
      g_task_return_error (task, error);
      return;
    }
  for (guint n = 1; path == NULL || g_file_test (path, G_FILE_TEST_EXISTS); n++)
    {
      g_free (path);
      path = n == 1 ? g_strdup_printf ("%s/%s-%s" SUFFIX, save->folder, stamp, id)
                    : g_strdup_printf ("%s/%s-%s-%u" SUFFIX, save->folder, stamp, id, n);
    }
  if (ov_result_save (save->result, path, may_keep_logs (save->result), &error))
    g_task_return_pointer (task, ov_library_item_new_result (path, save->result), g_object_unref);
  else
    g_task_return_error (task, error);
}

void
ov_result_store_save_async (OvResultStore *self, OvResult *result, GAsyncReadyCallback callback,
                            gpointer data)
{
  g_autoptr (GTask) task = NULL;
  Save *save = g_new0 (Save, 1);

  save->result = ov_result_ref (result);
  save->folder = g_strdup (self->folder);
  task = g_task_new (self, NULL, callback, data);
  g_task_set_task_data (task, save, save_free);
  ov_background_run (task, save_thread);
}

OvLibraryItem *
ov_result_store_save_finish (OvResultStore *self, GAsyncResult *result, GError **error)
{
  g_autoptr (OvLibraryItem) item = g_task_propagate_pointer (G_TASK (result), error);

  watch_folder (self);
  if (item != NULL && self->items != NULL)
    g_list_store_insert_sorted (self->items, item, newest_first, NULL);
  return item;
}

/* ---- Removing ------------------------------------------------------------------------------- */

static gboolean
move (const char *from, const char *to, GError **error)
{
  if (g_rename (from, to) == 0)
    return TRUE;
  ov_set_error_errno (error, OV_ERROR_FAILED, errno, _ ("Cannot rename %s"), from);
  return FALSE;
}

gboolean
ov_result_store_remove (OvResultStore *self, OvLibraryItem *item, GError **error)
{
  const char *path = ov_library_item_get_key (item);
  g_autofree char *hidden = hidden_path (path);
  guint position;

  if (!move (path, hidden, error))
    return FALSE;
  g_ptr_array_add (self->removed, g_object_ref (item));
  if (g_list_store_find (self->items, item, &position))
    g_list_store_remove (self->items, position);
  return TRUE;
}

gboolean
ov_result_store_restore (OvResultStore *self, OvLibraryItem *item, GError **error)
{
  const char *path = ov_library_item_get_key (item);
  g_autofree char *hidden = hidden_path (path);

  if (!move (hidden, path, error))
    return FALSE;
  g_list_store_insert_sorted (self->items, item, newest_first, NULL);
  g_ptr_array_remove (self->removed, item);
  return TRUE;
}

void
ov_result_store_purge (OvResultStore *self)
{
  for (guint i = 0; i < self->removed->len; i++)
    {
      g_autofree char *hidden
          = hidden_path (ov_library_item_get_key (g_ptr_array_index (self->removed, i)));

      g_unlink (hidden);
    }
  g_ptr_array_set_size (self->removed, 0);
}
