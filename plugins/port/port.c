/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A refused access is a fault (SIGSEGV), which the proof catches and jumps out of.  The jump's
 * place is each thread's own.
 */
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ppdev.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if PORT_HERE
#include <sys/io.h>
#endif

bool
port_has_parallel (void)
{
  FILE *file = fopen ("/proc/sys/dev/parport/parport0/base-addr", "re");
  unsigned base = 0;
  int n;

  if (file == NULL)
    return false;
  n = fscanf (file, "%u", &base);
  fclose (file);
  return n == 1 && base == PORT_DATA;
}

/** Why the port of a task may not be touched, or NULL. */
static const char *
find_fault (const Port *self, bool writes)
{
  const uint32_t last = self->port + self->width - 1;

  if (self->width != 1 && self->width != 2 && self->width != 4)
    return OV_TR ("A port is reached with 1, 2 or 4 bytes at a time.");
  if (self->port == PORT_DIAGNOSTIC)
    return last > PORT_DIAGNOSTIC ? OV_TR ("The diagnostic port has one byte.") : NULL;
  if (self->port < PORT_DATA || self->port > PORT_CONTROL)
    return OV_TR ("Only ports of which is known that they are harmless may be reached: 0x80, and "
                  "0x378 to 0x37a where a parallel port is.");
  if (!port_has_parallel ())
    return OV_TR ("The kernel knows no parallel port at 0x378 (modules parport_pc and ppdev).");
  if (last > PORT_CONTROL)
    return OV_TR ("The parallel port has three registers of one byte.");
  if (writes && last > PORT_DATA)
    return OV_TR ("Of the parallel port only the data register is written to: the others make a "
                  "printer print.");
  return NULL;
}

int
port_claim (const OvHost *host)
{
  const int fd = ov_device (host, PORT_DEVICE, O_RDWR);
  int error;

  if (fd < 0 || ioctl (fd, PPCLAIM) == 0)
    return fd;
  error = -errno;
  close (fd);
  return error;
}

void
port_let_go (int fd)
{
  ioctl (fd, PPRELEASE);
  close (fd);
}

int
port_init (Port *self, const OvHost *host, const OvTask *task)
{
  const bool writes = task->access == OV_ACCESS_WRITE;
  const char *fault;
  char text[16];

  self->host = host;
  self->task = task;
  self->claimed = -1;
  self->width = task->width > 0 ? task->width : 1;
  self->port = (uint32_t)task->address;
  if (task->address == 0)
    self->port = !port_has_parallel ()       ? PORT_DIAGNOSTIC
                 : writes || self->width > 1 ? PORT_DATA
                                             : PORT_STATUS;
  fault
      = task->address > 0xffff ? OV_TR ("A port's number has 16 bits.") : find_fault (self, writes);
  if (fault != NULL)
    {
      host->explain (host, UINT64_MAX, fault);
      /* Nobody named a port: the machine has none for this. */
      return task->address == 0 ? -ENOTSUP : -EPERM;
    }
  snprintf (text, sizeof text, "0x%x", self->port);
  host->effective (host, "port", text);
  if (!writes || self->port == PORT_DIAGNOSTIC)
    return 0;
  self->claimed = port_claim (host);
  if (self->claimed >= 0)
    return ioctl (self->claimed, PPRDATA, &self->value) == 0 ? 0 : -errno;
  host->explain (host, UINT64_MAX,
                 OV_TR ("The parallel port could not be claimed, and something else may use it."));
  return self->claimed;
}

int
port_init_reading (Port *self, const OvHost *host, const OvTask *task)
{
  if (task->access == OV_ACCESS_READ && task->width <= 1)
    return port_init (self, host, task);
  host->explain (host, UINT64_MAX, OV_TR ("A port is sampled by reading one byte."));
  return -EPERM;
}

void
port_clear (Port *self)
{
  if (self->claimed >= 0)
    port_let_go (self->claimed);
  self->claimed = -1;
}

/** Does the kernel refuse ports to root, too? */
static bool
is_locked_down (void)
{
  FILE *file = fopen ("/sys/kernel/security/lockdown", "re");
  char text[128] = "";
  bool locked;

  if (file == NULL)
    return false;
  locked = fgets (text, sizeof text, file) != NULL && strstr (text, "[none]") == NULL;
  fclose (file);
  return locked;
}

int
port_explain (int error, const char *what, char *why, size_t why_size)
{
  if (error == -ENOSYS || error == -ENODEV || error == -ENXIO || error == -ENOENT)
    snprintf (why, why_size,
              OV_TR ("This kernel has no %s. The option --virtual of overlap-cli runs it in an "
                     "emulated machine."),
              what);
  else if (is_locked_down ())
    {
      snprintf (
          why, why_size,
          OV_TR ("The kernel is locked down (Secure Boot), which closes %s to root as well. The "
                 "option --virtual of overlap-cli runs it in an emulated machine."),
          what);
      /* More privilege would not help. */
      error = -ENOTSUP;
    }
  else
    snprintf (why, why_size,
              OV_TR ("Using %s needs the capability CAP_SYS_RAWIO: \"sudo overlap-cli\" has it and "
                     "gives up everything else."),
              what);
  return error;
}

/* ---- The proof ------------------------------------------------------------------------------ */

#if PORT_HERE

static __thread sigjmp_buf escape;

static void
on_fault (int number)
{
  (void)number;
  siglongjmp (escape, 1);
}

bool
port_is_closed (uint32_t port)
{
  const struct sigaction action = { .sa_handler = on_fault };
  struct sigaction before;
  volatile bool closed = false;

  sigaction (SIGSEGV, &action, &before);
  if (sigsetjmp (escape, 1) == 0)
    inb ((unsigned short)port);
  else
    closed = true;
  sigaction (SIGSEGV, &before, NULL);
  return closed;
}

typedef struct
{
  uint32_t port;
  pthread_barrier_t granted;
  bool closed;
} Second;

static void *
second_thread (void *data)
{
  Second *second = data;

  pthread_barrier_wait (&second->granted);
  second->closed = port_is_closed (second->port);
  return NULL;
}

int
port_prove (Port *self, PortGrant grant)
{
  Second second = { .port = self->port };
  pthread_t thread;
  bool open;
  int error;

  if (!port_is_closed (self->port))
    {
      self->host->explain (self->host, UINT64_MAX,
                           OV_TR ("The port was still open after the privilege was given back."));
      return -EPROTO;
    }
  /* A thread inherits what its maker has, so that the second one is made before. */
  pthread_barrier_init (&second.granted, NULL, 2);
  error = pthread_create (&thread, NULL, second_thread, &second);
  if (error != 0)
    return -error;
  error = grant (self, true);
  open = error == 0 && !port_is_closed (self->port);
  pthread_barrier_wait (&second.granted);
  pthread_join (thread, NULL);
  if (error == 0)
    error = grant (self, false);
  pthread_barrier_destroy (&second.granted);
  if (error != 0)
    return error;
  if (open && second.closed && port_is_closed (self->port))
    return 0;
  self->host->explain (self->host, UINT64_MAX,
                       OV_TR ("The privilege was not this thread's alone."));
  return -EPROTO;
}

#else

bool
port_is_closed (uint32_t port)
{
  (void)port;
  return true;
}

int
port_prove (Port *self, PortGrant grant)
{
  (void)self;
  (void)grant;
  return -ENOSYS;
}

#endif
