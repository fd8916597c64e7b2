/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.rtc: periodic interrupts of the real-time clock.
 *
 * The clock that keeps the time while the machine is off can interrupt at a power of two of times a
 * second, from 2 to 8192.  Since 2.6.38 Linux leaves the chip alone and makes these interrupts with
 * a timer of its own, behind the same driver.  read() on the device waits for the next one and says
 * how many there were since the last reading.  Above a limit, 64 Hz unless the system says
 * otherwise, the kernel wants a privilege.  The timer starts when the interrupts are switched on,
 * so that moment says when each of them is due.
 */
#include <fcntl.h>
#include <linux/rtc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tick.h"

OV_EMBED_SOURCE (rtc_source);

#define RATE_MIN 2u
#define RATE_MAX 8192u

typedef struct
{
  Tick tick;
  unsigned long before; /* the clock's rate, to be set again */
  int fd;
  bool changed;
  bool on;
} Rtc;

static int
open_clock (const OvHost *host)
{
  const int fd = ov_device (host, "/dev/rtc0", O_RDONLY);

  return fd == -ENOENT || fd == -ENODEV ? ov_device (host, "/dev/rtc", O_RDONLY) : fd;
}

static void
explain_open (int error, char *why, size_t why_size)
{
  const char *text;

  switch (-error)
    {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      text = OV_TR (
          "There is no real-time clock here (/dev/rtc0): many virtual machines have none.");
      break;
    case EACCES:
    case EPERM:
      text = OV_TR (
          "Only root may open /dev/rtc0 here: \"sudo overlap-cli run interrupt-rate\" does, and "
          "gives up everything else; so does a udev rule that gives the device to your group.");
      break;
    case EBUSY:
      text = OV_TR ("Another program uses the real-time clock (/dev/rtc0).");
      break;
    default:
      text = strerror (-error);
    }
  snprintf (why, why_size, "%s", text);
}

static int
rtc_probe (const OvHost *host, char *why, size_t why_size)
{
  int fd = open_clock (host);
  unsigned long rate;
  int error = 0;

  if (fd < 0)
    {
      explain_open (fd, why, why_size);
      return fd;
    }
  if (ioctl (fd, RTC_IRQP_READ, &rate) != 0)
    {
      error = -ENOTSUP;
      snprintf (why, why_size, "%s",
                OV_TR ("This machine's real-time clock has no periodic interrupts."));
    }
  close (fd);
  return error;
}

static void
rtc_release (void *state)
{
  Rtc *self = state;

  tick_leave (&self->tick);
  if (self->on)
    ioctl (self->fd, RTC_PIE_OFF, 0);
  if (self->changed)
    ioctl (self->fd, RTC_IRQP_SET, self->before);
  if (self->fd >= 0)
    close (self->fd);
  free (self);
}

static int
refuse (const OvHost *host, const char *text)
{
  host->explain (host, UINT64_MAX, text);
  return -ENOTSUP;
}

/* Opens the clock and sets its rate: 0, or -errno with the cause explained. */
static int
set_up (Rtc *self, const OvHost *host, const OvTask *task)
{
  const unsigned long rate = (unsigned long)task->rate;
  char why[256];

  if ((double)rate != task->rate || rate < RATE_MIN || rate > RATE_MAX || (rate & (rate - 1)) != 0)
    return refuse (host,
                   OV_TR ("The real-time clock interrupts at powers of two, from 2 to 8192 Hz "
                          "only."));
  self->fd = open_clock (host);
  if (self->fd < 0)
    {
      explain_open (self->fd, why, sizeof why);
      return refuse (host, why);
    }
  if (ioctl (self->fd, RTC_IRQP_READ, &self->before) == 0)
    self->changed = self->before != rate;
  if (ioctl (self->fd, RTC_IRQP_SET, rate) != 0)
    {
      self->changed = false;
      if (errno != EACCES && errno != EPERM)
        return -errno;
      return refuse (host, OV_TR ("So high a rate wants a privilege (CAP_SYS_RESOURCE): "
                                  "\"sudo overlap-cli run interrupt-rate\" has it, and \"sysctl "
                                  "dev.rtc.max-user-freq=8192\", as root, lifts the limit."));
    }
  return 0;
}

static int
rtc_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Rtc *self = calloc (1, sizeof *self);
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = tick_enter (&self->tick, host, task);
  if (error == 0)
    error = set_up (self, host, task);
  if (error != 0)
    {
      rtc_release (self);
      return error;
    }
  *state = self;
  return 0;
}

/* Waits for the next interrupt: how many there were, or -errno. */
static int64_t
next_interrupt (Rtc *self)
{
  const OvHost *host = self->tick.host;
  unsigned long data;
  int ready;

  do
    {
      ready = host->wait (host, self->fd, -1);
      if (ready < 0)
        return ready;
    }
  while (ready == 0);
  if (read (self->fd, &data, sizeof data) != (ssize_t)sizeof data)
    return -errno;
  return (int64_t)(data >> 8);
}

/* Interrupts of whoever used the clock before are none of this run's. */
static void
forget_pending (const Rtc *self)
{
  struct pollfd ready = { .fd = self->fd, .events = POLLIN };
  unsigned long data;

  if (poll (&ready, 1, 0) > 0 && read (self->fd, &data, sizeof data) < 0)
    return;
}

static int
rtc_run (void *state)
{
  Rtc *self = state;
  Tick *tick = &self->tick;
  int64_t n;

  forget_pending (self);
  tick->start = tick_now ();
  if (ioctl (self->fd, RTC_PIE_ON, 0) != 0)
    return -errno;
  self->on = true;
  do
    n = next_interrupt (self);
  while (n >= 0 && (n == 0 || tick_woken (tick, tick_now (), (uint64_t)n - 1)));
  tick_report (tick);
  return n < 0 ? (int)n : 0;
}

const OvStrategy tick_rtc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.rtc",
  .title = OV_TR ("Real-time clock interrupts"),
  .summary = OV_TR (
      "Waits for the periodic interrupts of the real-time clock's driver, 2 to 8192 a second: "
      "through a device, as in the article; today's kernel makes them with a timer of its own."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .caps = OV_CAP_PRIVILEGE,
  .options = tick_options,
  .probe = rtc_probe,
  .prepare = rtc_prepare,
  .run = rtc_run,
  .release = rtc_release,
  .source = rtc_source,
  .source_end = rtc_source_end,
};
