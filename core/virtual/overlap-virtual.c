/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program overlap-virtual: `overlap-virtual WORKER` runs a worker in a virtual machine that is
 * emulated by software, with a parallel port, a real-time clock and an event timer, and passes its
 * standard input and output on; so it stands in front of a worker as ssh does.  In the machine it
 * is the first process itself.
 *
 * What always holds: nothing is left behind.  The archive that the machine starts from lies in
 * memory, QEMU ends with this program, and the machine has no disk and no network.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "base/ov-error.h"
#include "base/ov-locale.h"
#include "virtual/ov-cpio.h"
#include "virtual/ov-guest.h"
#include "virtual/ov-kernel.h"

#define QEMU "qemu-system-x86_64"

/* What the machine's kernel must have, each before those that need it.  What is not there as a
 * module is taken to be built in. */
static const char *const modules[]
    = { "drivers/parport/parport", "drivers/parport/parport_pc", "drivers/char/ppdev",
        "drivers/rtc/rtc-cmos",    "drivers/char/hpet",          NULL };

/* The families of strategies that reach hardware, and the control. */
static const char *const families[] = { "counter", "mmio", "null", "port", "sample", "tick", NULL };

static int
usage (FILE *to, int status)
{
  fprintf (to, "%s\n\n%s\n", _ ("Usage: overlap-virtual [--check] WORKER"),
           _ ("Runs overlap-worker in a virtual machine with a parallel port and a real-time "
              "clock,\nemulated by software. \"overlap-cli run EXPERIMENT --virtual\" does that; "
              "see\noverlap-cli(1). --check only tells whether everything for it is here."));
  return status;
}

static int
complain (const char *text)
{
  fprintf (stderr, "overlap-virtual: %s\n", text);
  return 1;
}

/* ---- What the machine starts from --------------------------------------------------------- */

/** The libraries that a program is started with, as the loader finds them: one path each. */
static char **
libraries_of (const char *program, GError **error)
{
  const char *const argv[] = { program, NULL };
  g_auto (GStrv) environment
      = g_environ_setenv (g_get_environ (), "LD_TRACE_LOADED_OBJECTS", "1", TRUE);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  int status;

  if (!g_spawn_sync (NULL, (char **)argv, environment, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL,
                     &status, error)
      || !g_spawn_check_wait_status (status, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* "libc.so.6 => /lib/libc.so.6 (0x…)", "/lib64/ld-linux-x86-64.so.2 (0x…)" */
      const char *at = strchr (lines[i], '/');
      const char *end = at != NULL ? strstr (at, " (0x") : NULL;

      if (end != NULL)
        {
          g_autofree char *path = g_strndup (at, (gsize)(end - at));

          g_strv_builder_add (paths, path);
        }
    }
  return g_strv_builder_end (paths);
}

/** Puts the libraries of `program` into the archive and their folders into `folders`. */
static gboolean
add_libraries (OvCpio *cpio, const char *program, GHashTable *folders, GError **error)
{
  g_auto (GStrv) paths = libraries_of (program, error);

  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      g_hash_table_add (folders, g_path_get_dirname (paths[i]));
      if (!ov_cpio_add_file (cpio, paths[i], 0755, paths[i], error))
        return FALSE;
    }
  return paths != NULL;
}

static gboolean
add_modules (OvCpio *cpio, const OvKernel *kernel, GError **error)
{
  guint n = 0;

  for (guint i = 0; modules[i] != NULL; i++)
    {
      g_autoptr (GError) cause = NULL;
      g_autoptr (GBytes) bytes = ov_kernel_module (kernel, modules[i], &cause);
      g_autofree char *path = g_strdup_printf (OV_GUEST_MODULES "/%02u.ko", n);

      if (cause != NULL)
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&cause), "%s: ", modules[i]);
          return FALSE;
        }
      if (bytes == NULL)
        continue;
      ov_cpio_add (cpio, path, 0644, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      n++;
    }
  return TRUE;
}

