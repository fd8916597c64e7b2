/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the worker's program is found.  A launcher is a value: two owned members, never changed by
 * the engine after it was handed over (which copies it).
 */
#include "config.h"

#include "engine/ov-launcher.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"

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

/* A program that no search path knows: where `variable` says, else installed.  NULL: not there. */
static char *
find_own (const char *variable, const char *name)
{
  const char *told = g_getenv (variable);
  g_autofree char *path = told != NULL && *told != '\0'
                              ? g_strdup (told)
                              : g_build_filename (OV_LIBEXECDIR, "overlap", name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&path) : NULL;
}

OvLauncher *
ov_launcher_new_virtual (GError **error)
{
  g_autofree char *program = find_own ("OVERLAP_VIRTUAL", "overlap-virtual");
  const char *const check[] = { program, "--check", NULL };
  g_autofree char *words = NULL;
  const char *const prefix[] = { program, NULL };
  OvLauncher *launcher;
  int status;

  if (program == NULL)
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_NOT_FOUND,
                           _ ("The program overlap-virtual is not installed"));
      return NULL;
    }
  if (!g_spawn_sync (NULL, (char **)check, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                     &words, &status, error))
    return NULL;
  if (!g_spawn_check_wait_status (status, NULL))
    {
      const char *text = strchr (words, ' ');

      g_set_error_literal (error, OV_ERROR, OV_ERROR_NOT_FOUND,
                           g_strchomp (text != NULL ? (char *)text + 1 : words));
      return NULL;
    }
  launcher = ov_launcher_new (prefix);
  if (g_getenv ("OVERLAP_WORKER") == NULL)
    {
      /* It starts in here: no other machine may keep it elsewhere. */
      g_free (launcher->worker);
      launcher->worker = find_installed (FALSE);
    }
  return launcher;
}

OvLauncher *
ov_launcher_new_privileged (GError **error)
{
  g_autofree char *program = g_build_filename (OV_LIBEXECDIR, "overlap", "overlap-hardware", NULL);
  g_autofree char *pkexec = g_find_program_in_path ("pkexec");
  const char *sudo = g_getenv ("SUDO_UID");
  g_autoptr (GStrvBuilder) prefix = g_strv_builder_new ();
  OvLauncher *launcher;

  if (!g_file_test (program, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_NOT_FOUND,
                           _ ("The privileged worker is not installed"));
      return NULL;
    }
  if (geteuid () == 0 && sudo != NULL)
    {
      /* Nothing of the environment, which it would refuse. */
      g_autofree char *caller = g_strconcat ("SUDO_UID=", sudo, NULL);

      g_strv_builder_add_many (prefix, "/usr/bin/env", "-i", caller, NULL);
    }
  else if (geteuid () != 0 && pkexec != NULL)
    g_strv_builder_add (prefix, pkexec);
  else
    {
      g_set_error_literal (error, OV_ERROR, OV_ERROR_NOT_FOUND,
                           _ ("Nothing that gives privilege is installed (pkexec, of polkit)"));
      return NULL;
    }
  launcher = g_new0 (OvLauncher, 1);
  launcher->prefix = g_strv_builder_end (prefix);
  launcher->worker = g_steal_pointer (&program);
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
