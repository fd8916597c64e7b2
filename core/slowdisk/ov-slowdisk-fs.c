/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Low-level FUSE: one thread takes requests from the kernel and answers what takes no time; the
 * device's thread answers the rest.  Data of a write is in the store before its service begins,
 * for the kernel's buffer does not outlive the call.
 */
#define FUSE_USE_VERSION 34

#include "config.h"

#include "slowdisk/ov-slowdisk-fs.h"

#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse_lowlevel.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "slowdisk/ov-device.h"
#include "slowdisk/ov-store.h"

#define REQUEST_MAX (1024 * 1024)
/** The kernel alone changes names and sizes, so what it knows stays true. */
#define TIMEOUT_S 3600.0

typedef struct
{
  OvDisk disk;
  OvSlowdiskShared *shared;
  OvStore *store;
  OvDevice *device;
} FileSystem;

typedef struct
{
  OvDeviceRequest base;
  fuse_req_t request;
  FileSystem *fs;
  OvStoreFile *file;
  char *data;    /* of a read */
  gssize result; /* of a write */
} Transfer;

static FileSystem *
file_system (fuse_req_t request)
{
  return fuse_req_userdata (request);
}

static void
fill_attributes (const FileSystem *fs, const OvStoreFile *file, struct stat *st)
{
  memset (st, 0, sizeof *st);
  st->st_uid = getuid ();
  st->st_gid = getgid ();
  st->st_blksize = 4096;
  if (file == NULL)
    {
      st->st_ino = FUSE_ROOT_ID;
      st->st_mode = S_IFDIR | 0700;
      st->st_nlink = 2;
      return;
    }
  st->st_ino = file->inode;
  st->st_mode = file->mode;
  st->st_nlink = file->name != NULL ? 1 : 0;
  st->st_size = (off_t)file->size;
  st->st_blocks = (blkcnt_t)((file->size + 511) / 512);
  st->st_mtime = st->st_ctime = st->st_atime = file->changed;
}

static void
fill_entry (const FileSystem *fs, const OvStoreFile *file, struct fuse_entry_param *entry)
{
  memset (entry, 0, sizeof *entry);
  entry->ino = file->inode;
  entry->attr_timeout = entry->entry_timeout = TIMEOUT_S;
  fill_attributes (fs, file, &entry->attr);
}

/* ---- Names and sizes ---------------------------------------------------------------------- */

static void
op_init (void *data, struct fuse_conn_info *connection)
{
  const FileSystem *fs = data;

  connection->max_write = REQUEST_MAX;
  connection->max_readahead = (unsigned)fs->disk.readahead;
  /* As many requests in flight as a strategy may have. */
  connection->max_background = 512;
  connection->congestion_threshold = 512;
  connection->want |= connection->capable & (FUSE_CAP_ASYNC_READ | FUSE_CAP_ASYNC_DIO);
  /* Without ATOMIC_O_TRUNC the kernel sets the size to 0 before it opens. */
  connection->want &= ~(FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_WRITEBACK_CACHE
                        | FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE);
  __atomic_store_n (&fs->shared->state, OV_SLOWDISK_MOUNTED, __ATOMIC_RELEASE);
}

static void
op_lookup (fuse_req_t request, fuse_ino_t parent, const char *name)
{
  FileSystem *fs = file_system (request);
  OvStoreFile *file = parent == FUSE_ROOT_ID ? ov_store_find (fs->store, name) : NULL;
  struct fuse_entry_param entry;

  if (file == NULL)
    {
      fuse_reply_err (request, ENOENT);
      return;
    }
  ov_store_use (fs->store, file);
  fill_entry (fs, file, &entry);
  fuse_reply_entry (request, &entry);
}

static void
op_forget (fuse_req_t request, fuse_ino_t inode, uint64_t n)
{
  FileSystem *fs = file_system (request);
  OvStoreFile *file = ov_store_get (fs->store, inode);

  if (file != NULL)
    ov_store_unuse (fs->store, file, n);
  fuse_reply_none (request);
}

/** The file, or NULL after the error was answered; the root is no file. */
static OvStoreFile *
want_file (fuse_req_t request, fuse_ino_t inode)
{
  OvStoreFile *file = ov_store_get (file_system (request)->store, inode);

  if (file == NULL)
    fuse_reply_err (request, inode == FUSE_ROOT_ID ? EISDIR : ENOENT);
  return file;
}

