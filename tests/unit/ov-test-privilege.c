/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the privileged worker is made of: the filter of system calls, the look at owners.  What it
 * does as a whole is tested from outside (tests/virtual/test-privilege.py).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "base/ov-error.h"
#include "model/ov-types.h"
#include "worker/ov-guard.h"
#include "worker/ov-seccomp.h"
#include "worker/ov-trust.h"

#if defined __x86_64__ || defined __aarch64__

static long
try_exec (void)
{
  char *const argv[] = { (char *)"true", NULL };

  return execve ("/bin/true", argv, argv);
}

static long
try_socket (void)
{
  return socket (AF_UNIX, SOCK_STREAM, 0);
}

static long
try_write (void)
{
  return open ("/dev/null", O_WRONLY);
}

static long
try_create (void)
{
  return open ("/tmp/overlap-must-not-be", O_RDONLY | O_CREAT, 0600);
}

static long
try_openat2 (void)
{
#ifdef SYS_openat2
  return syscall (SYS_openat2, AT_FDCWD, "/dev/null", NULL, 0);
#else
  errno = EPERM;
  return -1;
#endif
}

static long
try_unlink (void)
{
  return unlink ("/tmp/overlap-must-not-be");
}

static long
try_space (void)
{
  return syscall (SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
}

static long
try_unshare (void)
{
  return unshare (CLONE_NEWUSER);
}

static long
try_trace (void)
{
  return ptrace (PTRACE_TRACEME, 0, NULL, NULL);
}

static long
try_user (void)
{
  return syscall (SYS_setuid, getuid ());
}

static long
try_module (void)
{
  return syscall (SYS_finit_module, -1, "", 0);
}

static long
try_bpf (void)
{
  return syscall (SYS_bpf, 0, NULL, 0);
}

#ifdef SYS_ioperm
static long
try_clock_port (void)
{
  return syscall (SYS_ioperm, 0x70, 2, 1);
}

static long
try_all_ports (void)
{
  return syscall (SYS_ioperm, 0, 0x10000, 1);
}

static long
try_wide_port (void)
{
  return syscall (SYS_ioperm, 0x80, 2, 1);
}
#endif

static const struct
{
  const char *name;
  long (*call) (void);
} refused[] = {
  { "execve", try_exec },     { "socket", try_socket },   { "open for writing", try_write },
  { "create", try_create },   { "openat2", try_openat2 }, { "unlink", try_unlink },
  { "clone", try_space },     { "unshare", try_unshare }, { "ptrace", try_trace },
  { "setuid", try_user },     { "module", try_module },   { "bpf", try_bpf },
#ifdef SYS_ioperm
  { "0x70", try_clock_port }, { "all", try_all_ports },   { "0x80 and 0x81", try_wide_port },
#endif
};

static gpointer
in_thread (gpointer data)
{
  return data;
}

/** In a child: the number of what went wrong, 0: nothing. */
static int
check_filter (void)
{
  int status, fd;
  pid_t pid;

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ov_seccomp_install () != 0)
    return 100;
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      errno = 0;
      if (refused[i].call () != -1 || errno != EPERM)
        return 1 + (int)i;
    }
  /* And what a session lives on goes on: reading files, children, threads. */
  fd = open ("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || read (fd, &status, sizeof status) != sizeof status || close (fd) != 0)
    return 101;
  pid = fork ();
  if (pid == 0)
    _exit (7);
  if (pid < 0 || waitpid (pid, &status, 0) != pid || !WIFEXITED (status)
      || WEXITSTATUS (status) != 7)
    return 102;
  if (g_thread_join (g_thread_new ("filtered", in_thread, &fd)) != &fd)
    return 103;
  return 0;
}

static void
test_filter (void)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (check_filter ());
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) > 0 && WEXITSTATUS (status) <= (int)G_N_ELEMENTS (refused))
    g_test_message ("not refused: %s", refused[WEXITSTATUS (status) - 1].name);
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

#else

static void
test_filter (void)
{
  g_test_skip ("there is no filter for this processor");
}

#endif

static void
test_trust (void)
{
  static const char *const wrong[]
      = { "",      "etc",           "bin/../etc", "/etc/", "/etc/../etc",
          "//etc", "/proc/self/fd", "/dev/null",  "/tmp",  "/no/such/file" };
  g_autofree char *folder = g_dir_make_tmp ("overlap-trust-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "module.so", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", wrong[i]);
      g_assert_false (ov_trust_path (wrong[i], &error));
      g_assert_true (error->domain == OV_ERROR);
    }
  g_assert_true (ov_trust_path ("/", NULL));
  g_assert_true (ov_trust_path ("/etc/passwd", NULL));
  /* Everybody may write to the temporary folder above it. */
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_false (ov_trust_path (file, NULL));
  g_remove (file);
  g_rmdir (folder);
}

/* Reading one byte: the list.  Wider, and for writing, less of it; 0 leaves the choice to the
 * strategy. */
static void
test_ports (void)
{
  for (guint64 port = 0; port < 0x20000; port++)
    {
      g_assert_cmpint (ov_guard_ports_are_harmless (port, 1, OV_ACCESS_READ), ==,
                       port == 0 || port == 0x80 || port == 0x378 || port == 0x379
                           || port == 0x37a);
      g_assert_cmpint (ov_guard_ports_are_harmless (port, 2, OV_ACCESS_READ), ==,
                       port == 0 || port == 0x378 || port == 0x379);
      g_assert_cmpint (ov_guard_ports_are_harmless (port, 1, OV_ACCESS_WRITE), ==,
                       port == 0 || port == 0x80 || port == 0x378);
      g_assert_cmpint (ov_guard_ports_are_harmless (port, 2, OV_ACCESS_WRITE), ==, port == 0);
      for (guint width = 3; width <= 8; width++)
        g_assert_cmpint (ov_guard_ports_are_harmless (port, width, OV_ACCESS_READ), ==, port == 0);
      g_assert_cmpint (ov_guard_ports_are_harmless (port, 0, OV_ACCESS_READ), ==, port == 0);
    }
  g_assert_false (ov_guard_ports_are_harmless (G_MAXUINT64, 1, OV_ACCESS_READ));
  g_assert_false (ov_guard_ports_are_harmless (G_MAXUINT64, 2, OV_ACCESS_READ));
  g_assert_false (
      ov_guard_ports_are_harmless ((G_GUINT64_CONSTANT (1) << 32) + 0x80, 1, OV_ACCESS_READ));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/privilege/filter", test_filter);
  g_test_add_func ("/privilege/trust", test_trust);
  g_test_add_func ("/privilege/ports", test_ports);
  return g_test_run ();
}
