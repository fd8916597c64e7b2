/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The server is a child of the test and dies with it, however the test ends.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ov-hang-mount.h"

static void
die_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

char *
ov_hang_mount_init (OvHangMount *mount)
{
  char *argv[] = { (char *)g_getenv ("OVERLAP_HANG_FS"),
                   (char *)"-f",
                   (char *)"-s",
                   (char *)"-oauto_unmount",
                   NULL,
                   NULL };
  g_autoptr (GError) error = NULL;

  *mount = (OvHangMount){ 0 };
  mount->folder = g_dir_make_tmp ("overlap-hang-XXXXXX", &error);
  if (mount->folder == NULL)
    return g_strdup (error->message);
  mount->file = g_build_filename (mount->folder, "d", NULL);
  argv[4] = mount->folder;
  if (access ("/dev/fuse", R_OK | W_OK) != 0)
    return g_strdup ("/dev/fuse cannot be used here");
  if (!g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, die_with_parent, NULL,
                      &mount->server, &error))
    return g_strdup (error->message);
  for (guint i = 0; i < 500; i++)
    {
      if (access (mount->file, R_OK) == 0)
        return NULL;
      if (waitpid (mount->server, NULL, WNOHANG) == mount->server)
        {
          mount->server = 0;
          return g_strdup ("mounting a FUSE file system is not allowed here");
        }
      g_usleep (10000);
    }
  return g_strdup ("the FUSE file system did not appear");
}

void
ov_hang_mount_clear (OvHangMount *mount)
{
  const char *const commands[][4]
      = { { "fusermount3", "-u", mount->folder, NULL }, { "umount", "-l", mount->folder, NULL } };

  if (mount->server > 0)
    {
      kill (mount->server, SIGCONT);
      for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        {
          int status = -1;

          if (g_spawn_sync (NULL, (char **)commands[i], NULL,
                            G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                            NULL, &status, NULL)
              && status == 0)
            break;
        }
      kill (mount->server, SIGTERM);
      waitpid (mount->server, NULL, 0);
    }
  if (mount->folder != NULL)
    rmdir (mount->folder);
  g_free (mount->folder);
  g_free (mount->file);
}