static void
op_getattr (fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *info)
{
  FileSystem *fs = file_system (request);
  OvStoreFile *file = ov_store_get (fs->store, inode);
  struct stat st;

  if (file == NULL && inode != FUSE_ROOT_ID)
    {
      fuse_reply_err (request, ENOENT);
      return;
    }
  fill_attributes (fs, file, &st);
  fuse_reply_attr (request, &st, TIMEOUT_S);
}

static void
op_setattr (fuse_req_t request, fuse_ino_t inode, struct stat *wanted, int which,
            struct fuse_file_info *info)
{
  OvStoreFile *file = want_file (request, inode);
  int result = 0;
  struct stat st;

  if (file == NULL)
    return;
  if ((which & FUSE_SET_ATTR_MODE) != 0)
    file->mode = S_IFREG | (wanted->st_mode & 07777);
  if ((which & FUSE_SET_ATTR_SIZE) != 0)
    result = ov_store_resize (file_system (request)->store, file, (guint64)wanted->st_size);
  if (result != 0)
    {
      fuse_reply_err (request, -result);
      return;
    }
  fill_attributes (file_system (request), file, &st);
  fuse_reply_attr (request, &st, TIMEOUT_S);
}

static void
op_unlink (fuse_req_t request, fuse_ino_t parent, const char *name)
{
  fuse_reply_err (request, -ov_store_unlink (file_system (request)->store, name));
}

/** How a file is opened now.  What opens it with O_DIRECT bypasses the cache by itself, and can
 *  have many requests in flight only that way. */
static void
choose_cache (const FileSystem *fs, struct fuse_file_info *info)
{
  info->keep_cache = 1;
  if (fs->disk.readahead == 0 && (info->flags & O_DIRECT) == 0
      && __atomic_load_n (&fs->shared->uncached, __ATOMIC_ACQUIRE) != 0)
    info->direct_io = 1;
}

static void
op_open (fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *info)
{
  if (want_file (request, inode) == NULL)
    return;
  choose_cache (file_system (request), info);
  fuse_reply_open (request, info);
}

static void
op_create (fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
           struct fuse_file_info *info)
{
  FileSystem *fs = file_system (request);
  struct fuse_entry_param entry;
  OvStoreFile *file;
  const int result = ov_store_create (fs->store, name, mode, &file);

  if (result == -EEXIST && (info->flags & O_EXCL) == 0)
    ov_store_use (fs->store, file);
  else if (result != 0)
    {
      fuse_reply_err (request, -result);
      return;
    }
  choose_cache (fs, info);
  fill_entry (fs, file, &entry);
  fuse_reply_create (request, &entry, info);
}

static void
op_release (fuse_req_t request, fuse_ino_t inode, struct fuse_file_info *info)
{
  fuse_reply_err (request, 0);
}

static void
op_fsync (fuse_req_t request, fuse_ino_t inode, int data_only, struct fuse_file_info *info)
{
  fuse_reply_err (request, 0);
}

static void
op_fallocate (fuse_req_t request, fuse_ino_t inode, int mode, off_t offset, off_t length,
              struct fuse_file_info *info)
{
  OvStoreFile *file = want_file (request, inode);
  int result = 0;

  if (file == NULL)
    return;
  if (mode != 0)
    result = -EOPNOTSUPP;
  else if ((guint64)offset + (guint64)length > file->size)
    result
        = ov_store_resize (file_system (request)->store, file, (guint64)offset + (guint64)length);
  fuse_reply_err (request, -result);
}

static void
op_statfs (fuse_req_t request, fuse_ino_t inode)
{
  const OvStore *store = file_system (request)->store;
  const guint64 capacity = ov_store_capacity (store), used = ov_store_used (store);
  struct statvfs fs = { .f_bsize = 4096, .f_frsize = 4096, .f_namemax = 255 };

  fs.f_blocks = capacity / 4096;
  fs.f_bfree = fs.f_bavail = (capacity - MIN (used, capacity)) / 4096;
  fuse_reply_statfs (request, &fs);
}

static void
op_readdir (fuse_req_t request, fuse_ino_t inode, size_t bytes, off_t offset,
            struct fuse_file_info *info)
{
  FileSystem *fs = file_system (request);
  g_autofree char *buffer = g_malloc (bytes);
  gsize used = 0;

  for (;; offset++)
    {
      OvStoreFile *file = offset >= 2 ? ov_store_nth (fs->store, (guint)(offset - 2)) : NULL;
      const char *name = offset == 0 ? "." : offset == 1 ? ".." : file != NULL ? file->name : NULL;
      struct stat st;
      gsize n;

      if (name == NULL)
        break;
      fill_attributes (fs, file, &st);
      n = fuse_add_direntry (request, buffer + used, bytes - used, name, &st, offset + 1);
      if (n > bytes - used)
        break;
      used += n;
    }
  fuse_reply_buf (request, buffer, used);
}

