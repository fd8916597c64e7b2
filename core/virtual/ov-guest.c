/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain system calls: nothing else is running yet.  What goes wrong is written to the console,
 * which the outside passes on as its own standard error.
 */
#include "config.h"

#include "virtual/ov-guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#include <sys/io.h>
#endif

#define STATUS_BROKEN 125 /* of a machine whose worker could not be started */

static void end_machine (int status) __attribute__ ((noreturn));

static void
end_machine (int status)
{
  fflush (stderr);
#if defined __x86_64__ || defined __i386__
  if (iopl (3) == 0)
    outl ((unsigned)(status < OV_GUEST_STATUS_MOST ? status : OV_GUEST_STATUS_MOST) + 1,
          OV_GUEST_EXIT_PORT);
#endif
  reboot (RB_POWER_OFF);
  for (;;)
    pause ();
}

static void
complain (const char *what)
{
  fprintf (stderr, "%s: %s\n", what, strerror (errno));
}

static void
mount_on (const char *type, const char *path)
{
  mkdir (path, 0755);
  if (mount (type, path, type, 0, NULL) != 0 && errno != EBUSY)
    complain (path);
}

static void
load_modules (void)
{
  for (int i = 0; i < 100; i++)
    {
      char path[64];
      int fd;

      snprintf (path, sizeof path, OV_GUEST_MODULES "/%02d.ko", i);
      fd = open (path, O_RDONLY | O_CLOEXEC);
      if (fd < 0)
        return;
      if (syscall (SYS_finit_module, fd, "", 0) != 0 && errno != EEXIST)
        complain (path);
      close (fd);
    }
}

/** The wire, on which every byte passes as it is. */
static int
open_wire (void)
{
  const int fd = open (OV_GUEST_WIRE, O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios settings;

  if (fd < 0 || tcgetattr (fd, &settings) != 0)
    return -1;
  cfmakeraw (&settings);
  cfsetspeed (&settings, B115200);
  settings.c_cflag |= CLOCAL | CREAD;
  return tcsetattr (fd, TCSANOW, &settings) == 0 ? fd : -1;
}

static void
set_environment (void)
{
  char folders[4096] = "";
  const int fd = open (OV_GUEST_LIBS, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read (fd, folders, sizeof folders - 1) : 0;

  if (fd >= 0)
    close (fd);
  clearenv ();
  setenv ("PATH", "/overlap", 1);
  setenv ("LC_ALL", "C.UTF-8", 1);
  if (access (OV_GUEST_AS_SUDO, F_OK) == 0)
    {
      /* As sudo starts it, for somebody who may do nothing. */
      setenv ("SUDO_UID", "65534", 1);
      return;
    }
  setenv ("HOME", "/root", 1);
  setenv ("OVERLAP_PLUGIN_DIR", OV_PLUGINDIR, 1);
  if (n > 0)
    setenv ("LD_LIBRARY_PATH", folders, 1);
}

void
ov_guest_run (void)
{
  static const char ready = OV_GUEST_READY;
  pid_t worker, ended;
  int console, wire, status = 0;

  chmod ("/", 0755);
  mount_on ("proc", "/proc");
  mount_on ("sysfs", "/sys");
  mount_on ("devtmpfs", "/dev");
  mount_on ("tmpfs", "/tmp");
  mount_on ("securityfs", "/sys/kernel/security");
  if (sethostname (OV_GUEST_HOST, strlen (OV_GUEST_HOST)) != 0)
    complain (OV_GUEST_HOST);
  console = open (OV_GUEST_CONSOLE, O_WRONLY | O_NOCTTY);
  if (console >= 0)
    dup2 (console, STDERR_FILENO);
  load_modules ();
  wire = open_wire ();
  if (wire < 0)
    {
      complain (OV_GUEST_WIRE);
      end_machine (STATUS_BROKEN);
    }
  if (write (wire, &ready, 1) != 1)
    complain (OV_GUEST_WIRE);
  set_environment ();
  worker = fork ();
  if (worker == 0)
    {
      dup2 (wire, STDIN_FILENO);
      dup2 (wire, STDOUT_FILENO);
      setsid ();
      execl (OV_GUEST_WORKER, "overlap-worker", NULL);
      complain (OV_GUEST_WORKER);
      _exit (STATUS_BROKEN);
    }
  do
    ended = wait (&status);
  while (ended != worker && (ended >= 0 || errno == EINTR));
  /* The last words must have left the wire before the machine is gone. */
  tcdrain (wire);
  end_machine (WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}
