/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.clock: tells how the real-time clock was left by whoever used it before, its rate and
 * whether it still interrupts.
 */
#include <fcntl.h>
#include <linux/rtc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "overlap-strategy.h"

/* Longer than a few interrupts at the lowest of rates above 1 Hz. */
#define PATIENCE_MS 2000

typedef struct
{
  const OvHost *host;
  const OvTask *task;
} Clock;

static int
clock_prepare (const OvHost *host, const OvTask *task, void **state)
{
  Clock *self = malloc (sizeof *self);

  if (self == NULL)
    return -ENOMEM;
  *self = (Clock){ host, task };
  *state = self;
  return 0;
}

static int
clock_run (void *state)
{
  const Clock *self = state;
  const int fd = ov_device (self->host, "/dev/rtc0", O_RDONLY);
  struct pollfd ready = { .fd = fd, .events = POLLIN };
  unsigned long rate, data;
  char text[64];

  if (fd < 0)
    return fd;
  if (ioctl (fd, RTC_IRQP_READ, &rate) != 0)
    return -errno;
  /* What came before is no sign; what comes now is one. */
  if (poll (&ready, 1, 0) > 0 && read (fd, &data, sizeof data) < 0)
    return -errno;
  snprintf (text, sizeof text, "%lu Hz, %s", rate,
            poll (&ready, 1, PATIENCE_MS) > 0 ? "interrupts" : "quiet");
  close (fd);
  self->host->effective (self->host, "clock", text);
  ov_missed (self->host, self->task->requests);
  return 0;
}

static void
clock_release (void *state)
{
  free (state);
}

static const OvStrategy counter_clock = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.clock",
  .title = "Clock",
  .summary = "For tests.",
  .family = "counter",
  .jobs = OV_JOB_TICKS,
  .prepare = clock_prepare,
  .run = clock_run,
  .release = clock_release,
};

OV_STRATEGIES (&counter_clock);