/* ---- Contents ----------------------------------------------------------------------------- */

static void
transfer_free (Transfer *transfer)
{
  ov_store_unuse (transfer->fs->store, transfer->file, 1);
  g_free (transfer->data);
  g_free (transfer);
}

static gboolean
is_cancelled (OvDeviceRequest *base)
{
  return fuse_req_interrupted (((Transfer *)base)->request) != 0;
}

static gssize
do_read (OvDeviceRequest *base)
{
  Transfer *transfer = (Transfer *)base;

  transfer->data = g_malloc (MAX (base->bytes, 1));
  return ov_store_read (transfer->file, transfer->data, base->bytes, base->offset);
}

static void
answer_read (OvDeviceRequest *base, gssize result)
{
  Transfer *transfer = (Transfer *)base;

  if (result < 0)
    fuse_reply_err (transfer->request, (int)-result);
  else
    fuse_reply_buf (transfer->request, transfer->data, (size_t)result);
  transfer_free (transfer);
}

static gssize
do_write (OvDeviceRequest *base)
{
  return ((Transfer *)base)->result; /* done already */
}

static void
answer_write (OvDeviceRequest *base, gssize result)
{
  Transfer *transfer = (Transfer *)base;

  if (result < 0)
    fuse_reply_err (transfer->request, (int)-result);
  else
    fuse_reply_write (transfer->request, (size_t)result);
  transfer_free (transfer);
}

static Transfer *
transfer_new (fuse_req_t request, OvStoreFile *file, gsize bytes, off_t offset)
{
  Transfer *transfer = g_new0 (Transfer, 1);

  transfer->base.bytes = bytes;
  transfer->base.offset = (guint64)offset;
  transfer->base.position = file->position + (guint64)offset;
  transfer->base.is_cancelled = is_cancelled;
  transfer->request = request;
  transfer->fs = file_system (request);
  transfer->file = file;
  ov_store_use (transfer->fs->store, file);
  return transfer;
}

static void
op_read (fuse_req_t request, fuse_ino_t inode, size_t bytes, off_t offset,
         struct fuse_file_info *info)
{
  OvStoreFile *file = want_file (request, inode);
  Transfer *transfer;
  guint64 left;

  if (file == NULL)
    return;
  /* The disk has no more to move than there is; the kernel asks for whole pages. */
  left = (guint64)offset < file->size ? file->size - (guint64)offset : 0;
  transfer = transfer_new (request, file, (gsize)MIN (bytes, left), offset);
  transfer->base.transfer = do_read;
  transfer->base.answer = answer_read;
  ov_device_push (transfer->fs->device, &transfer->base);
}

static void
op_write (fuse_req_t request, fuse_ino_t inode, const char *data, size_t bytes, off_t offset,
          struct fuse_file_info *info)
{
  OvStoreFile *file = want_file (request, inode);
  Transfer *transfer;

  if (file == NULL)
    return;
  transfer = transfer_new (request, file, bytes, offset);
  transfer->result = ov_store_write (transfer->fs->store, file, data, bytes, (guint64)offset);
  transfer->base.transfer = do_write;
  transfer->base.answer = answer_write;
  ov_device_push (transfer->fs->device, &transfer->base);
}

static const struct fuse_lowlevel_ops operations = {
  .init = op_init,
  .lookup = op_lookup,
  .forget = op_forget,
  .getattr = op_getattr,
  .setattr = op_setattr,
  .unlink = op_unlink,
  .open = op_open,
  .create = op_create,
  .release = op_release,
  .fsync = op_fsync,
  .fallocate = op_fallocate,
  .statfs = op_statfs,
  .readdir = op_readdir,
  .read = op_read,
  .write = op_write,
};

/* ---- Mounting ----------------------------------------------------------------------------- */

char *
ov_slowdisk_find_fusermount (void)
{
  char *path = g_find_program_in_path ("fusermount3");

  if (path == NULL && access ("/usr/bin/fusermount3", X_OK) == 0)
    path = g_strdup ("/usr/bin/fusermount3");
  return path;
}

void
ov_slowdisk_unmount (const char *folder)
{
  g_autofree char *program = NULL;
  pid_t pid;

  if (umount2 (folder, MNT_DETACH) == 0 || geteuid () == 0)
    return;
  program = ov_slowdisk_find_fusermount ();
  if (program == NULL)
    return;
  pid = fork ();
  if (pid == 0)
    {
      execl (program, "fusermount3", "-u", "-z", "-q", "--", folder, NULL);
      _exit (127);
    }
  if (pid > 0)
    waitpid (pid, NULL, 0);
}