static gboolean
add_families (OvCpio *cpio, GError **error)
{
  const char *own = g_getenv ("OVERLAP_PLUGIN_DIR");

  for (guint i = 0; families[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (families[i], ".so", NULL);
      g_autofree char *from = g_build_filename (own != NULL ? own : OV_PLUGINDIR, name, NULL);
      g_autofree char *path = g_build_filename (OV_PLUGINDIR, name, NULL);

      if (g_file_test (from, G_FILE_TEST_EXISTS)
          && !ov_cpio_add_file (cpio, path, 0755, from, error))
        return FALSE;
    }
  return TRUE;
}

static void
add_text (OvCpio *cpio, const char *path, const char *text)
{
  ov_cpio_add (cpio, path, 0644, text, strlen (text));
}

static gboolean
fill (OvCpio *cpio, const OvKernel *kernel, const char *worker, GError **error)
{
  static const char *const empty[] = { "/proc", "/sys", "/dev", "/tmp", "/root" };
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char **list = NULL;
  g_autofree char *joined = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (empty); i++)
    ov_cpio_add_folder (cpio, empty[i]);
  if (!ov_cpio_add_file (cpio, "/init", 0755, "/proc/self/exe", error)
      || !ov_cpio_add_file (cpio, OV_GUEST_WORKER, 0755, worker, error)
      || !add_libraries (cpio, "/proc/self/exe", folders, error)
      || !add_libraries (cpio, worker, folders, error) || !add_families (cpio, error)
      || !add_modules (cpio, kernel, error))
    return FALSE;
  list = (char **)g_hash_table_get_keys_as_array (folders, NULL);
  joined = g_strjoinv (":", list);
  ov_cpio_add (cpio, OV_GUEST_LIBS, 0644, joined, strlen (joined));
  add_text (cpio, "/etc/os-release", "PRETTY_NAME=\"Overlap's virtual machine\"\n");
  add_text (cpio, "/etc/passwd",
            "root:x:0:0::/root:/\nnobody:x:65534:65534:nobody:/nonexistent:/\n");
  if (g_str_has_suffix (worker, "/overlap-hardware"))
    add_text (cpio, OV_GUEST_AS_SUDO, "");
  return TRUE;
}

/** A file in memory that holds these bytes, or -1 with errno. */
static int
memory_file (const guint8 *data, gsize bytes)
{
  const int fd = memfd_create ("overlap-virtual", 0);
  gsize done = 0;

  while (fd >= 0 && done < bytes)
    {
      const ssize_t n = write (fd, data + done, bytes - done);

      if (n < 0 && errno != EINTR)
        {
          close (fd);
          return -1;
        }
      done += n > 0 ? (gsize)n : 0;
    }
  return fd;
}

/* ---- The machine ---------------------------------------------------------------------------- */

/** The process of the machine: never returns.  `in` and `out` become its wire, a
 *  pipe takes what its console says. */
static void
be_machine (const char *qemu, const char *kernel, int archive, int in, int out, int console,
            pid_t parent)
{
  g_autofree char *console_chardev
      = g_strdup_printf ("file,id=console,append=on,path=/proc/self/fd/%d", console);
  g_autofree char *initrd = g_strdup_printf ("/proc/self/fd/%d", archive);
  const char *const argv[]
      = { qemu,
          "-nodefaults",
          "-no-user-config",
          "-no-reboot",
          "-display",
          "none",
          "-accel",
          "tcg",
          "-machine",
          "pc,usb=off",
          "-cpu",
          "max",
          "-m",
          "320",
          "-nic",
          "none",
          "-chardev",
          console_chardev,
          "-serial",
          "chardev:console",
          "-chardev",
          "stdio,id=wire,signal=off",
          "-serial",
          "chardev:wire",
          "-parallel",
          "null",
          "-rtc",
          "base=utc",
          "-device",
          "isa-debug-exit,iobase=0xf4,iosize=4",
          "-device",
          "bochs-display",
          "-kernel",
          kernel,
          "-initrd",
          initrd,
          "-append",
          "console=ttyS0 quiet loglevel=3 panic=-1 rdinit=/init clocksource=hpet "
          "mitigations=off cryptomgr.notests audit=0 apparmor=0 random.trust_cpu=on",
          NULL };
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGPIPE, SIG_DFL);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  dup2 (in, STDIN_FILENO);
  dup2 (out, STDOUT_FILENO);
  execv (qemu, (char **)argv);
  fprintf (stderr, "%s: %s\n", qemu, strerror (errno));
  _exit (1);
}

/** Hands `bytes` on.  FALSE when nobody takes them. */
static gboolean
pass_on (int to, const char *data, gsize bytes)
{
  while (bytes > 0)
    {
      const ssize_t n = write (to, data, bytes);

      if (n < 0 && errno == EAGAIN)
        {
          struct pollfd room = { .fd = to, .events = POLLOUT };

          poll (&room, 1, -1);
        }
      else if (n < 0 && errno != EINTR)
        return FALSE;
      data += n > 0 ? n : 0;
      bytes -= n > 0 ? (gsize)n : 0;
    }
  return TRUE;
}

/** Reads once and hands it on.  FALSE at the end of either side.  `ready`: until it is set, what
 *  comes is the first process's word that the wire passes everything as it is. */
static gboolean
pump (int from, int to, gboolean *ready)
{
  char buffer[65536];
  const ssize_t n = read (from, buffer, sizeof buffer);
  const char *at = buffer;
  gsize bytes = n > 0 ? (gsize)n : 0;

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (n <= 0)
    return FALSE;
  while (!*ready && bytes > 0)
    {
      *ready = *at++ == OV_GUEST_READY;
      bytes--;
    }
  return pass_on (to, at, bytes);
}

