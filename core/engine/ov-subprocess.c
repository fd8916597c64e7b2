/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starting, signalling and reaping a child.  The end is seen through a pidfd, so that we choose the
 * moment of reaping: first the rest of the group is killed, then the leader's number is given back.
 * Where there is no pidfd, GLib watches and reaps; then the group is killed right after.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "base/ov-error.h"
#include "engine/ov-subprocess-private.h"

struct _OvSubprocess
{
  GPid pid;
  int pidfd; /* or -1: GLib watches */
  GSource *watch;
  gboolean reaped;
  gboolean released; /* freed when it ends */
  int terminal;      /* lent, or -1 */
  OvSubprocessExited exited;
  gpointer data;
};

static void
child_free (OvSubprocess *child)
{
  ov_subprocess_take_terminal (child);
  g_clear_pointer (&child->watch, g_source_unref);
  if (child->pidfd >= 0)
    close (child->pidfd);
  g_free (child);
}

static void
child_has_ended (OvSubprocess *child, int status)
{
  child->reaped = TRUE;
  ov_subprocess_take_terminal (child);
  if (child->released)
    child_free (child);
  else if (child->exited != NULL)
    child->exited (status, child->data);
}

static gboolean
on_pidfd (gint fd, GIOCondition condition, gpointer data)
{
  OvSubprocess *child = data;
  int status = -1;
  pid_t got;

  kill (-child->pid, SIGKILL); /* the leader is a zombie: its number is still its own */
  do
    got = waitpid (child->pid, &status, WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0)
    return G_SOURCE_CONTINUE;
  child_has_ended (child, got == child->pid ? status : -1);
  return G_SOURCE_REMOVE;
}

static void
on_child_watch (GPid pid, gint status, gpointer data)
{
  kill (-pid, SIGKILL); /* a group keeps its number while it has members */
  child_has_ended (data, status);
}

static void
child_watch (OvSubprocess *child)
{
#ifdef SYS_pidfd_open
  child->pidfd = (int)syscall (SYS_pidfd_open, child->pid, 0); /* close-on-exec by itself */
#endif
  if (child->pidfd >= 0)
    {
      child->watch = g_unix_fd_source_new (child->pidfd, G_IO_IN);
      g_source_set_callback (child->watch, G_SOURCE_FUNC (on_pidfd), child, NULL);
    }
  else
    {
      child->watch = g_child_watch_source_new (child->pid);
      g_source_set_callback (child->watch, G_SOURCE_FUNC (on_child_watch), child, NULL);
    }
  g_source_set_static_name (child->watch, "Overlap worker's end");
  g_source_attach (child->watch, g_main_context_get_thread_default ());
}

/* Changes the foreground group of `terminal` although we may be in the background. */
static gboolean
set_foreground (int terminal, pid_t group)
{
  sigset_t block, old;
  int ret;

  sigemptyset (&block);
  sigaddset (&block, SIGTTOU);
  pthread_sigmask (SIG_BLOCK, &block, &old);
  ret = tcsetpgrp (terminal, group);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  return ret == 0;
}

/* How a subprocess that may ask for a password gets at the terminal.  A group in the background
 * that reads from it is stopped. */
typedef enum
{
  TERMINAL_NONE,  /* there is none, or we are not in its foreground */
  TERMINAL_LEND,  /* its group becomes the foreground for a while */
  TERMINAL_SHARE, /* we write into a pipe, whose reader may need the terminal too and must not be
                     put into the background: the subprocess stays in our group */
} Terminal;

