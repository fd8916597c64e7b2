/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-slowdisk: a simulated disk, on a folder that the user gives, or in a private
 * place for a worker's session.
 *
 * For a session there are two processes: the guard, the session's child, and the server, the
 * guard's.  Whichever of the two is killed, the other one takes the mount and its folder away; for
 * the case that both are, there is fusermount3's auto_unmount.  The guard ends with the session.
 */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-locale.h"
#include "slowdisk/ov-slowdisk-fs.h"

static int
usage (FILE *to, int status)
{
  fprintf (
      to, "%s\n\n%s\n", _ ("Usage: overlap-slowdisk TARGET FOLDER"),
      _ ("Mounts a simulated disk, such as simulated:disk-1995, on an empty folder and serves\n"
         "it until it is interrupted or unmounted; its files live in memory and are gone\n"
         "afterwards. \"overlap-cli list --targets\" names the disks; see\n"
         "overlap-slowdisk(1)."));
  return status;
}

static int
complain (const char *text)
{
  fprintf (stderr, "overlap-slowdisk: %s\n", text);
  return 1;
}

/** A private folder to mount on: in the user's run-time folder, which nobody else may enter. */
static char *
make_folder (void)
{
  const char *const places[] = { g_getenv ("XDG_RUNTIME_DIR"), g_get_tmp_dir () };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != NULL)
      {
        g_autofree char *folder = g_build_filename (places[i], "overlap-disk-XXXXXX", NULL);

        if (g_mkdtemp_full (folder, 0700) != NULL)
          return g_steal_pointer (&folder);
      }
  return NULL;
}

static void
clean_up (const char *folder)
{
  ov_slowdisk_unmount (folder);
  rmdir (folder);
}

/** The server's process: never returns. */
static void
be_server (const OvDisk *disk, const char *folder, OvSlowdiskShared *shared, pid_t guard)
{
  sigset_t none;
  int result;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != guard)
    _exit (1);
  result = ov_slowdisk_serve (disk, folder, shared);
  clean_up (folder);
  _exit (result == 0 ? 0 : 1);
}

/** Waits until the server has ended, or ends it when told to, and cleans up. */
static int
guard_server (const OvDisk *disk, const char *folder, OvSlowdiskShared *shared)
{
  const pid_t guard = getpid ();
  sigset_t wanted;
  pid_t server;
  int number, status = 0;

  sigemptyset (&wanted);
  sigaddset (&wanted, SIGTERM);
  sigaddset (&wanted, SIGHUP);
  sigaddset (&wanted, SIGCHLD);
  sigprocmask (SIG_BLOCK, &wanted, NULL);
  server = fork ();
  if (server == 0)
    be_server (disk, folder, shared, guard);
  if (server > 0)
    {
      /* SIGCHLD comes for a server that was stopped, too. */
      while (waitpid (server, &status, WNOHANG) == 0)
        if (sigwait (&wanted, &number) == 0 && number == SIGTERM)
          {
            /* What it holds is worth nothing, and a server that hangs hears nothing else. */
            kill (server, SIGKILL);
            waitpid (server, &status, 0);
            break;
          }
    }
  clean_up (folder);
  if (shared->state != OV_SLOWDISK_ENDED && shared->cause[0] == '\0')
    g_snprintf (shared->cause, sizeof shared->cause, _ ("The simulated disk was ended (%s)"),
                WIFSIGNALED (status) ? strsignal (WTERMSIG (status)) : _ ("no server"));
  __atomic_store_n (&shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
  return 0;
}

/** For a session: the shared memory is the descriptor `fd`. */
static int
serve_session (const OvDisk *disk, int fd)
{
  OvSlowdiskShared *shared = ov_slowdisk_shared_map (fd);
  g_autofree char *folder = NULL;

  if (shared == NULL)
    return complain (g_strerror (errno));
  close (fd);
  /* The engine ends a broken session by killing its whole group: the guard must outlive that. */
  setsid ();
  folder = make_folder ();
  if (folder == NULL)
    {
      g_snprintf (shared->cause, sizeof shared->cause,
                  _ ("No folder could be made to mount the simulated disk on: %s"),
                  g_strerror (errno));
      __atomic_store_n (&shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
      return 1;
    }
  return guard_server (disk, folder, shared);
}

static int
serve_user (const OvDisk *disk, const char *folder)
{
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  const int fd = memfd_create ("overlap-slowdisk", MFD_CLOEXEC);
  OvSlowdiskShared *shared = fd >= 0 ? ov_slowdisk_shared_map (fd) : NULL;

  if (shared == NULL)
    return complain (g_strerror (errno));
  shared->timed = shared->uncached = 1;
  if (ov_slowdisk_serve (disk, absolute, shared) != 0)
    return complain (shared->cause);
  return 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  OvDisk disk;
  int fd = -1;

  ov_locale_init ();
  setlocale (LC_NUMERIC, "C");
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    {
      printf ("overlap-slowdisk %s\n", OV_VERSION);
      return 0;
    }
  if (argc == 2 && strcmp (argv[1], "--help") == 0)
    return usage (stdout, 0);
  if (argc != 3)
    return usage (stderr, 2);
  if (g_str_has_prefix (argv[1], "--session="))
    {
      fd = atoi (argv[1] + strlen ("--session="));
      argv++;
    }
  if (!ov_disk_is_target (argv[1]))
    return usage (stderr, 2);
  if (!ov_disk_parse (argv[1], &disk, &error))
    {
      complain (error->message);
      return 2;
    }
  return fd >= 0 ? serve_session (&disk, fd) : serve_user (&disk, argv[2]);
}
