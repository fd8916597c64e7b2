// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes a chart to a file: first all bytes into memory, then into a file beside the wanted one,
 * then renamed. Each step has one way out, which removes that file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "chart/ov-export.h"

static void
set_errno_error (GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Could not write “%s”: %s"),
               name, g_strerror (code));
}

static int
write_all (int fd, const GByteArray *bytes)
{
  gsize done = 0;

  while (done < bytes->len)
    {
      gssize n = write (fd, bytes->data + done, bytes->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      done += (gsize)n;
    }
  return fsync (fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/* The file that a link leads to is replaced, not the link. What is no file stays what it is. */
static char *
resolve_target (const char *path, mode_t *mode, gboolean *exists, GError **error)
{
  struct stat st;
  char *real;

  *exists = FALSE;
  if (stat (path, &st) != 0)
    return g_strdup (path);
  if (!S_ISREG (st.st_mode))
    {
      g_autofree char *name = g_filename_display_name (path);

      if (S_ISDIR (st.st_mode))
        set_errno_error (error, path, EISDIR);
      else
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                     _ ("Could not write “%s”: it is not a regular file"), name);
      return NULL;
    }
  *exists = TRUE;
  *mode = st.st_mode & 0777;
  real = realpath (path, NULL);
  if (real == NULL)
    {
      set_errno_error (error, path, errno);
      return NULL;
    }
  path = g_strdup (real);
  free (real);
  return (char *)path;
}

static gboolean
write_file (const char *path, const GByteArray *bytes, GError **error)
{
  mode_t mode = 0;
  gboolean exists;
  g_autofree char *target = resolve_target (path, &mode, &exists, error);
  g_autofree char *folder = NULL;
  g_autofree char *beside = NULL;
  int fd;
  int code;

  if (target == NULL)
    return FALSE;
  folder = g_path_get_dirname (target);
  beside = g_build_filename (folder, ".overlap-XXXXXX", NULL);
  fd = g_mkstemp_full (beside, O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      set_errno_error (error, path, errno);
      return FALSE;
    }
  code = write_all (fd, bytes);
  if (code == 0 && exists && fchmod (fd, mode) != 0)
    code = errno;
  /* Some file systems tell of a full disk only now. */
  if (close (fd) != 0 && code == 0 && errno != EINTR)
    code = errno;
  if (code == 0 && g_rename (beside, target) != 0)
    code = errno;
  if (code == 0)
    return TRUE;
  (void)g_unlink (beside);
  set_errno_error (error, path, code);
  return FALSE;
}

gboolean
ov_chart_export (OvDrawable *chart, const char *path, OvExportFormat format, double width,
                 double height, double scale, const OvTheme *theme, GError **error)
{
  g_autoptr (OvPicture) picture = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  g_return_val_if_fail (OV_IS_DRAWABLE (chart) && path != NULL && theme != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  picture = ov_picture_new (chart, path, format, width, height, scale, theme, error);
  if (picture != NULL)
    bytes = ov_picture_encode (picture, error);
  return bytes != NULL && write_file (path, bytes, error);
}
