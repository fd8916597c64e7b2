/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counter.perf-read: the same performance counter, by read(2).
 *
 * Every reading is a system call that goes through the file layer to the counter's driver, as an
 * ioctl() of a device driver does: the ordinary way to hardware.  Where the machine has no hardware
 * counters, the counter is the kernel's own of this thread's CPU time; the way is the same.
 */
#include <unistd.h>

#include "counter.h"
#include "perf.h"

OV_EMBED_SOURCE (perf_read_source);

typedef struct
{
  Counter counter;
  int fd;
} PerfRead;

static inline uint64_t
read_event (const Counter *counter)
{
  uint64_t value = 0;

  /* A short reading leaves 0, which the check finds. */
  if (read (((const PerfRead *)counter)->fd, &value, sizeof value) != (ssize_t)sizeof value)
    return 0;
  return value;
}

static void
perf_read_release (void *state)
{
  PerfRead *self = state;

  if (self->fd >= 0)
    close (self->fd);
  free (self->counter.ring);
  free (self);
}

static int
perf_read_probe (const OvHost *host, char *why, size_t why_size)
{
  bool software;
  int fd = perf_open (true, &software);

  (void)host;
  if (fd < 0)
    {
      perf_explain (fd, why, why_size);
      return fd;
    }
  close (fd);
  return 0;
}

static int
perf_read_prepare (const OvHost *host, const OvTask *task, void **state)
{
  PerfRead *self = calloc (1, sizeof *self);
  bool software = false;
  char why[256] = "";
  int error;

  if (self == NULL)
    return -ENOMEM;
  self->fd = -1;
  error = counter_init (&self->counter, host, task);
  if (error == 0)
    {
      self->fd = perf_open (true, &software);
      if (self->fd < 0)
        {
          error = self->fd;
          perf_explain (error, why, sizeof why);
          host->explain (host, UINT64_MAX, why);
        }
    }
  if (error != 0)
    {
      perf_read_release (self);
      return error;
    }
  host->effective (host, "event", software ? "task-clock (software)" : "cycles");
  *state = self;
  return 0;
}

static int
perf_read_run (void *state)
{
  return counter_loop (state, read_event);
}

static int
perf_read_verify (void *state)
{
  return counter_verify (state);
}

const OvStrategy counter_perf_read = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "counter.perf-read",
  .title = OV_TR ("Performance counter by read()"),
  .summary = OV_TR ("Asks the counter's driver by read() for every reading: system call, file "
                    "layer and driver, the ordinary way to a device."),
  .family = "counter",
  .article = "3.1, 3.4",
  .jobs = OV_JOB_PORT,
  .probe = perf_read_probe,
  .prepare = perf_read_prepare,
  .run = perf_read_run,
  .release = perf_read_release,
  .source = perf_read_source,
  .source_end = perf_read_source_end,
  .verify = perf_read_verify,
};
