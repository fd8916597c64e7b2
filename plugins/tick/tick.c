/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scheduling and timer slack.
 *
 * Real-time priority is given only with a bound: the kernel takes note of how long the thread has
 * run without waiting (RLIMIT_RTTIME).  After a quarter of a second it is sent SIGXCPU and goes
 * back to ordinary scheduling; after a second the kernel ends it.  So no strategy can keep a
 * processor from everybody else.
 */
#include "tick.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PRIORITY      10
#define SOFT_LIMIT_US 250000
#define HARD_LIMIT_US 1000000

/* A signal finds nothing but these; a process makes one run at a time. */
static volatile sig_atomic_t realtime_thread;
static volatile sig_atomic_t taken_back;

static void
on_too_long (int number)
{
  const struct sched_param ordinary = { 0 };

  (void)number;
  sched_setscheduler ((pid_t)realtime_thread, SCHED_OTHER, &ordinary);
  taken_back = 1;
}

static int
refuse (const OvHost *host, const char *text)
{
  host->explain (host, UINT64_MAX, text);
  return -ENOTSUP;
}

static int
set_realtime (const OvHost *host)
{
  const struct sched_param param = { .sched_priority = PRIORITY };
  struct sigaction action = { .sa_handler = on_too_long, .sa_flags = SA_RESTART };
  struct rlimit limit;

  if (getrlimit (RLIMIT_RTTIME, &limit) != 0)
    return refuse (host, OV_TR ("The kernel offers no bound for real-time scheduling, and without "
                                "one it is not used."));
  if (limit.rlim_max > HARD_LIMIT_US)
    limit.rlim_max = HARD_LIMIT_US;
  limit.rlim_cur = limit.rlim_max < SOFT_LIMIT_US ? limit.rlim_max : SOFT_LIMIT_US;
  realtime_thread = (sig_atomic_t)syscall (SYS_gettid);
  taken_back = 0;
  if (sigaction (SIGXCPU, &action, NULL) != 0 || setrlimit (RLIMIT_RTTIME, &limit) != 0)
    return refuse (host, OV_TR ("Real-time scheduling cannot be bounded here, and without a bound "
                                "it is not used."));
  if (sched_setscheduler (0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) != 0)
    return refuse (host,
                   OV_TR ("Real-time scheduling is not allowed to this user: a line \"rtprio 10\" "
                          "in /etc/security/limits.conf, or CAP_SYS_NICE, lifts this."));
  return 0;
}

int
tick_enter (Tick *self, const OvHost *host, const OvTask *task)
{
  const int64_t slack = task->options[TICK_OPTION_SLACK];
  char text[48];

  self->host = host;
  self->task = task;
  self->period = (uint64_t)(1e9 / task->rate + 0.5);
  if (self->period == 0)
    return refuse (host, OV_TR ("The rate is beyond a nanosecond's."));
  if (task->options[TICK_OPTION_SCHEDULING] != 0)
    {
      const int error = set_realtime (host);

      if (error != 0)
        return error;
      self->realtime = true;
    }
  if (slack > 0)
    prctl (PR_SET_TIMERSLACK, (unsigned long)slack, 0, 0, 0);
  host->effective (host, "scheduling", self->realtime ? "SCHED_FIFO 10" : "SCHED_OTHER");
  snprintf (text, sizeof text, "%d ns", prctl (PR_GET_TIMERSLACK, 0, 0, 0, 0));
  /* Threads with real-time priority have none. */
  host->effective (host, "timer-slack", self->realtime ? "0 ns" : text);
  return 0;
}

void
tick_report (const Tick *self)
{
  if (self->realtime && taken_back)
    self->host->effective (self->host, "realtime", "taken back after 250 ms without a wait");
}

void
tick_leave (Tick *self)
{
  const struct sched_param ordinary = { 0 };

  if (self->realtime)
    sched_setscheduler (0, SCHED_OTHER, &ordinary);
  self->realtime = false;
  if (self->task->options[TICK_OPTION_SLACK] > 0)
    prctl (PR_SET_TIMERSLACK, 0, 0, 0, 0); /* the one that the thread was born with */
}

static const char *const scheduling_names[] = { "ordinary", "realtime", NULL };

static const OvOption option_scheduling = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_CHOICE,
  .name = "scheduling",
  .title = OV_TR ("Scheduling"),
  .help = OV_TR ("realtime: before all ordinary programs (SCHED_FIFO), bounded to a quarter of a "
                 "second without a wait; it needs a permission."),
  .minimum = 0,
  .maximum = 1,
  .standard = 0,
  .choices = scheduling_names,
};

static const OvOption option_slack = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_INT,
  .name = "slack",
  .title = OV_TR ("Timer slack, ns"),
  .help = OV_TR ("By how much the kernel may put a wake-up off to merge it with others; 0 leaves "
                 "the system's own, usually 50,000 ns."),
  .minimum = 0,
  .maximum = 1000000000,
  .standard = 0,
};

const OvOption *const tick_options[] = { &option_scheduling, &option_slack, NULL };
