/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What only root may change stays as it was looked at: there is no moment between looking and
 * using in which somebody else could exchange it.
 */
#include "config.h"

#include "worker/ov-trust.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"

static gboolean
trust_one (const char *path, GError **error)
{
  struct stat info;

  if (lstat (path, &info) != 0)
    ov_set_error_errno (error, OV_ERROR_FAILED, errno, "%s", path);
  else if (!S_ISREG (info.st_mode) && !S_ISDIR (info.st_mode))
    g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION, _ ("%s is neither a file nor a folder"),
                 path);
  else if (info.st_uid != 0)
    g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION, _ ("%s does not belong to root"), path);
  else if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION, _ ("Others than root may write to %s"),
                 path);
  else
    return TRUE;
  return FALSE;
}

gboolean
ov_trust_path (const char *path, GError **error)
{
  char *real = g_path_is_absolute (path) ? realpath (path, NULL) : NULL;
  const gboolean same = real != NULL && strcmp (real, path) == 0;
  g_autofree char *at = g_strdup (path);

  free (real);
  if (!same)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_PERMISSION, _ ("%s is not a file's own, whole path"),
                   path);
      return FALSE;
    }
  for (;;)
    {
      char *above;

      if (!trust_one (at, error))
        return FALSE;
      if (strcmp (at, "/") == 0)
        return TRUE;
      above = g_path_get_dirname (at);
      g_free (at);
      at = above;
    }
}