/** What is wrong, with the way to lift it. */
static void
explain (OvSlowdiskShared *shared, const char *said)
{
  g_autofree char *program = ov_slowdisk_find_fusermount ();
  g_autofree char *cause = NULL;
  const int fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  const int error = errno;

  if (fd >= 0)
    close (fd);
  if (fd < 0 && error == ENOENT)
    cause = g_strdup (_ ("There is no /dev/fuse: load the kernel's module (modprobe fuse), or give "
                         "the device to the container"));
  else if (fd < 0 && (error == ENODEV || error == ENXIO))
    cause = g_strdup (_ ("The kernel has no FUSE: load its module (modprobe fuse)"));
  else if (fd < 0)
    cause = g_strdup_printf (_ ("/dev/fuse cannot be opened (%s): the administrator can allow it, "
                                "chmod 666 /dev/fuse is usual"),
                             g_strerror (error));
  else if (geteuid () != 0 && program == NULL)
    cause = g_strdup (_ ("fusermount3, which mounts for ordinary users, is missing: install the "
                         "package fuse3"));
  else
    cause = g_strdup_printf (_ ("The simulated disk could not be mounted: %s"),
                             said[0] != '\0' ? said : _ ("no reason was given"));
  g_strlcpy (shared->cause, cause, sizeof shared->cause);
  __atomic_store_n (&shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
}

/** Mounts, and keeps in `said` what FUSE writes to standard error meanwhile. */
static int
mount_and_listen (struct fuse_session *session, const char *folder, char *said, gsize size)
{
  const int kept = dup (STDERR_FILENO);
  const int heard = memfd_create ("overlap-stderr", MFD_CLOEXEC);
  ssize_t n = 0;
  int result;

  if (heard >= 0)
    dup2 (heard, STDERR_FILENO);
  result = fuse_session_mount (session, folder);
  if (kept >= 0)
    dup2 (kept, STDERR_FILENO);
  if (heard >= 0)
    n = pread (heard, said, size - 1, 0);
  said[MAX (n, 0)] = '\0';
  g_strstrip (said);
  if (kept >= 0)
    close (kept);
  if (heard >= 0)
    close (heard);
  return result;
}

static int
mount_and_loop (struct fuse_session *session, const char *folder, FileSystem *fs)
{
  char said[512] = "";
  int result = -1;

  if (fuse_set_signal_handlers (session) == 0)
    {
      result = mount_and_listen (session, folder, said, sizeof said);
      if (result != 0)
        explain (fs->shared, said);
      else
        {
          fuse_session_loop (session);
          fuse_session_unmount (session);
        }
      fuse_remove_signal_handlers (session);
    }
  return result;
}

int
ov_slowdisk_serve (const OvDisk *disk, const char *folder, OvSlowdiskShared *shared)
{
  g_autofree char *helper = ov_slowdisk_find_fusermount ();
  const char *arguments[] = { "overlap-slowdisk", "-o", NULL, NULL };
  struct fuse_args args = { .argc = 3, .argv = (char **)arguments };
  FileSystem fs = { .disk = *disk, .shared = shared };
  struct fuse_session *session;
  int result = -1;

  /* auto_unmount is fusermount3's: it takes the mount away when we are gone, whatever killed us. */
  arguments[2] = helper != NULL ? "fsname=overlap-slowdisk,subtype=overlap-slowdisk,auto_unmount"
                                : "fsname=overlap-slowdisk,subtype=overlap-slowdisk";
  fs.store = ov_store_new (ov_store_memory_to_use (), disk->span);
  g_strlcpy (shared->folder, folder, sizeof shared->folder);
  shared->server = getpid ();
  session = fuse_session_new (&args, &operations, sizeof operations, &fs);
  if (session != NULL)
    {
      sigset_t all, before;

      /* Signals are the loop's, not the device thread's. */
      sigfillset (&all);
      pthread_sigmask (SIG_BLOCK, &all, &before);
      fs.device = ov_device_new (disk, shared);
      pthread_sigmask (SIG_SETMASK, &before, NULL);
      result = mount_and_loop (session, folder, &fs);
      ov_device_free (fs.device);
      fuse_session_destroy (session);
    }
  fuse_opt_free_args (&args); /* the library made a copy of them */
  ov_store_free (fs.store);
  __atomic_store_n (&shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
  return result;
}
