/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tick.rtc: periodic interrupts of the real-time clock.
 *
 * The clock that keeps the time while the machine is off can interrupt at a power of two of times a
 * second, from 2 to 8192.  read() on its device waits for the next interrupt and says how many
 * there were since the last reading.  Above a limit, 64 Hz unless the system says otherwise, the
 * kernel wants a privilege.  The first interrupt says when the others are due.
 */
#include <fcntl.h>
#include <linux/rtc.h>
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
open_clock (void)
{
  int fd = open ("/dev/rtc", O_RDONLY | O_CLOEXEC);

  if (fd < 0 && (errno == ENOENT || errno == ENODEV))
    fd = open ("/dev/rtc0", O_RDONLY | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
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
          "Only root may open /dev/rtc0 here: a udev rule that gives the device to your group "
          "lifts this.");
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
  int fd = open_clock ();
  unsigned long rate;
  int error = 0;

  (void)host;
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
  self->fd = open_clock ();
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
                                  "\"sysctl dev.rtc.max-user-freq=8192\", as root, lifts this."));
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

static int
rtc_run (void *state)
{
  Rtc *self = state;
  Tick *tick = &self->tick;
  int64_t n;

  if (ioctl (self->fd, RTC_PIE_ON, 0) != 0)
    return -errno;
  self->on = true;
  n = next_interrupt (self);
  tick->start = tick_now ();
  while (n >= 0)
    {
      n = next_interrupt (self);
      if (n > 0 && !tick_woken (tick, tick_now (), (uint64_t)n - 1))
        break;
    }
  tick_report (tick);
  return n < 0 ? (int)n : 0;
}

const OvStrategy tick_rtc = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "tick.rtc",
  .title = OV_TR ("Real-time clock interrupts"),
  .summary
  = OV_TR ("Waits for periodic interrupts of the machine's clock chip, 2 to 8192 a second: "
           "a real device, its interrupt and its driver."),
  .family = "tick",
  .article = "3.5",
  .jobs = OV_JOB_TICKS,
  .options = tick_options,
  .probe = rtc_probe,
  .prepare = rtc_prepare,
  .run = rtc_run,
  .release = rtc_release,
  .source = rtc_source,
  .source_end = rtc_source_end,
};
