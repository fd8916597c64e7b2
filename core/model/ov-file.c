/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading and replacing whole files.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "model/ov-file.h"

/* From this size on memory in large pages is asked for. */
#define LARGE      ((gsize)8 * 1024 * 1024)
#define LARGE_PAGE ((gsize)2 * 1024 * 1024)

/* Room for a file; free with g_free(), NULL where there is not so much.  A large file's lies in
 * large pages where the system has them: in small ones half of the time of reading a result of 150
 * MB went into page faults and address translation. */
static char *
allocate (gsize size)
{
  gpointer memory = NULL;

  if (size < LARGE)
    return g_try_malloc (size);
  if (posix_memalign (&memory, LARGE_PAGE, size) != 0)
    return NULL;
  madvise (memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE); /* only a wish */
  return memory;
}

/* Reads what is in `fd`, expected to be `expected` bytes long. */
static char *
read_all (int fd, const char *path, gsize expected, gsize limit, gsize *length, GError **error)
{
  gsize room = expected + 1;
  gsize used = 0;
  char *data = allocate (room + 1);

  for (;;)
    {
      gssize n;

      if (data == NULL)
        {
          ov_set_error_errno (error, OV_ERROR_NO_SPACE, ENOMEM, "%s", path);
          return NULL;
        }
      n = read (fd, data + used, room - used);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          ov_set_error_errno (error, OV_ERROR_FAILED, errno, "%s", path);
          break;
        }
      if (n == 0)
        {
          data[used] = '\0';
          *length = used;
          return data;
        }
      used += (gsize)n;
      if (used > limit)
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("%s: the file is too large"), path);
          break;
        }
      if (used == room)
        {
          char *larger = g_try_realloc (data, room * 2 + 1);

          if (larger == NULL)
            g_clear_pointer (&data, g_free);
          else
            data = larger;
          room *= 2;
        }
    }
  g_free (data);
  return NULL;
}

char *
ov_file_read (const char *path, gsize limit, gsize *length, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  char *data = NULL;
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (fd < 0 || fstat (fd, &st) != 0)
    ov_set_error_errno (error, OV_ERROR_FAILED, errno, "%s", shown);
  else if (S_ISDIR (st.st_mode))
    ov_set_error_errno (error, OV_ERROR_INVALID, EISDIR, "%s", shown);
  else if (!S_ISREG (st.st_mode))
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("%s: not a regular file"), shown);
  else if (st.st_size < 0 || (guint64)st.st_size > limit)
    g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("%s: the file is too large"), shown);
  else
    data = read_all (fd, shown, (gsize)st.st_size, limit, length, error);
  if (fd >= 0)
    close (fd);
  return data;
}

/* ---- Saving ------------------------------------------------------------------------------- */

struct _OvFileSaver
{
  char *path; /* the final one, no symbolic link */
  char *shown;
  char *beside; /* what is being written; NULL once it has its final name */
  int fd;
};

static gboolean
fail_errno (OvFileSaver *saver, int err, GError **error)
{
  ov_set_error_errno (error, OV_ERROR_FAILED, err, "%s", saver->shown);
  return FALSE;
}

/* Where the bytes go: the file a symbolic link leads to, or the path itself.  Refuses what is there
 * and is no regular file.  `mode` gets the permissions for the new file. */
static gboolean
find_place (OvFileSaver *saver, const char *path, mode_t *mode, GError **error)
{
  struct stat st;
  mode_t mask;

  if (stat (path, &st) == 0)
    {
      g_autofree char *real = NULL;
      char *resolved;

      if (S_ISDIR (st.st_mode))
        {
          ov_set_error_errno (error, OV_ERROR_INVALID, EISDIR, "%s", saver->shown);
          return FALSE;
        }
      if (!S_ISREG (st.st_mode))
        {
          g_set_error (error, OV_ERROR, OV_ERROR_INVALID, _ ("%s: not a regular file"),
                       saver->shown);
          return FALSE;
        }
      if (access (path, W_OK) != 0)
        return fail_errno (saver, errno, error);
      resolved = realpath (path, NULL);
      if (resolved == NULL)
        return fail_errno (saver, errno, error);
      real = g_strdup (resolved);
      free (resolved);
      saver->path = g_steal_pointer (&real);
      *mode = st.st_mode & 07777;
      return TRUE;
    }
  if (errno != ENOENT)
    return fail_errno (saver, errno, error);
  if (lstat (path, &st) == 0)
    return fail_errno (saver, ENOENT, error); /* a link that leads nowhere */
  mask = umask (0);
  umask (mask);
  *mode = 0666 & ~mask;
  saver->path = g_strdup (path);
  return TRUE;
}

OvFileSaver *
ov_file_saver_new (const char *path, GError **error)
{
  g_autoptr (OvFileSaver) saver = g_new0 (OvFileSaver, 1);
  mode_t mode;

  g_return_val_if_fail (path != NULL, NULL);
  saver->fd = -1;
  saver->shown = g_filename_display_name (path);
  if (!find_place (saver, path, &mode, error))
    return NULL;
  saver->beside = g_strconcat (saver->path, ".XXXXXX", NULL);
  saver->fd = g_mkstemp_full (saver->beside, O_RDWR | O_CLOEXEC, 0600);
  if (saver->fd < 0)
    {
      int err = errno;

      g_clear_pointer (&saver->beside, g_free);
      fail_errno (saver, err, error);
      return NULL;
    }
  if (fchmod (saver->fd, mode) != 0 && errno != EPERM && errno != ENOTSUP)
    {
      fail_errno (saver, errno, error);
      return NULL;
    }
  return g_steal_pointer (&saver);
}

gboolean
ov_file_saver_write (OvFileSaver *saver, const char *data, gsize length, GError **error)
{
  g_return_val_if_fail (saver != NULL && saver->fd >= 0, FALSE);
  while (length > 0)
    {
      gssize n = write (saver->fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail_errno (saver, errno, error);
      data += n;
      length -= (gsize)n;
    }
  return TRUE;
}

/* The new name itself reaches the disk with its folder.  Some file systems refuse to sync a
 * folder; the file is in its place all the same. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

gboolean
ov_file_saver_finish (OvFileSaver *saver, GError **error)
{
  int fd;

  g_return_val_if_fail (saver != NULL && saver->fd >= 0, FALSE);
  if (fsync (saver->fd) != 0 && errno != EINVAL && errno != EROFS)
    return fail_errno (saver, errno, error);
  fd = saver->fd;
  saver->fd = -1;
  if (close (fd) != 0 && errno != EINTR)
    return fail_errno (saver, errno, error);
  if (g_rename (saver->beside, saver->path) != 0)
    return fail_errno (saver, errno, error);
  g_clear_pointer (&saver->beside, g_free);
  sync_folder (saver->path);
  return TRUE;
}

void
ov_file_saver_free (OvFileSaver *saver)
{
  if (saver == NULL)
    return;
  if (saver->fd >= 0)
    close (saver->fd);
  if (saver->beside != NULL)
    g_unlink (saver->beside);
  g_free (saver->path);
  g_free (saver->shown);
  g_free (saver->beside);
  g_free (saver);
}

gboolean
ov_file_save (const char *path, const char *data, gsize length, GError **error)
{
  g_autoptr (OvFileSaver) saver = ov_file_saver_new (path, error);

  return saver != NULL && ov_file_saver_write (saver, data, length, error)
         && ov_file_saver_finish (saver, error);
}
