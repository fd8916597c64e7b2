/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * port.driver: the ordinary way, a driver's call.
 *
 * The driver of the parallel port claims it for us, so that nobody else uses it meanwhile; then
 * each access is an ioctl(), which goes through the gate, through the driver, and through what the
 * driver shares with others, down to the one instruction.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ppdev.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port.h"

OV_EMBED_SOURCE (driver_source);

static int
driver_probe (const OvHost *host, char *why, size_t why_size)
{
  const int fd = port_claim (host);

  if (fd >= 0)
    {
      port_let_go (fd);
      return 0;
    }
  if (fd == -EACCES)
    snprintf (why, why_size,
              OV_TR ("Using %s needs membership in the group \"lp\", or \"sudo overlap-cli run "
                     "port-or-gate\"."),
              PORT_DEVICE);
  else
    snprintf (why, why_size,
              OV_TR ("There is no parallel port (%s, of the kernel's modules parport_pc and "
                     "ppdev). \"overlap-cli run port-or-gate --virtual\" runs it in an emulated "
                     "machine that has one."),
              PORT_DEVICE);
  return fd;
}

static void
driver_release (void *state)
{
  free (state);
}

/* The call for the register, or 0. */
static unsigned long
request_for (const Port *self)
{
  if (self->width != 1 || !port_has_parallel ())
    return 0;
  if (self->task->access == OV_ACCESS_WRITE)
    return self->port == PORT_DATA ? PPWDATA : 0;
  return self->port == PORT_DATA      ? PPRDATA
         : self->port == PORT_STATUS  ? PPRSTATUS
         : self->port == PORT_CONTROL ? PPRCONTROL
                                      : 0;
}

static int
driver_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Port *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  error = port_init (self, host, task);
  /* The run claims it itself. */
  port_clear (self);
  if (error == 0 && request_for (self) == 0)
    {
      host->explain (host, UINT64_MAX,
                     OV_TR ("The driver has no call for this register and this width."));
      error = -ENOTSUP;
    }
  if (error != 0)
    {
      driver_release (self);
      return error;
    }
  *state = self;
  return 0;
}

static int
driver_run (void *state)
{
  Port *self = state;
  const uint64_t requests = self->task->requests;
  const unsigned long request = request_for (self);
  unsigned char value = (unsigned char)self->value;
  const int fd = port_claim (self->host);
  int result = 0;

  if (fd < 0)
    return fd;
  for (uint64_t done = 0; done < requests && result == 0;)
    {
      const uint32_t n = requests - done < PORT_BATCH ? (uint32_t)(requests - done) : PORT_BATCH;

      if (ov_stopped (self->host))
        result = -ECANCELED;
      for (uint32_t i = 0; i < n && result == 0; i++)
        result = ioctl (fd, request, &value) == 0 ? 0 : -errno;
      if (result == 0)
        ov_accessed (self->host, n);
      done += n;
    }
  port_let_go (fd);
  return result;
}

const OvStrategy port_driver = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "port.driver",
  .title = OV_TR ("Through the driver"),
  .summary = OV_TR ("Claims the parallel port from its driver and asks the driver for each access "
                    "(ioctl): through the gate and through all that the driver does for its "
                    "callers."),
  .family = "port",
  .article = "3.1",
  .jobs = OV_JOB_PORT,
  .caps = OV_CAP_PRIVILEGE,
  .probe = driver_probe,
  .prepare = driver_prepare,
  .run = driver_run,
  .release = driver_release,
  .source = driver_source,
  .source_end = driver_source_end,
};
