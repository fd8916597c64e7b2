/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child keeps standard error, its wake and text descriptors, and nothing else of the session: a
 * module that prints cannot break the protocol.
 */
#include "config.h"

#include "worker/ov-child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/ov-privilege.h"

/** Rung 1 lasts at least this long. */
#define DRAIN_MIN_NS (100 * 1000000LL)

/** Moves the descriptors that are kept to 3 and 4 and closes the rest. */
static void
keep_descriptors (OvChild *child)
{
  const guint devices = ov_privilege_n_devices ();
  int null = devices > 0 ? ov_privilege_device ("/dev/null") : open ("/dev/null", O_RDWR);
  /* Above everything that is about to be overwritten. */
  int wake = fcntl (child->wake_fd, F_DUPFD, 16);
  int text = child->text_fd >= 0 ? fcntl (child->text_fd, F_DUPFD, 16) : -1;

  dup2 (null, 0);
  dup2 (null, 1);
  dup2 (wake, 3);
  child->wake_fd = 3;
  if (text >= 0)
    dup2 (text, 4);
  child->text_fd = text >= 0 ? 4 : -1;
  if (text < 0)
    close (4);
  syscall (SYS_close_range, OV_PRIVILEGE_FIRST_FD + devices, ~0u, 0u);
  fcntl (3, F_SETFD, FD_CLOEXEC);
  if (text >= 0)
    fcntl (4, F_SETFD, FD_CLOEXEC);
}

static void
become_child (OvChild *child, pid_t session)
{
  const struct rlimit no_core = { 0, 0 };

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != session)
    _exit (1);
  /* The session's death ends the child, so SIGTERM to it alone is the user's own doing. */
  signal (SIGTERM, SIG_DFL);
  signal (SIGPIPE, SIG_DFL);
  setrlimit (RLIMIT_CORE, &no_core);
  keep_descriptors (child);
}

OvChild *
ov_child_spawn (OvChildKind kind, guint id, gsize log_capacity, gboolean with_text,
                OvChildFunc func, gpointer data, GDestroyNotify free_data)
{
  OvChild *child = g_new0 (OvChild, 1);
  const pid_t session = getpid ();
  int error;

  child->kind = kind;
  child->id = id;
  child->data = data;
  child->free_data = free_data;
  child->pidfd = child->text_fd = -1;
  child->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  child->shared = ov_shared_new (log_capacity, &child->shared_bytes);
  if (with_text)
    child->text_fd = memfd_create ("overlap-answer", MFD_CLOEXEC);
  child->born_ns = ov_clock_now_ns ();
  child->pid = -1;
  if (child->wake_fd >= 0 && child->shared != NULL && (!with_text || child->text_fd >= 0))
    child->pid = fork ();
  if (child->pid == 0)
    {
      become_child (child, session);
      func (child, data);
      /* Without exit handlers: nothing of the session may be flushed twice. */
      _exit (0);
    }
  if (child->pid > 0)
    child->pidfd = (int)syscall (SYS_pidfd_open, child->pid, 0);
  if (child->pid > 0 && child->pidfd >= 0)
    {
      fcntl (child->pidfd, F_SETFD, FD_CLOEXEC);
      return child;
    }
  error = errno;
  ov_child_free (child);
  errno = error;
  return NULL;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
ov_child_free (OvChild *child)
{
  if (child->pid > 0 && child->gone_ns == 0)
    {
      kill (child->pid, child->kind == OV_CHILD_DISK ? SIGTERM : SIGKILL);
      waitpid (child->pid, NULL, WNOHANG);
    }
  close_fd (&child->pidfd);
  close_fd (&child->wake_fd);
  close_fd (&child->text_fd);
  ov_shared_free (child->shared, child->shared_bytes);
  if (child->free_data != NULL)
    child->free_data (child->data);
  g_free (child);
}

/** What the bytes in flight need at the rate measured so far, three times over. */
static gint64
drain_time_ns (const OvShared *shared, gint64 now)
{
  const gint64 begin = __atomic_load_n (&shared->begin_ns, __ATOMIC_ACQUIRE);
  const double moved = (double)shared->live.completed_bytes;
  const double flying = (double)(shared->live.submitted_bytes - shared->live.completed_bytes);

  if (begin == 0 || moved <= 0 || flying <= 0 || flying > 1e15)
    return DRAIN_MIN_NS;
  return MAX (DRAIN_MIN_NS, (gint64)MIN (3 * flying * (double)(now - begin) / moved, 1e13));
}

void
ov_child_abort (OvChild *child)
{
  const gint64 now = ov_clock_now_ns ();
  const guint64 one = 1;

  if (child->shared->press_ns != 0 || child->gone_ns != 0)
    return;
  child->shared->press_ns = now;
  __atomic_store_n (&child->shared->stop, OV_STOP_ABORT, __ATOMIC_RELEASE);
  if (write (child->wake_fd, &one, sizeof one) < 0)
    g_debug ("A child cannot be woken: %s", g_strerror (errno));
  child->kill_ns = now + drain_time_ns (child->shared, now);
}

void
ov_child_kill (OvChild *child)
{
  if (child->gone_ns != 0 || child->killed_ns != 0)
    return;
  if (child->shared->press_ns == 0)
    child->shared->press_ns = ov_clock_now_ns ();
  child->killed_ns = ov_clock_now_ns ();
  kill (child->pid, child->kind == OV_CHILD_DISK ? SIGTERM : SIGKILL);
}

gboolean
ov_child_poll (OvChild *child)
{
  if (child->gone_ns != 0)
    return TRUE;
  if (waitpid (child->pid, &child->status, WNOHANG) != child->pid)
    return FALSE;
  child->gone_ns = ov_clock_now_ns ();
  return TRUE;
}

gboolean
ov_child_is_stuck (const OvChild *child, gint64 now_ns)
{
  return child->gone_ns == 0 && child->killed_ns != 0
         && now_ns - child->killed_ns > (gint64)OV_ABANDON_MS * 1000000;
}

char *
ov_child_get_text (const OvChild *child)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[16384];
  ssize_t n;

  if (child->text_fd < 0 || lseek (child->text_fd, 0, SEEK_SET) != 0)
    return NULL;
  while ((n = read (child->text_fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
ov_child_put_text (OvChild *child, const char *text)
{
  gsize left = strlen (text);

  while (left > 0)
    {
      ssize_t n = write (child->text_fd, text, left);

      if (n <= 0)
        return;
      text += n;
      left -= (gsize)n;
    }
}
