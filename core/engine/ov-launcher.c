/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the worker's program is found.  A launcher is a value: two owned members, never changed by
 * the engine after it was handed over (which copies it).
 */
#include "config.h"

#include "engine/ov-launcher.h"

#define OV_WORKER_NAME "overlap-worker"

/* What is to be started when the user's environment says nothing.  Behind a prefix the plain name
 * is better where the search path knows it: the other machine may keep it in another folder. */
static char *
find_installed (gboolean behind_prefix)
{
  static const char *const folders[] = { OV_BINDIR, OV_LIBEXECDIR };
  g_autofree char *found = NULL;

  if (behind_prefix && (found = g_find_program_in_path (OV_WORKER_NAME)) != NULL)
    return g_strdup (OV_WORKER_NAME);
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (folders[i], OV_WORKER_NAME, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&path);
    }
  return g_strdup (OV_WORKER_NAME);
}

OvLauncher *
ov_launcher_new (const char *const *prefix)
{
  static const char *const nothing[] = { NULL };
  OvLauncher *launcher = g_new0 (OvLauncher, 1);
  const char *told = g_getenv ("OVERLAP_WORKER");

  launcher->prefix = g_strdupv ((char **)(prefix != NULL ? prefix : nothing));
  launcher->worker = told != NULL && *told != '\0' ? g_strdup (told)
                                                   : find_installed (launcher->prefix[0] != NULL);
  return launcher;
}

OvLauncher *
ov_launcher_copy (const OvLauncher *launcher)
{
  OvLauncher *copy;

  g_return_val_if_fail (launcher != NULL, NULL);

  copy = g_new0 (OvLauncher, 1);
  copy->prefix = g_strdupv (launcher->prefix);
  copy->worker = g_strdup (launcher->worker);
  return copy;
}

void
ov_launcher_free (OvLauncher *launcher)
{
  if (launcher == NULL)
    return;
  g_strfreev (launcher->prefix);
  g_free (launcher->worker);
  g_free (launcher);
}
