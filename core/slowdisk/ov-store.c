/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files are kept in one array by the order of their birth; there are few.  A lock guards counts
 * and sizes, which both threads change.
 */
#include "config.h"

#include "slowdisk/ov-store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Files begin so many parts of the span apart. */
#define PLACES 16

struct _OvStore
{
  GMutex lock;
  GPtrArray *files; /* of OvStoreFile */
  guint64 capacity;
  guint64 used;
  guint64 span;
  guint64 next_inode;
  guint64 next_place;
};

static void
free_file (gpointer data)
{
  OvStoreFile *file = data;

  close (file->fd);
  g_free (file->name);
  g_free (file);
}

OvStore *
ov_store_new (guint64 capacity, guint64 span)
{
  OvStore *store = g_new0 (OvStore, 1);

  g_mutex_init (&store->lock);
  store->files = g_ptr_array_new_with_free_func (free_file);
  store->capacity = capacity;
  store->span = span;
  store->next_inode = 2; /* 1 is the folder */
  return store;
}

void
ov_store_free (OvStore *store)
{
  g_ptr_array_unref (store->files);
  g_mutex_clear (&store->lock);
  g_free (store);
}

OvStoreFile *
ov_store_find (OvStore *store, const char *name)
{
  for (guint i = 0; i < store->files->len; i++)
    {
      OvStoreFile *file = g_ptr_array_index (store->files, i);

      if (g_strcmp0 (file->name, name) == 0)
        return file;
    }
  return NULL;
}

OvStoreFile *
ov_store_get (OvStore *store, guint64 inode)
{
  for (guint i = 0; i < store->files->len; i++)
    {
      OvStoreFile *file = g_ptr_array_index (store->files, i);

      if (file->inode == inode)
        return file;
    }
  return NULL;
}

OvStoreFile *
ov_store_nth (OvStore *store, guint n)
{
  for (guint i = 0; i < store->files->len; i++)
    {
      OvStoreFile *file = g_ptr_array_index (store->files, i);

      if (file->name != NULL && n-- == 0)
        return file;
    }
  return NULL;
}

int
ov_store_create (OvStore *store, const char *name, mode_t mode, OvStoreFile **out)
{
  OvStoreFile *file;
  int fd;

  *out = ov_store_find (store, name);
  if (*out != NULL)
    return -EEXIST;
  fd = memfd_create ("overlap-slowdisk", MFD_CLOEXEC);
  if (fd < 0)
    return -errno;
  file = g_new0 (OvStoreFile, 1);
  file->fd = fd;
  file->name = g_strdup (name);
  file->mode = S_IFREG | (mode & 07777);
  file->inode = store->next_inode++;
  file->position = store->next_place++ % PLACES * (store->span / PLACES);
  file->changed = g_get_real_time () / G_USEC_PER_SEC;
  file->uses = 1;
  g_mutex_lock (&store->lock);
  g_ptr_array_add (store->files, file);
  g_mutex_unlock (&store->lock);
  *out = file;
  return 0;
}

/** Ends a file that nobody uses.  With the lock. */
static void
end_if_unused (OvStore *store, OvStoreFile *file)
{
  if (file->name != NULL || file->uses > 0)
    return;
  store->used -= file->size;
  g_ptr_array_remove (store->files, file);
}

int
ov_store_unlink (OvStore *store, const char *name)
{
  OvStoreFile *file = ov_store_find (store, name);

  if (file == NULL)
    return -ENOENT;
  g_mutex_lock (&store->lock);
  g_clear_pointer (&file->name, g_free);
  end_if_unused (store, file);
  g_mutex_unlock (&store->lock);
  return 0;
}

void
ov_store_use (OvStore *store, OvStoreFile *file)
{
  g_mutex_lock (&store->lock);
  file->uses++;
  g_mutex_unlock (&store->lock);
}

void
ov_store_unuse (OvStore *store, OvStoreFile *file, guint64 n)
{
  g_mutex_lock (&store->lock);
  file->uses -= MIN (n, file->uses);
  end_if_unused (store, file);
  g_mutex_unlock (&store->lock);
}

int
ov_store_resize (OvStore *store, OvStoreFile *file, guint64 size)
{
  int result = 0;

  g_mutex_lock (&store->lock);
  if (size > file->size && size - file->size > store->capacity - MIN (store->used, store->capacity))
    result = -ENOSPC;
  else if (ftruncate (file->fd, (off_t)size) != 0)
    result = -errno;
  else
    {
      store->used = store->used - file->size + size;
      file->size = size;
      file->changed = g_get_real_time () / G_USEC_PER_SEC;
    }
  g_mutex_unlock (&store->lock);
  return result;
}

gssize
ov_store_write (OvStore *store, OvStoreFile *file, const void *data, gsize bytes, guint64 offset)
{
  ssize_t n;

  if (offset > G_MAXINT64 - bytes)
    return -EFBIG;
  if (offset + bytes > file->size)
    {
      const int result = ov_store_resize (store, file, offset + bytes);

      if (result != 0)
        return result;
    }
  n = pwrite (file->fd, data, bytes, (off_t)offset);
  return n >= 0 ? n : -errno;
}

gssize
ov_store_read (OvStoreFile *file, void *data, gsize bytes, guint64 offset)
{
  const ssize_t n = pread (file->fd, data, bytes, (off_t)offset);

  return n >= 0 ? n : -errno;
}

guint64
ov_store_capacity (const OvStore *store)
{
  return store->capacity;
}

guint64
ov_store_used (const OvStore *store)
{
  return store->used;
}

guint64
ov_store_memory_to_use (void)
{
  g_autofree char *text = NULL;
  const char *at;
  guint64 kib = 0;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return 0;
  at = strstr (text, "MemAvailable:");
  if (at != NULL && sscanf (at, "MemAvailable: %" G_GUINT64_FORMAT, &kib) == 1)
    return kib * 1024 / 2;
  return 0;
}