/** Passes both directions on until the machine or the input ends; the exit status. */
static int
serve (pid_t machine, int to, int from, int console)
{
  gboolean ready = FALSE, always = TRUE, told = FALSE;
  int status = 0;
  pid_t ended;

  for (;;)
    {
      /* What is sent before the machine listens is lost, so that it is not read; but its end is
       * seen (POLLHUP). */
      struct pollfd fds[3] = { { STDIN_FILENO, ready ? POLLIN : 0, 0 },
                               { from, POLLIN, 0 },
                               { console, POLLIN, 0 } };

      if (poll (fds, 3, -1) < 0)
        continue;
      if (fds[2].revents != 0 && !pump (console, STDERR_FILENO, &always))
        console = -1;
      if (fds[1].revents != 0 && !pump (from, STDOUT_FILENO, &ready))
        break;
      if ((fds[0].revents & (ready ? POLLIN | POLLHUP | POLLERR : POLLHUP | POLLERR)) != 0
          && (!ready || !pump (STDIN_FILENO, to, &always)))
        {
          /* End of input: abort everything and end. */
          told = TRUE;
          kill (machine, SIGKILL);
          break;
        }
    }
  close (to);
  do
    ended = waitpid (machine, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (told)
    return 0;
  if (ended == machine && WIFEXITED (status) && WEXITSTATUS (status) % 2 == 1
      && WEXITSTATUS (status) > 1)
    return (WEXITSTATUS (status) - 1) / 2 - 1;
  return complain (_ ("The virtual machine ended before its worker did."));
}

static int
run_machine (const char *qemu, const OvKernel *kernel, const char *worker)
{
  g_autoptr (OvCpio) cpio = ov_cpio_new ();
  g_autoptr (GBytes) unpacked = ov_kernel_unpacked (kernel);
  g_autofree char *image = g_strdup (kernel->image);
  g_autoptr (GError) error = NULL;
  const GByteArray *bytes;
  const pid_t parent = getpid ();
  int archive, code = -1, to[2], from[2], console[2];
  pid_t machine;

  if (!fill (cpio, kernel, worker, &error))
    return complain (error->message);
  bytes = ov_cpio_finish (cpio);
  archive = memory_file (bytes->data, bytes->len);
  if (unpacked != NULL)
    code = memory_file (g_bytes_get_data (unpacked, NULL), g_bytes_get_size (unpacked));
  if (archive < 0 || pipe2 (to, O_CLOEXEC) != 0 || pipe2 (from, O_CLOEXEC) != 0
      || pipe (console) != 0)
    return complain (g_strerror (errno));
  if (code >= 0)
    {
      g_free (image);
      image = g_strdup_printf ("/proc/self/fd/%d", code);
    }
  signal (SIGPIPE, SIG_IGN);
  signal (SIGINT, SIG_IGN); /* the engine decides */
  machine = fork ();
  if (machine == 0)
    be_machine (qemu, image, archive, to[0], from[1], console[1], parent);
  if (machine < 0)
    return complain (g_strerror (errno));
  close (archive);
  close (code);
  close (to[0]);
  close (from[1]);
  close (console[1]);
  return serve (machine, to[1], from[0], console[0]);
}

int
main (int argc, char **argv)
{
  g_autoptr (OvKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *qemu = NULL;
  g_autofree char *worker = NULL;
  gboolean check;

  if (getpid () == 1)
    ov_guest_run ();
  ov_locale_init ();
  setlocale (LC_NUMERIC, "C");
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    {
      printf ("overlap-virtual %s\n", OV_VERSION);
      return 0;
    }
  if (argc == 2 && strcmp (argv[1], "--help") == 0)
    return usage (stdout, 0);
  check = argc == 2 && strcmp (argv[1], "--check") == 0;
  if (argc != 2 || (argv[1][0] == '-' && !check))
    return usage (stderr, 2);
#ifndef __x86_64__
  return complain (
      _ ("The virtual machine is a PC: this needs a processor of that kind (x86-64)."));
#endif
  qemu = g_find_program_in_path (QEMU);
  if (qemu == NULL)
    {
      g_autofree char *why = g_strdup_printf (
          _ ("QEMU is not installed (program %s). On Debian and Ubuntu the package "
             "qemu-system-x86 brings it, on Fedora qemu-system-x86-core."),
          QEMU);

      return complain (why);
    }
  kernel = ov_kernel_find (&error);
  if (kernel == NULL)
    return complain (error->message);
  if (check)
    {
      printf ("%s\n%s\n%s\n", qemu, kernel->image, kernel->modules != NULL ? kernel->modules : "");
      return 0;
    }
  worker = g_find_program_in_path (argv[1]);
  if (worker == NULL)
    return complain (_ ("The worker's program is not here."));
  return run_machine (qemu, kernel, worker);
}
