/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two threads.  One works without a pause and counts what it has done.  The other asks to be woken
 * at every whole millisecond of CLOCK_MONOTONIC: the moments lie fixed, so that a neighbour that
 * was kept waiting for 50 ms has missed 50 moments and not one.
 */
#include "config.h"

#include "worker/ov-neighbour-child.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS  1000000
#define SETTLE_NS  (50 * 1000000LL)  /* nobody looks yet */
#define BASE_NS    (200 * 1000000LL) /* the machine without the strategy */
#define AWAIT_NS   (5000 * 1000000LL)
#define LINGER_NS  (1000 * 1000000LL)
#define UNIT_STEPS 4096

int
ov_neighbour_processor (void)
{
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return -1;
  for (int i = CPU_SETSIZE - 1; i >= 0; i--)
    if (CPU_ISSET (i, &set))
      return i;
  return -1;
}

int
ov_neighbour_pin (int processor)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (processor, &set);
  return sched_setaffinity (0, sizeof set, &set) == 0 ? 0 : -errno;
}

/** A unit of work: a few microseconds in registers, so that what is lost is processor time and not
 *  the cache. */
static guint64
unit (guint64 x)
{
  for (guint i = 0; i < UNIT_STEPS; i++)
    {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
  return x;
}

static void *
work (void *data)
{
  OvShared *run = data;
  guint64 x = 88172645463325252u;

  for (guint64 n = 1;; n++)
    {
      x = unit (x);
      /* The value is used, so that the loop stays. */
      __atomic_store_n (&run->neighbour.work, n + (x == 0), __ATOMIC_RELEASE);
    }
  return NULL;
}

static void
record (OvShared *run, gint64 moment, gint64 late, gint64 base_begin)
{
  const gint64 begin = __atomic_load_n (&run->begin_ns, __ATOMIC_ACQUIRE);
  const gint64 end = __atomic_load_n (&run->end_ns, __ATOMIC_ACQUIRE);

  if (run->neighbour.ready == 0)
    {
      if (moment >= base_begin)
        ov_histogram_add (&run->neighbour.base, (guint64)late);
    }
  else if (begin != 0 && moment >= begin && (end == 0 || moment < end))
    ov_histogram_add (&run->neighbour.lateness, (guint64)late);
}

/** Work until the strategy's part of the story begins: the rate without it. */
static void
end_base (OvShared *run, gint64 base_begin, guint64 work_begin, gint64 now)
{
  const guint64 done = __atomic_load_n (&run->neighbour.work, __ATOMIC_ACQUIRE) - work_begin;

  run->neighbour.base_rate = (double)done * 1e9 / (double)(now - base_begin);
  __atomic_store_n (&run->neighbour.ready, 1, __ATOMIC_RELEASE);
}

static void
be_woken (OvShared *run)
{
  gint64 moment = (ov_clock_now_ns () / PERIOD_NS + 1) * PERIOD_NS;
  const gint64 base_begin = moment + SETTLE_NS;
  guint64 work_begin = 0;

  for (;;)
    {
      const struct timespec at = { moment / 1000000000, moment % 1000000000 };
      gint64 now;

      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
      now = ov_clock_now_ns ();
      for (; moment <= now; moment += PERIOD_NS)
        record (run, moment, now - moment, base_begin);
      if (run->neighbour.ready == 0 && work_begin == 0 && now >= base_begin)
        work_begin = __atomic_load_n (&run->neighbour.work, __ATOMIC_ACQUIRE);
      else if (run->neighbour.ready == 0 && now >= base_begin + BASE_NS)
        end_base (run, base_begin, work_begin, now);
      __atomic_store_n (&run->neighbour.seen_ns, moment, __ATOMIC_RELEASE);
    }
}

void
ov_neighbour_child (OvShared *run, int processor)
{
  pthread_t thread;

  ov_histogram_init (&run->neighbour.base);
  ov_histogram_init (&run->neighbour.lateness);
  run->neighbour.processor = processor;
  if (processor >= 0 && ov_neighbour_pin (processor) != 0)
    _exit (1);
  /* The slack that ordinary threads get, 50 us, would be counted as the strategy's doing. */
  prctl (PR_SET_TIMERSLACK, 1);
  if (pthread_create (&thread, NULL, work, run) != 0)
    _exit (1);
  be_woken (run);
}

static gboolean
nap (void)
{
  const struct timespec span = { 0, 1000000 };

  return nanosleep (&span, NULL) == 0;
}

int
ov_neighbour_await (OvShared *run)
{
  const gint64 end = ov_clock_now_ns () + AWAIT_NS;

  while (__atomic_load_n (&run->neighbour.ready, __ATOMIC_ACQUIRE) == 0)
    {
      if (ov_shared_stopped (run))
        return -ECANCELED;
      if (ov_clock_now_ns () > end)
        return -ETIMEDOUT;
      nap ();
    }
  return 0;
}

void
ov_neighbour_settle (OvShared *run)
{
  const gint64 limit = ov_clock_now_ns () + LINGER_NS;

  while (__atomic_load_n (&run->neighbour.seen_ns, __ATOMIC_ACQUIRE) < run->end_ns
         && ov_clock_now_ns () < limit)
    nap ();
}
