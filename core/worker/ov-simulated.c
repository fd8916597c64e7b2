/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The child keeps its text file as descriptor 4 (ov-child.c): that is the shared memory.
 */
#include "config.h"

#include "worker/ov-simulated.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "base/ov-error.h"

#define PROGRAM "overlap-slowdisk"

static void
clear (gpointer data)
{
  OvSimulated *simulated = data;

  ov_slowdisk_shared_unmap (simulated->shared);
  g_free (simulated->target);
}

OvSimulated *
ov_simulated_ref (OvSimulated *simulated)
{
  return g_rc_box_acquire (simulated);
}

void
ov_simulated_unref (OvSimulated *simulated)
{
  if (simulated != NULL)
    g_rc_box_release_full (simulated, clear);
}

/** The program beside the worker, in the tree it was built in, or where it was installed. */
static char *
find_program (void)
{
  const char *own = g_getenv ("OVERLAP_SLOWDISK");
  g_autofree char *worker = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = worker != NULL ? g_path_get_dirname (worker) : g_strdup (".");
  char *places[] = { g_strdup (own), g_build_filename (folder, PROGRAM, NULL),
                     g_build_filename (folder, "..", "slowdisk", PROGRAM, NULL),
                     g_build_filename (OV_BINDIR, PROGRAM, NULL) };
  char *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (found == NULL && places[i] != NULL && access (places[i], X_OK) == 0)
      found = places[i];
    else
      g_free (places[i]);
  return found;
}

/** In the child: becomes the program. */
static void
become_server (OvChild *child, gpointer data)
{
  const OvSimulated *simulated = data;
  OvSlowdiskShared *shared = ov_slowdisk_shared_map (child->text_fd);
  g_autofree char *program = find_program ();
  g_autofree char *session = g_strdup_printf ("--session=%d", child->text_fd);

  /* SIGTERM, so that it can take the mount away. */
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  fcntl (child->text_fd, F_SETFD, 0);
  if (program != NULL)
    execl (program, PROGRAM, session, simulated->target, NULL);
  if (shared == NULL)
    return;
  if (program != NULL)
    g_snprintf (shared->cause, sizeof shared->cause, "%s: %s", program, g_strerror (errno));
  else
    g_strlcpy (shared->cause,
               OV_HAVE_SLOWDISK
                   ? _ ("The program overlap-slowdisk is missing: install Overlap anew")
                   : _ ("This copy of Overlap was built without libfuse3, which simulated disks "
                        "need: install libfuse3-dev (Fedora: fuse3-devel) and build it anew"),
               sizeof shared->cause);
  __atomic_store_n (&shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
}

OvChild *
ov_simulated_spawn (const char *target, GError **error)
{
  OvSimulated *simulated;
  OvChild *child;
  OvDisk disk;

  if (!ov_disk_parse (target, &disk, error))
    return NULL;
  simulated = g_rc_box_new0 (OvSimulated);
  simulated->target = g_strdup (target);
  simulated->disk = disk;
  child = ov_child_spawn (OV_CHILD_DISK, 0, 0, TRUE, become_server, simulated,
                          (GDestroyNotify)ov_simulated_unref);
  if (child == NULL)
    {
      g_set_error (error, OV_ERROR, OV_ERROR_FAILED, _ ("No process could be started: %s"),
                   g_strerror (errno));
      return NULL;
    }
  child->answered = TRUE; /* nobody waits for its end */
  simulated->shared = ov_slowdisk_shared_map (child->text_fd);
  if (simulated->shared != NULL)
    return child;
  g_set_error (error, OV_ERROR, OV_ERROR_FAILED, _ ("No memory for a simulated disk: %s"),
               g_strerror (errno));
  ov_child_free (child);
  return NULL;
}

gboolean
ov_simulated_is_alive (const OvSimulated *simulated)
{
  return __atomic_load_n (&simulated->shared->state, __ATOMIC_ACQUIRE) != OV_SLOWDISK_ENDED;
}

void
ov_simulated_note_end (OvSimulated *simulated)
{
  __atomic_store_n (&simulated->shared->state, OV_SLOWDISK_ENDED, __ATOMIC_RELEASE);
}

char *
ov_simulated_dup_cause (const OvSimulated *simulated)
{
  g_autofree char *cause
      = g_strndup (simulated->shared->cause, sizeof simulated->shared->cause - 1);

  if (cause[0] == '\0')
    return g_strdup (_ ("The simulated disk has ended"));
  return g_utf8_make_valid (cause, -1);
}

const char *
ov_simulated_wait (const OvSimulated *simulated, const guint32 *stop)
{
  const OvSlowdiskShared *shared = simulated->shared;

  for (;;)
    {
      const guint32 state = __atomic_load_n (&shared->state, __ATOMIC_ACQUIRE);

      if (state == OV_SLOWDISK_MOUNTED)
        return shared->folder;
      if (state == OV_SLOWDISK_ENDED
          || (stop != NULL && __atomic_load_n (stop, __ATOMIC_RELAXED) != 0))
        return NULL;
      g_usleep (2000);
    }
}

void
ov_simulated_set (OvSlowdiskShared *shared, gboolean timed, gboolean uncached)
{
  if (shared == NULL)
    return;
  __atomic_store_n (&shared->uncached, uncached ? 1 : 0, __ATOMIC_RELEASE);
  __atomic_store_n (&shared->timed, timed ? 1 : 0, __ATOMIC_RELEASE);
}

void
ov_simulated_reset (OvSlowdiskShared *shared)
{
  gsize bytes;

  if (shared == NULL)
    return;
  ov_request_log_reset (ov_slowdisk_shared_log (shared, &bytes));
  __atomic_fetch_add (&shared->generation, 1, __ATOMIC_RELEASE);
}
