/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block.uring-sqpoll: no system call at all.
 *
 * A thread of the kernel looks at the ring all the time and takes what is put into it; we look at
 * the completion queue all the time.  Both lie in memory that is shared, so nobody crosses into the
 * kernel.  The price is two processors that do nothing else: the thread runs inside of this process
 * and its time counts as the process's own, as system time.  It goes to sleep when there was
 * nothing to do for a second, and only then does it take a call to wake it.
 */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../uring/ring.h"

/* So many looks, some 100 to 500 us, before we sleep for a moment. */
#define PATIENCE 10000
#define NAP_NS   50000

OV_EMBED_SOURCE (uring_sqpoll_source);

enum
{
  OPTION_REGISTERED
};

/* Whether the polling thread, "iou-sqp-" and a number, is one of ours, whose time the process's
 * clock has.  Before Linux 5.12 it was a process of the kernel's. */
static bool
poller_is_ours (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  struct dirent *entry;
  bool found = false;

  while (tasks != NULL && !found && (entry = readdir (tasks)) != NULL)
    {
      char path[300], name[32] = "";
      FILE *file;

      snprintf (path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
      file = entry->d_name[0] != '.' ? fopen (path, "re") : NULL;
      if (file == NULL)
        continue;
      found = fgets (name, sizeof name, file) != NULL && strncmp (name, "iou-sqp-", 8) == 0;
      fclose (file);
    }
  if (tasks != NULL)
    closedir (tasks);
  return found;
}

/* With one processor the two would only wait for each other. */
static bool
is_alone (void)
{
  cpu_set_t set;

  return sched_getaffinity (0, sizeof set, &set) == 0 && CPU_COUNT (&set) < 2;
}

/* Nothing has come, `looks` times in a row.  Where the device is slow, or somebody else has the
 * processor that the polling thread needs, a nap is better for both. */
static inline void
look_again (uint32_t looks, bool alone)
{
  const struct timespec nap = { .tv_nsec = NAP_NS };

  if (alone || looks > PATIENCE)
    nanosleep (&nap, NULL);
  else
    slots_relax ();
}

static int
uring_sqpoll_prepare (const OvHost *host, const OvTask *task, void **state)
{
  const RingSetup setup = { .kind = RING_POLLED,
                            .buffers = task->options[OPTION_REGISTERED] != 0,
                            .file = task->options[OPTION_REGISTERED] != 0 };
  int error = ring_prepare (&setup, host, task, (Ring **)state);

  if (error < 0)
    return error;
  host->effective (host, "poller",
                   poller_is_ours () ? "a thread of the process, whose CPU time it counts"
                                     : "a process of the kernel, whose CPU time is NOT counted");
  if (is_alone ())
    host->effective (host, "processors", "one, which is given away by a nap between two looks");
  return 0;
}

/* Hands over what is in the ring: a system call only where the polling thread sleeps. */
static inline void
hand_over (Ring *ring)
{
  unsigned flags;

  io_uring_submit (&ring->ring);
  flags = IO_URING_READ_ONCE (*ring->ring.sq.kflags);
  if ((flags & IORING_SQ_CQ_OVERFLOW) != 0)
    io_uring_get_events (&ring->ring);
}

static int
uring_sqpoll_run (void *state)
{
  Ring *ring = state;
  Slots *slots = &ring->slots;
  bool alone = is_alone ();
  uint32_t looks = 0;

  if (ring_open (ring) == 0)
    while (slots_active (slots))
      {
        ring_fill (ring);
        if (slots_ending (slots))
          ring_cancel (ring);
        hand_over (ring);
        if (ring_reap (ring))
          looks = 0;
        else if (!slots_ready (slots))
          look_again (++looks, alone);
        slots_consume (slots);
      }
  return ring_close (ring);
}

static const OvOption option_registered = {
  .size = sizeof (OvOption),
  .kind = OV_OPTION_BOOL,
  .name = "registered",
  .title = OV_TR ("Registered buffers and file"),
  .help = OV_TR ("Makes buffers and file known to the kernel once, before the run."),
  .maximum = 1,
  .standard = 1,
};

static const OvOption *const options[] = { &option_registered, NULL };

const OvStrategy block_uring_sqpoll = {
  .size = sizeof (OvStrategy),
  .abi = OV_STRATEGY_ABI,
  .id = "block.uring-sqpoll",
  .title = OV_TR ("io_uring, polled by the kernel"),
  .summary = OV_TR ("A thread of the kernel takes the requests out of the ring and the program "
                    "looks for their completions: no system call, and two processors that are busy "
                    "all the time; the thread's time is in the process's."),
  .family = "block",
  .article = "5.2",
  .jobs = OV_JOB_BLOCKS,
  .caps = OV_CAP_BLOCK | OV_CAP_DEPTH | OV_CAP_DIRECT | OV_CAP_ASYNC | OV_CAP_POSITIONS,
  .options = options,
  .probe = ring_probe_polled,
  .prepare = uring_sqpoll_prepare,
  .run = uring_sqpoll_run,
  .release = ring_release,
  .source = uring_sqpoll_source,
  .source_end = uring_sqpoll_source_end,
};
