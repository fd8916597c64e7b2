/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of a simulated disk: one folder, contents in memory files (memfd), so that no real
 * disk's time is mixed into the simulated one's.  An unlinked file lives until nobody uses it.
 *
 * One thread makes and forgets files; the device's thread reads contents of files it holds.
 */
#pragma once

#include <sys/stat.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OvStore OvStore;

typedef struct
{
  guint64 inode;
  char *name; /**< NULL once it is unlinked */
  int fd;     /**< memory file */
  guint64 size;
  guint64 position; /**< of its first byte on the device */
  mode_t mode;
  gint64 changed; /**< Unix seconds */
  guint64 uses;   /**< lookups that the kernel did not forget, and requests */
} OvStoreFile;

/** `capacity`: bytes of all files together.  `span`: of the device; files lie apart on it. */
OvStore *ov_store_new (guint64 capacity, guint64 span);
void ov_store_free (OvStore *store);

/** -errno, 0 with a file that counts one use more, or -EEXIST with the file in the way. */
int ov_store_create (OvStore *store, const char *name, mode_t mode, OvStoreFile **file);
OvStoreFile *ov_store_find (OvStore *store, const char *name); /**< borrowed, or NULL */
OvStoreFile *ov_store_get (OvStore *store, guint64 inode);     /**< borrowed, or NULL */
OvStoreFile *ov_store_nth (OvStore *store, guint n);           /**< with a name; or NULL */
int ov_store_unlink (OvStore *store, const char *name);        /**< 0 or -errno */
void ov_store_use (OvStore *store, OvStoreFile *file);
/** Takes `n` uses away; the last one of a file without a name ends it. */
void ov_store_unuse (OvStore *store, OvStoreFile *file, guint64 n);

/** Makes it `size` long.  0 or -errno: -ENOSPC beyond the capacity. */
int ov_store_resize (OvStore *store, OvStoreFile *file, guint64 size);
/** Writes, growing the file.  Bytes or -errno. */
gssize ov_store_write (OvStore *store, OvStoreFile *file, const void *data, gsize bytes,
                       guint64 offset);
/** Reads up to the end of the file.  Bytes or -errno. */
gssize ov_store_read (OvStoreFile *file, void *data, gsize bytes, guint64 offset);

guint64 ov_store_capacity (const OvStore *store);
guint64 ov_store_used (const OvStore *store);

/** Half of the memory that is available now: /proc/meminfo.  0 where it cannot be read. */
guint64 ov_store_memory_to_use (void);

G_END_DECLS