static Terminal
open_terminal (int *terminal)
{
  *terminal = open ("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (*terminal < 0)
    return TERMINAL_NONE;
  if (tcgetpgrp (*terminal) == getpgrp ())
    return isatty (STDOUT_FILENO) ? TERMINAL_LEND : TERMINAL_SHARE;
  close (*terminal);
  *terminal = -1;
  return TERMINAL_NONE;
}

static void
lend_terminal (OvSubprocess *child, int terminal)
{
  if (!set_foreground (terminal, child->pid))
    {
      close (terminal);
      return;
    }
  child->terminal = terminal;
  kill (-child->pid, SIGCONT); /* if it had been stopped for asking too early */
}

static void
set_spawn_error (GError **error, const char *program, int cause)
{
  OvErrorCode code = OV_ERROR_WORKER;

  if (cause == ENOENT || cause == ENOTDIR)
    code = OV_ERROR_NOT_FOUND;
  else if (cause == EACCES || cause == EPERM)
    code = OV_ERROR_PERMISSION;
  g_set_error (error, OV_ERROR, code, _ ("The worker cannot be started with “%s”: %s"), program,
               g_strerror (cause));
}

/* A pipe whose ends are none of the standard descriptors, which would be in the way of themselves.
 */
static gboolean
open_pipe (int ends[2])
{
  if (pipe2 (ends, O_CLOEXEC) != 0)
    {
      ends[0] = ends[1] = -1;
      return FALSE;
    }
  for (int i = 0; i < 2; i++)
    if (ends[i] <= STDERR_FILENO)
      {
        int high = fcntl (ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

        if (high < 0)
          return FALSE;
        close (ends[i]);
        ends[i] = high;
      }
  return TRUE;
}

static void
close_pipe (const int ends[2])
{
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0)
      close (ends[i]);
}

/* Without fork(): it would make a window that holds a large result copy its memory page by page,
 * as it goes on, and stand still meanwhile.  0, or an errno. */
static int
start (char **argv, Terminal how, int in, int out, int err, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  sigset_t none, broken_pipe;
  int result;

  sigemptyset (&none);
  sigemptyset (&broken_pipe);
  sigaddset (&broken_pipe, SIGPIPE);
  if (how != TERMINAL_SHARE)
    flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, flags);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &broken_pipe);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, err, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np (&actions, STDERR_FILENO + 1);
  result = posix_spawnp (pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  return result;
}

OvSubprocess *
ov_subprocess_spawn (char **argv, gboolean asks, OvSubprocessPipes *pipes,
                     OvSubprocessExited exited, gpointer data, GError **error)
{
  int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
  OvSubprocess *child;
  Terminal how = TERMINAL_NONE;
  int terminal = -1;
  int cause;
  pid_t pid;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL && pipes != NULL, NULL);

  if (asks)
    how = open_terminal (&terminal);
  if (open_pipe (in) && open_pipe (out) && open_pipe (err))
    cause = start (argv, how, in[0], out[1], err[1], &pid);
  else
    cause = errno;
  if (cause != 0)
    {
      close_pipe (in);
      close_pipe (out);
      close_pipe (err);
      set_spawn_error (error, argv[0], cause);
      if (terminal >= 0)
        close (terminal);
      return NULL;
    }
  close (in[0]);
  close (out[1]);
  close (err[1]);
  pipes->input = in[1];
  pipes->output = out[0];
  pipes->error = err[0];
  g_unix_set_fd_nonblocking (pipes->input, TRUE, NULL);
  g_unix_set_fd_nonblocking (pipes->output, TRUE, NULL);
  g_unix_set_fd_nonblocking (pipes->error, TRUE, NULL);

  child = g_new0 (OvSubprocess, 1);
  child->pid = pid;
  child->pidfd = -1;
  child->terminal = -1;
  child->exited = exited;
  child->data = data;
  child_watch (child);
  if (how == TERMINAL_LEND)
    lend_terminal (child, terminal);
  else if (terminal >= 0)
    close (terminal);
  return child;
}

GPid
ov_subprocess_get_pid (OvSubprocess *child)
{
  g_return_val_if_fail (child != NULL, 0);

  return child->pid;
}

void
ov_subprocess_take_terminal (OvSubprocess *child)
{
  g_return_if_fail (child != NULL);

  if (child->terminal < 0)
    return;
  set_foreground (child->terminal, getpgrp ());
  close (child->terminal);
  child->terminal = -1;
}

gboolean
ov_subprocess_signal (OvSubprocess *child, int signal)
{
  g_return_val_if_fail (child != NULL, FALSE);

  if (child->reaped)
    return FALSE;
  return kill (-child->pid, signal) == 0 || kill (child->pid, signal) == 0;
}

void
ov_subprocess_release (OvSubprocess *child)
{
  if (child == NULL)
    return;
  child->exited = NULL;
  child->released = TRUE;
  ov_subprocess_take_terminal (child);
  if (child->reaped)
    child_free (child);
}

char *
ov_subprocess_describe_status (int status)
{
  if (status != -1 && WIFEXITED (status))
    return g_strdup_printf (_ ("exit status %d"), WEXITSTATUS (status));
  if (status != -1 && WIFSIGNALED (status))
    return g_strdup_printf (_ ("signal %d (%s)"), WTERMSIG (status),
                            g_strsignal (WTERMSIG (status)));
  return g_strdup (_ ("unknown exit status"));
}
